"""Whether anything else that is known about a tree says more about its errors than the evidence of the calibration.

    python benchmarks/confidence_limits.py MODEL DEV

Fits other classifiers to half of the sentences and measures them on the other half, both ways round, as confidence.py
does: logistic regression and boosted trees, over the evidence of each arc alone (what `parse --scores` uses), with that
of its neighbours (its head, its dependents, the words beside it and the rest of the sentence), and with its label.
Needs scikit-learn.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import multiplane as mp
from multiplane.evaluation.reliability import reliability_of
from multiplane.formats import Corpus, read
from multiplane.models.base import TransitionModel
from multiplane.models.confidence import with_evidence
from multiplane.training.calibrate import Judged, judge

SURE = 9.0
"""The logit of what is not there."""
WHOLE = 5
"""The column of `Evidence.signs` with the odds of head and label."""
LEAST = 30
"""The number of arcs that a label needs."""

CLASSIFIERS = {
    "logistic regression": lambda: LogisticRegression(C=0.3, max_iter=2000),
    "boosted trees": lambda: HistGradientBoostingClassifier(
        max_iter=120, learning_rate=0.06, max_leaf_nodes=8, min_samples_leaf=60, l2_regularization=5, random_state=1
    ),
}

Floats = NDArray[np.float64]


def of_neighbours(odds: Floats, heads: NDArray[np.int32], corpus: Corpus) -> Floats:
    """Returns the odds of each word's head, least certain dependent, neighbours, and of the rest of its sentence."""
    number, counts = corpus.sentence_of, corpus.lengths[corpus.sentence_of]
    starts = (np.cumsum(corpus.lengths) - corpus.lengths)[number]
    has_head = heads > 0
    places = starts + heads - 1
    of_head = np.where(has_head, odds[np.where(has_head, places, 0)], SURE)
    of_dependents = np.full(len(odds), SURE)
    np.minimum.at(of_dependents, places[has_head], odds[has_head])
    dependents = np.bincount(places[has_head], minlength=len(odds))
    rest = (np.bincount(number, odds)[number] - odds) / np.maximum(counts - 1, 1)
    before, behind = np.append(SURE, odds[:-1]), np.append(odds[1:], SURE)
    return np.column_stack([of_head, of_dependents, np.log1p(dependents), before, behind, rest])


def of_labels(labels: NDArray[np.int32]) -> Floats:
    """Returns a column for each frequent label."""
    return np.column_stack([labels == label for label, count in enumerate(np.bincount(labels)) if count >= LEAST])


def cross_validated(name: str, signs: Floats, judged: Judged) -> Floats:
    """Returns probabilities, each from a classifier that has seen the other half of the sentences."""
    found, is_odd = np.zeros(len(signs)), judged.sentences % 2 == 1
    for half in (is_odd, ~is_odd):
        fitted = CLASSIFIERS[name]().fit(signs[~half], judged.right[~half])
        found[half] = fitted.predict_proba(signs[half])[:, 1]
    return found


def measured(model: TransitionModel, dev: Corpus) -> None:
    """Prints a line for each classifier and each kind of evidence."""
    judged = judge(model, dev, model.beam, 1.0)
    if len(judged.right) != dev.words:
        sys.exit("needs a treebank in which every word has a head")
    trees = model.parse(dev)
    neighbours = of_neighbours(judged.signs[:, WHOLE], trees.heads, dev)
    labels = of_labels(trees.labels)
    kinds = {"the arc": [], "arc and neighbours": [neighbours], "arc and label": [labels], "all": [neighbours, labels]}
    print(f"accuracy {100 * judged.right.mean():.2f}; errors among the 10 % least certain, in %")
    for name in CLASSIFIERS:
        for kind, more in kinds.items():
            found = reliability_of(cross_validated(name, np.column_stack([judged.signs, *more]), judged), judged.right)
            print(f"{name}, {kind}: {100 * found.least_certain:.1f}, calibration error {found.ece:.4f}")


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    measured(with_evidence(mp.load(sys.argv[1]).model), read(sys.argv[2]))


if __name__ == "__main__":
    main()
