"""Scores of enhanced graphs: ELAS and EULAS of the IWPT shared tasks, counted as in `udeval`.

`udeval` leaves out arcs from and to empty nodes; the shared tasks first collapsed empty nodes into label paths such as
`conj>nsubj`. Both ways are scored.
"""

from __future__ import annotations

import numpy as np

from multiplane.evaluation.nodes import Arcs, Names, arcs_of, words_of
from multiplane.evaluation.pair import Pair
from multiplane.evaluation.score import Score
from multiplane.evaluation.tally import Tally, tally
from multiplane.formats import Corpus
from multiplane.formats.layers import LayerArcs


def enhanced_scores(pair: Pair) -> dict[str, Score]:
    """Returns the scores of the enhanced layer, by name."""
    return {name: counts.score for name, counts in enhanced_tallies(pair).items()}


def enhanced_tallies(pair: Pair) -> dict[str, Tally]:
    """Counts enhanced arcs in each sentence of the gold standard."""
    corpora = pair.gold, pair.system
    counts: dict[str, Tally] = {}
    for suffix, sides in (
        ("", [_arcs_between_words(corpus) for corpus in corpora]),
        ("-collapsed", [corpus.enhanced_arcs for corpus in corpora]),
    ):
        for name, key in (("ELAS", str), ("EULAS", universal_path)):
            names = Names()
            gold, system = (arcs_of(words, arcs, names, key) for words, arcs in zip(words_of(pair), sides, strict=True))
            counts[f"{name}{suffix}"] = _tally(gold, system, len(names), len(pair.gold))
    return counts


def universal_path(label: str) -> str:
    """Returns a label or path of labels without subtypes.

    >>> universal_path("conj:and>nsubj:pass")
    'conj>nsubj'
    """
    return ">".join(step.partition(":")[0] for step in label.split(">"))


def _tally(gold: Arcs, system: Arcs, labels: int, sentences: int) -> Tally:
    # As in `udeval`: two arcs of a word that differ only in subtypes, 2:nsubj|2:nsubj:xsubj, are four correct pairs.
    return tally(gold.items(labels), system.items(labels), sentences, every_pair=True)


def _arcs_between_words(corpus: Corpus) -> LayerArcs:
    """Returns the arcs in DEPS whose ends are words or the root."""
    layer = corpus.enhanced_layer.checked()
    arcs = layer.arcs
    sentence = np.repeat(np.arange(len(corpus)), np.diff(arcs.first))
    before = layer.first_node[sentence] - 1
    is_word, words = np.append(layer.node_minors == 0, True), np.append(layer.node_words, 0)  # the root is at -1
    heads, dependents = (np.where(ends > 0, before + ends, -1) for ends in (arcs.heads, arcs.dependents))
    kept = is_word[heads] & is_word[dependents]
    first = np.concatenate([[0], np.cumsum(np.bincount(sentence[kept], minlength=len(corpus)))])
    return LayerArcs(first, words[heads[kept]], words[dependents[kept]], arcs.labels[kept], arcs.names)
