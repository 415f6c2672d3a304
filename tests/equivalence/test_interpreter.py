"""The native machine does what the readable interpreter says, step by step: no more, no less, and in the same order."""

import random
from collections.abc import Iterable, Iterator
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multiplane.errors import TransitionError, TransitionSystemError
from multiplane.systems import (
    DROP,
    EXCHANGE,
    LEFT_ARC,
    REDUCE,
    RESTORE,
    RIGHT_ARC,
    SHIFT,
    SKIP,
    SWITCH,
    UNSHIFT,
    Composition,
    Configuration,
    Guard,
    I,
    TransitionSystem,
    connected,
    front_has_head,
    interpreter,
    systems,
    top_has_head,
)
from multiplane.systems.guards import Atom
from multiplane.systems.interpreter import State
from multiplane.systems.system import Root

ROOTS: tuple[tuple[Root, bool], ...] = (
    (None, True),
    ("left", True),
    ("right", True),
    ("left", False),
    ("right", False),
)
LARGEST = {"swap-graph": 3}
LARGEST_BY_STACKS = {1: 4, 2: 3, 3: 2}
"""The longest sentences of which all configurations can be listed in a few seconds."""


def largest(system: TransitionSystem) -> int:
    return LARGEST.get(system.name, LARGEST_BY_STACKS[system.stacks])


def can_be_restricted_to_trees(system: TransitionSystem) -> bool:
    try:
        return system.trees().only_trees
    except TransitionSystemError:
        return False


TREE_SYSTEMS = [name for name, system in systems.items() if can_be_restricted_to_trees(system)]


# Comparing.


def seen(c: Configuration) -> tuple[object, ...]:
    """All that can be seen of a native configuration."""
    return c.stacks, c.active, c.buffer, c.aside, c.arcs, c.planes, c.is_terminal


def judged(system: TransitionSystem, state: State) -> tuple[object, ...]:
    """The same of a state of the interpreter."""
    planes = [{arc[:3] for arc in state.arcs if arc.plane == plane} for plane in range(system.stacks)]
    return (
        [list(stack) for stack in state.stacks],
        state.active,
        list(state.buffer),
        list(state.aside),
        {arc[:3] for arc in state.arcs},
        planes,
        interpreter.is_terminal(system, state),
    )


def names(system: TransitionSystem, n: int) -> Iterator[str]:
    """All names without labels, of which many are not legal; those of families go beyond the sentence."""
    for name, transition in system.transitions.items():
        yield from (f"{name}({i})" for i in range(1, n + 3)) if transition.parametrized else (name,)


def labelled(system: TransitionSystem, name: str, label: str) -> str:
    action = system.action(name)
    if not system.transitions[action.name].builds_arc:
        return name
    return f"{name[:-1]},{label})" if action.parameter else f"{name}({label})"


def applied(c: Configuration, name: str) -> Configuration | None:
    """The native counterpart of the interpreter's `apply`."""
    try:
        return c.apply(name)
    except TransitionError:
        return None


def assert_alike(system: TransitionSystem, c: Configuration, state: State) -> None:
    assert c.legal() == interpreter.legal(system, state), f"at {c!r}"
    assert seen(c) == judged(system, state)


def assert_same_refusals(system: TransitionSystem, c: Configuration, state: State) -> None:
    """Whatever is not defined raises, whatever is does not, and the configuration stays as it was."""
    before = seen(c)
    for name in names(system, state.n):
        accepted = applied(c, name) is not None
        assert accepted == (interpreter.apply(system, state, name) is not None), f"{name} at {c!r}"
    assert seen(c) == before


def walk(system: TransitionSystem, n: int, chance: random.Random, longest: int) -> None:
    """Takes random transitions, with random labels, in both, and compares them after each."""
    c, state = system.initial(n), interpreter.initial(system, n)
    for _ in range(chance.randint(1, longest)):
        assert_alike(system, c, state)
        assert_same_refusals(system, c, state)
        legal = c.legal()
        if not legal:
            break
        name = chance.choice(legal)
        name = chance.choice([name, labelled(system, name, "a"), labelled(system, name, "b")])
        after = interpreter.apply(system, state, name)
        assert after is not None
        c, state = c.apply(name), after
    assert_alike(system, c, state)


def assert_alike_everywhere(system: TransitionSystem, n: int) -> None:
    """Compares both in every configuration that can be reached, along every transition that leads there."""
    start = interpreter.initial(system, n)
    assert_alike(system, system.initial(n), start)
    legal = {start: system.initial(n).legal()}
    todo = [(system.initial(n), start)]
    for c, state in todo:
        for name in legal[state]:
            c_after, after = c.apply(name), interpreter.apply(system, state, name)
            assert after is not None
            if after in legal:  # on another way, which may have left other traces in the native machine
                assert c_after.legal() == legal[after], f"at {c_after!r}"
            else:
                assert_alike(system, c_after, after)
                legal[after] = c_after.legal()
                todo.append((c_after, after))


# The catalogue.


@pytest.mark.parametrize("name", systems)
def test_native_takes_the_same_steps_on_random_walks(name: str) -> None:
    chance = random.Random(name)
    for n in range(9):
        for _ in range(2):
            walk(systems[name], n, chance, longest=6 * n + 4)


@pytest.mark.parametrize("name", systems)
def test_native_agrees_in_all_configurations_of_short_sentences(name: str) -> None:
    for n in range(largest(systems[name]) + 1):
        assert_alike_everywhere(systems[name], n)


# Systems that nobody has thought of.

