"""Dynamic oracles: the loss of a configuration, and the cost of every transition."""

from __future__ import annotations

from collections.abc import Sequence

from multiplane import _native
from multiplane.errors import GraphError
from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.oracles.gold import GoldArrays, counted_arcs
from multiplane.oracles.spec import loss_of, oracle_spec
from multiplane.oracles.static import StaticOracle
from multiplane.systems import Configuration, TransitionSystem


class DynamicOracle:
    """The dynamic oracle of a system: one from the papers, or one derived for a custom system.

    The loss of a configuration is the minimum number of gold arcs missing from any graph reachable from it. With
    several stacks it is relative to a plane assignment, as in S2: an arc counts if the stack of its plane builds it. By
    default, the assignment is the static oracle's; override it with `planes`.

    >>> from multiplane.systems import systems
    >>> oracle = DynamicOracle(systems["2-planar"])
    >>> gold = DependencyGraph(3, [(2, 1), (2, 3)])
    >>> c = systems["2-planar"].initial(3).apply("SHIFT")
    >>> oracle.costs(c, gold)
    {'SHIFT': 1, 'REDUCE': 1, 'LEFT-ARC': 0, 'RIGHT-ARC': 1, 'SWITCH': 0}
    >>> DynamicOracle(systems["2-planar"], regularized=True).costs(c, gold)["SWITCH"]
    1
    """

    def __init__(self, system: TransitionSystem, *, regularized: bool = False) -> None:
        loss_of(system)  # raises an error if there is none
        self.system = system
        self.regularized = regularized
        """Whether a zero-cost transition costs 1 if it leaves the active stack although a zero-cost arc can be built
        there (S2), if it is a SWITCH and no other stack has an arc for the next word, or if a longer zero-cost
        transition starts with it."""
        self.spec = oracle_spec(system)
        self._static = StaticOracle(system)
        self._last: tuple[object, _native.DynamicOracle] | None = None

    def loss(self, c: Configuration, graph: DependencyGraph, planes: Sequence[set[Arc]] | None = None) -> int:
        """Returns the minimum number of gold arcs missing from any reachable graph."""
        return self._of(c, graph, planes).loss(c._native)

    def costs(
        self, c: Configuration, graph: DependencyGraph, planes: Sequence[set[Arc]] | None = None
    ) -> dict[str, int]:
        """Returns the cost of every legal transition: how much it increases the loss, assuming correct labels."""
        names = self.system.names
        return {names[number]: cost for number, cost in self._of(c, graph, planes).costs(c._native, self.regularized)}

    def planes(self, graph: DependencyGraph, *, canonical: bool = False) -> list[set[Arc]]:
        """Returns the default plane assignment: that of the static oracle, which prefers the active plane.

        Neural parsers are trained with canonical planes: an arc without crossings is in the first plane, and so is the
        first of several crossing arcs. So a parser that has missed a crossing still knows where the next arc belongs.

        >>> from multiplane.systems import systems
        >>> graph = DependencyGraph(6, [(3, 1), (2, 4), (4, 6), (6, 5)])
        >>> oracle = DynamicOracle(systems["2-planar"])
        >>> [sorted(plane) for plane in oracle.planes(graph)]
        [[(3, 1)], [(2, 4), (4, 6), (6, 5)]]
        >>> [sorted(plane) for plane in oracle.planes(graph, canonical=True)]
        [[(3, 1), (4, 6), (6, 5)], [(2, 4)]]
        """
        planes = self._static.planes(graph)
        if not canonical:
            return planes
        arcs = counted_arcs(self.system, graph)
        numbers = _native.canonical_planes(
            self.system.program, graph.n, *GoldArrays.of(graph)[:3], planes=_numbers(arcs, planes)
        )
        return [{arc for arc, number in zip(arcs, numbers, strict=True) if number == p} for p in range(len(planes))]

    def native(self, graph: DependencyGraph, planes: Sequence[set[Arc]] | None = None) -> _native.DynamicOracle:
        """Returns the native oracle for a gold graph, for use in loops.

        Arcs that no derivation can build do not count.
        """
        self._static.check(graph)
        chosen = self.planes(graph) if planes is None else self._checked(graph, planes)
        numbers = _numbers(counted_arcs(self.system, graph), chosen)
        return _native.DynamicOracle(self.system.program, self.spec, graph.n, *GoldArrays.of(graph)[:3], planes=numbers)

    def _checked(self, graph: DependencyGraph, planes: Sequence[set[Arc]]) -> Sequence[set[Arc]]:
        """Checks the caller's planes: every arc of the graph is in exactly one, and no plane has a crossing."""
        if len(planes) > self.system.stacks:
            raise GraphError(f"{self.system.name} has {self.system.stacks} planes, not {len(planes)}")
        given = [arc for plane in planes for arc in plane]
        arcs = set(counted_arcs(self.system, graph))
        if len(given) != len(arcs) or set(given) != arcs:
            odd = sorted(set(given) ^ arcs, key=str)[:3]
            raise GraphError(
                f"the planes must contain every arc of the graph once, including labels; check {odd or given}"
            )
        for number, plane in enumerate(planes):
            if (pair := graph.subgraph(plane).crossing()) is not None:
                raise GraphError(f"plane {number} has two crossing arcs: {pair[0]} and {pair[1]}")
        return planes

    def _of(self, c: Configuration, graph: DependencyGraph, planes: Sequence[set[Arc]] | None) -> _native.DynamicOracle:
        """Returns the native oracle for this graph; caches the last one, because callers step through one graph."""
        if c.n != graph.n:
            raise GraphError(f"the configuration has {c.n} words and the graph {graph.n}")
        if not c.system.same_declaration(self.system):
            raise GraphError(f"the configuration belongs to {c.system.title}, the oracle to {self.system.title}")
        key = (graph, None if planes is None else tuple(map(frozenset, planes)))
        last = self._last  # another thread may replace it meanwhile
        if last is None or last[0] != key:
            last = self._last = (key, self.native(graph, planes))
        return last[1]

    def __getstate__(self) -> dict[str, object]:
        """Pickles the constructor's arguments."""
        return {"system": self.system, "regularized": self.regularized}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__init__(state["system"], regularized=state["regularized"])  # type: ignore[misc]


def _numbers(arcs: Sequence[Arc], planes: Sequence[set[Arc]]) -> list[int]:
    """Returns the index of each arc's plane, or -1."""
    return [next((number for number, plane in enumerate(planes) if arc in plane), -1) for arc in arcs]
