"""What both kinds of oracles need of a gold graph and a system: arrays, and transitions by their roles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.systems import TransitionSystem
from multiplane.systems.configuration import LABELS

Arrays = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]

# The names under which transitions play a part in an oracle, in the order of the native core.
_ROLES = (("SHIFT",), ("REDUCE", "NO-ARC"), ("LEFT-ARC",), ("RIGHT-ARC",), ("SWITCH",), ("SWAP",))


def roles_of(system: TransitionSystem) -> tuple[list[int], list[int]]:
    """The places of the transitions that play a part, -1 where there is none, and of all that build an arc.

    >>> from multiplane.systems import systems
    >>> roles_of(systems["2-planar"])
    ([0, 1, 2, 3, 4, -1], [2, 3])
    """
    names = system.names
    named = [next((names.index(name) for name in role if name in names), -1) for role in _ROLES]
    arcs = [number for number, name in enumerate(names) if system.transitions[name].builds_arc]
    return named, arcs


def arrays_of(graph: DependencyGraph) -> Arrays:
    """Heads, dependents and labels of all arcs, those from the root 0 included."""
    rows = [(arc[0], arc[1], LABELS.number(arc[2] if len(arc) > 2 else None)) for arc in graph.arcs]
    table = np.array(rows, dtype=np.int32).reshape(-1, 3)
    heads, dependents, labels = (np.ascontiguousarray(table[:, i]) for i in range(3))
    return heads, dependents, labels


def counted_arcs(system: TransitionSystem, graph: DependencyGraph) -> tuple[Arc, ...]:
    """The arcs that the system can build: those from the root 0 only where it has an artificial root."""
    return graph.word_arcs if system.root is None else graph.arcs
