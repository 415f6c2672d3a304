"""Trees from undirected edges: what is kept, what moves, and what is refused."""

import random
import time

import numpy as np
import pytest

import multiplane as mp
from multiplane import _native
from multiplane.graphs import all_forests, random_tree
from multiplane.graphs.reconstruct import METHODS, Method

NATIVE = dict(zip(METHODS, _native.Reconstruction, strict=True))
LABEL = _native.Reconstruction.LABEL


def with_roots(graph: mp.DependencyGraph) -> list[tuple[int, int, str]]:
    """The arcs, from 0 too, each with a label of its own."""
    return [(head, word, f"{head}-{word}") for head, word, *_ in graph.arcs]


GRAPHS = [graph for n in range(5) for graph in all_forests(n)] + [random_tree(30, seed) for seed in range(50)]


@pytest.mark.parametrize("method", ["label", "label-strict"])
def test_a_tree_comes_back_from_its_edges_and_directions(method: Method):
    for graph in GRAPHS:
        arcs = with_roots(graph)
        assert mp.reconstruct(graph.n, arcs, method) == graph.subgraph(arcs)
        # Without the edges from 0, too: the directions tell the roots.
        assert mp.reconstruct(graph.n, [arc for arc in arcs if arc[0]], method) == graph.subgraph(
            arc if arc[0] else arc[:2] for arc in arcs
        )


def test_a_tree_comes_back_from_its_edges_without_directions_by_the_naive_method():
    chance = random.Random(1)
    for graph in GRAPHS:
        arcs = with_roots(graph)
        turned = [(*arc[:2][:: chance.choice((1, -1))], arc[2]) for arc in arcs]
        chance.shuffle(turned)
        assert mp.reconstruct(graph.n, turned, "naive") == graph.subgraph(arcs)


def test_the_second_variant_of_the_paper_moves_an_arc_from_the_root_and_its_label():
    edges = [(0, 1, "root"), (2, 1, "nsubj"), (2, 3, "obj"), (3, 4, "det")]
    moved = [(0, 2, "root"), (2, 1, "nsubj"), (2, 3, "obj"), (3, 4, "det")]
    kept = [(0, 1, "root"), (1, 2, "nsubj"), (2, 3, "obj"), (3, 4, "det")]
    assert mp.reconstruct(4, edges) == mp.reconstruct(4, edges, root_label="new") == mp.DependencyGraph(4, moved)
    assert mp.reconstruct(4, edges, "label-strict") == mp.DependencyGraph(4, kept)
    assert mp.reconstruct(4, edges, "naive") == mp.DependencyGraph(4, kept)


def test_new_arcs_from_the_root_get_its_label():
    assert mp.reconstruct(3, [(3, 2, "det")], root_label="root").arcs == ((0, 1, "root"), (3, 2, "det"), (0, 3, "root"))
    assert mp.reconstruct(3, [(3, 2)], "naive").arcs == ((0, 1), (0, 2), (2, 3))
    assert mp.reconstruct(0, []) == mp.DependencyGraph(0)


def test_an_edge_written_towards_the_root_is_an_edge_from_it():
    for method in METHODS:
        assert mp.reconstruct(2, [(1, 0, "root"), (1, 2)], method).arcs == ((0, 1, "root"), (1, 2))


def test_ties_go_to_the_word_linked_to_the_root_then_to_the_left():
    assert mp.reconstruct(3, [(1, 2), (3, 2)]).arcs == ((0, 1), (1, 2), (2, 3))
    assert mp.reconstruct(3, [(0, 3), (1, 2), (3, 2)]).arcs == ((2, 1), (3, 2), (0, 3))


def test_edges_without_a_preference_agree_both_ways():
    ends = np.array([1, 2], np.int32), np.array([2, 3], np.int32)
    for preferences, roots in {(0, 1): [1], (0, -1): [3], (-1, 0): [2], (0, 0): [1]}.items():
        heads, _ = _native.reconstruct(3, *ends, np.array(preferences, np.int8), LABEL)
        assert np.flatnonzero(heads == 0).tolist() == [root - 1 for root in roots]


