"""A treebank in memory: the bytes of its file, an index into them, and sentences as lightweight views."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args, overload

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import FormatError
from multiplane.formats.columns import Lengths, Values, text_of_columns
from multiplane.formats.dialects import Dialect, dialect_of
from multiplane.messages import counted

if TYPE_CHECKING:
    from multiplane.graphs import DependencyGraph

OnError = Literal["fail", "skip"]

UNKNOWN_HEAD = -1
"""The head of a word whose HEAD column is `_`."""

_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line of a sentence that is not a word: a multiword range or an empty node."""

    id: str
    fields: tuple[str, ...]


class Corpus(Sequence["Sentence"]):
    r"""A sequence of sentences; `heads` and `lengths` give all trees at once as flat arrays.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n2\thome\t_\t_\t_\t_\t1\tobl\t_\t_\n\n")
    >>> len(corpus), corpus.words, corpus.heads.tolist(), corpus.column("form")
    (1, 2, [0, 1], ['Go', 'home'])
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
        self._text = text
        self._index = index
        self._lines_before = lines_before

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

        With `lengths`, the number of words in each sentence, a column is a flat list or array of the values of all
        words, as returned by `heads` and `column`. Missing columns and None values are empty; `UNKNOWN_HEAD` means no
        head. `others` are further columns of the format, by name. Comments are whole lines, including `#`; multiword
        ranges and empty nodes are not supported.

        Raises `ColumnError` if the columns do not fit together, and `FormatError` for what would also be an error in
        a file, such as a cycle.

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

    def __len__(self) -> int:
        return len(self._index)

    @overload
    def __getitem__(self, item: int) -> Sentence: ...
    @overload
    def __getitem__(self, item: slice) -> list[Sentence]: ...
    def __getitem__(self, item: int | slice) -> Sentence | list[Sentence]:
        if isinstance(item, slice):
            return [Sentence(self, i) for i in range(*item.indices(len(self)))]
        if not -len(self) <= item < len(self):
            raise IndexError(f"sentence {item} of a corpus of {len(self)}")
        return Sentence(self, item % len(self))

    def __iter__(self) -> Iterator[Sentence]:
        return (Sentence(self, i) for i in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the text and its position in the file; unpickling rebuilds the index."""
        on_error: OnError = "skip" if self.problems else "fail"
        return indexed, (self._text, self.dialect, self.name, on_error, self._lines_before, self._sentences_before)

    def __repr__(self) -> str:
        return f"<Corpus {self.name}: {counted(len(self), 'sentence')}, {counted(self.words, 'word')}>"

    @property
    def words(self) -> int:
        """The number of words, not counting multiword ranges and empty nodes."""
        return len(self._index.heads)

    @property
    def heads(self) -> NDArray[np.int32]:
        """The heads of all words, concatenated over sentences: 0 for roots, `UNKNOWN_HEAD` for words without a head."""
        return self._index.heads

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words in each sentence."""
        first = self._index.first_word.astype(np.int64)
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
        return self._index.sentences

    @property
    def _sentences_before(self) -> int:
        return self.sentences_read - len(self) - len(set(self.problem_numbers))

    @property
    def problem_numbers(self) -> list[int]:
        """The number of each problem's sentence in the file, starting at 1."""
        return [number for _, number, _, _ in self._index.problems]

    def column(self, name: str) -> list[str]:
        """Returns the fields of one column for all words; raises `AttributeError` if there is no such column."""
        return self._fields(name, 0, len(self))

    def _fields(self, name: str, begin: int, end: int) -> list[str]:
        columns = self.dialect.columns
        if name not in columns:
            raise AttributeError(f"{self.dialect.title} has no column '{name}'; it has {', '.join(columns)}")
        return self._index.fields(self._text, begin, end, columns.index(name))

    def to_bytes(self) -> bytes:
        """Returns the text of the corpus, byte for byte as it was read.

        Skipped broken sentences are missing, each with the blank line that ends it.
        """
        return self.without_broken(self._text)

    def without_broken(self, text: bytes) -> bytes:
        """Removes the lines of skipped sentences from a text with the same lines as this corpus."""
        if not self.problems:
            return text
        broken = {problem.line for problem in self.problems}
        return _without(text, broken, self._lines_before + 1)


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


