"""Gold graphs as arrays for the native core."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.systems import TransitionSystem


class GoldArrays(NamedTuple):
    """Heads, dependents and labels of all arcs, including those from the root 0."""

    heads: NDArray[np.int32]
    dependents: NDArray[np.int32]
    labels: NDArray[np.int32]
    """Indices into `names`; -1 for an arc without a label."""
    names: tuple[str, ...]

    @staticmethod
    def of(graph: DependencyGraph) -> GoldArrays:
        """Converts the arcs of a graph.

        >>> GoldArrays.of(DependencyGraph(2, [(0, 2), (2, 1, "nsubj")])).labels.tolist()
        [-1, 0]
        """
        names: dict[str, int] = {}
        rows = [(arc[0], arc[1], names.setdefault(arc[2], len(names)) if len(arc) > 2 else -1) for arc in graph.arcs]
        table = np.array(rows, dtype=np.int32).reshape(-1, 3)
        heads, dependents, labels = (np.ascontiguousarray(table[:, i]) for i in range(3))
        return GoldArrays(heads, dependents, labels, tuple(names))

    def label(self, number: int) -> str | None:
        """Returns the label with this index, or None."""
        return None if number < 0 else self.names[number]


def counted_arcs(system: TransitionSystem, graph: DependencyGraph) -> tuple[Arc, ...]:
    """Returns the arcs that the system can build: not from a word to itself, and from 0 only if it has such a root."""
    return tuple(arc for arc in graph.arcs if arc[0] != arc[1] and (arc[0] > 0 or system.root is not None))
