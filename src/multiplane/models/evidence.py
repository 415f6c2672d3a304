"""What speaks for the arcs that a parser built: the odds of its decisions, from the native core."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.formats import Corpus
from multiplane.models.protocol import FixedArcs

Floats = NDArray[np.float64]
_MOST = 9.0
"""The largest logit that counts: beyond it, a decision is simply certain."""


class Evidence(NamedTuple):
    """The best trees of every sentence, all different, before a codec decodes them. Odds are logarithms."""

    first: NDArray[np.int64]
    """By sentence, the number of its first tree; and that behind the last one."""
    complete: NDArray[np.uint8]
    """By sentence, whether all constraints are met."""
    scores: NDArray[np.float32]
    """By tree, the score of its derivation."""
    heads: NDArray[np.int32]
    """This and the rest: for all words of all trees, one after another."""
    labels: NDArray[np.int32]
    other_labels: NDArray[np.int32]
    """The next best label, or -1."""
    label_odds: NDArray[np.float32]
    other_odds: NDArray[np.float32]
    built: NDArray[np.float32]
    """The odds of the transition that built the arc."""
    waiting: NDArray[np.float32]
    """The odds of all decisions while the word was in focus and had no head."""
    shares: NDArray[np.float32]
    """The share of the derivations in the beam that have the same head."""
    known: NDArray[np.float32]
    """The odds of the head, where the model has a scorer of heads."""

    def signs(self, lengths: NDArray[np.int64]) -> Floats:
        """Returns a row of numbers for each word, by which calibration judges it; `lengths` are those of the trees.

        They are logits of all odds, of both together, and of the lower one; and the length of the arc, whether it is
        from the root, and the length of the sentence.
        """
        shares, whole = self._shares(), self.plain_odds()
        odds = (self.known, self.label_odds, self.built, self.waiting, shares, whole)
        lowest = np.minimum(self.label_odds, whole - self.label_odds)
        position = np.arange(len(self.heads)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + 1
        is_root = self.heads == 0
        length = np.log1p(np.where(is_root, 0, np.abs(self.heads - position)))
        about = (length, is_root, np.log(np.repeat(lengths, lengths)))
        return np.stack([*(logit(each) for each in (*odds, lowest)), *about], axis=1)

    def plain_odds(self) -> Floats:
        """Returns the odds of head and label where nothing was calibrated.

        Those of the head are from the scorer of heads; without one, from the beam or the decisions about the word.
        """
        if self.known.any():
            return np.asarray(self.label_odds + self.known, np.float64)
        return np.asarray(self.label_odds + np.minimum(self.waiting, self._shares()), np.float64)

    def _shares(self) -> Floats:
        return np.log(np.maximum(np.asarray(self.shares, np.float64), 1e-6))


SIGNS = 10
"""The number of columns of `Evidence.signs`."""


def logit(odds: NDArray[np.floating]) -> Floats:
    """Returns the logits of logarithms of probabilities, none of them extreme.

    >>> logit(np.log(np.array([0.5, 0.9, 1.0]))).round(3).tolist()
    [0.0, 2.197, 9.0]
    """
    p = np.exp(np.asarray(odds, np.float64))
    return np.asarray(np.clip(odds - np.log(np.maximum(1 - p, 1e-12)), -_MOST, _MOST))


def words_of_trees(lengths: NDArray[np.int64], trees: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns where the words of every tree begin, given how many trees the sentences have; and where the last ends.

    >>> words_of_trees(np.array([2, 3]), np.array([2, 1])).tolist()
    [0, 2, 4, 7]
    """
    return np.append(0, np.cumsum(np.repeat(lengths, trees)))


def certain_where_fixed(evidence: Evidence, corpus: Corpus, fixed: FixedArcs | None) -> Evidence:
    """Returns the evidence with no doubt about heads and labels that the caller gave."""
    if fixed is None or not corpus.words:
        return evidence
    starts = np.cumsum(corpus.lengths) - corpus.lengths
    counts = np.diff(evidence.first)
    places = [np.arange(start, start + n) for start, n in zip(starts, corpus.lengths, strict=True)]
    words = np.concatenate([np.tile(place, count) for place, count in zip(places, counts, strict=True)])
    given, labelled = fixed.heads[words] >= 0, fixed.given_labels[words]
    sure = {name: np.where(given, 0, getattr(evidence, name)) for name in ("built", "waiting", "known")}
    sure["shares"] = np.where(given, 1, evidence.shares)
    sure["label_odds"] = np.where(labelled, 0, evidence.label_odds)
    sure["other_labels"] = np.where(labelled, -1, evidence.other_labels)
    return evidence._replace(**sure)
