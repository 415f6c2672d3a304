"""Minimum branchings are trees, and none is cheaper."""

import random
import time
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import multiplane as mp
from brute_force import WeightedArc, least_branching_cost
from multiplane import _native
from multiplane.graphs import minimum_branching


def is_branching(graph: mp.DependencyGraph, root: int) -> bool:
    heads = {dependent: head for head, dependent, *_ in graph.arcs}
    return (
        len(heads) == len(graph.arcs)
        and set(heads) == set(range(1, graph.n + 1)) - {root}
        and graph.is_acyclic()
        and set(graph.roots) == ({root} if root else {word for word, head in heads.items() if head == 0})
    )


def cost_of(graph: mp.DependencyGraph, arcs: list[WeightedArc]) -> float:
    return sum(min(cost for h, d, cost in arcs if (h, d) == arc[:2]) for arc in graph.arcs)


def agrees_with_brute_force(n: int, arcs: list[WeightedArc], root: int) -> bool:
    least = least_branching_cost(range(1 if root else 0, n + 1), arcs, root)
    try:
        graph = minimum_branching(n, arcs, root)
    except mp.GraphError as error:
        return least is None and str(error).startswith(f"no path leads from {root} to ")
    return least is not None and is_branching(graph, root) and cost_of(graph, arcs) == pytest.approx(least)


def some_arcs(chance: random.Random, n: int, root: int, costs: list[float], copies: int) -> list[WeightedArc]:
    links = [link for link in permutations(range(1 if root else 0, n + 1), 2) for _ in range(copies)]
    return [(*link, chance.choice(costs)) for link in chance.sample(links, chance.randint(0, len(links)))]


@pytest.mark.parametrize(
    ("costs", "copies"),
    [
        ([0, 1], 1),
        ([1, 2, 3], 2),
        ([-5, -1, 0, 1, 5], 1),
        ([-2.5, -0.25, 0.5, 1.125, 7.75], 2),
        ([1], 1),
        ([-1e308, 1e308, 0.0], 1),
    ],
    ids=str,
)
def test_none_is_cheaper_on_random_small_graphs(costs: list[float], copies: int):
    chance = random.Random(f"{costs} {copies}")
    for _ in range(1000):
        n = chance.randint(0, 4)
        root = chance.randint(0, n)
        assert agrees_with_brute_force(n, some_arcs(chance, n, root, costs, copies), root)


def test_none_is_cheaper_on_random_graphs_of_five_words():
    chance = random.Random(5)
    for _ in range(100):
        links = chance.sample(list(permutations(range(6), 2)), chance.randint(5, 16))
        assert agrees_with_brute_force(5, [(*link, chance.randint(-3, 6)) for link in links], 0)


@given(st.data())
def test_raising_all_costs_of_the_arcs_into_a_word_changes_nothing(data: st.DataObject):
    n = data.draw(st.integers(1, 12))
    links = data.draw(st.lists(st.sampled_from(list(permutations(range(n + 1), 2))), max_size=40))
    arcs = [(head, dependent, data.draw(st.integers(-20, 20))) for head, dependent in links]
    arcs += [(0, word, 50) for word in range(1, n + 1)]
    more = [data.draw(st.integers(-100, 100)) for _ in range(n + 1)]
    raised = [(head, dependent, cost + more[dependent]) for head, dependent, cost in arcs]
    least = cost_of(minimum_branching(n, arcs), arcs)
    assert cost_of(minimum_branching(n, raised), raised) == least + sum(more[1:])


def test_a_tree_is_the_only_branching_of_its_arcs():
    for seed in range(100):
        tree = mp.graphs.random_tree(40, seed)
        arcs = [(*arc, (-1) ** i * i) for i, arc in enumerate(tree.arcs)]
        assert minimum_branching(40, arcs) == tree


def test_an_array_is_as_good_as_tuples():
    arcs = [(0, 1, 3.5), (0, 2, 1), (2, 1, 1), (1, 2, 0.5)]
    expected = minimum_branching(2, arcs)
    assert minimum_branching(2, iter(arcs)) == minimum_branching(2, np.array(arcs)) == expected
    assert minimum_branching(2, np.array([(0, 1, 2), (0, 2, 1), (2, 1, 1)])).arcs == ((2, 1), (0, 2))
    assert minimum_branching(0, []) == minimum_branching(0, np.empty((0, 3))) == mp.DependencyGraph(0)
    assert minimum_branching(1, [], root=1) == mp.DependencyGraph(1)


def test_the_native_core_returns_the_cheapest_of_parallel_arcs_by_number():
    heads, dependents = np.array([0, 0, 0, 1], np.int32), np.array([1, 1, 1, 0], np.int32)
    chosen = _native.minimum_branching(1, heads, dependents, np.array([4.0, 2.0, 2.0, -9.0]), 0)
    assert chosen.tolist() == [-1, 1]


