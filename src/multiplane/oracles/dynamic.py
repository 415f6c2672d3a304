"""Dynamic oracles: the loss of any configuration, and the cost of every transition in it."""

from __future__ import annotations

from collections.abc import Sequence

from multiplane import _native
from multiplane.errors import GraphError, TransitionSystemError
from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.oracles.gold import ON_A_STACK, arrays_of, counted_arcs, roles_of, work_of
from multiplane.oracles.static import StaticOracle
from multiplane.systems import Configuration, TransitionSystem, systems
from multiplane.systems.elementary import Op
from multiplane.systems.guards import Atom

_KINDS = {"planar": 0, "arc-eager": 1, "arc-hybrid": 2, "arc-hybrid-swap": 3, "covington": 4}


class DynamicOracle:
    """The dynamic oracle of a system: planar, k-planar, arc-eager, arc-hybrid, arc-hybrid-swap or covington.

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
        self.system = system
        self.regularized = regularized
        """Whether what is free costs 1 where it leaves the active stack although an arc can be built there for nothing
        (S2), where it is a SWITCH and no other stack has an arc for the next word, or where a longer transition that
        is free begins with it."""
        kind = self._kind()
        if kind is None:
            raise TransitionSystemError(
                f"{system.name} has no dynamic oracle; planar, k-planar, arc-eager, arc-hybrid, arc-hybrid-swap and "
                "covington have one (in their forest versions)"
            )
        self._number = _KINDS[kind]
        self._static = StaticOracle(system)
        roles, _ = roles_of(system)
        self._switch, self._swap = roles[4], roles[5]
        guards = [] if self._switch < 0 else [step.guard for step in system.transitions["SWITCH"].steps]
        self._bounded = any(guard is not None and guard.implied().get(Atom.MAY_SWITCH) for guard in guards)
        self._last: tuple[object, _native.DynamicOracle] | None = None

    def _kind(self) -> str | None:
        properties = self.system.properties()
        for name in _KINDS:
            if systems[name].transitions == self.system.transitions and self.system.stacks == 1:
                return name
        forest = properties["single_head"] and properties["acyclic"]
        return "planar" if forest and self._does_all_that_planar_does() else None

    def _does_all_that_planar_does(self) -> bool:
        """Whether on every stack there are REDUCE and both arcs, each by itself, and the rest is made up of them.

        Then the same configurations can be reached, but for which stack is active, and so the loss is the same.
        """
        transitions = self.system.transitions
        named = {"SHIFT", "REDUCE", "LEFT-ARC", "RIGHT-ARC"} <= set(transitions)  # the static oracle goes by names
        switches = "SWITCH" in transitions
        if not named or (switches and any(len(transition.steps) > 1 for transition in transitions.values())):
            return False
        works = [work_of(transition, self.system.stacks) for transition in transitions.values()]
        plain = {
            work[0]: transition
            for work, transition in zip(works, transitions.values(), strict=True)
            if work is not None and len(work) == 1 and all(step.op is not Op.UNSHIFT for step in transition.steps)
        }
        stacks = range(1 if switches else self.system.stacks)
        needed = [(Op.SHIFT, 0), *((op, ahead) for ahead in stacks for op in ON_A_STACK)]
        if not all(work in plain for work in needed):
            return False
        free = [plain[work] for work in needed if work[0] in (Op.SHIFT, Op.REDUCE)]
        return all(step.guard is None for transition in free for step in transition.steps) and all(
            work is not None and all(op in (Op.SHIFT, *ON_A_STACK) for op, _ in work) for work in works
        )

    def loss(self, c: Configuration, graph: DependencyGraph, planes: Sequence[set[Arc]] | None = None) -> int:
        """The least number of gold arcs missing from any graph that can be reached."""
        return self._of(c, graph, planes).loss(c._native)

    def costs(
        self, c: Configuration, graph: DependencyGraph, planes: Sequence[set[Arc]] | None = None
    ) -> dict[str, int]:
        """The cost of every legal transition, that is how much it increases the loss; arcs with their right label."""
        names = self.system.names
        return {names[number]: cost for number, cost in self._of(c, graph, planes).costs(c._native, self.regularized)}

    def planes(self, graph: DependencyGraph, *, turned: bool = False) -> list[set[Arc]]:
        """The plane assignment used where none is given: that of the static oracle, which prefers the active plane.

        Turned, it is the one that neural parsers are trained with: an arc that crosses nothing is in the first plane,
        and so is the first one of those that cross each other. So a parser that has missed a crossing still knows
        where the next arc belongs.

        >>> graph = DependencyGraph(6, [(3, 1), (2, 4), (4, 6), (6, 5)])
        >>> oracle = DynamicOracle(systems["2-planar"])
        >>> [sorted(plane) for plane in oracle.planes(graph)]
        [[(3, 1)], [(2, 4), (4, 6), (6, 5)]]
        >>> [sorted(plane) for plane in oracle.planes(graph, turned=True)]
        [[(3, 1), (4, 6), (6, 5)], [(2, 4)]]
        """
        planes = self._static.planes(graph)
        if not turned:
            return planes
        arcs = counted_arcs(self.system, graph)
        numbers = _native.turned_planes(self.system.program, graph.n, *arrays_of(graph), planes=_numbers(arcs, planes))
        return [{arc for arc, number in zip(arcs, numbers, strict=True) if number == p} for p in range(len(planes))]

    def native(self, graph: DependencyGraph, planes: Sequence[set[Arc]] | None = None) -> _native.DynamicOracle:
        """The native oracle for a gold graph, for loops that ask it often."""
        arcs = counted_arcs(self.system, graph)
        if self._number != _KINDS["planar"]:
            lost = set(self._static.derive(graph).lost)  # what no derivation can build is not counted
            plane_of = [-1 if arc in lost else 0 for arc in arcs]
        else:
            self._static.check(graph)
            chosen = self.planes(graph) if planes is None else self._checked(graph, planes)
            plane_of = _numbers(arcs, chosen)
        return _native.DynamicOracle(
            self.system.program,
            self._number,
            graph.n,
            *arrays_of(graph),
            planes=plane_of,
            switch_stack=self._switch,
            swap=self._swap,
            switch_is_bounded=self._bounded,
        )

    def _checked(self, graph: DependencyGraph, planes: Sequence[set[Arc]]) -> Sequence[set[Arc]]:
        """Planes that somebody gave: every arc of the graph in one of them, and none with a crossing."""
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
        """What pickling keeps: everything but the native oracle."""
        return {**self.__dict__, "_last": None}


def _numbers(arcs: Sequence[Arc], planes: Sequence[set[Arc]]) -> list[int]:
    """For each arc the number of its plane, or -1."""
    return [next((number for number, plane in enumerate(planes) if arc in plane), -1) for arc in arcs]
