"""Derivations of long graphs: as many transitions as words and arcs allow, and time that grows with their number."""

import random
import time
from collections.abc import Callable

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats.layers import LayerArcs
from multiplane.oracles import StaticOracle, Statistics
from multiplane.systems.properties import longest

Arcs = list[tuple[int, int]]
ORDERS = [mp.oracle("swap-graph", strategy=strategy) for strategy in ("last-resort", "exhaustive")]
PLANAR = [mp.oracle(system) for system in ("planar[]", "2-planar[]")]


def derive(oracle: StaticOracle, n: int, arcs: Arcs) -> Statistics:
    heads, dependents = np.array(arcs, np.int32).reshape(-1, 2).T.copy()
    labels = np.zeros(len(arcs), np.int32)
    return oracle.layer_statistics(
        np.array([n]), LayerArcs(np.array([0, len(arcs)]), heads, dependents, labels, ("a",))
    )


def fan(n: int) -> Arcs:
    """The first word depends on all others, and each of them on the next."""
    return [(word, 1) for word in range(2, n + 1)] + [(word + 1, word) for word in range(2, n)]


def turned(n: int) -> Arcs:
    """The same from right to left."""
    return [(n + 1 - head, n + 1 - dependent) for head, dependent in fan(n)]


def crossing(n: int) -> Arcs:
    """Every arc crosses the next."""
    return [(word, word + 2) for word in range(1, n - 1)]


def twins(n: int) -> Arcs:
    """Two words depend on all others, so that their lists of partners differ nowhere."""
    return [(word, hub) for word in range(3, n + 1) for hub in (1, 2)]


@pytest.mark.parametrize("make", [fan, turned])
@pytest.mark.parametrize("oracle", [*PLANAR, *ORDERS], ids=lambda oracle: f"{oracle.system.title}-{oracle.strategy}")
def test_planar_graphs_of_100_000_words_are_derived_in_linear_time(
    oracle: StaticOracle, make: Callable[[int], Arcs]
) -> None:
    start = time.process_time()
    found = derive(oracle, 100_000, make(100_000))
    assert time.process_time() - start < 10  # about 0.3 s; a quadratic derivation takes a minute
    assert (found.exact, found.swaps) == (1, 0)
    bound = longest(oracle.system, 100_000)
    assert bound is None or found.transitions <= bound


@pytest.mark.parametrize("make", [crossing, twins])
@pytest.mark.parametrize("oracle", ORDERS, ids=lambda oracle: oracle.strategy)
def test_crossing_arcs_in_100_000_words_take_a_swap_each_and_linear_time(
    oracle: StaticOracle, make: Callable[[int], Arcs]
) -> None:
    start = time.process_time()
    arcs = make(100_000)
    found = derive(oracle, 100_000, arcs)
    assert time.process_time() - start < 10
    assert found.exact == 1
    assert 0 < found.swaps <= 2 * len(arcs)


@pytest.mark.parametrize("oracle", ORDERS, ids=lambda oracle: oracle.strategy)
def test_no_order_takes_more_than_5_transitions_per_word_and_2_per_arc(oracle: StaticOracle) -> None:
    # A swap is followed by the arc or the reduction that it serves, or it follows a shift, an arc or a reduction.
    for seed in range(400):
        choose = random.Random(seed)
        n = choose.randint(1, 60)
        arcs = {(choose.randint(1, n), choose.randint(1, n)) for _ in range(choose.randint(0, 4 * n))}
        found = derive(oracle, n, sorted(arc for arc in arcs if arc[0] != arc[1]))
        assert found.transitions <= 5 * n + 2 * (found.arcs - found.arcs_lost)
