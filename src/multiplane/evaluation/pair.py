"""Two annotations of one text, as arrays over words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from multiplane.evaluation.alignment import UNALIGNED, Places, align
from multiplane.evaluation.score import Mask, Score, universal_label
from multiplane.formats import Corpus, Treebank, as_corpus, unannotated
from multiplane.graphs.nonprojective import absolute_heads


@dataclass(frozen=True)
class Column:
    """A column of both sides, as indices into the list of distinct values."""

    gold: Places
    system: Places
    values: list[str]

    def simplified(self, key: Callable[[str], str]) -> Column:
        """Maps every value to its key; values with the same key become one."""
        values: dict[str, int] = {}
        new = np.array([values.setdefault(key(value), len(values)) for value in self.values], np.int64)
        return Column(new[self.gold], new[self.system], list(values))

    def where(self, test: Callable[[str], bool]) -> tuple[Mask, Mask]:
        """Returns the words of both sides whose value passes the test."""
        passes = np.array([test(value) for value in self.values], np.bool_)
        return passes[self.gold], passes[self.system]


class Pair:
    """A gold standard and a system's output, aligned.

    Masks are over the gold words, the system's words, or the *matched* words, which both sides have.
    """

    def __init__(
        self, gold: Treebank, system: Treebank, *, same_words: bool = False, without_heads: bool = False
    ) -> None:
        self.gold, self.system = as_corpus(gold), as_corpus(system)
        for corpus in () if without_heads else (self.gold, self.system):
            if problems := unannotated(corpus):
                raise problems[0]
        self.alignment = align(self.gold, self.system, same_words=same_words)
        self.gold_words = np.flatnonzero(self.alignment.to_system != UNALIGNED)
        """The indices of the matched words on the gold side."""
        self.system_words = self.alignment.to_system[self.gold_words]
        """The indices of the same words on the system's side."""
        self._columns: dict[str, Column] = {}

    def column(self, name: str) -> Column:
        """Returns a column of both sides; if a format lacks it, all values are `_`."""
        if name not in self._columns:
            sides = [_values(corpus, name) for corpus in (self.gold, self.system)]
            place = {value: i for i, value in enumerate(dict.fromkeys(sides[0] + sides[1]))}
            gold, system = (np.fromiter(map(place.__getitem__, side), np.int64, len(side)) for side in sides)
            self._columns[name] = Column(gold, system, list(place))
        return self._columns[name]

    @cached_property
    def labels(self) -> Column:
        """The full labels, including subtypes."""
        return self.column("deprel")

    @cached_property
    def universal_labels(self) -> Column:
        """The labels without subtypes: `acl` for `acl:relcl`."""
        return self.labels.simplified(universal_label)

    @cached_property
    def gold_heads(self) -> Places:
        """The indices of the gold heads; -1 for the root."""
        return absolute_heads(self.gold.lengths, self.gold.heads)

    @cached_property
    def system_heads(self) -> Places:
        """The indices of the system's heads; -1 for the root."""
        return absolute_heads(self.system.lengths, self.system.heads)

    @cached_property
    def same_head(self) -> Mask:
        """The matched words whose heads are the same word, or the root on both sides."""
        heads = self.system_heads[self.system_words]
        matched = np.append(self.alignment.to_gold, -1)[heads]  # the root is at -1
        matched[(matched == UNALIGNED) & (heads != -1)] = -2
        return np.asarray(matched == self.gold_heads[self.gold_words])

    @cached_property
    def same_sentences(self) -> Mask:
        """The gold sentences that the system also has, word for word."""
        there = self.alignment.to_system
        size, lengths = len(self.gold), self.gold.lengths
        whole = np.bincount(self.gold.sentence_of[there != UNALIGNED], minlength=size) == lengths
        theirs = np.append(self.system.sentence_of, -1)
        after = np.cumsum(lengths)
        first, last = theirs[there[after - lengths]], theirs[there[after - 1]]
        return np.asarray(whole & (first == last) & (np.append(self.system.lengths, -1)[first] == lengths))

    def same(self, column: Column) -> Mask:
        """Returns the matched words with the same value."""
        return np.asarray(column.gold[self.gold_words] == column.system[self.system_words])

    def attached(self, labels: Column) -> Mask:
        """Returns the matched words with the same head and label."""
        return self.same_head & self.same(labels)

    def score(self, correct: Mask, counted: tuple[Mask, Mask] | None = None) -> Score:
        """Scores a mask over the matched words; `counted` are the words of each side that count, by default all."""
        if counted is None:
            return Score(self.gold.words, self.system.words, int(correct.sum()), len(self.gold_words))
        gold, system = counted
        matched = gold[self.gold_words]
        return Score(int(gold.sum()), int(system.sum()), int((correct & matched).sum()), int(matched.sum()))

    def judged_by_gold(self, gold: NDArray[np.generic], system: NDArray[np.generic]) -> NDArray[np.generic]:
        """Returns a property of the system's words, taken from the matched gold word if there is one."""
        judged = system.copy()
        judged[self.system_words] = gold[self.gold_words]
        return judged


def _values(corpus: Corpus, name: str) -> list[str]:
    return corpus.column(name) if name in corpus.dialect.columns else ["_"] * corpus.words
