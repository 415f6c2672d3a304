"""What `Parser.parse` accepts: its options, and items of any kind in batches."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

from multiplane.errors import ColumnError
from multiplane.formats import Corpus, Sentence, Token
from multiplane.formats.fields import FORBIDDEN, FORBIDDEN_ADVICE
from multiplane.text import Tokenizer

BATCH = 1_000
EXPECTED = "a text, a Sentence, a Corpus, or an iterable of texts, Sentences, Corpora or lists of words"

Columns = str | Sequence[str] | None
"""Columns to predict, such as `("upos", "lemma")` or `"upos,lemma"`; none of them with `"none"`."""
Kind = Literal["texts", "corpora", "sentences", "words"]

_CHARACTERS_PER_SENTENCE = 100


class Options(TypedDict, total=False):
    """Options for everything that can be parsed; `Parser.parse` describes them."""

    beam: int | None
    predict: Columns
    scores: bool
    threads: int
    batch_size: int


class TextOptions(Options, total=False):
    """Options for texts."""

    tokenizer: Tokenizer | str | os.PathLike[str] | None
    lines: bool
    ranges: bool


class SentenceOptions(Options, total=False):
    """Options for sentences and corpora."""

    keep_heads: bool
    keep_predicates: bool


class Batch(NamedTuple):
    """Consecutive items of one kind."""

    kind: Kind
    items: list[Any]
    first: int
    """The number of the first item, from 0."""


def batches(items: Iterable[object], size: int) -> Iterator[Batch]:
    """Groups items into batches of one kind and about `size` sentences; raises `TypeError` for unsupported items.

    >>> [(batch.kind, len(batch.items)) for batch in batches(["Go!", "Stay!", ["Go", "!"]], 10)]
    [('texts', 2), ('words', 1)]
    """
    found: list[object] = []
    first = weight = 0
    last: Kind | None = None
    for number, item in enumerate(items):
        kind = _kind(item, number)
        if last is not None and (kind != last or weight >= size):
            yield Batch(last, found, first)
            found, first, weight = [], number, 0
        found.append(item)
        last = kind
        weight += _weight(item)
    if last is not None:
        yield Batch(last, found, first)


def require_positive(name: str, value: object) -> None:
    """Raises `ValueError` unless a number, such as that of threads, is a positive integer."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} must be a positive integer, not {value!r}")


def require_positive_or_none(**values: object) -> None:
    """Raises `ValueError` for the first value that is given but is not a positive integer.

    >>> require_positive_or_none(beam=None, best=5)
    """
    for name, value in values.items():
        if value is not None:
            require_positive(name, value)


def require_items(given: object) -> Iterable[object]:
    """Returns the argument if it is an iterable of items; raises `TypeError` otherwise."""
    advice = _advice(given)
    if advice or not isinstance(given, Iterable):
        raise TypeError(f"cannot parse {_shown(given)}: expected {EXPECTED}{advice}")
    return given


def _kind(item: object, number: int) -> Kind:
    if isinstance(item, str):
        return "texts"
    if isinstance(item, Sentence):
        return "sentences"
    if isinstance(item, Corpus):
        return "corpora"
    if isinstance(item, Sequence) and not isinstance(item, bytes | bytearray | memoryview):
        _check_words(item, number)
        return "words"
    raise TypeError(
        f"item {number} (from 0) is {_shown(item)}: expected a text, a Sentence, a Corpus or a list of words"
        f"{_advice(item)}"
    )


def _check_words(words: Sequence[object], number: int) -> None:
    if not words:
        raise ColumnError(f"item {number} (from 0) is a sentence without words; leave it out")
    for place, word in enumerate(words):
        where = f"item {number}, word {place} (from 0)"
        if not isinstance(word, str):
            raise TypeError(f"{where} is {_shown(word)}: expected text, as items are lists of words")
        if not word:
            raise ColumnError(f"{where} is empty; give every word a form")
        if FORBIDDEN.search(word):
            raise ColumnError(f"{where} is {word!r}; {FORBIDDEN_ADVICE}")


def _weight(item: object) -> int:
    """Estimates the number of sentences in an item."""
    if isinstance(item, str):
        return 1 + len(item) // _CHARACTERS_PER_SENTENCE
    return len(item) if isinstance(item, Corpus) else 1


def _shown(value: object) -> str:
    if value is None:
        return "None"
    text = " ".join(repr(value).split())  # tables have several lines
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind} ({text if len(text) <= 40 else text[:40] + '…'})"


def _advice(value: object) -> str:
    """Returns advice for common mistakes."""
    if isinstance(value, os.PathLike):
        return "; read the file with multiplane.read(path), or parse it with parser.parse_stream(path, target)"
    if isinstance(value, bytes | bytearray | memoryview):
        return "; decode it first: data.decode()"
    if isinstance(value, Token):
        return "; pass its sentence: token.sentence"
    if isinstance(value, Mapping):
        return "; pass its values, or make sentences of dictionaries with Sentence.from_dict"
    if hasattr(type(value), "columns"):  # a data frame of pandas or polars: iterating gives names or whole columns
        return "; pass a column of texts, such as df['text']"
    return ""
