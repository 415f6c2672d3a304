"""Scores of pairs of crossing arcs (S4): a pair is correct if both of its arcs are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from multiplane import _native
from multiplane.evaluation.alignment import Places
from multiplane.evaluation.nodes import Arcs
from multiplane.evaluation.score import Score
from multiplane.evaluation.tally import Tally
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
    counts = np.zeros(3, np.int64)
    for g, s in zip(gold, predicted, strict=True):
        pairs = _pairs(g, labelled), _pairs(s, labelled)
        counts += len(pairs[0]), len(pairs[1]), len(pairs[0] & pairs[1])
    return Score(*counts.tolist())


def _pairs(graph: DependencyGraph, labelled: bool) -> set[frozenset[Arc]]:
    return {frozenset(arc if labelled else arc[:2] for arc in pair) for pair in graph.crossings()}


def crossing_tallies(gold: Arcs, system: Arcs, labels: int, sentences: int) -> dict[str, Tally]:
    """Counts the same pairs in each sentence of a whole layer, labelled and unlabelled."""
    return {
        "Crossing": _tally(gold, system, labels, sentences),
        "Crossing-unlabelled": _tally(gold, system, 0, sentences),
    }


def _tally(gold: Arcs, system: Arcs, labels: int, sentences: int) -> Tally:
    # Whether two arcs cross does not depend on other arcs, so the correct pairs are the crossings of the correct arcs.
    sides = [arcs.where(np.unique(arcs.items(labels).keys, return_index=True)[1]) for arcs in (gold, system)]
    correct = sides[0].where(np.isin(sides[0].items(labels).keys, sides[1].items(labels).keys))
    return Tally(*(_crossings(arcs, sentences) for arcs in (*sides, correct)))


def _crossings(arcs: Arcs, sentences: int) -> Places:
    """Returns the number of crossings in each sentence."""
    between_words = (arcs.words >= 0).all(axis=1) & (arcs.words[:, 0] != arcs.words[:, 1])
    heads, dependents = (np.ascontiguousarray(ends) for ends in arcs.words[between_words].T)
    counts = np.zeros(sentences, np.int64)
    np.add.at(counts, arcs.sentences[between_words], _native.count_crossings(heads, dependents))
    return counts
