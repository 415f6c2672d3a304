"""The graphs of a treebank's layers, one sentence at a time or all at once."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from multiplane.formats import Corpus, Sentence
from multiplane.graphs.graph import DependencyGraph

Layer = Literal["syntax", "semantics", "enhanced"]
LAYERS: tuple[Layer, ...] = get_args(Layer)


def graph_of(sentence: Sentence, layer: Layer) -> DependencyGraph:
    """Returns the graph of one layer over the words; empty nodes of enhanced graphs are collapsed.

    >>> from multiplane import sample
    >>> sentence = sample()[14]
    >>> graph_of(sentence, "syntax").arcs[7], graph_of(sentence, "enhanced").arcs[7]
    ((3, 8, 'conj'), (3, 8, 'conj:and>nsubj'))
    """
    if layer == "syntax":
        return sentence.graph
    return sentence.semantics if layer == "semantics" else sentence.enhanced.collapsed()


class LayerGraphs(NamedTuple):
    """The arcs between different words of many sentences, as arrays for the native core."""

    sentences: NDArray[np.int64]
    """The indices of the sentences in their corpus."""
    lengths: NDArray[np.int64]
    arc_counts: NDArray[np.int64]
    heads: NDArray[np.int32]
    dependents: NDArray[np.int32]


def layer_graphs(corpus: Corpus, layer: Layer, *, skip: bool = False) -> LayerGraphs:
    """Returns the graphs of one layer of a corpus, other than syntax.

    Raises `FormatError` for a mistake in the columns of the layer; with `skip`, leaves the sentence out.

    >>> from multiplane import sample
    >>> graphs = layer_graphs(sample(), "enhanced")
    >>> len(graphs.lengths), int(graphs.arc_counts.sum()) == len(graphs.heads)
    (65, True)
    """
    found = corpus.semantic_layer if layer == "semantics" else corpus.enhanced_layer
    if not skip:
        found.checked()
    arcs = corpus.semantic_layer.arcs if layer == "semantics" else corpus.enhanced_layer.collapsed
    broken = np.isin(corpus._index.ordinal, found.problems.sentences)
    between = (arcs.heads > 0) & (arcs.heads != arcs.dependents)
    counts = np.diff(np.concatenate(([0], np.cumsum(between)))[arcs.first])
    kept = np.flatnonzero(~broken)  # broken sentences have no arcs
    return LayerGraphs(kept, corpus.lengths[kept], counts[kept], arcs.heads[between], arcs.dependents[between])
