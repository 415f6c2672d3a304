"""Attachment scores: the share of words with the correct head, label, or both."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from multiplane.evaluation.pair import Column, Pair
from multiplane.evaluation.score import Mask, Score, attachment
from multiplane.evaluation.ud import ud_scores
from multiplane.formats import Treebank
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


def is_punctuation(form: str) -> bool:
    """Whether all characters of a word are in a Unicode punctuation category; symbols are not.

    >>> is_punctuation("..."), is_punctuation("«"), is_punctuation("$"), is_punctuation("o'")
    (True, True, False, False)
    """
    return all(unicodedata.category(char).startswith("P") for char in form)


@dataclass(frozen=True, repr=False)
class Scores:
    """The scores of a system's output, in percent; ``scores["LAS"]`` has the precision, recall and counts of LAS.

    Scores over words and sentences are F1, which equals accuracy if both sides have the same words.

    >>> from multiplane import sample
    >>> scores = evaluate(sample(), sample())
    >>> scores
    <Scores ud: UAS 100.00, LAS 100.00, CLAS 100.00>
    >>> scores.np_precision, scores["NP"].gold
    (100.0, 42)
    """

    convention: str
    table: Mapping[str, Score] = field(hash=False)
    """All scores by name."""

    def __getitem__(self, name: str) -> Score:
        return self.table[name]

    def __repr__(self) -> str:
        return f"<Scores {self.convention}: UAS {self.uas:.2f}, LAS {self.las:.2f}, CLAS {self.clas:.2f}>"

    @property
    def uas(self) -> float:
        """Unlabelled attachment score: words with the correct head."""
        return self["UAS"].f1

    @property
    def las(self) -> float:
        """Labelled attachment score: words with the correct head and label, as the convention compares labels."""
        return self["LAS"].f1

    @property
    def la(self) -> float:
        """Label accuracy: words with the correct label, as the convention compares labels."""
        return self["LA"].f1

    @property
    def las_full(self) -> float:
        """LAS with full labels, including subtypes."""
        return self["LAS-full"].f1

    @property
    def la_full(self) -> float:
        """Label accuracy with full labels, including subtypes."""
        return self["LA-full"].f1

    @property
    def uas_with_punctuation(self) -> float:
        """UAS of all words."""
        return self["UAS-punct"].f1

    @property
    def las_with_punctuation(self) -> float:
        """LAS of all words."""
        return self["LAS-punct"].f1

    @property
    def la_with_punctuation(self) -> float:
        """Label accuracy of all words."""
        return self["LA-punct"].f1

    @property
    def uas_without_punctuation(self) -> float:
        """UAS without punctuation."""
        return self["UAS-nopunct"].f1

    @property
    def las_without_punctuation(self) -> float:
        """LAS without punctuation."""
        return self["LAS-nopunct"].f1

    @property
    def la_without_punctuation(self) -> float:
        """Label accuracy without punctuation."""
        return self["LA-nopunct"].f1

    @property
    def uas_undirected(self) -> float:
        """UAS ignoring the direction of arcs."""
        return self["UAS-undirected"].f1

    @property
    def las_undirected(self) -> float:
        """LAS ignoring the direction of arcs."""
        return self["LAS-undirected"].f1

    @property
    def exact_match(self) -> float:
        """Sentences in which all counted words have the correct head."""
        return self["UEM"].f1

    @property
    def exact_match_labelled(self) -> float:
        """Sentences in which all counted words have the correct head and label."""
        return self["LEM"].f1

    @property
    def np_precision(self) -> float:
        """The share of the system's non-projective arcs that are correct, ignoring labels (NPP)."""
        return self["NP"].precision

    @property
    def np_recall(self) -> float:
        """The share of the gold standard's non-projective arcs that the system found, ignoring labels (NPR)."""
        return self["NP"].recall

    @property
    def np_precision_labelled(self) -> float:
        """The share of the system's non-projective arcs that are correct, with full labels (LP-NP)."""
        return self["NP-labelled"].precision

    @property
    def np_recall_labelled(self) -> float:
        """The share of the gold standard's non-projective arcs that the system found, with full labels (LR-NP)."""
        return self["NP-labelled"].recall

    @property
    def clas(self) -> float:
        """Content-word labelled attachment score."""
        return self["CLAS"].f1

    @property
    def mlas(self) -> float:
        """Morphology-aware labelled attachment score."""
        return self["MLAS"].f1

    @property
    def blex(self) -> float:
        """Bilexical dependency score."""
        return self["BLEX"].f1

    @property
    def upos(self) -> float:
        """Words with the correct coarse POS tag."""
        return self["UPOS"].f1

    @property
    def xpos(self) -> float:
        """Words with the correct fine POS tag."""
        return self["XPOS"].f1

    @property
    def ufeats(self) -> float:
        """Words with the correct universal features."""
        return self["UFeats"].f1

    @property
    def alltags(self) -> float:
        """Words with the correct tags and universal features."""
        return self["AllTags"].f1

    @property
    def lemmas(self) -> float:
        """Words with the correct lemma."""
        return self["Lemmas"].f1

    @property
    def tokens(self) -> float:
        """Tokens that cover the same characters."""
        return self["Tokens"].f1

    @property
    def words(self) -> float:
        """Words that both sides have."""
        return self["Words"].f1

    @property
    def sentences(self) -> float:
        """Sentences that cover the same characters."""
        return self["Sentences"].f1


def evaluate(gold: Treebank, predicted: Treebank, *, convention: str = "ud") -> Scores:
    """Scores a system's output against the gold standard.

    >>> from multiplane import sample
    >>> round(evaluate(sample(), sample(), convention="conllx").las, 1)
    100.0
    """
    chosen = convention_of(convention)
    pair = chosen.pair(gold, predicted)
    return Scores(chosen.name, {**ud_scores(pair), **attachment_scores(pair, chosen)})


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
    """Returns the matched words that head their gold head in the system's tree, and those that also have its label."""
    head = pair.gold_heads[pair.gold_words]
    there = np.append(pair.alignment.to_system, -1)[head]  # the system's word for the gold head
    found = (there >= 0) & (np.append(pair.system_heads, -1)[there] == pair.system_words)
    return found, found & (labels.gold[pair.gold_words] == np.append(labels.system, -1)[there])


def _exact_match(pair: Pair, correct: Mask, counted: Mask) -> Score:
    """Counts sentences that both sides have, word for word, with every counted word correct."""
    right = ~counted
    right[pair.gold_words[correct]] = True
    size = len(pair.gold)
    sentence = pair.gold.sentence_of
    # All words of a gold sentence must be in one system sentence of the same length.
    there = pair.alignment.to_system
    whole = np.bincount(sentence[(there >= 0) & right], minlength=size) == pair.gold.lengths
    after = np.cumsum(pair.gold.lengths)
    theirs = np.append(pair.system.sentence_of, -1)
    first, last = theirs[there[after - pair.gold.lengths]], theirs[there[after - 1]]
    whole &= (first == last) & (np.append(pair.system.lengths, -1)[first] == pair.gold.lengths)
    return Score(size, len(pair.system), int(whole.sum()))


def _score_where(pair: Pair, correct: Mask, gold: Mask, system: Mask) -> Score:
    """Computes precision over these system words and recall over these gold words."""
    return Score(
        gold=int(gold.sum()),
        system=int(system.sum()),
        correct=int((correct & system[pair.system_words]).sum()),
        found=int((correct & gold[pair.gold_words]).sum()),
    )
