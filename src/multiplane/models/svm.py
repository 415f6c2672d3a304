"""Support vector machines with a kernel: stored weights, and the parser that uses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import ModelError
from multiplane.features import Compiled, FeatureModel, Template, parse_template
from multiplane.systems import TransitionSystem

Keys = NDArray[np.uint64]
Classes = NDArray[np.int32]

_PARTS = ("transition", "label")


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
    """A one-against-one multiclass machine."""

    keys: Keys
    """The features, by column."""
    lengths: Classes
    """The number of features of each support vector."""
    columns: Classes
    """The features of all support vectors, concatenated."""
    classes: Classes
    """In increasing order."""
    support: Classes
    """The number of support vectors of each class; vectors are in the order of classes."""
    coefficients: NDArray[np.float64]
    """For every support vector, one per class other than its own."""
    intercepts: NDArray[np.float64]
    """For every pair of classes: first and second, first and third, …, second and third, …"""

    @staticmethod
    def constant(number: int) -> Machine:
        """Returns a machine with a single class.

        >>> Machine.constant(3).classes
        array([3], dtype=int32)
        """
        none, no_numbers = np.zeros(0, np.int32), np.zeros(0)
        known = np.array([number], np.int32)
        return Machine(np.zeros(0, np.uint64), none, none, known, np.zeros(1, np.int32), no_numbers, no_numbers)


@dataclass(frozen=True, eq=False)
class Division:
    """The machines for the values of the feature that splits the data."""

    values: Keys
    """The keys of the values with their own machine."""
    machines: tuple[Machine, ...]
    """One for all other values, then one per value in `values`."""

    @property
    def support_vectors(self) -> int:
        """The number of support vectors in all machines."""
        return sum(len(machine.lengths) for machine in self.machines)


@dataclass(frozen=True, eq=False)
class KernelWeights:
    """The machines trained by LIBSVM for transitions and labels."""

    kernel: Kernel
    transition: Division
    label: Division

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns all arrays by name, for storage.

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
        """Restores weights from stored arrays; `parser` checks that they fit together.

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
            raise ModelError(f"unexpected arrays: {', '.join(sorted(left)[:5])}")
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
        """Returns a parser with these weights; the features come from `with_splits`.

        Raises `ValueError` for inconsistent arrays, so that loading untrusted files is safe.
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
    model: FeatureModel,
    transition: str | None = None,
    label: str | None = None,
    system: TransitionSystem | None = None,
) -> tuple[Compiled, Compiled]:
    """Compiles a feature model and the features that split the data, so that both share the attributes of words.

    Decisions on transitions and labels are each split by one value, or not at all. `_native.instances` extracts both,
    given a feature model for each. Given a system, both are checked against it.

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
    if system is not None:
        both.check(system)
    compiled = both.compile()
    cuts = (slice(None, len(model.transition)), slice(None, len(model.label)))
    rests = (slice(len(model.transition), None), slice(len(model.label), None))
    return _cut(compiled, *cuts), _cut(compiled, *rests)


def _split(template: str | None, *, label: bool) -> tuple[Template, ...]:
    return () if template is None else (parse_template(template, label=label),)


def _cut(compiled: Compiled, transition: slice, label: slice) -> Compiled:
    """Returns the tables with a slice of their templates."""
    return Compiled(
        compiled.attributes,
        compiled.transition._replace(templates=compiled.transition.templates[transition]),
        compiled.label._replace(templates=compiled.label.templates[label]),
    )


def _example() -> KernelWeights:
    division = Division(np.zeros(0, np.uint64), (Machine.constant(0),))
    return KernelWeights(Kernel(), division, division)


_DTYPES = dict(zip(Machine._fields, ("uint64", *["int32"] * 4, *["float64"] * 2), strict=True))


def _taken_division(left: dict[str, NDArray[Any]], part: str) -> Division:
    """Removes the arrays of a part from `left` and returns its machines."""
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
