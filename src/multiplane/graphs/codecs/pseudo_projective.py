"""Pseudo-projective trees as a codec: lifts arcs, and marks the labels so that decoding can lower them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from multiplane.graphs.codecs.codec import Decoder, Heads, Labels, Lengths, PlainDecoder
from multiplane.graphs.projectivize import Encoding, decoded, deprojectivize, projectivize


@dataclass(frozen=True)
class PseudoProjective:
    """Lifts arcs until trees are projective; `name` is the encoding of the marks.

    >>> codec, lengths, heads = PseudoProjective("head"), np.array([3]), np.array([3, 0, 2], np.int32)
    >>> heads, labels = codec.encode(lengths, heads, ["obj", "root", "xcomp"])
    >>> heads.tolist(), labels
    ([2, 0, 2], ['obj↑xcomp', 'root', 'xcomp'])
    >>> decoder = codec.decoder(labels)
    >>> decoder.names
    ('obj', 'root', 'xcomp')
    >>> [array.tolist() for array in decoder.decode(lengths, heads, np.array([0, 1, 2], np.int32))]
    [[3, 0, 2], [0, 1, 2]]
    """

    kind: ClassVar[str] = "pseudo-projective"
    keeps_heads: ClassVar[bool] = False
    name: Encoding

    def encode(self, lengths: Lengths, heads: Heads, labels: Sequence[str]) -> tuple[Heads, list[str]]:
        """Returns the heads and marked labels of lifted trees; words without a head count as roots but stay without."""
        marked: list[str] = []

        def lift(words: slice, given: list[int]) -> list[int]:
            lifted, new_labels = projectivize(given, labels[words], self.name)
            marked.extend(new_labels)
            return lifted

        return _rebuilt(lengths, heads, range(len(lengths)), lift), marked

    def encode_root(self, label: str) -> str:
        """Returns the same label: roots are never lifted."""
        return label

    def directions(self, labels: Sequence[str]) -> list[int]:
        """Labels carry no directions."""
        return []

    def decoder(self, labels: Sequence[str], *, has_root: bool = True) -> Decoder:
        """Returns a decoder that lowers the words marked as lifted."""
        return PlainDecoder(tuple(labels)) if self.name == "baseline" else _MarkedLabels(tuple(labels), self.name)


class _MarkedLabels:
    """A decoder for a vocabulary of marked labels."""

    def __init__(self, labels: tuple[str, ...], encoding: Encoding) -> None:
        self._labels = labels
        self._encoding = encoding
        marks = [decoded(label) for label in labels]
        self.names = tuple(sorted({mark.label for mark in marks}))
        places = {name: place for place, name in enumerate(self.names)}
        self.plain = np.array([places[mark.label] for mark in marks], np.int32)
        self._lifted = np.array([mark.lifted_from is not None for mark in marks], np.bool_)

    def decode(
        self, lengths: Lengths, heads: Heads, labels: Labels, fixed: Heads | None = None
    ) -> tuple[Heads, Labels]:
        """Decodes marked trees; only sentences with a lifted word are processed one by one."""

        def lower(words: slice, given: list[int]) -> list[int]:
            marked = [self._labels[label] for label in labels[words].tolist()]
            return deprojectivize(given, marked, self._encoding)[0]

        lifted = np.flatnonzero(self._lifted[labels])
        sentences = np.unique(np.searchsorted(np.cumsum(lengths), lifted, side="right"))
        return _rebuilt(lengths, heads, sentences.tolist(), lower), self.plain[labels]


def _rebuilt(
    lengths: Lengths, heads: Heads, sentences: Iterable[int], rebuild: Callable[[slice, list[int]], list[int]]
) -> Heads:
    """Rebuilds the heads of some sentences; words without a head count as roots but stay without."""
    known: NDArray[np.bool_] = heads >= 0
    new = np.where(known, heads, 0).astype(np.int32)
    ends = np.cumsum(lengths).tolist()
    for sentence in sentences:
        words = slice(ends[sentence] - int(lengths[sentence]), ends[sentence])
        new[words] = rebuild(words, new[words].tolist())
    return np.where(known, new, heads)
