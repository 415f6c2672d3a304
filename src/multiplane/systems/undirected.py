"""Undirected variants of transition systems (S3 §3): arcs lose their direction, and with it the single-head constraint.

An arc becomes an edge. Guards against a second head are dropped, guards against cycles stay. Transitions that differed
only in direction are then the same one. An arc without such a counterpart is allowed if it only abbreviates other
transitions, as LEFT-REDUCE in 2-planar-eager does. Otherwise there is no undirected variant: the footnote in S3 shows
for arc-eager that its graphs could have cycles.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from multiplane._native import Atom, Op
from multiplane.errors import TransitionSystemError
from multiplane.systems.elementary import ARCS, Composition, Parameter, Step
from multiplane.systems.guards import Guard, connected

if TYPE_CHECKING:
    from multiplane.systems.system import TransitionSystem

_HEADS = (Atom.TOP_HAS_HEAD, Atom.FRONT_HAS_HEAD)
_SAME_ARC = (Atom.ARC_TOP_TO_FRONT, Atom.ARC_FRONT_TO_TOP)
_PATHS = (Atom.PATH_TOP_TO_FRONT, Atom.PATH_FRONT_TO_TOP)

Work = tuple[tuple[Op, int], ...]


def undirected_transitions(system: TransitionSystem) -> dict[str, Composition]:
    """Returns the transitions of the undirected variant.

    >>> from multiplane.systems import systems
    >>> for name, transition in undirected_transitions(systems["2-planar-folded"]).items():
    ...     print(f"{name} = {transition}")
    SHIFT = SHIFT
    REDUCE = REDUCE
    ARC = ARC|i⇎*j
    SWITCH-REDUCE = SWITCH;REDUCE
    SWITCH-ARC = SWITCH;ARC|i⇎*j
    """
    if not any(transition.builds_arc for transition in system.transitions.values()):
        raise TransitionSystemError(f"{system.name} has no undirected variant: it builds no arcs")
    new = {name: _undirected(transition) for name, transition in system.transitions.items()}
    single = [name for name in new if system.transitions[name].builds_arc and not _counterpart(new, name)]
    others = {_work(new[name], system.stacks) for name in new if name not in single}
    if not all(_abbreviates(_work(new[name], system.stacks), others) for name in single):
        raise TransitionSystemError(f"{system.name} has no undirected variant: {_offence(system, single)}")
    for name, transition in new.items():
        if step := next(filter(_needs_direction, transition.steps), None):
            raise TransitionSystemError(
                f"{system.name} has no undirected variant: {name} needs to know the direction of arcs ({step})"
            )
    found: dict[Composition, list[str]] = {}
    for name, transition in new.items():
        found.setdefault(transition, []).append(name)
    names = [_joint_name(same) for same in found.values()]
    if len(set(names)) < len(names):  # a user's names may hide the directions
        names = ["/".join(same) for same in found.values()]
    return dict(zip(names, found, strict=True))


def _undirected(transition: Composition) -> Composition:
    def changed(step: Step) -> Step:
        if step.op not in ARCS:
            return step
        return replace(step, op=Op.ARC, guard=None if step.guard is None else _without_direction(step.guard))

    return Composition(tuple(map(changed, transition.steps)))


def _without_direction(guard: Guard) -> Guard | None:
    """Drops what keeps a word from a second head, or a pair from a second arc; other guards stay as they are."""
    if len(guard.holds_for) != 1:
        return guard
    kept = Guard((), frozenset({()}))
    for atom, value in guard.implied().items():
        if atom in _PATHS and not value:
            kept &= ~connected
        elif value or atom not in (*_HEADS, *_SAME_ARC):
            kept &= Guard.of(atom) if value else ~Guard.of(atom)
    return kept if kept.atoms else None


def _needs_direction(step: Step) -> bool:
    return step.guard is not None and bool({*_HEADS, *_SAME_ARC, *_PATHS} & {*step.guard.atoms})


def _counterpart(new: dict[str, Composition], name: str) -> str | None:
    """Returns the transition that differs only in direction."""
    return next((other for other in new if other != name and new[other] == new[name]), None)


def _work(transition: Composition, stacks: int) -> Work:
    """Returns what a transition does on which stack, counted from the active one; tests do nothing."""
    work: list[tuple[Op, int]] = []
    ahead = 0
    for step in transition.steps:
        if isinstance(step.times, Parameter):
            return ()
        if step.op is Op.SWITCH:
            ahead = (ahead + step.times) % stacks
        elif step.op is Op.SHIFT and step.times == 1 and work and work[-1][0] is Op.UNSHIFT:
            work.pop()
        else:
            work += [(step.op, ahead)] * step.times
    return tuple(work)


def _abbreviates(work: Work, others: set[Work]) -> bool:
    """Whether other transitions, one after another, do the same."""
    reached = {0}
    for start in range(len(work)):
        if start in reached:
            reached |= {start + len(other) for other in others if other and work[start : start + len(other)] == other}
    return bool(work) and len(work) in reached


def _offence(system: TransitionSystem, single: list[str]) -> str:
    """Describes the first pair of arcs that differ in more than direction."""
    sides = {
        op: next((name for name in single if any(s.op is op for s in system.transitions[name].steps)), None)
        for op in (Op.LEFT_ARC, Op.RIGHT_ARC)
    }
    left, right = sides.values()
    if left is None or right is None:
        name = left or right
        assert name is not None
        return f"{name} ({system.transitions[name]}) has no counterpart in the other direction"
    pair = f"{system.transitions[left]} and {system.transitions[right]}"
    return f"{left} and {right} differ in more than direction ({pair})"


def _joint_name(names: list[str]) -> str:
    """Returns the common name of transitions that are now the same.

    >>> _joint_name(["SWITCH-LEFT-ARC", "SWITCH-RIGHT-ARC"]), _joint_name(["LEFT-REDUCE"]), _joint_name(["A", "B"])
    ('SWITCH-ARC', 'ARC-REDUCE', 'A/B')
    """
    joint = {re.sub("(LEFT|RIGHT)(-ARC)?", "ARC", name) for name in names}
    return joint.pop() if len(joint) == 1 else "/".join(names)
