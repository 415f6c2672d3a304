"""Support vector machines, trained by scikit-learn: LIBLINEAR for linear ones, LIBSVM for those with a kernel.

Both learn from the decisions of a static oracle. What LIBLINEAR finds is an ordinary linear model. What LIBSVM finds
are support vectors, and the data may be split by the value of a feature, with a machine for each, as MaltParser does.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import MissingExtraError, ModelError, TrainingError
from multiplane.features import Compiled, FeatureModel, Template, parse_template

Keys = NDArray[np.uint64]
Classes = NDArray[np.int32]
FrozenWeights = tuple[Keys, NDArray[np.int16], Keys, NDArray[np.uint16], NDArray[np.uint16], NDArray[np.int16]]
"""Whole numbers as `_native.LinearParser` takes them: for transitions keys and weights; for labels keys, how many
labels each has, which, and their weights."""

_LARGEST = 32_000
_PARTS = ("transition", "label")


class Instances(NamedTuple):
    """The decisions of a static oracle on a treebank, as `_native.instances` finds them."""

    transition_keys: Keys
    """A row of feature keys for every transition taken, one for each template."""
    transitions: Classes
    """What was taken."""
    label_keys: Keys
    """The same for every gold arc built."""
    labels: Classes
    lost: Classes
    """For every sentence, how many of its gold arcs no derivation builds."""

    @staticmethod
    def joined(parts: list[Instances]) -> Instances:
        """The decisions on several treebanks together.

        >>> none = Instances(*(np.zeros(shape, np.int32) for shape in ((0, 2), 0, (0, 1), 0, 3)))
        >>> [array.shape for array in Instances.joined([none, none])]
        [(0, 2), (0,), (0, 1), (0,), (6,)]
        """
        return parts[0] if len(parts) == 1 else Instances(*map(np.concatenate, zip(*parts, strict=True)))


class Errors(NamedTuple):
    """How many decisions of the training data what was learnt would get wrong, as shares of all."""

    transition: float
    label: float


# Linear machines


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
) -> tuple[FrozenWeights, Errors]:
    """Linear machines for so many transitions and labels, by the method of Crammer and Singer (2001).

    They have no intercept: every decision has a value of every template, so the weights of one template's values can
    do its work. Features that occur less than `least_count` times and weights below `threshold` are left out. A class
    that does not occur is never better than one that does.

    >>> keys = np.array([[1, 3], [1, 4], [2, 3], [2, 4]] * 2, np.uint64)
    >>> taken = np.array([0, 0, 1, 1] * 2, np.int32)
    >>> none = np.zeros(0, np.int32)
    >>> frozen, errors = train_liblinear(Instances(keys, taken, keys[:0], none, none), 3, 1)
    >>> errors
    Errors(transition=0.0, label=0.0)
    >>> frozen[0].tolist(), frozen[1].reshape(2, 3).tolist()
    ([1, 2], [[32000, -32000, -32000], [-32000, 32000, -32000]])
    """
    if not len(instances.transitions):
        raise TrainingError("there is nothing to learn from: no sentence has a transition")
    fit = partial(_fit_linear, tolerance=tolerance, least_count=least_count, seed=seed)
    keys, weights, error = fit(instances.transition_keys, instances.transitions, transitions, cost)
    label_keys, label_weights, label_error = fit(instances.label_keys, instances.labels, labels, label_cost)
    unseen = np.setdiff1d(np.arange(transitions), instances.transitions)
    weights[:, unseen] = weights.min(axis=1, keepdims=True)  # a sum of least weights is the least sum
    largest = max(np.abs(weights).max(initial=0), np.abs(label_weights).max(initial=0))
    keys, whole = _rounded(keys, weights, largest, threshold)
    label_keys, label_whole = _rounded(label_keys, label_weights, largest, threshold)
    rows, entries = np.nonzero(label_whole)
    counts = np.bincount(rows, minlength=len(label_keys)).astype(np.uint16)
    frozen = (keys, whole.reshape(-1), label_keys, counts, entries.astype(np.uint16), label_whole[rows, entries])
    return frozen, Errors(error, label_error)


def _fit_linear(
    keys: Keys, classes: Classes, count: int, cost: float, *, tolerance: float, least_count: int, seed: int
) -> tuple[Keys, NDArray[np.float32], float]:
    """The keys that have weights, a row of them for each, one for each class, and the share of errors."""
    found, matrix = _matrix(keys, least_count)
    weights = np.zeros((len(found), count), np.float32)
    seen = np.unique(classes)
    if len(seen) < 2 or not len(found):
        weights[:, seen] = 1
        return found, weights, _share_of_others(classes)
    machine = _sklearn("svm").LinearSVC(
        multi_class="crammer_singer", C=cost, tol=tolerance, fit_intercept=False, random_state=seed
    )
    with warnings.catch_warnings():
        # What is not quite at its end after many rounds serves as well.
        warnings.simplefilter("ignore", _sklearn("exceptions").ConvergenceWarning)
        machine.fit(matrix, classes)
    if len(seen) == 2:  # one row, of how much the second is ahead of the first
        weights[:, seen] = np.stack([-machine.coef_[0] / 2, machine.coef_[0] / 2], axis=1)
    else:
        weights[:, seen] = machine.coef_.T
    return found, weights, float((machine.predict(matrix) != classes).mean())


def _rounded(
    keys: Keys, weights: NDArray[np.float32], largest: float, threshold: float
) -> tuple[Keys, NDArray[np.int16]]:
    """The weights as whole numbers, without rows that are all 0."""
    whole = np.rint(weights * np.float32(_LARGEST / largest if largest else 1)).astype(np.int16)
    whole[np.abs(weights) < threshold] = 0
    kept = whole.any(axis=1)
    return keys[kept], whole[kept]


def _matrix(keys: Keys, least_count: int) -> tuple[Keys, Any]:
    """The keys that occur often enough, and a sparse matrix of decisions by these keys."""
    found, starts, columns = _native.feature_matrix(np.ascontiguousarray(keys), least_count)
    if len(columns) > np.iinfo(np.int32).max:
        raise TrainingError(
            f"{len(keys):,} decisions with {len(columns):,} features are more than LIBLINEAR and LIBSVM can hold; "
            "train on less data, with fewer templates, or with the perceptron"
        )
    matrix = _import("scipy.sparse").csr_matrix(
        (np.ones(len(columns)), columns, starts.astype(np.int32)), shape=(len(keys), len(found))
    )
    matrix.sum_duplicates()  # features that share a key count twice
    return found, matrix


# Machines with a kernel


@dataclass(frozen=True)
class Kernel:
    """The polynomial kernel (gamma · u'v + coef0)^degree.

    >>> Kernel()
    Kernel(gamma=0.2, coef0=0.4, degree=2)
    """

    gamma: float = 0.2
    coef0: float = 0.4
    degree: int = 2


class Machine(NamedTuple):
    """A machine that tells classes apart, one against one."""

    keys: Keys
    """The features, by column."""
    lengths: Classes
    """How many features each support vector has."""
    columns: Classes
    """The features of all support vectors, one vector after another."""
    classes: Classes
    """In increasing order."""
    support: Classes
    """How many support vectors each class has; they come in the order of classes."""
    coefficients: NDArray[np.float64]
    """Of every support vector, one for every class but its own."""
    intercepts: NDArray[np.float64]
    """Of every pair of classes: first and second, first and third, …, second and third, …"""


@dataclass(frozen=True, eq=False)
class Division:
    """Machines for the values of the feature that data are split by."""

    values: Keys
    """The keys of the values that have a machine of their own."""
    machines: tuple[Machine, ...]
    """One for all other values, then one for each of these."""

    @property
    def support_vectors(self) -> int:
        """How many there are in all machines."""
        return sum(len(machine.lengths) for machine in self.machines)


@dataclass(frozen=True, eq=False)
class KernelWeights:
    """What LIBSVM learnt: everything that a parser needs beside its system, its features and its labels."""

    kernel: Kernel
    transition: Division
    label: Division

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name, to be stored.

        >>> sorted(_example().arrays())[:3], sorted(_example().arrays())[-2:]
        (['label.0.classes', 'label.0.coefficients', 'label.0.columns'], ['transition.0.support', 'transition.values'])
        """
        found: dict[str, NDArray[Any]] = {}
        for part, division in zip(_PARTS, (self.transition, self.label), strict=True):
            found[f"{part}.values"] = division.values
            for i, machine in enumerate(division.machines):
                found |= {f"{part}.{i}.{name}": array for name, array in machine._asdict().items()}
        return found

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[Any]], kernel: Kernel) -> KernelWeights:
        """The weights from what was stored; that they fit each other is checked when a parser is made of them.

        >>> KernelWeights.from_arrays(_example().arrays(), Kernel()).transition.machines[0].classes
        array([0], dtype=int32)
        >>> KernelWeights.from_arrays({"transition.values": np.zeros(0)}, Kernel())
        Traceback (most recent call last):
        ...
        multiplane.errors.ModelError: the array 'transition.values' is float64 of 1 dimension; expected: uint64 of 1
        """
        left = dict(arrays)
        parts = [_taken_division(left, part) for part in _PARTS]
        if left:
            raise ModelError(f"arrays that no machine has: {', '.join(sorted(left)[:5])}")
        return KernelWeights(kernel, *parts)

    def parser(
        self,
        program: _native.Program,
        features: Compiled,
        splits: Compiled,
        oracle: _native.OracleSpec,
        labels: int,
        root_label: int,
        bits: int = 64,
    ) -> _native.KernelParser:
        """A parser with these weights; the features come from `with_splits`.

        Raises a `ValueError` if anything does not fit, so that no file of a stranger does harm.
        """
        width = len(features.attributes)
        return _native.KernelParser(
            program,
            _native.FeatureModel(width, features.transition, features.label, bits),
            _native.FeatureModel(width, splits.transition, splits.label, bits),
            oracle,
            labels,
            root_label,
            self.transition.values,
            self._machines(self.transition, len(features.transition.templates)),
            self.label.values,
            self._machines(self.label, len(features.label.templates)),
        )

    def _machines(self, division: Division, templates: int) -> list[_native.KernelMachine]:
        gamma, coef0, degree = self.kernel.gamma, self.kernel.coef0, self.kernel.degree
        return [_native.KernelMachine(templates, gamma, coef0, degree, *machine) for machine in division.machines]


