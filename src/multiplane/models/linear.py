"""Feature-based models, including linear ones: feature weights for transitions and arc labels."""

from __future__ import annotations

import os
from abc import abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import FeatureError, ModelError
from multiplane.features import COLUMNS, AttributeKind, Compiled, FeatureModel
from multiplane.formats import Dialect
from multiplane.graphs.codecs import PLAIN, Codec
from multiplane.models.base import (
    MOST_BEAM,
    MOST_LABELS,
    TransitionModel,
    codec_in,
    labels_to_table,
)
from multiplane.models.calibration import Calibration, calibrations_from, calibrations_to_table
from multiplane.models.protocol import Contents
from multiplane.models.record import TrainingRecord
from multiplane.models.systems import system_from_table, system_to_table
from multiplane.models.toml import Table, taken
from multiplane.oracles.spec import oracle_spec
from multiplane.systems import TransitionSystem

_W = TypeVar("_W")
_DTYPES = ("uint64", "int16", "uint64", "uint16", "uint16", "int16")


class LinearWeights(NamedTuple):
    """Frozen integer weights, by feature hash."""

    keys: NDArray[np.uint64]
    weights: NDArray[np.int16]
    """One per transition for each key, concatenated."""
    label_keys: NDArray[np.uint64]
    label_counts: NDArray[np.uint16]
    """The number of labels with a weight, for each of the `label_keys`."""
    label_classes: NDArray[np.uint16]
    """The labels with a weight for each key, concatenated."""
    label_weights: NDArray[np.int16]

    def in_order(self) -> LinearWeights:
        """Returns the weights sorted by key, so that they do not depend on the order of features in training.

        >>> arrays = [[7, 5], [1, 2], [9, 8], [1, 2], [4, 1, 0], [10, 20, 30]]
        >>> weights = LinearWeights(*(np.array(array, dtype) for array, dtype in zip(arrays, _DTYPES, strict=True)))
        >>> [array.tolist() for array in weights.in_order()]
        [[5, 7], [2, 1], [8, 9], [2, 1], [0, 1, 4], [30, 20, 10]]
        """
        rows = np.argsort(self.keys, kind="stable")
        label_rows = np.argsort(self.label_keys, kind="stable")
        rank = np.empty(len(label_rows), np.int64)
        rank[label_rows] = np.arange(len(label_rows))
        entries = np.argsort(np.repeat(rank, self.label_counts) * (MOST_LABELS + 1) + self.label_classes)
        return LinearWeights(
            self.keys[rows],
            self.weights.reshape(len(rows), -1)[rows].reshape(-1) if len(rows) else self.weights,
            self.label_keys[label_rows],
            self.label_counts[label_rows],
            self.label_classes[entries],
            self.label_weights[entries],
        )


