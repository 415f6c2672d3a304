"""Reconstruction (S3 §4): from undirected edges to a directed tree."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Literal, get_args

import numpy as np

from multiplane import _native
from multiplane.errors import GraphError
from multiplane.graphs.arcs import Arc, checked_size
from multiplane.graphs.graph import DependencyGraph

Method = Literal["naive", "label", "label-strict"]
"""How `reconstruct` weighs directions."""

METHODS: tuple[Method, ...] = get_args(Method)

NATIVE_METHODS = {
    "naive": _native.Reconstruction.NAIVE,
    "label": _native.Reconstruction.LABEL,
    "label-strict": _native.Reconstruction.LABEL_STRICT,
}


def reconstruct(
    n: int, edges: Iterable[Arc], method: Method = "label", *, root_label: str | None = None
) -> DependencyGraph:
    """Turns undirected edges over the words 1..n and the root 0 into a directed tree from 0 to every word.

    An edge is `(head, dependent)` or `(head, dependent, label)`. Its direction is only a preference, and it keeps its
    label whichever way it turns. The edges must not form a cycle. Each component of words gets one root, from which its
    edges point away:

    - naive: the word linked to 0; in a component without one, the leftmost word. Ignores directions.
    - label: the word from which the most edges keep their directions. If another word was linked to 0, that link moves
      to the root, with its label.
    - label-strict: the word linked to 0; in a component without one, as label.

    Ties go to the word linked to 0, then to the leftmost. New arcs from 0 get `root_label`. Linear time.

    >>> reconstruct(3, [(0, 1, "root"), (2, 1, "nsubj"), (2, 3, "obj")]).arcs
    ((2, 1, 'nsubj'), (0, 2, 'root'), (2, 3, 'obj'))
    >>> reconstruct(3, [(0, 1, "root"), (2, 1, "nsubj"), (2, 3, "obj")], "label-strict").arcs
    ((0, 1, 'root'), (1, 2, 'nsubj'), (2, 3, 'obj'))
    """
    if method not in METHODS:
        close = get_close_matches(str(method), METHODS)
        hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(METHODS)}"
        raise GraphError(f"unknown method '{method}'; {hint}")
    n = checked_size(n)
    written = [_checked(edge, n) for edge in edges]
    ends = np.array([edge[:2] for edge in written], np.int32).reshape(-1, 2)
    try:
        heads, carried = _native.reconstruct(
            n, ends[:, 0].copy(), ends[:, 1].copy(), np.ones(len(ends), np.int8), NATIVE_METHODS[method]
        )
    except ValueError as error:
        raise GraphError(str(error)) from None
    new = () if root_label is None else (root_label,)
    labels = [written[edge][2:] if edge >= 0 else new for edge in carried.tolist()]
    arcs = ((head, word, *label) for word, (head, label) in enumerate(zip(heads.tolist(), labels, strict=True), 1))
    return DependencyGraph(n, arcs)


def _checked(edge: Arc, n: int) -> Arc:
    try:
        one, other, *label = edge
    except (TypeError, ValueError):
        raise GraphError(f"{edge!r} is not an edge; give (head, dependent) or (head, dependent, label)") from None
    if len(label) > 1 or not all(isinstance(end, int | np.integer) for end in (one, other)):
        raise GraphError(f"{edge!r} is not an edge; give (head, dependent) or (head, dependent, label)")
    if not (0 <= one <= n and 0 <= other <= n):
        raise GraphError(f"edge {edge!r} is outside the words 1..{n} (0 is allowed: the root)")
    return (one, other, *label)  # type: ignore[return-value]
