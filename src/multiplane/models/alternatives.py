"""The k best trees of a sentence: derivations in the beam, combined with alternative labels."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.models.evidence import Evidence

Ints = NDArray[np.int32]


_LABEL_COST = 4.0
"""Weight of the cost of a second-best label. Above 1, because trees with other heads are more promising."""


class Choice(NamedTuple):
    """One way to parse a sentence."""

    tree: int
    """The index of the tree in the evidence."""
    loss: float
    """The difference in log probability to the best choice."""
    relabelled: tuple[int, ...]
    """The words, counted from 0, that get their second-best label."""


def best_choices(evidence: Evidence, starts: NDArray[np.int64], sentence: int, divisor: float) -> Iterator[Choice]:
    """Yields ways to parse a sentence, best first.

    These are the trees in the beam and, for each of them, variants with other labels for some words. `starts` has the
    index of each tree's first word; scores are divided by `divisor`, which turns them into log probabilities.
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
    """The words of a tree that have a second-best label, and its cost, cheapest first."""

    def __init__(self, evidence: Evidence, begin: int, end: int) -> None:
        other = evidence.other_labels[begin:end]
        losses = np.maximum(evidence.label_odds[begin:end] - evidence.other_odds[begin:end], 0).astype(np.float64)
        order = np.argsort(losses, kind="stable")
        order = order[other[order] >= 0]
        self.words: list[int] = order.tolist()
        self.losses: list[float] = (_LABEL_COST * losses[order]).tolist()
