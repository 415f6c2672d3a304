"""Static oracles: one correct transition sequence for a gold graph."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import GraphError, PlanarityUndecidedError, TransitionSystemError
from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.graphs.properties import closing_arc
from multiplane.oracles.gold import GoldArrays, counted_arcs
from multiplane.oracles.spec import static_spec, strategy_of
from multiplane.systems.system import Action, TransitionSystem

if TYPE_CHECKING:
    from multiplane.formats import Corpus
    from multiplane.formats.layers import LayerArcs


@dataclass(frozen=True)
class Derivation:
    """The derivation of a graph, and the arcs that could not be derived."""

    actions: list[Action]
    planes: list[set[Arc]]
    """The gold arcs built, by the stack that built them."""
    lost: list[Arc]
    """The gold arcs that were not built."""
    added: list[tuple[int, int]]
    """Arcs that were built but are not gold; none if the graph is in the class."""
    complete: bool
    """Whether the last configuration is terminal."""

    @property
    def sequence(self) -> list[str]:
        """The names of the transitions, with labels."""
        return [str(action) for action in self.actions]


@dataclass
class Statistics:
    """Statistics of an oracle on a treebank."""

    sentences: int = 0
    tokens: int = 0
    arcs: int = 0
    """The arcs to build; those from the artificial root count only if the system has one."""
    exact: int = 0
    """Sentences that were derived exactly, with no arc lost or added."""
    arcs_lost: int = 0
    transitions: int = 0
    switches: int = 0
    swaps: int = 0
    swapping: int = 0
    """Sentences that were derived exactly, but not without SWAP."""
    swapping_arcs: int = 0
    """The arcs of these sentences."""
    swapping_swaps: int = 0
    """The swaps in these sentences."""
    most_transitions: int = 0
    uses: dict[str, int] = field(default_factory=dict)
    """The number of uses of each transition."""

    @property
    def swaps_per_arc(self) -> float:
        """Swaps per arc as in S4: over the sentences that were derived exactly, but not without SWAP."""
        return self.swapping_swaps / self.swapping_arcs if self.swapping_arcs else 0.0

    def __add__(self, other: Statistics) -> Statistics:
        names = [f.name for f in fields(self) if f.name not in ("most_transitions", "uses")]
        return Statistics(
            **{name: getattr(self, name) + getattr(other, name) for name in names},
            most_transitions=max(self.most_transitions, other.most_transitions),
            uses={
                name: self.uses.get(name, 0) + other.uses.get(name, 0)
                for name in dict.fromkeys([*self.uses, *other.uses])
            },
        )


class StaticOracle:
    """The static oracle of a system.

    >>> from multiplane.systems import systems
    >>> crossing = DependencyGraph(4, [(1, 3), (2, 4), (1, 2)])
    >>> StaticOracle(systems["2-planar"]).sequence(crossing)
    ['SHIFT', 'RIGHT-ARC', 'SHIFT', 'REDUCE', 'RIGHT-ARC', 'SHIFT', 'SWITCH', 'REDUCE', 'RIGHT-ARC', 'SHIFT']
    """

    def __init__(self, system: TransitionSystem, strategy: str | None = None) -> None:
        self.system = system
        self.strategy = strategy or strategy_of(system)
        """One of `STRATEGIES`."""
        self.spec = static_spec(system, self.strategy)

    def derive(self, graph: DependencyGraph) -> Derivation:
        """Derives a graph, or as much of it as possible, and reports the lost arcs.

        >>> from multiplane.systems import systems
        >>> StaticOracle(systems["planar"]).derive(DependencyGraph(4, [(1, 3), (2, 4)])).lost
        [(1, 3)]
        """
        self.check(graph)
        gold = GoldArrays.of(graph)
        try:
            found = _native.derive_graph(self.system.program, self.spec, graph.n, *gold[:3])
        except _native.Undecided as error:
            raise PlanarityUndecidedError(f"{graph.n} words in {self.system.stacks} planes: {error}") from None
        names = self.system.names
        planes: list[set[Arc]] = [set() for _ in range(self.system.stacks)]
        lost = []
        for arc, plane in zip(counted_arcs(self.system, graph), found.planes, strict=True):
            if plane < 0:
                lost.append(arc)
            else:
                planes[plane].add(arc)
        actions = [Action(number, names[number], i, gold.label(label)) for number, i, label in found.sequence]
        return Derivation(actions, planes, lost, found.added, found.complete)

    def sequence(self, graph: DependencyGraph) -> list[str]:
        """Returns the names of the transitions that derive a graph."""
        return self.derive(graph).sequence

    def planes(self, graph: DependencyGraph) -> list[set[Arc]]:
        """Returns the plane assignment used: the arcs built by each stack."""
        return self.derive(graph).planes

    def statistics(self, corpus: Corpus) -> Statistics:
        """Derives all trees of a corpus and returns statistics.

        >>> from multiplane import sample
        >>> from multiplane.systems import systems
        >>> s = StaticOracle(systems["2-planar"]).statistics(sample())
        >>> s.sentences, s.exact, s.arcs_lost
        (65, 62, 4)
        """
        found = _native.derive_forests(self.system.program, self.spec, corpus.lengths, np.maximum(corpus.heads, 0))
        return self._statistics(found, corpus.words)

    def layer_statistics(self, lengths: NDArray[np.int64], arcs: LayerArcs) -> Statistics:
        """Derives all graphs of a layer, given the lengths of their sentences, and returns statistics.

        >>> from multiplane import sample
        >>> from multiplane.systems import systems
        >>> corpus = sample()
        >>> s = StaticOracle(systems["swap-graph"]).layer_statistics(corpus.lengths, corpus.enhanced_arcs)
        >>> s.sentences, s.exact
        (65, 65)
        """
        properties = self.system.properties()
        if properties["single_head"] or self.system.is_undirected:
            kind = "edges without direction" if self.system.is_undirected else "single-headed graphs"
            raise TransitionSystemError(
                f"{self.system.name} derives {kind} only; take planar[], 2-planar[] or swap-graph for other graphs"
            )
        found = _native.derive_graphs(
            self.system.program, self.spec, lengths, arcs.first, arcs.heads, arcs.dependents, arcs.labels
        )
        return self._statistics(found, int(lengths.sum()))

    def _statistics(self, found: _native.ManyDerivations, tokens: int) -> Statistics:
        exact = (found.lost == 0) & (found.complete != 0)
        swapping = exact & (found.swaps > 0)
        return Statistics(
            sentences=len(found.lost),
            tokens=tokens,
            arcs=int(found.arcs.sum()),
            exact=int(exact.sum()),
            arcs_lost=int(found.lost.sum()),
            transitions=int(found.transitions.sum()),
            switches=int(found.switches.sum()),
            swaps=int(found.swaps.sum()),
            swapping=int(swapping.sum()),
            swapping_arcs=int(found.arcs[swapping].sum()),
            swapping_swaps=int(found.swaps[swapping].sum()),
            most_transitions=int(found.transitions.max(initial=0)),
            uses=dict(zip(self.system.names, found.uses.tolist(), strict=True)),
        )

    def check(self, graph: DependencyGraph) -> None:
        """Raises `GraphError` for a graph that this kind of system cannot derive."""
        properties = self.system.properties()
        if self.system.is_undirected and properties["acyclic"].holds is not False and (arc := closing_arc(graph)):
            raise GraphError(f"{self.system.name} derives graphs without undirected cycles only; {arc} closes one")
        if properties["single_head"] and (pair := graph.second_head()):
            raise GraphError(f"{self.system.name} derives single-headed graphs only; word {pair[0][1]} has two heads")
        if properties["single_head"] and properties["acyclic"].holds is not False and (cycle := graph.cycle()):
            raise GraphError(
                f"{self.system.name} derives acyclic graphs only; {' → '.join(map(str, cycle))} is a cycle"
            )

    def __reduce__(self) -> tuple[type[StaticOracle], tuple[TransitionSystem, str]]:
        return StaticOracle, (self.system, self.strategy)
