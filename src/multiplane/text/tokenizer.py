"""The tokenizer protocol: splits a paragraph into sentences of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
        """Returns the sentences of a paragraph, in which all whitespace is spaces; tokens are in text order."""
        ...


@runtime_checkable
class Renderer(Tokenizer, Protocol):
    """Protocol of a tokenizer that writes CoNLL-U itself, which is faster."""

    def conllu(
        self, text: str, *, lines: bool = False, ranges: bool = False, sentences: int = 0, characters: int = 0
    ) -> tuple[bytes, int]:
        """Returns the sentences of a whole text as CoNLL-U, and their number.

        The options are those of `multiplane.text.conllu.rendered`.
        """
        ...


@runtime_checkable
class Splitter(Tokenizer, Protocol):
    """Protocol of a tokenizer that can find tokens only, so that another one finds the sentences."""

    def tokens(self, text: str) -> Iterable[Token]:
        """Returns the tokens of a paragraph."""
        ...

    def ends(self, text: str) -> Mapping[int, bool]:
        """Returns where in a paragraph a sentence always (True) or never (False) ends, whatever else finds sentences.

        Keys are the ends of tokens. Where it says nothing, the other tokenizer decides.
        """
        ...

    def closed(self, sentence: list[Token]) -> list[Token]:
        """Adjusts the last token of a sentence: splits off the final period of an abbreviation."""
        ...


def resegmented(text: str, splitter: Splitter, sentences: Sequence[Sequence[Token]]) -> Iterator[list[Token]]:
    """Yields the tokens of a splitter, grouped into sentences that end where the given ones do, unless it knows better.

    If a token is the same in both, it keeps the given words of a multiword token, unless the splitter finds more.

    >>> from multiplane.text.english import English
    >>> given = [[Token("Go", 0, 2)], [Token("U", 3, 4), Token(".", 4, 5), Token("S", 5, 6), Token(".", 6, 7)]]
    >>> [[token.form for token in sentence] for sentence in resegmented("Go U.S.", English(), given)]
    [['Go'], ['U.S', '.']]
    """
    words = {(token.start, token.end): token.words for sentence in sentences for token in sentence}
    known = splitter.ends(text)
    ends = iter([sentence[-1].end for sentence in sentences])
    end = next(ends, len(text))
    sentence: list[Token] = []
    for token in splitter.tokens(text):
        is_start = token.start >= end
        while token.start >= end:
            end = next(ends, len(text))
        if sentence and known.get(sentence[-1].end, is_start):
            yield splitter.closed(sentence)
            sentence = []
        given = words.get((token.start, token.end), ())
        sentence.append(token._replace(words=given) if len(given) >= len(token.words) else token)
    if sentence:
        yield splitter.closed(sentence)