@pytest.mark.parametrize(
    ("n", "arcs", "root", "message"),
    [
        (2, [(0, 3, 1)], 0, r"arc 0→3 is outside the nodes 0\.\.2"),
        (2, [(-1, 2, 1)], 0, r"arc -1→2 is outside the nodes 0\.\.2"),
        (2, [(1, 1, 1)], 0, "arc 1→1 goes from a node to itself"),
        (2, [(0, 1, float("nan"))], 0, "arc 0→1 costs nan; costs are finite"),
        (2, [(0, 1, float("-inf"))], 0, "arc 0→1 costs -inf"),
        (3, [(0, 1, 1), (2, 3, 1), (3, 2, 1)], 0, "no path leads from 0 to 2; add arcs"),
        (2, [], 0, "no path leads from 0 to 1"),
        (2, [(0, 1)], 0, r"\(0, 1\) is not a weighted arc; give \(head, dependent, cost\)"),
        (2, [(0, 1, "1")], 0, "is not a weighted arc"),
        (2, [(0.5, 1, 1)], 0, "is not a weighted arc"),
        (2, [(0, 2**40, 1)], 0, "is not a weighted arc"),
        (2, [7], 0, "7 is not a weighted arc"),
        (2, np.array([[0.5, 1, 1]]), 0, r"\(0\.5, 1\.0, 1\.0\) is not a weighted arc"),
        (2, np.array([[np.nan, 1, 1]]), 0, "is not a weighted arc"),
        (2, np.array([[0, 1]]), 0, r"an array of shape \(1, 2\) and type int64 holds no arcs"),
        (2, [(0, 1, 1), (1, 2, 1)], 1, "arc 0→1 has the end 0, which is a node only if it is the root"),
        (2, [], 3, r"the root 3 is neither 0 nor one of the words 1\.\.2"),
        (-1, [], 0, "a graph cannot have -1 words"),
        ("two", [], 0, "a graph cannot have 'two' words"),
        (2**31, [], 0, "a graph cannot have 2147483648 words"),
    ],
)
def test_what_is_wrong_is_said(n: int, arcs: list[WeightedArc], root: int, message: str):
    with pytest.raises(mp.GraphError, match=message):
        minimum_branching(n, arcs, root)


def test_the_native_core_refuses_arrays_that_do_not_fit():
    one, two = np.zeros(1, np.int32), np.zeros(2, np.int32)
    with pytest.raises(ValueError, match="as many heads as dependents and costs"):
        _native.minimum_branching(3, one, two, np.zeros(1), 0)
    with pytest.raises(ValueError, match="the root is not a node"):
        _native.minimum_branching(3, one, one + 1, np.zeros(1), 4)


def nested_cycles(n: int, entry: int = 1) -> list[np.ndarray]:
    """Each word's cheapest head is the next word, so that contractions nest from the last word to the first."""
    words = np.arange(1, n, dtype=np.int32)
    heads, dependents = np.concatenate([words + 1, words, [0]]), np.concatenate([words, words + 1, [entry]])
    costs = np.concatenate([np.zeros(n - 1), np.ones(n - 1), [n]])
    return [heads.astype(np.int32), dependents.astype(np.int32), costs]


def nested_cycles_entered_at_the_innermost(n: int) -> list[np.ndarray]:
    return nested_cycles(n, entry=n)


def random_arcs(n: int) -> list[np.ndarray]:
    chance = np.random.default_rng(n)
    heads, steps = chance.integers(0, n + 1, 4 * n), chance.integers(1, n + 1, 4 * n)
    heads, dependents = np.append(heads, np.zeros(n)), np.append((heads + steps) % (n + 1), np.arange(1, n + 1))
    return [heads.astype(np.int32), dependents.astype(np.int32), chance.normal(size=5 * n)]


def test_deep_contractions_do_not_overflow():
    n = 100_000
    chosen = _native.minimum_branching(n, *nested_cycles(n), 0)
    assert chosen[1:].tolist() == [2 * n - 2, *range(n - 1, 2 * n - 2)]
    chosen = _native.minimum_branching(n, *nested_cycles_entered_at_the_innermost(n), 0)
    assert chosen[1:].tolist() == [*range(n - 1), 2 * n - 2]


@pytest.mark.measures
@pytest.mark.parametrize("arcs", [nested_cycles, nested_cycles_entered_at_the_innermost, random_arcs])
def test_time_is_nearly_linear(arcs):
    def seconds(n: int) -> float:
        columns = arcs(n)
        start = time.process_time()
        _native.minimum_branching(n, *columns, 0)
        return time.process_time() - start

    # A busy machine takes longer at times, a quadratic algorithm always.
    assert any(seconds(100_000) < 40 * max(seconds(10_000), 0.005) for _ in range(5))
