"""Every static oracle on every small graph of its class, and what it makes of graphs outside of it."""

from collections import deque
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import multiplane as mp
from multiplane import DependencyGraph
from multiplane.graphs import measure_heads, random_graph
from multiplane.graphs.enumerate import all_forests, all_graphs, all_trees
from multiplane.oracles import Derivation, StateSpace, StaticOracle
from multiplane.systems import CONSTRAINTS, TransitionSystem, planar
from multiplane.systems.properties import longest

DATA = Path(__file__).parents[3] / "shared" / "data"
TREEBANKS = sorted([*DATA.glob("ud/*/*.conllu.xz"), *DATA.glob("conllx/*/*.conll.xz")])

Links = frozenset[tuple[int, int]]
Placement = Literal["left", "right"] | None
PROJECTIVE = (
    "arc-standard",
    "arc-standard-stack",
    "arc-eager",
    "arc-hybrid",
    "easy-first",
    "planar[single-head,acyclic,no-covered-roots]",
    "covington-projective",
)
CLASSES: dict[tuple[str, str | None], Callable[[DependencyGraph], bool]] = {
    **{(name, None): DependencyGraph.is_projective for name in PROJECTIVE},
    ("planar", None): DependencyGraph.is_planar,
    ("2-planar", None): lambda graph: graph.planarity() <= 2,
    ("2-planar-folded", None): lambda graph: graph.planarity() <= 2,
    ("2-planar-direct", None): lambda graph: graph.planarity() <= 2,
    ("2-planar-joint", None): lambda graph: graph.planarity() <= 2,
    ("2-planar-eager", None): lambda graph: graph.planarity() <= 2,
    ("3-planar", None): lambda graph: graph.planarity() <= 3,
    ("swap", "swap-eager"): lambda graph: True,
    ("swap", "swap-lazy"): lambda graph: True,
    ("arc-hybrid-swap", None): lambda graph: True,
    ("covington", None): lambda graph: True,
}
"""The classes that the forest systems are complete for; with a strategy where the default is not meant."""
PLACEMENTS: tuple[tuple[Placement, bool], ...] = (
    (None, True),
    ("left", True),
    ("left", False),
    ("right", True),
    ("right", False),
)
SUBSETS = [tuple(c for i, c in enumerate(CONSTRAINTS) if number >> i & 1) for number in range(2 ** len(CONSTRAINTS))]


def links(graph: DependencyGraph) -> Links:
    return frozenset((arc[0], arc[1]) for arc in graph.word_arcs)


@cache
def forests(n: int) -> list[DependencyGraph]:
    return list(all_forests(n))


def many_forests(n: int) -> list[DependencyGraph]:
    """All forests up to 5 words, and every fifth on 6."""
    return forests(n)[:: 5 if n == 6 else 1]


def replay(system: TransitionSystem, graph: DependencyGraph, derivation: Derivation) -> Links:
    """The arcs after the transitions that are named, from the initial configuration to a terminal one."""
    c = system.initial(graph.n)
    for name in derivation.sequence:
        c = c.apply(name)
    assert c.is_terminal, graph
    return frozenset((head, dependent) for head, dependent, _ in c.arcs)


def assert_rebuilds(oracle: StaticOracle, graph: DependencyGraph) -> Derivation:
    derivation = oracle.derive(graph)
    gold = links(graph) if oracle.system.root is None else frozenset((arc[0], arc[1]) for arc in graph.arcs)
    assert derivation.complete, graph
    assert derivation.lost == [], graph
    assert replay(oracle.system, graph, derivation) == gold, graph
    if (bound := longest(oracle.system, graph.n + (oracle.system.root is not None))) is not None:
        assert len(derivation.sequence) <= bound, graph
    return derivation


# Graphs of the class.


@pytest.mark.parametrize("n", range(7))
@pytest.mark.parametrize(("name", "strategy"), CLASSES)
def test_every_static_oracle_rebuilds_every_forest_of_its_class(name: str, strategy: str | None, n: int) -> None:
    oracle = mp.oracle(name, strategy=strategy)
    for graph in filter(CLASSES[name, strategy], forests(n)):
        assert_rebuilds(oracle, graph)


@pytest.mark.parametrize("n", range(6))
def test_the_attardi_oracle_rebuilds_every_forest_that_attardi_derives(n: int) -> None:
    for arcs in StateSpace(mp.systems["attardi"], n).graphs():
        assert_rebuilds(mp.oracle("attardi"), DependencyGraph(n, arcs))


@pytest.mark.parametrize("n", range(5))
@pytest.mark.parametrize("constraints", SUBSETS, ids=lambda chosen: ",".join(chosen) or "none")
def test_the_planar_oracle_rebuilds_every_graph_that_planar_derives_under_any_constraints(
    constraints: tuple[str, ...], n: int
) -> None:
    system = planar(constraints)
    for arcs in StateSpace(system, n).graphs():
        assert_rebuilds(mp.oracle(system), DependencyGraph(n, arcs))


