"""Thousands of graphs too large to be listed, drawn at random, seeded, against definitions; and laws of all graphs."""

import random
from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import multiplane as mp
from brute_force import NUMBERS, PREDICATES, Arc, Judge, cross, disagreements, is_k_planar, is_k_planar_by_enumeration
from multiplane.graphs import measure, measure_heads

GRAPHS_PER_FAMILY = 400
Link = tuple[int, int]
Drawn = tuple[int, list[Link]]


def tree(chance: random.Random) -> Drawn:
    """A tree on shuffled words, from chains to bushes: a word's head is one of the last few words attached."""
    n = chance.randint(6, 14)
    memory = chance.randint(1, n)
    words = chance.sample(range(1, n + 1), n)
    return n, [(chance.choice(words[max(0, i - memory) : i]), word) for i, word in enumerate(words) if i > 0]


def forest(chance: random.Random) -> Drawn:
    n, links = tree(chance)
    return n, chance.sample(links, chance.randint(0, n - 1))


def nearly_projective_tree(chance: random.Random) -> Drawn:
    n = chance.randint(6, 14)
    return n, _disturbed(_projective_links(chance, 1, n), n, chance.randint(0, 3), chance)


def _projective_links(chance: random.Random, first: int, last: int, head: int | None = None) -> list[Link]:
    """A projective tree over the words first..last, each end of whose root is cut into subtrees."""
    root = chance.randint(first, last)
    links = [(head, root)] if head is not None else []
    for low, high in ((first, root - 1), (root + 1, last)):
        cuts = sorted(word for word in range(low, high) if chance.random() < 0.3)
        for start, end in zip([low, *(cut + 1 for cut in cuts)], [*cuts, high], strict=True):
            if start <= end:
                links += _projective_links(chance, start, end, root)
    return links


def _disturbed(links: list[Link], n: int, exchanges: int, chance: random.Random) -> list[Link]:
    """The same tree after some words changed places with a neighbour at most three places away."""
    place = list(range(n + 1))
    for _ in range(exchanges):
        one = chance.randint(1, n - 1)
        other = min(n, one + chance.randint(1, 3))
        place[one], place[other] = place[other], place[one]
    return [(place[head], place[dependent]) for head, dependent in links]


def planar_graph(chance: random.Random) -> Drawn:
    """As many arcs as wished among those that cross none of the arcs before, opposite ones included."""
    n = chance.randint(6, 14)
    pairs = list(permutations(range(1, n + 1), 2))
    links: list[Link] = []
    for link in chance.sample(pairs, chance.randint(1, len(pairs))):
        if not any(cross(link, other) for other in links):
            links.append(link)
    return n, links


def planar_graph_and_some_arcs(chance: random.Random) -> Drawn:
    n, links = planar_graph(chance)
    others = sorted(set(permutations(range(1, n + 1), 2)) - set(links))
    return n, links + chance.sample(others, chance.randint(1, 4))


def union_of_two_planar_graphs(chance: random.Random) -> Drawn:
    (n1, links1), (n2, links2) = planar_graph(chance), planar_graph(chance)
    return max(n1, n2), sorted({*links1, *links2})


