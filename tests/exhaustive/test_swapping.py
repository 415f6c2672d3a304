"""S4's Theorems 1 and 2 on all small graphs: what Swap can derive, that the exhaustive order does, and why not."""

import os
import random
from collections import Counter
from functools import cache
from itertools import combinations

import pytest

import multiplane as mp
from multiplane import DependencyGraph
from multiplane.graphs.enumerate import all_graphs
from multiplane.oracles import Derivation, StateSpace, StaticOracle
from swapping import Link, all_links, configuration, is_derivable_by_swapping, link_sets

MOST_WORDS = int(os.environ.get("MULTIPLANE_MOST_WORDS", "6"))
"""With 7, all 2,097,152 graphs on 7 words are looked at, too, which takes minutes."""
DERIVABLE = {0: 1, 1: 1, 2: 2, 3: 8, 4: 64, 5: 992, 6: 24_512, 7: 772_224}
"""The number of graphs over n words, without directions, that Swap can derive."""
MINIMAL = {5: {"shared": 1}, 6: {"early": 4, "shared": 4, "late": 1}, 7: {"early": 14, "shared": 2, "late": 6}}
"""The number of minimal sets of links that it cannot derive, if every word has a link, by configuration."""


def rebuilds(oracle: StaticOracle, graph: DependencyGraph) -> bool:
    """Whether replaying the oracle's actions builds the graph and nothing else."""
    derivation: Derivation = oracle.derive(graph)
    c = oracle.system.initial(graph.n)
    for action in derivation.actions:
        c = c.apply(action)
    built = {arc[:2] for arc in c.arcs}
    assert c.is_terminal == derivation.complete
    assert built == set(graph.arcs) - set(derivation.lost), graph
    return c.is_terminal and built == set(graph.arcs)


@cache
def swappable(n: int) -> frozenset[int]:
    """The swappable graphs over n words, as numbers: bit i for the i-th link."""
    return frozenset(number for number, links in enumerate(link_sets(n)) if DependencyGraph(n, links).is_swappable())


def links_of(n: int, number: int) -> list[Link]:
    return [link for bit, link in enumerate(all_links(n)) if number >> bit & 1]


def minimal_unswappable(n: int) -> list[list[Link]]:
    """The graphs without a word apart that are not swappable, but would be without any of their links."""
    known, size = swappable(n), n * (n - 1) // 2
    found = []
    for number in set(range(2**size)) - known:
        links = links_of(n, number)
        if len({word for link in links for word in link}) == n and all(
            number ^ 1 << bit in known for bit in range(size) if number >> bit & 1
        ):
            found.append(links)
    return found


def maximal_swappable(n: int) -> list[list[Link]]:
    """The swappable graphs that are not swappable with any further link."""
    known, size = swappable(n), n * (n - 1) // 2
    return [
        links_of(n, number)
        for number in known
        if all(number | 1 << bit not in known for bit in range(size) if not number >> bit & 1)
    ]


@pytest.mark.parametrize("n", range(5))
def test_theorem_1_the_exhaustive_order_derives_every_directed_graph_up_to_4_words_that_is_derivable(n: int) -> None:
    derivable = StateSpace(mp.systems["swap-graph"], n).graphs()
    oracle = mp.oracle("swap-graph", strategy="exhaustive")
    for graph in all_graphs(n):
        assert rebuilds(oracle, graph) == (frozenset(graph.arcs) in derivable) == graph.is_swappable(), graph


# A graph is derivable with fewer links if it is with more, as arcs need not be built. So what holds for the largest
# swappable graphs and for the smallest others holds for all.


@pytest.mark.parametrize("n", range(MOST_WORDS + 1))
def test_exactly_the_swappable_graphs_are_derivable(n: int) -> None:
    assert len(swappable(n)) == DERIVABLE[n]
    for links in maximal_swappable(n):
        assert is_derivable_by_swapping(n, links), links
    for links in minimal_unswappable(n):
        assert not is_derivable_by_swapping(n, links), links


@pytest.mark.parametrize("n", range(5, MOST_WORDS + 1))
def test_theorem_1_the_exhaustive_order_derives_every_swappable_graph(n: int) -> None:
    oracle = mp.oracle("swap-graph", strategy="exhaustive")
    for number, links in enumerate(link_sets(n)):
        graph = DependencyGraph(n, links)
        derivation = oracle.derive(graph)
        assert (not derivation.lost) == (number in swappable(n)), links
        assert derivation.complete
        assert derivation.added == []
        if number % 64 == 0:
            assert rebuilds(oracle, graph) == (number in swappable(n))


