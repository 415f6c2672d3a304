"""Sentences as lightweight views of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from multiplane.formats.dialects import Dialect

if TYPE_CHECKING:
    from multiplane.formats.corpus import Corpus
    from multiplane.graphs import DependencyGraph, EnhancedGraph

UNKNOWN_HEAD = -1
"""The head of a word whose HEAD column is `_`."""


class Line(NamedTuple):
    """A line of a sentence that is not a word: a multiword range or an empty node."""

    id: str
    fields: tuple[str, ...]


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
    def has_sent_id(self) -> bool:
        """Whether a comment names the sentence."""
        return bool(self.corpus._index.sent_id(self.corpus._text, self.number))

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
    def scores(self) -> list[float | None]:
        """How sure a parser was of each word's head and label: `Score` in MISC, or None."""
        from multiplane.formats.scores import KEY, probability  # noqa: PLC0415 - which reads sentences

        return [probability(self, word, field, KEY) for word, field in enumerate(self.misc, 1)]

    @property
    def score(self) -> float | None:
        """How sure a parser was of the whole tree: the comment `score`, or None."""
        value = self.comment("score")
        try:
            return None if value is None else float(value)
        except ValueError:
            return None

    @property
    def graph(self) -> DependencyGraph:
        """The dependency graph: one labelled arc per head, including arcs from the root 0."""
        from multiplane.graphs import DependencyGraph  # noqa: PLC0415 - formats come before graphs

        if "head" not in self.corpus.dialect.columns:
            return DependencyGraph(len(self))
        arcs = zip(self.heads, range(1, len(self) + 1), self.deprels, strict=True)
        return DependencyGraph(len(self), [arc for arc in arcs if arc[0] != UNKNOWN_HEAD])

    @property
    def predicates(self) -> dict[int, str]:
        """The positions and senses of the predicates; `_` for a predicate without a sense."""
        layer = self.corpus.semantic_layer.checked(self)
        words, senses, names = layer.predicates[1:]
        here = slice(*layer.predicates.first[self.number : self.number + 2])
        return {word: names[sense] for word, sense in zip(words[here].tolist(), senses[here].tolist(), strict=True)}

    @property
    def semantics(self) -> DependencyGraph:
        """The semantic graph: an arc from each predicate to each of its arguments, and from 0 to tops."""
        from multiplane.graphs import DependencyGraph  # noqa: PLC0415 - formats come before graphs

        arcs = self.corpus.semantic_layer.checked(self).arcs.of(self.number)
        return DependencyGraph(len(self), arcs, loops=True)

    @property
    def enhanced(self) -> EnhancedGraph:
        """The enhanced graph, whose nodes are the words and the empty nodes, in order."""
        from multiplane.graphs import EnhancedGraph  # noqa: PLC0415 - formats come before graphs

        layer = self.corpus.enhanced_layer.checked(self)
        return EnhancedGraph(layer.ids_of(self.number), layer.arcs.of(self.number))

    @property
    def comments(self) -> list[str]:
        """The comment lines, including `#`."""
        return [line for line in self.lines if line.startswith("#")]

    @property
    def text(self) -> str | None:
        """The `text` comment."""
        return self.comment("text")

    def comment(self, name: str) -> str | None:
        """Returns the value of a comment such as `# name = value`, or None."""
        for comment in self.comments:
            key, equals, value = comment[1:].partition("=")
            if equals and key.strip() == name:
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
    from multiplane.formats.corpus import indexed  # noqa: PLC0415 - a corpus consists of sentences

    return indexed(text, dialect, name, "fail", line - 1, number_in_file - 1)[0]
