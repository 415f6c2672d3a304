"""A derivation step by step, with the legal transitions of every configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from multiplane.analysis.trace import LegalTransition, Step, rows
from multiplane.errors import TransitionError, TransitionSystemError
from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.oracles import Derivation, DynamicOracle, StaticOracle
from multiplane.oracles.gold import counted_arcs
from multiplane.systems import Action, Configuration, TransitionSystem
from multiplane.systems.walk import walk

Labelled = tuple[int, int, str | None]


@dataclass(frozen=True)
class Steps:
    """A derivation step by step, with the legal transitions of every configuration."""

    system: TransitionSystem
    rows: tuple[Step, ...]
    """Starts with the initial configuration."""
    arcs: tuple[Labelled, ...]
    """The arcs of the last configuration, in the order in which they were built."""
    complete: bool
    """Whether the last configuration is terminal."""
    no_costs: str | None = None
    """Why there are no costs, if there is a gold tree but no dynamic oracle."""


def stepwise(
    system: TransitionSystem,
    n: int,
    transitions: Sequence[str | Action],
    *,
    gold: DependencyGraph | None = None,
    by_hand: int = 0,
    options: Sequence[Sequence[LegalTransition]] | None = None,
    most_steps: int | None = None,
) -> Steps:
    """Returns a derivation for n words, with the legal transitions of every configuration.

    The first `by_hand` transitions are marked as chosen by hand. `options` are the legal transitions with
    a parser's scores. With a `gold` tree, each has its cost, if the system has a dynamic oracle. Raises
    `TransitionError` for a transition that is not legal, and if there are more than `most_steps`.

    >>> from multiplane.systems import systems
    >>> gold = DependencyGraph(2, [(2, 1, "nsubj")])
    >>> for step in stepwise(systems["arc-eager"], 2, ["SHIFT", "LEFT-ARC(nsubj)", "SHIFT"], gold=gold).rows:
    ...     print(step.transition, [(each.transition, each.cost) for each in step.legal])
     [('SHIFT', 0)]
    SHIFT [('SHIFT', 1), ('LEFT-ARC', 0), ('RIGHT-ARC', 1)]
    LEFT-ARC(nsubj) [('SHIFT', 0)]
    SHIFT []
    >>> stepwise(systems["arc-standard"], 2, ["SHIFT"], gold=gold).no_costs.partition(", as")[0]
    'arc-standard has no dynamic oracle'
    """
    _check_length(transitions, most_steps)
    oracle, no_costs = (None, None) if gold is None else _dynamic_oracle(system)
    found = []
    for number, (step, c) in enumerate(rows(system, n, transitions)):
        legal = [LegalTransition(name) for name in c.legal()] if options is None else options[number]
        if oracle is not None and gold is not None:
            costs = oracle.costs(c, gold)
            legal = [replace(each, cost=costs[each.transition.partition("(")[0]]) for each in legal]
        found.append(replace(step, legal=tuple(legal), by_hand=0 < number <= by_hand))
    return Steps(system, tuple(found), tuple(c.built()), c.is_terminal, no_costs)


def derivation_after(
    oracle: StaticOracle,
    gold: DependencyGraph,
    prefix: Sequence[str | Action] = (),
    *,
    most_steps: int | None = None,
) -> Derivation:
    """Returns the oracle's derivation of a gold graph after a prefix chosen by hand.

    As long as the prefix follows the static oracle, so does the rest. After any other prefix, the rest follows the
    dynamic oracle and loses as few gold arcs as possible; if the system has none, the derivation ends there. Arcs
    without a label get the gold one. Raises `TransitionError` if a transition of the prefix is not legal, or if there
    are more than `most_steps`.

    >>> from multiplane import oracle
    >>> gold = DependencyGraph(3, [(2, 1, "nsubj"), (2, 3, "obj")])
    >>> found = derivation_after(oracle("arc-eager"), gold, ["SHIFT", "SHIFT"])
    >>> found.sequence, found.lost
    (['SHIFT', 'SHIFT', 'RIGHT-ARC(obj)'], [(2, 1, 'nsubj')])
    >>> derivation_after(oracle("arc-standard"), gold, ["SHIFT", "SHIFT"]).complete
    False
    """
    planned, system = oracle.derive(gold), oracle.system
    if not prefix:
        return planned
    labels = {_ends(system, arc): arc[2] for arc in gold.arcs if len(arc) > 2}
    chosen, c = [], system.initial(gold.n)
    for action, after in walk(system, gold.n, prefix):
        chosen.append(_with_label(action, c, after, labels))
        c = after
    if chosen == planned.actions[: len(chosen)]:
        return planned
    guide = _Guide(system, gold)
    while (best := guide.next(c)) is not None:
        action, after = best
        chosen.append(_with_label(action, c, after, labels))
        _check_length(chosen, most_steps)
        c = after
    return _found(chosen, c, gold)


def _check_length(transitions: Sequence[object], most: int | None) -> None:
    if most is not None and len(transitions) > most:
        raise TransitionError(f"the derivation has more than {most:,} steps; give a shorter sentence")


class _Guide:
    """Follows the dynamic oracle of a system, if it has one."""

    def __init__(self, system: TransitionSystem, gold: DependencyGraph) -> None:
        self.gold = gold
        self.oracle, _ = _dynamic_oracle(system)
        planes = [] if self.oracle is None else self.oracle.planes(gold)
        self.buildable = {_ends(system, arc) for plane in planes for arc in plane}
        self.seen: set[Configuration] = set()

    def next(self, c: Configuration) -> tuple[Action, Configuration] | None:
        """Returns the first transition with the lowest cost and its result; None if nothing is left to build.

        It never returns to an earlier configuration: in swap-graph, zero-cost swaps could alternate forever.
        """
        self.seen.add(c)
        if self.oracle is None:
            return None
        if c.is_terminal:  # some systems build arcs between words on the stack even then
            missing = self.buildable - {_ends(c.system, arc) for arc in c.arcs}
            if self.oracle.loss(c, self.gold) >= len(missing):
                return None
        costs = self.oracle.costs(c, self.gold)
        best_first = sorted(c.actions(), key=lambda action: costs[action.name])
        ways = ((action, c.apply(action)) for action in best_first)
        return next((way for way in ways if way[1] not in self.seen), None)


def _found(actions: list[Action], last: Configuration, gold: DependencyGraph) -> Derivation:
    """Returns a derivation, compared with its gold graph."""
    wanted = {_ends(last.system, arc): arc for arc in counted_arcs(last.system, gold)}
    planes = [{_ends(last.system, arc) for arc in plane} for plane in last.planes]
    built = set().union(*planes)
    return Derivation(
        actions,
        [{wanted[ends] for ends in plane & wanted.keys()} for plane in planes],
        [arc for ends, arc in wanted.items() if ends not in built],
        sorted(built - wanted.keys()),
        last.is_terminal,
    )


def _dynamic_oracle(system: TransitionSystem) -> tuple[DynamicOracle | None, str | None]:
    """Returns the dynamic oracle of a system, or the reason why it has none."""
    try:
        return DynamicOracle(system), None
    except TransitionSystemError as error:
        return None, str(error)


def _ends(system: TransitionSystem, arc: Arc | Labelled) -> tuple[int, int]:
    """Returns the ends of an arc as the system orders them."""
    return (min(arc[:2]), max(arc[:2])) if system.is_undirected else arc[:2]


def _with_label(
    action: Action, before: Configuration, after: Configuration, labels: dict[tuple[int, int], str]
) -> Action:
    """Returns a transition with the gold label of its arc, unless it has a label already."""
    new_arcs = after.built(len(before.built())) if action.label is None else []
    return replace(action, label=labels.get(new_arcs[-1][:2])) if new_arcs else action
