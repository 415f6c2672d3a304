"""What every model can do, whatever it is made of."""

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
    """A column that a model predicts, for all words of all sentences one after another."""

    column: str
    values: NDArray[np.int32]
    """Places in `names`."""
    names: tuple[str, ...]


class Graphs(NamedTuple):
    """The graphs of a corpus beside its trees."""

    predicates: Predicates | None
    """None if arcs may start anywhere."""
    arcs: LayerArcs


class Trees(NamedTuple):
    """The trees of a corpus, for all words of all sentences one after another."""

    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    """Places in the model's `names`."""
    tags: tuple[Tags, ...] = ()
    """What else the model says of the words."""
    scores: NDArray[np.float32] = NO_SCORES
    """The score of the derivation of every sentence, on the model's own scale: the sum of the scores of all choices.

    With a beam, those of a neural model are logarithms of probabilities; greedy search takes its raw scores. Greedy
    search scores nothing where only one transition is legal, so scores of different widths do not compare.
    """
    graphs: Graphs | None = None
    """What a joint model says beside the trees."""
    confidences: NDArray[np.float64] = NO_CONFIDENCES
    """If asked for, the probability that each word's head and label are right."""
    tree_confidences: NDArray[np.float64] = NO_CONFIDENCES
    """If asked for, the probability that the whole tree of each sentence is right."""


class ForbiddenHeads(NamedTuple):
    """The heads that words must not have, for all words of all sentences one after another."""

    first: NDArray[np.int32]
    """By word, the number of its first one; and that behind the last one."""
    heads: NDArray[np.int32]


class FixedArcs(NamedTuple):
    """What a parser must respect, for all words of all sentences one after another; -1 where nothing is fixed."""

    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    """Places in the model's `names`."""
    forbidden: ForbiddenHeads | None = None
    kept: NDArray[np.bool_] | None = None
    """The words whose labels the caller keeps, whether the model knows these or not; None if those are fixed."""

    @property
    def given_labels(self) -> NDArray[np.bool_]:
        """The words whose labels are not the model's choice."""
        return self.labels >= 0 if self.kept is None else self.kept


@dataclass(frozen=True)
class Contents:
    """What a model directory holds of a model, apart from what all models have."""

    config: dict[str, Any]
    """Tables of config.toml."""
    tensors: dict[str, NDArray[Any]]
    """What weights.safetensors holds."""
    labels: tuple[str, ...]
    """What vocabulary.json holds of labels."""
    vocabularies: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What it holds beside."""
    files: dict[str, str] = field(default_factory=dict)
    """Further text files, by name; those of a pretrained encoder are in a folder of their own."""


class Stored(Protocol):
    """What can be written to a model directory."""

    @property
    def kind(self) -> str:
        """What config.toml calls models of this kind."""

    @property
    def record(self) -> TrainingRecord:
        """How it was trained."""

    def contents(self) -> Contents:
        """What has to be stored."""


class Model(Stored, Protocol):
    """A trained model: it gives trees to the words of a corpus."""

    @property
    def system(self) -> TransitionSystem:
        """The transition system, restricted to trees."""

    @property
    def codec(self) -> Codec:
        """How trees are encoded as what it builds."""

    @property
    def names(self) -> tuple[str, ...]:
        """The labels that trees can have."""

    @property
    def beam(self) -> int:
        """The width of the beam that it parses with, unless told otherwise; 1 is greedy."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a treebank that it reads."""

    @property
    def predicted_columns(self) -> tuple[str, ...]:
        """The columns that it predicts beside trees: tags and lemmas."""

    @property
    def needs_tags(self) -> bool:
        """Whether it reads more than the forms of words."""

    @property
    def graph_layer(self) -> GraphLayer | None:
        """The layer that it predicts beside trees: predicates with senses and arguments, or enhanced dependencies."""

    @property
    def graph_system(self) -> TransitionSystem | None:
        """The transition system of that layer."""

    @property
    def reads_trees(self) -> bool:
        """Whether it predicts graphs for the trees of the input, which stay as they are."""

    def parse(
        self,
        corpus: Corpus,
        beam: int | None = None,
        fixed: FixedArcs | None = None,
        predicates: NDArray[np.int8] | None = None,
    ) -> Trees:
        """The trees of all sentences; a `ModelError` says where fixed arcs cannot be kept.

        If it predicts semantics, predicates may be given: 1, 0, or -1 for unknown, for each word.
        It may be called from several threads at once.
        """

    def derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[Action]]:
        """The transitions by which the trees of all sentences were built."""

    def scored_derivation(
        self, corpus: Corpus, prefix: Sequence[str | Action] = (), beam: int | None = None
    ) -> ScoredDerivation:
        """The derivation of one sentence after transitions chosen by hand, with all that was legal on the way.

        A `ModelError` says that the model cannot do this, a `TransitionError` which of the transitions is not legal.
        """

    def graph_derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[Action]]:
        """The transitions by which the graphs beside the trees were built; a `ModelError` if it builds none."""

    def graphs(self, corpus: Corpus, beam: int | None = None) -> list[DependencyGraph]:
        """The graphs that the derivations build, with any number of heads per word; a codec has not decoded them."""

    def edges(self, corpus: Corpus, beam: int | None = None) -> Trees:
        """The edges of an undirected parser before reconstruction, as trees away from the root."""

    def with_record(self, record: TrainingRecord) -> Model:
        """The same model with an account of how it was trained."""
