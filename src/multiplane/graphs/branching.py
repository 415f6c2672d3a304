"""Minimum branchings: the cheapest directed tree that links a root to every word."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import GraphError
from multiplane.graphs.arcs import checked_size
from multiplane.graphs.graph import DependencyGraph

_WANTED = "give (head, dependent, cost): two words and a finite number"

WeightedArc = tuple[int, int, float]
"""`(head, dependent, cost)`; words from 1, head 0 for the artificial root."""


def minimum_branching(n: int, arcs: Iterable[WeightedArc] | NDArray[np.number[Any]], root: int = 0) -> DependencyGraph:
    """Returns the directed spanning tree of weighted arcs with the lowest total cost.

    Arcs are tuples `(head, dependent, cost)`, or the rows of an array. Costs are finite and may be negative; several
    arcs may join the same two words, and arcs into the root are never chosen. Among trees of equal cost, the result is
    one of them, always the same.

    The tree starts at the artificial root 0, or at the word `root`; then 0 is not a node. A word that no path from the
    root reaches raises `GraphError`, and so does an arc from a word to itself. O(m log m) for m arcs (Tarjan 1977).

    >>> minimum_branching(3, [(0, 1, 5), (0, 2, 6), (1, 2, 1), (2, 1, 1), (2, 3, 2), (1, 3, 2.5)]).arcs
    ((0, 1), (1, 2), (2, 3))
    >>> minimum_branching(3, [(1, 2, 1), (3, 2, 4), (3, 1, 2)], root=3).arcs
    ((3, 1), (1, 2))
    """
    n = checked_size(n)
    if not isinstance(root, int | np.integer) or not 0 <= root <= n:
        raise GraphError(f"the root {root!r} is neither 0 nor one of the words 1..{n}")
    heads, dependents, costs = _columns(arcs)
    if root:
        heads, dependents, costs = _beside_root(heads, dependents, costs, root)
    try:
        chosen = _native.minimum_branching(n, heads, dependents, costs, root)
    except ValueError as error:
        raise GraphError(str(error)) from None
    words = [word for word in range(1, n + 1) if word != root]
    return DependencyGraph(n, zip(heads[chosen[words]].tolist(), words, strict=True))


def _columns(
    arcs: Iterable[WeightedArc] | NDArray[np.number[Any]],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    if isinstance(arcs, np.ndarray):
        if arcs.size == 0:
            arcs = arcs.reshape(0, 3)
        if arcs.ndim != 2 or arcs.shape[1] != 3 or arcs.dtype.kind not in "iuf":
            raise GraphError(
                f"an array of shape {arcs.shape} and type {arcs.dtype} holds no arcs; {_WANTED} in each row"
            )
        rows = arcs
    else:
        rows = np.array([_checked(arc) for arc in arcs], np.float64).reshape(-1, 3)
    with np.errstate(invalid="ignore"):  # what is no number of a word does not stay the same
        ends = rows[:, :2].astype(np.int32)
    wrong = np.flatnonzero((ends != rows[:, :2]).any(axis=1))
    if len(wrong):
        raise GraphError(f"{tuple(rows[wrong[0]].tolist())} is not a weighted arc; {_WANTED}")
    return ends[:, 0].copy(), ends[:, 1].copy(), np.ascontiguousarray(rows[:, 2], np.float64)


def _checked(arc: WeightedArc) -> WeightedArc:
    try:
        head, dependent, cost = arc
        if isinstance(cost, Real):
            return index(head), index(dependent), float(cost)
    except (TypeError, ValueError, OverflowError):
        pass
    raise GraphError(f"{arc!r} is not a weighted arc; {_WANTED}")


def _beside_root(
    heads: NDArray[np.int32], dependents: NDArray[np.int32], costs: NDArray[np.float64], root: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Checks that no arc has the end 0, and links 0 to the root: the native core always has a node 0."""
    at_zero = np.flatnonzero((heads == 0) | (dependents == 0))
    if len(at_zero):
        arc = at_zero[0]
        raise GraphError(f"arc {heads[arc]}→{dependents[arc]} has the end 0, which is a node only if it is the root")
    return (
        np.append(heads, np.int32(root)),
        np.append(dependents, np.int32(0)),
        np.append(costs, 0.0),
    )
