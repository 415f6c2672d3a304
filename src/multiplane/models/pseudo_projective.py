"""Labels that tell of lifted arcs, decoded for many trees at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from multiplane.graphs.projectivize import Encoding, decoded, deprojectivize
from multiplane.models.protocol import Trees


class MarkedLabels:
    """The labels of a pseudo-projective model: what they are without marks, and which ones move a word.

    >>> marked = MarkedLabels(("obj↑xcomp", "root", "xcomp"), "head")
    >>> marked.names
    ('obj', 'root', 'xcomp')
    >>> lengths, heads, labels = np.array([3]), np.array([2, 0, 2], np.int32), np.array([0, 1, 2], np.int32)
    >>> [array.tolist() for array in marked.lower(lengths, Trees(heads, labels))[:2]]
    [[3, 0, 2], [0, 1, 2]]
    """

    def __init__(self, labels: tuple[str, ...], encoding: Encoding) -> None:
        self._labels = labels
        self._encoding = encoding
        marks = [decoded(label) for label in labels]
        self.names = tuple(sorted({mark.label for mark in marks}))
        """All labels without their marks."""
        places = {name: place for place, name in enumerate(self.names)}
        self._plain = np.array([places[mark.label] for mark in marks], np.int32)
        self._lifted = np.array([mark.lifted_from is not None for mark in marks], np.bool_)

    def lower(self, lengths: NDArray[np.int64], trees: Trees) -> Trees:
        """The trees that marked ones stand for; only sentences with a lifted word are looked at one by one."""
        ends = np.cumsum(lengths)
        lifted = np.flatnonzero(self._lifted[trees.labels])
        heads = trees.heads.copy()
        for sentence in np.unique(np.searchsorted(ends, lifted, side="right")).tolist():
            words = slice(int(ends[sentence] - lengths[sentence]), int(ends[sentence]))
            labels = [self._labels[label] for label in trees.labels[words].tolist()]
            heads[words] = deprojectivize(heads[words].tolist(), labels, self._encoding)[0]
        return trees._replace(heads=heads, labels=self._plain[trees.labels])
