"""Linear support vector machines, trained with LIBLINEAR; the result is an ordinary linear model."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import TrainingError
from multiplane.models.linear import LinearWeights
from multiplane.models.svm import Classes, Keys
from multiplane.training.instances import Errors, Instances, matrix_of, share_of_others, sklearn

_LARGEST = 32_000


def train_liblinear(
    instances: Instances,
    transitions: int,
    labels: int,
    *,
    cost: float = 0.02,
    label_cost: float = 0.1,
    tolerance: float = 0.1,
    least_count: int = 2,
    threshold: float = 0.001,
    seed: int = 1,
) -> tuple[LinearWeights, Errors]:
    """Trains linear machines for transitions and labels, with the method of Crammer and Singer (2001).

    They have no intercept: every decision has a value for every template, so the weights of one template can act as
    one. Features that occur fewer than `least_count` times and weights below `threshold` are dropped. A class that does
    not occur never outscores one that does.

    >>> keys = np.array([[1, 3], [1, 4], [2, 3], [2, 4]] * 2, np.uint64)
    >>> taken = np.array([0, 0, 1, 1] * 2, np.int32)
    >>> none = np.zeros(0, np.int32)
    >>> weights, errors = train_liblinear(Instances(keys, taken, keys[:0], none, none), 3, 1)
    >>> errors
    Errors(transition=0.0, label=0.0)
    >>> weights.keys.tolist(), weights.weights.reshape(2, 3).tolist()
    ([1, 2], [[32000, -32000, -32000], [-32000, 32000, -32000]])
    """
    if not len(instances.transitions):
        raise TrainingError("nothing to learn from: no sentence has a transition")
    fit = partial(_fit_linear, tolerance=tolerance, least_count=least_count, seed=seed)
    keys, weights, error = fit(instances.transition_keys, instances.transitions, transitions, cost)
    label_keys, label_weights, label_error = fit(instances.label_keys, instances.labels, labels, label_cost)
    unseen = np.setdiff1d(np.arange(transitions), instances.transitions)
    weights[:, unseen] = weights.min(axis=1, keepdims=True)  # a sum of minimum weights is the minimum sum
    largest = max(np.abs(weights).max(initial=0), np.abs(label_weights).max(initial=0))
    keys, whole = _rounded(keys, weights, largest, threshold)
    label_keys, label_whole = _rounded(label_keys, label_weights, largest, threshold)
    rows, entries = np.nonzero(label_whole)
    counts = np.bincount(rows, minlength=len(label_keys)).astype(np.uint16)
    kept = (keys, whole.reshape(-1), label_keys, counts, entries.astype(np.uint16), label_whole[rows, entries])
    return LinearWeights(*kept), Errors(error, label_error)


def _fit_linear(
    keys: Keys, classes: Classes, count: int, cost: float, *, tolerance: float, least_count: int, seed: int
) -> tuple[Keys, NDArray[np.float32], float]:
    """Returns the keys with weights, a row of weights per key with one per class, and the error rate."""
    found, matrix = matrix_of(keys, least_count)
    weights = np.zeros((len(found), count), np.float32)
    seen = np.unique(classes)
    if len(seen) < 2 or not len(found):
        weights[:, seen] = 1
        return found, weights, share_of_others(classes)
    machine = sklearn("svm").LinearSVC(
        multi_class="crammer_singer", C=cost, tol=tolerance, fit_intercept=False, random_state=seed
    )
    with warnings.catch_warnings():
        # A solution that has almost converged is good enough.
        warnings.simplefilter("ignore", sklearn("exceptions").ConvergenceWarning)
        machine.fit(matrix, classes)
    if len(seen) == 2:  # one row, with the weights of the second class relative to the first
        weights[:, seen] = np.stack([-machine.coef_[0] / 2, machine.coef_[0] / 2], axis=1)
    else:
        weights[:, seen] = machine.coef_.T
    return found, weights, float((machine.predict(matrix) != classes).mean())


def _rounded(
    keys: Keys, weights: NDArray[np.float32], largest: float, threshold: float
) -> tuple[Keys, NDArray[np.int16]]:
    """Rounds weights to integers and drops rows that are all 0."""
    whole = np.rint(weights * np.float32(_LARGEST / largest if largest else 1)).astype(np.int16)
    whole[np.abs(weights) < threshold] = 0
    kept = whole.any(axis=1)
    return keys[kept], whole[kept]
