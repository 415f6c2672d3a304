"""A derivation step by step, as in the papers' figures: each transition and the resulting configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from multiplane.display import Shown
from multiplane.graphs import DependencyGraph
from multiplane.oracles import DynamicOracle
from multiplane.systems import Action, Configuration, TransitionSystem
from multiplane.systems.walk import walk


@dataclass(frozen=True)
class LegalTransition:
    """A transition that is legal in a configuration, with its score and cost."""

    transition: str
    """The transition, with the label that the parser would choose, if there is a parser."""
    score: float | None = None
    """The parser's score; for a neural parser, the log probability."""
    label_score: float | None = None
    """The score that the parser's beam adds for the label, if any."""
    probability: float | None = None
    """The probability among all legal transitions, if the parser predicts probabilities."""
    cost: int | None = None
    """The number of gold arcs that it loses, if there is a gold tree and the system has a dynamic oracle."""

    def as_dict(self) -> dict[str, Any]:
        """Returns the known values, for JSON.

        >>> LegalTransition("SHIFT", cost=1).as_dict()
        {'transition': 'SHIFT', 'cost': 1}
        """
        return {name: value for name, value in vars(self).items() if value is not None}


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
    legal: tuple[LegalTransition, ...] | None = None
    """The transitions that are legal in the resulting configuration, if requested."""
    by_hand: bool = False
    """Whether the transition was chosen by hand."""

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
        if self.costs is not None:
            row["costs"] = self.costs
        if self.legal is not None:
            row["legal"] = [option.as_dict() for option in self.legal]
        if self.by_hand:
            row["by_hand"] = True
        return row


class Trace(Shown, list[Step]):
    """The rows of the table; a list that notebooks show as a table."""


def trace(
    system: TransitionSystem,
    n: int,
    transitions: Iterable[str | Action],
    costs_for: DependencyGraph | None = None,
) -> Trace:
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
    found = list(rows(system, n, transitions))
    if costs_for is None:
        return Trace(step for step, _ in found)
    oracle = DynamicOracle(system)
    costs = [{}, *(oracle.costs(c, costs_for) for _, c in found[:-1])]  # each row has those of the row before it
    return Trace(replace(step, costs=legal) for (step, _), legal in zip(found, costs, strict=True))


def rows(system: TransitionSystem, n: int, transitions: Iterable[str | Action]) -> Iterator[tuple[Step, Configuration]]:
    """Yields the rows of the table, each with its configuration."""
    arcs = 0
    start: tuple[str, Configuration] = ("", system.initial(n))
    for number, (transition, c) in enumerate(chain([start], walk(system, n, transitions))):
        new_arcs = tuple(sorted(c.built(arcs), key=_ends))
        arcs += len(new_arcs)
        yield (
            Step(
                number,
                str(transition),
                tuple(map(tuple, c.stacks)),
                c.active,
                tuple(c.aside),
                tuple(c.buffer),
                new_arcs,
                undirected=system.is_undirected,
            ),
            c,
        )


def _ends(arc: tuple[int, int, str | None]) -> tuple[int, int]:
    return arc[:2]


def elided(items: Sequence[str], first: int, last: int, gap: str = "...") -> list[str]:
    """Returns the first and last items, with a gap in between if that elides more than one.

    >>> elided(["3", "4", "5", "6"], 1, 1), elided(["7", "8", "9"], 1, 1)
    (['3', '...', '6'], ['7', '8', '9'])
    """
    if len(items) <= first + last + 1:
        return list(items)
    return [*items[:first], gap, *items[len(items) - last :]]
