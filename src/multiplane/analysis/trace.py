"""A derivation step by step, as in the papers' figures: each transition and the resulting configuration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from multiplane.errors import TransitionError
from multiplane.graphs import DependencyGraph
from multiplane.oracles import DynamicOracle
from multiplane.systems import Action, Configuration, TransitionSystem


@dataclass(frozen=True)
class Step:
    """A row of the table: a transition and the resulting configuration."""

    number: int
    """Starts at 1; 0 is the initial configuration, without a transition."""
    transition: str
    stacks: tuple[tuple[int, ...], ...]
    active: int
    """The index of the active stack."""
    aside: tuple[int, ...]
    """Covington's second list."""
    buffer: tuple[int, ...]
    new_arcs: tuple[tuple[int, int, str | None], ...]
    """The arcs that the transition added: head, dependent, label."""
    costs: dict[str, int] | None = None
    """The costs of all transitions that were legal before this one, if requested."""
    undirected: bool = False
    """Whether `new_arcs` are edges: the smaller node, the larger node, label."""

    def as_dict(self) -> dict[str, Any]:
        """Returns the row as plain data, for JSON."""
        row: dict[str, Any] = {
            "step": self.number,
            "transition": self.transition,
            "stacks": [list(stack) for stack in self.stacks],
            "active": self.active,
            "aside": list(self.aside),
            "buffer": list(self.buffer),
        }
        if self.undirected:
            row["new_edges"] = [{"ends": [one, other], "label": label} for one, other, label in self.new_arcs]
        else:
            row["new_arcs"] = [{"head": head, "dependent": word, "label": label} for head, word, label in self.new_arcs]
        return row if self.costs is None else {**row, "costs": self.costs}


def trace(
    system: TransitionSystem,
    n: int,
    transitions: Iterable[str | Action],
    costs_for: DependencyGraph | None = None,
) -> list[Step]:
    """Returns the table of a derivation for n words, starting with the initial configuration.

    The transitions may come from an oracle, a parser or the user. With `costs_for`, each row has the costs of all legal
    transitions, computed by the system's dynamic oracle for that gold graph.

    >>> from multiplane.systems import systems
    >>> for step in trace(systems["arc-eager"], 2, ["SHIFT", "LEFT-ARC(nsubj)", "SHIFT"]):
    ...     print(step.number, step.transition, step.stacks, step.buffer, step.new_arcs)
    0  ((),) (1, 2) ()
    1 SHIFT ((1,),) (2,) ()
    2 LEFT-ARC(nsubj) ((),) (2,) ((2, 1, 'nsubj'),)
    3 SHIFT ((2,),) () ()
    >>> gold = DependencyGraph(2, [(2, 1, "nsubj")])
    >>> trace(systems["arc-eager"], 2, ["SHIFT", "SHIFT"], costs_for=gold)[2].costs
    {'SHIFT': 1, 'LEFT-ARC': 0, 'RIGHT-ARC': 1}
    >>> trace(systems["arc-eager"], 2, ["SHIFT", "REDUCE"])
    Traceback (most recent call last):
    ...
    multiplane.errors.TransitionError: step 2: REDUCE is not legal here: the top of the stack must have a head; legal \
here: SHIFT, LEFT-ARC, RIGHT-ARC
    """
    oracle = None if costs_for is None else DynamicOracle(system)
    c = system.initial(n)
    steps = [_step(0, "", c, (), None if oracle is None else {})]
    for number, transition in enumerate(transitions, 1):
        costs = None if oracle is None or costs_for is None else oracle.costs(c, costs_for)
        try:
            after = c.apply(transition)
        except TransitionError as error:
            raise TransitionError(f"step {number}: {error}") from None
        steps.append(_step(number, str(transition), after, tuple(sorted(after.arcs - c.arcs, key=_ends)), costs))
        c = after
    return steps


def _ends(arc: tuple[int, int, str | None]) -> tuple[int, int]:
    return arc[:2]


def _step(
    number: int,
    transition: str,
    c: Configuration,
    new_arcs: tuple[tuple[int, int, str | None], ...],
    costs: dict[str, int] | None = None,
) -> Step:
    stacks = tuple(map(tuple, c.stacks))
    return Step(
        number,
        transition,
        stacks,
        c.active,
        tuple(c.aside),
        tuple(c.buffer),
        new_arcs,
        costs,
        undirected=c.system.is_undirected,
    )


def elided(items: Sequence[str], first: int, last: int, gap: str = "...") -> list[str]:
    """Returns the first and last items, with a gap in between if that elides more than one.

    >>> elided(["3", "4", "5", "6"], 1, 1), elided(["7", "8", "9"], 1, 1)
    (['3', '...', '6'], ['7', '8', '9'])
    """
    if len(items) <= first + last + 1:
        return list(items)
    return [*items[:first], gap, *items[len(items) - last :]]
