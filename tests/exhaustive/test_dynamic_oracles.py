"""Every dynamic oracle against brute force: the least loss over all continuations, from all configurations.

The judge knows no formula: it has every configuration that can be reached and the arcs of every end.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Literal

import numpy as np
import pytest

import multiplane as mp
from brute_force import cross
from multiplane import DependencyGraph
from multiplane.graphs import random_tree
from multiplane.graphs.arcs import Arc
from multiplane.graphs.enumerate import all_forests, all_trees
from multiplane.oracles import DynamicOracle, StateSpace
from multiplane.systems import SWITCH, Configuration, TransitionSystem

Placement = Literal["left", "right"] | None
Planes = Sequence[set[Arc]] | None
VARIANTS = ("folded", "direct", "joint", "eager")
ONE_STACK = ("planar", "arc-eager", "arc-hybrid", "covington")
PROJECTIVE = ("arc-eager", "arc-hybrid")


def freely_switching() -> TransitionSystem:
    """2-planar without the restriction on SWITCH, as a user declares it: S2's loss formula is stated for this one."""
    transitions = {**mp.systems["2-planar"].transitions, "SWITCH": SWITCH}
    return TransitionSystem("2-planar-freely-switching", transitions, stacks=2, oracle="planar")


SYSTEMS = {name: mp.systems[name] for name in (*ONE_STACK, "2-planar", "3-planar")}
SYSTEMS["freely switching"] = freely_switching()


@cache
def oracle_of(name: str) -> DynamicOracle:
    return mp.oracle(SYSTEMS[name], dynamic=True)


@cache
def states(name: str, n: int) -> StateSpace:
    return StateSpace(SYSTEMS[name], n)


@cache
def gold_forests(name: str, n: int) -> list[DependencyGraph]:
    """Every gold forest of the class: projective for the projective systems, planar for planar, else all."""
    wanted = {
        "arc-eager": DependencyGraph.is_projective,
        "arc-hybrid": DependencyGraph.is_projective,
        "planar": DependencyGraph.is_planar,
    }.get(name, lambda graph: True)
    return list(filter(wanted, all_forests(n)))


def planes_of(oracle: DynamicOracle, graph: DependencyGraph) -> Planes:
    return oracle.planes(graph) if oracle.system.stacks > 1 else None


def assert_exact(space: StateSpace, oracle: DynamicOracle, graph: DependencyGraph, planes: Planes) -> None:
    expected = space.losses(graph, planes)
    told = space.native.losses(oracle.native(graph, planes))
    np.testing.assert_array_equal(told, expected, f"{oracle.system.name}, {graph}, {planes}")


def colourings(graph: DependencyGraph, k: int) -> Iterator[list[set[Arc]]]:
    """All ways to give each arc a plane such that no two arcs of a plane cross."""
    for colours in product(range(k), repeat=len(graph.word_arcs)):
        planes: list[set[Arc]] = [set() for _ in range(k)]
        for arc, colour in zip(graph.word_arcs, colours, strict=True):
            planes[colour].add(arc)
        if all(DependencyGraph(graph.n, plane).is_planar() for plane in planes):
            yield planes


# The loss.


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("name", ONE_STACK)
def test_the_loss_is_the_least_over_all_continuations(name: str, n: int) -> None:
    step = {6: 101 if name in PROJECTIVE else 499}.get(n, 1)  # all gold forests up to 5 words, a sample on 6
    for graph in gold_forests(name, n)[::step]:
        assert_exact(states(name, n), oracle_of(name), graph, None)


@pytest.mark.parametrize("part", range(5))
def test_the_loss_of_2_planar_is_the_least_over_all_continuations_up_to_4_words(part: int) -> None:
    for n in (1, 2, 3, 4):
        for graph in gold_forests("2-planar", n)[part::5]:
            assert_exact(states("2-planar", n), oracle_of("2-planar"), graph, oracle_of("2-planar").planes(graph))


