"""What joint models have in common: they parse to trees and graphs in synchronous derivations (S4)."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import ModelError
from multiplane.formats import Corpus
from multiplane.formats.layers import LayerArcs
from multiplane.models.base import TransitionModel, actions_of
from multiplane.models.protocol import FixedArcs, Graphs, Tags, Trees
from multiplane.models.senses import Senses, predicates_of
from multiplane.systems import Action, TransitionSystem

VOCABULARIES = ("roles", "senses", "senses.lemmas")
"""The vocabularies of graphs."""


class JointAction(NamedTuple):
    """A transition of one of the layers."""

    layer: str
    """`syntax` or `semantics`."""
    action: Action


class Semantics(Protocol):
    """What a joint model knows about graphs."""

    @property
    def system(self) -> TransitionSystem:
        """The transition system of graphs."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The labels of arcs."""

    @property
    def senses(self) -> Senses | None:
        """The senses of predicates; None if arcs may start anywhere."""


class JointParsing(TransitionModel):
    """A model of trees and graphs. Its native parser of both is another than that of trees alone."""

    predicts_semantics = True

    semantics: Any
    """What it knows about graphs: `Semantics`."""

    @property
    @abstractmethod
    def _joint_parser(self) -> Any:
        """What parses to trees and graphs."""

    @abstractmethod
    def _joint_columns(self, corpus: Corpus) -> Any:
        """What that needs to know of the columns of a format, besides lemma and form."""

    def _joint_input(self, corpus: Corpus, beam: int | None) -> tuple[Any, ...]:
        if self._width(beam) > 1:
            raise ModelError("a joint model of this kind parses greedily; drop --beam")
        place = {name: place for place, name in enumerate(corpus.dialect.columns)}
        columns = self._joint_columns(corpus)
        return corpus._text, corpus._index, columns, place.get("lemma", -1), place["form"]

    def parse(
        self,
        corpus: Corpus,
        beam: int | None = None,
        fixed: FixedArcs | None = None,
        predicates: NDArray[np.int8] | None = None,
    ) -> Trees:
        """Returns trees and graphs; predicates may be given: 1, 0, or -1 for unknown, for each word."""
        if fixed is not None:
            raise ModelError("a joint model cannot keep heads; drop --keep-heads")
        (heads, labels, _, scores), tags, found = self._joint_parser.parse(*self._joint_input(corpus, beam), predicates)
        heads, labels = self._decoder.decode(corpus.lengths, heads, labels, None)
        predicted = tuple(Tags(*row) for row in zip(self._tags, tags, self._tags.values(), strict=True))
        return Trees(heads, labels, predicted, scores, self._graphs(corpus, *found))

    def _graphs(
        self,
        corpus: Corpus,
        is_predicate: NDArray[np.uint8],
        senses: NDArray[np.int32],
        counts: NDArray[np.int32],
        heads: NDArray[np.int32],
        dependents: NDArray[np.int32],
        roles: NDArray[np.int32],
    ) -> Graphs:
        layer: Semantics = self.semantics
        first = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        arcs = LayerArcs(first, heads, dependents, roles, layer.roles)
        if layer.senses is None:
            return Graphs(None, arcs)
        return Graphs(predicates_of(corpus, is_predicate, senses, layer.senses), arcs)

    def joint_derivations(self, corpus: Corpus) -> list[list[JointAction]]:
        """Returns the transitions of both layers by which trees and graphs were built."""
        layer: Semantics = self.semantics
        layers = (("syntax", self.system, self._shown_labels), ("semantics", layer.system, layer.roles))
        found = []
        for sequence in self._joint_parser.derivations(*self._joint_input(corpus, None)):
            steps = [(layers[is_semantic], row) for is_semantic, *row in sequence]
            found.append(
                [JointAction(name, actions_of([[tuple(row)]], of, labels)[0][0]) for (name, of, labels), row in steps]
            )
        return found
