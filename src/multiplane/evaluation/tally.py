"""Counts gold, system and correct items, such as arcs, in each sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiplane.evaluation.alignment import Places
from multiplane.evaluation.score import Score


@dataclass(frozen=True)
class Items:
    """The items of one side: equal items have equal keys; each belongs to a sentence of the gold standard."""

    keys: Places
    sentences: Places

    def __getitem__(self, chosen: Places) -> Items:
        return Items(self.keys[chosen], self.sentences[chosen])

    def distinct(self) -> Items:
        """Returns the items without repetitions."""
        return self[np.unique(self.keys, return_index=True)[1]]


@dataclass(frozen=True)
class Tally:
    """The numbers of gold, system and correct items in each sentence of the gold standard."""

    gold: Places
    system: Places
    correct: Places

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.gold + other.gold, self.system + other.system, self.correct + other.correct)

    @property
    def score(self) -> Score:
        """The sums over all sentences."""
        return Score(int(self.gold.sum()), int(self.system.sum()), int(self.correct.sum()))

    @property
    def perfect(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """The sentences in which both sides have the same items."""
        return np.asarray((self.gold == self.correct) & (self.system == self.correct))


def tally(gold: Items, system: Items, sentences: int, *, every_pair: bool = False) -> Tally:
    """Counts items; equal items match one to one, or with `every_pair` each gold one with each system one.

    >>> gold = Items(np.array([3, 3, 5]), np.array([0, 0, 1]))
    >>> system = Items(np.array([3, 3, 4]), np.array([0, 0, 1]))
    >>> tally(gold, system, 2).score
    Score(gold=3, system=3, correct=2, aligned=None, found=None)
    >>> tally(gold, system, 2, every_pair=True).correct.tolist()
    [4, 0]
    """
    keys, first, in_gold = np.unique(gold.keys, return_index=True, return_counts=True)
    others, in_system = np.unique(system.keys, return_counts=True)
    _, g, s = np.intersect1d(keys, others, assume_unique=True, return_indices=True)
    matches = in_gold[g] * in_system[s] if every_pair else np.minimum(in_gold[g], in_system[s])
    correct = np.zeros(sentences, np.int64)
    np.add.at(correct, gold.sentences[first[g]], matches)
    return Tally(
        np.bincount(gold.sentences, minlength=sentences), np.bincount(system.sentences, minlength=sentences), correct
    )
