"""The part of a network that parses graphs, in PyTorch; the native core reimplements it for parsing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from multiplane.models.architecture import Architecture
from multiplane.training.layers import Dropouts, Layers, LayerSizes, linear_weights
from multiplane.training.network import places_of

_RELATED = 5
"""How a word can be related to a predicate in the tree: dependent, head, sibling, grandchild, grandparent."""


@dataclass(frozen=True, eq=False)
class SemanticSizes:
    """The sizes of vocabularies and layers."""

    layers: LayerSizes
    relations: int
    """The number of relations in the tree that two words can have."""
    related: int
    """The number of words whose relation to the front is an input of the transition classifier."""
    suffixes: NDArray[np.int64]
    """The number of the suffix of each sense."""
    predicates: bool
    """Whether predicates and senses are predicted; otherwise arcs may start anywhere."""
    classes: int = 0
    """The number of classes of words, if they are predicted."""


class SemanticNetwork(Layers):
    """Classifiers for the transitions of a graph system, roles, arcs, predicates and senses."""

    def __init__(self, shape: Architecture, sizes: SemanticSizes, dropouts: Dropouts) -> None:
        super().__init__()
        self.shape, self.sizes, self.dropouts = shape, sizes, dropouts
        self._add_layers(shape, sizes.layers)
        self.relations = nn.Parameter(torch.randn(sizes.related * sizes.relations, shape.hidden) * 0.1)
        self.label_relations = nn.Parameter(torch.randn(sizes.relations, shape.label_hidden) * 0.1)
        self.label_senses = nn.Parameter(torch.zeros(len(sizes.suffixes) + 1, shape.label_hidden))
        self.label_roles = nn.Parameter(torch.zeros(sizes.layers.labels, shape.label_hidden))
        top, width = sizes.layers.top, shape.arc
        self.arc_head = nn.Linear(top, width)
        self.arc_dependent = nn.Linear(top, width)
        self.arc = nn.Parameter(nn.init.orthogonal_(torch.empty(width, width)))
        self.arc_bias = nn.Parameter(torch.zeros(width))
        self.arc_offset = nn.Linear(width, 1)
        self.arc_syntax = nn.Parameter(torch.zeros(_RELATED))
        nn.init.constant_(self.arc_offset.bias, -2.0)  # most pairs of words have no arc
        self._start_layers()
        self.word: nn.Linear | None = nn.Linear(top, sizes.classes) if sizes.classes else None
        if sizes.predicates:
            self.predicate_hidden = nn.Linear(top, shape.hidden)
            self.predicate = nn.Linear(shape.hidden, 1)
            self.senses = nn.Parameter(torch.zeros(len(sizes.suffixes), shape.hidden))
            self.suffixes = nn.Parameter(torch.randn(int(sizes.suffixes.max(initial=0)) + 1, shape.hidden) * 0.1)
            self.sense_bias = nn.Parameter(torch.zeros(len(sizes.suffixes)))

    def arc_scores(self, encoded: Tensor, lengths: NDArray[np.int64], heads: Tensor | None) -> Tensor:
        """Returns the scores of arcs to each word from every other, per sentence, padded.

        `heads` are the probabilities of heads in the tree, of the root and every word, padded alike.
        """
        rate = self.dropouts.hidden if self.training else 0.0
        sentence, place = places_of(lengths)
        longest = int(lengths.max())
        ends = []
        for layer in (self.arc_head, self.arc_dependent):
            each = functional.dropout(torch.relu(layer(encoded)), rate)
            padded = each.new_zeros(len(lengths), longest, self.shape.arc)
            padded[sentence, place] = each
            ends.append(padded)
        governors, dependents = ends
        scores: Tensor = (dependents @ self.arc + self.arc_bias) @ governors.transpose(1, 2)
        scores = scores + self.arc_offset(dependents)
        if heads is None:
            return scores
        above = heads[:, :, 1:]
        grand = above @ above
        related = (above, above.transpose(1, 2), above @ above.transpose(1, 2), grand, grand.transpose(1, 2))
        for weight, each in zip(self.arc_syntax, related, strict=True):
            scores = scores + weight * each
        return scores

    def predicate_layer(self, encoded: Tensor) -> Tensor:
        """Returns the hidden layer of predicates and senses."""
        return functional.dropout(torch.relu(self.predicate_hidden(encoded)), self.dropouts.hidden, self.training)

    def sense_scores(self, hidden: Tensor, candidates: Tensor) -> Tensor:
        """Returns the scores of some senses for each predicate."""
        suffixes = torch.from_numpy(self.sizes.suffixes)[candidates]
        weights = functional.embedding(candidates, self.senses) + functional.embedding(suffixes, self.suffixes)
        return (weights @ hidden[:, :, None])[:, :, 0] + self.sense_bias[candidates]

    def related(self, rows: Tensor) -> Tensor:
        """Returns what relations in the tree add to the hidden layer of transitions."""
        return functional.embedding_bag(rows, self.relations, mode="sum")

    def known_of_arcs(self, relations: Tensor, senses: Tensor, roles: Tensor, role_starts: Tensor) -> Tensor:
        """Returns what adds to the hidden layer of roles: relations of the ends, and the sense and roles of heads.

        Roles are those that the head of an arc has given before, one arc after another.
        """
        known = functional.embedding(relations, self.label_relations)
        known = known + functional.embedding(senses, self.label_senses)
        return known + functional.embedding_bag(roles, self.label_roles, role_starts, mode="sum")

    def deciding(self) -> dict[str, NDArray[np.float32]]:
        """Returns the weights that score configurations, by their names in the native core."""
        own = {"relations": self.relations, "label.relations": self.label_relations}
        own |= {"label.senses": self.label_senses, "label.roles": self.label_roles}
        return super().deciding() | {name: tensor.detach().numpy() for name, tensor in own.items()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns all weights by their names in the native core, in 16 bits."""
        found = self.layer_weights()
        found |= linear_weights("arc.head", self.arc_head) | linear_weights("arc.dependent", self.arc_dependent)
        found |= {"arc": self.arc.T, "arc.bias": self.arc_bias, "arc.syntax": self.arc_syntax}
        found |= {"arc.offset": self.arc_offset.weight[0], "arc.offset.bias": self.arc_offset.bias}
        if self.word is not None:
            found |= linear_weights("word", self.word)
        if self.sizes.predicates:
            found |= linear_weights("predicate.hidden", self.predicate_hidden)
            found |= linear_weights("predicate", self.predicate)
            senses = self.senses + self.suffixes[torch.from_numpy(self.sizes.suffixes)]
            found |= {"sense": senses, "sense.bias": self.sense_bias}
        arrays = {name: tensor.detach().numpy() for name, tensor in found.items()} | self.deciding()
        with np.errstate(over="ignore"):  # the caller checks that all values are finite
            return {name: array.astype(np.float16) for name, array in arrays.items()}


def flat_arc_odds(scores: Tensor, lengths: NDArray[np.int64]) -> NDArray[np.float32]:
    """Returns the probabilities of arcs, concatenated over sentences without padding."""
    odds = torch.sigmoid(scores).numpy()
    return np.concatenate([odds[i, :n, :n].reshape(-1) for i, n in enumerate(lengths.tolist())])
