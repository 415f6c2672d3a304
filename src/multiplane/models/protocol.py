"""The protocol that all models implement, and its data types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from multiplane.formats import Corpus
from multiplane.formats.layers import LayerArcs, Predicates
from multiplane.graphs import DependencyGraph
from multiplane.graphs.codecs import Codec
from multiplane.models.record import TrainingRecord
from multiplane.models.scored import ScoredDerivation
from multiplane.systems import Action, TransitionSystem

GraphLayer = Literal["semantics", "enhanced"]
NO_SCORES = np.empty(0, np.float32)
NO_CONFIDENCES = np.empty(0, np.float64)


class Tags(NamedTuple):
    """A predicted column, concatenated over sentences."""

    column: str
    values: NDArray[np.int32]
    """Indices into `names`."""
    names: tuple[str, ...]


class Graphs(NamedTuple):
    """The semantic or enhanced graphs of a corpus."""

    predicates: Predicates | None
    """None if arcs may start anywhere."""
    arcs: LayerArcs


class Trees(NamedTuple):
    """The trees of a corpus, concatenated over sentences."""

    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    """Places in the model's `names`."""
    tags: tuple[Tags, ...] = ()
    """Predicted tags and lemmas."""
    scores: NDArray[np.float32] = NO_SCORES
    """The score of the derivation of every sentence, on the model's own scale: the sum of the scores of all choices.

    With a beam, scores of a neural model are log probabilities; greedy search uses raw scores. Greedy search does not
    score a transition if it is the only legal one, so scores with different beam widths are not comparable.
    """
    graphs: Graphs | None = None
    """The graphs that a joint model predicts."""
    confidences: NDArray[np.float64] = NO_CONFIDENCES
    """The probability that each word's head and label are correct, if requested."""
    tree_confidences: NDArray[np.float64] = NO_CONFIDENCES
    """The probability that the whole tree of each sentence is correct, if requested."""


class ForbiddenHeads(NamedTuple):
    """The forbidden heads of each word, concatenated over sentences."""

    first: NDArray[np.int32]
    """The offsets of each word's forbidden heads."""
    heads: NDArray[np.int32]


class FixedArcs(NamedTuple):
    """The constraints on trees, concatenated over sentences; -1 where nothing is fixed."""

    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    """Places in the model's `names`."""
    forbidden: ForbiddenHeads | None = None
    kept: NDArray[np.bool_] | None = None
    """The words whose labels are kept, even if unknown to the model; None if these are the ones in `labels`."""

    @property
    def given_labels(self) -> NDArray[np.bool_]:
        """The words whose labels are given."""
        return self.labels >= 0 if self.kept is None else self.kept


@dataclass(frozen=True)
class Contents:
    """The contents of a model directory that are specific to a kind of model."""

    config: dict[str, Any]
    """Tables of config.toml."""
    tensors: dict[str, NDArray[Any]]
    """The arrays in weights.safetensors."""
    labels: tuple[str, ...]
    """The labels in vocabulary.json."""
    vocabularies: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The other vocabularies in vocabulary.json."""
    files: dict[str, str] = field(default_factory=dict)
    """Further text files, by name; those of a pretrained encoder are in a folder of their own."""


class Stored(Protocol):
    """Protocol of objects that can be written to a model directory."""

    @property
    def kind(self) -> str:
        """The name of this kind of model in config.toml."""

    @property
    def record(self) -> TrainingRecord:
        """The training record."""

    def contents(self) -> Contents:
        """Returns the contents of the model directory."""


class Model(Stored, Protocol):
    """Protocol of a trained model, which predicts trees for a corpus."""

    @property
    def system(self) -> TransitionSystem:
        """The transition system, restricted to trees."""

    @property
    def codec(self) -> Codec:
        """The codec between trees and the structures that the model builds."""

    @property
    def names(self) -> tuple[str, ...]:
        """The labels of trees."""

    @property
    def beam(self) -> int:
        """The default beam width; 1 is greedy."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a treebank that it reads."""

    @property
    def predicted_columns(self) -> tuple[str, ...]:
        """The columns that it predicts in addition to trees: tags and lemmas."""

    @property
    def needs_tags(self) -> bool:
        """Whether it reads columns other than FORM."""

    @property
    def graph_layer(self) -> GraphLayer | None:
        """The layer that it predicts in addition to trees: predicates and arguments, or enhanced dependencies."""

    @property
    def graph_system(self) -> TransitionSystem | None:
        """The transition system of that layer."""

    @property
    def reads_trees(self) -> bool:
        """Whether it reads trees from the input and predicts only graphs."""

    def parse(
        self,
        corpus: Corpus,
        beam: int | None = None,
        fixed: FixedArcs | None = None,
        predicates: NDArray[np.int8] | None = None,
    ) -> Trees:
        """Returns the trees of all sentences; raises `ModelError` if fixed arcs cannot be kept.

        If the model predicts semantics, predicates may be given: 1, 0, or -1 (unknown) for each word.
        Thread-safe.
        """

    def derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[Action]]:
        """Returns the transitions that build the trees of all sentences."""

    def scored_derivation(
        self, corpus: Corpus, prefix: Sequence[str | Action] = (), beam: int | None = None
    ) -> ScoredDerivation:
        """Returns the derivation of one sentence after a prefix, with the legal transitions of every configuration.

        Raises `ModelError` if the model does not support this, and `TransitionError` if a transition is not legal.
        """

    def graph_derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[Action]]:
        """Returns the transitions that build the graphs; raises `ModelError` if the model builds none."""

    def graphs(self, corpus: Corpus, beam: int | None = None) -> list[DependencyGraph]:
        """Returns the graphs that the derivations build, with any number of heads per word, before decoding."""

    def edges(self, corpus: Corpus, beam: int | None = None) -> Trees:
        """Returns the edges of an undirected parser before reconstruction, as trees directed away from the root."""

    def with_record(self, record: TrainingRecord) -> Model:
        """Returns the model with another training record."""
