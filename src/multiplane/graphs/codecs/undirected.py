"""Undirected edges as a codec: a parser builds edges, and decoding gives them directions again (S3 §4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from multiplane import _native
from multiplane.graphs.codecs.codec import Decoder, Heads, Labels, Lengths
from multiplane.graphs.reconstruct import NATIVE_METHODS, Method

_LEFT, _RIGHT = "_l", "_r"
"""S3's marks for an arc whose head is to the right of its dependent, and to the left."""


@dataclass(frozen=True)
class Undirected:
    """Marks labels with the direction of their arcs, unless the method is naive; `name` is the method.

    A parser's edges arrive as a tree in which all arcs point away from the root 0, or from any word if there is no
    artificial root; the decoder chooses the root that agrees best with the marks.

    >>> codec, lengths, heads = Undirected("label"), np.array([3]), np.array([2, 0, 2], np.int32)
    >>> labels = codec.encode(lengths, heads, ["nsubj", "root", "obj"])[1]
    >>> labels
    ['nsubj_l', 'root_r', 'obj_r']
    >>> decoder = codec.decoder(labels)
    >>> decoder.names
    ('nsubj', 'obj', 'root')
    >>> from_first_word = np.array([0, 1, 2], np.int32), np.array([1, 0, 2], np.int32)
    >>> [array.tolist() for array in decoder.decode(lengths, *from_first_word)]
    [[2, 0, 2], [0, 2, 1]]
    """

    kind: ClassVar[str] = "undirected"
    keeps_heads: ClassVar[bool] = True
    name: Method

    def encode(self, lengths: Lengths, heads: Heads, labels: Sequence[str]) -> tuple[Heads, list[str]]:
        """Returns the same heads, and labels that carry directions."""
        if self.name == "naive":
            return heads, list(labels)
        ends = np.cumsum(lengths)
        positions = np.arange(1, len(heads) + 1) - np.repeat(ends - lengths, lengths)
        marks = np.where(heads > positions, _LEFT, _RIGHT).tolist()
        return heads, [label + mark for label, mark in zip(labels, marks, strict=True)]

    def encode_root(self, label: str) -> str:
        """Returns the label of a root as in the vocabulary."""
        return label if self.name == "naive" else label + _RIGHT

    def directions(self, labels: Sequence[str]) -> list[int]:
        """Returns the directions that labels carry, none if the method is naive.

        >>> Undirected("label").directions(["nsubj_l", "obj_r"])
        [-1, 1]
        """
        return [] if self.name == "naive" else list(map(_preference, labels))

    def decoder(self, labels: Sequence[str], *, has_root: bool = True) -> Decoder:
        """Returns a decoder that chooses roots by the marks, or leaves them to a naive parser.

        Without an artificial root, no edge says which word the root is, so that `label-strict` is `label`.
        """
        if self.name == "naive":
            return _Decoder(tuple(labels), tuple(labels), [0] * len(labels), self.name)
        names = tuple(sorted({_plain(label) for label in labels}))
        return _Decoder(labels, names, self.directions(labels), self.name if has_root else "label")


class _Decoder:
    """A decoder for a vocabulary of labels, some or all of which carry directions."""

    def __init__(
        self, labels: Sequence[str], names: tuple[str, ...], directions: Sequence[int], method: Method
    ) -> None:
        self.names = names
        places = {name: place for place, name in enumerate(names)}
        plain = labels if method == "naive" else map(_plain, labels)
        self.plain = np.array([places[name] for name in plain], np.int32)
        self._preferences = np.array(directions, np.int8)
        self._method = method

    def decode(
        self, lengths: Lengths, heads: Heads, labels: Labels, fixed: Heads | None = None
    ) -> tuple[Heads, Labels]:
        """Returns the trees that agree with as many marks as possible, and first of all with fixed heads."""
        if self._method == "naive" and fixed is None:
            return heads, labels  # they point away from the root already
        heads, carried = _native.reconstruct_forests(
            lengths, heads, self._preferences[labels], NATIVE_METHODS[self._method], fixed
        )
        # An arc carries the label of its edge. Only a root that was fixed beside others has an arc without one.
        first = np.repeat(np.cumsum(lengths) - lengths, lengths)
        own = np.arange(len(labels))
        edges = np.where(carried > 0, first + carried - 1, own)
        return heads, self.plain[labels[edges]]


def _plain(label: str) -> str:
    """Returns a label without its mark; an untrusted vocabulary may hold labels without one.

    >>> _plain("nsubj_l"), _plain("x")
    ('nsubj', 'x')
    """
    return label[:-2] if label.endswith((_LEFT, _RIGHT)) else label


def _preference(label: str) -> int:
    return -1 if label.endswith(_LEFT) else int(label.endswith(_RIGHT))
