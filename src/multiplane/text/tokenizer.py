"""The tokenizer protocol: splits a paragraph into sentences of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable


class Token(NamedTuple):
    """A token and its position in the text; `words` lists the words of a multiword token.

    >>> Token("can't", 0, 5, ("ca", "n't")).words
    ('ca', "n't")
    """

    form: str
    start: int
    end: int
    words: tuple[str, ...] = ()


class Tokenizer(Protocol):
    """Protocol of a tokenizer."""

    def sentences(self, text: str) -> Iterable[Sequence[Token]]:
        """Returns the sentences of a paragraph, whose only whitespace is spaces; tokens are in text order."""
        ...


@runtime_checkable
class Renderer(Tokenizer, Protocol):
    """Protocol of a tokenizer that writes CoNLL-U itself, which is faster."""

    def conllu(
        self, text: str, *, lines: bool = False, ranges: bool = False, sentences: int = 0, characters: int = 0
    ) -> tuple[bytes, int]:
        """Returns the sentences of a whole text as CoNLL-U, and how many they are.

        The options are those of `multiplane.text.conllu.rendered`.
        """
        ...