def random_batch(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Forests as heads: without cycles, some words without an edge, and preferences of every kind."""
    chance = random.Random(seed)
    lengths = [chance.choice([0, 1, 2, 5, 20, 60]) for _ in range(100)]
    heads: list[int] = []
    for n in lengths:
        order = chance.sample(range(1, n + 1), n)
        head = {word: chance.choice([-1, 0, *order[:i]]) for i, word in enumerate(order)}
        heads += [head[word] for word in range(1, n + 1)]
    preferences = [chance.choice([-1, 0, 1]) for _ in heads]
    return np.array(lengths, np.int64), np.array(heads, np.int32), np.array(preferences, np.int8)


@pytest.mark.parametrize("method", METHODS)
def test_a_batch_is_reconstructed_as_its_sentences_are(method: Method):
    lengths, heads, preferences = random_batch(1)
    found, carried = _native.reconstruct_forests(lengths, heads, preferences, NATIVE[method])
    at = 0
    for n in lengths.tolist():
        part = slice(at, at + n)
        at += n
        owners = np.flatnonzero(heads[part] >= 0).astype(np.int32) + 1
        left, right = np.minimum(heads[part][owners - 1], owners), np.maximum(heads[part][owners - 1], owners)
        alone, edges = _native.reconstruct(n, left, right, preferences[part][owners - 1], NATIVE[method])
        assert found[part].tolist() == alone.tolist()
        assert carried[part].tolist() == [owners[edge] if edge >= 0 else -1 for edge in edges]


@pytest.mark.parametrize("method", METHODS)
def test_every_edge_is_carried_once_by_the_word_it_leads_to(method: Method):
    lengths, heads, preferences = random_batch(2)
    found, carried = _native.reconstruct_forests(lengths, heads, preferences, NATIVE[method])
    at = 0
    for n in lengths.tolist():
        before, after, labels = ([0, *values[at : at + n].tolist()] for values in (heads, found, carried))
        at += n
        assert sorted(owner for owner in labels[1:] if owner > 0) == [w for w in range(1, n + 1) if before[w] >= 0]
        for word in range(1, n + 1):
            if after[word] > 0:
                assert {labels[word], before[labels[word]]} == {word, after[word]}
            elif labels[word] > 0:
                assert before[labels[word]] == 0


@pytest.mark.parametrize("method", METHODS)
def test_heads_fixed_to_those_of_a_tree_over_the_edges_are_all_kept(method: Method):
    chance = random.Random(4)
    for seed in range(200):
        arcs = random_tree(25, seed).arcs
        fixed = np.full(25, -1, np.int32)
        for head, word, *_ in arcs:
            if chance.random() < 0.3:
                fixed[word - 1] = head
        shuffled = chance.sample(arcs, len(arcs))
        firsts, seconds = (np.array(ends, np.int32) for ends in zip(*shuffled, strict=True))
        preferences = np.array([chance.choice([-1, 1]) for _ in arcs], np.int8)
        heads, _ = _native.reconstruct(25, firsts, seconds, preferences, NATIVE[method], fixed)
        assert (heads == fixed)[fixed >= 0].all()


def test_two_words_fixed_to_the_root_are_both_roots_and_one_of_them_keeps_the_link():
    heads, preferences = np.array([0, 1, 2, 3], np.int32), np.ones(4, np.int8)
    fixed = np.array([-1, 0, -1, 0], np.int32)
    found, carried = _native.reconstruct_forests(np.array([4]), heads, preferences, LABEL, fixed)
    assert (found.tolist(), carried.tolist()) == ([2, 0, 2, 0], [2, 1, 3, -1])
    # A link whose word stays a root does not move, although another root is further left.
    heads, fixed = np.array([2, 3, 0], np.int32), np.array([0, -1, 0], np.int32)
    found, carried = _native.reconstruct_forests(np.array([3]), heads, preferences[:3], LABEL, fixed)
    assert (found.tolist(), carried.tolist()) == ([0, 1, 0], [-1, 1, 3])


@pytest.mark.parametrize(
    ("n", "edges", "message"),
    [
        (3, [(1, 2), (2, 3), (3, 1)], "the edge 2-3 closes a cycle; leave out one edge of the cycle"),
        (3, [(0, 1), (0, 2), (1, 2)], "the edge 1-2 closes a cycle"),
        (3, [(1, 2, "a"), (1, 2, "b")], "the edge 1-2 has a twin; link two words only once"),
        (3, [(1, 2), (2, 1)], "the edge 2-1 has a twin"),
        (3, [(0, 2), (2, 0)], "the edge 2-0 has a twin"),
        (3, [(2, 2)], "the edge 2-2 links a word to itself"),
        (3, [(1, 4)], r"edge \(1, 4\) is outside the words 1\.\.3 \(0 is allowed: the root\)"),
        (3, [(-1, 2)], r"edge \(-1, 2\) is outside"),
        (3, [(1, 2**40)], "is outside the words"),
        (3, [(1,)], r"\(1,\) is not an edge; give \(head, dependent\) or \(head, dependent, label\)"),
        (3, [(1, 2, "a", "b")], "is not an edge"),
        (3, [(1.0, 2)], "is not an edge"),
        (3, [7], "7 is not an edge"),
        (-1, [], "a graph cannot have -1 words"),
        ("two", [], "a graph cannot have 'two' words"),
    ],
)
def test_what_is_wrong_is_said(n: int, edges: list[tuple[int, int]], message: str):
    with pytest.raises(mp.GraphError, match=message):
        mp.reconstruct(n, edges)


def test_an_unknown_method_is_refused_with_a_suggestion():
    with pytest.raises(mp.GraphError, match="unknown method 'labels'; did you mean label"):
        mp.reconstruct(1, [], "labels")
    with pytest.raises(mp.GraphError, match="unknown method 'x'; known: naive, label, label-strict"):
        mp.reconstruct(1, [], "x")


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([0, 0, 3, 2], "sentence 2: the edge 2-3 has a twin"),
        ([0, 2, 3, 1], "sentence 2: the edge 2-3 closes a cycle"),
        ([0, 1, 0, 0], "sentence 2: the edge 1-1 links a word to itself"),
        ([0, 4, 0, 0], r"sentence 2: the edge 1-4 is outside the words 1\.\.3"),
    ],
)
def test_a_batch_names_the_sentence_that_is_wrong(heads: list[int], message: str):
    with pytest.raises(ValueError, match=message):
        _native.reconstruct_forests(np.array([1, 3]), np.array(heads, np.int32), np.zeros(4, np.int8), LABEL)


def test_arrays_that_do_not_fit_are_refused():
    heads, preferences = np.zeros(3, np.int32), np.zeros(3, np.int8)
    for lengths in ([2], [4], [-1, 4], [2, 2]):
        with pytest.raises(ValueError, match="lengths and heads do not fit together"):
            _native.reconstruct_forests(np.array(lengths), heads, preferences, LABEL)
    with pytest.raises(ValueError, match="as many preferences and fixed heads as heads"):
        _native.reconstruct_forests(np.array([3]), heads, preferences[:2], LABEL)
    with pytest.raises(ValueError, match="as many preferences and fixed heads as heads"):
        _native.reconstruct_forests(np.array([3]), heads, preferences, LABEL, heads[:2])
    for wrong in (1, 4):
        with pytest.raises(ValueError, match="sentence 1: a fixed head is the word itself, or outside its sentence"):
            _native.reconstruct_forests(np.array([3]), heads, preferences, LABEL, np.array([wrong, 0, 0], np.int32))
    with pytest.raises(ValueError, match="one fixed head per word is needed"):
        _native.reconstruct(3, heads, heads + 1, preferences, LABEL, heads[:2])
    with pytest.raises(ValueError, match="as many first ends as second ends and preferences"):
        _native.reconstruct(3, heads, heads[:2], preferences, LABEL)


def path(n: int) -> np.ndarray:
    return np.arange(n, dtype=np.int32)


def star(n: int) -> np.ndarray:
    return np.where(np.arange(n) > 0, 1, 0).astype(np.int32)


def random_heads(n: int) -> np.ndarray:
    return np.random.default_rng(n).integers(0, np.arange(1, n + 1), dtype=np.int32)


@pytest.mark.parametrize("method", METHODS)
def test_a_deep_chain_turns_around(method: Method):
    n = 100_000
    fixed = np.full(n, -1, np.int32)
    fixed[-1] = 0
    preferences = -np.ones(n, np.int8)
    for given in (None, fixed) if method == "label" else (fixed,):
        heads, carried = _native.reconstruct_forests(np.array([n]), path(n), preferences, NATIVE[method], given)
        assert heads.tolist() == [*range(2, n + 1), 0]
        assert carried.tolist() == [*range(2, n + 1), 1]


@pytest.mark.measures
@pytest.mark.parametrize("heads", [path, star, random_heads])
@pytest.mark.parametrize("method", METHODS)
def test_time_is_linear(heads, method: Method):
    def seconds(n: int) -> float:
        preferences = np.random.default_rng(1).choice([-1, 1], n).astype(np.int8)
        columns = np.array([n]), heads(n), preferences
        start = time.process_time()
        _native.reconstruct_forests(*columns, NATIVE[method])
        return time.process_time() - start

    # A busy machine takes longer at times, a quadratic algorithm always.
    assert any(seconds(100_000) < 40 * max(seconds(10_000), 0.002) for _ in range(5))
