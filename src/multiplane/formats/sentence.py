"""Sentences as lightweight views of a corpus."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast, overload

from multiplane.display import ShownAsPicture
from multiplane.errors import ColumnError
from multiplane.formats import editing
from multiplane.formats.attributes import Attributes
from multiplane.formats.dialects import Dialect
from multiplane.formats.token import Token
from multiplane.formats.verdicts import Verdicts

if TYPE_CHECKING:
    from multiplane.formats.corpus import Corpus
    from multiplane.graphs import DependencyGraph, EnhancedGraph

_T = TypeVar("_T")

UNKNOWN_HEAD = -1
"""The head of a word whose HEAD column is `_`."""


class Line(NamedTuple):
    """A line of a sentence that is not a word: a multiword range or an empty node."""

    id: str
    fields: tuple[str, ...]

    @property
    def form(self) -> str:
        """The form."""
        return self.fields[0]

    @property
    def misc(self) -> Attributes:
        """MISC as a mapping, and with `str` as written; only the MISC of words can be edited."""
        return Attributes(lambda: self.fields[-1], self._refuse)

    def _refuse(self, field: str) -> None:
        advice = "change what sentence.to_dict() returns, and make a sentence of it with Sentence.from_dict"
        raise ColumnError(f"{self.id} {self.form}: MISC of a line that is not a word cannot be edited; {advice}")


class Sentence(ShownAsPicture, Verdicts, Sequence[Token]):
    r"""A sentence of a corpus: a sequence of its words, as `Token`, and the columns of all words at once.

    It is a view that stores only its position in the corpus. Words are indexed from 0, without multiword ranges and
    empty nodes; heads are numbered from 1, as in the file, and 0 is the root.

    >>> from multiplane import sample
    >>> sentence = sample()[0]
    >>> sentence
    <Sentence en-001: Bridge closes that linked two villages>
    >>> sentence.forms[:2], sentence.heads, sentence.deprels[:2]
    (['Bridge', 'closes'], [2, 0, 4, 1, 6, 4], ['nsubj', 'root'])
    >>> [token.form for token in sentence if token.upos == "NOUN"]
    ['Bridge', 'villages']
    >>> sentence[0].head, sentence[-2:]
    (<Token 2 closes: root>, [<Token 5 two: nummod of 6 villages>, <Token 6 villages: obj of 4 linked>])

    `is_projective`, `planarity` and others are properties of the tree; `graph` has all measures and certificates.
    `to_bytes` and `str` return the lines of the file, `to_dict` a dictionary.

    Edit words (see `Token`), whole columns with `update`, and comments with `set_comment`. Edits belong to the
    corpus and are written with it.
    """

    __slots__ = ("_edition", "_known", "corpus", "number")

    def __init__(self, corpus: Corpus, number: int) -> None:
        self.corpus = corpus
        self.number = number
        """The index in the corpus, starting at 0."""
        self._known: dict[str, Any] = {}
        self._edition = corpus._edition

    def __len__(self) -> int:
        first = self.corpus._content[1].first_word
        return int(first[self.number + 1] - first[self.number])

    @overload
    def __getitem__(self, item: int) -> Token: ...
    @overload
    def __getitem__(self, item: slice) -> list[Token]: ...
    def __getitem__(self, item: int | slice) -> Token | list[Token]:
        n = len(self)
        if isinstance(item, slice):
            return [Token(self, place) for place in range(*item.indices(n))]
        try:
            place = operator.index(item)
        except TypeError:
            advice = "give an index from 0, or a slice; sentence.column(name) returns a column"
            raise TypeError(f"{item!r} is not the index of a word; {advice}") from None
        if not -n <= place < n:
            raise IndexError(f"{self.where}: there is no word {place} in a sentence of {n}; words count from 0")
        return Token(self, place % n)

    def __iter__(self) -> Iterator[Token]:
        return (Token(self, place) for place in range(len(self)))

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
        return self._name or f"sentence {self.number_in_file}"

    @property
    def has_sent_id(self) -> bool:
        """Whether a comment names the sentence."""
        return bool(self._name)

    @property
    def _name(self) -> str:
        here = self._here
        text, index = here.corpus._content
        return index.sent_id(text, here.number)

    @property
    def number_in_file(self) -> int:
        """The sentence's number in its file, starting at 1 and counting broken sentences."""
        return int(self.corpus._content[1].ordinal[self.number])

    @property
    def line(self) -> int:
        """The line number of the sentence's first line."""
        return int(self.corpus._content[1].line[self.number])

    def line_of(self, word: int) -> int:
        """Returns the line number of a word."""
        here = self._here
        index = here.corpus._content[1]
        offset = int(index.word[int(index.first_word[here.number]) + word - 1])
        return self.line + here._bytes.count(b"\n", 0, offset)

    @property
    def where(self) -> str:
        """File, line and `sent_id`, as used in messages."""
        return f"{self.corpus.name}:{self.line}: {self.sent_id}"

    def column(self, name: str) -> list[str]:
        """Returns the fields of a column for all words; raises `AttributeError` if there is no such column."""
        draft = self.corpus._draft_of(self.number)
        new = None if draft is None else draft.column(name)
        return self.corpus._fields(name, self.number, self.number + 1) if new is None else list(new)

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
        draft = self.corpus._draft_of(self.number)
        if draft is not None and draft.heads is not None:
            return list(draft.heads)
        index = self.corpus._content[1]
        first, last = index.first_word[self.number : self.number + 2]
        return cast("list[int]", index.heads[first:last].tolist())

    @property
    def root(self) -> Token | None:
        """The word whose head is the artificial root, the first one if there are several; None if there is none.

        >>> from multiplane import sample
        >>> sample()[0].root
        <Token 2 closes: root>
        """
        return next((token for token in self if token.is_root), None)

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
        """The parser's confidence in each word's head and label: `Score` in MISC, or None."""
        from multiplane.formats.scores import KEY, probability  # noqa: PLC0415 - which reads sentences

        return [probability(self, word, field, KEY) for word, field in enumerate(self.misc, 1)]

    @property
    def score(self) -> float | None:
        """The parser's confidence in the whole tree: the comment `score`, or None."""
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
        here = self._here
        layer = here.corpus.semantic_layer.checked(here)
        words, senses, names = layer.predicates[1:]
        some = slice(*layer.predicates.first[here.number : here.number + 2])
        return {word: names[sense] for word, sense in zip(words[some].tolist(), senses[some].tolist(), strict=True)}

    @property
    def semantics(self) -> DependencyGraph:
        """The semantic graph: an arc from each predicate to each of its arguments, and from 0 to tops."""
        from multiplane.graphs import DependencyGraph  # noqa: PLC0415 - formats come before graphs

        here = self._here
        arcs = here.corpus.semantic_layer.checked(here).arcs.of(here.number)
        return DependencyGraph(len(self), arcs, loops=True)

    @property
    def enhanced(self) -> EnhancedGraph:
        """The enhanced graph, whose nodes are the words and the empty nodes, in order."""
        from multiplane.graphs import EnhancedGraph  # noqa: PLC0415 - formats come before graphs

        here = self._here
        layer = here.corpus.enhanced_layer.checked(here)
        return EnhancedGraph(layer.ids_of(here.number), layer.arcs.of(here.number))

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
        return self._here._stored

    def to_bytes(self) -> bytes:
        """Returns the sentence as written in the file, with its edits and the blank line that ends it."""
        return _ended(self._bytes)

    def copy(self) -> Sentence:
        """Returns a copy in a corpus of its own; edits of one do not affect the other."""
        return _alone(self.to_bytes(), self.corpus.dialect, self.corpus.name, self.line, self.number_in_file)

    # For other programs.

    def to_dict(self) -> dict[str, Any]:
        """Returns the sentence as a dictionary of plain values, without loss; `from_dict` restores it.

        `tokens` has a dictionary per line, including multiword ranges (`"id": "3-4"`) and empty nodes (`"id": "5.1"`).
        Words have integers as `id` and `head`; empty fields are None.

        >>> from multiplane import sample
        >>> found = sample()[0].to_dict()
        >>> found["sent_id"], found["text"]
        ('en-001', 'Bridge closes that linked two villages')
        >>> token = found["tokens"][0]
        >>> token["id"], token["form"], token["feats"], token["head"], token["deprel"], token["misc"]
        (1, 'Bridge', 'Number=Sing', 2, 'nsubj', None)
        """
        from multiplane.formats.dictionaries import dict_of  # noqa: PLC0415 - only needed here

        return dict_of(self)

    @classmethod
    def from_dict(cls, sentence: Mapping[str, Any]) -> Sentence:
        """Builds a sentence from a dictionary, as `to_dict` returns it; only the forms of `tokens` are required.

        `sent_id` and `text` override `comments`. `feats` and `misc` may be mappings. Raises `ColumnError` or
        `FormatError` if the sentence would not be valid in a file.

        >>> words = [{"form": "She", "head": 2}, {"form": "left", "head": 0, "feats": {"Tense": "Past"}}]
        >>> sentence = Sentence.from_dict({"sent_id": "s1", "tokens": words})
        >>> sentence, sentence.heads, sentence[1].feats
        (<Sentence s1: She left>, [2, 0], 'Tense=Past')
        """
        from multiplane.formats.dictionaries import corpus_of_dicts  # noqa: PLC0415 - only needed here

        return corpus_of_dicts([sentence], "<dict>")[0]

    def to_json(self, *, indent: int | None = None) -> str:
        """Returns `to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def to_displacy(self) -> dict[str, Any]:
        """Returns the dictionary that spaCy's displaCy draws: `displacy.render(…, style="dep", manual=True)`.

        displaCy does not draw the arc from the artificial root, so it is left out.

        >>> from multiplane import sample
        >>> drawing = sample()[0].to_displacy()
        >>> drawing["words"][0], drawing["arcs"][0]
        ({'text': 'Bridge', 'tag': 'NOUN'}, {'start': 0, 'end': 1, 'label': 'nsubj', 'dir': 'left'})
        """
        from multiplane.formats.displacy import displacy_of  # noqa: PLC0415 - only needed here

        return displacy_of(self)

    # Edits.

    def update(self, **columns: Sequence[Any] | None) -> None:
        """Replaces whole columns, such as all heads at once; if a value is invalid, nothing changes.

        The names are those of `Corpus.from_columns`: `forms`, `lemmas`, `upos`, `xpos`, `feats`, `heads`, `deprels`,
        `deps`, `misc`, and further columns of the format.

        >>> from multiplane import sample
        >>> sentence = sample()[0]
        >>> sentence.update(heads=[0, 1, 4, 1, 6, 4], deprels=["root", "dep", "nsubj", "acl", "nummod", "obj"])
        >>> sentence[1]
        <Token 2 closes: dep of 1 Bridge>
        """
        editing.update(self, columns)

    def set_comment(self, name: str, value: str | None) -> None:
        """Sets a comment such as `# name = value`; removes it if the value is None.

        >>> from multiplane import sample
        >>> sentence = sample()[0]
        >>> sentence.set_comment("sent_id", "bridge")
        >>> sentence.sent_id, sentence.comment("sent_id")
        ('bridge', 'bridge')
        """
        editing.set_comment(self, name, value)

    # What tokens read: a column or a property of the sentence, remembered until the corpus is edited.

    def _once(self, key: str, function: Callable[[Sentence], _T]) -> _T:
        if self._edition != self.corpus._edition:
            self._known, self._edition = {}, self.corpus._edition
        if key not in self._known:
            self._known[key] = function(self)
        return cast("_T", self._known[key])

    def _column(self, name: str) -> list[str]:
        known = self._known.get(name)
        if known is None or self._edition != self.corpus._edition:
            return self._once(name, lambda sentence: sentence.column(name))
        return cast("list[str]", known)

    def _heads(self) -> list[int]:
        return self._once("heads", lambda sentence: sentence.heads)

    def _verdict(self, name: str) -> Any:
        from multiplane.formats.treebank import without_head  # noqa: PLC0415 - which reads corpora

        if UNKNOWN_HEAD in self._heads():
            raise without_head(self)
        graph = self._once("graph", lambda sentence: sentence.graph)
        return self._once(name, lambda sentence: getattr(graph, name)())

    @property
    def _here(self) -> Sentence:
        """The sentence whose bytes are those of this one: itself, or a small corpus of its own if it was edited."""
        draft = self.corpus._draft_of(self.number)
        return self if draft is None else draft.sentence(self)

    @property
    def _stored_bytes(self) -> bytes:
        """The sentence without edits, with the blank line that ends it."""
        return _ended(self._stored)

    @property
    def _stored(self) -> bytes:
        text, index = self.corpus._content
        return text[int(index.start[self.number]) : int(index.end[self.number])]

    def _stored_alone(self) -> Corpus:
        """Returns a corpus of this sentence alone, without edits."""
        from multiplane.formats.corpus import indexed  # noqa: PLC0415 - a corpus consists of sentences

        own = self._stored
        return indexed(own, self.corpus.dialect, self.corpus.name, "fail", self.line - 1, self.number_in_file - 1)


def _ended(text: bytes) -> bytes:
    """Returns the lines of a sentence with a blank line at their end."""
    end = b"\r\n" if b"\r\n" in text or text.endswith(b"\r") else b"\n"
    if not text.endswith(b"\n"):  # the last line of a file
        text = text.removesuffix(b"\r") + end
    return text + end


def _alone(text: bytes, dialect: Dialect, name: str, line: int, number_in_file: int) -> Sentence:
    from multiplane.formats.corpus import indexed  # noqa: PLC0415 - a corpus consists of sentences

    return indexed(text, dialect, name, "fail", line - 1, number_in_file - 1)[0]
