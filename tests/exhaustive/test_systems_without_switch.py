"""The 2-planar systems without a SWITCH of its own: they derive what 2-planar derives, and lose what it loses.

Every transition of theirs is put together from what 2-planar does, and on both stacks all of that can be done at any
time; so the same stacks, buffers and arcs can be reached, and the loss by planes is the same function. Here all of this
is proved on few words by looking at every configuration.
"""

import random
from functools import cache
from itertools import product

import numpy as np
import pytest

import multiplane as mp
from multiplane import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.graphs.enumerate import all_forests, all_trees
from multiplane.oracles import DynamicOracle, StateSpace
from multiplane.systems import (
    LEFT_ARC,
    REDUCE,
    RIGHT_ARC,
    SHIFT,
    SWITCH,
    TransitionSystem,
    connected,
    front_has_head,
    may_switch,
    top_has_head,
)
from multiplane.systems.properties import longest

NAMES = ("2-planar-folded", "2-planar-direct", "2-planar-joint", "2-planar-eager")
Planes = list[set[Arc]]


@cache
def states(name: str, n: int) -> StateSpace:
    return StateSpace(mp.systems[name], n)


@cache
def oracle_of(name: str) -> DynamicOracle:
    return mp.oracle(name, dynamic=True)


def links(graph: DependencyGraph) -> frozenset[tuple[int, int]]:
    return frozenset((arc[0], arc[1]) for arc in graph.word_arcs)


def assert_exact(space: StateSpace, oracle: DynamicOracle, graph: DependencyGraph, planes: Planes) -> None:
    told = space.native.losses(oracle.native(graph, planes))
    np.testing.assert_array_equal(told, space.losses(graph, planes), f"{oracle.system.name}, {graph}, {planes}")


# What can be reached.


@pytest.mark.parametrize("n", range(1, 5))
@pytest.mark.parametrize("name", NAMES)
def test_they_derive_exactly_the_2_planar_forests(name: str, n: int) -> None:
    assert states(name, n).graphs() == {links(graph) for graph in all_forests(n) if graph.planarity() <= 2}


def reached(name: str, n: int) -> set[object]:
    space = states(name, n)
    configurations = (space.state(number) for number in range(len(space)))
    return {
        (str(c.stacks), str(c.buffer), str([sorted(arc[:2] for arc in p) for p in c.planes])) for c in configurations
    }


@pytest.mark.parametrize("name", NAMES)
def test_they_reach_the_same_stacks_buffers_and_planes_as_2_planar(name: str) -> None:
    for n in range(4):
        assert reached(name, n) == reached("2-planar", n)


@pytest.mark.parametrize("name", NAMES)
def test_every_plane_of_every_derivation_is_planar(name: str) -> None:
    # As for 2-planar, this proves soundness for any number of words.
    space = states(name, 4)
    ends = np.flatnonzero(space.native.terminal())
    assert len(ends) > 5_000
    for number in ends:
        for plane in space.state(int(number)).planes:
            assert DependencyGraph(4, [arc[:2] for arc in plane]).is_planar()


@pytest.mark.parametrize("name", NAMES)
def test_a_derivation_is_half_as_long_as_with_switch_at_the_most(name: str) -> None:
    for n in range(2, 30):
        assert longest(mp.systems[name], n) == 4 * n - 1
        assert longest(mp.systems["2-planar"], n) == 8 * n - 1
    assert "SWITCH in a row" not in mp.systems[name].properties()["bounded"].reason


@pytest.mark.parametrize(("name", "n"), [("3-planar-folded", 3), ("3-planar-direct", 3), ("3-planar-eager", 3)])
def test_with_three_stacks_they_derive_the_3_planar_forests_too(name: str, n: int) -> None:
    system = mp.systems[name]
    assert system.stacks == 3
    assert StateSpace(system, n).graphs() == set(map(links, all_forests(n)))
    oracle = mp.oracle(system)
    for graph in list(all_forests(6))[::29]:
        derivation = oracle.derive(graph)
        assert derivation.complete, graph
        assert derivation.lost == [], graph


