"""Heads and labels that are given: what a parser must respect, and whether it did."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import ModelError
from multiplane.formats import UNKNOWN_HEAD, Corpus
from multiplane.models import Given, Model, Trees

_NONE = -1


def parse_given(model: Model, corpus: Corpus, beam: int | None) -> tuple[Trees, Sequence[str]]:
    """Parses a corpus so that every HEAD and DEPREL that is not `_` stays; labels are places in the names beside.

    Labels that the model does not know are kept all the same: the model chooses one, which is then replaced.
    """
    wanted = corpus.column("deprel")
    names = list(model.names)
    place = {name: number for number, name in enumerate(names)}
    for label in wanted:
        if label != "_" and label not in place:
            place[label] = len(names)
            names.append(label)
    labels = np.fromiter((_NONE if label == "_" else place[label] for label in wanted), np.int32, len(wanted))
    known = np.where(labels < len(model.names), labels, _NONE)
    heads = np.where(corpus.heads == UNKNOWN_HEAD, _NONE, corpus.heads)
    trees = model.parse(corpus, beam, Given(heads, known))
    _check(model, corpus, heads, trees.heads)
    return Trees(trees.heads, np.where(labels == _NONE, trees.labels, labels)), names


def _check(model: Model, corpus: Corpus, given: NDArray[np.int32], found: NDArray[np.int32]) -> None:
    lost = np.flatnonzero((given != _NONE) & (given != found))
    if not lost.size:
        return
    first = corpus._index.first_word
    sentence = corpus[int(np.searchsorted(first, lost[0], side="right")) - 1]
    word = int(lost[0]) - int(first[sentence.number]) + 1
    where = f"{corpus.name}:{sentence.line_of(word)}: {sentence.sent_id}"
    raise ModelError(
        f"{where}: the head {given[lost[0]]} of word {word} cannot be kept: "
        f"no tree of {model.system.title} has all heads given; give other ones, or _"
    )