def with_splits(
    model: FeatureModel, transition: str | None = None, label: str | None = None, stacks: int = 1
) -> tuple[Compiled, Compiled]:
    """A feature model, and the features that data are split by, compiled so that they share the attributes of words.

    Decisions on transitions and on labels are split by one value each, or not at all. `_native.instances` finds both,
    with a feature model of either.

    >>> model = FeatureModel.from_toml('templates.transition = ["stack[0].form", "buffer[0].form"]')
    >>> features, splits = with_splits(model, "buffer[0].xpos", "dependent.upos")
    >>> [len(part.templates) for part in (*features[1:], *splits[1:])]
    [2, 0, 1, 1]
    >>> len(model.compile().attributes), len(features.attributes), features.attributes == splits.attributes
    (1, 3, True)
    """
    by_transition = _split(transition, label=False)
    by_label = _split(label, label=True)
    both = replace(model, transition=model.transition + by_transition, label=model.label + by_label)
    both.check(stacks)
    compiled = both.compile()
    cuts = (slice(None, len(model.transition)), slice(None, len(model.label)))
    rests = (slice(len(model.transition), None), slice(len(model.label), None))
    return _cut(compiled, *cuts), _cut(compiled, *rests)


def _split(template: str | None, *, label: bool) -> tuple[Template, ...]:
    return () if template is None else (parse_template(template, label=label),)


