"""Static oracles: one right transition sequence for a gold graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from multiplane import _native
from multiplane.errors import GraphError, PlanarityUndecidedError, TransitionSystemError
from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.oracles.gold import arrays_of, counted_arcs, roles_of
from multiplane.systems import systems
from multiplane.systems.configuration import LABELS
from multiplane.systems.system import Action, TransitionSystem

if TYPE_CHECKING:
    from multiplane.formats import Corpus

STRATEGIES = {
    "planar": "arcs as soon as their ends meet, nearest first; planes are assigned as they are needed",
    "bottom-up": "a word is attached once it has all of its own dependents",
    "swap-eager": "bottom-up; two words out of the projective order are swapped as soon as they meet",
    "swap-lazy": "bottom-up; they are swapped only when the next word does not belong to the same projective part",
    "arc-hybrid-swap": "bottom-up; the top is swapped with a front that precedes it in the projective order",
    "last-resort": "S4: swap when the word under the top must be linked to the front",
    "exhaustive": "S4: swap when the word under the top has the earlier list of partners",
    "search": "any derivation, found by search; for systems without an oracle of their own",
}
"""The strategies of static oracles; a system names the one it uses by default."""

_NUMBERS = {name: number for number, name in enumerate(STRATEGIES)}
_SYNONYMS = {
    "arc-eager": "planar",
    "covington": "planar",
    "easy-first": "bottom-up",
    "attardi": "bottom-up",
    "arc-standard-dag": "search",
}
_ANY, _PLANAR, _PROJECTIVE, _PROJECTIVE_IF_NEEDED = range(4)
_NEED_SWAP = ("swap-eager", "swap-lazy", "arc-hybrid-swap", "last-resort", "exhaustive")


@dataclass(frozen=True)
class Derivation:
    """How a graph was derived, and what of it could not be."""

    actions: list[Action]
    planes: list[set[Arc]]
    """The gold arcs built, by the stack that built them."""
    lost: list[Arc]
    """The gold arcs that were not built."""
    added: list[tuple[int, int]]
    """Arcs that were built and are not gold: none where the graph is in the class."""
    complete: bool
    """Whether the last configuration is terminal."""

    @property
    def sequence(self) -> list[str]:
        """The names of the transitions, with labels."""
        return [str(action) for action in self.actions]


@dataclass
class Statistics:
    """What an oracle did with a treebank."""

    sentences: int = 0
    tokens: int = 0
    exact: int = 0
    """Sentences that were rebuilt exactly, with no arc lost and none added."""
    arcs_lost: int = 0
    transitions: int = 0
    switches: int = 0
    most_transitions: int = 0
    uses: dict[str, int] = field(default_factory=dict)
    """How often each transition was used."""

    def __add__(self, other: Statistics) -> Statistics:
        names = dict.fromkeys([*self.uses, *other.uses])
        return Statistics(
            self.sentences + other.sentences,
            self.tokens + other.tokens,
            self.exact + other.exact,
            self.arcs_lost + other.arcs_lost,
            self.transitions + other.transitions,
            self.switches + other.switches,
            max(self.most_transitions, other.most_transitions),
            {name: self.uses.get(name, 0) + other.uses.get(name, 0) for name in names},
        )


def _usual(system: TransitionSystem) -> str:
    """The strategy of the system in the catalogue that has the same transitions; else search.

    >>> from multiplane.systems import LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT
    >>> _usual(TransitionSystem("mine", SHIFT=SHIFT, REDUCE=REDUCE, LEFT_ARC=LEFT_ARC, RIGHT_ARC=RIGHT_ARC))
    'planar'
    """
    for known in systems.values():
        if known.transitions == system.transitions and (known.stacks == 1) == (system.stacks == 1):
            return known.oracle or "search"
    return "search"


class StaticOracle:
    """The static oracle of a system.

    >>> from multiplane.systems import systems
    >>> crossing = DependencyGraph(4, [(1, 3), (2, 4), (1, 2)])
    >>> StaticOracle(systems["2-planar"]).sequence(crossing)
    ['SHIFT', 'RIGHT-ARC', 'SHIFT', 'REDUCE', 'RIGHT-ARC', 'SHIFT', 'SWITCH', 'REDUCE', 'RIGHT-ARC', 'SHIFT']
    """

    def __init__(self, system: TransitionSystem, strategy: str | None = None) -> None:
        self.system = system
        chosen = strategy or system.oracle or _usual(system)
        chosen = _SYNONYMS.get(chosen, chosen)
        if chosen not in STRATEGIES:
            raise TransitionSystemError(f"unknown strategy '{chosen}'; there are {', '.join(STRATEGIES)}")
        if chosen in _NEED_SWAP and "SWAP" not in system.transitions:
            raise TransitionSystemError(f"the strategy '{chosen}' needs a transition SWAP, which {system.name} has not")
        self.strategy = chosen
        self._roles, self._arcs = roles_of(system)
        self._target = self._class()

    def _class(self) -> int:
        """Into which class graphs are brought that the system cannot derive."""
        properties = self.system.properties()
        if self.strategy == "search" or (self.strategy == "bottom-up" and properties["planar"].holds is False):
            return _PROJECTIVE_IF_NEEDED  # nobody knows their class; a projective tree may be nearer than nothing
        if properties["planar"].holds is False:
            return _ANY if self.system.stacks == 1 else _PLANAR
        covers_no_root = properties["no_covered_roots"].holds is not False or self.system.root is not None
        return _PROJECTIVE if covers_no_root and properties["single_head"] else _PLANAR

    def derive(self, graph: DependencyGraph) -> Derivation:
        """Derives a graph, or as much of it as the system can, and reports what is lost.

        >>> from multiplane.systems import systems
        >>> StaticOracle(systems["planar"]).derive(DependencyGraph(4, [(1, 3), (2, 4)])).lost
        [(1, 3)]
        """
        self.check(graph)
        try:
            sequence, plane_of, added, complete = _native.derive_graph(
                self.system.program,
                self._roles,
                self._arcs,
                _NUMBERS[self.strategy],
                self._target,
                graph.n,
                *arrays_of(graph),
            )
        except _native.Undecided as error:
            raise PlanarityUndecidedError(f"{graph.n} words in {self.system.stacks} planes: {error}") from None
        names = self.system.names
        planes: list[set[Arc]] = [set() for _ in range(self.system.stacks)]
        lost = []
        for arc, plane in zip(counted_arcs(self.system, graph), plane_of, strict=True):
            if plane < 0:
                lost.append(arc)
            else:
                planes[plane].add(arc)
        actions = [Action(number, names[number], i, LABELS.label(label)) for number, i, label in sequence]
        return Derivation(actions, planes, lost, added, complete)

    def sequence(self, graph: DependencyGraph) -> list[str]:
        """The names of the transitions that derive a graph."""
        return self.derive(graph).sequence

    def planes(self, graph: DependencyGraph) -> list[set[Arc]]:
        """The plane assignment used: the arcs built by each stack."""
        return self.derive(graph).planes

    def statistics(self, corpus: Corpus) -> Statistics:
        """Derives all trees of a corpus and counts.

        >>> from multiplane import sample
        >>> from multiplane.systems import systems
        >>> s = StaticOracle(systems["2-planar"]).statistics(sample())
        >>> s.sentences, s.exact, s.arcs_lost
        (65, 62, 4)
        """
        lost, transitions, switches, complete, uses = _native.derive_forests(
            self.system.program,
            self._roles,
            self._arcs,
            _NUMBERS[self.strategy],
            self._target,
            corpus.lengths,
            np.maximum(corpus.heads, 0),
        )
        return Statistics(
            sentences=len(lost),
            tokens=corpus.words,
            exact=int(((lost == 0) & (complete != 0)).sum()),
            arcs_lost=int(lost.sum()),
            transitions=int(transitions.sum()),
            switches=int(switches.sum()),
            most_transitions=int(transitions.max(initial=0)),
            uses=dict(zip(self.system.names, uses.tolist(), strict=True)),
        )

    def check(self, graph: DependencyGraph) -> None:
        """Refuses graphs that no derivation of this kind of system could be about."""
        properties = self.system.properties()
        if properties["single_head"] and (pair := graph.second_head()):
            raise GraphError(f"{self.system.name} derives single-headed graphs only; word {pair[0][1]} has two heads")
        if properties["single_head"] and properties["acyclic"].holds is not False and (cycle := graph.cycle()):
            raise GraphError(
                f"{self.system.name} derives acyclic graphs only; {' → '.join(map(str, cycle))} is a cycle"
            )
