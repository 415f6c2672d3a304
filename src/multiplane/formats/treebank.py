"""Accepts treebanks as corpora, sentences or paths, and checks that words have heads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import FormatError
from multiplane.formats.corpus import UNKNOWN_HEAD, Corpus, Sentence, indexed
from multiplane.formats.reader import read

Treebank = Corpus | Sentence | Iterable[Sentence] | str | os.PathLike[str]
"""A corpus, one sentence, several sentences, or the path of a file."""


def as_corpus(treebank: Treebank) -> Corpus:
    """Converts any `Treebank` to a corpus.

    >>> from multiplane import sample
    >>> as_corpus([sample()[0], sample()[1], sample()[2]]).words
    39
    """
    if isinstance(treebank, Corpus):
        return treebank
    if isinstance(treebank, str | os.PathLike):
        return read(treebank)
    return Corpus.from_sentences([treebank] if isinstance(treebank, Sentence) else treebank)


def joined(sentences: Sequence[Sentence]) -> Corpus:
    """Joins sentences of one format into a corpus, which takes its file and position from the first one.

    >>> from multiplane import sample
    >>> joined(sample()[4:6])[0].where == sample()[4].where
    True
    """
    first = sentences[0]
    corpus = first.corpus
    text = b"".join(sentence.to_bytes() for sentence in sentences)
    return indexed(text, corpus.dialect, corpus.name, "fail", first.line - 1, first.number_in_file - 1)


def unannotated(corpus: Corpus) -> list[FormatError]:
    """Returns an error for each sentence that has a word without a head.

    >>> unannotated(Corpus.from_columns(forms=[["Go"]]))
    [FormatError('<columns>:1: sentence 1: word 1 has no head; parse the file first')]
    """
    return [without_head(corpus[number]) for number in np.flatnonzero(~is_annotated(corpus)).tolist()]


def without_head(sentence: Sentence) -> FormatError:
    """Returns the error for a sentence that has a word without a head."""
    word = sentence.heads.index(UNKNOWN_HEAD) + 1
    what = f"word {word} has no head; parse the file first"
    if "head" not in sentence.corpus.dialect.columns:
        what = f"{sentence.corpus.dialect.title} has no trees; use --layer semantics, or a file with trees"
    return FormatError(what, file=sentence.corpus.name, line=sentence.line_of(word), sent_id=sentence.sent_id)


def is_annotated(corpus: Corpus) -> NDArray[np.bool_]:
    """Returns, for each sentence, whether all its words have heads."""
    whole = np.ones(len(corpus), np.bool_)
    whole[corpus.sentence_of[corpus.heads == UNKNOWN_HEAD]] = False
    return whole


def roots_of(corpus: Corpus) -> NDArray[np.int64]:
    """Returns the number of roots in each sentence.

    >>> from multiplane import sample
    >>> set(roots_of(sample()).tolist())
    {1}
    """
    return np.bincount(corpus.sentence_of[corpus.heads == 0], minlength=len(corpus))
