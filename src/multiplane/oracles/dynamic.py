"""Dynamic oracles: the loss of any configuration, and the cost of every transition in it."""

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
    """The dynamic oracle of a system: one of the papers', or one derived for a system of your own.

    The loss of a configuration is the least number of gold arcs missing from any graph that can be reached from it.
    With several stacks it is taken for a plane assignment, as in S2: an arc counts if the stack of its plane builds
    it. The assignment is the static oracle's, or any other given as `planes`.

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
        loss_of(system)  # an error says why there is none
        self.system = system
        self.regularized = regularized
        """Whether a free transition costs 1 where it leaves the active stack although an arc can be built there for
        free (S2), where it is a SWITCH and no other stack has an arc for the next word, or where a longer free
        transition begins with it."""
        self.spec = oracle_spec(system)
        self._static = StaticOracle(system)
        self._last: tuple[object, _native.DynamicOracle] | None = None

    def loss(self, c: Configuration, graph: DependencyGraph, planes: Sequence[set[Arc]] | None = None) -> int:
        """The least number of gold arcs missing from any graph that can be reached."""
        return self._of(c, graph, planes).loss(c._native)

    def costs(
        self, c: Configuration, graph: DependencyGraph, planes: Sequence[set[Arc]] | None = None
    ) -> dict[str, int]:
        """The cost of every legal transition: how much it increases the loss; arcs with their right label."""
        names = self.system.names
        return {names[number]: cost for number, cost in self._of(c, graph, planes).costs(c._native, self.regularized)}

    def planes(self, graph: DependencyGraph, *, canonical: bool = False) -> list[set[Arc]]:
        """The plane assignment used where none is given: that of the static oracle, which prefers the active plane.

        Neural parsers are trained with canonical planes: an arc that crosses nothing is in the first plane, and so is
        the first one of those that cross each other. So a parser that has missed a crossing still knows where the next
        arc belongs.

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
        """The native oracle for a gold graph, for loops that ask it often.

        Arcs that no derivation builds do not count.
        """
        self._static.check(graph)
        chosen = self.planes(graph) if planes is None else self._checked(graph, planes)
        numbers = _numbers(counted_arcs(self.system, graph), chosen)
        return _native.DynamicOracle(self.system.program, self.spec, graph.n, *GoldArrays.of(graph)[:3], planes=numbers)

    def _checked(self, graph: DependencyGraph, planes: Sequence[set[Arc]]) -> Sequence[set[Arc]]:
        """The caller's planes: every arc of the graph in one of them, and none with a crossing."""
        if len(planes) > self.system.stacks:
            raise GraphError(f"{self.system.name} has {self.system.stacks} planes, not {len(planes)}")
        given = [arc for plane in planes for arc in plane]
        arcs = set(counted_arcs(self.system, graph))
        if len(given) != len(arcs) or set(given) != arcs:
            odd = sorted(set(given) ^ arcs, key=str)[:3]
            raise GraphError(
                f"the planes must hold every arc of the graph once, labels included; look at {odd or given}"
            )
        for number, plane in enumerate(planes):
            if (pair := graph.subgraph(plane).crossing()) is not None:
                raise GraphError(f"plane {number} has two arcs that cross: {pair[0]} and {pair[1]}")
        return planes

    def _of(self, c: Configuration, graph: DependencyGraph, planes: Sequence[set[Arc]] | None) -> _native.DynamicOracle:
        """The native oracle for this graph; the last one is kept, since people go through a graph step by step."""
        if c.n != graph.n:
            raise GraphError(f"the configuration has {c.n} words and the graph {graph.n}")
        if not c.system.same_declaration(self.system):
            raise GraphError(f"the configuration belongs to {c.system.title}, the oracle to {self.system.title}")
        key = (graph, None if planes is None else tuple(map(frozenset, planes)))
        last = self._last  # another thread may put its own there meanwhile
        if last is None or last[0] != key:
            last = self._last = (key, self.native(graph, planes))
        return last[1]

    def __getstate__(self) -> dict[str, object]:
        """What pickling keeps: what the constructor was given."""
        return {"system": self.system, "regularized": self.regularized}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__init__(state["system"], regularized=state["regularized"])  # type: ignore[misc]


def _numbers(arcs: Sequence[Arc], planes: Sequence[set[Arc]]) -> list[int]:
    """For each arc the number of its plane, or -1."""
    return [next((number for number, plane in enumerate(planes) if arc in plane), -1) for arc in arcs]
