"""The layers of a network that score the transitions of a system and the labels of its arcs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from multiplane.models.architecture import Architecture


class Dropouts(NamedTuple):
    """Dropout rates."""

    embedding: float
    lstm: float
    recurrent: float
    hidden: float


class LayerSizes(NamedTuple):
    """The sizes of the layers that score configurations."""

    top: int
    """The width of encoded words."""
    transitions: int
    labels: int
    slots: int
    features: int


class Layers(nn.Module):
    """The layers that score the transitions of a system and the labels of its arcs."""

    shape: Architecture
    dropouts: Dropouts
    sizes_of_layers: LayerSizes

    def _add_layers(self, shape: Architecture, sizes: LayerSizes) -> None:
        self.sizes_of_layers = sizes
        below = shape.projection or sizes.top
        self.projection: nn.Linear | None = nn.Linear(sizes.top, shape.projection) if shape.projection else None
        self.special = nn.Parameter(torch.randn(2, below) * 0.1)
        self.slots = nn.Linear(below, sizes.slots * shape.hidden, bias=False)
        nn.init.xavier_uniform_(self.slots.weight, gain=0.7)
        self.hidden_bias = nn.Parameter(torch.zeros(shape.hidden))
        self.features = nn.Parameter(torch.randn(sizes.features, shape.hidden) * 0.1)
        self.output = nn.Linear(shape.hidden, sizes.transitions)
        self.governors = nn.Linear(sizes.top, shape.label_hidden)
        self.dependents = nn.Linear(sizes.top, shape.label_hidden)
        self.label_root = nn.Parameter(torch.zeros(shape.label_hidden))
        self.label_output = nn.Linear(shape.label_hidden, sizes.labels)

    def _start_layers(self, *others: nn.Module) -> None:
        """Initializes the weights of these layers and others."""
        for layer in (self.output, self.governors, self.dependents, self.label_output, *others):
            assert isinstance(layer, nn.Linear)
            nn.init.xavier_uniform_(layer.weight)  # PyTorch's default is so small that learning starts slowly
            nn.init.zeros_(layer.bias)

    def deciding(self) -> dict[str, NDArray[np.float32]]:
        """Returns the weights that score configurations, by their names in the native core."""
        found: dict[str, Tensor] = {"hidden.bias": self.hidden_bias, "features": self.features}
        found |= linear_weights("output", self.output) | linear_weights("label", self.label_output)
        return {name: tensor.detach().numpy() for name, tensor in found.items()}

    def layer_weights(self) -> dict[str, Tensor]:
        """Returns the other weights of these layers, by their names in the native core."""
        found = {"special": self.special, "slots": self.slots.weight, "label.root": self.label_root}
        found |= linear_weights("governors", self.governors) | linear_weights("dependents", self.dependents)
        return found | ({} if self.projection is None else linear_weights("projection", self.projection))

    def slot_table(self, encoded: Tensor) -> Tensor:
        """Returns what every row in every slot adds to the hidden layer."""
        below = encoded if self.projection is None else torch.relu(self.projection(encoded))
        if self.training and self.projection is not None:
            below = functional.dropout(below, self.dropouts.hidden)
        table: Tensor = self.slots(torch.cat([self.special, below]))
        return table

    def transition_scores(self, table: Tensor, rows: Tensor, features: Tensor, more: Tensor | None = None) -> Tensor:
        """Returns the scores of transitions for configurations with these rows in their slots.

        `more` is what else adds to the hidden layer.
        """
        slots, hidden = self.sizes_of_layers.slots, self.shape.hidden
        places = rows * slots + torch.arange(slots)
        sums = functional.embedding_bag(places, table.reshape(-1, hidden), mode="sum") + self.hidden_bias
        if self.sizes_of_layers.features:
            sums = sums + features @ self.features
        if more is not None:
            sums = sums + more
        active = torch.relu(sums) if self.shape.activation == "relu" else torch.tanh(sums)
        scores: Tensor = self.output(functional.dropout(active, self.dropouts.hidden, self.training))
        return scores

    def label_tables(self, encoded: Tensor) -> tuple[Tensor, Tensor]:
        """Returns what every row adds to the hidden layer for labels, as governor and as dependent."""
        nothing = encoded.new_zeros(1, self.shape.label_hidden)
        governors = torch.cat([nothing, self.label_root[None], self.governors(encoded)])
        return governors, torch.cat([nothing, nothing, self.dependents(encoded)])

    def label_scores(
        self, tables: tuple[Tensor, Tensor], governors: Tensor, dependents: Tensor, more: Tensor | None = None
    ) -> Tensor:
        """Returns the scores of labels for arcs between rows; `more` is what else adds to the hidden layer."""
        sums = tables[0][governors] + tables[1][dependents]
        if more is not None:
            sums = sums + more
        scores: Tensor = self.label_output(functional.dropout(torch.relu(sums), self.dropouts.hidden, self.training))
        return scores


def linear_weights(name: str, layer: nn.Linear | nn.Conv1d) -> dict[str, Tensor]:
    """Returns the weights of a linear layer by their names in the native core."""
    assert layer.bias is not None
    return {name: layer.weight, f"{name}.bias": layer.bias}
