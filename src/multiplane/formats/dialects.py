"""The formats of the CoNLL family as data: their columns and the lines they allow."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from multiplane.errors import InputError
from multiplane.formats.fields import EMPTY

COMPRESSIONS = (".gz", ".xz")
OTHER_COMPRESSIONS = {".bz2": "bzip2", ".zst": "Zstandard", ".zip": "ZIP"}
"""Compressions that are not supported, by suffix."""


@dataclass(frozen=True)
class Arguments:
    """The columns of predicates in a format; each predicate adds a column for its arguments, in order of position.

    >>> DIALECTS["conll09"].arguments
    Arguments(sense='pred', mark='fillpred', yes='Y', no='_', top=None, senses_anywhere=False)
    """

    sense: str
    """The column with the predicate's sense, `_` for none."""
    mark: str | None = None
    """The column that marks predicates; without it, the words with a sense are predicates."""
    yes: str = "Y"
    no: str = "_"
    """The two values of `mark` and `top`."""
    top: str | None = None
    """The column that marks the tops of the graph."""
    senses_anywhere: bool = False
    """Whether words that are not predicates may have a sense."""


@dataclass(frozen=True)
class Dialect:
    """One tab-separated format.

    Columns with the same meaning have the same name in every format, so that ``sentence.upos`` works for all of them:
    CPOSTAG, GPOS and POS are `upos`, POSTAG and PPOS are `xpos`; SDP's PRED and FRAME are `fillpred` and `pred`.

    >>> DIALECTS["conllu"].columns.index("head")
    6
    """

    name: str
    title: str
    columns: tuple[str, ...]
    suffixes: tuple[str, ...]
    ranges: bool = False
    """Whether the format has lines for multiword ranges (3-4) and empty nodes (5.1), and comments."""
    arguments: Arguments | None = None
    """The columns of predicates and arguments, if any."""
    sent_id: str | None = None
    """The comment that names a sentence; None if the format has no names."""
    header: str | None = None
    """The first line of a file."""

    @property
    def bare_ids(self) -> bool:
        """Whether a comment such as `#22000001` names the sentence."""
        return self.sent_id == "#{}"

    def empty(self, column: str) -> str:
        """Returns the empty value of a column.

        >>> DIALECTS["conll09"].empty("fillpred"), DIALECTS["sdp"].empty("fillpred")
        ('_', '-')
        """
        marks = (self.arguments.mark, self.arguments.top) if self.arguments else ()
        return self.arguments.no if self.arguments and column in marks else EMPTY

    def headed(self, text: bytes) -> bytes:
        r"""Returns the text of a file with the header line that the format requires.

        >>> DIALECTS["sdp"].headed(b"#1\n"), DIALECTS["conllu"].headed(b"#1\n")
        (b'#SDP 2015\n#1\n', b'#1\n')
        """
        header = f"{self.header}\n".encode() if self.header else b""
        return text if text.startswith(header) else header + text


def _columns(names: str) -> tuple[str, ...]:
    return tuple(names.split())


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "conllu",
            "CoNLL-U",
            _columns("id form lemma upos xpos feats head deprel deps misc"),
            suffixes=(".conllu",),
            ranges=True,
            sent_id="# sent_id = {}",
        ),
        Dialect(
            "conllx",
            "CoNLL-X",
            _columns("id form lemma upos xpos feats head deprel phead pdeprel"),
            suffixes=(".conllx", ".conll", ".conll06", ".conll07"),
        ),
        Dialect(
            "conll08",
            "CoNLL-2008",
            _columns("id form lemma upos xpos split_form split_lemma pposs head deprel pred"),
            suffixes=(".conll08", ".conll2008"),
            arguments=Arguments("pred"),
        ),
        Dialect(
            "conll09",
            "CoNLL-2009",
            _columns("id form lemma plemma upos xpos feats pfeats head phead deprel pdeprel fillpred pred"),
            suffixes=(".conll09", ".conll2009"),
            arguments=Arguments("pred", mark="fillpred"),
        ),
        Dialect(
            "sdp",
            "SDP 2015",
            _columns("id form lemma upos top fillpred pred"),
            suffixes=(".sdp",),
            arguments=Arguments("pred", mark="fillpred", yes="+", no="-", top="top", senses_anywhere=True),
            sent_id="#{}",
            header="#SDP 2015",
        ),
    )
}


def dialect_of(path: str | None, given: str | Dialect | None = None) -> Dialect:
    """Returns the format of a file: the given one, else by suffix; CoNLL-U for a stream without a name.

    >>> dialect_of("danish.conll.xz").title
    'CoNLL-X'
    >>> dialect_of("-").name
    'conllu'
    """
    if isinstance(given, Dialect):
        return given
    if given is not None:
        if given not in DIALECTS:
            raise InputError(f"unknown format '{given}'; known formats: {', '.join(DIALECTS)}")
        return DIALECTS[given]
    if path is None or path == "-":
        return DIALECTS["conllu"]
    if (named := dialect_by_suffix(path)) is not None:
        return named
    refuse_other_compression(path)
    known = " ".join(suffix for dialect in DIALECTS.values() for suffix in dialect.suffixes)
    raise InputError(
        f"{path}: cannot tell the format from the suffix (known: {known}); give it (--from, --to, or format= in Python)"
    )


def refuse_other_compression(path: str) -> None:
    """Raises `InputError` if the suffix of a file names a compression that is not supported.

    >>> refuse_other_compression("danish.conll.zst")
    Traceback (most recent call last):
    ...
    multiplane.errors.InputError: danish.conll.zst: Zstandard is not supported; use gzip (.gz), xz (.xz) or no ...
    """
    if other := OTHER_COMPRESSIONS.get(PurePath(path.lower()).suffix):
        raise InputError(f"{path}: {other} is not supported; use gzip (.gz), xz (.xz) or no compression")


def dialect_by_suffix(path: str | None) -> Dialect | None:
    """Returns the format that the suffix of a file names, or None if it names none.

    >>> dialect_by_suffix("danish.CONLL.xz").title, dialect_by_suffix("danish.txt"), dialect_by_suffix("-")
    ('CoNLL-X', None, None)
    """
    name = PurePath(path or "").name.lower()
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression)
    return next((dialect for dialect in DIALECTS.values() if name.endswith(dialect.suffixes)), None)
