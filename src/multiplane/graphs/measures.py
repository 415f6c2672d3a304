"""Measures of many graphs in one native call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import GraphError

if TYPE_CHECKING:
    from multiplane.graphs.graph import DependencyGraph
    from multiplane.graphs.layers import LayerGraphs

MOST_PLANES = 4
"""The largest minimal k that `Measures.planarity` distinguishes."""


@dataclass(frozen=True)
class Measures:
    """Measures of several graphs; each array has one entry per graph."""

    nonprojective: NDArray[np.bool_]
    planarity: NDArray[np.int8]
    """The minimal k; 5 means more than 4, and 0 means not decided in reasonable time."""
    ill_nested: NDArray[np.bool_]
    np_arcs: NDArray[np.int32]
    """The number of non-projective arcs."""
    gap_degree: NDArray[np.int32]
    arc_degree: NDArray[np.int32]

    @classmethod
    def _of(
        cls,
        nonprojective: NDArray[np.uint8],
        planarity: NDArray[np.int8],
        ill_nested: NDArray[np.uint8],
        *counts: NDArray[np.int32],
    ) -> Measures:
        return cls(nonprojective.astype(np.bool_), planarity, ill_nested.astype(np.bool_), *counts)


def measure(graphs: Iterable[DependencyGraph]) -> Measures:
    """Measures graphs of any kind.

    >>> from multiplane import DependencyGraph
    >>> m = measure([DependencyGraph(3, [(1, 2)]), DependencyGraph(4, [(1, 3), (2, 4), (3, 2)])])
    >>> m.planarity.tolist(), m.np_arcs.tolist()
    ([1, 2], [0, 1])
    """
    graphs = list(graphs)
    ends = [graph.ends for graph in graphs] or [(np.empty(0, np.int32), np.empty(0, np.int32))]
    return Measures._of(
        *_native.measure_graphs(
            np.array([graph.n for graph in graphs], np.int64),
            np.array([len(graph.word_arcs) for graph in graphs], np.int64),
            np.concatenate([heads for heads, _ in ends]),
            np.concatenate([dependents for _, dependents in ends]),
        )
    )


def measure_heads(lengths: NDArray[np.int64], heads: NDArray[np.int32]) -> Measures:
    """Measures forests given by their concatenated heads; 0 for roots.

    >>> m = measure_heads(np.array([3, 4]), np.array([2, 0, 2, 3, 0, 2, 1], np.int32))
    >>> m.nonprojective.tolist(), m.gap_degree.tolist()
    ([False, True], [0, 1])
    """
    try:
        return Measures._of(
            *_native.measure_heads(np.ascontiguousarray(lengths, np.int64), np.ascontiguousarray(heads, np.int32))
        )
    except ValueError as error:
        raise GraphError(str(error)) from None


class Shapes(NamedTuple):
    """How several graphs differ from trees; each array has one entry per graph."""

    multi_headed: NDArray[np.int32]
    """The number of words with several heads."""
    cyclic: NDArray[np.bool_]
    disconnected: NDArray[np.bool_]
    """Whether the arcs, regardless of direction, form several parts; words without arcs do not count."""

    @property
    def trees(self) -> NDArray[np.bool_]:
        """Whether a graph can be treated as a tree: single heads, no cycles, one part."""
        return np.asarray((self.multi_headed == 0) & ~self.cyclic & ~self.disconnected)


def measure_layer(graphs: LayerGraphs) -> tuple[Measures, Shapes]:
    """Measures the graphs of a layer.

    >>> from multiplane import sample
    >>> from multiplane.graphs.layers import layer_graphs
    >>> measures, shapes = measure_layer(layer_graphs(sample(), "enhanced"))
    >>> int((measures.planarity > 1).sum()), int((shapes.multi_headed > 0).sum())
    (3, 6)
    """
    arrays = graphs.lengths, graphs.arc_counts, graphs.heads, graphs.dependents
    multi_headed, cyclic, disconnected = _native.graph_shapes(*arrays)
    shapes = Shapes(multi_headed, cyclic.astype(np.bool_), disconnected.astype(np.bool_))
    return Measures._of(*_native.measure_graphs(*arrays)), shapes
