"""What both kinds of oracles need of a gold graph and a system: arrays, and transitions by their roles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.systems import Composition, TransitionSystem
from multiplane.systems.configuration import LABELS
from multiplane.systems.elementary import Op, Parameter

Arrays = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]

# The names under which transitions play a part in an oracle, in the order of the native core.
_ROLES = (("SHIFT",), ("REDUCE", "NO-ARC"), ("LEFT-ARC",), ("RIGHT-ARC",), ("SWITCH",), ("SWAP",))
ON_A_STACK = (Op.REDUCE, Op.LEFT_ARC, Op.RIGHT_ARC)

Work = tuple[tuple[Op, int], ...]


def work_of(transition: Composition, stacks: int) -> Work | None:
    """The elementary transitions of a composition with the stack that each works on, counted on from the active one.

    SWITCH is no work, and no more is UNSHIFT;SHIFT, which only sees to it that all stacks have the same top. A family
    of transitions has none that could be told.

    >>> from multiplane.systems import systems
    >>> work_of(systems["2-planar-direct"].transitions["REDUCE-2"], 2)
    ((<Op.REDUCE: 2>, 1),)
    """
    ahead = 0
    done: list[tuple[Op, int]] = []
    for step in transition.steps:
        if isinstance(step.times, Parameter):
            return None
        if step.op is Op.SWITCH:
            ahead = (ahead + step.times) % stacks
        elif step.op is Op.SHIFT and done and done[-1][0] is Op.UNSHIFT and step.times == 1:
            done.pop()
        else:
            done += [(step.op, ahead)] * step.times
    return tuple(done)


def roles_of(system: TransitionSystem) -> tuple[list[int], list[int]]:
    """The places of the transitions that play a part, -1 where there is none, and of all that build an arc.

    Behind those that have a part by their names stand the one that takes a word off all stacks and, where transitions
    work on other stacks than the active one without SWITCH, REDUCE, LEFT-ARC and RIGHT-ARC of each of these stacks.

    >>> from multiplane.systems import systems
    >>> roles_of(systems["2-planar"])
    ([0, 1, 2, 3, 4, -1, -1, -1, -1], [2, 3])
    >>> roles_of(systems["2-planar-direct"])
    ([0, 1, 2, 3, -1, -1, -1, -1, -1, 4, 5, 6], [2, 3, 5, 6])
    """
    names = system.names
    named = [next((names.index(name) for name in role if name in names), -1) for role in _ROLES]
    arcs = [number for number, name in enumerate(names) if system.transitions[name].builds_arc]
    if system.stacks == 1:
        return [*named, -1, -1, -1], arcs
    works = [work_of(transition, system.stacks) for transition in system.transitions.values()]
    everywhere = tuple((Op.REDUCE, ahead) for ahead in range(system.stacks))
    folded = (everywhere, ((Op.LEFT_ARC, 0), *everywhere), ((Op.RIGHT_ARC, 0), (Op.SHIFT, 0)))
    named += [works.index(work) if work in works else -1 for work in folded]
    further = [((op, ahead),) for ahead in range(1, system.stacks) for op in ON_A_STACK]
    if all(work in works for work in further):
        named += map(works.index, further)
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