def sparse_graph(chance: random.Random) -> Drawn:
    """Any graph of about one arc a word: multi-headed, cyclic, disconnected."""
    n = chance.randint(6, 14)
    pairs = list(permutations(range(1, n + 1), 2))
    return n, chance.sample(pairs, chance.randint(0, 3 * n // 2))


def acyclic_graph(chance: random.Random) -> Drawn:
    n = chance.randint(6, 12)
    order = chance.sample(range(1, n + 1), n)
    links = [(head, word) for i, word in enumerate(order) for head in order[:i]]
    return n, chance.sample(links, chance.randint(n // 2, 2 * n))


def dense_graph(chance: random.Random) -> Drawn:
    n = chance.randint(6, 9)
    density = chance.uniform(0.2, 0.9)
    return n, [link for link in permutations(range(1, n + 1), 2) if chance.random() < density]


FAMILIES = (
    tree,
    forest,
    nearly_projective_tree,
    planar_graph,
    planar_graph_and_some_arcs,
    union_of_two_planar_graphs,
    sparse_graph,
    acyclic_graph,
    dense_graph,
)
Family = Callable[[random.Random], Drawn]


def drawn_graphs(family: Family, seed: int, number: int = GRAPHS_PER_FAMILY) -> list[tuple[int, list[Arc]]]:
    """Graphs of a family, their arcs in any order; half of them labelled, half of them with their roots marked."""
    chance = random.Random(f"{family.__name__} {seed}")
    return [_dressed(*family(chance), chance) for _ in range(number)]


def _dressed(n: int, links: list[Link], chance: random.Random) -> tuple[int, list[Arc]]:
    arcs: list[Arc] = [*links]
    if chance.random() < 0.5:
        arcs += [(0, root) for root in Judge(n, links).roots()]
    if chance.random() < 0.5:
        arcs = [(arc[0], arc[1], chance.choice(["nsubj", "obj", "_"])) for arc in arcs]
    chance.shuffle(arcs)
    return n, arcs


def mutually_crossing(number: int) -> list[Link]:
    return [(word, word + number) for word in range(1, number + 1)]


def assert_measures_are_right(measures: object, graphs: Sequence[tuple[int, Sequence[Arc]]]) -> None:
    judged = [Judge(n, arcs).batch_measures() for n, arcs in graphs]
    for name in judged[0]:
        np.testing.assert_array_equal(getattr(measures, name), [each[name] for each in judged], name)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_predicate_and_certificate_is_right_on_random_graphs(family: Family) -> None:
    for n, arcs in drawn_graphs(family, seed=1):
        assert disagreements(mp.DependencyGraph(n, arcs), n, arcs) == []


@pytest.mark.parametrize("family", FAMILIES)
def test_every_measure_is_right_on_random_graphs(family: Family) -> None:
    graphs = drawn_graphs(family, seed=2)
    assert_measures_are_right(measure(mp.DependencyGraph(n, arcs) for n, arcs in graphs), graphs)


@pytest.mark.parametrize("family", [tree, forest, nearly_projective_tree])
def test_every_measure_is_right_on_the_heads_of_random_forests_of_all_lengths(family: Family) -> None:
    graphs = drawn_graphs(family, seed=3)
    heads = []
    for n, arcs in graphs:
        head_of = {arc[1]: arc[0] for arc in arcs}
        heads += [head_of.get(word, 0) for word in range(1, n + 1)]
    lengths = np.array([n for n, _ in graphs], np.int64)
    assert_measures_are_right(measure_heads(lengths, np.array(heads, np.int32)), graphs)


@pytest.mark.parametrize("n", [31, 32, 33, 63, 64, 65, 66, 128, 129])
def test_every_predicate_and_certificate_is_right_on_long_sentences_around_powers_of_two(n: int) -> None:
    chance = random.Random(n)
    for exchanges in (1, n // 8, n // 4):
        arcs = _disturbed(_projective_links(chance, 1, n), n, exchanges, chance)
        assert disagreements(mp.DependencyGraph(n, arcs), n, arcs) == []
        far_apart = sorted({*arcs, (n, 2), (1, n - 1), (n - 2, 3)})
        assert disagreements(mp.DependencyGraph(n, far_apart), n, far_apart) == []
        assert_measures_are_right(measure([mp.DependencyGraph(n, far_apart)]), [(n, far_apart)])


@pytest.mark.parametrize("number", range(1, 9))
def test_mutually_crossing_arcs_need_a_plane_each_and_the_batch_says_no_more_than_5(number: int) -> None:
    graph = mp.DependencyGraph(2 * number, mutually_crossing(number))
    assert graph.planarity() == number
    assert disagreements(graph, 2 * number, mutually_crossing(number)) == []
    assert measure([graph]).planarity.tolist() == [min(number, 5)]


@pytest.mark.parametrize("family", FAMILIES)
def test_arcs_from_the_root_marker_change_nothing(family: Family) -> None:
    chance = random.Random(4)
    for n, arcs in drawn_graphs(family, seed=4, number=50):
        bare = [arc[:2] for arc in arcs if arc[0] != 0]
        marked = [*bare, *((0, word) for word in range(1, n + 1) if chance.random() < 0.5)]
        assert disagreements(mp.DependencyGraph(n, marked), n, marked) == []


def test_graphs_without_arcs_are_planar_and_well_nested_whatever_their_length() -> None:
    graphs = [mp.DependencyGraph(n, []) for n in range(4)]
    for n, graph in enumerate(graphs):
        assert graph.is_planar()
        assert graph.is_projective()
        assert graph.is_forest()
        assert graph.is_well_nested()
        assert graph.is_tree() == (n == 1)
        assert graph.planarity() == 1
        assert graph.planes(2) == [set(), set()]
        assert graph.gap_degree() == graph.arc_degree() == 0
    no_heads = measure_heads(np.arange(4), np.zeros(6, np.int32))
    for measures in (measure(graphs), no_heads):
        assert_measures_are_right(measures, [(n, []) for n in range(4)])


def test_the_judge_that_backtracks_agrees_with_the_one_that_tries_all_colourings_of_random_arcs() -> None:
    chance = random.Random(5)
    for _ in range(300):
        n, links = sparse_graph(chance)
        for k in range(1, 4):
            assert is_k_planar(links[:8], k) == is_k_planar_by_enumeration(links[:8], k), (n, links[:8], k)


@st.composite
def graphs(draw: st.DrawFn) -> Drawn:
    n = draw(st.integers(2, 10))
    words = st.integers(1, n)
    link = st.tuples(words, words).filter(lambda link: link[0] != link[1])
    return n, draw(st.lists(link, unique=True, max_size=2 * n))


def reproducible(examples: int) -> settings:
    return settings(max_examples=examples, derandomize=True, database=None, deadline=None)


def _mirrored(arc: Arc, n: int) -> Link:
    return n + 1 - arc[0], n + 1 - arc[1]


@reproducible(500)
@given(graphs())
def test_reading_a_sentence_backwards_changes_no_measure(drawn: Drawn) -> None:
    n, links = drawn
    graph = mp.DependencyGraph(n, links)
    mirror = mp.DependencyGraph(n, [_mirrored(link, n) for link in links])
    for name in (*PREDICATES, *NUMBERS):
        assert getattr(graph, name)() == getattr(mirror, name)(), name
    assert len(graph.crossings()) == len(mirror.crossings())
    assert {_mirrored(arc, n) for arc in graph.nonprojective_arcs()} == set(mirror.nonprojective_arcs())
    both = measure([graph, mirror])
    for name in Judge(n, links).batch_measures():
        assert getattr(both, name)[0] == getattr(both, name)[1], name


@reproducible(300)
@given(graphs())
def test_removing_an_arc_lowers_planarity_by_one_at_most_and_never_raises_it(drawn: Drawn) -> None:
    n, links = drawn
    planarity = mp.DependencyGraph(n, links).planarity()
    for link in links:
        without = mp.DependencyGraph(n, [other for other in links if other != link])
        assert planarity - 1 <= without.planarity() <= planarity


@reproducible(300)
@given(graphs())
def test_planes_exist_from_the_planarity_on_and_not_below(drawn: Drawn) -> None:
    n, links = drawn
    graph = mp.DependencyGraph(n, links)
    planarity = graph.planarity()
    for k in range(1, planarity):
        assert graph.planes(k) is None
    for k in range(planarity, planarity + 3):
        assert Judge(n, links).proves_k_planar(graph.planes(k), k)


@reproducible(300)
@given(graphs(), st.data())
def test_the_order_of_the_arcs_and_their_labels_change_nothing(drawn: Drawn, data: st.DataObject) -> None:
    n, links = drawn
    graph = mp.DependencyGraph(n, links)
    labels = st.sampled_from(["nsubj", "obj"])
    shuffled = mp.DependencyGraph(n, [(*link, data.draw(labels)) for link in data.draw(st.permutations(links))])
    for name in (*PREDICATES, *NUMBERS):
        assert getattr(graph, name)() == getattr(shuffled, name)(), name
