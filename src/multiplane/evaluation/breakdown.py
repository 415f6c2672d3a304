"""Attachment scores of groups of words: by label, tag, arc length or sentence length."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from multiplane.evaluation.attachment import Convention, convention_of
from multiplane.evaluation.pair import Pair
from multiplane.evaluation.score import Mask, Score
from multiplane.formats import Treebank

GROUPINGS = ("label", "upos", "length", "sentence-length")

_ARC_LENGTHS = ("root", "1", "2", "3-6", "7+")
_ARC_BORDERS = (1, 2, 3, 7)
_SENTENCE_LENGTHS = ("1-10", "11-20", "21-30", "31-40", "41-50", "51+")
_SENTENCE_BORDERS = (11, 21, 31, 41, 51)


@dataclass(frozen=True)
class Group:
    """The scores of one group of words."""

    name: str
    uas: Score
    las: Score


def breakdown(gold: Treebank, predicted: Treebank, by: str, *, convention: str = "ud") -> list[Group]:
    """Returns attachment scores by one of the `GROUPINGS`; the last group, `TOTAL`, contains all words.

    Groups by label compare full labels. The label and length of an arc are those of its own side: recall is over the
    gold arcs of the group, precision over the system's. Tags and sentences are those of the gold standard.

    >>> from multiplane import sample
    >>> [(group.name, group.las.gold) for group in breakdown(sample(), sample(), "length")]
    [('root', 65), ('1', 269), ('2', 134), ('3-6', 187), ('7+', 59), ('TOTAL', 714)]
    """
    chosen = convention_of(convention)
    pair = chosen.pair(gold, predicted)
    names, gold_groups, system_groups = _groups(pair, by)
    labels = pair.labels if by == "label" else chosen.labels(pair)
    grouped = _Grouped(pair, len(names), gold_groups, system_groups, chosen)
    uas, las = grouped.scores(pair.same_head), grouped.scores(pair.attached(labels))
    rows = [Group(*row) for row in zip([*names, "TOTAL"], uas, las, strict=True)]
    return [row for row in rows if row.las.gold or row.las.system or row.name == "TOTAL"]


def _groups(pair: Pair, by: str) -> tuple[Sequence[str], NDArray[np.int64], NDArray[np.int64]]:
    """Returns the names of the groups, and the group of each word on both sides."""
    if by == "label":
        return _most_frequent_first(pair.labels.values, pair.labels.gold, pair.labels.system)
    if by == "upos":
        column = pair.column("upos")
        return _most_frequent_first(column.values, column.gold, _as_gold(pair, column.gold, column.system))
    if by == "length":
        return _ARC_LENGTHS, _arc_length(pair.gold_heads), _arc_length(pair.system_heads)
    if by == "sentence-length":
        gold, system = (_sentence_length(corpus.lengths) for corpus in (pair.gold, pair.system))
        return _SENTENCE_LENGTHS, gold, _as_gold(pair, gold, system)
    raise ValueError(f"by must be one of {', '.join(map(repr, GROUPINGS))}, not {by!r}")


def _as_gold(pair: Pair, gold: NDArray[np.int64], system: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(pair.judged_by_gold(gold, system), np.int64)


def _most_frequent_first(
    names: list[str], gold: NDArray[np.int64], system: NDArray[np.int64]
) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
    counts = np.bincount(gold, minlength=len(names)).tolist()
    order = sorted(range(len(names)), key=lambda i: (-counts[i], names[i]))
    place = np.zeros(len(names), np.int64)
    place[order] = np.arange(len(names))
    return [names[i] for i in order], place[gold], place[system]


def _arc_length(heads: NDArray[np.int64]) -> NDArray[np.int64]:
    length = np.abs(heads - np.arange(len(heads)))
    return np.where(heads < 0, 0, np.searchsorted(_ARC_BORDERS, length, side="right"))


def _sentence_length(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    groups = np.array([bisect_right(_SENTENCE_BORDERS, length) for length in lengths.tolist()], np.int64)
    return np.repeat(groups, lengths)


class _Grouped:
    """Counts per group; an additional group contains all words."""

    def __init__(
        self,
        pair: Pair,
        size: int,
        gold: NDArray[np.int64],
        system: NDArray[np.int64],
        convention: Convention,
    ) -> None:
        self._size, self._gold, self._system = size, gold, system
        self._counted = convention.counted(pair)
        self._words = pair.gold_words, pair.system_words

    def scores(self, correct: Mask) -> list[Score]:
        (gold_counted, system_counted), (gold_words, system_words) = self._counted, self._words
        correct = correct & gold_counted[gold_words]
        return [
            Score(gold=g, system=s, correct=c, found=f)
            for g, s, c, f in zip(
                self._counts(self._gold[gold_counted]),
                self._counts(self._system[system_counted]),
                self._counts(self._system[system_words[correct]]),
                self._counts(self._gold[gold_words[correct]]),
                strict=True,
            )
        ]

    def _counts(self, groups: NDArray[np.int64]) -> list[int]:
        counts = np.bincount(groups, minlength=self._size)
        return [*counts.tolist(), len(groups)]
