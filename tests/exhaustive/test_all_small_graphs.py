"""Every graph small enough to be listed, against definitions.

Up to 4 words: every predicate and certificate on every directed graph. On 5 words: every measure on all 2^20 directed
graphs and every predicate on a fifth of them, certificates on every forest and on every undirected graph in three
orientations (crossings, and so planes, depend on spans alone). On 6 words: every measure on every forest.
"""

import random
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, islice, permutations, product
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from brute_force import (
    PREDICATES,
    Judge,
    components,
    covers,
    disagreements,
    gaps,
    interleave,
    is_k_planar,
    is_k_planar_by_enumeration,
    undominated_components,
    words_inside,
)
from multiplane.graphs import measure, measure_heads

MEASURES = ("nonprojective", "planarity", "ill_nested", "np_arcs", "gap_degree", "arc_degree")
CHUNK = 2**16
Links = tuple[tuple[int, int], ...]
Values = np.ndarray[Any, Any]


def directed_graphs(n: int) -> Iterator[Links]:
    """All of them, in the order of the numbers whose bit b says whether the b-th ordered pair is an arc."""
    pairs = list(permutations(range(1, n + 1), 2))
    half = len(pairs) // 2
    low, high = _subsets(pairs[:half]), _subsets(pairs[half:])
    return (more + some for some in high for more in low)


def _subsets(pairs: list[tuple[int, int]]) -> list[Links]:
    return [tuple(pair for b, pair in enumerate(pairs) if number >> b & 1) for number in range(2 ** len(pairs))]


def undirected_graphs(n: int) -> list[Links]:
    return _subsets(list(combinations(range(1, n + 1), 2)))


@cache
def forests(n: int) -> list[tuple[int, ...]]:
    """The heads of all forests on n words, 0 for a root."""
    return [heads for heads in product(range(n + 1), repeat=n) if Judge(n, _links(heads)).is_forest()]


def _links(heads: tuple[int, ...]) -> Links:
    """The arcs of a forest, those from the marker 0 among them."""
    return tuple((head, word) for word, head in enumerate(heads, 1))


@cache
def judged_directed_graphs(n: int) -> dict[str, Values]:
    """The judge's definitions on all directed graphs of n words at once: an array for each name, sets of words as bits.

    What depends on the undirected graph alone, or on a set of words alone, is asked of the judge once and looked up.
    """
    words = range(1, n + 1)
    sets = [{word for word in words if number & _bits({word})} for number in range(2**n)]
    undirected = undirected_graphs(n)

    graphs = np.arange(2 ** (n * (n - 1)))
    has = {arc: graphs >> b & 1 == 1 for b, arc in enumerate(permutations(words, 2))}
    linked = sum((has[a, b] | has[b, a]).astype(int) << i for i, (a, b) in enumerate(combinations(words, 2)))
    root = {word: ~_any(held for (_, dependent), held in has.items() if dependent == word) for word in words}
    projection = {word: np.full(len(graphs), _bits({word})) for word in words}
    for _ in words:  # more often than the longest path has arcs
        for (head, dependent), held in has.items():
            projection[head] |= np.where(held, projection[dependent], 0)

    planarity = np.array([Judge(n, arcs).planarity() for arcs in undirected])[linked]
    connected = np.array([len(components(words, arcs)) <= 1 for arcs in undirected])[linked]
    gap_counts = np.array([gaps(some) for some in sets])
    ill = np.array([[some.isdisjoint(others) and interleave(some, others) for others in sets] for some in sets])
    arc_degrees = {
        arc: np.array([[undominated_components(arc, arcs, some) for some in sets] for arcs in undirected])
        for arc in has
    }

    single_head = ~_any(has[a, d] & has[b, d] for a, b, d in permutations(words, 3))
    acyclic = ~_any(held & (projection[d] & _bits({h}) != 0) for (h, d), held in has.items())
    covered_roots = _any(held & root[word] for arc, held in has.items() for word in words if covers(arc, word))
    ill_nested = _any(ill[projection[r1], projection[r2]] for r1, r2 in permutations(words, 2))
    nonprojective_arcs = [held & (_bits(words_inside(arc)) & ~projection[arc[0]] != 0) for arc, held in has.items()]
    return {
        "is_planar": planarity == 1,
        "is_projective": (planarity == 1) & ~covered_roots,
        "is_single_head": single_head,
        "is_acyclic": acyclic,
        "is_connected": connected,
        "is_forest": single_head & acyclic,
        "is_tree": single_head & acyclic & (np.sum(list(root.values()), axis=0) == 1),
        "has_covered_roots": covered_roots,
        "is_well_nested": ~ill_nested,
        "nonprojective": (planarity > 1) | covered_roots,
        "planarity": planarity,
        "ill_nested": ill_nested,
        "np_arcs": np.sum(nonprojective_arcs, axis=0),
        "gap_degree": np.max([gap_counts[projection[word]] for word in words], axis=0),
        "arc_degree": np.max(
            [held * arc_degrees[arc][linked, projection[arc[0]]] for arc, held in has.items()], axis=0
        ),
    }


