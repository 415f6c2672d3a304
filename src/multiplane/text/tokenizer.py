"""The tokenizer protocol: splits a paragraph into sentences of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol


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
