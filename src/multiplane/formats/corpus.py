"""A treebank in memory: the bytes of its file and an index into them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args, overload

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.display import Drawn, Shown
from multiplane.errors import ColumnError, FormatError, LayerError
from multiplane.formats.collecting import collected, gathered, mapped
from multiplane.formats.columns import Lengths, Values, text_of_columns
from multiplane.formats.dialects import Dialect, dialect_of
from multiplane.formats.dictionaries import corpus_of_dicts, dict_of
from multiplane.formats.editing import Draft, settled
from multiplane.formats.layers import Enhanced, LayerArcs, Predicates, Semantics, enhanced_of, semantics_of
from multiplane.formats.sentence import UNKNOWN_HEAD, Sentence
from multiplane.formats.tables import to_pandas, to_polars
from multiplane.messages import counted

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

__all__ = ["UNKNOWN_HEAD", "Corpus", "OnError", "Sentence", "indexed", "validate"]

OnError = Literal["fail", "skip"]

_BOM = b"\xef\xbb\xbf"
_L = TypeVar("_L")


class Corpus(Drawn, Shown, Sequence[Sentence]):
    r"""A treebank in memory: a sequence of sentences, and their columns as flat lists and arrays.

    Read one from a file with `multiplane.read`, build one with `from_columns` or `from_dicts`, or get one from
    `Parser.parse`. Write it with `multiplane.write`: what was not edited is written back byte for byte.

    >>> from multiplane import sample
    >>> corpus = sample()
    >>> corpus
    <Corpus ...sample.conllu: 65 sentences, 714 words>
    >>> corpus[0]
    <Sentence en-001: Bridge closes that linked two villages>
    >>> len(corpus), corpus.words, corpus.heads[:6].tolist(), corpus.column("upos")[:2]
    (65, 714, [2, 0, 4, 1, 6, 4], ['NOUN', 'VERB'])
    >>> len(corpus.filter(lambda sentence: sentence.planarity > 2))
    3

    A slice is a corpus, too, and a view: its edits are those of the whole corpus. `filter`, `map` and `+` make new
    corpora. `to_pandas`, `to_polars`, `to_dicts`, `to_json` and `to_displacy` are for
    other programs. A sentence knows its position in the file (`sentence.where`), and so do error messages.
    """

    def __init__(
        self,
        text: bytes,
        index: _native.Index,
        dialect: Dialect,
        name: str,
        problems: Sequence[FormatError] = (),
        lines_before: int = 0,
    ) -> None:
        self.name = name
        """The file's name, for messages."""
        self.dialect = dialect
        self.problems = tuple(problems)
        """Why sentences were skipped, with ``on_error="skip"``."""
        self._content = text, index
        self._lines_before = lines_before
        self._drafts: dict[int, Draft] = {}
        self._edition = 0
        self._layers: dict[str, tuple[int, Any]] = {}

    @classmethod
    def from_columns(
        cls,
        *,
        forms: Values,
        heads: Values | None = None,
        deprels: Values | None = None,
        lemmas: Values | None = None,
        upos: Values | None = None,
        xpos: Values | None = None,
        feats: Values | None = None,
        deps: Values | None = None,
        misc: Values | None = None,
        lengths: Lengths | None = None,
        sent_ids: Sequence[str | None] | None = None,
        comments: Sequence[Iterable[str]] | None = None,
        format: str | Dialect = "conllu",  # noqa: A002
        name: str = "<columns>",
        **others: Values,
    ) -> Corpus:
        """Builds a corpus from columns, each with a list, tuple or array of values per sentence.

        With `lengths`, the number of words in each sentence, each column is a flat list or array of the values of all
        words, as returned by `heads` and `column`. Missing columns and None values are empty; `UNKNOWN_HEAD` means no
        head. `others` are further columns of the format, by name. Comments are whole lines, including `#`; multiword
        ranges and empty nodes are not supported.

        Raises `ColumnError` if the columns do not fit together, and `FormatError` for errors that a file could
        have too, such as a cycle.

        >>> corpus = Corpus.from_columns(
        ...     forms=[["She", "left"], ["Go", "home"]],
        ...     heads=[[2, 0], [0, 1]],
        ...     deprels=[["nsubj", "root"], ["root", "obl"]],
        ... )
        >>> corpus[0].forms, corpus[0].heads, corpus[1].deprels, corpus[1].upos
        (['She', 'left'], [2, 0], ['root', 'obl'], ['_', '_'])
        >>> Corpus.from_columns(forms=corpus.column("form"), heads=corpus.heads, lengths=corpus.lengths).words
        4
        """
        named = {"lemma": lemmas, "upos": upos, "xpos": xpos, "feats": feats, "head": heads, "deprel": deprels}
        named |= {"deps": deps, "misc": misc} | others
        columns = {"form": forms} | {column: values for column, values in named.items() if values is not None}
        dialect = dialect_of(None, format)
        return indexed(text_of_columns(dialect, columns, lengths, sent_ids, comments), dialect, name, "fail")

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sentence] | Iterable[Iterable[Sentence]]) -> Corpus:
        """Builds a corpus of sentences in one format, each with the bytes that it has; copies, which can be edited.

        Corpora and lists among them, as `Parser.parse` returns for several texts or with `best`, stand for their
        sentences.

        >>> from multiplane import sample
        >>> Corpus.from_sentences(sorted(sample(), key=len)[:3])
        <Corpus <sentences>: 3 sentences, 17 words>
        >>> Corpus.from_sentences([sample(), sample()]) == sample() + sample()
        True
        """
        return collected(sentences, "<sentences>")

    def __len__(self) -> int:
        return len(self._content[1])

    @overload
    def __getitem__(self, item: int) -> Sentence: ...
    @overload
    def __getitem__(self, item: slice) -> Corpus: ...
    def __getitem__(self, item: int | slice) -> Sentence | Corpus:
        if isinstance(item, slice):
            return self._part(item)
        if not -len(self) <= item < len(self):
            raise IndexError(f"sentence {item} of a corpus of {len(self)}")
        return Sentence(self, item % len(self))

    def __iter__(self) -> Iterator[Sentence]:
        return (Sentence(self, i) for i in range(len(self)))

    def __add__(self, other: Corpus) -> Corpus:
        """Returns a corpus of the sentences of both, with the name of the first."""
        if not isinstance(other, Corpus):
            return NotImplemented
        return collected((self, other), self.name)

    def __eq__(self, other: object) -> bool:
        """Whether another corpus has the same format and the same bytes, whatever the names of their files."""
        if not isinstance(other, Corpus):
            return NotImplemented
        return self is other or (self.dialect == other.dialect and self.to_bytes() == other.to_bytes())

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the text and its position in the file; unpickling rebuilds the index."""
        on_error: OnError = "skip" if self.problems else "fail"
        return indexed, (self._text, self.dialect, self.name, on_error, self._lines_before, self._sentences_before)

    def __repr__(self) -> str:
        return f"<Corpus {self.name}: {counted(len(self), 'sentence')}, {counted(self.words, 'word')}>"

    # Edits of sentences are kept as drafts, so that each costs little; whoever needs the text gets it with all of them.

    def _draft_of(self, number: int) -> Draft | None:
        """Returns the edits of a sentence that are not part of the text yet."""
        return self._drafts.get(number)

    def _new_draft(self, number: int) -> Draft:
        """Returns what keeps the edits of a sentence from now on."""
        return self._drafts.setdefault(number, Draft())

    def _identity(self, number: int) -> tuple[int, int]:
        """Returns what all views of a sentence have in common."""
        return id(self), number

    def _part(self, item: slice) -> Corpus:
        from multiplane.formats.part import Part  # noqa: PLC0415 - which is a corpus

        return Part(self, range(len(self))[item])

    @property
    def _text(self) -> bytes:
        self._settle()
        return self._content[0]

    @property
    def _index(self) -> _native.Index:
        self._settle()
        return self._content[1]

    def _settle(self) -> None:
        if self._drafts:
            new = settled(self)
            self._content, self.problems, self._drafts = new._content, new.problems, {}
            self._was_edited()

    def _was_edited(self) -> None:
        """Marks what was read before as out of date; sentences and layers notice the new edition."""
        self._edition += 1

    @property
    def words(self) -> int:
        """The number of words, not counting multiword ranges and empty nodes."""
        return len(self._content[1].heads)

    @property
    def heads(self) -> NDArray[np.int32]:
        """The heads of all words, concatenated over sentences: 0 for roots, `UNKNOWN_HEAD` for words without a head."""
        return self._index.heads

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words in each sentence."""
        first = self._content[1].first_word.astype(np.int64)
        return first[1:] - first[:-1]

    @property
    def sentence_of(self) -> NDArray[np.int64]:
        """The index of each word's sentence, starting at 0."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @property
    def lines_read(self) -> int:
        """The number of lines in the file up to the end of this corpus."""
        return self._index.lines

    @property
    def sentences_read(self) -> int:
        """The number of sentences in the file up to the end of this corpus, including broken ones."""
        return self._content[1].sentences

    @property
    def _sentences_before(self) -> int:
        return self.sentences_read - len(self) - len(set(self.problem_numbers))

    @property
    def problem_numbers(self) -> list[int]:
        """The number of each problem's sentence in the file, starting at 1."""
        return [number for _, number, _, _ in self._content[1].problems]

    def column(self, name: str) -> list[str]:
        """Returns the fields of one column for all words; raises `AttributeError` if there is no such column."""
        self._settle()
        return self._fields(name, 0, len(self))

    def _fields(self, name: str, begin: int, end: int) -> list[str]:
        """Returns fields as they are stored, without pending edits."""
        columns = self.dialect.columns
        if name not in columns:
            raise LayerError(f"{self.name}: {self.dialect.title} has no column '{name}'; it has {', '.join(columns)}")
        text, index = self._content
        return index.fields(text, begin, end, columns.index(name))

    @property
    def predicates(self) -> Predicates:
        """The predicates of all sentences and their senses.

        This and the other layers raise `LayerError` if the format does not have them, and `FormatError` for errors in
        their columns, which are parsed on first access.
        """
        return self.semantic_layer.checked().predicates

    @property
    def semantic_arcs(self) -> LayerArcs:
        """The arcs from predicates to their arguments, sorted by argument and then by predicate.

        Tops, which SDP marks, have arcs from 0 labelled `TOP`.
        """
        return self.semantic_layer.checked().arcs

    @property
    def enhanced_arcs(self) -> LayerArcs:
        """The enhanced dependencies between words, sorted by dependent and then as in the file.

        A path through empty nodes is one arc, labelled with the path, such as `conj>nsubj`.
        """
        return self.enhanced_layer.checked().collapsed

    @property
    def semantic_layer(self) -> Semantics:
        """Predicates, arguments and the mistakes in their columns."""
        return self._layer("semantics", semantics_of)

    @property
    def enhanced_layer(self) -> Enhanced:
        """Enhanced dependencies with and without empty nodes, and the mistakes in DEPS."""
        return self._layer("enhanced", enhanced_of)

    def _layer(self, name: str, read: Callable[[Corpus], _L]) -> _L:
        """Returns a layer, which is read once, and again after edits."""
        self._settle()  # which may be a new edition
        edition, layer = self._layers.get(name, (-1, None))
        if edition != self._edition:
            layer = read(self)
            self._layers[name] = self._edition, layer
        return cast("_L", layer)

    # Parts of the corpus.

    def filter(self, predicate: Callable[[Sentence], object]) -> Corpus:
        """Returns a corpus of the sentences for which a function is true.

        >>> from multiplane import sample
        >>> sample().filter(lambda sentence: not sentence.is_planar)
        <Corpus ...sample.conllu: 31 sentences, 320 words>
        """
        return gathered((sentence for sentence in self if predicate(sentence)), self)

    def map(self, function: Callable[[Sentence], Sentence]) -> Corpus:
        """Applies a function to each sentence; returns a corpus of the results.

        The function gets a copy, which it may edit and return: this corpus does not change.

        >>> from multiplane import sample
        >>> def lowered(sentence):
        ...     sentence.update(forms=[form.lower() for form in sentence.forms])
        ...     return sentence
        >>> sample().map(lowered)[0].forms[0], sample()[0].forms[0]
        ('bridge', 'Bridge')
        """
        return mapped(self, function)

    # For other programs.

    def to_dicts(self) -> list[dict[str, Any]]:
        """Returns a dictionary for each sentence; see `Sentence.to_dict`."""
        return [dict_of(sentence) for sentence in self]

    @classmethod
    def from_dicts(cls, sentences: Iterable[Mapping[str, Any]], name: str = "<dicts>") -> Corpus:
        """Builds a corpus from dictionaries; see `Sentence.from_dict`.

        >>> from multiplane import sample
        >>> Corpus.from_dicts(sample().to_dicts()).to_bytes() == sample().to_bytes()
        True
        """
        return corpus_of_dicts(sentences, name)

    def to_json(self, *, indent: int | None = None) -> str:
        """Returns `to_dicts` as JSON."""
        return json.dumps(self.to_dicts(), ensure_ascii=False, indent=indent)

    @classmethod
    def from_json(cls, text: str | bytes, name: str = "<json>") -> Corpus:
        """Builds a corpus from the JSON of `to_json`."""
        try:
            sentences = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ColumnError(f"{name}: not valid JSON: {error}") from None
        if not isinstance(sentences, list):
            raise ColumnError(f"{name}: expected a list of sentences, not {type(sentences).__name__}")
        return corpus_of_dicts(sentences, name)

    def to_pandas(self) -> pd.DataFrame:
        """Returns a pandas data frame with one row per word; needs `pip install 'multiplane[tables]'`.

        Its columns are `sentence`, the index from 0, `sent_id`, `id`, and the columns of the format. Empty fields are
        missing values; multiword ranges and empty nodes have no rows.
        """
        return to_pandas(self)

    def to_polars(self) -> pl.DataFrame:
        """Returns a polars data frame with the same columns as `to_pandas`."""
        return to_polars(self)

    def to_displacy(self) -> list[dict[str, Any]]:
        """Returns a dictionary for each sentence; see `Sentence.to_displacy`."""
        return [sentence.to_displacy() for sentence in self]

    def to_bytes(self) -> bytes:
        """Returns the text of the corpus: byte for byte as it was read, apart from edits.

        Broken sentences that were skipped are missing.
        """
        return self.without_broken(self._text)

    def without_broken(self, text: bytes) -> bytes:
        """Removes the lines of skipped sentences from a text with the same lines as this corpus."""
        if not self.problems:
            return text
        broken = {problem.line for problem in self.problems}
        return _without(text, broken, self._lines_before + 1)


