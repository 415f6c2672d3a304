"""Undirected variants of transition systems (S3): the operation, what its results derive, and their oracles.

The judge is brute force over every undirected forest on a few words, and over every configuration.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import Literal

import numpy as np
import pytest

import multiplane as mp
from brute_force import cross
from multiplane import DependencyGraph
from multiplane.errors import TransitionSystemError, UnknownSystemError
from multiplane.oracles import DynamicOracle, StateSpace
from multiplane.systems import (
    ARC,
    LEFT_ARC,
    REDUCE,
    RESTORE,
    RIGHT_ARC,
    SHIFT,
    SKIP,
    SWITCH,
    Configuration,
    TransitionSystem,
    connected,
    front_has_head,
    may_switch,
    top_has_head,
)

Edge = tuple[int, int]
Forest = frozenset[Edge]
Planes = list[set[Edge]] | None
Placement = Literal["left", "right"] | None

ONE_STACK = ("planar", "covington")
FOLDED = ("2-planar-folded", "2-planar-direct", "2-planar-joint")
TWO_STACKS = ("2-planar", "2-planar-eager", *FOLDED)
PLACEMENTS: tuple[tuple[Placement, bool], ...] = (
    (None, True),
    ("left", True),
    ("left", False),
    ("right", True),
    ("right", False),
)


def undirected(name: str) -> TransitionSystem:
    return mp.systems[f"undirected-{name}"]


# The operation.


def test_the_results_are_those_of_figure_3() -> None:
    arc = ARC.where(~connected)
    assert undirected("planar").transitions == {"SHIFT": SHIFT, "REDUCE": REDUCE, "ARC": arc}
    assert undirected("2-planar").transitions == {
        "SHIFT": SHIFT,
        "REDUCE": REDUCE,
        "ARC": arc,
        "SWITCH": SWITCH.where(may_switch),
    }
    assert undirected("2-planar").stacks == 2
    assert undirected("covington").transitions == {"SHIFT": RESTORE >> SHIFT, "NO-ARC": SKIP, "ARC": arc >> SKIP}


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("arc-eager", "(LEFT-ARC|H̄σ;REDUCE and RIGHT-ARC;SHIFT)"),
        ("arc-standard", "(LEFT-ARC;REDUCE and RIGHT-ARC;SHIFT;REDUCE;UNSHIFT)"),
        ("arc-hybrid", "(LEFT-ARC;REDUCE and UNSHIFT;RIGHT-ARC;SHIFT;REDUCE)"),
        ("swap", "(UNSHIFT;LEFT-ARC;REDUCE;SHIFT and UNSHIFT;RIGHT-ARC;SHIFT;REDUCE)"),
        ("attardi", "(LEFT-ARC;REDUCE and RIGHT-ARC;SHIFT;REDUCE;UNSHIFT)"),
        ("easy-first", "(SHIFT^i;LEFT-ARC;REDUCE;UNSHIFT^i-1 and SHIFT^i;RIGHT-ARC;SHIFT;REDUCE;UNSHIFT^i)"),
        ("covington-projective", "(LEFT-ARC|(H̄σ ∧ i⇎*j);REDUCE;DROP and RIGHT-ARC|(H̄β ∧ i⇎*j);DROP;SHIFT)"),
        ("planar[no-covered-roots]", "REDUCE needs to know the direction of arcs (REDUCE|Hσ)"),
        ("arc-eager-dag", "REDUCE needs to know the direction of arcs (REDUCE|Hσ)"),
    ],
)
def test_systems_whose_arcs_differ_in_more_than_direction_are_refused_with_the_pair(name: str, pair: str) -> None:
    with pytest.raises(TransitionSystemError) as error:
        mp.systems[name].undirected()
    assert str(error.value).startswith(f"{name} has no undirected variant: ")
    assert str(error.value).endswith(pair)
    assert "\n" not in str(error.value)
    assert f"undirected-{name}" not in mp.systems


def test_a_system_without_arcs_is_refused() -> None:
    with pytest.raises(TransitionSystemError, match="it builds no arcs"):
        TransitionSystem("mine", SHIFT=SHIFT, REDUCE=REDUCE).undirected()


def test_names_lead_to_the_variants() -> None:
    for name in (*ONE_STACK, *TWO_STACKS, "3-planar", "7-planar", "3-planar-eager"):
        variant = mp.systems[name].undirected()
        assert variant.name == f"undirected-{name}"
        assert mp.systems[variant.name].same_declaration(variant)
        assert variant.is_undirected
        assert not mp.systems[name].is_undirected
        assert variant.stacks == mp.systems[name].stacks
        assert variant.undirected() is variant
    listed = [name for name in mp.systems if mp.systems[name].is_undirected]
    assert listed == [f"undirected-{name}" for name in ("planar", "2-planar", "2-planar-eager", "covington")]


@pytest.mark.parametrize("name", ["undirected-foo", "undirected-", "undirected-" * 5000, "undirected-undirected-foo"])
def test_an_unknown_name_is_reported_whole(name: str) -> None:
    with pytest.raises(UnknownSystemError) as error:
        mp.systems[name]
    assert str(error.value).startswith(f"unknown system '{name}'; known: undirected-planar, ")


@pytest.mark.parametrize(("root", "single_root"), PLACEMENTS)
def test_a_restriction_to_trees_stays(root: Placement, single_root: bool) -> None:
    first = mp.systems["2-planar"].trees(root, single_root=single_root).undirected()
    then = mp.systems["2-planar"].undirected().trees(root, single_root=single_root)
    assert first.title == then.title
    assert first.same_declaration(then)
    assert first.only_trees


def test_users_systems_keep_their_names() -> None:
    mine = TransitionSystem(
        "mine",
        NEXT=SHIFT,
        POP=REDUCE,
        BACK=LEFT_ARC.where(~top_has_head & ~connected),
        FORTH=RIGHT_ARC.where(~front_has_head & ~connected),
    )
    variant = mine.undirected()
    assert (variant.name, list(variant)) == ("undirected-mine", ["NEXT", "POP", "BACK/FORTH"])
    assert [str(transition) for transition in variant.transitions.values()] == ["SHIFT", "REDUCE", "ARC|i⇎*j"]
    gold = DependencyGraph(3, [(2, 1, "a"), (2, 3, "b")])
    assert mp.oracle(variant).sequence(gold) == ["NEXT", "BACK/FORTH(a)", "NEXT", "BACK/FORTH(b)", "NEXT"]
    assert StateSpace(variant, 4).graphs() == set(planar_forests(4))
    assert mp.oracle(variant, dynamic=True).loss(variant.initial(3), gold) == 0


def test_a_declared_undirected_system_is_the_variant() -> None:
    mine = TransitionSystem("mine", SHIFT=SHIFT, REDUCE=REDUCE, ARC=ARC.where(~connected))
    assert mine.is_undirected
    assert mine.same_declaration(undirected("planar"))
    assert mp.oracle(mine, dynamic=True).loss(mine.initial(2), DependencyGraph(2, [(2, 1)])) == 0


def test_edges_and_arcs_do_not_mix() -> None:
    with pytest.raises(TransitionSystemError, match="use either ARC or directed arcs"):
        TransitionSystem("mine", SHIFT=SHIFT, REDUCE=REDUCE, ARC=ARC, LEFT_ARC=LEFT_ARC)


# What is derived.


@cache
def forests(nodes: int, first: int = 1) -> list[Forest]:
    """Every undirected graph without a cycle over as many nodes."""
    places = range(first, first + nodes)
    found = [(frozenset[Edge](), {place: place for place in places})]
    for one, other in combinations(places, 2):
        for edges, part in list(found):
            if part[one] != part[other]:
                joined = {place: part[one] if p == part[other] else p for place, p in part.items()}
                found.append((edges | {(one, other)}, joined))
    return [edges for edges, _ in found]


def test_the_judge_has_as_many_forests_as_there_are() -> None:
    assert [len(forests(n)) for n in range(1, 7)] == [1, 2, 7, 38, 291, 2932]  # OEIS A001858


def crosses_itself(edges: Sequence[Edge]) -> bool:
    return any(cross(one, other) for one, other in combinations(edges, 2))


def planar_forests(n: int) -> list[Forest]:
    return [edges for edges in forests(n) if not crosses_itself(sorted(edges))]


def colourings(edges: Forest, k: int) -> Iterator[list[set[Edge]]]:
    """All ways to give each edge a plane such that no two edges of a plane cross."""
    ordered = sorted(edges)
    for colours in product(range(k), repeat=len(ordered)):
        planes = [{edge for edge, colour in zip(ordered, colours, strict=True) if colour == p} for p in range(k)]
        if not any(crosses_itself(sorted(plane)) for plane in planes):
            yield planes


def in_class(name: str, n: int) -> list[Forest]:
    if name == "covington":
        return forests(n)
    k = undirected(name).stacks
    return [edges for edges in forests(n) if next(colourings(edges, k), None) is not None]


@cache
def states(name: str, n: int) -> StateSpace:
    return StateSpace(undirected(name), n)


SMALL = [(name, n) for name in ONE_STACK for n in range(1, 6)]
SMALL += [(name, n) for name in TWO_STACKS for n in range(1, 5)]
SMALL += [("3-planar", n) for n in range(1, 4)]


@pytest.mark.parametrize(("name", "n"), SMALL)
def test_exactly_the_forests_of_the_class_are_derived(name: str, n: int) -> None:
    assert states(name, n).graphs() == set(in_class(name, n))
    assert states(name, n).stuck() == []


@pytest.mark.parametrize(("name", "n"), [*((name, n) for name in ONE_STACK for n in range(1, 5)), ("2-planar", 3)])
def test_they_are_what_remains_of_directed_graphs_without_directions(name: str, n: int) -> None:
    directed = StateSpace(mp.systems[name], n).graphs()
    assert {frozenset((min(arc), max(arc)) for arc in arcs) for arcs in directed} == states(name, n).graphs()


def test_six_words_are_enough_for_an_odd_cycle_of_crossings() -> None:
    # Up to 5 words, every forest is 2-planar; so here the class says something.
    assert len(in_class("2-planar", 5)) == len(forests(5))
    outside = set(forests(6)) - set(in_class("2-planar", 6))
    assert outside
    for edges in outside:
        derivation = mp.oracle("undirected-2-planar").derive(DependencyGraph(6, edges))
        assert len(derivation.lost) == 1
        assert derivation.complete


@pytest.mark.parametrize("name", [*ONE_STACK, *TWO_STACKS, "3-planar"])
def test_static_oracles_derive_every_forest_of_the_class_whatever_the_directions(name: str) -> None:
    system, oracle = undirected(name), mp.oracle(f"undirected-{name}")
    chance = random.Random(0)
    for n in range(1, 7):
        for edges in in_class(name, n)[:: 7 if n == 6 else 1]:
            arcs = [edge if chance.random() < 0.5 else edge[::-1] for edge in sorted(edges)]
            derivation = oracle.derive(DependencyGraph(n, arcs))
            assert (derivation.lost, derivation.added, derivation.complete) == ([], [], True), arcs
            c = system.initial(n)
            for transition in derivation.sequence:
                c = c.apply(transition)
            assert {arc[:2] for arc in c.arcs} == edges
            assert c.is_terminal


# The loss.


@cache
def oracle_of(name: str) -> DynamicOracle:
    return mp.oracle(f"undirected-{name}", dynamic=True)


def planes_of(oracle: DynamicOracle, graph: DependencyGraph) -> Planes:
    return oracle.planes(graph) if oracle.system.stacks > 1 else None  # type: ignore[return-value]


def assert_exact(space: StateSpace, oracle: DynamicOracle, graph: DependencyGraph, planes: Planes) -> None:
    told = space.native.losses(oracle.native(graph, planes))
    np.testing.assert_array_equal(told, space.losses(graph, planes), f"{oracle.system.name}, {graph}, {planes}")


@pytest.mark.parametrize(("name", "n"), SMALL)
def test_the_loss_is_the_least_over_all_continuations(name: str, n: int) -> None:
    for edges in in_class(name, n):
        graph = DependencyGraph(n, edges)
        assert_exact(states(name, n), oracle_of(name), graph, planes_of(oracle_of(name), graph))


@pytest.mark.parametrize("name", TWO_STACKS)
def test_the_loss_is_the_least_for_every_plane_assignment_up_to_3_words(name: str) -> None:
    for n in (2, 3):
        for edges in forests(n):
            for planes in colourings(edges, 2):
                assert_exact(states(name, n), oracle_of(name), DependencyGraph(n, edges), planes)


def test_directions_of_gold_arcs_do_not_matter() -> None:
    for name in ("planar", "covington", "2-planar"):
        for edges in in_class(name, 3):
            for turned in product((False, True), repeat=len(edges)):
                arcs = [edge[::-1] if t else edge for edge, t in zip(sorted(edges), turned, strict=True)]
                graph = DependencyGraph(3, arcs)
                assert_exact(states(name, 3), oracle_of(name), graph, planes_of(oracle_of(name), graph))


def random_walk(system: TransitionSystem, n: int, steps: int, chance: random.Random) -> Configuration:
    c = system.initial(n)
    for _ in range(steps):
        if not (legal := c.legal()):
            break
        c = c.apply(chance.choice(legal))
    return c


@pytest.mark.parametrize("name", ONE_STACK)
def test_the_loss_is_the_least_for_a_sample_of_forests_with_6_words(name: str) -> None:
    space = StateSpace(undirected(name), 6)
    for edges in in_class(name, 6)[::53]:
        assert_exact(space, oracle_of(name), DependencyGraph(6, edges), None)


@pytest.mark.parametrize("n", [5, 6])
@pytest.mark.parametrize("name", ["2-planar", "2-planar-eager", "3-planar"])
def test_the_loss_is_the_least_for_a_sample_of_configurations_with_5_and_6_words(name: str, n: int) -> None:
    chance = random.Random(n)
    system, golds = undirected(name), in_class(name, n)
    judged = sizes = 0
    while judged < 30:
        try:
            space = StateSpace(random_walk(system, n, chance.randint(n // 2, 3 * n), chance), most=20_000)
        except TransitionSystemError:
            continue
        judged, sizes = judged + 1, sizes + len(space)
        for edges in chance.sample(golds, 6):
            graph = DependencyGraph(n, edges)
            assert_exact(space, oracle_of(name), graph, planes_of(oracle_of(name), graph))
    assert sizes > 300 * judged  # not only the last steps of derivations


def assert_costs_are_differences(
    space: StateSpace, oracle: DynamicOracle, graph: DependencyGraph, step: int = 1
) -> None:
    losses = space.losses(graph, planes_of(oracle, graph))
    native = oracle.native(graph)
    first, following, taken = space.native.successors()
    for number in range(0, len(space), step):
        out = slice(int(first[number]), int(first[number + 1]))
        differences = losses[following[out]] - losses[number]
        expected = dict(zip(taken[out].tolist(), differences.tolist(), strict=True))
        assert dict(native.costs(space.native.state(number), False)) == expected, (graph, space.state(number))
        assert not expected or 0 in expected.values() or space.state(number).is_terminal


@pytest.mark.parametrize(
    ("name", "n", "step"),
    [("planar", 4, 1), ("covington", 4, 1), ("2-planar", 3, 3), ("2-planar-eager", 3, 1), ("3-planar", 3, 499)],
)
def test_the_cost_of_every_transition_is_by_how_much_it_raises_the_least_loss(name: str, n: int, step: int) -> None:
    for edges in in_class(name, n):
        assert_costs_are_differences(states(name, n), oracle_of(name), DependencyGraph(n, edges), step)


# Only trees.


def trees_of_the_class(name: str, n: int, root: Placement, single_root: bool) -> list[Forest]:
    """The spanning trees, over the words and the root if there is one; all are 2-planar if they are this small."""
    found = []
    for edges in forests(n) if root is None else forests(n + 1, 0):
        if len(edges) < (n - 1 if root is None else n):
            continue
        if root is not None and single_root and sum(one == 0 for one, _ in edges) > 1:
            continue
        last = [(other, n + 1) if one == 0 and root == "right" else (one, other) for one, other in edges]
        if name != "planar" or not crosses_itself(last):
            found.append(edges)
    return found


TREES = [
    (name, root, single_root) for name in (*ONE_STACK, *TWO_STACKS, "3-planar") for root, single_root in PLACEMENTS
]
INEXACT = {(name, "right", True): 0.994 if name == "planar" else 0.999 for name in ("planar", *TWO_STACKS)}
"""Where the loss is only a lower bound, and in how many configurations, over all gold trees, it is exact: measured,
rounded down. If several components are left over and only one word may be linked to the root, which comes last, they
must be linked to each other first, which the loss does not foresee.
"""


def words_for(name: str, root: Placement) -> range:
    """For how many words the whole state space is small; an artificial root is one more node."""
    return range(1, {1: 6, 2: 5, 3: 4}[undirected(name).stacks] - (root is not None))


@cache
def tree_states(name: str, root: Placement, single_root: bool, n: int) -> StateSpace:
    return StateSpace(undirected(name).trees(root, single_root=single_root), n)


@pytest.mark.parametrize(("name", "root", "single_root"), TREES)
def test_trees_derives_exactly_the_trees_of_the_class_and_is_never_stuck(
    name: str, root: Placement, single_root: bool
) -> None:
    for n in words_for(name, root):
        space = tree_states(name, root, single_root, n)
        assert space.stuck() == []
        assert space.graphs() == set(trees_of_the_class(name, n, root, single_root))


@pytest.mark.parametrize(("name", "root", "single_root"), [case for case in TREES if case not in INEXACT])
def test_the_loss_is_the_least_where_only_trees_are_derived(name: str, root: Placement, single_root: bool) -> None:
    for n in words_for(name, root):
        space = tree_states(name, root, single_root, n)
        oracle = mp.oracle(space.system, dynamic=True)
        for edges in trees_of_the_class(name, n, root, single_root):
            graph = DependencyGraph(n, edges)
            assert_exact(space, oracle, graph, planes_of(oracle, graph))
            # So the transitions that cost the least lead from everywhere to the loss that is predicted.
            if n <= 2 or undirected(name).stacks == 1:
                assert_costs_are_differences(space, oracle, graph, 1 if n <= 2 else 3)


@pytest.mark.parametrize(("name", "root", "single_root"), INEXACT)
def test_with_a_single_root_at_the_end_the_loss_is_a_lower_bound_and_nearly_always_exact(
    name: str, root: Placement, single_root: bool
) -> None:
    n = 4 if name == "planar" else 3
    space = tree_states(name, root, single_root, n)
    oracle = mp.oracle(space.system, dynamic=True)
    exact = total = 0
    for edges in trees_of_the_class(name, n, root, single_root):
        graph = DependencyGraph(n, edges)
        expected = space.losses(graph, planes_of(oracle, graph))
        told = space.native.losses(oracle.native(graph))
        assert (told <= expected).all()
        assert (expected - told).max() <= 1
        assert told[0] == expected[0] == 0
        exact, total = exact + int((told == expected).sum()), total + len(space)
    assert INEXACT[name, root, single_root] <= exact / total < 1


@pytest.mark.parametrize(("name", "root", "single_root"), TREES)
def test_static_oracles_derive_every_tree_of_the_class(name: str, root: Placement, single_root: bool) -> None:
    oracle = mp.oracle(undirected(name).trees(root, single_root=single_root))
    for n in range(1, 5):
        for edges in trees_of_the_class(name, n, root, single_root):
            derivation = oracle.derive(DependencyGraph(n, edges))
            assert (derivation.lost, derivation.added, derivation.complete) == ([], [], True), edges
