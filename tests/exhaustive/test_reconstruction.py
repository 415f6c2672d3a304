"""Every undirected forest on up to five words and the root, in all directions: no branching of D(U) is cheaper.

`reconstruct` and the native batch give the trees; the costs of S3 §4 judge them, added up from their definition and
compared with minimum branchings. Larger forests are drawn at random.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest

import multiplane as mp
from brute_force import branchings, components, costs_of_directions, reconstructed_heads
from multiplane import _native
from multiplane.graphs import minimum_branching, reconstruct
from multiplane.graphs.reconstruct import METHODS, Method

NATIVE = dict(zip(METHODS, _native.Reconstruction, strict=True))
Edges = tuple[tuple[int, int], ...]


def forests(n: int) -> Iterator[Edges]:
    """All undirected forests over the nodes 0..n."""
    pairs = list(combinations(range(n + 1), 2))
    for size in range(n + 1):
        for edges in combinations(pairs, size):
            if len(components(range(n + 1), edges)) == n + 1 - size:
                yield edges


@cache
def directed_forests(n: int) -> list[Edges]:
    """The same, with the edges written in all directions."""
    return [
        tuple(edge[::way] for edge, way in zip(edges, ways, strict=True))
        for edges in forests(n)
        for ways in product((1, -1), repeat=len(edges))
    ]


def random_forest(chance: random.Random, n: int) -> Edges:
    """From chains to bushes, and from trees to single words."""
    memory = chance.randint(1, n)
    nodes = chance.sample(range(n + 1), n + 1)
    edges = [(chance.choice(nodes[max(0, i - memory) : i]), node) for i, node in enumerate(nodes) if i > 0]
    kept = chance.sample(edges, chance.choice([n, n, chance.randint(0, n)]))
    return tuple(edge[:: chance.choice((1, -1))] for edge in kept)


@cache
def random_forests() -> list[tuple[int, Edges]]:
    chance = random.Random(60)
    return [(n, random_forest(chance, n)) for n in (chance.randint(6, 60) for _ in range(4_000))]


def owners(n: int, edges: Edges) -> dict[int, tuple[int, int]]:
    """Gives each edge to one of its words, no two to the same: its end further away from where a search starts."""
    found: dict[int, tuple[int, int]] = {}
    seen: set[int] = set()
    for start in range(n + 1):
        todo = [] if start in seen else [start]
        while todo:
            node = todo.pop()
            seen.add(node)
            for edge in edges:
                if node in edge and (other := sum(edge) - node) not in seen:
                    found[other] = edge
                    todo.append(other)
    return found


def as_heads(n: int, edges: Edges) -> tuple[list[int], list[int]]:
    """The heads and preferences that the native batch takes."""
    owned = owners(n, edges)
    words = range(1, n + 1)
    heads = [sum(owned[word]) - word if word in owned else -1 for word in words]
    preferences = [0 if word not in owned else 1 if owned[word][0] < owned[word][1] else -1 for word in words]
    return heads, preferences


def in_one_batch(structures: Sequence[tuple[int, Edges]], method: Method) -> list[list[int]]:
    """The heads of all trees from one native call."""
    lengths = np.array([n for n, _ in structures], np.int64)
    columns = [as_heads(n, edges) for n, edges in structures]
    heads = np.array([head for heads, _ in columns for head in heads], np.int32)
    preferences = np.array([value for _, values in columns for value in values], np.int8)
    found, _ = _native.reconstruct_forests(lengths, heads, preferences, NATIVE[method])
    return [part.tolist() for part in np.split(found, np.cumsum(lengths)[:-1])]


def least_costs(structures: Sequence[tuple[int, Edges]], method: Method) -> tuple[list[int], list[dict]]:
    """The costs of minimum branchings, found in one graph that unites all D(U) at node 0; and the costs of arcs."""
    prices = [costs_of_directions(n, edges, method) for n, edges in structures]
    before = np.cumsum([0] + [n for n, _ in structures]).tolist()
    heads = [h and h + start for start, cost in zip(before, prices, strict=False) for h, _ in cost]
    dependents = [d + start for start, cost in zip(before, prices, strict=False) for _, d in cost]
    costs = np.array([price for cost in prices for price in cost.values()], np.float64)
    chosen = _native.minimum_branching(before[-1], np.array(heads, np.int32), np.array(dependents, np.int32), costs, 0)
    paid = np.append(0, np.cumsum(costs[chosen[1:]]))
    return [round(paid[end] - paid[start]) for start, end in pairwise(before)], prices


def assert_none_is_cheaper(structures: Sequence[tuple[int, Edges]], method: Method) -> None:
    least, prices = least_costs(structures, method)
    for (n, edges), heads, best, price in zip(structures, in_one_batch(structures, method), least, prices, strict=True):
        # A head that is no arc of D(U) has no price.
        cost = sum(price[head, word] for word, head in enumerate(heads, 1))
        assert cost == best, (n, edges, heads)
        assert mp.DependencyGraph.from_heads(heads).is_acyclic(), (n, edges, heads)


@pytest.mark.parametrize("method", METHODS)
def test_no_branching_is_cheaper_on_any_small_forest(method: Method):
    assert_none_is_cheaper([(n, edges) for n in range(1, 6) for edges in directed_forests(n)], method)


def test_the_forests_are_all_there_are():
    # Labelled forests on 2 to 6 nodes: A001858 in the OEIS.
    assert [sum(1 for _ in forests(n)) for n in range(1, 6)] == [2, 7, 38, 291, 2932]


@pytest.mark.parametrize("method", METHODS)
def test_no_branching_is_cheaper_on_thousands_of_random_forests(method: Method):
    assert_none_is_cheaper(random_forests(), method)


@pytest.mark.parametrize("method", METHODS)
def test_each_component_has_its_cheapest_root_and_ties_go_to_the_link_then_to_the_left(method: Method):
    structures = [(n, edges) for n in range(1, 5) for edges in directed_forests(n)]
    structures += [(5, edges) for edges in directed_forests(5)[::20]] + random_forests()[:200]
    batch = in_one_batch(structures, method)
    for (n, edges), heads in zip(structures, batch, strict=True):
        expected = reconstructed_heads(n, edges, method)
        assert reconstruct(n, edges, method) == mp.DependencyGraph(n, [(h, d) for d, h in expected.items()])
        assert dict(enumerate(heads, 1)) == expected, (n, edges)


@pytest.mark.parametrize("method", METHODS)
def test_a_unique_minimum_branching_is_the_tree(method: Method):
    unique = 0
    for n in range(1, 4):
        for edges in directed_forests(n):
            cost = costs_of_directions(n, edges, method)
            totals = [
                (sum(cost[head, word] for word, head in found.items()), found)
                for found in branchings(range(n + 1), cost, 0)
            ]
            least = min(total for total, _ in totals)
            cheapest = [found for total, found in totals if total == least]
            trees = [mp.DependencyGraph(n, [(h, d) for d, h in found.items()]) for found in cheapest]
            tree = reconstruct(n, edges, method)
            assert tree in trees
            if len(trees) == 1:
                unique += 1
                assert minimum_branching(n, [(*arc, price) for arc, price in cost.items()]) == tree
    assert unique > 100


def fixed_heads(n: int) -> Iterator[tuple[int, ...]]:
    return product(*([head for head in range(-1, n + 1) if head != word] for word in range(1, n + 1)))


def price_with_fixed(
    heads: dict[int, int], fixed: Sequence[int], cost: dict[tuple[int, int], int]
) -> tuple[int, int, int]:
    contradicted = sum(fixed[word - 1] not in (-1, head) for word, head in heads.items())
    roots = sum(head == 0 for head in heads.values())
    return contradicted, roots, sum(cost[head, word] for word, head in heads.items())


def assert_fixed_heads_come_first(n: int, edges: Edges, fixed: Sequence[int], method: Method) -> None:
    cost = costs_of_directions(n, edges, method)
    best = min(price_with_fixed(found, fixed, cost) for found in branchings(range(n + 1), cost, 0))
    heads, preferences = (np.array(values) for values in as_heads(n, edges))
    found, _ = _native.reconstruct_forests(
        np.array([n]), heads.astype(np.int32), preferences.astype(np.int8), NATIVE[method], np.array(fixed, np.int32)
    )
    assert price_with_fixed(dict(enumerate(found.tolist(), 1)), fixed, cost) == best, (n, edges, fixed, found)


@pytest.mark.parametrize("method", METHODS)
def test_fixed_heads_come_first_then_few_roots_then_costs(method: Method):
    chance = random.Random(3)
    for n in range(1, 4):
        for edges in forests(n):
            written = tuple(edge[:: chance.choice((1, -1))] for edge in edges)
            for fixed in fixed_heads(n):
                assert_fixed_heads_come_first(n, written, fixed, method)
    for _ in range(500):
        n = chance.randint(4, 6)
        # Fixed heads that are mostly linked to their words: others cannot be kept.
        edges = random_forest(chance, n)
        choices = [[-1, 0, *(sum(e) - w for e in edges if w in e), chance.randint(1, n)] for w in range(1, n + 1)]
        fixed = [chance.choice([head for head in heads if head != w]) for w, heads in enumerate(choices, 1)]
        assert_fixed_heads_come_first(n, edges, fixed, method)
