"""The layer that predicts a column of tags."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

_SHORT = 4
"""Tags of the same length are positional, such as `n-s---mn-`, unless they are this short."""


class Tagger(nn.Module):
    """Scores the values of a column: each as a whole, and by its parts, which rare values share with others.

    Both are linear, so that the native core only needs their sum.
    """

    _has: Tensor

    def __init__(self, inputs: int, parts: NDArray[np.float32]) -> None:
        super().__init__()
        values, count = parts.shape
        self.wholes = nn.Linear(inputs, values)
        nn.init.xavier_uniform_(self.wholes.weight)
        nn.init.zeros_(self.wholes.bias)
        self.parts = nn.Parameter(torch.zeros(count, inputs))
        self.register_buffer("_has", torch.from_numpy(parts), persistent=False)

    @property
    def weight(self) -> Tensor:
        """The weights of the values, with those of their parts."""
        return self.wholes.weight + self._has @ self.parts

    @property
    def bias(self) -> Tensor:
        """The biases of the values."""
        return self.wholes.bias

    def forward(self, encoded: Tensor) -> Tensor:
        """Returns the scores of all values for words."""
        return functional.linear(encoded, self.weight, self.bias)


def parts_of_values(values: Sequence[str]) -> NDArray[np.float32]:
    """Returns which values have which parts: what is between bars, or each character of positional tags.

    >>> parts_of_values(["Case=Nom|Number=Sing", "Case=Nom", "_"])
    array([[1., 1.],
           [1., 0.],
           [0., 0.]], dtype=float32)
    >>> parts_of_values(["NOUN", "VERB", "X"]).shape
    (3, 0)
    >>> parts_of_values(["n-s---mn-", "n-p---mn-"]).shape
    (2, 10)
    """
    is_positional = len(values[0]) > _SHORT and len(set(map(len, values))) == 1
    rows: list[list[Any]]
    if any("|" in value for value in values):
        rows = [[] if value == "_" else value.split("|") for value in values]
    else:
        rows = [list(enumerate(value)) if is_positional else [] for value in values]
    place = {part: number for number, part in enumerate(dict.fromkeys(part for row in rows for part in row))}
    found = np.zeros((len(values), len(place)), np.float32)
    for number, row in enumerate(rows):
        found[number, [place[part] for part in row]] = 1
    return found
