"""Significance tests for the difference between two F1 scores, by resampling sentence counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from multiplane.evaluation.tally import Tally

Counts = NDArray[np.float64]
"""Rows with the numbers of gold, system and correct items, concatenated over the parts of a score."""

_CELLS = 4_000_000
"""The approximate number of random numbers in memory at a time."""


def counts_of(parts: Sequence[Tally]) -> Counts:
    """Returns a row for each sentence."""
    return np.stack([column for part in parts for column in (part.gold, part.system, part.correct)], 1).astype(float)


def f1_of(counts: Counts) -> NDArray[np.float64]:
    """Returns the F1 score of each row, from 0 to 1; with several parts, from mean precision and mean recall.

    >>> f1_of(np.array([[10.0, 8.0, 6.0], [0.0, 0.0, 0.0]])).round(4).tolist()
    [0.6667, 0.0]
    """
    gold, system, correct = (counts[..., place::3] for place in range(3))
    precision, recall = ((correct / np.maximum(whole, 1)).mean(axis=-1) for whole in (system, gold))
    both = precision + recall
    return np.asarray(2 * precision * recall / np.where(both > 0, both, 1))


def bootstrap_f1(a: Counts, b: Counts, samples: int, rng: np.random.Generator) -> tuple[float, tuple[float, float]]:
    """Returns the p-value of the paired bootstrap, and the confidence interval of the difference in percent.

    Each sample draws as many sentences as there are, with replacement. The p-value is the share of samples at least as
    far from the observed difference as that is from zero; the observed difference itself counts as a sample.

    >>> a = np.array([[5.0, 5.0, 4.0]] * 9)
    >>> bootstrap_f1(a, a, 99, np.random.default_rng(1))
    (1.0, (0.0, 0.0))
    """
    size = len(a)
    observed = float(f1_of(a.sum(axis=0)) - f1_of(b.sum(axis=0)))
    differences = np.empty(samples)
    for block in _blocks(samples, size):
        rows = block.stop - block.start
        drawn = rng.integers(0, size, (rows, size)) + size * np.arange(rows)[:, None]
        times = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size).astype(float)
        differences[block] = f1_of(times @ a) - f1_of(times @ b)
    beyond = int((np.abs(differences - observed) >= abs(observed) - 1e-12).sum())
    low, high = np.quantile(100 * differences, [0.025, 0.975]).tolist()
    return (beyond + 1) / (samples + 1), (low, high)


def shuffling_f1(a: Counts, b: Counts, samples: int, rng: np.random.Generator) -> float:
    """Returns the p-value of stratified shuffling, which swaps each sentence's two outputs with probability 1/2.

    It is the share of shuffles whose difference is at least the observed one, which itself counts as a shuffle.

    >>> shuffling_f1(np.array([[5.0, 5.0, 5.0]]), np.array([[5.0, 5.0, 1.0]]), 99, np.random.default_rng(1))
    1.0
    """
    sums = a.sum(axis=0), b.sum(axis=0)
    observed = abs(float(f1_of(sums[0]) - f1_of(sums[1])))
    gains = (b - a)[(a != b).any(axis=1)]
    beyond = 0
    for block in _blocks(samples, len(gains)):
        swapped = rng.integers(0, 2, (block.stop - block.start, len(gains)), dtype=np.int8).astype(float) @ gains
        differences = f1_of(sums[0] + swapped) - f1_of(sums[1] - swapped)
        beyond += int((np.abs(differences) >= observed - 1e-12).sum())
    return (beyond + 1) / (samples + 1)


def _blocks(samples: int, size: int) -> Iterator[slice]:
    step = max(1, _CELLS // max(1, size))
    return (slice(start, min(start + step, samples)) for start in range(0, samples, step))
