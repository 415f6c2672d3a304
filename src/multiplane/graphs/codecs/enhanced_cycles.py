"""Cycles in enhanced graphs: only cycles like those of an antecedent and its relative clause are allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from multiplane.errors import GraphError
from multiplane.graphs.codecs.enhanced_sources import Tree


class Turn(NamedTuple):
    """Where a cycle goes on after an arc that is not in the basic tree: the labels of that arc and of the next."""

    label: str
    then: str


class GrowingGraph:
    """A basic tree to which arcs are added one by one.

    >>> tree = Tree([0, 1, 2], ["root", "obj", "acl:relcl"], ["see", "dog", "bark"])
    >>> graph = GrowingGraph(tree)
    >>> graph.turns(1, 3, "obj"), graph.turns(3, 2, "nsubj")
    (set(), {Turn(label='nsubj', then='acl:relcl')})
    """

    def __init__(self, tree: Tree) -> None:
        self._out = [[(child, tree.deprels[child]) for child in children] for children in tree.children]
        self._added: list[tuple[int, int, str]] = []

    def add(self, head: int, word: int, label: str) -> None:
        """Adds an arc."""
        self._out[head].append((word, label))
        self._added.append((head, word, label))

    def turns(self, head: int, word: int, label: str) -> set[Turn]:
        """Returns the turns of all cycles that an arc would close, simple ones and others."""
        if head == 0 or not self._out[word]:
            return set()
        below = reached([word], lambda node: (child for child, _ in self._out[node]))
        if head not in below:
            return set()
        into: dict[int, list[int]] = {}
        for node in below:
            for child, _ in self._out[node]:
                into.setdefault(child, []).append(node)
        inside = reached([head], lambda node: into.get(node, ()))
        found = set()
        for start, end, added in (*self._added, (head, word, label)):
            if start in inside and end in inside:
                found |= {Turn(added, then) for child, then in self._out[end] if child in inside}
                if end == head:
                    found.add(Turn(added, label))
        return found


def reached(start: Iterable[int], following: Callable[[int], Iterable[int]]) -> set[int]:
    """Returns all nodes reachable from some nodes, including these.

    >>> sorted(reached([1], {1: [2], 2: [1, 4], 3: [1], 4: []}.__getitem__))
    [1, 2, 4]
    """
    todo = list(start)
    seen = set(todo)
    while todo:
        for node in following(todo.pop()):
            if node not in seen:
                seen.add(node)
                todo.append(node)
    return seen


def to_restore(tree: Tree, arcs: Sequence[tuple[int, int]]) -> list[int]:
    """Returns the words whose basic arcs are needed so that the root reaches every word; as few as possible come first.

    >>> tree = Tree([0, 1, 2], ["root", "obj", "det"], ["see", "dog", "the"])
    >>> to_restore(tree, [(0, 1), (2, 3)]), to_restore(tree, [(0, 1), (3, 2)])
    ([2], [2, 3])
    """
    out: dict[int, list[int]] = {}
    for head, word in arcs:
        out.setdefault(head, []).append(word)

    def following(node: int) -> Iterable[int]:
        return out.get(node, ())

    seen = reached([0], following)
    order = [0]
    restored = []
    for node in order:  # grows: heads come before their children
        order += tree.children[node]
        if node not in seen:
            restored.append(node)
            seen |= reached([node], following)
    if len(order) < len(tree.heads):
        raise GraphError("the basic heads of a sentence have a cycle; enhanced graphs need a basic tree")
    return restored
