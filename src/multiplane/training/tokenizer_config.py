"""Settings for training a tokenizer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from multiplane.errors import TrainingError, UnknownTokenizerError
from multiplane.models.record import Setting
from multiplane.text import splitter_of
from multiplane.training.settings import Range, check_names, check_range

_RANGES: dict[str, Range] = {
    "epochs": (0, 10_000),
    "patience": (0, 10_000),
    "seed": (0, 2**63 - 1),
    "units": (1, 4_096),
    "word": (1, 1_024),
    "chunk": (1, 1_024),
    "part": (1, 1_024),
    "ngrams": (1, 1 << 24),
    "batch": (0, 10**9),
    "average": (1, 10**9),
    "threads": (1, 1024),
    "learning_rate": (1e-9, 10.0),
    "warmup": (0.0, 1.0),
    "clip": (1e-9, math.inf),
    "word_dropout": (0.0, math.inf),
    "input_dropout": (0.0, 0.99),
    "dropout": (0.0, 0.99),
    "multiword_weight": (0.0, 100.0),
    "cut_ends": (0.0, 1.0),
    "lower": (0.0, 1.0),
    "dots": (0.0, 1.0),
    "hide": (0.0, 0.99),
}

_HIDE, _MANY_WORDS = 0.2, 100_000
"""Chosen on development data: hiding was better for Turkish (38,000 words) and Japanese (10,000), and worse for
Portuguese (172,000)."""


@dataclass(frozen=True, kw_only=True)
class TokenizerSettings:
    """The settings for training a tokenizer; raises `TrainingError` if a value is invalid.

    >>> TokenizerSettings(units=0)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: units must be an integer from 1 to 4096, not 0
    """

    ranges: ClassVar[Mapping[str, Range]] = _RANGES
    prefix: ClassVar[str] = ""
    """What the names of settings begin with where users give them."""

    epochs: int = 0
    """The maximum number of epochs; 0 for a number that depends on the size of the data (see `epochs_for`)."""
    patience: int = 0
    """Training stops after this many epochs without a better score on the development data; 0 for never."""
    seed: int = 1
    tokens: str | None = None
    """The name of a tokenizer that finds the tokens, such as `english`; the network then only finds sentences and
    multiword tokens."""
    units: int = 64
    """The units of the BiLSTM in each direction."""
    word: int = 40
    """The width of embeddings of frequent pieces."""
    chunk: int = 24
    """The width of embeddings of frequent texts between two spaces."""
    part: int = 48
    """The width of embeddings of n-grams of characters."""
    ngrams: int = 8192
    """The number of embeddings of n-grams."""
    batch: int = 0
    """The batch size in pieces; 0 for a number that depends on the size of the data (see `for_words`)."""
    learning_rate: float = 0.004
    warmup: float = 0.05
    """The share of training in which the learning rate rises, before it decays."""
    clip: float = 5.0
    """The maximum norm of the gradient."""
    average: int = 200
    """The weights are averages over about this many last steps; 1 for no averaging."""
    word_dropout: float = 1.0
    """A piece that occurs n times is masked with probability a / (a + n)."""
    input_dropout: float = 0.4
    """Dropout before the BiLSTM."""
    dropout: float = 0.5
    """Dropout after the BiLSTM."""
    multiword_weight: float = 3.0
    """The weight of the loss of multiword tokens, which are rare; a lower weight favours sentences."""
    hide: float | None = None
    """The share of pieces that are hidden, so that the network learns to decide by context instead of remembering a
    small treebank; by default 0.2 for fewer than 100,000 words, else 0."""
    cut_ends: float = 0.05
    """The share of paragraphs whose final punctuation is left out."""
    lower: float = 0.02
    """The share of paragraphs in lower case."""
    dots: float = 0.02
    """The share of sentences with an ellipsis (...) in place of a full stop or comma, if the treebank has few."""
    threads: int = 1
    """PyTorch's threads. Results may differ in the last digits between numbers of threads."""

    def __post_init__(self) -> None:
        for name, (least, most) in self.ranges.items():
            if name != "hide" or self.hide is not None:
                check_range(self.prefix + name, getattr(self, name), least, most)
        try:
            if self.tokens is not None:
                splitter_of(self.tokens)
        except UnknownTokenizerError as error:
            raise TrainingError(f"{self.prefix}tokens: {error}") from None

    def epochs_for(self, words: int) -> int:
        """Returns the number of epochs for a treebank of this many words: by default 12 to 30, more for smaller ones.

        >>> TokenizerSettings().epochs_for(200_000), TokenizerSettings().epochs_for(1_000)
        (12, 30)
        """
        return self.epochs or min(max(2_400_000 // max(words, 1), 12), 30)

    def for_words(self, words: int) -> TokenizerSettings:
        """Fills in the settings that depend on the size of the treebank.

        Smaller ones get more epochs, smaller batches, and hidden pieces.

        >>> large, small = TokenizerSettings().for_words(200_000), TokenizerSettings().for_words(10_000)
        >>> (large.batch, large.hide), (small.batch, small.hide)
        ((2500, 0.0), (400, 0.2))
        """
        batch = self.batch or min(max(words // 80, 400), 2500)
        return replace(self, epochs=self.epochs_for(words), batch=batch, hide=self.hidden_for(words))

    def hidden_for(self, words: int) -> float:
        """Returns the share of pieces to hide for a treebank of this many words."""
        return (_HIDE if words < _MANY_WORDS else 0.0) if self.hide is None else self.hide

    def to_table(self) -> dict[str, Setting]:
        """Returns the settings as stored in a model."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {"task": "tokenizer"} | {
            name: float(value) if isinstance(_RANGES.get(name, (0, 0))[0], float) else value
            for name, value in found.items()
            if value is not None
        }


class OwnTokenizerSettings(TokenizerSettings):
    """The settings for training the tokenizer of a pipeline, whose parser has settings of the same names.

    >>> OwnTokenizerSettings(units=0)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: tokenizer_units must be an integer from 1 to 4096, not 0
    """

    prefix = "tokenizer_"


def tokenizer_settings(
    given: Mapping[str, Any], kind: type[TokenizerSettings] = TokenizerSettings
) -> TokenizerSettings:
    """Returns settings by name.

    >>> tokenizer_settings({"unit": 3})
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: unknown setting 'unit'; did you mean units?
    """
    check_names(given, [each.name for each in fields(TokenizerSettings)], kind.prefix)
    return kind(**given)
