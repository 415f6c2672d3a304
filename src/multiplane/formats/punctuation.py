"""Which words are punctuation."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

from multiplane.formats.corpus import Corpus


def is_punctuation(form: str) -> bool:
    """Whether all characters of a word are in a Unicode punctuation category; symbols are not.

    >>> is_punctuation("..."), is_punctuation("«"), is_punctuation("$"), is_punctuation("o'")
    (True, True, False, False)
    """
    return all(unicodedata.category(char).startswith("P") for char in form)


def punctuation_of(corpus: Corpus) -> NDArray[np.bool_]:
    """Returns which words of a corpus are punctuation, by the conventions of `multiplane evaluate`.

    In CoNLL-U, these are words whose UPOS is PUNCT; in other formats, words of punctuation characters only.

    >>> from multiplane import sample
    >>> int(punctuation_of(sample()).sum())
    98
    """
    if corpus.dialect.name == "conllu":
        return np.fromiter((tag == "PUNCT" for tag in corpus.column("upos")), np.bool_, corpus.words)
    return np.fromiter(map(is_punctuation, corpus.column("form")), np.bool_, corpus.words)
