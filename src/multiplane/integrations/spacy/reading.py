"""From spaCy's Docs to sentences: where they start, and the columns that a model reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc

from multiplane.formats import DIALECTS, Corpus
from multiplane.formats.columns import text_of_columns
from multiplane.formats.corpus import indexed
from multiplane.formats.fields import FORBIDDEN
from multiplane.text import Tokenizer, rendered

Sentences = Literal["auto", "given", "new"]
"""Where sentences start: where the Doc says so, else as the tokenizer splits its text; or one of these alone."""

_COLUMNS = {"upos": "pos_", "xpos": "tag_", "feats": "morph", "lemma": "lemma_"}
"""spaCy's names of the columns that a model may read beside forms."""
_FIRST_PLACE = re.compile(rb"^1(?:-\d+)?\t[^\n]*[\t|]TokenRange=(\d+):", re.MULTILINE)
"""The place of the first token of a sentence; a word within a multiword token has none."""


class Batch(NamedTuple):
    """The tokens of several Docs, one after another."""

    docs: list[Doc]
    texts: list[str]
    is_word: NDArray[np.bool_]
    """False for whitespace, which spaCy keeps as tokens and no model has ever seen."""
    starts: NDArray[np.bool_]
    """Whether a sentence starts at a token."""

    @property
    def ends(self) -> NDArray[np.int64]:
        """The number of tokens up to the end of each Doc."""
        return np.cumsum([len(doc) for doc in self.docs], dtype=np.int64)

    def corpus(self, columns: Iterable[str]) -> Corpus:
        """Returns the words as a corpus, with those of these columns that Docs have; without words, an empty one."""
        kept = np.flatnonzero(self.is_word).tolist()
        lengths = np.bincount(np.cumsum(self.starts)[kept])
        fields: dict[str, Sequence[str]] = {"form": [_as_form(self.texts[place]) for place in kept]}
        for column, attribute in _COLUMNS.items():
            if column in columns:
                values = [str(getattr(token, attribute)) for doc in self.docs for token in doc]
                fields[column] = [_as_form(values[place]) for place in kept]
        dialect = DIALECTS["conllu"]
        return indexed(text_of_columns(dialect, fields, lengths[lengths > 0]), dialect, "<docs>", "fail")


def read_docs(docs: Sequence[Doc], sentences: Sentences, tokenizer: Callable[[], Tokenizer]) -> Batch:
    """Returns the tokens of Docs with the places where sentences start; `tokenizer` is called only if it is needed."""
    texts = [token.text for doc in docs for token in doc]
    is_word = np.fromiter((bool(text) and not text.isspace() for text in texts), np.bool_, len(texts))
    starts = np.fromiter(chain.from_iterable(_starts(doc, sentences, tokenizer) for doc in docs), np.bool_, len(texts))
    return Batch(list(docs), texts, is_word, starts)


def _starts(doc: Doc, sentences: Sentences, tokenizer: Callable[[], Tokenizer]) -> NDArray[np.bool_]:
    """Returns whether a sentence starts at each token of a Doc; one always starts at the first."""
    starts = np.zeros(len(doc), np.bool_)
    if sentences != "given":
        given = doc.to_array("SENT_START").view(np.int64) if sentences == "auto" else np.zeros(len(doc), np.int64)
        if not given[1:].all():  # 0 is unknown
            starts[_places(doc, tokenizer())] = True
        starts[given == 1] = True
        starts[given == -1] = False
    elif doc.has_annotation("SENT_START"):
        starts = doc.to_array("SENT_START") == 1
    starts[:1] = True
    return starts


def _places(doc: Doc, tokenizer: Tokenizer) -> list[int]:
    """Returns the tokens at which a tokenizer would start a sentence, apart from the first one."""
    offsets = [token.idx for token in doc]
    found = _FIRST_PLACE.findall(rendered(doc.text, tokenizer, ranges=True)[0])
    # A token that holds the end of a sentence and the start of the next one, such as "end.Next", ends it.
    places = np.searchsorted(offsets, [int(start) for start in found[1:]]).tolist()
    return [place for each in places if (place := _next_word(doc, each)) < len(doc)]


def _next_word(doc: Doc, place: int) -> int:
    """Returns the place of the first token from here on that is a word; whitespace belongs to the sentence before."""
    while place < len(doc) and doc[place].is_space:
        place += 1
    return place


def _as_form(text: str) -> str:
    """Returns a text as a field can hold it; every token must stay one word."""
    return text if text.isalnum() else FORBIDDEN.sub("\ufffd", text)
