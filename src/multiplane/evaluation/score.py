"""A score: what was to be found, what was proposed, and how much of it is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Score:
    """Counts of items, with precision, recall and F1 in percent; 0 where there is nothing to divide by.

    >>> s = Score(gold=10, system=8, correct=6)
    >>> s.precision, s.recall, round(s.f1, 2)
    (75.0, 60.0, 66.67)
    """

    gold: int
    """Items of the gold standard."""
    system: int
    """Items of the system."""
    correct: int
    """Items of the system that are right."""
    aligned: int | None = None
    """Gold items whose word the system has too, where the items are words."""
    found: int | None = None
    """Gold items that the system has, where that is not the same as `correct`.

    A non-projective arc of the gold standard may be projective in the system's tree, and the other way round.
    """

    @property
    def precision(self) -> float:
        """The share of the system's items that are right."""
        return _percent(self.correct, self.system)

    @property
    def recall(self) -> float:
        """The share of the gold items that were found."""
        return _percent(self.correct if self.found is None else self.found, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        if self.found is None:
            return _percent(2 * self.correct, self.system + self.gold)
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        """The share of the aligned words that are right."""
        return None if self.aligned is None else _percent(self.correct, self.aligned)


def attachment(head: Mask, label: Mask, score: Callable[[Mask], Score] | None = None) -> dict[str, Score]:
    """UAS, LAS and label accuracy (LA), from the words whose head and whose label is right.

    Everything that counts attachments counts here; what differs is said by the caller. `evaluate` passes words and
    labels as its convention has them. Training counts all words, punctuation too, and compares whole labels, subtypes
    too: the LAS of an epoch is LAS-full of the convention `ud`. Without `score`, both sides have the same words, and
    all of them count.

    >>> scores = attachment(np.array([True, True, False, True]), np.array([True, False, True, True]))
    >>> {name: score.f1 for name, score in scores.items()}
    {'UAS': 75.0, 'LAS': 50.0, 'LA': 75.0}
    """
    counted = score or (lambda correct: Score(len(correct), len(correct), int(correct.sum())))
    return {"UAS": counted(head), "LAS": counted(head & label), "LA": counted(label)}


def _percent(part: int, whole: int) -> float:
    return 100 * (part / whole) if whole else 0.0
