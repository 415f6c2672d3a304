"""Scores of semantic dependency graphs with top nodes, as in the SDP shared tasks of 2014 and 2015."""

from __future__ import annotations

from multiplane.evaluation.crossing import crossing_tallies
from multiplane.evaluation.nodes import Names, arcs_of, words_of
from multiplane.evaluation.pair import Pair
from multiplane.evaluation.score import Score
from multiplane.evaluation.tally import Tally, tally


def sdp_scores(pair: Pair) -> dict[str, Score]:
    """Returns the scores of graphs with top nodes, by name."""
    tallies = sdp_tallies(pair)
    exact = {"LM": "LF", "UM": "UF", "LM-notops": "LF-notops", "UM-notops": "UF-notops"}
    scores = {name: counts.score for name, counts in tallies.items()}
    matches = {
        name: Score(len(pair.gold), len(pair.system), int((pair.same_sentences & tallies[of].perfect).sum()))
        for name, of in exact.items()
    }
    return scores | matches


def sdp_tallies(pair: Pair) -> dict[str, Tally]:
    """Counts arcs in each sentence of the gold standard; a top node is the dependent of an arc from a virtual root."""
    names = Names()
    gold, system = (
        arcs_of(words, corpus.semantic_arcs, names)
        for words, corpus in zip(words_of(pair), (pair.gold, pair.system), strict=True)
    )
    inner = [side.where(side.words[:, 0] >= 0) for side in (gold, system)]
    tops = [side.where(side.words[:, 0] < 0) for side in (gold, system)]
    size, labels = len(pair.gold), len(names)
    of_tops = tally(tops[0].items(), tops[1].items(), size)
    labelled = tally(inner[0].items(labels), inner[1].items(labels), size)
    unlabelled = tally(inner[0].items().distinct(), inner[1].items().distinct(), size)
    return {
        "LF": labelled + of_tops,
        "UF": unlabelled + of_tops,
        "LF-notops": labelled,
        "UF-notops": unlabelled,
        "Tops": of_tops,
    } | crossing_tallies(inner[0], inner[1], labels, size)