@pytest.mark.parametrize("name", ["3-planar", "freely switching"])
def test_the_loss_is_the_least_with_more_stacks_and_without_the_restriction_on_switch(name: str) -> None:
    for n in (1, 2, 3):
        for graph in gold_forests(name, n):
            assert_exact(states(name, n), oracle_of(name), graph, oracle_of(name).planes(graph))


@pytest.mark.parametrize("name", ["2-planar", "freely switching"])
def test_the_loss_is_the_least_for_every_plane_assignment_up_to_3_words(name: str) -> None:
    for n in (2, 3):
        for graph in gold_forests(name, n):
            for planes in colourings(graph, 2):
                assert_exact(states(name, n), oracle_of(name), graph, planes)


@pytest.mark.parametrize("part", range(2))
def test_the_loss_is_the_least_for_other_plane_assignments_of_crossing_arcs_on_4_words(part: int) -> None:
    crossing = [graph for graph in gold_forests("2-planar", 4) if not graph.is_planar()]
    assert len(crossing) == 20
    chance = random.Random(part)
    for graph in crossing[part::2]:
        canonical = oracle_of("2-planar").planes(graph)
        others = [planes for planes in colourings(graph, 2) if planes != canonical]
        assert_exact(states("2-planar", 4), oracle_of("2-planar"), graph, chance.choice(others))


@pytest.mark.parametrize("name", ["planar", "arc-eager", "arc-hybrid"])
def test_for_gold_forests_outside_the_class_the_loss_is_the_least_with_respect_to_the_arcs_kept(name: str) -> None:
    # S2, footnote 4: the arcs that the static oracle does not build do not count.
    oracle = oracle_of(name)
    for n in (3, 4):
        inside = set(gold_forests(name, n))
        for graph in set(all_forests(n)) - inside:
            (kept,) = oracle.planes(graph)
            expected = states(name, n).losses(graph.subgraph(kept))
            np.testing.assert_array_equal(states(name, n).native.losses(oracle.native(graph)), expected, str(graph))


def random_walk(system: TransitionSystem, n: int, steps: int, chance: random.Random) -> Configuration:
    c = system.initial(n)
    for _ in range(steps):
        if not (legal := c.legal()):
            break
        c = c.apply(chance.choice(legal))
    return c


def random_forest(n: int, chance: random.Random) -> DependencyGraph:
    """A random tree without some of its arcs."""
    tree = random_tree(n, chance.randrange(10**9))
    lost = set(chance.sample(tree.word_arcs, chance.choice([0, 0, 0, 1, 2])))
    return DependencyGraph(n, [arc for arc in tree.word_arcs if arc not in lost])


MOST = 20_000
SAMPLES = {"2-planar": 60, "3-planar": 20, "freely switching": 20}


@pytest.mark.parametrize("n", [5, 6])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_loss_is_the_least_for_a_sample_of_configurations_with_5_and_6_words(name: str, n: int) -> None:
    """All configurations within reach of random ones, if they are not too many, for random gold forests."""
    chance = random.Random(n)
    system, oracle = SYSTEMS[name], oracle_of(name)
    judged = skipped = sizes = 0
    while judged < SAMPLES[name]:
        c = random_walk(system, n, chance.randint(n, 4 * n), chance)
        try:
            space = StateSpace(c, most=MOST)
        except ValueError:
            skipped += 1
            assert skipped < 2000
            continue
        judged += 1
        sizes += len(space)
        for _ in range(10):
            graph = random_forest(n, chance)
            while graph.planarity() > oracle.system.stacks:
                graph = random_forest(n, chance)
            assert_exact(space, oracle, graph, planes_of(oracle, graph))
    assert sizes > 500 * judged  # not only the last steps of derivations


# Costs.


