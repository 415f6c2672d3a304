"""The predicates of SPEC §1 with their certificates, which prove that a graph lacks a property."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multiplane import _native
from multiplane.graphs.arcs import Arc, span
from multiplane.graphs.measures import measure

if TYPE_CHECKING:
    from multiplane.graphs.graph import DependencyGraph


def second_head(graph: DependencyGraph) -> tuple[Arc, Arc] | None:
    """Returns two arcs into one word, or None.

    >>> from multiplane import DependencyGraph
    >>> second_head(DependencyGraph(3, [(1, 2), (3, 2)]))
    ((1, 2), (3, 2))
    """
    first: dict[int, Arc] = {}
    for arc in graph.word_arcs:
        other = first.setdefault(arc[1], arc)
        if other is not arc:
            return other, arc
    return None


def closing_arc(graph: DependencyGraph) -> Arc | None:
    """Returns an arc between two nodes that earlier arcs connect, regardless of direction, or None.

    >>> from multiplane import DependencyGraph
    >>> closing_arc(DependencyGraph(3, [(1, 2), (1, 3), (2, 3)]))
    (2, 3)
    """
    parent = list(range(graph.n + 1))

    def component(node: int) -> int:
        while parent[node] != node:
            node = parent[node] = parent[parent[node]]
        return node

    for arc in graph.arcs:
        one, other = component(arc[0]), component(arc[1])
        if one == other:
            return arc
        parent[one] = other
    return None


def cycle(graph: DependencyGraph) -> list[int] | None:
    """Returns words that form a directed cycle, each a head of the next, or None."""
    # Depth-first search along the heads, without recursion: sentences may be long.
    state = [0] * (graph.n + 1)  # 1 on the current path, 2 done
    for start in range(1, graph.n + 1):
        path: list[int] = []
        todo = [start]
        while todo:
            word = todo.pop()
            if word < 0:
                state[path.pop()] = 2
            elif state[word] == 1:
                found = path[path.index(word) :][::-1]
                first = found.index(min(found))
                return found[first:] + found[:first]
            elif state[word] == 0:
                state[word] = 1
                path.append(word)
                todo.append(-word)
                todo.extend(graph.heads_of[word])
    return None


def components(graph: DependencyGraph) -> list[list[int]]:
    """Returns the weakly connected components."""
    leader = list(range(graph.n + 1))

    def find(word: int) -> int:
        while leader[word] != word:
            leader[word] = word = leader[leader[word]]
        return word

    for head, dependent, *_ in graph.word_arcs:
        leader[find(head)] = find(dependent)
    groups: dict[int, list[int]] = {}
    for word in range(1, graph.n + 1):
        groups.setdefault(find(word), []).append(word)
    return list(groups.values())


def covered_root(graph: DependencyGraph) -> tuple[int, Arc] | None:
    """Returns a root and an arc whose span strictly contains it, or None."""
    roots = np.array(graph.roots, dtype=np.int64)
    for arc in graph.word_arcs:
        left, right = span(arc)
        after = int(np.searchsorted(roots, left, side="right"))
        if after < len(roots) and roots[after] < right:
            return int(roots[after]), arc
    return None


def nonprojective_arcs(graph: DependencyGraph) -> list[Arc]:
    """Returns the arcs whose span strictly contains a word that their head does not dominate."""
    dominated: dict[int, set[int]] = {}
    dependents: list[list[int]] = [[] for _ in range(graph.n + 1)]
    for head, dependent, *_ in graph.word_arcs:
        dependents[head].append(dependent)

    def reach(head: int) -> set[int]:
        seen = {head}
        todo = [head]
        while todo:
            for word in dependents[todo.pop()]:
                if word not in seen:
                    seen.add(word)
                    todo.append(word)
        return seen

    found = []
    for arc in graph.word_arcs:
        left, right = span(arc)
        if right - left == 1:
            continue
        if arc[0] not in dominated:
            dominated[arc[0]] = reach(arc[0])
        if any(word not in dominated[arc[0]] for word in range(left + 1, right)):
            found.append(arc)
    return found


def ill_nesting(graph: DependencyGraph) -> tuple[int, int, int, int, int, int] | None:
    """Returns the roots of two disjoint interleaving subtrees and two words of each, or None."""
    return _native.ill_nesting(graph.n, *graph.ends)


def gap_degree(graph: DependencyGraph) -> int:
    """Returns the largest number of gaps in a projection."""
    return int(measure([graph]).gap_degree[0])


def arc_degree(graph: DependencyGraph) -> int:
    """Returns the largest arc degree (Nivre 2006)."""
    return int(measure([graph]).arc_degree[0])
