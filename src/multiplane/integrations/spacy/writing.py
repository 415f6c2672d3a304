"""From trees to spaCy's Docs, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import DEP, HEAD, LEMMA, MORPH, POS, SENT_START, TAG
from spacy.parts_of_speech import IDS as PARTS_OF_SPEECH
from spacy.tokens import Doc

from multiplane.integrations.spacy.reading import Batch
from multiplane.models import Trees

_ATTRIBUTES = {"upos": POS, "xpos": TAG, "feats": MORPH, "lemma": LEMMA}
"""spaCy's attributes of columns."""
_SPACE = {"upos": "SPACE", "xpos": "_SP", "feats": "_"}
"""Tags of whitespace, as spaCy's own pipelines set them; its lemma is itself."""
_SPACE_LABEL = "dep"


class _Attribute(NamedTuple):
    """The values of an attribute for all tokens."""

    number: int
    values: NDArray[np.uint64]
    fill: bool
    """Whether to keep the values that a Doc has."""


def write_docs(batch: Batch, trees: Trees, names: Sequence[str], predict: Sequence[str] | None) -> None:
    """Sets heads and labels of Docs, and those columns of `predict`; None fills in what Docs lack.

    The label `root` becomes `ROOT`, as in spaCy's pipelines and converters.
    """
    vocabs = list({id(doc.vocab): doc.vocab for doc in batch.docs}.values())
    sentence = np.cumsum(batch.starts) - 1
    heads = _heads(batch, trees.heads, sentence)
    labels = _labels(batch, trees, names, heads, vocabs)
    attributes = [_Attribute(HEAD, (heads - np.arange(len(heads))).view(np.uint64), False)]
    attributes.append(_Attribute(DEP, labels, False))
    for tags in trees.tags:
        if predict is None or tags.column in predict:
            number = _ATTRIBUTES[tags.column]
            values = _ids(_texts(batch, tags.column, tags.values, tags.names), _id_of(tags.column, vocabs))
            attributes.append(_Attribute(number, values, predict is None))
    _set(batch, attributes)
    _mend_sentences(batch, heads, sentence)


def _heads(batch: Batch, heads: NDArray[np.int32], sentence: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the place of each token's head in the batch; its own place for roots.

    Whitespace depends on the word before it in its sentence, else on the next one. If there is none at all, the first
    token is the root.
    """
    places = np.arange(len(sentence))
    words = places[batch.is_word]
    of_word = sentence[words]
    before = np.searchsorted(of_word, of_word)  # by word, the number of words before its sentence
    found = np.searchsorted(sentence, sentence)  # the first token of the sentence
    if len(words):
        found[words] = np.where(heads == 0, words, words[before + np.maximum(heads, 1) - 1])
        spaces = places[~batch.is_word]
        after = np.searchsorted(words, spaces)
        for near in (np.minimum(after, len(words) - 1), np.maximum(after - 1, 0)):  # the one before has the last say
            same = of_word[near] == sentence[spaces]
            found[spaces[same]] = words[near[same]]
    return found


def _labels(
    batch: Batch, trees: Trees, names: Sequence[str], heads: NDArray[np.int64], vocabs: Sequence[Any]
) -> NDArray[np.uint64]:
    ids = np.array([_added("ROOT" if name == "root" else name, vocabs) for name in names], np.uint64)
    labels = np.full(len(heads), _added(_SPACE_LABEL, vocabs), np.uint64)
    labels[batch.is_word] = ids[trees.labels]
    labels[~batch.is_word & (heads == np.arange(len(heads)))] = _added("ROOT", vocabs)
    return labels


def _texts(batch: Batch, column: str, values: NDArray[np.int32], names: Sequence[str]) -> NDArray[np.object_]:
    """Returns the values of a column for all tokens."""
    texts = np.array(batch.texts if column == "lemma" else [_SPACE[column]] * len(batch.texts), np.object_)
    used, places = np.unique(values, return_inverse=True)
    texts[batch.is_word] = np.array([names[number] for number in used], np.object_)[places]
    return texts


def _ids(texts: NDArray[np.object_], id_of: Callable[[str], int]) -> NDArray[np.uint64]:
    """Returns spaCy's numbers of texts."""
    known = {text: id_of(text) for text in set(texts)}
    return np.fromiter((known[text] for text in texts), np.uint64, len(texts))


def _id_of(column: str, vocabs: Sequence[Any]) -> Callable[[str], int]:
    if column == "upos":
        return lambda text: int(PARTS_OF_SPEECH.get(text, 0))  # spaCy has no room for others
    if column == "feats":
        return lambda text: max(int(vocab.morphology.add("" if text == "_" else text)) for vocab in vocabs)
    return lambda text: 0 if text == "_" else _added(text, vocabs)


def _added(text: str, vocabs: Sequence[Any]) -> int:
    """Registers a text with each vocabulary, and returns its number, which is the same in all."""
    return max(int(vocab.strings.add(text)) for vocab in vocabs)


def _set(batch: Batch, attributes: Sequence[_Attribute]) -> None:
    numbers = [attribute.number for attribute in attributes]
    filled = [place for place, attribute in enumerate(attributes) if attribute.fill]
    table = np.column_stack([attribute.values for attribute in attributes])
    end = 0
    for doc in batch.docs:
        rows = table[end : end + len(doc)]
        end += len(doc)
        if not len(doc):
            continue
        if filled:
            old = doc.to_array([numbers[place] for place in filled])
            rows[:, filled] = np.where(old == 0, rows[:, filled], old)
        doc.from_array(numbers, rows)


def _mend_sentences(batch: Batch, heads: NDArray[np.int64], sentence: NDArray[np.int64]) -> None:
    """Restores sentences that spaCy cuts between a word and its head.

    spaCy lets each root start a sentence at its leftmost descendant. If a sentence has several roots whose subtrees
    interleave, words would be in other sentences than their heads.
    """
    roots = np.bincount(sentence[heads == np.arange(len(heads))])
    if not len(roots) or roots.max() < 2:
        return
    end = 0
    for doc in batch.docs:
        start, end = end, end + len(doc)
        if len(doc) and not _heads_within_sentences(doc):
            doc.from_array([SENT_START], np.where(batch.starts[start:end], 1, -1).astype(np.int64).view(np.uint64))


def _heads_within_sentences(doc: Doc) -> bool:
    starts = np.cumsum(doc.to_array("SENT_START") == 1)
    heads = np.arange(len(doc)) + doc.to_array("HEAD").view(np.int64)
    return bool((starts == starts[heads]).all())
