"""The semantics of transition systems in plain Python: the reference that the native machine must match step by step.

Everything follows the definitions literally, over sets and tuples, without regard for speed: connectedness is found by
search, and whether a tree is still reachable by trying all continuations, which only works for a few words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from multiplane._native import Atom, Op
from multiplane.systems.elementary import Parameter, Step
from multiplane.systems.guards import Guard
from multiplane.systems.system import Action, TransitionSystem

Link = tuple[int, int]


class Arc(NamedTuple):
    """An arc, with the stack that was active when it was built."""

    head: int
    dependent: int
    label: str | None
    plane: int


class State(NamedTuple):
    """A configuration: the last item of a stack is its top, the first item of the buffer its front."""

    n: int
    stacks: tuple[tuple[int, ...], ...]
    buffer: tuple[int, ...]
    active: int = 0
    switches: int = 0
    """The number of SWITCH transitions in a row just before, capped at the number of stacks."""
    aside: tuple[int, ...] = ()
    arcs: frozenset[Arc] = frozenset()

    @property
    def top(self) -> int | None:
        """The top of the active stack, i in the papers."""
        stack = self.stacks[self.active]
        return stack[-1] if stack else None

    @property
    def front(self) -> int | None:
        """The front of the buffer, j in the papers."""
        return self.buffer[0] if self.buffer else None

    @property
    def links(self) -> set[Link]:
        """The arcs without labels."""
        return {(arc.head, arc.dependent) for arc in self.arcs}

    def with_active(self, stack: tuple[int, ...]) -> State:
        """Replaces the active stack."""
        return self._replace(stacks=(*self.stacks[: self.active], stack, *self.stacks[self.active + 1 :]))


# The elementary transitions: each returns the next state, or None if it is not defined.


def _shift(c: State) -> State | None:
    if c.front is None:
        return None
    return c._replace(stacks=tuple((*stack, c.front) for stack in c.stacks), buffer=c.buffer[1:])


def _unshift(c: State) -> State | None:
    if c.top is None or any(stack[-1:] != (c.top,) for stack in c.stacks):
        return None
    return c._replace(stacks=tuple(stack[:-1] for stack in c.stacks), buffer=(c.top, *c.buffer))


def _reduce(c: State) -> State | None:
    return None if c.top is None else c.with_active(c.stacks[c.active][:-1])


def _arc(c: State, head: int | None, dependent: int | None, label: str | None) -> State | None:
    if head is None or dependent is None or head == dependent or (head, dependent) in c.links:
        return None
    return c._replace(arcs=c.arcs | {Arc(head, dependent, label, c.active)})


def _edge(c: State, label: str | None) -> State | None:
    """Adds an undirected edge, whose smaller node is written first."""
    if c.top is None or c.front is None:
        return None
    return _arc(c, min(c.top, c.front), max(c.top, c.front), label)


def _switch(c: State) -> State | None:
    return None if len(c.stacks) == 1 else c._replace(active=(c.active + 1) % len(c.stacks))


def _exchange(c: State) -> State | None:
    if c.top is None or c.front is None:
        return None
    return c.with_active((*c.stacks[c.active][:-1], c.front))._replace(buffer=(c.top, *c.buffer[1:]))


def _skip(c: State) -> State | None:
    return None if c.top is None else c.with_active(c.stacks[c.active][:-1])._replace(aside=(c.top, *c.aside))


ELEMENTARY: dict[Op, Callable[[State, str | None], State | None]] = {
    Op.SHIFT: lambda c, _: _shift(c),
    Op.UNSHIFT: lambda c, _: _unshift(c),
    Op.REDUCE: lambda c, _: _reduce(c),
    Op.LEFT_ARC: lambda c, label: _arc(c, c.front, c.top, label),
    Op.RIGHT_ARC: lambda c, label: _arc(c, c.top, c.front, label),
    Op.SWITCH: lambda c, _: _switch(c),
    Op.EXCHANGE: lambda c, _: _exchange(c),
    Op.SKIP: lambda c, _: _skip(c),
    Op.RESTORE: lambda c, _: c.with_active(c.stacks[c.active] + c.aside)._replace(aside=()),
    Op.DROP: lambda c, _: c._replace(aside=()),
    Op.ARC: _edge,
}


# The atoms of guards; an atom about a missing node is false.


def _has_head(c: State, node: int | None) -> bool:
    return any(dependent == node for _, dependent in c.links)


def _path(links: set[Link], start: int | None, end: int | None) -> bool:
    return start is not None and end in _reached(links, start)


def _reached(links: set[Link], start: int) -> set[int]:
    """Returns the nodes reachable from a node by directed paths, including itself."""
    reached = {start}
    while more := {dependent for head, dependent in links if head in reached} - reached:
        reached |= more
    return reached


ATOMS: dict[Atom, Callable[[State], bool]] = {
    Atom.TOP_HAS_HEAD: lambda c: _has_head(c, c.top),
    Atom.FRONT_HAS_HEAD: lambda c: _has_head(c, c.front),
    Atom.CONNECTED: lambda c: _path(c.links | {(d, h) for h, d in c.links}, c.top, c.front),
    Atom.ARC_TOP_TO_FRONT: lambda c: (c.top, c.front) in c.links,
    Atom.ARC_FRONT_TO_TOP: lambda c: (c.front, c.top) in c.links,
    Atom.PATH_TOP_TO_FRONT: lambda c: _path(c.links, c.top, c.front),
    Atom.PATH_FRONT_TO_TOP: lambda c: _path(c.links, c.front, c.top),
    Atom.TOP_BEFORE_FRONT: lambda c: c.top is not None and c.front is not None and 0 < c.top < c.front,
    Atom.MAY_SWITCH: lambda c: c.switches < len(c.stacks) - 1,
}


# Transitions.


def initial(system: TransitionSystem, n: int) -> State:
    """Returns the initial state.

    >>> from multiplane.systems import systems
    >>> initial(systems["2-planar"].trees("left"), 2)
    State(n=2, stacks=((0,), (0,)), buffer=(1, 2), active=0, switches=0, aside=(), arcs=frozenset())
    """
    words = tuple(range(1, n + 1))
    on_stack: tuple[int, ...] = ()
    if system.root == "left" and system.stack_is_final:
        words = (0, *words)
    elif system.root == "left":
        on_stack = (0,)
    elif system.root == "right":
        words = (*words, 0)
    return State(n, (on_stack,) * system.stacks, words)


def apply(system: TransitionSystem, state: State, name: str) -> State | None:
    """Returns the state after a transition such as `SHIFT` or `LEFT-ARC(nsubj)`, or None if it is not defined.

    >>> from multiplane.systems import systems
    >>> shifted = apply(systems["planar"], initial(systems["planar"], 2), "SHIFT")
    >>> apply(systems["planar"], shifted, "RIGHT-ARC(obj)").arcs
    frozenset({Arc(head=1, dependent=2, label='obj', plane=0)})
    >>> apply(systems["planar"], initial(systems["planar"], 2), "REDUCE") is None
    True
    """
    return _applied(system, state, system.action(name))


def legal(system: TransitionSystem, state: State) -> list[str]:
    """Returns the names of the transitions that are defined, without labels.

    >>> from multiplane.systems import systems
    >>> legal(systems["planar"], initial(systems["planar"], 1))
    ['SHIFT']
    """
    return [str(action) for action in _actions(system, state.n) if _applied(system, state, action) is not None]


def is_terminal(system: TransitionSystem, state: State) -> bool:
    """Whether the buffer is empty and, if the system only builds trees, the arcs form one.

    >>> from multiplane.systems import systems
    >>> is_terminal(systems["planar"], initial(systems["planar"], 0))
    True
    """
    return not state.buffer and (not system.only_trees or _is_tree(system, state))


@cache
def _actions(system: TransitionSystem, n: int) -> list[Action]:
    """Returns all transitions without labels; the i of a family counts nodes."""
    nodes = n + (system.root is not None)
    return [
        Action(number, name, parameter)
        for number, (name, transition) in enumerate(system.transitions.items())
        for parameter in (range(1, nodes + 1) if transition.parametrized else (0,))
    ]


def _applied(system: TransitionSystem, state: State, action: Action) -> State | None:
    """Applies a transition. If the system only builds trees, one must stay reachable, and a complete one is final."""
    after = _composed(system, state, action)
    if after is None or not system.only_trees:
        return after
    return after if not is_terminal(system, state) and _without_labels(after) in _hopeful(system, state.n) else None


def _composed(system: TransitionSystem, state: State, action: Action) -> State | None:
    """Applies all steps; undefined if one of them is, or if the result violates the artificial root."""
    for step in system.transitions[action.name].steps:
        for _ in range(action.parameter - step.times.less if isinstance(step.times, Parameter) else step.times):
            after = _stepped(state, step, action.label)
            if after is None:
                return None
            state = after
    return state if system.root is None or _respects_root(system, state) else None


def _stepped(state: State, step: Step, label: str | None) -> State | None:
    if step.guard is not None and not _holds(step.guard, state):
        return None
    after = ELEMENTARY[step.op](state, label)
    if after is None:
        return None
    return after._replace(switches=min(state.switches + 1, len(state.stacks)) if step.op is Op.SWITCH else 0)


def _holds(guard: Guard, state: State) -> bool:
    return tuple(ATOMS[atom](state) for atom in guard.atoms) in guard.holds_for


def _respects_root(system: TransitionSystem, state: State) -> bool:
    """Whether the artificial root has no head and, with `single_root`, at most one dependent."""
    return not _has_head(state, 0) and not (system.single_root and len(_below_root(state)) > 1)


def _below_root(state: State) -> set[int]:
    return {dependent for head, dependent in state.links if head == 0}


# Only trees.


def _is_tree(system: TransitionSystem, state: State) -> bool:
    """Whether one headless node, the artificial root if there is one, dominates all words; for edges, links all words.

    The empty sentence counts as a tree, even without a root.
    """
    words = set(range(1, state.n + 1))
    if system.is_undirected:
        return _is_undirected_tree(system, state)
    headed = [dependent for _, dependent in state.links]
    tops = words - set(headed) if system.root is None else {0}
    is_forest = len(headed) == len(set(headed))
    has_one_root = not system.single_root or system.root is None or len(_below_root(state)) == 1
    return not words or (is_forest and has_one_root and len(tops) == 1 and words <= _reached(state.links, min(tops)))


def _is_undirected_tree(system: TransitionSystem, state: State) -> bool:
    """Whether the edges link all words, and the artificial root if there is one, without a cycle."""
    nodes = set(range(0 if system.root is not None else 1, state.n + 1))
    if not state.n:
        return True
    has_one_root = not system.single_root or system.root is None or len(_below_root(state)) == 1
    both_ways = state.links | {(d, h) for h, d in state.links}
    return has_one_root and len(state.links) == len(nodes) - 1 and nodes <= _reached(both_ways, max(nodes))


@cache
def _hopeful(system: TransitionSystem, n: int) -> frozenset[State]:
    """Returns the states for n words from which a tree is reachable, found by trying all continuations."""
    start = initial(system, n)
    before: dict[State, list[State]] = {start: []}
    todo = [start]
    for state in todo:
        for action in _actions(system, n):
            after = _composed(system, state, action)
            if after is None:
                continue
            if after not in before:
                before[after] = []
                todo.append(after)
            before[after].append(state)
    hopeful = [state for state in before if is_terminal(system, state)]
    seen = set(hopeful)
    for state in hopeful:
        fresh = set(before[state]) - seen
        seen |= fresh
        hopeful.extend(fresh)
    return frozenset(hopeful)


def _without_labels(state: State) -> State:
    return state._replace(arcs=frozenset(arc._replace(label=None) for arc in state.arcs))
