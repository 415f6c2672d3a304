"""The decisions of a static oracle, as training instances for support vector machines."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from multiplane import _native
from multiplane.errors import MissingExtraError, TrainingError
from multiplane.models.svm import Classes, Keys


class Instances(NamedTuple):
    """The decisions of a static oracle on a treebank, as returned by `_native.instances`."""

    transition_keys: Keys
    """A row of feature keys, one per template, for every transition taken."""
    transitions: Classes
    """The transitions taken."""
    label_keys: Keys
    """The same for every gold arc built."""
    labels: Classes
    lost: Classes
    """For every sentence, the number of gold arcs that cannot be derived."""

    @staticmethod
    def joined(parts: list[Instances]) -> Instances:
        """Concatenates the decisions on several treebanks.

        >>> none = Instances(*(np.zeros(shape, np.int32) for shape in ((0, 2), 0, (0, 1), 0, 3)))
        >>> [array.shape for array in Instances.joined([none, none])]
        [(0, 2), (0,), (0, 1), (0,), (6,)]
        """
        return parts[0] if len(parts) == 1 else Instances(*map(np.concatenate, zip(*parts, strict=True)))


class Errors(NamedTuple):
    """The shares of wrong decisions on the training data."""

    transition: float
    label: float


def matrix_of(keys: Keys, least_count: int) -> tuple[Keys, Any]:
    """Returns the keys that occur often enough, and a sparse matrix of decisions by these keys."""
    found, starts, columns = _native.feature_matrix(np.ascontiguousarray(keys), least_count)
    if len(columns) > np.iinfo(np.int32).max:
        raise TrainingError(
            f"{len(keys):,} decisions with {len(columns):,} features are too many for LIBLINEAR and LIBSVM; "
            "train on less data, with fewer templates, or with the perceptron"
        )
    matrix = _import("scipy.sparse").csr_matrix(
        (np.ones(len(columns)), columns, starts.astype(np.int32)), shape=(len(keys), len(found))
    )
    matrix.sum_duplicates()  # features that share a key count twice
    return found, matrix


def share_of_others(classes: Classes) -> float:
    """Returns the share of decisions that differ from the most frequent one."""
    return 1 - float(np.bincount(classes).max() / len(classes)) if len(classes) else 0.0


def sklearn(module: str) -> Any:
    """Imports a module of scikit-learn, which is optional."""
    return _import(f"sklearn.{module}")


def _import(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(
            "liblinear and libsvm need scikit-learn; install it with: pip install 'multiplane[train]'"
        ) from None