def _bits(words: Iterable[int]) -> int:
    return sum(1 << (word - 1) for word in words)


def _any(conditions: Iterable[Values]) -> Values:
    result: Values = np.any(list(conditions), axis=0)
    return result


def test_the_numbers_of_graphs_listed_are_the_known_ones() -> None:
    assert [sum(1 for _ in directed_graphs(n)) for n in range(1, 5)] == [1, 4, 64, 4096]
    assert [len(undirected_graphs(n)) for n in range(1, 6)] == [1, 2, 8, 64, 1024]
    assert [len(forests(n)) for n in range(1, 7)] == [(n + 1) ** (n - 1) for n in range(1, 7)]


def test_the_judge_that_backtracks_agrees_with_the_one_that_tries_all_colourings() -> None:
    for arcs in undirected_graphs(5):
        for k in (1, 2, 3):
            assert is_k_planar(arcs, k) == is_k_planar_by_enumeration(arcs, k), (arcs, k)


@pytest.mark.parametrize(("n", "step"), [(3, 1), (4, 1), (5, 521)])
def test_the_judge_of_all_graphs_at_once_agrees_with_the_judge_of_one(n: int, step: int) -> None:
    judged = judged_directed_graphs(n)
    for number, arcs in islice(enumerate(directed_graphs(n)), 0, None, step):
        judge = Judge(n, arcs)
        expected = {name: getattr(judge, name)() for name in PREDICATES} | judge.batch_measures()
        assert {name: values[number] for name, values in judged.items()} == expected, arcs


@pytest.mark.parametrize("n", range(1, 7))
def test_the_definitions_of_projective_agree_on_all_forests(n: int) -> None:
    for heads in forests(n):
        judge = Judge(n, _links(heads))
        shifted = [(head + 1, word + 1) for head, word in _links(heads)]  # the marker 0 becomes a word in front
        projections_are_intervals = judge.gap_degree() == 0
        assert judge.is_projective() == projections_are_intervals == Judge(n + 1, shifted).is_planar(), heads
        assert judge.is_projective() == (not judge.nonprojective_arcs()) == (judge.arc_degree() == 0), heads


@pytest.mark.parametrize("n", range(1, 5))
def test_every_predicate_and_certificate_is_right_on_all_directed_graphs_up_to_4_words(n: int) -> None:
    for arcs in directed_graphs(n):
        assert disagreements(mp.DependencyGraph(n, arcs), n, arcs) == []


def test_every_predicate_and_certificate_is_right_on_all_forests_on_5_words() -> None:
    for heads in forests(5):
        assert disagreements(mp.DependencyGraph(5, _links(heads)), 5, _links(heads)) == []


@pytest.mark.parametrize("orientation", ["rightward", "both ways", "at random"])
def test_every_predicate_and_certificate_is_right_on_all_undirected_graphs_on_5_words(orientation: str) -> None:
    chance = random.Random(2)
    for edges in undirected_graphs(5):
        if orientation == "rightward":
            arcs = edges
        elif orientation == "both ways":
            arcs = edges + tuple((b, a) for a, b in edges)
        else:
            arcs = tuple((a, b) if chance.random() < 0.5 else (b, a) for a, b in edges)
        assert disagreements(mp.DependencyGraph(5, arcs), 5, arcs) == []


@pytest.mark.parametrize("n", range(1, 5))
def test_every_measure_is_right_on_all_directed_graphs_up_to_4_words(n: int) -> None:
    measures = measure(mp.DependencyGraph(n, arcs) for arcs in directed_graphs(n))
    judged = [Judge(n, arcs).batch_measures() for arcs in directed_graphs(n)]
    for name in MEASURES:
        np.testing.assert_array_equal(getattr(measures, name), [each[name] for each in judged], name)


def test_every_measure_is_right_on_all_directed_graphs_on_5_words() -> None:
    graphs, judged = directed_graphs(5), judged_directed_graphs(5)
    for start in range(0, 2**20, CHUNK):
        measures = measure(mp.DependencyGraph(5, arcs) for arcs in islice(graphs, CHUNK))
        for name in MEASURES:
            expected = judged[name][start : start + CHUNK]
            np.testing.assert_array_equal(getattr(measures, name), expected, f"{name}, graphs from {start}")
    assert next(graphs, None) is None


def test_every_predicate_is_right_on_each_fifth_directed_graph_on_5_words() -> None:
    judged = judged_directed_graphs(5)
    graphs = [mp.DependencyGraph(5, arcs) for arcs in islice(directed_graphs(5), 0, None, 5)]
    for name in PREDICATES:
        np.testing.assert_array_equal([getattr(graph, name)() for graph in graphs], judged[name][::5], name)


@pytest.mark.parametrize("n", range(1, 7))
def test_every_measure_is_right_on_all_forests_up_to_6_words(n: int) -> None:
    lengths = np.full(len(forests(n)), n, np.int64)
    measures = measure_heads(lengths, np.array(forests(n), np.int32).ravel())
    judged = [Judge(n, _links(heads)).batch_measures() for heads in forests(n)]
    for name in MEASURES:
        np.testing.assert_array_equal(getattr(measures, name), [each[name] for each in judged], name)