def _cut(compiled: Compiled, transition: slice, label: slice) -> Compiled:
    """The tables with some of their templates."""
    return Compiled(
        compiled.attributes,
        compiled.transition._replace(templates=compiled.transition.templates[transition]),
        compiled.label._replace(templates=compiled.label.templates[label]),
    )


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
    """Machines with a polynomial kernel, for transitions and labels, with so many megabytes to keep kernel values.

    With the keys of `splits`, of the same decisions, there is a machine for every value that occurs `split_threshold`
    times or more. All other values share one; if they are fewer decisions than that, it gets the rarest of the others
    too.

    >>> keys = np.array([[1, 3], [1, 4], [2, 3], [2, 4]] * 2, np.uint64)
    >>> taken = np.array([0, 1, 1, 0] * 2, np.int32)  # no linear machine can tell them apart
    >>> none = np.zeros(0, np.int32)
    >>> weights, errors = train_libsvm(Instances(keys, taken, keys[:0], none, none), tolerance=0.001)
    >>> errors
    Errors(transition=0.0, label=0.0)
    >>> machine = _native.KernelMachine(2, 0.2, 0.4, 2, *weights.transition.machines[0])
    >>> machine.decide(keys[:4])[1].argmax(axis=1)
    array([0, 1, 1, 0])
    """
    if not len(instances.transitions):
        raise TrainingError("there is nothing to learn from: no sentence has a transition")
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
    """Machines for the values that occur often enough, after one for the rest; and the share of errors."""
    groups = [(0, np.ones(len(keys), np.bool_))]
    if split is not None and split.size:
        groups = list(_groups(split, threshold))
    fitted = [fit(keys[rows], classes[rows]) for _, rows in groups]
    wrong = sum(error * rows.sum() for (_, error), (_, rows) in zip(fitted, groups, strict=True))
    values = np.array([value for value, _ in groups[1:]], np.uint64)
    return Division(values, tuple(machine for machine, _ in fitted)), float(wrong / max(len(keys), 1))


