"""What a tokenizer is: whatever cuts a paragraph into sentences of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol


class Token(NamedTuple):
    """A token and its place in the text; `words` tells those of a token that holds several.

    >>> Token("can't", 0, 5, ("ca", "n't")).words
    ('ca', "n't")
    """

    form: str
    start: int
    end: int
    words: tuple[str, ...] = ()


class Tokenizer(Protocol):
    """What has this method is a tokenizer."""

    def sentences(self, text: str) -> Iterable[Sequence[Token]]:
        """The sentences of a paragraph, which has no whitespace but spaces; tokens in the order of the text."""
        ...
