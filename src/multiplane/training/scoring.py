"""Scores on development data, after every epoch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multiplane.formats import Corpus
from multiplane.models import Model
from multiplane.training.data import check_trees


class Attachment(NamedTuple):
    """Words with the right head, and with the right head and whole label, in percent of all words."""

    uas: float
    las: float


class Development:
    """A treebank that models are scored on.

    >>> from multiplane import sample
    >>> Development(sample()).unseen(("nsubj", "obj"))[0]
    571
    """

    def __init__(self, corpus: Corpus) -> None:
        check_trees([corpus], "development")
        self.corpus = corpus
        self._labels = corpus.column("deprel")

    def unseen(self, names: tuple[str, ...]) -> tuple[int, list[str]]:
        """How many words have a label that is not among these, and which labels those are."""
        known = set(names)
        missing = [label for label in self._labels if label not in known]
        return len(missing), sorted(set(missing))

    def score(self, model: Model) -> Attachment:
        """Parses the treebank and counts. A label that the model does not know is never right."""
        place = {name: number for number, name in enumerate(model.names)}
        gold = np.fromiter((place.get(label, -1) for label in self._labels), np.int32, len(self._labels))
        trees = model.parse(self.corpus)
        head = trees.heads == self.corpus.heads
        return Attachment(100 * float(head.mean()), 100 * float((head & (trees.labels == gold)).mean()))
