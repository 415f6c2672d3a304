"""Multiplanarity (S0 §3, S1 §4): the crossings graph, and planes that separate crossing arcs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from multiplane import _native
from multiplane.errors import GraphError, PlanarityUndecidedError
from multiplane.graphs.arcs import Arc

if TYPE_CHECKING:
    from multiplane.graphs.graph import DependencyGraph

_NO_LIMIT = 1 << 30


def crossing(graph: DependencyGraph) -> tuple[Arc, Arc] | None:
    """Returns two crossing arcs, or None."""
    pair = _native.crossing(*graph.ends)
    return None if pair is None else (graph.word_arcs[pair[0]], graph.word_arcs[pair[1]])


def crossings(graph: DependencyGraph) -> list[tuple[Arc, Arc]]:
    """Returns all pairs of crossing arcs."""
    return [(graph.word_arcs[a], graph.word_arcs[b]) for a, b in _native.crossings(*graph.ends)]


def planarity(graph: DependencyGraph) -> int:
    """Returns the smallest k for which the graph is k-planar."""
    return _minimal_planes(graph, _NO_LIMIT)[0]


def planes(graph: DependencyGraph, k: int | None = None) -> list[set[Arc]] | None:
    """Assigns the arcs between words to k planes (by default, as few as possible); None if not k-planar."""
    if k is not None and k < 1:
        raise GraphError(f"a graph cannot have {k} planes; k must be positive")
    least, plane_of = _minimal_planes(graph, _NO_LIMIT if k is None else k)
    if k is not None and least > k:
        return None
    result: list[set[Arc]] = [set() for _ in range(least if k is None else k)]
    for arc, plane in zip(graph.word_arcs, plane_of, strict=True):
        result[plane].add(arc)
    return result


def odd_cycle(graph: DependencyGraph) -> list[Arc] | None:
    """Returns an odd cycle of the crossings graph, or None if the graph is 2-planar."""
    return [graph.word_arcs[a] for a in _native.odd_cycle(*graph.ends)] or None


def obstruction(graph: DependencyGraph, k: int) -> list[Arc] | None:
    """Returns a minimal set of arcs that is not k-planar, or None if the graph is k-planar.

    For k = 1 a crossing pair, for k = 2 a chordless odd cycle, else k + 1 pairwise crossing arcs if there are any.

    >>> from multiplane import DependencyGraph
    >>> obstruction(DependencyGraph(4, [(1, 2), (1, 3), (2, 4)]), 1)
    [(1, 3), (2, 4)]
    """
    if planes(graph, k) is not None:
        return None
    clique = _native.clique(*graph.ends, enough=k + 1)
    if len(clique) > k:
        return [graph.word_arcs[a] for a in clique]
    arcs = odd_cycle(graph) if k == 2 else list(graph.word_arcs)
    assert arcs is not None  # not 2-planar, so there is one
    # Drop every arc without which the rest still does not fit.
    for arc in list(arcs):
        rest = [other for other in arcs if other != arc]
        if planes(graph.subgraph(rest), k) is None:
            arcs = rest
    return arcs


def _minimal_planes(graph: DependencyGraph, limit: int) -> tuple[int, list[int]]:
    try:
        return _native.minimal_planes(*graph.ends, limit=limit)
    except _native.Undecided as error:
        least = len(_native.clique(*graph.ends, enough=_NO_LIMIT))
        raise PlanarityUndecidedError(
            f"minimal planes of {len(graph.word_arcs)} arcs: {error}; at least {least} are needed; "
            "try planes(k) with a small k instead"
        ) from None