# Static oracles.


def folded(sequence: list[str]) -> list[str]:
    """A derivation of 2-planar, each SWITCH put together with what follows."""
    pairs = zip(["", *sequence], sequence, strict=False)
    return [f"SWITCH-{name}" if before == "SWITCH" else name for before, name in pairs if name != "SWITCH"]


def test_the_folded_oracle_is_that_of_2_planar_with_switch_folded_into_what_follows() -> None:
    for n in range(6):
        for graph in all_forests(n):
            assert mp.oracle("2-planar-folded").sequence(graph) == folded(mp.oracle("2-planar").sequence(graph))


@pytest.mark.parametrize("name", ["2-planar-direct", "2-planar-joint", "2-planar-eager"])
def test_the_second_stack_is_used_exactly_for_graphs_that_are_not_planar(name: str) -> None:
    oracle = mp.oracle(name)
    for n in range(6):
        for graph in all_forests(n):
            derivation = oracle.derive(graph)
            assert bool(derivation.planes[1]) == (not graph.is_planar()), graph
            assert graph.is_planar() <= (not any(step.endswith("-2") for step in derivation.sequence)), graph


def test_the_more_is_folded_the_shorter_are_derivations() -> None:
    for n in range(6):
        for graph in all_forests(n):
            lengths = [len(mp.oracle(name).sequence(graph)) for name in ("2-planar", *NAMES)]
            assert lengths[0] >= lengths[1], graph
            assert lengths[2] >= lengths[3] >= lengths[4], graph


# The loss.


