"""Removes words from trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from multiplane.graphs.nonprojective import absolute_heads


def without_words(
    lengths: NDArray[np.int64], heads: NDArray[np.int32], removed: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Removes words from trees: their dependents attach to the nearest remaining ancestor, or to the root.

    The remaining words are renumbered. A sentence may have no words left.

    >>> heads = np.array([2, 0, 2, 3], np.int32)
    >>> lengths, heads = without_words(np.array([4]), heads, np.array([False, False, True, False]))
    >>> lengths.tolist(), heads.tolist()
    ([3], [2, 0, 2])
    """
    above = np.append(absolute_heads(lengths, heads), -1)
    gone = np.append(removed, False)  # the root, -1, stays
    while (lifted := gone[above]).any():
        above[lifted] = above[above[lifted]]
    kept = ~removed
    sentence_of = np.repeat(np.arange(len(lengths)), lengths)
    left = np.bincount(sentence_of[kept], minlength=len(lengths))
    first = np.repeat(np.cumsum(left) - left, left)
    new = np.append(np.cumsum(kept) - 1, -1)[above[:-1][kept]]
    return left, np.where(new < 0, 0, new - first + 1).astype(np.int32)
