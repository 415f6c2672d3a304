"""Prepares the graphs of treebanks for training: indexes roles and senses, and sorts arcs by dependents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import TrainingError
from multiplane.formats import Corpus
from multiplane.formats.fields import EMPTY
from multiplane.formats.layers import LayerArcs, Predicates
from multiplane.messages import counted
from multiplane.models.senses import Senses, lemmas_of, suffix_of
from multiplane.training.data import Note


@dataclass(frozen=True, eq=False)
class GraphData:
    """The gold graphs of all corpora; sentences are counted over all of them."""

    first: NDArray[np.int64]
    """The arcs of sentence i are `first[i]` to `first[i + 1]`."""
    heads: NDArray[np.int32]
    dependents: NDArray[np.int32]
    """Sorted within a sentence."""
    roles: NDArray[np.int32]
    names: tuple[str, ...]
    """The roles, most frequent first."""
    predicates: NDArray[np.uint8]
    """For every word, whether it is a predicate."""
    senses: Senses | None
    candidates: NDArray[np.int64] = field(repr=False)
    """The senses of each lemma, padded with -1."""
    lemmas: NDArray[np.int64] = field(repr=False)
    """For every word, a row of `candidates`; -1 if it is not a predicate with a sense, or its lemma has only one."""
    golds: NDArray[np.int64] = field(repr=False)
    """For every word, the place of its sense in that row."""
    sense_numbers: NDArray[np.int32] = field(repr=False)
    """For every word, the number of its sense; -1 if it has none."""

    @property
    def suffixes(self) -> NDArray[np.int64]:
        """The number of the suffix of each sense."""
        names = () if self.senses is None else self.senses.names
        place: dict[str, int] = {}
        return np.array([place.setdefault(suffix_of(name), len(place)) for name in names], np.int64)


def semantic_data(corpora: Sequence[Corpus], note: Note = lambda text: None) -> GraphData:
    """Collects the predicates and arguments of treebanks.

    Raises `TrainingError` if there are none. A predicate that is its own argument cannot be derived; `note` reports it.
    """
    layers = [(corpus.predicates, corpus.semantic_arcs) for corpus in corpora]
    if not sum(len(predicates.words) for predicates, _ in layers):
        raise TrainingError("the training data has no predicates; use CoNLL-2008 or CoNLL-2009 with senses in PRED")
    pairs = [_senses(corpus, predicates) for corpus, (predicates, _) in zip(corpora, layers, strict=True)]
    flat = [pair for part in pairs for pair in zip(*part, strict=True)]
    senses = Senses.seen(pair for pair in flat if pair[1] != EMPTY)
    words = np.concatenate([_word_numbers(corpus, corpus.predicates) for corpus in corpora])
    offsets = np.cumsum([0, *(corpus.words for corpus in corpora)])
    spans = [len(predicates.words) for predicates, _ in layers]
    words = words + np.repeat(offsets[:-1], spans)
    total = int(offsets[-1])
    flags = np.zeros(total, np.uint8)
    flags[words] = 1
    candidates, rows = _candidates(senses)
    lemmas, golds = np.full(total, -1, np.int64), np.zeros(total, np.int64)
    sense_numbers = np.full(total, -1, np.int32)
    place = {name: number for number, name in enumerate(senses.names)}
    for word, (lemma, sense) in zip(words.tolist(), flat, strict=True):
        sense_numbers[word] = place.get(sense, -1)
        if sense != EMPTY and len(senses.of_lemma[lemma]) > 1:
            lemmas[word] = rows[lemma]
            golds[word] = senses.of_lemma[lemma].index(place[sense])
    arcs = _sorted([arcs for _, arcs in layers], note)
    return GraphData(*arcs, flags, senses, candidates, lemmas, golds, sense_numbers)


def _senses(corpus: Corpus, predicates: Predicates) -> tuple[list[str], list[str]]:
    """Returns the lemmas and senses of a corpus's predicates."""
    lemmas = lemmas_of(corpus, _word_numbers(corpus, predicates))
    return lemmas, [predicates.names[sense] for sense in predicates.senses.tolist()]


def _word_numbers(corpus: Corpus, predicates: Predicates) -> NDArray[np.int64]:
    starts = np.cumsum(corpus.lengths, dtype=np.int64) - corpus.lengths
    return np.asarray(np.repeat(starts, np.diff(predicates.first)) + predicates.words - 1, np.int64)


def _candidates(senses: Senses) -> tuple[NDArray[np.int64], dict[str, int]]:
    most = max(map(len, senses.of_lemma.values()), default=1)
    table = np.full((len(senses.of_lemma), most), -1, np.int64)
    for row, numbers in enumerate(senses.of_lemma.values()):
        table[row, : len(numbers)] = numbers
    return table, {lemma: row for row, lemma in enumerate(senses.of_lemma)}


def _sorted(
    layers: Sequence[LayerArcs], note: Note
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], tuple[str, ...]]:
    """Joins arcs with common numbers of labels, sorted by dependents; leaves out arcs from 0 and to the head itself."""
    counts = Counter(name for arcs in layers for name in np.array(arcs.names, object)[arcs.labels].tolist())
    names = tuple(sorted(counts, key=lambda name: (-counts[name], name)))
    place = {name: number for number, name in enumerate(names)}
    sentences = np.concatenate([np.diff(arcs.first) for arcs in layers])
    of = np.repeat(np.arange(len(sentences)), sentences)
    heads = np.concatenate([arcs.heads for arcs in layers])
    dependents = np.concatenate([arcs.dependents for arcs in layers])
    labels = np.concatenate([np.array([place[name] for name in arcs.names], np.int32)[arcs.labels] for arcs in layers])
    usable = np.flatnonzero((heads > 0) & (heads != dependents))
    if selfs := int(((heads == dependents) & (heads > 0)).sum()):
        note(f"{counted(selfs, 'argument')} left out: a word that is its own argument cannot be derived")
    order = usable[np.lexsort((heads[usable], dependents[usable], of[usable]))]
    first = np.concatenate([[0], np.cumsum(np.bincount(of[order], minlength=len(sentences)))])
    return first, heads[order], dependents[order], labels[order].astype(np.int32), names
