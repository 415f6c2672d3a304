"""Predicates and arcs of both sides over common nodes: a pair of matched words is one node; the root is another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from multiplane.evaluation.alignment import UNALIGNED, Places
from multiplane.evaluation.pair import Pair
from multiplane.evaluation.score import Mask
from multiplane.evaluation.tally import Items
from multiplane.formats.layers import LayerArcs, Predicates


@dataclass(frozen=True)
class Words:
    """The words of one side in order: the node and the gold sentence of each."""

    first: Places
    """The index of each sentence's first word."""
    nodes: Places
    sentences: Places
    count: int
    """The number of nodes of both sides."""

    @property
    def root(self) -> int:
        """The node of the root."""
        return self.count - 1


def words_of(pair: Pair) -> tuple[Words, Words]:
    """Returns the words of both sides.

    An unmatched word of the system is a node of its own, and belongs to the sentence of the matched word before it.
    """
    gold, system, to_gold = pair.gold, pair.system, pair.alignment.to_gold
    count = gold.words + system.words + 1
    sentence = gold.sentence_of
    nodes = np.where(to_gold == UNALIGNED, gold.words + np.arange(system.words), to_gold)
    before = np.maximum(np.maximum.accumulate(to_gold), 0) if len(to_gold) else to_gold
    first = [np.cumsum(corpus.lengths) - corpus.lengths for corpus in (gold, system)]
    return (
        Words(first[0], np.arange(gold.words), sentence, count),
        Words(first[1], nodes, sentence[before], count),
    )


class Names:
    """Numbers for labels, common to both sides."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def numbers(self, names: Iterable[str]) -> Places:
        """Returns the number of each name."""
        return np.array([self._numbers.setdefault(name, len(self._numbers)) for name in names], np.int64)


@dataclass(frozen=True)
class Arcs:
    """Labelled arcs of one side between nodes; predicates are arcs from the root."""

    heads: Places
    dependents: Places
    labels: Places
    sentences: Places
    words: NDArray[np.int32]
    """The words of each arc, head and dependent, as indices in the side's own corpus; -1 for the root."""
    nodes: int

    def where(self, chosen: Mask | Places) -> Arcs:
        """Returns some of the arcs."""
        return Arcs(
            self.heads[chosen],
            self.dependents[chosen],
            self.labels[chosen],
            self.sentences[chosen],
            self.words[chosen],
            self.nodes,
        )

    def relabelled(self, labels: Places) -> Arcs:
        """Returns the same arcs with other labels."""
        return replace(self, labels=labels)

    def items(self, labels: int = 0) -> Items:
        """Returns the arcs as items; with the number of `labels`, labels are compared, too."""
        keys = self.heads * self.nodes + self.dependents
        return Items(keys * labels + self.labels if labels else keys, self.sentences)


def arcs_of(words: Words, arcs: LayerArcs, names: Names, key: Callable[[str], str] = str) -> Arcs:
    """Returns the arcs of a layer; labels with the same key are equal."""
    return _arcs(words, arcs.first, arcs.heads, arcs.dependents, names.numbers(map(key, arcs.names))[arcs.labels])


def senses_of(words: Words, predicates: Predicates, names: Names, key: Callable[[str], str] = str) -> Arcs:
    """Returns predicates as arcs from the root; senses with the same key are equal."""
    senses = names.numbers(map(key, predicates.names))[predicates.senses]
    return _arcs(words, predicates.first, np.zeros_like(predicates.words), predicates.words, senses)


def _arcs(
    words: Words, first: NDArray[np.int64], heads: NDArray[np.int32], dependents: NDArray[np.int32], labels: Places
) -> Arcs:
    before = np.repeat(words.first, np.diff(first))
    head, dependent = (np.where(ends > 0, before + ends - 1, -1) for ends in (heads, dependents))
    nodes = np.append(words.nodes, words.root)  # the root is at -1
    return Arcs(
        nodes[head],
        nodes[dependent],
        labels,
        words.sentences[dependent],
        np.stack([head, dependent], axis=1).astype(np.int32),
        words.count,
    )
