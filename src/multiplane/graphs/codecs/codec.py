"""The codec protocol: encodes structures so that a parser can learn them, with marked labels, and decodes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

Lengths = NDArray[np.int64]
"""The number of words in each sentence."""
Heads = NDArray[np.int32]
"""The heads of all words, concatenated over sentences: 0 for a root, negative for a word without a head."""
Labels = NDArray[np.int32]
"""The labels of the same words, as indices into a vocabulary."""


class Decoder(Protocol):
    """Decodes a parser's output, for one vocabulary of marked labels."""

    @property
    def names(self) -> tuple[str, ...]:
        """The labels without marks."""

    @property
    def plain(self) -> Labels:
        """For every label of the vocabulary, the index of its name."""

    def decode(
        self, lengths: Lengths, heads: Heads, labels: Labels, fixed: Heads | None = None
    ) -> tuple[Heads, Labels]:
        """Returns the heads of the decoded trees, and their labels as indices into `names`.

        `fixed` heads are kept if the codec can; negative ones are free.
        """


class Codec(Protocol):
    """A reversible encoding of structures.

    Training encodes a treebank; a model decodes its output, whatever labels it predicts.
    """

    @property
    def kind(self) -> str:
        """The method, for example "pseudo-projective"."""

    @property
    def name(self) -> str:
        """The codec's name, unique among all codecs."""

    @property
    def keeps_heads(self) -> bool:
        """Whether decoding leaves heads unchanged, so that a parser can keep given heads."""

    def encode(self, lengths: Lengths, heads: Heads, labels: Sequence[str]) -> tuple[Heads, list[str]]:
        """Returns the heads and marked labels to learn; words without a head stay without one."""

    def encode_root(self, label: str) -> str:
        """Returns the marked label of a root with this label."""

    def directions(self, labels: Sequence[str]) -> list[int]:
        """Returns the directions encoded in labels: 1 to the right, -1 to the left; empty if there are none."""

    def decoder(self, labels: Sequence[str], *, has_root: bool = True) -> Decoder:
        """Returns a decoder for trees with labels from this vocabulary; `has_root`: with an artificial root."""


@dataclass(frozen=True)
class PlainDecoder:
    """Returns trees unchanged.

    >>> PlainDecoder(("obj", "root")).names
    ('obj', 'root')
    """

    names: tuple[str, ...]

    @property
    def plain(self) -> Labels:
        """Every label is its own name."""
        return np.arange(len(self.names), dtype=np.int32)

    def decode(
        self, lengths: Lengths, heads: Heads, labels: Labels, fixed: Heads | None = None
    ) -> tuple[Heads, Labels]:
        """Returns the same heads and labels."""
        return heads, labels


@dataclass(frozen=True)
class Plain:
    """The identity codec, for a parser that learns trees as they are.

    >>> Plain().encode(np.array([1]), np.array([0], np.int32), ["root"])
    (array([0], dtype=int32), ['root'])
    """

    kind: ClassVar[str] = "plain"
    name: ClassVar[str] = "plain"
    keeps_heads: ClassVar[bool] = True

    def encode(self, lengths: Lengths, heads: Heads, labels: Sequence[str]) -> tuple[Heads, list[str]]:
        """Returns the same heads and labels."""
        return heads, list(labels)

    def encode_root(self, label: str) -> str:
        """Returns the same label."""
        return label

    def directions(self, labels: Sequence[str]) -> list[int]:
        """Labels carry no directions."""
        return []

    def decoder(self, labels: Sequence[str], *, has_root: bool = True) -> PlainDecoder:
        """Returns a decoder that changes nothing."""
        return PlainDecoder(tuple(labels))