def assert_costs_are_differences(
    space: StateSpace, oracle: DynamicOracle, graph: DependencyGraph, step: int = 1
) -> None:
    losses = space.losses(graph, planes_of(oracle, graph))
    native = oracle.native(graph)
    first, following, taken = space.native.successors()
    for number in range(0, len(space), step):
        edges = slice(int(first[number]), int(first[number + 1]))
        differences = losses[following[edges]] - losses[number]
        expected = dict(zip(taken[edges].tolist(), differences.tolist(), strict=True))
        assert dict(native.costs(space.native.state(number), False)) == expected, (graph, space.state(number))
        assert not expected or 0 in expected.values() or space.state(number).is_terminal


@pytest.mark.parametrize("name", ONE_STACK)
def test_the_cost_of_every_transition_is_by_how_much_it_raises_the_least_loss(name: str) -> None:
    for n in (1, 2, 3):
        for graph in gold_forests(name, n):
            assert_costs_are_differences(states(name, n), oracle_of(name), graph)
    for graph in gold_forests(name, 4)[::3]:
        assert_costs_are_differences(states(name, 4), oracle_of(name), graph)


@pytest.mark.parametrize(
    ("name", "n", "step"), [("2-planar", 3, 1), ("2-planar", 4, 101), ("freely switching", 3, 7), ("3-planar", 3, 211)]
)
def test_the_cost_of_every_transition_with_several_stacks_is_by_how_much_it_raises_the_least_loss(
    name: str, n: int, step: int
) -> None:
    for graph in gold_forests(name, n)[:: 5 if n == 4 else 1]:
        assert_costs_are_differences(states(name, n), oracle_of(name), graph, step)


def test_costs_by_name_are_those_of_the_legal_transitions() -> None:
    chance = random.Random(1)
    for name, system in SYSTEMS.items():
        for _ in range(50):
            c = random_walk(system, 6, chance.randint(0, 20), chance)
            costs = oracle_of(name).costs(c, random_forest(6, chance))
            assert list(costs) == c.legal()


def test_from_the_initial_configuration_nothing_is_lost() -> None:
    for name, system in SYSTEMS.items():
        for graph in gold_forests(name, 5)[::3]:
            assert oracle_of(name).loss(system.initial(5), graph) == 0


def test_regularisation_only_raises_switch_from_0_to_1_and_leaves_a_transition_that_costs_nothing() -> None:
    plain, regularized = oracle_of("2-planar"), mp.oracle("2-planar", dynamic=True, regularized=True)
    raised = 0
    for n, step in ((2, 1), (3, 1), (4, 4001)):
        space = states("2-planar", n)
        for graph in gold_forests("2-planar", n):
            for number in range(0, len(space), step):
                c = space.state(number)
                before, after = plain.costs(c, graph), regularized.costs(c, graph)
                if before != after:
                    raised += 1
                    assert before.pop("SWITCH") == 0
                    assert after.pop("SWITCH") == 1
                    assert before == after
                    assert 0 in after.values()
    assert raised > 100


@pytest.mark.parametrize("name", ["2-planar", "3-planar"])
def test_regularised_derivations_are_those_of_the_static_oracle_and_switch_only_for_an_arc(name: str) -> None:
    oracle = mp.oracle(name, dynamic=True, regularized=True)
    for n in range(6):
        for graph in gold_forests(name, n)[:: 1 if n < 5 else 7]:
            c = mp.systems[name].initial(n)
            for transition in mp.oracle(name).sequence(graph):
                costs = oracle.costs(c, graph)
                assert costs[transition] == 0, (graph, c, transition)
                if graph.is_planar():
                    assert costs.get("SWITCH") != 0, (graph, c)
                c = c.apply(transition)


