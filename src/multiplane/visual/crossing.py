"""Tells which arcs of a drawing cross others."""

from __future__ import annotations

import numpy as np

from multiplane.visual.layout import Drawing

__all__ = ["crossing_arcs"]


def crossing_arcs(drawing: Drawing) -> list[bool]:
    """Returns, for each of a drawing's arcs, whether it crosses another arc of the same layer.

    >>> crossing_arcs(Drawing(("a", "b", "c", "d"), planes=(((1, 3, ""), (1, 2, "")), ((4, 2, ""),))))
    [True, False, True]
    """
    found = [False] * len(drawing.arcs)
    for layer in range(2 if drawing.layers else 1):
        here = [i for i, (plane, *_) in enumerate(drawing.arcs) if not drawing.layers or plane % 2 == layer]
        spans = [(min(drawing.arcs[i][1:3]), max(drawing.arcs[i][1:3])) for i in here]
        for index, crosses in zip(here, _crossing(len(drawing.words), spans), strict=True):
            found[index] = crosses
    return found


def _crossing(n: int, spans: list[tuple[int, int]]) -> list[bool]:
    # The ends furthest away of the arcs that begin, or end, at each word: a span is crossed if and only if one of those
    # inside it is outside. So nothing looks at all pairs, of which a long sentence may have millions.
    furthest_right, furthest_left = np.zeros(n + 2, dtype=np.intp), np.full(n + 2, n + 1, dtype=np.intp)
    for left, right in spans:
        furthest_right[left] = max(furthest_right[left], right)
        furthest_left[right] = min(furthest_left[right], left)
    return [
        bool(right - left > 1)
        and bool(
            furthest_right[left + 1 : right].max() > right or furthest_left[left + 1 : right].min() < left,
        )
        for left, right in spans
    ]
