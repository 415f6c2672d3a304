"""Graphs outside k-planar: oracles lose as few arcs as possible, however long the sentence is."""

import random
import time
from collections.abc import Callable
from itertools import combinations

import pytest

import multiplane as mp
from brute_force import is_k_planar
from multiplane import DependencyGraph
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.graphs import measure_heads

Link = tuple[int, int]


def heads_before(n: int, most: int, seed: int) -> list[int]:
    """A tree whose heads are one to `most` words before their dependents: crossings everywhere."""
    chance = random.Random(seed)
    return [0, *(max(1, word - chance.randint(1, most)) for word in range(2, n + 1))]


def lost(graph: DependencyGraph, k: int) -> list[Link]:
    return [(arc[0], arc[1]) for arc in mp.oracle(f"{k}-planar" if k > 1 else "planar").derive(graph).lost]


def fewest(links: list[Link], k: int) -> int:
    """How many arcs have to go until k planes hold the rest."""
    return next(
        number
        for number in range(len(links))
        for kept in combinations(links, len(links) - number)
        if is_k_planar(kept, k)
    )


@pytest.mark.parametrize("k", [1, 2, 3])
def test_as_few_arcs_as_possible_are_lost_where_heads_are_anywhere_before(k: int) -> None:
    for seed in range(60):
        heads = heads_before(12, 12, seed)
        graph = DependencyGraph.from_heads(heads)
        links = [(head, word) for word, head in enumerate(heads, 1) if head]
        assert len(lost(graph, k)) == fewest(links, k), graph


@pytest.mark.parametrize(
    ("most", "k", "share"), [(12, 1, 0.7), (12, 2, 0.5), (12, 3, 0.35), (5_000, 1, 0.95), (5_000, 2, 0.95)]
)
def test_where_arcs_cross_from_end_to_end_what_is_kept_fits_into_the_planes(most: int, k: int, share: float) -> None:
    heads = heads_before(5_000, most, seed=k)
    graph = DependencyGraph.from_heads(heads)
    gone = lost(graph, k)
    assert 0 < len(gone) < share * len(heads)
    assert graph.subgraph(set(graph.word_arcs) - set(gone)).planes(k) is not None


def one_sentence(heads: list[int]) -> Corpus:
    rows = "".join(f"{i}\tw\t_\t_\t_\t_\t{head}\tdep\t_\t_\n" for i, head in enumerate(heads, 1))
    return from_text(rows + "\n")


def seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


# Eight times the words; quadratic work would take 64 times as long.


@pytest.mark.parametrize("most", [5, 12])
@pytest.mark.parametrize("name", ["planar", "2-planar", "3-planar"])
def test_the_time_of_an_oracle_grows_with_the_sentence_and_no_faster(name: str, most: int) -> None:
    oracle = mp.oracle(name)
    small, large = (one_sentence(heads_before(n, most, seed=1)) for n in (2_000, 16_000))
    assert seconds(lambda: oracle.statistics(large)) < 25 * max(seconds(lambda: oracle.statistics(small)), 0.005)


@pytest.mark.parametrize("most", [5, 12])
def test_the_time_of_analysis_grows_with_the_sentence_and_no_faster(most: int) -> None:
    small, large = (one_sentence(heads_before(n, most, seed=1)) for n in (4_000, 32_000))

    def analysis(corpus: Corpus) -> float:
        return seconds(lambda: (measure_heads(corpus.lengths, corpus.heads), corpus[0].graph.planarity()))

    assert analysis(large) < 25 * max(analysis(small), 0.005)