@pytest.mark.parametrize("name", ["2-planar", "3-planar"])
def test_canonical_planes_hold_all_arcs_and_give_the_first_plane_to_what_crosses_nothing(name: str) -> None:
    oracle, renumbered_some = mp.oracle(name, dynamic=True, regularized=True), False
    for n in range(6):
        for graph in gold_forests(name, n)[:: 1 if n < 5 else 5]:
            plain, planes = oracle.planes(graph), oracle.planes(graph, canonical=True)
            assert set().union(*planes) == set().union(*plain)
            assert sum(map(len, planes)) == sum(map(len, plain))
            assert all(graph.subgraph(plane).crossing() is None for plane in planes)
            arcs = set().union(*plain)
            assert {arc for arc in arcs if not any(cross(arc, other) for other in arcs)} <= planes[0]
            renumbered_some = renumbered_some or plain != planes
            c = mp.systems[name].initial(n)
            while not c.is_terminal:
                costs = oracle.costs(c, graph, planes)
                c = c.apply(next(transition for transition, cost in costs.items() if cost == 0))
            assert oracle.loss(c, graph, planes) == 0
    assert renumbered_some


# Where only trees are derived.


def tree_oracle(name: str, root: Placement, single_root: bool) -> DynamicOracle:
    return mp.oracle(mp.systems[name].trees(root, single_root=single_root), dynamic=True)


def gold_trees(name: str, n: int, root: Placement, single_root: bool) -> list[DependencyGraph]:
    graphs = all_trees(n) if single_root else all_forests(n)
    if name in PROJECTIVE or (name == "planar" and root is not None):
        return [graph for graph in graphs if graph.is_projective()]
    return [graph for graph in graphs if name != "planar" or graph.is_planar()]


@pytest.mark.parametrize("n", range(1, 5))
@pytest.mark.parametrize("name", ["planar", "2-planar", "arc-hybrid", "covington"])
def test_the_loss_is_the_least_where_only_trees_are_derived(name: str, n: int) -> None:
    oracle = tree_oracle(name, None, True)
    space = StateSpace(oracle.system, n)
    for graph in gold_trees(name, n, None, True)[:: 2 if (name, n) == ("2-planar", 4) else 1]:
        assert_exact(space, oracle, graph, planes_of(oracle, graph))


FLOORS = {
    ("arc-eager", None, True): 0.995,
    ("planar", "left", True): 0.92,
    ("planar", "left", False): 0.98,
    ("planar", "right", True): 0.98,
    ("planar", "right", False): 0.99,
    ("arc-eager", "left", True): 0.85,
    ("arc-eager", "left", False): 0.98,
    ("arc-eager", "right", True): 0.98,
    ("arc-eager", "right", False): 1.0,
    ("arc-hybrid", "left", True): 1.0,
    ("arc-hybrid", "left", False): 1.0,
    ("arc-hybrid", "right", True): 0.93,
    ("arc-hybrid", "right", False): 1.0,
    ("covington", "left", True): 0.83,
    ("covington", "left", False): 0.96,
    ("covington", "right", True): 0.97,
    ("covington", "right", False): 1.0,
    ("2-planar", "left", True): 0.97,
    ("2-planar", "left", False): 0.99,
    ("2-planar", "right", True): 0.99,
    ("2-planar", "right", False): 0.99,
    **{(f"2-planar-{name}", "left", True): 0.97 for name in VARIANTS},
    **{(f"2-planar-{name}", "left", False): 0.99 for name in VARIANTS},
    **{(f"2-planar-{name}", "right", single): 0.99 for name in VARIANTS for single in (True, False)},
}
"""In how many configurations, over all gold trees, the loss is exact: measured, rounded down. It does not foresee every
arc that completing a tree takes.
"""


@pytest.mark.parametrize(("name", "root", "single_root"), FLOORS)
def test_the_loss_is_a_lower_bound_with_an_artificial_root_and_for_arc_eager_trees_and_mostly_exact(
    name: str, root: Placement, single_root: bool
) -> None:
    oracle = tree_oracle(name, root, single_root)
    for n in (3,) if name.startswith("2-planar") else (3, 4):
        space = StateSpace(oracle.system, n)
        exact = total = 0
        for graph in gold_trees(name, n, root, single_root):
            expected = space.losses(graph, planes_of(oracle, graph))
            told = space.native.losses(oracle.native(graph))
            assert (told <= expected).all(), graph
            assert told[0] == expected[0] == 0, graph
            exact, total = exact + int((told == expected).sum()), total + len(space)
        assert exact / total >= FLOORS[name, root, single_root]