@pytest.mark.parametrize("n", range(5))
def test_the_2_planar_oracle_rebuilds_every_2_planar_graph(n: int) -> None:
    oracle = mp.oracle("2-planar[]")
    for graph in all_graphs(n):
        assert graph.planarity() <= 2
        assert_rebuilds(oracle, graph)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("n", [6, 8, 12])
def test_k_planar_oracles_rebuild_random_k_planar_graphs(n: int, k: int) -> None:
    oracle = mp.oracle(f"{k}-planar[]")
    found = 0
    for seed in range(2000):
        graph = random_graph(n, n // 2 + seed % n, seed)
        if graph.planarity() <= k:
            found += 1
            assert_rebuilds(oracle, graph)
    assert found > 200


@pytest.mark.parametrize(
    ("name", "n", "step"),
    [("arc-standard-dag", 4, 1), ("arc-eager-dag", 4, 1), ("arc-eager-dag", 5, 7), ("arc-standard-dag", 5, 97)],
)
def test_dag_oracles_rebuild_every_graph_that_their_systems_derive(name: str, n: int, step: int) -> None:
    for size in range(n):
        for arcs in StateSpace(mp.systems[name], size).graphs():
            assert_rebuilds(mp.oracle(name), DependencyGraph(size, arcs))
    for arcs in sorted(StateSpace(mp.systems[name], n).graphs(), key=sorted)[::step]:
        assert_rebuilds(mp.oracle(name), DependencyGraph(n, arcs))


@pytest.mark.parametrize(("root", "single_root"), PLACEMENTS)
@pytest.mark.parametrize(("name", "strategy"), CLASSES)
def test_every_static_oracle_rebuilds_every_tree_of_its_class_where_only_trees_are_derived(
    name: str, strategy: str | None, root: Placement, single_root: bool
) -> None:
    # With an artificial root, planar trees are the projective ones.
    oracle = mp.oracle(mp.systems[name].trees(root, single_root=single_root), strategy=strategy)
    in_class = DependencyGraph.is_projective if name == "planar" and root is not None else CLASSES[name, strategy]
    for n in range(1, 6):
        for graph in list(filter(in_class, all_trees(n) if single_root else forests(n)))[:: 1 if n < 5 else 2]:
            if root is None or planarity_with_root(graph, root) <= oracle.system.stacks or oracle.system.stacks == 1:
                assert_rebuilds(oracle, graph)


def planarity_with_root(graph: DependencyGraph, root: Placement) -> int:
    place = 0 if root == "left" else graph.n + 1
    moved = [((place if head == 0 else head) + 1, dependent + 1) for head, dependent, *_ in graph.arcs]
    return DependencyGraph(graph.n + 2, moved).planarity()


@pytest.mark.parametrize(("root", "single_root"), PLACEMENTS)
@pytest.mark.parametrize(("name", "strategy"), CLASSES)
def test_where_only_trees_are_derived_the_oracle_ends_in_a_tree_whatever_the_gold_graph(
    name: str, strategy: str | None, root: Placement, single_root: bool
) -> None:
    system = mp.systems[name].trees(root, single_root=single_root)
    oracle = mp.oracle(system, strategy=strategy)
    for n in range(1, 6):
        for graph in forests(n)[:: 1 if n < 5 else 5]:
            derivation = oracle.derive(graph)
            assert derivation.complete, graph
            built = DependencyGraph(n, replay(system, graph, derivation))
            assert built.is_forest(), graph
            assert built.is_tree() or not single_root, graph
            assert len(built.arcs) == n - (root is None), graph


# Switches and swaps.


@pytest.mark.parametrize("k", [2, 3])
def test_planes_are_planar_and_share_out_the_arcs(k: int) -> None:
    oracle = mp.oracle(f"{k}-planar")
    for n in range(7):
        for graph in many_forests(n):
            if graph.planarity() <= k:
                planes = oracle.planes(graph)
                assert len(planes) == k
                assert sorted(arc for plane in planes for arc in plane) == sorted(graph.word_arcs)
                assert all(DependencyGraph(n, plane).is_planar() for plane in planes)


@pytest.mark.parametrize("k", [2, 3])
def test_the_k_planar_oracle_never_switches_for_planar_graphs_nor_before_a_shift(k: int) -> None:
    oracle = mp.oracle(f"{k}-planar")
    for n in range(7):
        for graph in many_forests(n):
            sequence = oracle.sequence(graph)
            pairs = list(pairwise(sequence))
            assert ("SWITCH", "SHIFT") not in pairs, graph
            assert sequence[-1:] != ["SWITCH"], graph
            assert ("SWITCH" in sequence) == (not graph.is_planar()), graph


def fewest_switches(n: int) -> dict[Links, int]:
    """For every graph the least number of SWITCH in any derivation, by breadth-first search over all configurations."""
    space = StateSpace(mp.systems["2-planar"], n)
    first, following, taken = (array.tolist() for array in space.native.successors())
    switch = mp.systems["2-planar"].names.index("SWITCH")
    fewest = [-1] * len(space)
    todo = deque([(0, 0)])
    while todo:
        state, switches = todo.popleft()
        if fewest[state] >= 0:
            continue
        fewest[state] = switches
        for edge in range(first[state], first[state + 1]):
            if taken[edge] == switch:
                todo.append((following[edge], switches + 1))
            else:
                todo.appendleft((following[edge], switches))
    found: dict[Links, int] = {}
    for number in np.flatnonzero(space.native.terminal()):
        arcs = frozenset((arc[0], arc[1]) for arc in space.native.state(int(number)).arcs)
        found[arcs] = min(found.get(arcs, n * n), fewest[number])
    return found


def test_the_2_planar_oracle_switches_no_more_often_than_any_derivation_does_up_to_4_words() -> None:
    oracle = mp.oracle("2-planar")
    for n in range(5):
        fewest = fewest_switches(n)
        for graph in many_forests(n):
            assert oracle.sequence(graph).count("SWITCH") == fewest[links(graph)], graph


def test_lazy_never_swaps_more_often_than_eager_and_neither_swaps_in_projective_forests() -> None:
    eager, lazy = mp.oracle("swap", strategy="swap-eager"), mp.oracle("swap", strategy="swap-lazy")
    fewer = 0
    for graph in many_forests(6):
        swaps = eager.sequence(graph).count("SWAP"), lazy.sequence(graph).count("SWAP")
        assert swaps[1] <= swaps[0], graph
        assert (swaps[0] == 0) == graph.is_projective(), graph
        fewer += swaps[1] < swaps[0]
    assert fewer > 0


# Graphs outside the class: as few arcs are lost as possible.


def fewest_arcs_beyond(graph: DependencyGraph, k: int) -> int:
    arcs = graph.word_arcs
    return next(
        size
        for size in range(len(arcs) + 1)
        if any(graph.subgraph(set(arcs) - set(some)).planarity() <= k for some in combinations(arcs, size))
    )


@pytest.mark.parametrize(("name", "k", "n"), [("planar", 1, 4), ("planar", 1, 5), ("2-planar", 2, 6), ("planar", 1, 6)])
def test_k_planar_oracles_lose_as_few_arcs_as_possible(name: str, k: int, n: int) -> None:
    oracle = mp.oracle(name)
    for graph in forests(n)[:: 5 if (k, n) == (1, 6) else 1]:
        if graph.planarity() > k:
            derivation = oracle.derive(graph)
            assert derivation.complete, graph
            kept = links(graph) - {(arc[0], arc[1]) for arc in derivation.lost}
            assert replay(oracle.system, graph, derivation) == kept, graph
            assert len(derivation.lost) == fewest_arcs_beyond(graph, k), graph


@cache
def most_arcs_in_a_projective_forest(n: int) -> dict[Links, int]:
    """For every forest how many of its arcs a projective forest can have at the most."""
    projective = [links(graph) for graph in forests(n) if graph.is_projective()]
    return {gold: max(len(gold & other) for other in projective) for gold in map(links, forests(n))}


@pytest.mark.parametrize("n", [3, 4, 5])
@pytest.mark.parametrize("name", PROJECTIVE)
def test_projective_oracles_lose_as_few_arcs_as_possible(name: str, n: int) -> None:
    # What is derived is a projective forest near by, which may have arcs that are not gold.
    oracle = mp.oracle(name)
    for graph in forests(n):
        if not graph.is_projective():
            derivation = oracle.derive(graph)
            assert derivation.complete, graph
            built = replay(oracle.system, graph, derivation)
            assert DependencyGraph(n, built).is_projective(), graph
            assert {(arc[0], arc[1]) for arc in derivation.lost} == links(graph) - built, graph
            assert len(built & links(graph)) == most_arcs_in_a_projective_forest(n)[links(graph)], graph


# Labels, and treebanks.


def test_the_names_of_transitions_carry_the_labels_of_the_arcs() -> None:
    for (name, strategy), in_class in CLASSES.items():
        for graph in filter(in_class, forests(4)):
            labelled = DependencyGraph(4, [(head, dependent, f"l{dependent}") for head, dependent in links(graph)])
            c = mp.systems[name].initial(4)
            for transition in mp.oracle(name, strategy=strategy).sequence(labelled):
                c = c.apply(transition)
            assert c.arcs == set(labelled.arcs), (name, graph)


@pytest.mark.skipif(not TREEBANKS, reason="no ../shared/data")
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("path", TREEBANKS, ids=lambda path: f"{path.parent.name}-{path.name.split('.')[0]}")
def test_k_planar_oracles_rebuild_every_k_planar_tree_of_every_treebank(path: Path, k: int) -> None:
    """Needs ../shared/data."""
    corpus = mp.read(path)
    system = mp.systems[f"{k}-planar"]
    statistics = mp.oracle(system).statistics(corpus)
    heads = np.maximum(corpus.heads, 0)
    planarity = measure_heads(corpus.lengths, heads).planarity
    assert statistics.sentences == len(corpus)
    assert statistics.exact == int((planarity <= k).sum())
    assert statistics.arcs_lost >= int((planarity > k).sum())
    bound = longest(system, int(corpus.lengths.max()))
    assert bound is not None
    assert statistics.most_transitions <= bound
