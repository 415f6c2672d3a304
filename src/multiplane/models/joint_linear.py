"""Joint linear models: a linear parser of trees with linear models of graphs, predicates and senses (S4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import ModelError
from multiplane.features import COLUMNS, Compiled, FeatureModel
from multiplane.formats import Corpus
from multiplane.models.base import MOST_LABELS
from multiplane.models.joint_parsing import JointParsing, check_layer
from multiplane.models.linear import (
    LinearModel,
    LinearWeights,
    attributes_in,
    checked_weights,
    features_in,
    features_to_table,
    native_features,
)
from multiplane.models.protocol import Contents, GraphLayer
from multiplane.models.record import TrainingRecord
from multiplane.models.senses import Senses
from multiplane.models.systems import graph_system_from_table, system_to_table
from multiplane.models.toml import Table, taken
from multiplane.systems import TransitionSystem

Tensors = dict[str, NDArray[Any]]
_GRAPHS, _PREDICATES = "semantic.", "predicate."
"""The prefixes of the weights of graphs and of predicates."""


@dataclass(frozen=True, eq=False)
class LinearLayer:
    """The graph layer of a joint linear model, without weights."""

    system: TransitionSystem
    features: FeatureModel
    predicate_features: FeatureModel
    """The transition templates decide whether a word is a predicate, the label templates choose its sense."""
    roles: tuple[str, ...]
    """The labels of arcs."""
    senses: Senses
    lifted: bool = False
    """Whether arcs were lifted for training, with marks in the labels; parsing undoes this."""
    reads_trees: bool = False
    """Whether trees are read from the input and only graphs are predicted."""

    def __post_init__(self) -> None:
        check_layer(self.system, self.roles)
        if (count := len(self.senses.names)) > MOST_LABELS:
            raise ModelError(f"too many senses: {count:,}; a model can have at most {MOST_LABELS:,}")
        for features in (self.features, self.predicate_features):
            features.check(self.system)

    @property
    def name(self) -> GraphLayer:
        """The name of the predicted layer."""
        return "semantics"

    @cached_property
    def program(self) -> _native.Program:
        """The system as the native core runs it."""
        return self.system.program.parsing_graphs()

    @cached_property
    def compiled(self) -> tuple[Compiled, Compiled]:
        """The feature models of graphs and of predicates as tables."""
        return self.features.compile(), self.predicate_features.compile()

    @property
    def sense_count(self) -> int:
        """The number of senses; at least 1, even if there are none."""
        return max(len(self.senses.names), 1)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the fields; the native program is rebuilt."""
        return {name: value for name, value in self.__dict__.items() if name in self.__dataclass_fields__}

    def to_table(self) -> Table:
        """Returns the table for config.toml."""
        return {
            "usual_sense": self.senses.usual,
            "lifted": self.lifted,
            "reads_trees": self.reads_trees,
            "system": system_to_table(self.system),
            "features": features_to_table(self.features),
            "predicates": features_to_table(self.predicate_features),
        }

    @staticmethod
    def from_contents(table: Table, vocabularies: Mapping[str, tuple[str, ...]]) -> LinearLayer:
        """Restores a layer from a model directory; checks all values."""
        names, rows = vocabularies.get("senses", ()), vocabularies.get("senses.lemmas", ())
        return LinearLayer(
            graph_system_from_table(taken(table, "system", dict)),
            features_in(taken(table, "features", dict)),
            features_in(taken(table, "predicates", dict)),
            vocabularies.get("roles", ()),
            Senses.from_vocabularies(names, rows, taken(table, "usual_sense", str)),
            taken(table, "lifted", bool),
            taken(table, "reads_trees", bool),
        )


@dataclass(frozen=True, eq=False)
class JointLinearModel(JointParsing, LinearModel):
    """A parser of trees and graphs; its trees are those of a greedy linear parser."""

    kind = "joint-linear"

    semantics: LinearLayer = field(kw_only=True)
    graph_weights: LinearWeights = field(kw_only=True)
    predicate_weights: LinearWeights = field(kw_only=True)
    """Weights of two transitions (not a predicate, predicate), and of senses as labels."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._joint_parser  # noqa: B018 - wrong weights are refused at once

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the templates read."""
        layer = self.semantics
        read = {"lemma", *super().columns, *layer.features.columns, *layer.predicate_features.columns}
        return tuple(column for column in COLUMNS if column in read)

    @cached_property
    def _joint_parser(self) -> _native.LinearJointParser:
        layer = self.semantics
        graphs, predicates = (native_features(compiled, self.bits) for compiled in layer.compiled)
        assert isinstance(self._parser, _native.LinearParser)
        try:
            return _native.LinearJointParser(
                self._parser,
                layer.program,
                _native.LinearTable(graphs, len(layer.system.transitions), len(layer.roles), *self.graph_weights),
                _native.LinearTable(predicates, 2, layer.sense_count, *self.predicate_weights),
                layer.senses.native,
            )
        except (ValueError, TypeError) as error:
            raise ModelError(f"the weights do not fit the model: graphs: {str(error).splitlines()[0]}") from None

    def _joint_columns(self, corpus: Corpus) -> _native.AttributeTables:
        parts = (self._compiled, *self.semantics.compiled)
        return _native.AttributeTables(*(attributes_in(compiled, corpus.dialect) for compiled in parts))

    def contents(self) -> Contents:
        """Returns the contents of the model directory."""
        stored = super().contents()
        layer = self.semantics
        config = stored.config | {"semantics": layer.to_table()}
        vocabularies = {"roles": layer.roles} | layer.senses.to_vocabularies()
        return Contents(config, stored.tensors, stored.labels, stored.vocabularies | vocabularies)

    def _stored(self) -> tuple[dict[str, Any], Tensors]:
        config, tensors = super()._stored()
        for prefix, weights in ((_GRAPHS, self.graph_weights), (_PREDICATES, self.predicate_weights)):
            tensors |= {prefix + name: array for name, array in weights._asdict().items()}
        return config, tensors

    @staticmethod
    def _restored(config: dict[str, Any], tensors: Tensors) -> dict[str, Any]:
        return weights_in(tensors)

    @classmethod
    def fields_from(cls, contents: Contents, record: TrainingRecord) -> dict[str, Any]:
        """Restores the fields of a model from a model directory; checks all values."""
        layer = LinearLayer.from_contents(taken(contents.config, "semantics", dict), contents.vocabularies)
        return super().fields_from(contents, record) | {"semantics": layer}


def weights_in(tensors: Tensors) -> dict[str, LinearWeights]:
    """Restores the weights of trees, graphs and predicates, by field name."""
    parts: dict[str, Tensors] = {"": {}, _GRAPHS: {}, _PREDICATES: {}}
    for name, array in tensors.items():
        prefix = next((prefix for prefix in (_GRAPHS, _PREDICATES) if name.startswith(prefix)), "")
        parts[prefix][name.removeprefix(prefix)] = array
    fields = ("weights", "graph_weights", "predicate_weights")
    return {name: checked_weights(part) for name, part in zip(fields, parts.values(), strict=True)}
