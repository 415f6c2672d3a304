"""Joint neural models: parsers of trees with a second scorer for graphs, in synchronous derivations (S4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from multiplane import _native
from multiplane.errors import GraphError, ModelError
from multiplane.formats import Corpus
from multiplane.graphs.codecs.enhanced import EnhancedCodec
from multiplane.graphs.codecs.enhanced_decoder import EncodedGraphs
from multiplane.graphs.codecs.enhanced_sources import BasicTrees, label_words
from multiplane.models.architecture import Look, other_stacks
from multiplane.models.joint_parsing import Found, Heads, JointParsing, check_layer
from multiplane.models.neural import NeuralModel, as_floats, look_from_table, look_to_table, native_look
from multiplane.models.protocol import Contents, GraphLayer, Graphs
from multiplane.models.record import TrainingRecord
from multiplane.models.senses import Senses
from multiplane.models.systems import graph_system_from_table, system_to_table
from multiplane.models.toml import Table, taken
from multiplane.systems import TransitionSystem

_PREFIX = "semantic."


@dataclass(frozen=True, eq=False)
class EnhancedLayer:
    """How enhanced graphs are built from trees, word templates and arcs."""

    codec: EnhancedCodec
    templates: tuple[str, ...]
    """The templates of words."""


@dataclass(frozen=True, eq=False)
class SemanticLayer:
    """The graph layer of a joint model, without weights."""

    system: TransitionSystem
    look: Look
    roles: tuple[str, ...]
    """The labels of arcs."""
    senses: Senses | None
    """The senses of predicates; None if arcs may start anywhere."""
    enhanced: EnhancedLayer | None = None
    """How enhanced graphs are made; None if the graphs are semantic ones."""
    lifted: bool = False
    """Whether arcs were lifted for training, with marks in the labels; parsing undoes this."""
    reads_trees: bool = False
    """Whether trees are read from the input and only graphs are predicted."""

    def __post_init__(self) -> None:
        check_layer(self.system, self.roles)
        if (self.senses is None) != (self.enhanced is not None):
            raise ModelError("a joint model predicts either predicates with senses, or enhanced graphs")

    @property
    def name(self) -> GraphLayer:
        """The name of the predicted layer."""
        return "semantics" if self.enhanced is None else "enhanced"

    @cached_property
    def program(self) -> _native.Program:
        """The system as the native core runs it."""
        return self.system.program.parsing_graphs()

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the fields; the native program is rebuilt."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def to_table(self) -> Table:
        """Returns the table for config.toml."""
        more: Table = {} if self.senses is None else {"usual_sense": self.senses.usual}
        if self.enhanced is not None:
            more["codec"] = self.enhanced.codec.to_table()
        about = {"system": system_to_table(self.system), "look": look_to_table(self.look)}
        return about | {"lifted": self.lifted, "reads_trees": self.reads_trees} | more

    def to_vocabularies(self) -> dict[str, tuple[str, ...]]:
        """Returns the roles and senses to store."""
        templates = {} if self.enhanced is None else {"templates": self.enhanced.templates}
        return {"roles": self.roles} | ({} if self.senses is None else self.senses.to_vocabularies()) | templates

    @staticmethod
    def from_contents(table: Table, vocabularies: Mapping[str, tuple[str, ...]]) -> SemanticLayer:
        """Restores a layer from a model directory; checks all values."""
        system = graph_system_from_table(taken(table, "system", dict))
        senses = None
        if "senses" in vocabularies:
            names, rows = vocabularies["senses"], vocabularies.get("senses.lemmas", ())
            senses = Senses.from_vocabularies(names, rows, taken(table, "usual_sense", str))
        enhanced = None
        if "templates" in vocabularies:
            try:
                codec = EnhancedCodec.from_table(taken(table, "codec", dict))
            except GraphError as error:
                raise ModelError(f"semantics.codec: {error}") from None
            enhanced = EnhancedLayer(codec, vocabularies["templates"])
        look = look_from_table(taken(table, "look", dict), system)
        flags = taken(table, "lifted", bool), taken(table, "reads_trees", bool)
        return SemanticLayer(system, look, vocabularies.get("roles", ()), senses, enhanced, *flags)


@dataclass(frozen=True, eq=False)
class JointModel(JointParsing, NeuralModel):
    """A parser of trees and graphs; its trees are those of a neural parser."""

    kind = "joint"

    semantics: SemanticLayer = field(kw_only=True)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads."""
        return tuple(dict.fromkeys((*super().columns, *(("lemma",) if self.semantics.senses else ()))))

    def __post_init__(self) -> None:
        super().__post_init__()
        self._joint_parser  # noqa: B018 - wrong weights are refused at once
        heights = {"label": len(self.semantics.roles)}
        if self.semantics.senses is not None:
            heights["sense"] = len(self.semantics.senses.names)
        if self.semantics.enhanced is not None:
            heights["word"] = len(self.semantics.enhanced.templates)
        for name, height in heights.items():
            if len(self.weights[_PREFIX + name]) != height:
                raise ModelError(
                    f"the weights do not fit the model: '{_PREFIX}{name}' needs one row per name ({height:,})"
                )

    @cached_property
    def _joint_parser(self) -> _native.JointParser:
        layer = self.semantics
        weights = {
            name.removeprefix(_PREFIX): array for name, array in self.weights.items() if name.startswith(_PREFIX)
        }
        if "predicate" not in weights and layer.senses is not None:
            raise ModelError(f"the weights do not fit the model: '{_PREFIX}predicate' is missing")
        if "word" not in weights and layer.enhanced is not None:
            raise ModelError(f"the weights do not fit the model: '{_PREFIX}word' is missing")
        assert isinstance(self._parser, _native.NeuralParser)
        try:
            return _native.JointParser(
                self._parser,
                layer.program,
                native_look(layer.look, self.shape, layer.system),
                as_floats(weights),
                (layer.senses or Senses((), {}, "_")).native,
            )
        except (ValueError, TypeError) as error:
            raise ModelError(f"the weights do not fit the model: {_PREFIX}: {str(error).splitlines()[0]}") from None

    def _joint_columns(self, corpus: Corpus) -> list[int]:
        return self._columns(corpus.dialect)

    def _graphs(self, corpus: Corpus, heads: Heads, labels: Heads, found: Found) -> Graphs:
        layer = self.semantics.enhanced
        if layer is None:
            return super()._graphs(corpus, heads, labels, found)
        trees = BasicTrees(corpus.lengths, heads, labels, self.names, label_words(corpus))
        encoded = EncodedGraphs(found.classes, layer.templates, found.arcs(self.semantics.roles))
        return Graphs(None, layer.codec.decode(trees, encoded))

    def contents(self) -> Contents:
        """Returns the contents of the model directory."""
        stored = super().contents()
        config = stored.config | {"semantics": self.semantics.to_table()}
        return Contents(config, stored.tensors, stored.labels, stored.vocabularies | self.semantics.to_vocabularies())

    @classmethod
    def fields_from(cls, contents: Contents, record: TrainingRecord) -> dict[str, Any]:
        """Restores the fields of a model from a model directory; checks all values."""
        own = {name: texts for name, texts in contents.vocabularies.items() if name in _VOCABULARIES}
        others = {name: texts for name, texts in contents.vocabularies.items() if name not in _VOCABULARIES}
        below = Contents(contents.config, contents.tensors, contents.labels, others)
        layer = SemanticLayer.from_contents(taken(contents.config, "semantics", dict), own)
        return super().fields_from(below, record) | {"semantics": layer}


_VOCABULARIES = ("roles", "senses", "senses.lemmas", "templates")


def semantic_features(look: Look, system: TransitionSystem) -> int:
    """Returns the number of inputs of the hidden layer of graph transitions, besides word vectors and relations.

    For each pair of words in the focus: the probability of an arc. For each word: whether it is a predicate, and the
    expected number of arcs to later words. For words deeper in the stack: the probabilities of an arc to the front and
    to a later word. Also the active stack, if that can change.

    >>> from multiplane.features import FeatureModel
    >>> from multiplane.models.architecture import Architecture
    >>> from multiplane.systems import systems
    >>> semantic_features(Architecture().look(FeatureModel.load("planar")), systems["swap-graph"])
    14
    """
    focus = len(look.focus)
    return focus * (focus + 1) + 2 + other_stacks(system)
