"""Dependency graphs over the words 1..n, and their properties."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from multiplane.display import ShownAsPicture
from multiplane.errors import GraphError
from multiplane.graphs import planes as _planes
from multiplane.graphs import properties as _properties
from multiplane.graphs import swapping as _swapping
from multiplane.graphs.arcs import Arc


class DependencyGraph(ShownAsPicture):
    """Arcs `(head, dependent)` or `(head, dependent, label)` over the words 1..n; immutable.

    Head 0 is the artificial root: an arc from it marks a root, as does having no head at all. Arcs from 0 are kept,
    but never cross or cover anything, as in S0 and S1. A word may have several heads. With `loops`, an arc may go from
    a word to itself: predicates can be their own arguments. Such arcs are kept in `arcs`, but not in `word_arcs`, so
    they do not affect any property.

    Each of these predicates has a certificate: `is_planar` and `crossing`, `is_acyclic` and `cycle`,
    `has_covered_roots` and `covered_root`, `is_well_nested` and `ill_nesting`, `planarity` and `obstruction`,
    `is_swappable` and `unswappable`.

    >>> g = DependencyGraph(4, [(0, 2), (2, 4), (3, 1), (2, 3)])
    >>> g.is_planar(), g.crossing(), g.planarity()
    (False, ((3, 1), (2, 4)), 2)
    >>> DependencyGraph(2, [(1, 1, "A0"), (1, 2, "A1")], loops=True).word_arcs
    ((1, 2, 'A1'),)
    """

    def __init__(self, n: int, arcs: Iterable[Arc] = (), *, loops: bool = False) -> None:
        self.n = n
        self.loops = loops
        """Whether arcs from a word to itself are allowed."""
        self.arcs: tuple[Arc, ...] = tuple(dict.fromkeys(self._checked(arc) for arc in arcs))
        """The arcs without duplicates, in the given order."""
        if n < 0:
            raise GraphError(f"a graph cannot have {n} words")

    def _checked(self, arc: Arc) -> Arc:
        try:
            head, dependent, *label = arc
        except (TypeError, ValueError):
            raise GraphError(f"{arc!r} is not an arc; give (head, dependent) or (head, dependent, label)") from None
        if len(label) > 1 or not all(isinstance(end, int | np.integer) for end in (head, dependent)):
            raise GraphError(f"{arc!r} is not an arc; give (head, dependent) or (head, dependent, label)")
        if not (0 <= head <= self.n and 1 <= dependent <= self.n):
            raise GraphError(f"arc {arc!r} is outside the words 1..{self.n} (0 is allowed as a head: the root)")
        if head == dependent and not self.loops:
            raise GraphError(f"arc {arc!r} goes from a word to itself")
        return (int(head), int(dependent), *label)  # type: ignore[return-value]

    @classmethod
    def from_heads(cls, heads: Iterable[int], labels: Iterable[str] | None = None) -> DependencyGraph:
        """Builds the forest in which word i has the i-th head; 0 for a root.

        >>> DependencyGraph.from_heads([2, 0, 2]).arcs
        ((2, 1), (0, 2), (2, 3))
        """
        heads = list(heads)
        words = range(1, len(heads) + 1)
        if labels is None:
            return cls(len(heads), zip(heads, words, strict=True))
        return cls(len(heads), zip(heads, words, labels, strict=True))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DependencyGraph):
            return NotImplemented
        return self.n == other.n and set(self.arcs) == set(other.arcs)

    def __hash__(self) -> int:
        return hash((self.n, frozenset(self.arcs)))

    def __repr__(self) -> str:
        return f"DependencyGraph({self.n}, {list(self.arcs)}{', loops=True' if self.loops else ''})"

    @cached_property
    def word_arcs(self) -> tuple[Arc, ...]:
        """The arcs between two words, that is, all except those from the artificial root and from a word to itself."""
        return tuple(arc for arc in self.arcs if 0 < arc[0] != arc[1])

    @cached_property
    def ends(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The heads and dependents of `word_arcs`, as arrays for the native core."""
        ends = np.array([arc[:2] for arc in self.word_arcs], dtype=np.int32).reshape(-1, 2)
        return np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])

    @cached_property
    def heads_of(self) -> tuple[tuple[int, ...], ...]:
        """The heads of each word, excluding 0; entry 0 is empty.

        >>> DependencyGraph(3, [(1, 2), (3, 2)]).heads_of
        ((), (), (1, 3), ())
        """
        heads: list[list[int]] = [[] for _ in range(self.n + 1)]
        for head, dependent, *_ in self.word_arcs:
            if head not in heads[dependent]:
                heads[dependent].append(head)
        return tuple(map(tuple, heads))

    @property
    def roots(self) -> list[int]:
        """The words that do not have another word as their head."""
        return [word for word in range(1, self.n + 1) if not self.heads_of[word]]

    # Predicates and their certificates.

    def is_single_head(self) -> bool:
        """Whether no word has two heads. Parallel arcs with the same head and different labels count as two."""
        return self.second_head() is None

    def second_head(self) -> tuple[Arc, Arc] | None:
        """Returns two arcs into one word, which prove that the graph is not single-headed, or None."""
        return _properties.second_head(self)

    def is_acyclic(self) -> bool:
        """Whether no directed path leads from a word back to itself."""
        return self.cycle() is None

    def cycle(self) -> list[int] | None:
        """Returns words that form a cycle, each a head of the next and the last a head of the first, or None.

        >>> DependencyGraph(3, [(1, 2), (2, 3), (3, 1)]).cycle()
        [1, 2, 3]
        """
        return _properties.cycle(self)

    def is_connected(self) -> bool:
        """Whether arcs between words, regardless of direction, connect all words."""
        return len(self.components()) <= 1

    def components(self) -> list[list[int]]:
        """Returns the weakly connected components, each sorted, ordered by first word.

        >>> DependencyGraph(4, [(4, 1), (2, 3)]).components()
        [[1, 4], [2, 3]]
        """
        return _properties.components(self)

    def is_forest(self) -> bool:
        """Whether the graph is single-headed and acyclic."""
        return self.is_single_head() and self.is_acyclic()

    def is_tree(self) -> bool:
        """Whether the graph is a forest with exactly one root."""
        return len(self.roots) == 1 and self.is_forest()

    def is_planar(self) -> bool:
        """Whether no two arcs cross."""
        return self.crossing() is None

    def crossing(self) -> tuple[Arc, Arc] | None:
        """Returns two crossing arcs, which prove that the graph is not planar, or None."""
        return _planes.crossing(self)

    def crossings(self) -> list[tuple[Arc, Arc]]:
        """Returns all pairs of crossing arcs: the edges of the crossings graph."""
        return _planes.crossings(self)

    def has_covered_roots(self) -> bool:
        """Whether a root lies strictly inside the span of an arc."""
        return self.covered_root() is not None

    def covered_root(self) -> tuple[int, Arc] | None:
        """Returns a root and an arc that covers it, or None.

        >>> DependencyGraph(3, [(1, 3)]).covered_root()
        (2, (1, 3))
        """
        return _properties.covered_root(self)

    def is_projective(self) -> bool:
        """Whether the graph is planar without covered roots; for forests, whether every projection is an interval."""
        return self.is_planar() and not self.has_covered_roots()

    def nonprojective_arcs(self) -> list[Arc]:
        """Returns the arcs whose span strictly contains a word that their head does not dominate.

        >>> DependencyGraph.from_heads([3, 0, 2, 1]).nonprojective_arcs()
        [(3, 1), (1, 4)]
        """
        return _properties.nonprojective_arcs(self)

    def is_well_nested(self) -> bool:
        """Whether no two disjoint subtrees interleave."""
        return self.ill_nesting() is None

    def ill_nesting(self) -> tuple[int, int, int, int, int, int] | None:
        """Returns two interleaving subtrees as `(r1, r2, i1, i2, j1, j2)`, or None.

        i1 < i2 < j1 < j2, r1 dominates i1 and j1, and r2, which is disjoint from r1, dominates i2 and j2.

        >>> DependencyGraph.from_heads([0, 1, 1, 2, 3]).ill_nesting()
        (2, 3, 2, 3, 4, 5)
        """
        return _properties.ill_nesting(self)

    def gap_degree(self) -> int:
        """Returns the largest number of gaps in the projection of a word.

        >>> DependencyGraph.from_heads([0, 1, 1, 2, 3]).gap_degree()
        1
        """
        return _properties.gap_degree(self)

    def arc_degree(self) -> int:
        """Returns the largest number of components strictly inside an arc's span that its head does not dominate."""
        return _properties.arc_degree(self)

    # Planes.

    def planarity(self) -> int:
        """Returns the smallest k for which the graph is k-planar; 1 for planar graphs. Exact.

        >>> DependencyGraph(6, [(1, 4), (2, 5), (3, 6)]).planarity()
        3
        """
        return _planes.planarity(self)

    def planes(self, k: int | None = None) -> list[set[Arc]] | None:
        """Assigns the arcs between words to k planes without crossings; returns None if the graph is not k-planar.

        By default, uses as few planes as possible.

        >>> DependencyGraph(4, [(1, 3), (2, 4), (3, 4)]).planes(2) == [{(1, 3), (3, 4)}, {(2, 4)}]
        True
        """
        return _planes.planes(self, k)

    def odd_cycle(self) -> list[Arc] | None:
        """Returns an odd cycle of arcs, each crossing the next and the last crossing the first, or None.

        Such a cycle proves that the graph is not 2-planar.

        >>> DependencyGraph(6, [(1, 4), (2, 5), (3, 6)]).odd_cycle()
        [(1, 4), (2, 5), (3, 6)]
        """
        return _planes.odd_cycle(self)

    def obstruction(self, k: int) -> list[Arc] | None:
        """Returns a minimal set of arcs that does not fit in k planes, or None if the graph is k-planar."""
        return _planes.obstruction(self, k)

    # Swapping.

    def is_swappable(self) -> bool:
        """Whether S4's Swap, which exchanges the two topmost words of the stack, can derive the graph.

        >>> DependencyGraph(4, [(1, 3), (2, 4)]).is_swappable()
        True
        """
        return _swapping.is_swappable(self)

    def unswappable(self) -> list[Arc] | None:
        """Returns a minimal set of arcs that S4's Swap cannot derive, or None: without any of them it could.

        >>> three_arguments_of_two_predicates = [(4, 1), (4, 2), (4, 3), (5, 1), (5, 2), (5, 3)]
        >>> DependencyGraph(5, three_arguments_of_two_predicates).unswappable()
        [(4, 1), (4, 2), (5, 1), (5, 2), (5, 3)]
        """
        return _swapping.unswappable(self)

    # Loops.

    @property
    def loop_arcs(self) -> tuple[Arc, ...]:
        """The arcs from a word to itself."""
        return tuple(arc for arc in self.arcs if arc[0] == arc[1])

    def without_loops(self) -> DependencyGraph:
        """Returns the graph without arcs from a word to itself, which transition systems cannot build.

        >>> DependencyGraph(2, [(1, 1), (1, 2)], loops=True).without_loops()
        DependencyGraph(2, [(1, 2)])
        """
        return DependencyGraph(self.n, [arc for arc in self.arcs if arc[0] != arc[1]])

    def subgraph(self, arcs: Iterable[Arc]) -> DependencyGraph:
        """Returns a graph over the same words with only these arcs."""
        return DependencyGraph(self.n, arcs, loops=self.loops)
