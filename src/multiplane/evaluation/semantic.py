"""Scores of graphs: pairs of crossing arcs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import starmap

from multiplane.evaluation.score import Score
from multiplane.graphs import Arc, DependencyGraph


def crossing_pairs(
    gold: Iterable[DependencyGraph], predicted: Iterable[DependencyGraph], *, labelled: bool = True
) -> Score:
    """Scores pairs of crossing arcs; a pair is correct if both of its arcs are.

    An arc that crosses several others is in several pairs.

    >>> gold = DependencyGraph(4, [(1, 3, "A0"), (2, 4, "A1")])
    >>> crossing_pairs([gold], [gold]).f1
    100.0
    >>> crossing_pairs([gold], [DependencyGraph(4, [(1, 3, "A0"), (2, 4, "A2")])]).recall
    0.0
    """
    counts = [0, 0, 0]
    for sides in zip(gold, predicted, strict=True):
        g, s = starmap(_pairs, ((graph, labelled) for graph in sides))
        counts = [old + new for old, new in zip(counts, (len(g), len(s), len(g & s)), strict=True)]
    return Score(*counts)


def _pairs(graph: DependencyGraph, labelled: bool) -> set[frozenset[Arc]]:
    return {frozenset(arc if labelled else arc[:2] for arc in pair) for pair in graph.crossings()}