def _groups(split: Keys, threshold: int) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """Values with the rows that have them. The rest comes first, with 0 for its value.

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
    """A machine, and the share of decisions that it gets wrong."""
    found, matrix = _matrix(keys, 1)
    seen, counts = np.unique(classes, return_counts=True)
    if len(seen) < 2 or not len(found):
        return _constant(int(seen[counts.argmax()]) if len(seen) else 0), _share_of_others(classes)
    fitted = _sklearn("svm").SVC(
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
    sign = -1 if len(seen) == 2 else 1  # with two classes, scikit-learn puts the second first
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


def _share_of_others(classes: Classes) -> float:
    """The share of decisions that are not the most frequent one."""
    return 1 - float(np.bincount(classes).max() / len(classes)) if len(classes) else 0.0


def _constant(cls: int) -> Machine:
    """A machine that knows one class."""
    none = np.zeros(0, np.int32)
    return Machine(
        np.zeros(0, np.uint64), none, none, np.array([cls], np.int32), np.zeros(1, np.int32), np.zeros(0), np.zeros(0)
    )


def _example() -> KernelWeights:
    division = Division(np.zeros(0, np.uint64), (_constant(0),))
    return KernelWeights(Kernel(), division, division)


_DTYPES = dict(zip(Machine._fields, ("uint64", *["int32"] * 4, *["float64"] * 2), strict=True))


def _taken_division(left: dict[str, NDArray[Any]], part: str) -> Division:
    """The machines of a part, whose arrays are taken out of all."""
    values = _taken_array(left, f"{part}.values", "uint64")
    machines = [
        Machine(*(_taken_array(left, f"{part}.{i}.{name}", dtype) for name, dtype in _DTYPES.items()))
        for i in range(len(values) + 1)
    ]
    return Division(values, tuple(machines))


def _taken_array(left: dict[str, NDArray[Any]], name: str, dtype: str) -> NDArray[Any]:
    array = left.pop(name, None)
    if array is None:
        raise ModelError(f"the array '{name}' is missing")
    if array.dtype != dtype or array.ndim != 1:
        plural = "" if array.ndim == 1 else "s"
        found = f"{array.dtype} of {array.ndim} dimension{plural}"
        raise ModelError(f"the array '{name}' is {found}; expected: {dtype} of 1")
    return array


def _sklearn(module: str) -> Any:
    return _import(f"sklearn.{module}")


def _import(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(
            "liblinear and libsvm need scikit-learn; install it with: pip install 'multiplane[train]'"
        ) from None
