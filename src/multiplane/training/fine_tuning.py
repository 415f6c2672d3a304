"""Trains pretrained encoders further, below the other layers of a network."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from multiplane.formats import Corpus
from multiplane.models.encoder import Encoder, read_encoder, transformers
from multiplane.models.precision import in_half
from multiplane.training.data import fingerprint
from multiplane.training.network import Batch, Network
from multiplane.training.neural_config import NeuralSettings


class FineTuning:
    """A pretrained encoder, and the subwords of the training data."""

    def __init__(self, settings: NeuralSettings, corpora: Sequence[Corpus]) -> None:
        assert settings.encoder is not None
        self._encoder = read_encoder(os.fspath(settings.encoder))
        self._words = self._encoder.subwords.of([form for corpus in corpora for form in corpus.column("form")])
        self._half = in_half(settings.precision)

    @property
    def width(self) -> int:
        """The width of its vectors."""
        return self._encoder.width

    @property
    def fingerprint(self) -> str:
        """A digest of all that was read."""
        files, weights = self._encoder.files(), self._encoder.weights
        return fingerprint(*files.values(), *(weights[name].tobytes() for name in sorted(weights)))

    def network(self) -> Any:
        """Returns the transformer as it was read, ready for training."""
        network = transformers().Transformer(self._encoder.config, self._encoder.weights)
        network.in_half = self._half
        return network

    def rows(self, network: Network, batch: Batch, first: NDArray[np.int64]) -> Tensor:
        """Returns the vectors of the words of a batch; `first` is the number of the first word of each sentence."""
        assert network.encoder is not None
        subwords = self._encoder.subwords
        windows = transformers().windows_of_all(self._words, first[batch.order], batch.lengths, subwords.limit)
        rows: Tensor = network.encoder(self._words, windows, subwords.ends)
        return rows

    def trained(self, weights: dict[str, NDArray[Any]]) -> Encoder:
        """Returns the encoder with new weights."""
        return Encoder(self._encoder.config, self._encoder.tokenizer, weights)


def weight_groups(network: Network, settings: NeuralSettings) -> list[dict[str, Any]]:
    """Returns the weights with their highest learning rates: lower ones for an encoder, and lowest for its bottom."""
    encoder = network.encoder
    known = set() if encoder is None else {id(weight) for weight in encoder.parameters()}
    others = [weight for weight in network.parameters() if weight.requires_grad and id(weight) not in known]
    groups: list[dict[str, Any]] = [{"params": others, "most": settings.learning_rate, "warmup": settings.warmup}]
    if encoder is None:
        return groups
    depths: dict[int, list[Tensor]] = {}
    for name, weight in encoder.named_parameters():
        depths.setdefault(-1 if name == "mix" else encoder.depth(name), []).append(weight)
    rate, decay = settings.encoder_rates
    for depth, weights in sorted(depths.items()):
        most = settings.learning_rate if depth < 0 else rate * decay**depth
        # The layers above are random at first: what they say early on should not change the encoder much.
        groups.append({"params": weights, "most": most, "warmup": max(settings.warmup, 0.1)})
    return groups
