"""The tokenizers, by name."""

from __future__ import annotations

import re
from collections.abc import Callable

from multiplane.errors import UnknownTokenizerError
from multiplane.text.english import English
from multiplane.text.tokenizer import Splitter, Token, Tokenizer


class Spaces:
    """The tokenizer `spaces`, for tokenized text: splits on whitespace; a paragraph is one sentence.

    >>> [token.form for token in Spaces().sentences("It 's  fine .")[0]]
    ['It', "'s", 'fine', '.']
    """

    def sentences(self, text: str) -> list[list[Token]]:
        """Returns the paragraph as one sentence."""
        return [[Token(found[0], *found.span()) for found in re.finditer(r"\S+", text)]]


TOKENIZERS: dict[str, Callable[[], Tokenizer]] = {"english": English, "spaces": Spaces}
"""Tokenizer factories by name; add your own here to make it available by name."""

DEFAULT = "english"


def tokenizer_of(tokenizer: Tokenizer | str | None = None) -> Tokenizer:
    """Returns the tokenizer with this name; None means the default one. Tokenizers are returned as is.

    >>> tokenizer_of("spaces").sentences("Go home .")
    [[Token(form='Go', start=0, end=2, words=()), ...
    >>> tokenizer_of("englsh")
    Traceback (most recent call last):
    ...
    multiplane.errors.UnknownTokenizerError: unknown tokenizer 'englsh'; known: english, spaces
    """
    if tokenizer is None:
        tokenizer = DEFAULT
    if not isinstance(tokenizer, str):
        return tokenizer
    if tokenizer not in TOKENIZERS:
        raise UnknownTokenizerError(f"unknown tokenizer '{tokenizer}'; known: {', '.join(TOKENIZERS)}")
    return TOKENIZERS[tokenizer]()


def splitter_of(name: str) -> Splitter:
    """Returns the tokenizer with this name, if it finds tokens without sentences.

    >>> splitter_of("spaces")
    Traceback (most recent call last):
    ...
    multiplane.errors.UnknownTokenizerError: the tokenizer 'spaces' does not find tokens without sentences; these do: \
english
    """
    known = [
        each for each, factory in TOKENIZERS.items() if isinstance(factory, type) and issubclass(factory, Splitter)
    ]
    tokenizer = tokenizer_of(name)
    if not isinstance(tokenizer, Splitter):
        raise UnknownTokenizerError(
            f"the tokenizer '{name}' does not find tokens without sentences; these do: {', '.join(known)}"
        )
    return tokenizer
