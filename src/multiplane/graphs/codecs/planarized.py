"""Planarised graphs: arcs that do not fit in the plane are lifted to a head of their head, or dropped (S4 §5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import GraphError
from multiplane.formats.layers import LayerArcs
from multiplane.graphs.codecs.codec import Lengths
from multiplane.graphs.graph import DependencyGraph
from multiplane.graphs.projectivize import decoded, encoded

Planarization = Literal["head", "planar"]
"""What to do with an arc that crosses others: lift it, if possible, or drop it."""

PLANARIZATIONS: tuple[Planarization, ...] = get_args(Planarization)

_NOT_LIFTED = -1
_NO_LABEL = -2
"""A mark that names a label which no arc has; it matches nothing."""


class Planarized(NamedTuple):
    """The planar graphs of a corpus, and what became of the other arcs."""

    arcs: LayerArcs
    lifted: int
    """The number of arcs that were lifted."""
    dropped: NDArray[np.int64]
    """The places of the given arcs that were dropped."""


def planarize_layer(lengths: Lengths, arcs: LayerArcs, planarization: Planarization = "head") -> Planarized:
    """Makes all graphs of a corpus planar; marks in the labels record where arcs were lifted from.

    As many arcs as fit in the plane stay. With `planar`, all others are dropped. With `head`, each of them, the
    shortest first, then the leftmost, goes to the nearest word above its head, breadth-first along arcs that stay, from
    which it crosses nothing, repeats no other arc and can be decoded; if there is none among the first 64, it is
    dropped. If fewer are dropped when first those arcs stay whose head has no head, then those stay. `A1↑AM-LOC` is an
    A1 that belongs to an AM-LOC below its new head. Arcs from 0 and from a word to itself cross nothing, and stay.

    >>> first, labels = np.array([0, 3]), np.array([0, 1, 1], np.int32)
    >>> heads, dependents = np.array([1, 3, 2], np.int32), np.array([3, 2, 4], np.int32)
    >>> found = planarize_layer(np.array([4]), LayerArcs(first, heads, dependents, labels, ("A0", "A1")))
    >>> found.arcs.of(0), found.lifted, found.dropped.tolist()
    ([(1, 3, 'A0'), (3, 2, 'A1'), (3, 4, 'A1↑A1')], 1, [])
    """
    if planarization not in PLANARIZATIONS:
        raise GraphError(f"unknown planarization {planarization!r}; known: {', '.join(PLANARIZATIONS)}")
    lifts = planarization == "head"
    heads, lifted_from, dropped = _native.planarize(
        lengths, arcs.first, arcs.heads, arcs.dependents, arcs.labels, lifts
    )
    kept = dropped == 0
    labels, names = arcs.labels, arcs.names
    if lifts:
        labels, names = _marked(labels, lifted_from, names)
    changed = arcs._replace(heads=heads, labels=labels, names=names)
    return Planarized(_only(changed, kept), int((lifted_from[kept] >= 0).sum()), np.flatnonzero(~kept))


def deplanarize_layer(lengths: Lengths, arcs: LayerArcs, can_be_head: NDArray[np.bool_] | None = None) -> LayerArcs:
    """Undoes `planarize_layer` with `head`, for any arcs and marks that a parser predicts.

    A lifted arc moves to the first word, breadth-first and from left to right below its head along arcs without marks,
    that an arc with the label named leads to; the search does not go through its own dependent. If there is none, it
    stays. It vanishes if another arc already links the two. With `can_be_head`, for the words of all sentences, arcs
    move only to such words, as the arcs of a semantic graph start at predicates.

    >>> first, heads, dependents = np.array([0, 3]), np.array([1, 3, 3], np.int32), np.array([3, 2, 4], np.int32)
    >>> lifted = LayerArcs(first, heads, dependents, np.array([0, 1, 2], np.int32), ("A0", "A1", "A1↑A1"))
    >>> deplanarize_layer(np.array([4]), lifted).of(0)
    [(1, 3, 'A0'), (3, 2, 'A1'), (2, 4, 'A1')]
    """
    marks = [decoded(name) for name in arcs.names]
    names = tuple(dict.fromkeys(mark.label for mark in marks))
    places = {name: place for place, name in enumerate(names)}
    plain = np.array([places[mark.label] for mark in marks], np.int32)
    lifted = np.array(
        [_NOT_LIFTED if mark.lifted_from is None else places.get(mark.lifted_from, _NO_LABEL) for mark in marks],
        np.int32,
    )
    labels = plain[arcs.labels]
    searched = labels
    if can_be_head is not None:
        before = np.repeat(np.cumsum(lengths) - lengths, np.diff(arcs.first))
        # No mark has this label, so that no arc moves there.
        searched = np.where(can_be_head[before + arcs.dependents - 1], labels, len(names)).astype(np.int32)
    heads = _native.deplanarize(lengths, arcs.first, arcs.heads, arcs.dependents, searched, lifted[arcs.labels])
    return _only(arcs._replace(heads=heads, labels=labels, names=names), heads >= 0)


def planarize(graph: DependencyGraph, planarization: Planarization = "head") -> tuple[DependencyGraph, list[int]]:
    """Makes one graph planar; returns it and the indices of the dropped arcs. Arcs need labels.

    >>> graph, dropped = planarize(DependencyGraph(4, [(1, 3, "A0"), (3, 2, "A1"), (2, 4, "A1")]))
    >>> graph.arcs, dropped
    (((1, 3, 'A0'), (3, 2, 'A1'), (3, 4, 'A1↑A1')), [])
    >>> planarize(DependencyGraph(4, [(1, 3, "A0"), (2, 4, "A1")]))[1]
    [0]
    """
    changed = planarize_layer(np.array([graph.n]), _layer([graph]), planarization)
    return _graph(graph.n, changed.arcs), changed.dropped.tolist()


def deplanarize(graph: DependencyGraph) -> DependencyGraph:
    """Undoes `planarize` with `head`.

    >>> deplanarize(DependencyGraph(4, [(1, 3, "A0"), (3, 2, "A1"), (3, 4, "A1↑A1")])).arcs
    ((1, 3, 'A0'), (3, 2, 'A1'), (2, 4, 'A1'))
    """
    return _graph(graph.n, deplanarize_layer(np.array([graph.n]), _layer([graph])))


def _marked(
    labels: NDArray[np.int32], lifted_from: NDArray[np.int32], names: Sequence[str]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Returns marked labels, each pair of a label and a mark once."""
    pairs, places = np.unique(np.stack([labels, lifted_from]), axis=1, return_inverse=True)
    marked = [
        encoded(names[label], names[mark] if mark >= 0 else None, False, "head") for label, mark in pairs.T.tolist()
    ]
    return places.reshape(-1).astype(np.int32), tuple(marked)


def _only(arcs: LayerArcs, kept: NDArray[np.bool_]) -> LayerArcs:
    before = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
    return LayerArcs(before[arcs.first], arcs.heads[kept], arcs.dependents[kept], arcs.labels[kept], arcs.names)


def _layer(graphs: Sequence[DependencyGraph]) -> LayerArcs:
    names: dict[str, int] = {}
    rows = []
    for graph in graphs:
        for arc in graph.arcs:
            if len(arc) < 3:
                raise GraphError(f"arc {arc} has no label; only labelled graphs can be planarised")
            rows.append((arc[0], arc[1], names.setdefault(arc[2], len(names))))
    table = np.array(rows, np.int32).reshape(-1, 3)
    heads, dependents, labels = (np.ascontiguousarray(table[:, i]) for i in range(3))
    first = np.cumsum([0, *(len(graph.arcs) for graph in graphs)], dtype=np.int64)
    return LayerArcs(first, heads, dependents, labels, tuple(names))


def _graph(n: int, arcs: LayerArcs) -> DependencyGraph:
    return DependencyGraph(n, arcs.of(0), loops=True)
