"""The scores of the CoNLL 2018 shared task, defined as its scorer defines them."""

from __future__ import annotations

import numpy as np

from multiplane.evaluation.pair import Pair
from multiplane.evaluation.score import Mask, Score


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONTENT = _names(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod "
    "conj fixed flat compound list parataxis orphan goeswith reparandum root dep"
)
"""The relations between content words; CLAS, MLAS and BLEX count only these."""

FUNCTION = _names("aux cop mark det clf case cc")
"""The relations of function words; MLAS counts them with the content word they belong to."""

UNIVERSAL_FEATURES = _names(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect "
    "Voice Evident Polarity Person Polite"
)
"""The features that are compared; all others are specific to a treebank."""


def ud_scores(pair: Pair) -> dict[str, Score]:
    """Returns all scores of the shared task, by the names in its scorer.

    >>> from multiplane import sample
    >>> scores = ud_scores(Pair(sample(), sample()))
    >>> scores["MLAS"].f1, scores["MLAS"].gold
    (100.0, 408)
    """
    upos, xpos = pair.same(pair.column("upos")), pair.same(pair.column("xpos"))
    feats = pair.same(pair.column("feats").simplified(_universal_features))
    lemmas = pair.column("lemma")
    lemma = pair.same(lemmas) | lemmas.where("_".__eq__)[0][pair.gold_words]
    attached = pair.attached(pair.universal_labels)
    content = pair.universal_labels.where(CONTENT.__contains__)
    tagged = upos & feats
    return {
        **unit_scores(pair),
        "UPOS": pair.score(upos),
        "XPOS": pair.score(xpos),
        "UFeats": pair.score(feats),
        "AllTags": pair.score(tagged & xpos),
        "Lemmas": pair.score(lemma),
        "UAS": pair.score(pair.same_head),
        "LAS": pair.score(attached),
        "CLAS": pair.score(attached, content),
        "MLAS": pair.score(attached & tagged & _same_function_words(pair, attached & tagged), content),
        "BLEX": pair.score(attached & lemma, content),
    }


def unit_scores(pair: Pair) -> dict[str, Score]:
    """Returns the scores of tokens, sentences and words."""
    return {
        "Tokens": pair.alignment.tokens,
        "Sentences": pair.alignment.sentences,
        "Words": Score(pair.gold.words, pair.system.words, len(pair.gold_words)),
    }


def _universal_features(feats: str) -> str:
    return "|".join(sorted(feat for feat in feats.split("|") if feat.partition("=")[0] in UNIVERSAL_FEATURES))


def _same_function_words(pair: Pair, correct: Mask) -> Mask:
    """Returns the matched words with the same function words on both sides, all of them correct."""
    gold, system = pair.universal_labels.where(FUNCTION.__contains__)
    gold, system = gold & (pair.gold_heads >= 0), system & (pair.system_heads >= 0)
    in_gold = np.bincount(pair.gold_heads[gold], minlength=pair.gold.words)
    in_system = np.bincount(pair.system_heads[system], minlength=pair.system.words)
    shared = pair.gold_words[correct & gold[pair.gold_words]]
    in_both = np.bincount(pair.gold_heads[shared], minlength=pair.gold.words)
    g, s = pair.gold_words, pair.system_words
    return np.asarray((in_gold[g] == in_both[g]) & (in_system[s] == in_both[g]))
