"""Heads and labels that are fixed: what a parser must respect, and whether it did."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiplane.formats import UNKNOWN_HEAD, Corpus
from multiplane.models import FixedArcs, Model, Trees

_NONE = -1


def parse_fixed(model: Model, corpus: Corpus, beam: int | None) -> tuple[Trees, Sequence[str]]:
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
    trees = model.parse(corpus, beam, FixedArcs(heads, known))
    return trees._replace(labels=np.where(labels == _NONE, trees.labels, labels)), names
