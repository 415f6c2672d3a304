"""Support vector machines with a kernel, trained with LIBSVM.

The data may be split by the value of a feature, with one machine per value, as in MaltParser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import TrainingError
from multiplane.models.svm import Classes, Division, Kernel, KernelWeights, Keys, Machine
from multiplane.training.instances import Errors, Instances, matrix_of, share_of_others, sklearn


def train_libsvm(
    instances: Instances,
    splits: Instances | None = None,
    *,
    kernel: Kernel | None = None,
    cost: float = 1.0,
    label_cost: float = 1.0,
    tolerance: float = 1.0,
    split_threshold: int = 1000,
    cache: float = 500,
) -> tuple[KernelWeights, Errors]:
    """Trains machines with a polynomial kernel, for transitions and labels; `cache` is the kernel cache in megabytes.

    With `splits`, the keys of the same decisions, every value that occurs at least `split_threshold` times has its own
    machine. All other values share one; if they have fewer decisions than that, the rarest of the frequent values joins
    them.

    >>> keys = np.array([[1, 3], [1, 4], [2, 3], [2, 4]] * 2, np.uint64)
    >>> taken = np.array([0, 1, 1, 0] * 2, np.int32)  # not linearly separable
    >>> none = np.zeros(0, np.int32)
    >>> weights, errors = train_libsvm(Instances(keys, taken, keys[:0], none, none), tolerance=0.001)
    >>> errors
    Errors(transition=0.0, label=0.0)
    >>> machine = _native.KernelMachine(2, 0.2, 0.4, 2, *weights.transition.machines[0])
    >>> machine.decide(keys[:4])[1].argmax(axis=1)
    array([0, 1, 1, 0])
    """
    if not len(instances.transitions):
        raise TrainingError("nothing to learn from: no sentence has a transition")
    chosen = kernel or Kernel()

    fit = partial(_fit_machine, kernel=chosen, tolerance=tolerance, cache=cache)
    by = (None, None) if splits is None else (splits.transition_keys, splits.label_keys)
    transition, error = _divide(
        instances.transition_keys, instances.transitions, by[0], split_threshold, partial(fit, cost=cost)
    )
    label, label_error = _divide(
        instances.label_keys, instances.labels, by[1], split_threshold, partial(fit, cost=label_cost)
    )
    return KernelWeights(chosen, transition, label), Errors(error, label_error)


def _divide(
    keys: Keys,
    classes: Classes,
    split: Keys | None,
    threshold: int,
    fit: Callable[[Keys, Classes], tuple[Machine, float]],
) -> tuple[Division, float]:
    """Trains a machine for the rest and one per frequent value; returns them with the error rate."""
    groups = [(0, np.ones(len(keys), np.bool_))]
    if split is not None and split.size:
        groups = list(_groups(split, threshold))
    fitted = [fit(keys[rows], classes[rows]) for _, rows in groups]
    wrong = sum(error * rows.sum() for (_, error), (_, rows) in zip(fitted, groups, strict=True))
    values = np.array([value for value, _ in groups[1:]], np.uint64)
    return Division(values, tuple(machine for machine, _ in fitted)), float(wrong / max(len(keys), 1))


def _groups(split: Keys, threshold: int) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """Yields values with their rows. The rest comes first, with the value 0.

    >>> split = np.array([[7]] * 4 + [[8]] * 3 + [[9]], np.uint64)
    >>> [(value, int(rows.sum())) for value, rows in _groups(split, 3)]
    [(0, 4), (7, 4)]
    """
    values, inverse, counts = np.unique(split[:, 0], return_inverse=True, return_counts=True)
    order = np.argsort(counts, kind="stable")
    before = np.cumsum(counts[order]) - counts[order]
    own = np.zeros(len(values), np.bool_)
    own[order] = (counts[order] >= threshold) & (before >= threshold)
    own[order[0]] = False
    yield 0, ~own[inverse]
    for number in np.flatnonzero(own).tolist():
        yield int(values[number]), inverse == number


def _fit_machine(
    keys: Keys, classes: Classes, *, kernel: Kernel, cost: float, tolerance: float, cache: float
) -> tuple[Machine, float]:
    """Trains a machine; returns it with its error rate."""
    found, matrix = matrix_of(keys, 1)
    seen, counts = np.unique(classes, return_counts=True)
    if len(seen) < 2 or not len(found):
        return Machine.constant(int(seen[counts.argmax()]) if len(seen) else 0), share_of_others(classes)
    fitted = sklearn("svm").SVC(
        kernel="poly",
        degree=kernel.degree,
        gamma=kernel.gamma,
        coef0=kernel.coef0,
        C=cost,
        tol=tolerance,
        cache_size=cache,
    )
    fitted.fit(matrix, classes)
    vectors = matrix[fitted.support_]
    used, columns = np.unique(vectors.indices, return_inverse=True)
    sign = -1 if len(seen) == 2 else 1  # with two classes, scikit-learn swaps them
    machine = Machine(
        found[used],
        np.asarray(vectors.sum(axis=1)).reshape(-1).astype(np.int32),
        np.repeat(columns, vectors.data.astype(np.int64)).astype(np.int32),
        seen.astype(np.int32),
        fitted.n_support_.astype(np.int32),
        sign * np.ascontiguousarray(fitted.dual_coef_.toarray().T).reshape(-1),
        sign * fitted.intercept_.astype(np.float64),
    )
    native = _native.KernelMachine(keys.shape[1], kernel.gamma, kernel.coef0, kernel.degree, *machine)
    decided = seen[native.decide(keys)[1].argmax(axis=1)]
    return machine, float((decided != classes).mean())