@dataclass(frozen=True, eq=False)
class FeatureBasedModel(TransitionModel, Generic[_W]):
    """A feature-based parser: a system, a feature model and weights."""

    system: TransitionSystem
    features: FeatureModel
    labels: tuple[str, ...]
    root_label: str
    weights: _W
    bits: int = 64
    """The number of bits of a feature hash; with fewer than 64, features may share a weight."""
    beam: int = 1
    codec: Codec = PLAIN
    record: TrainingRecord = field(default_factory=TrainingRecord)
    calibrations: tuple[Calibration, ...] = ()

    def __post_init__(self) -> None:
        self.features.check(self.system)
        super().__post_init__()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the templates read."""
        return self.features.columns

    @property
    def needs_tags(self) -> bool:
        """Whether a template reads columns other than FORM."""
        return any(column != "form" for column in self.columns)

    @cached_property
    def _compiled(self) -> Compiled:
        return self.features.compile()

    def _columns(self, dialect: Dialect) -> list[tuple[int, int, str]]:
        return attributes_in(self._compiled, dialect)

    @abstractmethod
    def _stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Returns the tables of config.toml and the arrays that store the weights."""

    @staticmethod
    @abstractmethod
    def _restored(config: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
        """Restores the weights, and fields that belong to them."""

    def contents(self) -> Contents:
        """Returns the contents of the model directory."""
        config: dict[str, Any] = {
            "beam": self.beam,
            "system": system_to_table(self.system),
            "labels": labels_to_table(self.root_label, self.codec),
            "features": features_to_table(self.features) | {"bits": self.bits},
            "calibration": calibrations_to_table(self.calibrations),
        }
        more, tensors = self._stored()
        return Contents(config | more, tensors, self.labels)

    @classmethod
    def from_contents(cls, contents: Contents, record: TrainingRecord) -> Self:
        """Restores a model from a model directory; checks all values."""
        try:
            return cls(**cls.fields_from(contents, record))
        except FeatureError as error:
            raise ModelError(f"features: {error}") from None

    @classmethod
    def fields_from(cls, contents: Contents, record: TrainingRecord) -> dict[str, Any]:
        """Restores the fields of a model from a model directory; checks all values."""
        config = contents.config
        labels, features = taken(config, "labels", dict), taken(config, "features", dict)
        codec = codec_in(labels)
        bits, beam = taken(features, "bits", int), taken(config, "beam", int)
        if not 1 <= bits <= 64 or not 1 <= beam <= MOST_BEAM:
            raise ModelError(f"bits and beam are out of range: {bits}, {beam}")
        return {
            "system": system_from_table(taken(config, "system", dict)),
            "features": features_in(features),
            "labels": contents.labels,
            "root_label": taken(labels, "root", str),
            "bits": bits,
            "beam": beam,
            "codec": codec,
            "record": record,
            "calibrations": calibrations_from(config),
        } | cls._restored(config, contents.tensors)


@dataclass(frozen=True, eq=False)
class LinearModel(FeatureBasedModel[LinearWeights]):
    """A linear parser: scores are sums of feature weights."""

    kind = "linear"

    def _native_parser(self) -> _native.LinearParser:
        return _native.LinearParser(
            self._program,
            native_features(self._compiled, self.bits),
            oracle_spec(self.system),
            len(self.labels),
            self.labels.index(self.root_label),
            *self.weights,
        )

    @cached_property
    def _usual_temperature(self) -> float:
        """A fraction of the standard deviation of scores, which gives realistic probabilities for most models."""
        weights = self.weights.weights.astype(np.float64)
        templates = len(self._compiled.transition.templates)
        return max(0.6 * float(np.sqrt(np.mean(weights**2) * templates)), 1.0) if weights.size else 1.0

    def _stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        return {}, self.weights._asdict()

    @staticmethod
    def _restored(config: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
        return {"weights": checked_weights(tensors)}


def features_to_table(features: FeatureModel) -> Table:
    """Returns a feature model as a table for config.toml.

    >>> features_to_table(FeatureModel.load("planar"))["name"]
    'planar'
    """
    return {"name": os.path.basename(features.name), "model": features.without_slots().to_toml()}


def features_in(table: Table) -> FeatureModel:
    """Restores a feature model from a stored table."""
    return FeatureModel.from_toml(taken(table, "model", str), taken(table, "name", str))


def native_features(compiled: Compiled, bits: int) -> _native.FeatureModel:
    """Returns a feature model for the native core, with this many bits of each feature hash.

    >>> type(native_features(FeatureModel.load("planar").compile(), 64)).__name__
    'FeatureModel'
    """
    return _native.FeatureModel(len(compiled.attributes), compiled.transition, compiled.label, bits)


def attributes_in(compiled: Compiled, dialect: Dialect) -> list[tuple[int, int, str]]:
    """Returns the attributes of words with the indices of their columns in a format; -1 if it has no such column.

    >>> from multiplane.formats import DIALECTS
    >>> compiled = FeatureModel.from_toml('templates.transition = ["stack[0].feats", "stack[0].form"]').compile()
    >>> attributes_in(compiled, DIALECTS["conllu"]), attributes_in(compiled, DIALECTS["conll08"])
    ([(0, 5, ''), (0, 1, '')], [(0, -1, ''), (0, 1, '')])
    """
    places = {name: place for place, name in enumerate(dialect.columns)}
    beside_tag = f"{places.get('upos', -1)},{places.get('feats', -1)}"  # what it is made of where there is no XPOS
    return [
        (kind, places.get(COLUMNS[column], -1), beside_tag if kind == AttributeKind.TAG else argument)
        for kind, column, argument in compiled.attributes
    ]


def checked_weights(tensors: dict[str, NDArray[Any]]) -> LinearWeights:
    """Returns weights after checking their types."""
    expected = dict(zip(LinearWeights._fields, _DTYPES, strict=True))
    if tensors.keys() != expected.keys():
        raise ModelError(f"the weights are {', '.join(sorted(tensors))}; expected: {', '.join(expected)}")
    for name, dtype in expected.items():
        if tensors[name].dtype != dtype or tensors[name].ndim != 1:
            found = f"{tensors[name].dtype} of {tensors[name].ndim} dimensions"
            raise ModelError(f"the weights '{name}' are {found}; expected: {dtype} of 1 dimension")
    return LinearWeights(**tensors)
