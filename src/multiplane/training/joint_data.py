"""Prepares the graphs of treebanks for training: indexes roles and senses, and sorts arcs by dependents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import TrainingError
from multiplane.formats import Corpus
from multiplane.formats.fields import EMPTY
from multiplane.formats.layers import LayerArcs, Predicates
from multiplane.graphs.codecs.enhanced import EnhancedCodec
from multiplane.graphs.codecs.enhanced_sources import BasicTrees
from multiplane.graphs.codecs.planarized import Planarization, planarize_layer
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
    word_senses: NDArray[np.int64] = field(repr=False)
    """For every word, the number of its sense; -1 if it has none."""
    templates: EncodedTemplates | None = None
    """What is said about every word of an enhanced graph."""
    annotated: NDArray[np.bool_] | None = None
    """Which sentences have graphs; None if all do."""

    @cached_property
    def sense_counts(self) -> NDArray[np.int64]:
        """How often each sense occurs."""
        return np.bincount(self.word_senses[self.word_senses >= 0], minlength=len(self.suffixes))

    @cached_property
    def suffixes(self) -> NDArray[np.int64]:
        """The number of the suffix of each sense."""
        names = () if self.senses is None else self.senses.names
        place: dict[str, int] = {}
        return np.array([place.setdefault(suffix_of(name), len(place)) for name in names], np.int64)


@dataclass(frozen=True, eq=False)
class EncodedTemplates:
    """The templates of all words, and the codec that made them."""

    codec: EnhancedCodec
    numbers: NDArray[np.int64]
    names: tuple[str, ...]


def enhanced_data(corpora: Sequence[Corpus], note: Note = lambda text: None) -> GraphData:
    """Encodes the enhanced graphs of treebanks as templates of words and arcs that the tree lacks.

    Raises `TrainingError` if there are none.
    """
    trees, arcs = BasicTrees.of(*corpora), LayerArcs.joined([corpus.enhanced_arcs for corpus in corpora])
    if not len(arcs.heads):
        raise TrainingError("the training data has no enhanced dependencies; use CoNLL-U with graphs in DEPS")
    codec = EnhancedCodec.learned(trees, arcs)
    encoded = codec.encode(trees, arcs)
    annotated = np.diff(arcs.first) > 0
    if without := int((~annotated).sum()):
        note(f"{counted(without, 'sentence')} of {len(annotated):,} skipped: no enhanced dependencies")
    if encoded.lost:
        note(f"{counted(encoded.lost, 'enhanced arc')} left out: from a word to itself")
    nothing = np.full(len(trees.heads), -1, np.int64)
    templates = EncodedTemplates(codec, np.maximum(encoded.templates, 0).astype(np.int64), encoded.names)
    flags = np.ones(len(trees.heads), np.uint8)
    rows = _sorted(encoded.residual, note)
    return GraphData(*rows, flags, None, np.zeros((0, 1), np.int64), nothing, nothing, nothing, templates, annotated)


def semantic_data(
    corpora: Sequence[Corpus], note: Note = lambda text: None, planarize: Planarization | None = None
) -> GraphData:
    """Collects the predicates and arguments of treebanks; `planarize` makes graphs planar, with marks in the labels.

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
    lemmas, golds, word_senses = np.full(total, -1, np.int64), np.zeros(total, np.int64), np.full(total, -1, np.int64)
    place = {name: number for number, name in enumerate(senses.names)}
    for word, (lemma, sense) in zip(words.tolist(), flat, strict=True):
        if sense == EMPTY:
            continue
        word_senses[word] = place[sense]
        if len(senses.of_lemma[lemma]) > 1:
            lemmas[word] = rows[lemma]
            golds[word] = senses.of_lemma[lemma].index(place[sense])
    whole = LayerArcs.joined([arcs for _, arcs in layers])
    if planarize is not None:
        planar = planarize_layer(np.concatenate([corpus.lengths for corpus in corpora]), whole, planarize)
        note(f"{counted(planar.lifted, 'argument')} lifted and {len(planar.dropped):,} dropped to make graphs planar")
        whole = planar.arcs
    arcs = _sorted(whole, note)
    return GraphData(*arcs, flags, senses, candidates, lemmas, golds, word_senses)


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
    arcs: LayerArcs, note: Note
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], tuple[str, ...]]:
    """Sorts arcs by dependents, and labels by frequency; leaves out arcs from 0 and to the head itself."""
    counts = Counter(np.array(arcs.names, object)[arcs.labels].tolist())
    names = tuple(sorted(counts, key=lambda name: (-counts[name], name)))
    place = {name: number for number, name in enumerate(names)}
    labels = np.array([place.get(name, -1) for name in arcs.names], np.int32)[arcs.labels]
    of = np.repeat(np.arange(len(arcs.first) - 1), np.diff(arcs.first))
    heads, dependents = arcs.heads, arcs.dependents
    usable = np.flatnonzero((heads > 0) & (heads != dependents))
    if selfs := int(((heads == dependents) & (heads > 0)).sum()):
        note(f"{counted(selfs, 'argument')} left out: a word that is its own argument cannot be derived")
    order = usable[np.lexsort((heads[usable], dependents[usable], of[usable]))]
    first = np.concatenate([[0], np.cumsum(np.bincount(of[order], minlength=len(arcs.first) - 1))])
    return first, heads[order], dependents[order], labels[order], names
