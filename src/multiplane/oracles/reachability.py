"""Dynamic oracles for systems without a published one, derived and verified by exhaustive search.

The loss of a configuration is the minimum number of gold arcs that a continuation misses. Two properties make it easy
to compute, and both are checked on all configurations for a few words. First, whether a single arc can still be built
depends only on the state of its two words. Second, the loss is the number of arcs that cannot be built individually,
apart from cycles: the system is arc-decomposable (Goldberg and Nivre 2013). If either fails, there is no dynamic
oracle, and the counterexample is the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np

from multiplane import _native
from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.graphs.enumerate import all_forests
from multiplane.oracles.exhaustive import StateSpace
from multiplane.oracles.gold import GoldArrays
from multiplane.systems import Composition, Configuration, TransitionSystem

MOST_STATES = {2: 400_000, 3: 400_000, 4: 20_000}
"""The maximum number of configurations to search, by number of words; longer sentences are skipped beyond that."""
_LEAST_WORDS = 3  # shorter sentences do not show what lies between two words


@dataclass(frozen=True, eq=False)
class Reachability:
    """A table of the arcs that a system can still build, or why there is none."""

    table: _native.ReachTable | None
    why: str = ""
    """Why there is no table, with a counterexample."""


@lru_cache(maxsize=256)
def reachability_of(transitions: tuple[Composition, ...], stacks: int, strategy: str) -> Reachability:
    """Derives the table for a system; `strategy` is that of its static oracle. Results are cached.

    >>> from multiplane.systems import systems
    >>> arc_eager = systems["arc-eager"].transitions
    >>> reachability_of(tuple(arc_eager.values()), 1, "planar").table is not None
    True
    """
    system = TransitionSystem("derived", {f"T{i}": t for i, t in enumerate(transitions)}, stacks=stacks)
    if any(transition.parametrized for transition in transitions):
        return Reachability(None, "its transitions have a position parameter")
    table, words, proof = _native.derive_reach(system.program, list(MOST_STATES.values()))
    if proof:
        return Reachability(None, _not_local(system, proof))
    if words < _LEAST_WORDS:
        return Reachability(
            None, f"it has too many configurations to derive one ({MOST_STATES[_LEAST_WORDS]:,} at most)"
        )
    why = ""
    for counts_cycles in (False, True):
        table.counts_cycles = counts_cycles
        why = _counterexample(system, strategy, table, words)
        if not why:
            return Reachability(table)
    return Reachability(None, why)


def _not_local(system: TransitionSystem, proof: list[tuple[_native.Configuration, tuple[int, int]]]) -> str:
    (yes, arc), (no, other) = ((Configuration(system, native), arc) for native, arc in proof)
    return (
        "the positions of two words do not determine whether an arc between them can still be built: "
        f"{arc} can from {yes}, and {other} cannot from {no}"
    )


def _counterexample(system: TransitionSystem, strategy: str, table: _native.ReachTable, words: int) -> str:
    """Returns why the loss is not a sum over arcs, or an empty string if it is."""
    from multiplane.oracles.static import StaticOracle  # noqa: PLC0415 - static oracles need no losses

    static = StaticOracle(system, strategy)
    spec = _native.OracleSpec(system.program, static.spec.strategy, static.spec.target, _native.LossKind.DERIVED, table)
    for n in range(2, words + 1):
        space = StateSpace(system, n)
        for graph in _gold_graphs(n, single_head=bool(system.properties()["single_head"])):
            derivation = static.derive(graph)
            if derivation.lost or derivation.added or not derivation.complete:
                continue  # not in the class
            if why := _judge(space, graph, derivation.planes, spec):
                return why
    return ""


def _judge(space: StateSpace, graph: DependencyGraph, planes: list[set[Arc]], spec: _native.OracleSpec) -> str:
    gold = GoldArrays.of(graph)
    numbers = [next(p for p, plane in enumerate(planes) if arc in plane) for arc in graph.arcs]
    oracle = _native.DynamicOracle(space.system.program, spec, graph.n, *gold[:3], planes=numbers)
    expected, found = space.losses(graph, planes), space.native.losses(oracle)
    reachable = expected <= len(graph.arcs)  # a greater loss means that no terminal configuration is reachable
    wrong = np.flatnonzero((found != expected) & reachable)
    if not len(wrong):
        return ""
    c = space.state(int(wrong[0]))
    arcs = [arc for arc in graph.arcs if arc not in {(h, d) for h, d, _ in c.arcs}]
    return f"its loss is not a sum over arcs: from {c} each of {_listed(arcs)} can be built, but not all of them"


def _gold_graphs(n: int, *, single_head: bool) -> Iterator[DependencyGraph]:
    if single_head or n > _LEAST_WORDS:
        for forest in all_forests(n):
            yield DependencyGraph(n, forest.word_arcs)
        return
    arcs = list(permutations(range(1, n + 1), 2))
    for size in range(len(arcs) + 1):
        for chosen in combinations(arcs, size):
            yield DependencyGraph(n, chosen)


def _listed(arcs: list[Arc]) -> str:
    texts = [str(arc) for arc in arcs]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
