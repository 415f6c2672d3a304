"""Non-projective words, found for many trees at once, are the dependents of non-projective arcs."""

import time

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import multiplane as mp
from multiplane.graphs import all_forests, nonprojective_words


def test_nonprojective_words_of_all_small_forests() -> None:
    graphs = [graph for n in range(1, 6) for graph in all_forests(n)]
    heads = [
        next((arc[0] for arc in graph.arcs if arc[1] == word), 0) for graph in graphs for word in range(1, graph.n + 1)
    ]
    lengths = np.array([graph.n for graph in graphs])
    expected = []
    for graph in graphs:
        bad = {arc[1] for arc in graph.nonprojective_arcs()}
        expected += [word in bad for word in range(1, graph.n + 1)]
    assert nonprojective_words(lengths, np.array(heads, np.int32)).tolist() == expected


@settings(deadline=None)
@given(st.lists(st.integers(1, 40), max_size=3), st.randoms(use_true_random=False))
def test_nonprojective_words_of_random_trees(lengths: list[int], random: object) -> None:
    heads: list[int] = []
    expected: list[bool] = []
    for n in lengths:
        order = list(range(1, n + 1))
        random.shuffle(order)
        head = {word: random.choice([0, *order[:i]]) for i, word in enumerate(order)}
        tree = mp.DependencyGraph(n, [(head[word], word) for word in range(1, n + 1)])
        bad = {arc[1] for arc in tree.nonprojective_arcs()}
        heads += [head[word] for word in range(1, n + 1)]
        expected += [word in bad for word in range(1, n + 1)]
    found = nonprojective_words(np.array(lengths, np.int64), np.array(heads, np.int32))
    assert found.tolist() == expected


def test_a_deep_tree_takes_no_longer_than_others() -> None:
    order = np.random.default_rng(1).permutation(100_000) + 1
    heads = np.zeros(100_000, np.int32)
    heads[order[1:] - 1] = order[:-1]
    start = time.process_time()
    assert nonprojective_words(np.array([100_000]), heads).mean() > 0.99
    assert time.process_time() - start < 10