def without_broken_semantics(corpus: Corpus) -> Corpus:
    """Returns the corpus without the sentences whose predicates and arguments have mistakes.

    >>> from multiplane import sample
    >>> corpus = sample("conll09")
    >>> without_broken_semantics(corpus) is corpus
    True
    """
    mistakes = corpus.semantic_layer.problems.errors
    if not mistakes:
        return corpus
    broken = {error.line for error in (*corpus.problems, *mistakes)}
    text = _without(corpus._text, broken, corpus._lines_before + 1)
    return indexed(text, corpus.dialect, corpus.name, "fail", corpus._lines_before, corpus._sentences_before)


def _without(text: bytes, broken: set[int], first: int) -> bytes:
    """Removes the sentences that contain one of these lines; `first` is the number of the first line."""
    mark = _BOM if first == 1 and text.startswith(_BOM) else b""
    kept = [mark]
    sentence: list[bytes] = []
    is_broken = False
    for number, line in enumerate(io.BytesIO(text[len(mark) :]), first):
        sentence.append(line)
        is_broken |= number in broken
        if line in (b"\n", b"\r\n"):
            kept += [] if is_broken else sentence
            sentence, is_broken = [], False
    kept += [] if is_broken else sentence
    return b"".join(kept)


def indexed(
    text: bytes, dialect: Dialect, name: str, on_error: OnError, lines_before: int = 0, sentences_before: int = 0
) -> Corpus:
    r"""Indexes a text; `lines_before` and `sentences_before` say where it starts in its file.

    >>> from multiplane.formats.dialects import DIALECTS
    >>> indexed(b"1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n", DIALECTS["conllu"], "a.conllu", "fail", lines_before=7)[0].where
    'a.conllu:8: sentence 1'
    """
    validate(on_error)
    index = _native.read(
        text,
        columns=len(dialect.columns),
        more_columns=dialect.arguments is not None,
        head=dialect.columns.index("head") if "head" in dialect.columns else -1,
        ranges=dialect.ranges,
        bare_ids=dialect.bare_ids,
        lines_before=lines_before,
        sentences_before=sentences_before,
    )
    problems = [
        FormatError(what, file=name, line=line, sent_id=sent_id or f"sentence {ordinal}")
        for line, ordinal, sent_id, what in index.problems
    ]
    if problems and on_error == "fail":
        raise problems[0]
    return Corpus(text, index, dialect, name, problems, lines_before)


def validate(on_error: str) -> None:
    """Raises `ValueError` unless `on_error` is an `OnError`."""
    if on_error not in get_args(OnError):
        raise ValueError(f"on_error must be 'fail' or 'skip', not {on_error!r}")
