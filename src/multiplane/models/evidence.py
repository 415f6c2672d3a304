"""Evidence for the arcs that a parser built: the log probabilities of its decisions, from the native core."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.formats import Corpus
from multiplane.models.protocol import FixedArcs

Floats = NDArray[np.float64]
_MOST = 9.0
"""Logits are clipped to this value."""


class Evidence(NamedTuple):
    """The best distinct trees of every sentence before decoding. Odds are log probabilities."""

    first: NDArray[np.int64]
    """The offsets of each sentence's trees."""
    complete: NDArray[np.uint8]
    """For each sentence, whether all constraints are met."""
    scores: NDArray[np.float32]
    """For each tree, the score of its derivation."""
    heads: NDArray[np.int32]
    """This and the following fields: for all words of all trees, concatenated."""
    labels: NDArray[np.int32]
    other_labels: NDArray[np.int32]
    """The second-best label, or -1."""
    label_odds: NDArray[np.float32]
    other_odds: NDArray[np.float32]
    built: NDArray[np.float32]
    """The odds of the transition that built the arc."""
    waiting: NDArray[np.float32]
    """The odds of all decisions while the word was in focus and headless."""
    shares: NDArray[np.float32]
    """The share of the derivations in the beam that have the same head."""
    known: NDArray[np.float32]
    """The odds of the head, if the model has a head scorer."""
    scores_heads: bool = False
    """Whether it has one."""

    def signs(self, lengths: NDArray[np.int64]) -> Floats:
        """Returns the calibration features of each word, one row per word; `lengths` has one entry per tree.

        These are the logits of all odds, of head and label combined, and of the lower of the two; the length of the
        arc, whether it comes from the root, and the length of the sentence.
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
        """Returns the odds of head and label without calibration.

        The odds of the head come from the head scorer; without one, from the beam or the decisions about the word.
        """
        if self.scores_heads:
            return np.asarray(self.label_odds + self.known, np.float64)
        return np.asarray(self.label_odds + np.minimum(self.waiting, self._shares()), np.float64)

    def _shares(self) -> Floats:
        return np.log(np.maximum(np.asarray(self.shares, np.float64), 1e-6))


SIGNS = 10
"""The number of columns of `Evidence.signs`."""


def logit(odds: NDArray[np.floating]) -> Floats:
    """Converts log probabilities to logits, clipped to a finite range.

    >>> logit(np.log(np.array([0.5, 0.9, 1.0]))).round(3).tolist()
    [0.0, 2.197, 9.0]
    """
    p = np.exp(np.asarray(odds, np.float64))
    return np.asarray(np.clip(odds - np.log(np.maximum(1 - p, 1e-12)), -_MOST, _MOST))


def words_of_trees(lengths: NDArray[np.int64], trees: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the offsets of each tree's words, given the number of trees per sentence; the last offset is the end.

    >>> words_of_trees(np.array([2, 3]), np.array([2, 1])).tolist()
    [0, 2, 4, 7]
    """
    return np.append(0, np.cumsum(np.repeat(lengths, trees)))


def certain_where_fixed(evidence: Evidence, corpus: Corpus, fixed: FixedArcs | None) -> Evidence:
    """Returns the evidence with certainty about given heads and labels."""
    if fixed is None or not corpus.words:
        return evidence
    starts = np.cumsum(corpus.lengths) - corpus.lengths
    counts = np.diff(evidence.first)
    places = [np.arange(start, start + n) for start, n in zip(starts, corpus.lengths, strict=True)]
    words = np.concatenate([np.tile(place, count) for place, count in zip(places, counts, strict=True)])
    given, labelled = fixed.heads[words] >= 0, fixed.given_labels[words]
    sure: dict[str, Any] = {name: np.where(given, 0, getattr(evidence, name)) for name in ("built", "waiting", "known")}
    sure["shares"] = np.where(given, 1, evidence.shares)
    sure["label_odds"] = np.where(labelled, 0, evidence.label_odds)
    sure["other_labels"] = np.where(labelled, -1, evidence.other_labels)
    return evidence._replace(**sure)
