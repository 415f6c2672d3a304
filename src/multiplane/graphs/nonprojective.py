"""Finds the words with non-projective arcs, for many trees at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def nonprojective_words(lengths: NDArray[np.int64], heads: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Returns, for each word, whether its arc spans a word that its head does not dominate; False for roots.

    >>> nonprojective_words(np.array([4]), np.array([3, 0, 2, 2], np.int32)).tolist()
    [True, False, False, False]
    """
    return _nonprojective(absolute_heads(lengths, heads))


def absolute_heads(lengths: NDArray[np.int64], heads: NDArray[np.int32]) -> NDArray[np.int64]:
    """Returns the index of each word's head among the words of all sentences; -1 for roots.

    >>> absolute_heads(np.array([2, 2]), np.array([0, 1, 2, 0], np.int32)).tolist()
    [-1, 0, 3, -1]
    """
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.where(heads > 0, first + heads - 1, -1)


def _nonprojective(heads: NDArray[np.int64]) -> NDArray[np.bool_]:
    words = np.arange(len(heads))
    left, right = np.minimum(heads, words), np.maximum(heads, words)
    found = np.zeros(len(heads), np.bool_)
    long = np.flatnonzero((heads >= 0) & (right - left > 1))
    if not len(long):
        return found
    first, size = _subtrees(heads)
    # Every other result is for the inside of a span; `reduceat` also computes those between spans, which are ignored.
    borders = np.stack([left[long] + 1, right[long]], axis=1).ravel()
    lowest, highest = np.minimum.reduceat(first, borders)[::2], np.maximum.reduceat(first, borders)[::2]
    head = heads[long]
    found[long] = (lowest < first[head]) | (highest >= first[head] + size[head])
    return found


def _subtrees(heads: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns preorder numbers of the words, so that each subtree has consecutive numbers, and the subtree sizes.

    Pointer doubling keeps deep trees fast: after i rounds, `above` is the ancestor 2**i steps up, and sums cover all
    words closer than that.
    """
    n = len(heads)
    parent = np.append(np.where(heads < 0, n, heads), n)  # n is the parent of roots and of itself
    size = np.append(np.ones(n, np.int64), 0)
    above = parent
    while (above != n).any():
        size += np.bincount(above, weights=size, minlength=n + 1).astype(np.int64)
        size[n] = 0
        above = above[above]
    # A word comes after its parent and the subtrees of its earlier siblings.
    order = np.argsort(parent[:n], kind="stable")
    before = np.cumsum(size[order]) - size[order]
    first = np.append(heads >= 0, False).astype(np.int64)
    first[order] += before - before[np.searchsorted(parent[order], parent[order])]
    above = parent
    while (above != n).any():
        first += first[above]
        above = above[above]
    return first[:n], size[:n]
