"""Scores of tokenizers on the raw text of a treebank."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from multiplane.errors import TrainingError
from multiplane.evaluation import align
from multiplane.evaluation.score import Score
from multiplane.formats import Corpus
from multiplane.models import TokenizerModel
from multiplane.text import corpus_of_text
from multiplane.text.gold import raw_text


class Tokenization(NamedTuple):
    """F1 scores in percent, as in the CoNLL 2018 shared task."""

    words: float
    tokens: float
    sentences: float


def tokenization(gold: Corpus, system: Corpus) -> Tokenization:
    """Returns the scores of words, tokens and sentences that cover the same characters.

    >>> from multiplane import sample
    >>> tokenization(sample(), sample())
    Tokenization(words=100.0, tokens=100.0, sentences=100.0)
    """
    alignment = align(gold, system)
    words = Score(gold.words, system.words, int((alignment.to_system >= 0).sum()))
    return Tokenization(words.f1, alignment.tokens.f1, alignment.sentences.f1)


class TokenizerDevelopment:
    """A treebank for scoring tokenizers."""

    def __init__(self, corpus: Corpus) -> None:
        if not len(corpus):
            raise TrainingError(f"{corpus.name}: no sentence to use as development data")
        self.corpus = corpus
        self._text = raw_text(corpus)

    def report(self, model: TokenizerModel, note: Callable[[str], None]) -> None:
        """Nothing has to be said."""

    def score(self, model: TokenizerModel) -> Tokenization:
        """Tokenizes the raw text of the treebank and scores the result."""
        return tokenization(self.corpus, corpus_of_text(self._text, model))
