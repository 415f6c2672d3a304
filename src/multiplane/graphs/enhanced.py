"""Enhanced dependency graphs, which may have empty nodes between the words."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from multiplane.errors import GraphError
from multiplane.graphs.arcs import Arc
from multiplane.graphs.graph import DependencyGraph

_MOST_STEPS = 1000
"""Real sentences need a handful of steps per word; a hostile one could have more paths than anyone can follow."""


class EnhancedGraph(DependencyGraph):
    """A graph over the words and empty nodes of a sentence, numbered 1..n in order; `ids` are their IDs in the file.

    >>> g = EnhancedGraph(["1", "2", "2.1", "3"], [(0, 2, "root"), (2, 3, "conj"), (3, 4, "nsubj")])
    >>> g.n, g.words, [g.ids[node - 1] for node in g.empty_nodes]
    (4, (1, 2, 4), ['2.1'])
    >>> g.collapsed()
    DependencyGraph(3, [(0, 2, 'root'), (2, 3, 'conj>nsubj')], loops=True)
    """

    def __init__(self, ids: Iterable[str], arcs: Iterable[Arc] = ()) -> None:
        self.ids = tuple(ids)
        """The ID of each node, such as 5 or 5.1."""
        super().__init__(len(self.ids), arcs, loops=True)

    @property
    def words(self) -> tuple[int, ...]:
        """The nodes that are words."""
        return tuple(node for node, name in enumerate(self.ids, 1) if "." not in name)

    @property
    def empty_nodes(self) -> tuple[int, ...]:
        """The nodes that are not words."""
        return tuple(node for node, name in enumerate(self.ids, 1) if "." in name)

    def collapsed(self) -> DependencyGraph:
        """Returns the graph over the words alone, in which a path through empty nodes is one arc labelled `a>b`.

        No path visits an empty node twice. An arc may lead from a word to itself: where a word depends on an empty node
        and that one on the word.
        """
        position = {0: 0} | {node: place for place, node in enumerate(self.words, 1)}
        into: dict[int, list[Arc]] = {}
        for arc in self.arcs:
            into.setdefault(arc[1], []).append(arc)
        arcs: list[Arc] = []
        for word in self.words:
            for steps, (head, *labels) in enumerate(_paths(word, into, position)):
                if steps == _MOST_STEPS:
                    raise GraphError(f"word {self.ids[word - 1]} has too many paths through empty nodes")
                if head in position:
                    arcs.append((position[head], position[word], ">".join(labels)))
        return DependencyGraph(len(self.words), arcs, loops=True)

    def __repr__(self) -> str:
        return f"EnhancedGraph({list(self.ids)}, {list(self.arcs)})"


def _paths(word: int, into: Mapping[int, Sequence[Arc]], words: Container[int]) -> Iterator[tuple[Any, ...]]:
    """Yields every path to a word from another word or along empty nodes: where it begins, and its labels."""
    todo: list[tuple[tuple[Any, ...], tuple[int, ...]]] = [((word,), ())]
    while todo:
        path, visited = todo.pop()
        head, *labels = path
        if labels:
            yield path
        if labels and head in words:
            continue
        todo += [
            ((arc[0], *arc[2:], *labels), (*visited, arc[0]))
            for arc in reversed(into.get(head, ()))
            if arc[0] not in visited or arc[0] in words
        ]
