"""The best trees of a sentence: derivations of the beam, and labels that are nearly as good."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.models.evidence import Evidence

Ints = NDArray[np.int32]


_LABEL_COST = 4.0
"""How much more a label counts that is not the best one. Labels depend on heads: other heads are more promising."""


class Choice(NamedTuple):
    """One way to parse a sentence."""

    tree: int
    """The number of the tree among all that evidence tells of."""
    loss: float
    """By how much it is worse than the best one, as a logarithm."""
    relabelled: tuple[int, ...]
    """The words, from 0, that have the next best label."""


def best_choices(evidence: Evidence, starts: NDArray[np.int64], sentence: int, divisor: float) -> Iterator[Choice]:
    """Yields ways to parse a sentence, the best first.

    They are the trees of the beam and, for every tree, those with other labels for some words. `starts` says where the
    words of each tree begin; scores are divided by `divisor`, which makes logarithms of them.
    """
    begin, end = evidence.first[sentence : sentence + 2].tolist()
    scores = evidence.scores[begin:end].astype(np.float64) / divisor
    losses = [_Labels(evidence, int(starts[tree]), int(starts[tree + 1])) for tree in range(begin, end)]
    heap: list[tuple[float, int, tuple[int, ...]]] = [(float(scores[0] - s), i, ()) for i, s in enumerate(scores)]
    heap.sort()
    while heap:
        loss, tree, chosen = heappop(heap)
        labels = losses[tree]
        yield Choice(begin + tree, loss, tuple(labels.words[i] for i in chosen))
        # Every set of words is reached once: from the set without its last word, or with the word before that instead.
        after = chosen[-1] + 1 if chosen else 0
        if after < len(labels.words):
            heappush(heap, (loss + labels.losses[after], tree, (*chosen, after)))
            if chosen:
                instead = loss - labels.losses[after - 1] + labels.losses[after]
                heappush(heap, (instead, tree, (*chosen[:-1], after)))


class _Labels:
    """The words of a tree that can have another label, and what that costs, the cheapest first."""

    def __init__(self, evidence: Evidence, begin: int, end: int) -> None:
        other = evidence.other_labels[begin:end]
        losses = np.maximum(evidence.label_odds[begin:end] - evidence.other_odds[begin:end], 0).astype(np.float64)
        order = np.argsort(losses, kind="stable")
        order = order[other[order] >= 0]
        self.words: list[int] = order.tolist()
        self.losses: list[float] = (_LABEL_COST * losses[order]).tolist()