class Sentence:
    r"""A view of one sentence; it stores only its position in the corpus.

    >>> from multiplane.formats.reader import from_text
    >>> s = from_text("# sent_id = s1\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n")[0]
    >>> s.sent_id, s.forms, s.heads, s.deprels
    ('s1', ['Go'], [0], ['root'])
    """

    __slots__ = ("corpus", "number")

    def __init__(self, corpus: Corpus, number: int) -> None:
        self.corpus = corpus
        self.number = number
        """The index in the corpus, starting at 0."""

    def __len__(self) -> int:
        first = self.corpus._index.first_word
        return int(first[self.number + 1] - first[self.number])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the sentence and its position in the file, without the corpus, which may be large."""
        return _alone, (self.to_bytes(), self.corpus.dialect, self.corpus.name, self.line, self.number_in_file)

    def __repr__(self) -> str:
        return f"<Sentence {self.sent_id}: {' '.join(self.forms)}>"

    def __str__(self) -> str:
        return self.to_bytes().decode()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.corpus.dialect == other.corpus.dialect and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    @property
    def sent_id(self) -> str:
        """The `sent_id` comment, or `sentence N`, where N is the sentence's number in its file."""
        return self.corpus._index.sent_id(self.corpus._text, self.number) or f"sentence {self.number_in_file}"

    @property
    def number_in_file(self) -> int:
        """The sentence's number in its file, starting at 1 and counting broken sentences."""
        return int(self.corpus._index.ordinal[self.number])

    @property
    def line(self) -> int:
        """The line number of the sentence's first line."""
        return int(self.corpus._index.line[self.number])

    def line_of(self, word: int) -> int:
        """Returns the line number of a word."""
        index = self.corpus._index
        offset = int(index.word[int(index.first_word[self.number]) + word - 1])
        return self.line + self._bytes.count(b"\n", 0, offset)

    @property
    def where(self) -> str:
        """File, line and `sent_id`, as used in messages."""
        return f"{self.corpus.name}:{self.line}: {self.sent_id}"

    def column(self, name: str) -> list[str]:
        """Returns the fields of a column for all words; raises `AttributeError` if there is no such column."""
        return self.corpus._fields(name, self.number, self.number + 1)

    @property
    def forms(self) -> list[str]:
        """The word forms."""
        return self.column("form")

    @property
    def lemmas(self) -> list[str]:
        """The lemmas."""
        return self.column("lemma")

    @property
    def upos(self) -> list[str]:
        """The coarse POS tags: UPOS, CPOSTAG, GPOS or POS."""
        return self.column("upos")

    @property
    def xpos(self) -> list[str]:
        """The fine POS tags: XPOS, POSTAG or PPOS."""
        return self.column("xpos")

    @property
    def feats(self) -> list[str]:
        """The morphological features, as written in the file."""
        return self.column("feats")

    @property
    def heads(self) -> list[int]:
        """The heads: 0 for roots, `UNKNOWN_HEAD` for words without a head."""
        index = self.corpus._index
        first, last = index.first_word[self.number : self.number + 2]
        return cast("list[int]", index.heads[first:last].tolist())

    @property
    def deprels(self) -> list[str]:
        """The labels of the words' arcs."""
        return self.column("deprel")

    @property
    def deps(self) -> list[str]:
        """The enhanced dependencies, as written in the file."""
        return self.column("deps")

    @property
    def misc(self) -> list[str]:
        """The MISC column, as written in the file."""
        return self.column("misc")

    @property
    def graph(self) -> DependencyGraph:
        """The dependency graph: one labelled arc per head, including arcs from the root 0."""
        from multiplane.graphs import DependencyGraph  # noqa: PLC0415 - formats come before graphs

        arcs = zip(self.heads, range(1, len(self) + 1), self.deprels, strict=True)
        return DependencyGraph(len(self), [arc for arc in arcs if arc[0] != UNKNOWN_HEAD])

    @property
    def comments(self) -> list[str]:
        """The comment lines, including `#`."""
        return [line for line in self.lines if line.startswith("#")]

    @property
    def text(self) -> str | None:
        """The `text` comment."""
        for comment in self.comments:
            key, equals, value = comment[1:].partition("=")
            if equals and key.strip() == "text":
                return value.strip()
        return None

    @property
    def ranges(self) -> list[Line]:
        """The multiword ranges, such as `3-4`."""
        return self._other_lines("-")

    @property
    def empty_nodes(self) -> list[Line]:
        """The empty nodes, such as `5.1`."""
        return self._other_lines(".")

    @property
    def lines(self) -> list[str]:
        """All lines, including comments, without line ends."""
        lines = self._bytes.decode().split("\n")
        return [line.removesuffix("\r") for line in lines if line]

    @property
    def rows(self) -> list[list[str]]:
        """The fields of all lines except comments: words, multiword ranges and empty nodes."""
        return [line.split("\t") for line in self.lines if not line.startswith("#")]

    def _other_lines(self, mark: str) -> list[Line]:
        return [Line(row[0], tuple(row[1:])) for row in self.rows if mark in row[0]]

    @property
    def _bytes(self) -> bytes:
        index = self.corpus._index
        return self.corpus._text[int(index.start[self.number]) : int(index.end[self.number])]

    def to_bytes(self) -> bytes:
        """Returns the sentence as written in the file, with the blank line that ends it."""
        text = self._bytes
        end = b"\r\n" if b"\r\n" in text or text.endswith(b"\r") else b"\n"
        if not text.endswith(b"\n"):  # the last line of a file
            text = text.removesuffix(b"\r") + end
        return text + end


def _alone(text: bytes, dialect: Dialect, name: str, line: int, number_in_file: int) -> Sentence:
    return indexed(text, dialect, name, "fail", line - 1, number_in_file - 1)[0]


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
        more_columns=dialect.arguments,
        head=dialect.columns.index("head"),
        ranges=dialect.ranges,
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
