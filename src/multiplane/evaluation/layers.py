"""Scores all layers that both files have: syntax, semantics, enhanced dependencies."""

from __future__ import annotations

import numpy as np

from multiplane.errors import LayerError
from multiplane.evaluation.attachment import Convention, attachment_scores, convention_of
from multiplane.evaluation.enhanced import enhanced_scores, enhanced_tallies
from multiplane.evaluation.nodes import words_of
from multiplane.evaluation.pair import Pair
from multiplane.evaluation.score import Score
from multiplane.evaluation.scores import Scores
from multiplane.evaluation.sdp import sdp_scores, sdp_tallies
from multiplane.evaluation.semantic import SemanticScorer, macro_scores, scorer_of, semantic_scores, semantic_tallies
from multiplane.evaluation.tally import Tally
from multiplane.evaluation.ud import ud_scores, unit_scores
from multiplane.formats import UNKNOWN_HEAD, Corpus, Treebank, as_corpus

LAYERS = ("syntax", "semantics", "enhanced")

_MISSING = {
    "semantics": "no predicates to score",
    "enhanced": "no enhanced dependencies to score",
}


def evaluate(
    gold: Treebank,
    predicted: Treebank,
    *,
    convention: str = "ud",
    layer: str | None = None,
    scorer: str = "conll09",
) -> Scores:
    """Scores a system's output against the gold standard.

    `layer` is one of `LAYERS`; by default, all layers that both sides have are scored. `convention` is for syntax,
    `scorer` for semantics.

    >>> from multiplane import sample
    >>> round(evaluate(sample(), sample(), convention="conllx").las, 1)
    100.0
    """
    chosen, semantic_scorer = convention_of(convention), scorer_of(scorer)
    corpora = as_corpus(gold), as_corpus(predicted)
    layers = layers_of(*corpora, layer=layer)
    pair = pair_of(*corpora, layers, chosen)
    scores = unit_scores(pair)
    for each in layers:
        scores |= _layer_scores(pair, each, chosen, semantic_scorer)
    return Scores(chosen.name, scores)


def pair_of(gold: Corpus, system: Corpus, layers: tuple[str, ...], convention: Convention) -> Pair:
    """Aligns two treebanks to score these layers."""
    return Pair(gold, system, same_words=convention.same_words, without_heads="syntax" not in layers)


def _layer_scores(pair: Pair, layer: str, convention: Convention, scorer: SemanticScorer) -> dict[str, Score]:
    if layer == "syntax":
        return {**ud_scores(pair), **attachment_scores(pair, convention)}
    if layer == "enhanced":
        return enhanced_scores(pair)
    if has_tops(pair):
        return sdp_scores(pair)
    scores = semantic_scores(pair, scorer)
    return scores | (macro_scores(pair, scores) if has_heads(pair) else {})


def layer_tallies(pair: Pair, layers: tuple[str, ...], scorer: SemanticScorer) -> dict[str, tuple[Tally, ...]]:
    """Returns the counts behind the F1 scores that are compared; Macro includes those of syntax."""
    counts: dict[str, tuple[Tally, ...]] = {}
    if "semantics" in layers and has_tops(pair):
        tallies = sdp_tallies(pair)
        counts |= {name: (tallies[name],) for name in ("LF", "UF")}
    elif "semantics" in layers:
        semantic = semantic_tallies(pair, scorer)["Semantic"]
        counts["Semantic"] = (semantic,)
        if has_heads(pair):
            counts["Macro"] = (_syntactic_tally(pair), semantic)
    if "enhanced" in layers:
        counts["ELAS"] = (enhanced_tallies(pair)["ELAS"],)
    return counts


def _syntactic_tally(pair: Pair) -> Tally:
    """Counts words in each gold sentence; those with the correct head and full label are correct."""
    gold, system = words_of(pair)
    attached = pair.gold_words[pair.attached(pair.labels)]
    sentences = gold.sentences, system.sentences, gold.sentences[attached]
    return Tally(*(np.bincount(each, minlength=len(pair.gold)) for each in sentences))


def layers_of(gold: Corpus, *systems: Corpus, layer: str | None = None) -> tuple[str, ...]:
    """Returns the layers to score: those that all sides have, or the given one, which the gold standard must have.

    >>> from multiplane import sample
    >>> layers_of(sample(), sample())
    ('syntax', 'enhanced')
    """
    if layer is None:
        found = tuple(each for each in LAYERS if all(_has(corpus, each) for corpus in (gold, *systems)))
        return found or ("syntax",)
    if layer not in LAYERS:
        raise ValueError(f"layer must be one of {', '.join(map(repr, LAYERS))}, not {layer!r}")
    if layer != "syntax":
        for corpus in (gold, *systems):
            _arcs(corpus, layer)
        if not _has(gold, layer):
            raise LayerError(f"{gold.name}: {_MISSING[layer]}; give a file that has them, or another layer")
    return (layer,)


def _has(corpus: Corpus, layer: str) -> bool:
    if layer == "syntax":
        return "head" in corpus.dialect.columns and bool(not corpus.words or (corpus.heads != UNKNOWN_HEAD).any())
    try:
        return bool(_arcs(corpus, layer))
    except LayerError:
        return False


def _arcs(corpus: Corpus, layer: str) -> int:
    """Returns the number of arcs in a layer, and of predicates; raises `LayerError` if the format has no such layer."""
    if layer == "enhanced":
        return len(corpus.enhanced_arcs.heads)
    return len(corpus.predicates.words) + len(corpus.semantic_arcs.heads)


def has_tops(pair: Pair) -> bool:
    """Whether the semantic layer of both sides has top nodes, as in the SDP format."""
    dialects = pair.gold.dialect, pair.system.dialect
    return all(dialect.arguments is not None and dialect.arguments.top is not None for dialect in dialects)


def has_heads(pair: Pair) -> bool:
    """Whether all words of both sides have syntactic heads."""
    return not any(np.any(corpus.heads == UNKNOWN_HEAD) for corpus in (pair.gold, pair.system))
