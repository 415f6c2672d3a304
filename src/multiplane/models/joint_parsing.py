"""Shared code of joint models, which build trees and graphs in synchronous derivations (S4)."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import ModelError, SentenceError, TransitionSystemError
from multiplane.formats import Corpus
from multiplane.formats.layers import LayerArcs
from multiplane.graphs.codecs.planarized import deplanarize_layer
from multiplane.models.base import TransitionModel, actions_of, check_labels
from multiplane.models.protocol import FixedArcs, GraphLayer, Graphs, Trees
from multiplane.models.senses import Senses, predicates_of
from multiplane.models.systems import check_graph_system
from multiplane.systems import Action, TransitionSystem

Heads = NDArray[np.int32]


class JointAction(NamedTuple):
    """A transition of one layer."""

    layer: str
    """`syntax` or `semantics`."""
    action: Action


def check_layer(system: TransitionSystem, roles: tuple[str, ...]) -> None:
    """Raises `ModelError` if a system and a set of arc labels cannot derive graphs.

    >>> from multiplane.systems import systems
    >>> check_layer(systems["swap-graph"], ("A0", "A1"))
    """
    check_labels(roles, roles[0] if roles else "")
    try:
        check_graph_system(system)
    except TransitionSystemError as error:
        raise ModelError(f"semantics: {error}") from None


def semantic_actions(derivations: list[list[JointAction]]) -> list[list[Action]]:
    """Returns the semantic transitions of synchronous derivations."""
    return [[step.action for step in steps if step.layer == "semantics"] for steps in derivations]


class Found(NamedTuple):
    """The graphs of a corpus as the native core returns them: by word, by sentence, and by arc."""

    is_predicate: NDArray[np.uint8]
    senses: NDArray[np.int32]
    classes: NDArray[np.int32]
    counts: NDArray[np.int32]
    """The number of arcs of each sentence."""
    heads: NDArray[np.int32]
    dependents: NDArray[np.int32]
    roles: NDArray[np.int32]

    def arcs(self, roles: tuple[str, ...]) -> LayerArcs:
        """Returns the arcs, with the names of roles."""
        first = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])
        return LayerArcs(first, self.heads, self.dependents, self.roles, roles)


class Semantics(Protocol):
    """The graph layer of a joint model."""

    @property
    def name(self) -> GraphLayer:
        """The name of the predicted layer."""

    @property
    def system(self) -> TransitionSystem:
        """The transition system of graphs."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The labels of arcs."""

    @property
    def senses(self) -> Senses | None:
        """The senses of predicates; None if arcs may start anywhere."""

    @property
    def lifted(self) -> bool:
        """Whether arcs were lifted for training, with marks in the labels; parsing undoes this."""

    @property
    def reads_trees(self) -> bool:
        """Whether trees are read from the input and only graphs are predicted."""


class JointParsing(TransitionModel):
    """Base class of models of trees and graphs, which have a second native parser for both."""

    semantics: Any
    """The graph layer, a `Semantics`."""

    @property
    def graph_layer(self) -> GraphLayer | None:
        """The layer that it predicts in addition to trees."""
        layer: Semantics = self.semantics
        return layer.name

    @property
    def graph_system(self) -> TransitionSystem | None:
        """The transition system of graphs."""
        layer: Semantics = self.semantics
        return layer.system

    def graph_derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[Action]]:
        """Returns the transitions that build the graphs."""
        return semantic_actions(self.joint_derivations(corpus, beam))

    @property
    def reads_trees(self) -> bool:
        """Whether it reads trees from the input and predicts only graphs."""
        layer: Semantics = self.semantics
        return layer.reads_trees

    @property
    @abstractmethod
    def _joint_parser(self) -> Any:
        """The native parser of trees and graphs."""

    @abstractmethod
    def _joint_columns(self, corpus: Corpus) -> Any:
        """Returns the column indices that it needs, besides lemma and form."""

    def _joint_input(self, corpus: Corpus, beam: int | None) -> tuple[Any, ...]:
        if self._width(beam) > 1:
            raise ModelError(f"a {self.kind} model parses greedily; drop --beam")
        place = {name: place for place, name in enumerate(corpus.dialect.columns)}
        columns, read = self._joint_columns(corpus), self._reading.read(corpus)
        return read._text, read._index, columns, place.get("lemma", -1), place["form"]

    def parse(
        self,
        corpus: Corpus,
        beam: int | None = None,
        fixed: FixedArcs | None = None,
        predicates: NDArray[np.int8] | None = None,
    ) -> Trees:
        """Returns trees and graphs; predicates may be given: 1, 0, or -1 (unknown) for each word.

        Uses the trees of the input if the model reads trees, or if all heads are fixed.
        """
        given = self._given_trees(corpus, fixed)
        known = given if given[1] is None else (given[0], self._numbers_of_names[given[1]])
        (heads, labels, _, scores), tags, found = self._joint_parser.parse(
            *self._joint_input(corpus, beam), predicates, *known
        )
        predicted = self._tagged(*tags)
        if given[0] is None:
            heads, labels = self._decoder.decode(corpus.lengths, heads, labels, None)
        else:
            heads, labels = given
        return Trees(heads, labels, predicted, scores, self._graphs(corpus, heads, labels, Found(*found)))

    @cached_property
    def _numbers_of_names(self) -> NDArray[np.int32]:
        """For each name, the index of its first label; the codec may have several marked labels per name."""
        plain = self._decoder.plain
        numbers = np.zeros(len(self.names), np.int32)
        numbers[plain[::-1]] = np.arange(len(plain), dtype=np.int32)[::-1]
        return numbers

    def _given_trees(self, corpus: Corpus, fixed: FixedArcs | None) -> tuple[Heads, Heads] | tuple[None, None]:
        """Returns the given trees; unknown labels become the first label."""
        if fixed is not None:
            heads, labels = fixed.heads, fixed.labels
        elif self.reads_trees:
            place = {name: number for number, name in enumerate(self.names)}
            heads = corpus.heads
            deprels = corpus.column("deprel")
            labels = np.fromiter((place.get(label, -1) for label in deprels), np.int32, len(deprels))
        else:
            return None, None
        if (unknown := np.flatnonzero(heads < 0)).size:
            sentence = corpus[int(np.searchsorted(np.cumsum(corpus.lengths), unknown[0], side="right"))]
            raise SentenceError(
                f"{sentence.where}: a word has no head; give heads for all words of the sentence, or none"
            )
        return heads.astype(np.int32), np.maximum(labels, 0).astype(np.int32)

    def _graphs(self, corpus: Corpus, heads: Heads, labels: Heads, found: Found) -> Graphs:
        """Returns the graphs for trees with these heads and labels."""
        layer: Semantics = self.semantics
        assert layer.senses is not None
        arcs = found.arcs(layer.roles)
        if layer.lifted:
            arcs = deplanarize_layer(corpus.lengths, arcs, found.is_predicate.astype(np.bool_))
        return Graphs(predicates_of(corpus, found.is_predicate, found.senses, layer.senses), arcs)

    def joint_derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[JointAction]]:
        """Returns the transitions of both layers, which build trees and graphs."""
        layer: Semantics = self.semantics
        layers = (("syntax", self.system, self._shown_labels), ("semantics", layer.system, layer.roles))
        found = []
        for sequence in self._joint_parser.derivations(
            *self._joint_input(corpus, beam), None, *self._given_trees(corpus, None)
        ):
            steps = [(layers[is_semantic], row) for is_semantic, *row in sequence]
            found.append(
                [JointAction(name, actions_of([[tuple(row)]], of, labels)[0][0]) for (name, of, labels), row in steps]
            )
        return found
