"""The canonical derivation of a tree and a graph over one queue (S4 §3)."""

from __future__ import annotations

from collections.abc import Mapping

from multiplane.graphs import DependencyGraph
from multiplane.oracles.static import StaticOracle
from multiplane.systems.synchronous import Step, SynchronousSystem


def synchronous_derivation(
    system: SynchronousSystem,
    tree: DependencyGraph,
    graph: DependencyGraph,
    predicates: Mapping[int, str] | None = None,
    strategy: str | None = None,
) -> list[Step]:
    """Returns the steps that derive a tree and a graph; arcs outside the systems' classes are left out.

    `strategy` is that of the semantic oracle, such as `last-resort`. The sense of the first word is not part of a step,
    but of the initial configuration.

    >>> from multiplane.systems import systems
    >>> both = SynchronousSystem(systems["planar"], systems["swap-graph"])
    >>> tree, graph = DependencyGraph(2, [(2, 1, "nsubj")]), DependencyGraph(2, [(2, 1, "A0")])
    >>> for step in synchronous_derivation(both, tree, graph, {2: "leave.01"}):
    ...     print(step)
    syntax: SHIFT
    semantics: SHIFT next=leave.01
    syntax: LEFT-ARC(nsubj)
    syntax: SHIFT
    semantics: LEFT-ARC(A0)
    semantics: SHIFT
    """
    senses = predicates or {}
    sequences = {
        "syntax": StaticOracle(system.syntax).sequence(tree),
        "semantics": StaticOracle(system.semantics, strategy).sequence(graph),
    }
    waiting = {layer: iter(sequence) for layer, sequence in sequences.items()}
    c = system.initial(tree.n, senses.get(1))
    steps = []
    while not c.is_terminal:
        layer = c.layer
        transition = next(waiting[layer], None)
        if transition is None:
            break  # the oracle could not finish: a system that may get stuck
        after = c.apply(transition)
        sense = None
        if after.unread_by_semantics < c.unread_by_semantics:
            sense = senses.get(after.semantics.n - after.unread_by_semantics + 1)
        steps.append(Step(layer, transition, sense))
        c = after if sense is None else c.apply(transition, sense=sense)
    return steps