@pytest.mark.parametrize("n", range(5, MOST_WORDS + 1))
def test_theorem_2_minimal_graphs_that_cannot_be_derived_have_one_of_three_forms(n: int) -> None:
    assert Counter(map(configuration, minimal_unswappable(n))) == MINIMAL[n]


@pytest.mark.parametrize(("n", "size"), [(5, 5), (6, 4), (6, 5), (7, 4), (7, 5)])
def test_theorem_2_links_of_these_forms_cannot_be_derived(n: int, size: int) -> None:
    found = 0
    for links in combinations(all_links(n), size):
        if configuration(links):
            found += 1
            assert not DependencyGraph(n, links).is_swappable(), links
    assert found > 0


def chain(length: int) -> tuple[int, list[Link]]:
    """A configuration with a chain: 1 must be reached early, 2 only when the last word of the chain waits for more."""
    words = length + 4
    t = words - 1
    return words, [(1, 4), (1, words), (2, t), *((x, x + 2) for x in range(3, length + 2)), (length + 2, words)]


@pytest.mark.parametrize("length", range(2, 12))
def test_there_are_minimal_configurations_of_any_size_so_that_no_finite_list_of_them_is_complete(length: int) -> None:
    n, links = chain(length)
    assert configuration(links) == "early"
    assert DependencyGraph(n, links).unswappable() == links
    for link in links:
        assert DependencyGraph(n, [other for other in links if other != link]).is_swappable()


def random_links(seed: int) -> tuple[int, list[Link]]:
    """Links of a random sentence, most of them short, as long ones leave little that can be derived."""
    choose = random.Random(seed)
    n, longest = choose.randint(6, 40), choose.choice([2, 3, 4, 6, 10, 40])
    lefts = [choose.randint(1, n - 1) for _ in range(choose.randint(4, 2 * n))]
    return n, sorted({(left, min(n, left + choose.randint(1, longest))) for left in lefts})


def test_certificates_of_larger_graphs_are_minimal_and_of_these_forms() -> None:
    forms: Counter[str | None] = Counter()
    for seed in range(1500):
        n, links = random_links(seed)
        graph = DependencyGraph(n, links)
        found = graph.unswappable()
        assert (found is None) == graph.is_swappable() == (not mp.oracle("swap-graph").derive(graph).lost)
        if found is not None:
            assert set(found) <= set(links)
            proof = [(arc[0], arc[1]) for arc in found]
            assert not DependencyGraph(n, proof).is_swappable()
            assert all(DependencyGraph(n, [link for link in proof if link != one]).is_swappable() for one in proof)
            forms[configuration(proof)] += 1
    assert set(forms) == {"early", "shared", "late"}


def test_certificates_are_arcs_of_the_graph_with_their_directions_and_labels() -> None:
    arcs = [(4, 1, "a"), (4, 2, "b"), (5, 1, "c"), (2, 5, "d"), (5, 3, "e"), (0, 5, "top")]
    assert DependencyGraph(5, arcs).unswappable() == arcs[:5]


def test_the_last_resort_order_fails_on_graphs_that_the_exhaustive_order_derives() -> None:
    oracle = mp.oracle("swap-graph", strategy="last-resort")
    derived = [number for number, links in enumerate(link_sets(5)) if rebuilds(oracle, DependencyGraph(5, links))]
    assert set(derived) < swappable(5)
    assert len(derived) == 896


def test_orders_depend_on_links_and_not_on_their_directions() -> None:
    oracle = mp.oracle("swap-graph", strategy="exhaustive")
    for links in list(link_sets(5))[::3]:
        one, other = DependencyGraph(5, links), DependencyGraph(5, [(right, left) for left, right in links])
        swaps = [oracle.sequence(graph).count("SWAP") for graph in (one, other)]
        assert swaps[0] == swaps[1]
        assert bool(oracle.derive(one).lost) == bool(oracle.derive(other).lost), links


def test_planar_graphs_need_no_swap_in_either_order() -> None:
    oracles = [mp.oracle("swap-graph", strategy=strategy) for strategy in ("last-resort", "exhaustive")]
    for links in link_sets(5):
        graph = DependencyGraph(5, links)
        for oracle in oracles:
            if graph.is_planar():
                assert "SWAP" not in oracle.sequence(graph), links
