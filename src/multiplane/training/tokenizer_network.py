"""The network of a tokenizer, in PyTorch; the native core reimplements it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_sequence, unpack_sequence

from multiplane import _native
from multiplane.training.layers import linear_weights
from multiplane.training.tokenizer_config import TokenizerSettings

SHAPE, SPACES, LENGTH = 12, 6, 6
"""The widths of small embeddings."""
SCORES = 4
"""Inside a token, the end of a token, the end of a sentence; and whether it is a multiword token."""


class PieceNetwork(nn.Module):
    """Embeddings of pieces, a BiLSTM, and a layer that scores what a piece is."""

    def __init__(self, words: int, chunks: int, settings: TokenizerSettings) -> None:
        super().__init__()
        rows = {
            "word": (words + 1, settings.word),
            "chunk": (chunks + 1, settings.chunk),
            "shape": (_native.PIECE_SHAPES, SHAPE),
            "spaces": (_native.PIECE_SPACES, SPACES),
            "length": (_native.PIECE_LENGTHS, LENGTH),
        }
        self.names = tuple(rows)
        self.singles = nn.ParameterList(_small(*size) for size in rows.values())
        self.parts = _small(settings.ngrams, settings.part)
        width = sum(size[1] for size in rows.values()) + settings.part
        self.lstm = nn.LSTM(width, settings.units, bidirectional=True)
        for name, weight in self.lstm.named_parameters():
            if "weight" in name:
                nn.init.orthogonal_(weight)
            else:
                nn.init.zeros_(weight)
                if "bias_ih" in name:
                    nn.init.ones_(weight.data[settings.units : 2 * settings.units])  # forget gates start open
        self.output = nn.Linear(2 * settings.units, SCORES)
        self._rates = settings.input_dropout, settings.dropout

    def forward(
        self,
        single: Tensor,
        parts: Tensor,
        starts: Tensor,
        counts: Tensor,
        lengths: Sequence[int],
        hidden: Tensor | None = None,
    ) -> Tensor:
        """Returns the scores of pieces, concatenated over sequences, the longest first.

        Of `hidden` pieces, the BiLSTM sees nothing but that there is one.
        """
        embedded = [functional.embedding(single[:, place], table) for place, table in enumerate(self.singles)]
        summed = functional.embedding_bag(parts, self.parts, starts, mode="sum") / counts[:, None].sqrt()
        before, after = self._rates
        inputs = functional.dropout(torch.cat([*embedded, summed], dim=1), before, self.training)
        if hidden is not None:
            inputs = inputs.masked_fill(hidden[:, None], 0.0)
        packed = self.lstm(pack_sequence(list(torch.split(inputs, list(lengths)))))[0]
        read = functional.dropout(torch.cat(unpack_sequence(packed)), after, self.training)
        scores: Tensor = self.output(read)
        return scores

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns all weights by their names in the native core, in 16 bits."""
        found: dict[str, Tensor] = dict(zip(self.names, self.singles, strict=True)) | {"parts": self.parts}
        for number, end in enumerate(("l0", "l0_reverse")):
            weights = {name: getattr(self.lstm, f"{name}_{end}") for name in ("weight_ih", "weight_hh", "bias_ih")}
            found[f"lstm.{number}.input"] = weights["weight_ih"]
            found[f"lstm.{number}.recurrent"] = weights["weight_hh"]
            found[f"lstm.{number}.bias"] = weights["bias_ih"] + getattr(self.lstm, f"bias_hh_{end}")
        found |= linear_weights("output", self.output)
        with np.errstate(over="ignore"):  # the caller checks that all values are finite
            return {name: tensor.detach().numpy().astype(np.float16) for name, tensor in found.items()}


def _small(rows: int, columns: int) -> nn.Parameter:
    return nn.Parameter(torch.randn(rows, columns) * 0.3)
