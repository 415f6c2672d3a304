"""Coverage of semantic and enhanced graphs: several heads, separate parts, cycles and crossing arcs (S4 §1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from multiplane.analysis import certificates
from multiplane.analysis.coverage import Witness, not_k_planar
from multiplane.display import Shown
from multiplane.formats import Corpus, Sentence
from multiplane.formats.corpus import OnError, validate
from multiplane.graphs import DependencyGraph, Layer, Measures, graph_of
from multiplane.graphs.layers import layer_graphs
from multiplane.graphs.measures import Shapes, measure_layer


@dataclass
class GraphCoverage(Shown):
    """The number of graphs of each kind; `+` combines files.

    >>> from multiplane import sample
    >>> c = graph_coverage([sample()], "enhanced")
    >>> c.structures, c.with_arcs, c.trees, c.nonplanar
    (65, 9, 3, 3)
    """

    structures: int = 0
    tokens: int = 0
    with_arcs: int = 0
    """Structures with an arc between two words."""
    arcs: int = 0
    """Arcs between two words; arcs from the root or from a word to itself do not count."""
    trees: int = 0
    """Structures with arcs that can be treated as trees: single heads, no cycles, and one part."""
    multiheaded: int = 0
    multiheaded_words: int = 0
    disconnected: int = 0
    cyclic: int = 0
    nonplanar: int = 0
    non2planar: int = 0
    non3planar: int = 0
    non4planar: int = 0
    undecided: int = 0
    """Structures that are not 2-planar, but whose exact number of planes would take too long to find."""

    def __add__(self, other: GraphCoverage) -> GraphCoverage:
        return GraphCoverage(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def percent(self, name: str) -> float:
        """Returns a count as a percentage of the structures or, for `multiheaded_words`, of the tokens.

        >>> GraphCoverage(structures=8, nonplanar=2).percent("nonplanar")
        25.0
        """
        whole = self.tokens if name == "multiheaded_words" else self.structures
        return 100 * float(getattr(self, name)) / whole if whole else 0.0


@dataclass(frozen=True)
class GraphProperty:
    """A property of a graph that trees or planar graphs lack."""

    column: str
    holds: Callable[[Measures, Shapes], NDArray[np.bool_]]
    certificate: Callable[[Sentence, DependencyGraph], str]


def graph_coverage(corpora: Iterable[Corpus], layer: Layer, *, on_error: OnError = "fail") -> GraphCoverage:
    """Computes the coverage of one layer of a treebank, given as one corpus or as the blocks of a large file."""
    validate(on_error)
    total = GraphCoverage()
    for corpus in corpora:
        graphs = layer_graphs(corpus, layer, skip=on_error == "skip")
        measures, shapes = measure_layer(graphs)
        has_arcs = graphs.arc_counts > 0
        total += GraphCoverage(
            structures=len(graphs.lengths),
            tokens=int(graphs.lengths.sum()),
            with_arcs=int(has_arcs.sum()),
            arcs=len(graphs.heads),
            trees=int((shapes.trees & has_arcs).sum()),
            multiheaded_words=int(shapes.multi_headed.sum()),
            undecided=int((measures.planarity == 0).sum()),
            **{prop.column: int(prop.holds(measures, shapes).sum()) for prop in GRAPH_PROPERTIES.values()},
        )
    return total


def graph_witnesses(
    corpora: Iterable[Corpus], name: str, layer: Layer, *, on_error: OnError = "fail"
) -> Iterator[Witness]:
    """Yields the sentences whose graph has one of the `GRAPH_PROPERTIES`, each with a certificate."""
    validate(on_error)
    chosen = GRAPH_PROPERTIES[name]
    for corpus in corpora:
        graphs = layer_graphs(corpus, layer, skip=on_error == "skip")
        for place in np.flatnonzero(chosen.holds(*measure_layer(graphs))):
            sentence = corpus[int(graphs.sentences[place])]
            certificate = chosen.certificate(sentence, graph_of(sentence, layer))
            yield Witness(corpus.name, sentence.line, sentence.sent_id, certificate)


def _outside(k: int) -> Callable[[Measures, Shapes], NDArray[np.bool_]]:
    return lambda measures, _: not_k_planar(k)(measures)


GRAPH_PROPERTIES = {
    "multi-headed": GraphProperty("multiheaded", lambda _, s: s.multi_headed > 0, certificates.multi_headed),
    "disconnected": GraphProperty("disconnected", lambda _, s: s.disconnected, certificates.disconnected),
    "cyclic": GraphProperty("cyclic", lambda _, s: s.cyclic, certificates.cyclic),
    "not-planar": GraphProperty("nonplanar", _outside(1), certificates.nonplanar),
    "not-2-planar": GraphProperty("non2planar", _outside(2), certificates.not_2_planar),
    "not-3-planar": GraphProperty("non3planar", _outside(3), certificates.needs_more_than(3)),
    "not-4-planar": GraphProperty("non4planar", _outside(4), certificates.needs_more_than(4)),
}
"""The properties of graphs beside the tree, by their names on the command line."""
