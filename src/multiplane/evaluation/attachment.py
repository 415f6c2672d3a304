"""Attachment scores: the share of words with the correct head, label, or both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from multiplane.evaluation.pair import Column, Pair
from multiplane.evaluation.score import Mask, Score, attachment
from multiplane.formats import Treebank
from multiplane.formats.punctuation import is_punctuation
from multiplane.graphs.nonprojective import nonprojective_words


@dataclass(frozen=True)
class Convention:
    """What the scores count; see `CONVENTIONS`."""

    name: str
    universal_labels: bool
    """Whether labels are compared without subtypes."""
    counts_punctuation: bool
    punctuation_by_form: bool
    """Whether punctuation is recognized by its characters rather than its tag."""
    same_words: bool
    """Whether both sides must have the same words in the same sentences."""

    def pair(self, gold: Treebank, system: Treebank) -> Pair:
        """Aligns two treebanks as the convention allows."""
        return Pair(gold, system, same_words=self.same_words)

    def labels(self, pair: Pair) -> Column:
        """Returns the labels to compare."""
        return pair.universal_labels if self.universal_labels else pair.labels

    def counted(self, pair: Pair) -> tuple[Mask, Mask]:
        """Returns the words of each side that count."""
        if self.counts_punctuation:
            return np.ones(pair.gold.words, np.bool_), np.ones(pair.system.words, np.bool_)
        return self.without_punctuation(pair)

    def without_punctuation(self, pair: Pair) -> tuple[Mask, Mask]:
        """Returns the words of each side that are not punctuation; for matched words, the gold standard decides."""
        if self.punctuation_by_form:
            gold, system = pair.column("form").where(is_punctuation)
        else:
            gold, system = pair.column("upos").where("PUNCT".__eq__)
        return ~gold, ~np.asarray(pair.judged_by_gold(gold, system), np.bool_)


CONVENTIONS = {
    convention.name: convention
    for convention in (
        Convention("ud", True, counts_punctuation=True, punctuation_by_form=False, same_words=False),
        Convention("conllx", False, counts_punctuation=False, punctuation_by_form=True, same_words=True),
    )
}
"""`ud` as in the CoNLL 2018 shared task, `conllx` as in the CoNLL-X shared task."""


def convention_of(name: str) -> Convention:
    """Returns a convention by name."""
    if name not in CONVENTIONS:
        raise ValueError(f"convention must be one of {', '.join(map(repr, CONVENTIONS))}, not {name!r}")
    return CONVENTIONS[name]


def attachment_scores(pair: Pair, convention: Convention) -> dict[str, Score]:
    """Returns the scores of heads and labels, by name."""
    counted = convention.counted(pair)
    labels = convention.labels(pair)
    head, label = pair.same_head, pair.same(labels)
    reversed_, reversed_label = _reversed_arcs(pair, labels)
    nonprojective = [nonprojective_words(corpus.lengths, corpus.heads) for corpus in (pair.gold, pair.system)]
    attached, whole = pair.attached(labels), pair.attached(pair.labels)
    scores: dict[str, Score] = {}
    for suffix, words in (
        ("", counted),
        ("-punct", None),
        ("-nopunct", convention.without_punctuation(pair)),
    ):
        found = attachment(head, label, partial(pair.score, counted=words))
        scores |= {f"{name}{suffix}": score for name, score in found.items()}
    return {
        **scores,
        "LAS-full": pair.score(whole, counted),
        "LA-full": pair.score(pair.same(pair.labels), counted),
        "UAS-undirected": pair.score(head | reversed_, counted),
        "LAS-undirected": pair.score(attached | reversed_label, counted),
        "UEM": _exact_match(pair, head, counted[0]),
        "LEM": _exact_match(pair, attached, counted[0]),
        "NP": _score_where(pair, head, *nonprojective),
        "NP-labelled": _score_where(pair, whole, *nonprojective),
    }


def _reversed_arcs(pair: Pair, labels: Column) -> tuple[Mask, Mask]:
    """Returns the matched words whose arc is reversed in the system's tree, and those with the correct label, too."""
    head = pair.gold_heads[pair.gold_words]
    there = np.append(pair.alignment.to_system, -1)[head]  # the system's word for the gold head
    found = (there >= 0) & (np.append(pair.system_heads, -1)[there] == pair.system_words)
    return found, found & (labels.gold[pair.gold_words] == np.append(labels.system, -1)[there])


def _exact_match(pair: Pair, correct: Mask, counted: Mask) -> Score:
    """Counts sentences that both sides have, word for word, with every counted word correct."""
    right = ~counted
    right[pair.gold_words[correct]] = True
    size = len(pair.gold)
    whole = np.bincount(pair.gold.sentence_of[right], minlength=size) == pair.gold.lengths
    return Score(size, len(pair.system), int((whole & pair.same_sentences).sum()))


def _score_where(pair: Pair, correct: Mask, gold: Mask, system: Mask) -> Score:
    """Computes precision over these system words and recall over these gold words."""
    return Score(
        gold=int(gold.sum()),
        system=int(system.sum()),
        correct=int((correct & system[pair.system_words]).sum()),
        found=int((correct & gold[pair.gold_words]).sum()),
    )