# arc-hybrid + swap: static for SWAP, dynamic for the rest.


def projective_order(graph: DependencyGraph) -> dict[int, int]:
    """Each word's place when the forest is read out in order: left dependents, the word, right dependents."""

    def read_out(word: int) -> Iterator[int]:
        dependents = [dependent for head, dependent, *_ in graph.word_arcs if head == word]
        for dependent in sorted(d for d in dependents if d < word):
            yield from read_out(dependent)
        yield word
        for dependent in sorted(d for d in dependents if d > word):
            yield from read_out(dependent)

    words = [word for root in graph.roots for word in read_out(root)]
    return {word: place for place, word in enumerate(words)}


@pytest.mark.parametrize("part", range(4))
def test_every_path_of_transitions_that_cost_nothing_in_arc_hybrid_swap_ends_in_the_gold_tree(part: int) -> None:
    # In forests with several roots too, though these may get heads, which costs no gold arc.
    system, oracle = mp.systems["arc-hybrid-swap"], mp.oracle("arc-hybrid-swap", dynamic=True)
    graphs = [graph for n in range(1, 6) for graph in all_forests(n)]
    for graph in graphs[part::4]:
        order = projective_order(graph)
        gold = {(arc[0], arc[1], None) for arc in graph.word_arcs}
        todo = [system.initial(graph.n)]
        seen = set(todo)
        while todo:
            c = todo.pop()
            costs = oracle.costs(c, graph)
            assert min(costs.values(), default=0) == 0, (graph, c)
            if "SWAP" in costs:
                assert (costs["SWAP"] == 0) == (order[c.stacks[0][-1]] > order[c.buffer[0]]), (graph, c)
            following = [c.apply(name) for name, cost in costs.items() if cost == 0]
            if c.is_terminal and not following:
                assert gold <= c.arcs, (graph, c)
                assert gold == c.arcs or not graph.is_tree(), (graph, c)
            fresh = [after for after in following if after not in seen]
            seen.update(fresh)
            todo += fresh


def test_in_arc_hybrid_swap_something_is_free_after_any_errors_but_a_swap_too_many_or_too_few() -> None:
    # After such an error the static order may want what can no longer be had, and every transition costs something.
    system, oracle = mp.systems["arc-hybrid-swap"], mp.oracle("arc-hybrid-swap", dynamic=True)
    for graph in (graph for n in range(1, 5) for graph in all_trees(n)):
        todo = [system.initial(graph.n)]
        seen = set(todo)
        while todo:
            c = todo.pop()
            costs = oracle.costs(c, graph)
            assert not c.buffer or 0 in costs.values(), (graph, c)
            is_swapped = costs.get("SWAP") == 0
            following = {c.apply(name) for name in costs if (name == "SWAP") == is_swapped}
            todo += following - seen
            seen |= following


@pytest.mark.parametrize("n", range(1, 5))
def test_swap_in_arc_hybrid_swap_is_free_exactly_where_the_static_order_needs_it(n: int) -> None:
    oracle = mp.oracle("arc-hybrid-swap", dynamic=True)
    space = StateSpace(mp.systems["arc-hybrid-swap"], n)
    swap = space.system.names.index("SWAP")
    for graph in all_forests(n):
        order, native = projective_order(graph), oracle.native(graph)
        for number in range(len(space)):
            c = space.native.state(number)
            costs = dict(native.costs(c, False))
            if swap in costs:
                assert (costs[swap] == 0) == (order[c.stacks[0][-1]] > order[c.buffer[0]])
