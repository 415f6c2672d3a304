"""Exhaustive search over all configurations that a system can reach for a few words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import TransitionSystemError
from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc
from multiplane.systems import Configuration, TransitionSystem


class StateSpace:
    """All configurations reachable from a system's initial one, or from a given one.

    >>> from multiplane.systems import systems
    >>> space = StateSpace(systems["arc-standard"], 3)
    >>> len(space), len(space.graphs())
    (28, 12)
    """

    def __init__(self, start: TransitionSystem | Configuration, n: int | None = None, most: int = 5_000_000) -> None:
        first = start if isinstance(start, Configuration) else start.initial(n or 0)
        self.system = first.system
        self.n = first.n
        try:
            self.native = _native.StateSpace(first._native, most)
        except ValueError as error:
            raise TransitionSystemError(
                f"{self.system.title} with {self.n} words: {error} ({most:,} at most)"
            ) from None

    def __len__(self) -> int:
        return len(self.native)

    def state(self, number: int) -> Configuration:
        """Returns a configuration by number; 0 is the initial one."""
        return Configuration(self.system, self.native.state(number))

    def graphs(self) -> set[frozenset[tuple[int, int]]]:
        """Returns the arcs of all derivable graphs."""
        return {self._arcs(int(mask)) for mask in self.native.graphs()}

    def _arcs(self, mask: int) -> frozenset[tuple[int, int]]:
        bits = (bit for bit in range(mask.bit_length()) if mask >> bit & 1)
        return frozenset((bit // self.n, bit % self.n + 1) for bit in bits)

    def stuck(self) -> list[Configuration]:
        """Returns the non-terminal configurations without a legal transition."""
        return [self.state(int(number)) for number in self.native.stuck()]

    def losses(self, graph: DependencyGraph, planes: Sequence[set[Arc]] | None = None) -> NDArray[np.int32]:
        """Returns the loss of every configuration: the minimum number of gold arcs missing from any reachable graph.

        With planes, an arc counts only if the stack of its plane builds it.
        """
        arcs = list(graph.word_arcs if self.system.root is None else graph.arcs)
        plane_of = [-1] * len(arcs)
        if planes is not None:
            plane_of = [next(p for p, plane in enumerate(planes) if arc in plane) for arc in arcs]
        ends = [sorted(arc[:2]) if self.system.is_undirected else arc[:2] for arc in arcs]
        best = self.native.most_arcs([head for head, _ in ends], [dependent for _, dependent in ends], plane_of)
        return np.asarray(len(arcs) - best, dtype=np.int32)
