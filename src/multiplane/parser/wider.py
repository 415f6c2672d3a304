"""A wider search for trees that constraints change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from multiplane.formats import Corpus
from multiplane.formats.treebank import joined
from multiplane.models import FixedArcs, Model, Trees
from multiplane.models.base import TransitionModel
from multiplane.models.protocol import ForbiddenHeads

LEAST_BEAM = 8
"""The narrowest beam for a sentence whose tree changes because of constraints."""

_Number = TypeVar("_Number", bound=np.generic)
Numbers = NDArray[np.int64]
Search = Callable[[Corpus, int | None, FixedArcs | None], list[Trees]]
"""Parses a corpus with a beam and under constraints; returns the trees by rank."""


def searched(model: Model, corpus: Corpus, beam: int | None, fixed: FixedArcs | None, search: Search) -> list[Trees]:
    """Returns trees by rank; those that constraints change come from a beam of at least `LEAST_BEAM`.

    A greedy parser learns of a forbidden arc only when it is about to build it. By then, it may have missed all
    decisions that lead to the second-best tree, and the arcs that are left can be absurd. All other trees come from the
    beam that was asked for, so a constraint that a tree meets anyway changes nothing. Greedy models whose scores are
    not probabilities stay greedy: a beam makes the rest of their trees worse.

    >>> from multiplane import load
    >>> from multiplane.parser.fixed import forbidding
    >>> model, corpus = load("en").model, load("en").parse("We ate pizza with friends.")
    >>> constraints = forbidding(model, corpus, [[(2, 5)]], None)
    >>> trees = searched(model, corpus, None, constraints.fixed, lambda *given: [model.parse(*given)])
    >>> corpus[0].heads, trees[0].heads.tolist()
    ([2, 0, 2, 5, 2, 2], [2, 0, 2, 5, 3, 2])
    """
    trees = search(corpus, beam, fixed)
    if fixed is None or not _gains(model) or (model.beam if beam is None else beam) >= LEAST_BEAM:
        return trees
    constrained = _constrained(corpus, fixed)
    if not constrained.size:
        return trees
    words = _words(corpus, constrained)
    free = search(_part(corpus, constrained), beam, None)[0]
    changed = np.unique(corpus.sentence_of[words[free.heads != trees[0].heads[words]]])
    if not changed.size:
        return trees
    words = _words(corpus, changed)
    wide = search(_part(corpus, changed), LEAST_BEAM, _constraints_of(fixed, words))
    return [_replaced(old, new, words, changed) for old, new in zip(trees, wide, strict=True)]


def _gains(model: Model) -> bool:
    """Whether the derivations in a beam of this model compare: it has learned that, or scores are probabilities."""
    if not isinstance(model, TransitionModel) or model.graph_layer is not None:
        return False
    return model.beam > 1 or model.scores_are_probabilities


def _constrained(corpus: Corpus, fixed: FixedArcs) -> Numbers:
    """Returns the numbers of the sentences that have constraints and leave something to decide."""
    given = fixed.heads >= 0
    has = given if fixed.forbidden is None else given | (np.diff(fixed.forbidden.first) > 0)
    return np.intersect1d(corpus.sentence_of[has], corpus.sentence_of[~given])


def _words(corpus: Corpus, sentences: Numbers) -> Numbers:
    """Returns the places of the words of these sentences."""
    return np.flatnonzero(np.isin(corpus.sentence_of, sentences))


def _part(corpus: Corpus, sentences: Numbers) -> Corpus:
    return joined([corpus[number] for number in sentences.tolist()])


def _constraints_of(fixed: FixedArcs, words: Numbers) -> FixedArcs:
    """Returns the constraints of these words alone."""
    forbidden, kept = fixed.forbidden, fixed.kept
    if forbidden is not None:
        first, counts = forbidden.first, np.diff(forbidden.first)
        heads = [forbidden.heads[first[word] : first[word + 1]] for word in words]
        forbidden = ForbiddenHeads(np.append(0, np.cumsum(counts[words])).astype(np.int32), np.concatenate(heads))
    return FixedArcs(fixed.heads[words], fixed.labels[words], forbidden, None if kept is None else kept[words])


def _replaced(old: Trees, new: Trees, words: Numbers, sentences: Numbers) -> Trees:
    """Returns trees with new ones for some sentences; tags and lemmas do not depend on the search."""
    return old._replace(
        heads=_with(old.heads, words, new.heads),
        labels=_with(old.labels, words, new.labels),
        scores=_with(old.scores, sentences, new.scores),
        confidences=_with(old.confidences, words, new.confidences),
        tree_confidences=_with(old.tree_confidences, sentences, new.tree_confidences),
    )


def _with(old: NDArray[_Number], places: Numbers, values: NDArray[_Number]) -> NDArray[_Number]:
    """Returns an array with new values at some places; one that was not asked for stays empty."""
    found = old.copy()
    if found.size:
        found[places] = values
    return found
