"""The words of a sentence, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from multiplane.errors import GraphError
from multiplane.formats import editing
from multiplane.formats.attributes import Attributes, field_of
from multiplane.formats.misc import misc_value
from multiplane.formats.surface import range_of_words, spaces_after, spans_in_document, surface_of

if TYPE_CHECKING:
    from multiplane.formats.sentence import Line, Sentence


class Token:
    """A word of a sentence: an editable view, which reads columns on demand.

    `id` starts at 1, as in the file; sentences are indexed from 0, so `sentence[0].id` is 1.

    >>> from multiplane import sample
    >>> sentence = sample()[0]
    >>> bridge, closes, *_, villages = sentence
    >>> bridge
    <Token 1 Bridge: nsubj of 2 closes>
    >>> closes.id, closes.lemma, closes.upos, closes.is_root, closes.start, closes.end
    (2, 'close', 'VERB', True, 7, 13)
    >>> [token.form for token in closes.children]
    ['Bridge']
    >>> [token.form for token in villages.path(closes)]
    ['villages', 'linked', 'Bridge', 'closes']

    Edits are checked immediately and written with the sentence; all other bytes of the file are unchanged.

    >>> villages.deprel = "obl"
    >>> villages.head = closes
    >>> villages.feats_dict["Number"] = "Plur"
    >>> sentence.heads, sentence.deprels[-1], villages.feats
    ([2, 0, 4, 1, 6, 2], 'obl', 'Number=Plur')
    >>> closes.head = 6
    Traceback (most recent call last):
    ...
    multiplane.errors.GraphError: ...: en-001: the heads would form a cycle: 2 → 6 → 2; change another head of it ...

    `multiplane.text.Token` is a different class: a token found by a tokenizer.
    """

    __slots__ = ("_place", "sentence")

    def __init__(self, sentence: Sentence, place: int) -> None:
        self.sentence = sentence
        """The sentence that the word is in."""
        self._place = place

    @property
    def id(self) -> int:
        """The number of the word, from 1."""
        return self._place + 1

    def __getitem__(self, column: str) -> str:
        """Returns a field by column name, including columns that only some formats have."""
        return self.sentence._column(column)[self._place]

    def __setitem__(self, column: str, value: str | None) -> None:
        """Sets a field by column name; None is written as `_`."""
        if column == "head":
            self.head = _number(self, value)
        else:
            editing.set_field(self.sentence, column, self.id, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Token):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[int, int, int]:
        return *self.sentence.corpus._identity(self.sentence.number), self._place

    def _is_beside(self, other: Token) -> bool:
        """Whether another word is in the same sentence, not just in an equal one."""
        return self._key()[:2] == other._key()[:2]

    def __str__(self) -> str:
        return self.form

    def __repr__(self) -> str:
        shown = f"<Token {self.id} {self.form}"
        if "head" not in self.sentence.corpus.dialect.columns or self.head_id < 0:
            return f"{shown}>"
        head = self.head
        return f"{shown}: {self.deprel}>" if head is None else f"{shown}: {self.deprel} of {head.id} {head.form}>"

    # Fields.

    @property
    def form(self) -> str:
        """The word form."""
        return self["form"]

    @form.setter
    def form(self, value: str) -> None:
        self["form"] = value

    @property
    def lemma(self) -> str:
        """The lemma; `_` for none."""
        return self["lemma"]

    @lemma.setter
    def lemma(self, value: str | None) -> None:
        self["lemma"] = value

    @property
    def upos(self) -> str:
        """The coarse POS tag; `_` for none."""
        return self["upos"]

    @upos.setter
    def upos(self, value: str | None) -> None:
        self["upos"] = value

    @property
    def xpos(self) -> str:
        """The fine POS tag; `_` for none."""
        return self["xpos"]

    @xpos.setter
    def xpos(self, value: str | None) -> None:
        self["xpos"] = value

    @property
    def feats(self) -> str:
        """The morphological features as written, such as `Case=Nom|Number=Sing`; set from text or a mapping."""
        return self["feats"]

    @feats.setter
    def feats(self, value: str | Mapping[str, str] | None) -> None:
        self["feats"] = field_of(value, is_sorted=True)

    @property
    def feats_dict(self) -> Attributes:
        """The morphological features as a mapping; changes are written to the sentence, in the order of UD."""
        return self._attributes("feats", is_sorted=True)

    @property
    def deprel(self) -> str:
        """The label of the word's arc; `_` for none."""
        return self["deprel"]

    @deprel.setter
    def deprel(self, value: str | None) -> None:
        self["deprel"] = value

    @property
    def deps(self) -> str:
        """The enhanced dependencies as written, such as `2:nsubj|4:conj`; `Sentence.enhanced` is their graph."""
        return self["deps"]

    @deps.setter
    def deps(self, value: str | None) -> None:
        self["deps"] = value

    @property
    def misc(self) -> Attributes:
        """MISC as a mapping (`str` returns it as written); changes are written to the sentence."""
        return self._attributes("misc")

    @misc.setter
    def misc(self, value: str | Mapping[str, str] | None) -> None:
        self["misc"] = str(value) if isinstance(value, Attributes) else field_of(value, is_sorted=False)

    def _attributes(self, column: str, *, is_sorted: bool = False) -> Attributes:
        read, write = partial(self.__getitem__, column), partial(self.__setitem__, column)
        read()  # raises the error for a format without this column
        return Attributes(read, write, is_sorted=is_sorted)

    @property
    def score(self) -> float | None:
        """The parser's confidence in head and label, from 0 to 1, or None; see `Parser.parse(scores=True)`."""
        from multiplane.formats.scores import KEY, probability  # noqa: PLC0415 - which reads sentences

        field = self["misc"]
        return None if misc_value(field, KEY) is None else probability(self.sentence, self.id, field, KEY)

    # The tree.

    @property
    def head(self) -> Token | None:
        """The head; None for a root or a word without a head: `head_id` distinguishes them.

        Set it to a token of the sentence, to a number from 1, to 0 for the root, or to -1 for no head.
        """
        head = self.head_id
        return Token(self.sentence, head - 1) if head > 0 else None

    @head.setter
    def head(self, head: Token | int) -> None:
        if isinstance(head, Token):
            if not self._is_beside(head):
                raise GraphError(f"{self.sentence.where}: word {self.id}: head {head!r} is in another sentence")
            head = head.id
        editing.set_head(self.sentence, self.id, head)

    @property
    def head_id(self) -> int:
        """The number of the head: 0 for a root, -1 (`UNKNOWN_HEAD`) for a word without a head."""
        return self.sentence._heads()[self._place]

    @property
    def is_root(self) -> bool:
        """Whether the head is the artificial root."""
        return self.head_id == 0

    @property
    def children(self) -> list[Token]:
        """The dependents of the word, from left to right."""
        return self._tokens(self._children[self.id])

    @property
    def left_children(self) -> list[Token]:
        """The children before the word."""
        return self._tokens([child for child in self._children[self.id] if child < self.id])

    @property
    def right_children(self) -> list[Token]:
        """The children after the word."""
        return self._tokens([child for child in self._children[self.id] if child > self.id])

    @property
    def ancestors(self) -> list[Token]:
        """The head, the head's head, and so on up to a root."""
        found = []
        head = self.head
        while head is not None:
            found.append(head)
            head = head.head
        return found

    @property
    def subtree(self) -> list[Token]:
        """The word and all its descendants, from left to right.

        In a non-projective tree, they need not be contiguous.
        """
        children, found = self._children, [self.id]
        for word in found:  # which grows
            found += children[word]
        return self._tokens(sorted(found))

    def path(self, other: Token) -> list[Token]:
        """Returns the words on the path to another word in the tree, including both ends; empty if there is no path.

        >>> from multiplane import sample
        >>> sentence = sample()[0]
        >>> [token.form for token in sentence[5].path(sentence[2])]
        ['villages', 'linked', 'that']
        """
        if not self._is_beside(other):
            raise GraphError(f"{self.sentence.where}: {other!r} is in another sentence")
        up, down = [self, *self.ancestors], [other, *other.ancestors]
        places = {token.id: place for place, token in enumerate(up)}
        for place, token in enumerate(down):
            if token.id in places:
                return up[: places[token.id] + 1] + down[:place][::-1]
        return []

    @property
    def _children(self) -> list[list[int]]:
        return self.sentence._once("children", _children_of)

    def _tokens(self, words: list[int]) -> list[Token]:
        return [Token(self.sentence, word - 1) for word in words]

    # The text.

    @property
    def start(self) -> int:
        """The start of the word in `sentence.text`, in characters.

        Without a `text` comment, the text is rebuilt from forms and `SpaceAfter=No`. The words of a multiword token
        have their own positions if they spell it, as *do* and *n't* in *don't*; otherwise each has that of the token.
        """
        return self.sentence._once("surface", surface_of).spans[self._place][0]

    @property
    def end(self) -> int:
        """The end of the word in `sentence.text`, after its last character; see `start`."""
        return self.sentence._once("surface", surface_of).spans[self._place][1]

    @property
    def start_char(self) -> int | None:
        """Where the word starts in the whole text, in characters, with `Parser.parse(ranges=True)`; else None.

        It is read from `TokenRange` in MISC of the word or of its multiword token, whose words are as in `start`.

        >>> from multiplane import load
        >>> corpus = load("en").parse("She left. He didn't.", ranges=True)
        >>> [(token.form, token.start_char, token.end_char) for token in corpus[1]]
        [('He', 10, 12), ('did', 13, 16), ("n't", 16, 19), ('.', 19, 20)]
        """
        span = self.sentence._once("document", spans_in_document)[self._place]
        return None if span is None else span[0]

    @property
    def end_char(self) -> int | None:
        """Where the word ends in the whole text: behind its last character; see `start_char`."""
        span = self.sentence._once("document", spans_in_document)[self._place]
        return None if span is None else span[1]

    @property
    def space_after(self) -> bool:
        """Whether a space follows in the text; never within a multiword token. Edit `misc["SpaceAfter"]`."""
        return self.sentence._once("spaces", spaces_after)[self._place]

    @property
    def range(self) -> Line | None:
        """The multiword token that contains the word, or None.

        It has an `id` and a `form`, such as `3-4` and `don't`, and `misc`.
        """
        return self.sentence._once("ranges", range_of_words).get(self.id)


def _children_of(sentence: Sentence) -> list[list[int]]:
    """Returns the dependents of each word by its number."""
    children: list[list[int]] = [[] for _ in range(len(sentence) + 1)]
    for word, head in enumerate(sentence.heads, 1):
        if head > 0:
            children[head].append(word)
    return children


def _number(token: Token, value: str | None) -> int:
    """Returns a head that is given as a field."""
    if value is None or value == "_":
        return -1
    try:
        return int(value)
    except ValueError:
        raise GraphError(f"{token.sentence.where}: word {token.id}: head is {value!r}; give a number or _") from None
