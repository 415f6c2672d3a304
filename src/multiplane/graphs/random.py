"""Random structures, reproducible by seed."""

from __future__ import annotations

import random

from multiplane.graphs.graph import DependencyGraph


def random_tree(n: int, seed: int) -> DependencyGraph:
    """Returns a tree drawn uniformly from all trees over n words.

    >>> random_tree(5, seed=1) == random_tree(5, seed=1), random_tree(5, seed=1).is_tree()
    (True, True)
    """
    if n == 0:
        return DependencyGraph(0)
    rng = random.Random(seed)
    # Aldous and Broder: the arcs through which a random walk first enters each word.
    root = at = rng.randint(1, n)
    heads = {root: 0}
    while len(heads) < n:
        to = rng.randint(1, n)
        if to not in heads:
            heads[to] = at
        at = to
    return DependencyGraph.from_heads(heads[word] for word in range(1, n + 1))


def random_graph(n: int, arcs: int, seed: int) -> DependencyGraph:
    """Returns a graph drawn uniformly from all graphs with `arcs` arcs between n words.

    >>> len(random_graph(5, 7, seed=1).arcs)
    7
    """
    rng = random.Random(seed)
    chosen = rng.sample(range(n * (n - 1)), arcs)
    # Number i stands for the arc from i // (n - 1) to the (i % (n - 1))-th of the other words.
    pairs = (divmod(i, n - 1) for i in chosen)
    return DependencyGraph(n, [(head + 1, other + 1 + (other >= head)) for head, other in pairs])
