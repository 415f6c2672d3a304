"""Scores on development data after every epoch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.evaluation import evaluate
from multiplane.evaluation.score import Score, attachment, universal_label
from multiplane.formats import Corpus, with_enhanced, with_semantics
from multiplane.formats.fields import EMPTY
from multiplane.graphs import nonprojective_words
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
    xpos: float | None = None
    """None if the model does not predict XPOS; so for the next two."""
    feats: float | None = None
    lemma: float | None = None
    np_precision: float | None = None
    """Labelled, on non-projective arcs; None if the gold standard has none."""
    np_recall: float | None = None
    las_full: float | None = None


class Development:
    """A treebank for scoring models, by the convention `ud`: all words count, LAS compares labels without subtypes.

    >>> from multiplane import sample
    >>> Development(sample()).unseen(("nsubj", "obj"))[0]
    571
    """

    def __init__(self, corpus: Corpus) -> None:
        check_trees([corpus], "development")
        self.corpus = corpus
        self._labels = corpus.column("deprel")
        self._nonprojective = nonprojective_words(corpus.lengths, corpus.heads)

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
            f"{self.corpus.name}: {counted(words, 'word')} with {kinds} not in the training data; "
            "they count as errors in LAS-full"
        )

    def score(self, model: Model) -> Attachment:
        """Parses the treebank and scores the result. A whole label unknown to the model is always wrong."""
        place = {name: number for number, name in enumerate(model.names)}
        gold = np.fromiter((place.get(label, -1) for label in self._labels), np.int32, len(self._labels))
        trees = model.parse(self.corpus)
        tagged = {tags.column: self._share(tags) for tags in trees.tags}
        semantic_f1, elas = self._graph_scores(trees)
        found = Attachment(None, None, semantic_f1=semantic_f1, elas=elas, **tagged)
        if model.reads_trees:
            return found
        head, whole = trees.heads == self.corpus.heads, trees.labels == gold
        scores = attachment(head, self._same_universal(trees.labels, model.names))
        precision, recall = self._nonprojective_scores(trees, head & whole)
        return found._replace(
            uas=scores["UAS"].f1,
            las=scores["LAS"].f1,
            las_full=attachment(head, whole)["LAS"].f1,
            np_precision=precision,
            np_recall=recall,
        )

    def _same_universal(self, labels: NDArray[np.integer], names: Sequence[str]) -> NDArray[np.bool_]:
        """Returns which words have the right label, apart from its subtype."""
        place: dict[str, int] = {}
        known = [place.setdefault(universal_label(name), len(place)) for name in names]
        gold = (place.get(universal_label(label), -1) for label in self._labels)
        return np.asarray(np.array(known)[labels] == np.fromiter(gold, np.int64, len(self._labels)))

    def _nonprojective_scores(self, trees: Trees, right: NDArray[np.bool_]) -> tuple[float | None, float | None]:
        """Returns precision and recall on non-projective arcs; `right` are the words with the right head and label."""
        if not self._nonprojective.any():
            return None, None
        found = nonprojective_words(self.corpus.lengths, trees.heads)
        sides = found & right, self._nonprojective & right
        correct, recalled = (int(side.sum()) for side in sides)
        score = Score(int(self._nonprojective.sum()), int(found.sum()), correct, found=recalled)
        return score.precision, score.recall

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
        """Returns the percentage of words with the right value; where none is given, any lemma is right."""
        gold, values = self.corpus.column(tags.column), tags.values.tolist()
        free = EMPTY if tags.column == "lemma" else None
        right = sum(text in (tags.names[place], free) for place, text in zip(values, gold, strict=True))
        return Score(len(gold), len(gold), right).f1
