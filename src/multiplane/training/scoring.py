"""Scores on development data after every epoch."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from multiplane.evaluation import evaluate
from multiplane.evaluation.score import Score, attachment
from multiplane.formats import Corpus, with_enhanced, with_semantics
from multiplane.messages import counted
from multiplane.models import Model, Tags, Trees
from multiplane.training.data import check_trees


class Attachment(NamedTuple):
    """Scores in percent, in the order of `Epoch`'s fields; see `multiplane.evaluation.score.attachment`."""

    uas: float | None
    """None if the model reads trees from its input."""
    las: float | None
    upos: float | None = None
    """None if the model does not predict UPOS."""
    semantic_f1: float | None = None
    """Labelled F1 of predicates and arguments; None if the model does not predict them."""
    elas: float | None = None
    """ELAS; None if the model does not predict enhanced graphs."""


class Development:
    """A treebank for scoring models.

    >>> from multiplane import sample
    >>> Development(sample()).unseen(("nsubj", "obj"))[0]
    571
    """

    def __init__(self, corpus: Corpus) -> None:
        check_trees([corpus], "development")
        self.corpus = corpus
        self._labels = corpus.column("deprel")

    def unseen(self, names: tuple[str, ...]) -> tuple[int, list[str]]:
        """Returns the number of words with labels other than these, and those labels."""
        known = set(names)
        missing = [label for label in self._labels if label not in known]
        return len(missing), sorted(set(missing))

    def report(self, model: Model, note: Callable[[str], None]) -> None:
        """Calls `note` with a message about labels that the model does not know, if there are any."""
        words, labels = self.unseen(model.names)
        if not words:
            return
        shown = ", ".join(labels[:5]) + (", …" if len(labels) > 5 else "")
        kinds = f"{counted(len(labels), 'label')} ({shown})"
        note(
            f"{self.corpus.name}: {counted(words, 'word')} with {kinds} not in the training data; they count as errors"
        )

    def score(self, model: Model) -> Attachment:
        """Parses the treebank and scores the result. A label unknown to the model is always wrong."""
        place = {name: number for number, name in enumerate(model.names)}
        gold = np.fromiter((place.get(label, -1) for label in self._labels), np.int32, len(self._labels))
        trees = model.parse(self.corpus)
        scores = attachment(trees.heads == self.corpus.heads, trees.labels == gold)
        tagged = next((self._share(tags) for tags in trees.tags if tags.column == "upos"), None)
        uas, las = (None, None) if model.reads_trees else (scores["UAS"].f1, scores["LAS"].f1)
        return Attachment(uas, las, tagged, *self._graph_scores(trees))

    def _graph_scores(self, trees: Trees) -> tuple[float | None, float | None]:
        """Returns semantic F1 and ELAS, of the one that the model predicts."""
        if trees.graphs is None:
            return None, None
        predicates, arcs = trees.graphs
        if predicates is None:
            return None, evaluate(self.corpus, with_enhanced(self.corpus, arcs), layer="enhanced")["ELAS"].f1
        predicted = with_semantics(self.corpus, predicates, arcs)
        return evaluate(self.corpus, predicted, layer="semantics")["Semantic"].f1, None

    def _share(self, tags: Tags) -> float:
        gold = self.corpus.column(tags.column)
        right = sum(tags.names[place] == text for place, text in zip(tags.values.tolist(), gold, strict=True))
        return Score(len(gold), len(gold), right).f1
