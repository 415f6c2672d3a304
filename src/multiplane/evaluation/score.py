"""A score: what was to be found, what was proposed, and how much of it is right."""

from __future__ import annotations

from dataclasses import dataclass


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


def _percent(part: int, whole: int) -> float:
    return 100 * (part / whole) if whole else 0.0
