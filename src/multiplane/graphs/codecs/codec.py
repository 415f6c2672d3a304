"""What every codec does: change structures so that a parser can learn them, mark the labels, and change them back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

Lengths = NDArray[np.int64]
"""The number of words of each sentence."""
Heads = NDArray[np.int32]
"""For all words of all sentences, one after another: 0 for a root, a negative number for a word without a head."""
Labels = NDArray[np.int32]
"""For the same words, places in a vocabulary of labels."""


class Decoder(Protocol):
    """Changes the output of a parser back, for one vocabulary of marked labels."""

    @property
    def names(self) -> tuple[str, ...]:
        """The labels without marks."""

    def decode(self, lengths: Lengths, heads: Heads, labels: Labels) -> tuple[Heads, Labels]:
        """The heads that marked trees stand for, and their labels as places in `names`."""


class Codec(Protocol):
    """One way to change structures and mark the labels.

    Training encodes a treebank; a model decodes what it parses, whatever labels it predicts.
    """

    @property
    def kind(self) -> str:
        """The method: "pseudo-projective" for example."""

    @property
    def name(self) -> str:
        """Which codec of its kind; unique among all codecs."""

    @property
    def keeps_heads(self) -> bool:
        """Whether decoding leaves every head as it is, so that a parser can keep heads that its caller fixed."""

    def encode(self, lengths: Lengths, heads: Heads, labels: Sequence[str]) -> tuple[Heads, list[str]]:
        """The heads and marked labels to learn; words without a head stay without."""

    def decoder(self, labels: Sequence[str]) -> Decoder:
        """What decodes trees whose labels are from this vocabulary."""


@dataclass(frozen=True)
class PlainDecoder:
    """Leaves trees as they are.

    >>> PlainDecoder(("obj", "root")).names
    ('obj', 'root')
    """

    names: tuple[str, ...]

    def decode(self, lengths: Lengths, heads: Heads, labels: Labels) -> tuple[Heads, Labels]:
        """The same heads and labels."""
        return heads, labels


@dataclass(frozen=True)
class Plain:
    """Changes nothing: the codec of a parser that learns trees as they are.

    >>> Plain().encode(np.array([1]), np.array([0], np.int32), ["root"])
    (array([0], dtype=int32), ['root'])
    """

    kind: ClassVar[str] = "plain"
    name: ClassVar[str] = "plain"
    keeps_heads: ClassVar[bool] = True

    def encode(self, lengths: Lengths, heads: Heads, labels: Sequence[str]) -> tuple[Heads, list[str]]:
        """The same heads and labels."""
        return heads, list(labels)

    def decoder(self, labels: Sequence[str]) -> PlainDecoder:
        """What leaves trees as they are."""
        return PlainDecoder(tuple(labels))
