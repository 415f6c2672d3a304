"""Enumerates all structures of a given size, for proofs by exhaustion."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

from multiplane.graphs.graph import DependencyGraph


def all_forests(n: int) -> Iterator[DependencyGraph]:
    """Yields all (n + 1) ** (n - 1) forests over n words.

    >>> sum(1 for _ in all_forests(4))
    125
    """
    for heads in product(range(n + 1), repeat=n):
        if _is_forest(heads):
            yield DependencyGraph.from_heads(heads)


def all_trees(n: int) -> Iterator[DependencyGraph]:
    """Yields all n ** (n - 1) trees over n words.

    >>> sum(1 for _ in all_trees(4))
    64
    """
    return (forest for forest in all_forests(n) if len(forest.roots) == 1)


def all_graphs(n: int) -> Iterator[DependencyGraph]:
    """Yields all 2 ** (n * (n - 1)) directed graphs over n words, without labels.

    >>> sum(1 for _ in all_graphs(3))
    64
    """
    arcs = list(permutations(range(1, n + 1), 2))
    for size in range(len(arcs) + 1):
        for chosen in combinations(arcs, size):
            yield DependencyGraph(n, chosen)


def _is_forest(heads: tuple[int, ...]) -> bool:
    for word in range(1, len(heads) + 1):
        at, steps = word, 0
        while at and steps <= len(heads):
            at, steps = heads[at - 1], steps + 1
        if at:
            return False
    return True