GUARDS = st.recursive(
    st.sampled_from([Guard.of(atom) for atom in Atom]),
    lambda guards: st.one_of(
        guards.map(lambda guard: ~guard),
        st.tuples(guards, guards).map(lambda pair: pair[0] & pair[1]),
        st.tuples(guards, guards).map(lambda pair: pair[0] | pair[1]),
    ),
    max_leaves=4,
)
ELEMENTARY = {
    1: (SHIFT, UNSHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, EXCHANGE, SKIP, RESTORE, DROP),
    2: (SHIFT, UNSHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, SWITCH),
    3: (SHIFT, UNSHIFT, REDUCE, LEFT_ARC, RIGHT_ARC, SWITCH),
}


@st.composite
def compositions(draw: st.DrawFn, stacks: int) -> Composition:
    """One to five steps, some restricted, some repeated; a family begins with SHIFT^i, which bounds its i."""
    family = draw(st.integers(0, 5)) == 0
    times = st.sampled_from((1, 1, 1, 1, 2, 3, *((I, I - 1) if family else ())))
    steps = [SHIFT**I] if family else []
    for _ in range(draw(st.integers(1, 5)) - family):
        step = draw(st.sampled_from(ELEMENTARY[stacks]))
        if draw(st.booleans()):
            step = step.where(draw(GUARDS))
        steps.append(step ** draw(times))
    return reduce(lambda one, other: one >> other, steps)


@pytest.mark.parametrize("stacks", ELEMENTARY)
def test_native_takes_the_same_steps_in_any_system(stacks: int) -> None:
    @settings(max_examples=120, deadline=None, derandomize=True)
    @given(
        st.lists(compositions(stacks), min_size=1, max_size=4),
        st.booleans(),
        st.integers(0, 8),
        st.integers(0, 2**32),
    )
    def check(drawn: Iterable[Composition], with_shift: bool, n: int, seed: int) -> None:
        transitions = {f"T{number}": transition for number, transition in enumerate(drawn)}
        if with_shift:  # without it, most systems are stuck at once
            transitions["SHIFT"] = SHIFT
        walk(TransitionSystem("any", transitions, stacks=stacks), n, random.Random(seed), longest=25)

    check()


# Only trees: the native look-ahead refuses exactly what makes every well-formed tree unreachable.

TREE_CASES = [(name, *place) for name in TREE_SYSTEMS for place in ROOTS]


@pytest.mark.parametrize(("name", "root", "single_root"), TREE_CASES)
def test_look_ahead_is_neither_too_strict_nor_too_lax(name: str, root: Root, single_root: bool) -> None:
    system = systems[name].trees(root, single_root=single_root)
    for n in range(largest(system) + 1):
        assert_alike_everywhere(system, n)


@pytest.mark.parametrize(("name", "root", "single_root"), TREE_CASES)
def test_every_refusal_of_the_look_ahead_raises(name: str, root: Root, single_root: bool) -> None:
    system = systems[name].trees(root, single_root=single_root)
    n = 3 if system.stacks == 1 else 1
    c, state = system.initial(n), interpreter.initial(system, n)
    chance = random.Random(name)
    while not c.is_terminal:
        assert_same_refusals(system, c, state)
        chosen = chance.choice(c.legal())
        after = interpreter.apply(system, state, chosen)
        assert after is not None
        c, state = c.apply(chosen), after


# Corners where the two once differed.


@pytest.mark.parametrize(
    ("system", "n", "path"),
    [
        pytest.param(
            TransitionSystem("far", SHIFT=SHIFT, FAR=SHIFT ** (I - 2)), 3, ["FAR(3)"], id="i - 2 is a number of times"
        ),
        pytest.param(
            TransitionSystem("back", SHIFT=SHIFT, BACK=UNSHIFT**I),
            2,
            ["SHIFT", "SHIFT"],
            id="the i of a family is not bounded by the buffer",
        ),
        pytest.param(systems["planar"].trees(), 1, ["SHIFT"], id="a complete tree is final"),
    ],
)
def test_native_agrees_in_corners(system: TransitionSystem, n: int, path: list[str]) -> None:
    c, state = system.initial(n), interpreter.initial(system, n)
    for name in path:
        after = interpreter.apply(system, state, name)
        assert after is not None
        c, state = c.apply(name), after
    assert_alike(system, c, state)
    assert_same_refusals(system, c, state)


@pytest.mark.parametrize("elementary", [EXCHANGE, SKIP, RESTORE, DROP])
def test_what_is_meant_for_one_stack_is_refused_for_several(elementary: Composition) -> None:
    with pytest.raises(TransitionSystemError, match="one stack"):
        TransitionSystem("several", SHIFT=SHIFT, X=elementary, stacks=2)


def test_a_guard_on_a_repeated_transition_is_checked_once() -> None:
    system = TransitionSystem("once", SHIFT=SHIFT, ARC=RIGHT_ARC, TWICE=(REDUCE**2).where(top_has_head))
    c = system.initial(3)
    for name in ("SHIFT", "ARC", "SHIFT", "TWICE"):
        c = c.apply(name)  # only word 2 has a head
    assert c.stacks == [[]]


def test_systems_whose_trees_could_get_stuck_are_refused() -> None:
    left = LEFT_ARC.where(~top_has_head & ~connected)
    right = RIGHT_ARC.where(~front_has_head & ~connected)
    with pytest.raises(TransitionSystemError, match="gets stuck"):
        TransitionSystem("no-reduce", SHIFT=SHIFT, LEFT=left, RIGHT=right).trees()
