"""Reliability of confidence scores: whether arcs with a score of 0.9 are correct nine times out of ten."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import FormatError
from multiplane.evaluation.pair import Pair
from multiplane.formats import Corpus, Treebank, as_corpus
from multiplane.formats.scores import word_scores
from multiplane.messages import counted

BINS = 15
LEAST_CERTAIN = 0.1
"""The share of least certain words whose errors are counted."""


@dataclass(frozen=True)
class Bin:
    """A bin of words with similar confidence."""

    low: float
    high: float
    confidence: float
    """The mean confidence."""
    accuracy: float
    """The share of words with the correct head and label."""
    words: int


@dataclass(frozen=True)
class Reliability:
    """The reliability of confidence scores; all values are from 0 to 1."""

    words: int
    accuracy: float
    """The share of words with the correct head and full label."""
    confidence: float
    """The mean confidence."""
    ece: float
    """Expected calibration error: the mean distance between confidence and accuracy in `BINS` bins of equal width."""
    least_certain: float
    """The share of all errors among the tenth of words with the lowest confidence."""
    possible: float
    """The maximum of that share: if all words in that tenth were errors, or all errors were in it."""
    bins: tuple[Bin, ...]
    """The non-empty bins."""


def reliability(gold: Treebank, predicted: Treebank, confidences: NDArray[np.floating] | None = None) -> Reliability:
    """Compares a parser's confidence scores with the accuracy of its arcs.

    A word is correct if its head and full label are. `confidences` are concatenated over all sentences of `predicted`;
    by default, they are read from `Score` in MISC, which every word must have. Words that the gold standard lacks count
    as errors.

    >>> from multiplane import load, sample
    >>> found = reliability(sample(), load("en").parse(sample(), scores=True))
    >>> found.words, found.least_certain <= found.possible
    (714, True)
    """
    system = as_corpus(predicted)
    pair = Pair(gold, system)
    right = np.zeros(system.words, np.bool_)
    right[pair.system_words] = pair.attached(pair.labels)
    return reliability_of(_scores(system) if confidences is None else np.asarray(confidences, np.float64), right)


def reliability_of(confidences: NDArray[np.float64], right: NDArray[np.bool_]) -> Reliability:
    """Compares confidence scores with correctness.

    >>> found = reliability_of(np.array([0.9, 0.9, 0.5, 0.4]), np.array([True, True, True, False]))
    >>> round(found.ece, 3), found.least_certain, found.possible
    (0.275, 1.0, 1.0)
    """
    words = len(right)
    if not words:
        return Reliability(0, 0.0, 0.0, 0.0, 0.0, 0.0, ())
    place = np.minimum((confidences * BINS).astype(np.int64), BINS - 1)
    counts = np.bincount(place, minlength=BINS)
    sums = np.bincount(place, confidences, BINS), np.bincount(place, right, BINS)
    bins = tuple(
        Bin(i / BINS, (i + 1) / BINS, float(sums[0][i] / n), float(sums[1][i] / n), n)
        for i, n in enumerate(counts.tolist())
        if n
    )
    ece = sum(each.words * abs(each.confidence - each.accuracy) for each in bins) / words
    errors, few = int((~right).sum()), max(round(words * LEAST_CERTAIN), 1)
    lowest = np.argsort(confidences, kind="stable")[:few]
    share = float((~right[lowest]).sum() / errors) if errors else 0.0
    possible = min(few / errors, 1.0) if errors else 0.0
    return Reliability(words, float(right.mean()), float(confidences.mean()), ece, share, possible, bins)


def _scores(corpus: Corpus) -> NDArray[np.float64]:
    scores = word_scores(corpus)
    missing = np.flatnonzero(np.isnan(scores))
    if missing.size:
        sentence = corpus[int(corpus.sentence_of[missing[0]])]
        raise FormatError(
            f"{counted(missing.size, 'word')} without Score=… in MISC; parse the file with --scores",
            file=corpus.name,
            line=sentence.line,
            sent_id=sentence.sent_id,
        )
    return scores