@pytest.mark.parametrize("part", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_the_loss_is_the_least_over_all_continuations_up_to_4_words(name: str, part: int) -> None:
    oracle = oracle_of(name)
    for n in (1, 2, 3, 4):
        for graph in list(all_forests(n))[part::3]:
            assert_exact(states(name, n), oracle, graph, oracle.planes(graph))


@pytest.mark.parametrize("name", NAMES)
def test_the_loss_is_the_least_for_every_plane_assignment_up_to_3_words(name: str) -> None:
    for n in (2, 3):
        for graph in all_forests(n):
            for colours in product((0, 1), repeat=len(graph.word_arcs)):
                arcs = list(zip(graph.word_arcs, colours, strict=True))
                planes = [{arc for arc, colour in arcs if colour == plane} for plane in (0, 1)]
                assert_exact(states(name, n), oracle_of(name), graph, planes)


@pytest.mark.parametrize("name", NAMES)
def test_the_loss_is_the_least_for_a_sample_of_configurations_with_5_words(name: str) -> None:
    chance = random.Random(name)
    system, oracle = mp.systems[name], oracle_of(name)
    forests = [graph for graph in all_forests(5) if graph.planarity() <= 2]
    judged = sizes = 0
    while judged < 20:
        c = system.initial(5)
        for _ in range(chance.randint(3, 15)):
            if not (legal := c.legal()):
                break
            c = c.apply(chance.choice(legal))
        try:
            space = StateSpace(c, most=20_000)
        except ValueError:
            continue
        judged += 1
        sizes += len(space)
        for graph in chance.sample(forests, 10):
            assert_exact(space, oracle, graph, oracle.planes(graph))
    assert sizes > 100 * judged


@pytest.mark.parametrize(("n", "step"), [(2, 1), (3, 3), (4, 501)])
@pytest.mark.parametrize("name", NAMES)
def test_the_cost_of_every_transition_is_by_how_much_it_raises_the_least_loss(name: str, n: int, step: int) -> None:
    space, oracle = states(name, n), oracle_of(name)
    first, following, taken = space.native.successors()
    for graph in all_forests(n):
        losses, native = space.losses(graph, oracle.planes(graph)), oracle.native(graph)
        for number in range(0, len(space), step):
            edges = slice(int(first[number]), int(first[number + 1]))
            differences = losses[following[edges]] - losses[number]
            expected = dict(zip(taken[edges].tolist(), differences.tolist(), strict=True))
            assert dict(native.costs(space.native.state(number), False)) == expected, (graph, space.state(number))


@pytest.mark.parametrize("name", NAMES)
def test_regularisation_only_raises_what_is_free_to_1_and_leaves_something_free(name: str) -> None:
    plain, regularized = oracle_of(name), mp.oracle(name, dynamic=True, regularized=True)
    raised: set[str] = set()
    for n, step in ((2, 1), (3, 5), (4, 2003)):
        for graph in all_forests(n):
            for number in range(0, len(states(name, n)), step):
                c = states(name, n).state(number)
                before, after = plain.costs(c, graph), regularized.costs(c, graph)
                changed = {transition for transition in before if before[transition] != after[transition]}
                assert all((before[transition], after[transition]) == (0, 1) for transition in changed)
                assert (0 in before.values()) == (0 in after.values())
                raised |= changed
    leaving = {transition for transition in mp.systems[name] if transition.endswith("-2") or "SWITCH" in transition}
    parts = {"2-planar-joint": {"REDUCE"}, "2-planar-eager": {"REDUCE", "LEFT-ARC", "RIGHT-ARC"}}.get(name, set())
    assert raised == leaving | parts


@pytest.mark.parametrize("name", NAMES)
def test_the_regularised_oracle_allows_the_derivation_of_the_static_one(name: str) -> None:
    oracle = mp.oracle(name, dynamic=True, regularized=True)
    for n in range(6):
        for graph in list(all_forests(n))[:: 1 if n < 5 else 7]:
            c = mp.systems[name].initial(n)
            for transition in mp.oracle(name).sequence(graph):
                assert oracle.costs(c, graph)[transition] == 0, (graph, c, transition)
                c = c.apply(transition)


@pytest.mark.parametrize("n", range(1, 5))
@pytest.mark.parametrize("name", NAMES)
def test_the_loss_is_the_least_where_only_trees_are_derived(name: str, n: int) -> None:
    oracle = mp.oracle(mp.systems[name].trees(), dynamic=True)
    space = StateSpace(oracle.system, n)
    for graph in all_trees(n):
        assert_exact(space, oracle, graph, oracle.planes(graph))


# What is derived from declarations in which SWITCH stands between others.


def test_a_guard_on_one_stack_says_nothing_of_the_other() -> None:
    left = LEFT_ARC.where(~top_has_head & ~connected)
    blind = SWITCH.where(~top_has_head) >> LEFT_ARC.where(~connected)
    here = {"SHIFT": SHIFT, "REDUCE": REDUCE, "LEFT-ARC": left, "SWITCH": SWITCH.where(may_switch)}
    system = TransitionSystem("blind", {**here, "OTHER": blind}, stacks=2)
    assert system.properties()["single_head"].holds is False


def test_the_tops_of_two_stacks_may_be_the_same_word() -> None:
    twice = LEFT_ARC.where(~top_has_head) >> SWITCH >> LEFT_ARC
    system = TransitionSystem("twice", SHIFT=SHIFT, REDUCE=REDUCE, TWICE=twice, stacks=2)
    assert not system.properties()["single_head"]


def test_own_systems_with_the_same_work_have_the_oracles_too() -> None:
    left, right = LEFT_ARC.where(~top_has_head & ~connected), RIGHT_ARC.where(~front_has_head & ~connected)
    there_and_back = {name: SWITCH >> t >> SWITCH for name, t in {"R2": REDUCE, "A2": left, "B2": right}.items()}
    here = {"SHIFT": SHIFT, "REDUCE": REDUCE, "LEFT-ARC": left, "RIGHT-ARC": right}
    mine = TransitionSystem("mine", {**there_and_back, **here}, stacks=2, oracle="planar")
    crossing = DependencyGraph(4, [(1, 3), (2, 4), (1, 2)])
    assert mp.oracle(mine).sequence(crossing)[-3:] == ["R2", "B2", "SHIFT"]
    assert mp.oracle(mine, dynamic=True).loss(mine.initial(4), crossing) == 0
