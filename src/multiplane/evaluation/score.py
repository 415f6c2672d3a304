"""Precision, recall and F1 from counts of gold, system and correct items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Score:
    """Counts of items, with precision, recall and F1 in percent; 0 instead of a division by zero.

    >>> s = Score(gold=10, system=8, correct=6)
    >>> s.precision, s.recall, round(s.f1, 2)
    (75.0, 60.0, 66.67)
    """

    gold: int
    """Number of items in the gold standard."""
    system: int
    """Number of items in the system's output."""
    correct: int
    """Number of correct items in the system's output."""
    aligned: int | None = None
    """Number of gold items that the system has too, if the items are words."""
    found: int | None = None
    """Number of gold items that the system found, if that differs from `correct`.

    An arc that is non-projective in the gold standard may be projective in the system's tree, and vice versa.
    """

    @property
    def precision(self) -> float:
        """The share of the system's items that are correct."""
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
        return _harmonic(self.precision, self.recall)

    @property
    def aligned_accuracy(self) -> float | None:
        """The share of the aligned words that are correct."""
        return None if self.aligned is None else _percent(self.correct, self.aligned)


@dataclass(frozen=True)
class Macro(Score):
    """The mean of two scores: of their precisions, and of their recalls; F1 follows. The counts are sums.

    >>> m = Macro.of(Score(gold=10, system=10, correct=9), Score(gold=8, system=10, correct=6))
    >>> m.precision, m.recall, round(m.f1, 2)
    (75.0, 82.5, 78.57)
    """

    parts: tuple[Score, ...] = ()

    @classmethod
    def of(cls, one: Score, two: Score) -> Macro:
        """Returns the mean of two scores."""
        return cls(one.gold + two.gold, one.system + two.system, one.correct + two.correct, parts=(one, two))

    @property
    def precision(self) -> float:
        """The mean of the precisions."""
        return sum(part.precision for part in self.parts) / len(self.parts)

    @property
    def recall(self) -> float:
        """The mean of the recalls."""
        return sum(part.recall for part in self.parts) / len(self.parts)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _harmonic(self.precision, self.recall)


def attachment(head: Mask, label: Mask, score: Callable[[Mask], Score] | None = None) -> dict[str, Score]:
    """Returns UAS, LAS and label accuracy (LA), from masks of words with correct heads and labels.

    All attachment scores are computed here; the caller chooses words and labels. `evaluate` follows its convention.
    Training, model cards and learning curves follow the convention `ud`: all words count, and LAS compares labels
    without subtypes, as CoNLL 2018 does; scores of full labels are named LAS-full and LA-full. Without `score`, both
    sides have the same words, and all of them count.

    >>> scores = attachment(np.array([True, True, False, True]), np.array([True, False, True, True]))
    >>> {name: score.f1 for name, score in scores.items()}
    {'UAS': 75.0, 'LAS': 50.0, 'LA': 75.0}
    """
    counted = score or (lambda correct: Score(len(correct), len(correct), int(correct.sum())))
    return {"UAS": counted(head), "LAS": counted(head & label), "LA": counted(label)}


def universal_label(label: str) -> str:
    """Returns a label without its subtype.

    >>> universal_label("acl:relcl")
    'acl'
    """
    return label.partition(":")[0]


def _harmonic(one: float, two: float) -> float:
    return 2 * one * two / (one + two) if one + two else 0.0


def _percent(part: int, whole: int) -> float:
    return 100 * (part / whole) if whole else 0.0
