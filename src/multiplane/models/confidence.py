"""Confidence scores, and the k best trees of a sentence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import ModelError
from multiplane.formats import Corpus
from multiplane.models.alternatives import Choice, best_choices
from multiplane.models.base import TransitionModel
from multiplane.models.calibration import Calibration, confidences
from multiplane.models.evidence import Evidence, Floats, words_of_trees
from multiplane.models.protocol import FixedArcs, Model, Trees

Places = NDArray[np.int64]
MOST_BEST = 1_000
"""The largest number of trees per sentence."""


def with_evidence(model: Model) -> TransitionModel:
    """Returns the model if it supports confidence scores; raises `ModelError` otherwise."""
    if isinstance(model, TransitionModel) and model.graph_layer is None:
        return model
    raise ModelError(
        f"scores and k-best trees need a parser that predicts only trees, but this is a {model.kind} model; "
        "train one with --task syntax"
    )


def parse_scored(model: Model, corpus: Corpus, beam: int | None = None, fixed: FixedArcs | None = None) -> Trees:
    """Like `Model.parse`, but the trees have confidence scores.

    >>> from multiplane import load, sample
    >>> trees = parse_scored(load("en").model, sample())
    >>> trees.confidences.shape, trees.tree_confidences.shape
    ((714,), (65,))
    """
    known = with_evidence(model)
    trees = known.parse(corpus, beam, fixed)
    evidence = known.evidence(corpus, beam, fixed)
    calibration = known.calibration(beam)
    words = confidences(evidence, corpus.lengths, calibration)[carriers(corpus.lengths, evidence.heads, trees.heads)]
    words[_given(fixed, corpus.words)] = 1.0
    return trees._replace(confidences=words, tree_confidences=tree_confidences(corpus.lengths, words, calibration))


def parse_best(
    model: Model, corpus: Corpus, best: int, beam: int | None = None, fixed: FixedArcs | None = None
) -> list[Trees]:
    """Returns the best trees of all sentences by rank, with confidence scores; rank 1 equals `Model.parse`.

    Greedy models search with a beam of width `best`. If a sentence has fewer trees, the first one is repeated with a
    confidence of 0.

    >>> from multiplane import load, sample
    >>> ranks = parse_best(load("en").model, sample(), 3)
    >>> len(ranks), bool((ranks[0].tree_confidences >= ranks[1].tree_confidences).all())
    (3, True)
    """
    known = with_evidence(model)
    if not 1 <= best <= MOST_BEST:
        raise ModelError(f"the number of trees per sentence must be from 1 to {MOST_BEST:,}, not {best:,}")
    width = max(known.beam if beam is None else beam, best)
    trees = known.parse(corpus, width, fixed)
    evidence = known.evidence(corpus, width, fixed, most=best)
    divisor = 1.0 if known.scores_are_odds else known.temperature(width)
    return _Ranking(known, corpus, trees, evidence, fixed, width).ranks(best, divisor)


def carriers(lengths: Places, built: NDArray[np.int32], decoded: NDArray[np.int32]) -> Places:
    """Returns, for each word, the word whose arc became its own in decoding.

    This is the word itself, unless decoding reversed an edge; then it is its new head.

    >>> carriers(np.array([3]), np.array([0, 1, 2]), np.array([2, 0, 2])).tolist()
    [1, 1, 2]
    """
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    own = np.arange(len(decoded))
    head = np.where(decoded > 0, starts + decoded - 1, own)
    turned = (built != decoded) & (decoded > 0) & (built[head] == own - starts + 1)
    return np.asarray(np.where(turned, head, own))


def tree_confidences(lengths: Places, words: Floats, calibration: Calibration | None) -> Floats:
    """Returns the probabilities that whole trees are correct: a power of the product of their words' probabilities.

    >>> tree_confidences(np.array([2, 1]), np.array([0.5, 0.5, 0.25]), None).tolist()
    [0.25, 0.25]
    """
    return np.asarray(np.exp((1.0 if calibration is None else calibration.whole) * _logs_of_trees(lengths, words)))


def _logs_of_trees(lengths: Places, words: Floats) -> Floats:
    """Returns the logarithms of the products of each tree's words' probabilities, whatever trees are beside it."""
    return np.asarray(np.bincount(np.repeat(np.arange(len(lengths)), lengths), np.log(words), len(lengths)), np.float64)


def shares(power: float, logs: Floats) -> Floats:
    """Returns the probabilities of several trees of each sentence, the best one in the first row.

    `logs` are the logarithms of the products of their words' probabilities, or minus infinity where there is no tree.
    The first tree gets a power of its product. The others follow in proportion, but cannot have more than what is left,
    as only one tree is correct.

    >>> shares(0.5, np.log([[0.25], [0.2], [0.05]])).round(3).tolist()
    [[0.5], [0.4], [0.1]]
    """
    first = np.exp(power * logs[:1])
    others = first * np.exp(np.minimum(logs[1:] - logs[:1], 0.0))
    left = (1 - first) / np.maximum(others.sum(axis=0), 1e-12)
    return np.concatenate([first, others * np.minimum(left, 1.0)])


def _given(fixed: FixedArcs | None, words: int) -> NDArray[np.bool_]:
    """Returns the words whose head and label are given."""
    if fixed is None:
        return np.zeros(words, np.bool_)
    return np.asarray((fixed.heads >= 0) & fixed.given_labels)


class _Ranking:
    """The trees of a corpus by rank."""

    def __init__(
        self,
        model: TransitionModel,
        corpus: Corpus,
        trees: Trees,
        evidence: Evidence,
        fixed: FixedArcs | None,
        width: int,
    ) -> None:
        self._model, self._corpus, self._trees, self._evidence = model, corpus, trees, evidence
        self._fixed, self._calibration = fixed, model.calibration(width)
        self._lengths = corpus.lengths
        self._starts = words_of_trees(self._lengths, np.diff(evidence.first))
        """The index of the first word of each tree."""

    def ranks(self, best: int, divisor: float) -> list[Trees]:
        """Returns the trees of all ranks; trees that are equal after decoding count once."""
        each = best if self._model.codec.keeps_heads and not self._model.system.is_undirected else 2 * best
        found: list[list[Choice]] = []
        for sentence in range(len(self._corpus)):
            choices = best_choices(self._evidence, self._starts, sentence, divisor)
            found.append([choice for _, choice in zip(range(each), choices, strict=False)])
        candidates = [self._decoded([row[min(rank, len(row) - 1)] for row in found]) for rank in range(each)]
        chosen = self._distinct(candidates, best)
        logs = np.stack([_logs_of_trees(self._lengths, trees.confidences) for trees in candidates])
        own = np.where(chosen < 0, -np.inf, np.take_along_axis(logs, chosen, axis=0))
        scores = shares(1.0 if self._calibration is None else self._calibration.whole, own)
        order = np.argsort(-scores[1:], axis=0, kind="stable") + 1
        chosen[1:], scores[1:] = (np.take_along_axis(each, order, axis=0) for each in (chosen, scores))
        return [self._rank(candidates, *row) for row in zip(chosen, scores, strict=True)]

    def _decoded(self, choices: list[Choice]) -> Trees:
        """Returns one tree for each sentence."""
        words = np.concatenate([self._words(choice.tree) for choice in choices] or [np.zeros(0, np.int64)])
        kinds = {name: values[words] for name, values in self._evidence._asdict().items() if name in _BY_WORD}
        starts = np.cumsum(self._lengths) - self._lengths
        changed = [start + word for start, choice in zip(starts, choices, strict=True) for word in choice.relabelled]
        kinds["labels"][changed] = kinds["other_labels"][changed]
        kinds["label_odds"][changed] = kinds["other_odds"][changed]
        evidence = self._evidence._replace(**kinds)
        fixed = None if self._fixed is None else self._fixed.heads
        heads, labels = self._model._decoder.decode(self._lengths, evidence.heads, evidence.labels, fixed)
        sure = confidences(evidence, self._lengths, self._calibration)[carriers(self._lengths, evidence.heads, heads)]
        sure[_given(self._fixed, self._corpus.words)] = 1.0
        return self._trees._replace(heads=heads, labels=labels, confidences=sure)

    def _words(self, tree: int) -> Places:
        return np.arange(self._starts[tree], self._starts[tree + 1])

    def _distinct(self, candidates: list[Trees], best: int) -> Places:
        """Picks for each sentence the first trees that differ from each other; -1 where there are no more."""
        ends = np.cumsum(self._lengths)
        found = np.full((best, len(ends)), -1)
        for sentence, (end, n) in enumerate(zip(ends.tolist(), self._lengths.tolist(), strict=True)):
            known: dict[bytes, int] = {}
            for number, trees in enumerate(candidates):
                known.setdefault(trees.heads[end - n : end].tobytes() + trees.labels[end - n : end].tobytes(), number)
            places = list(known.values())[:best]
            found[: len(places), sentence] = places
        return found

    def _rank(self, candidates: list[Trees], chosen: Places, scores: Floats) -> Trees:
        by_word = np.repeat(np.maximum(chosen, 0), self._lengths), np.arange(self._corpus.words)
        heads, labels, sure = (
            np.stack([getattr(trees, name) for trees in candidates])[by_word]
            for name in ("heads", "labels", "confidences")
        )
        return self._trees._replace(heads=heads, labels=labels, confidences=sure, tree_confidences=scores)


_BY_WORD = set(Evidence._fields) - {"first", "complete", "scores", "scores_heads"}
