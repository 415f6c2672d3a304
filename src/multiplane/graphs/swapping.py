"""Which graphs can be derived by swapping the two uppermost words of the stack (S4 §2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from multiplane import _native
from multiplane.graphs.arcs import Arc

if TYPE_CHECKING:
    from multiplane.graphs.graph import DependencyGraph


def is_swappable(graph: DependencyGraph) -> bool:
    """Whether some derivation with SWAP builds all arcs, by S4's Theorem 1: whether the exhaustive order does."""
    return _native.is_swappable(graph.n, *graph.ends)


def unswappable(graph: DependencyGraph) -> list[Arc] | None:
    """Returns a minimal set of arcs that no derivation with SWAP builds, or None."""
    return [graph.word_arcs[a] for a in _native.unswappable(graph.n, *graph.ends)] or None
