"""Pretrained transformers as encoders of neural parsers: files and word vectors.

An encoder is stored in Hugging Face format: config.json, model.safetensors and tokenizer.json. It runs with torch and
transformers, which are optional. Nothing is downloaded, and no code from model files is run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import MissingExtraError, ModelError
from multiplane.models.integrity import read_text
from multiplane.models.tensors import read_tensors

if TYPE_CHECKING:
    from multiplane.models.transformer import Subwords, Transformer

FOLDER = "encoder"
"""The folder of an encoder within that of a model."""
PREFIX = f"{FOLDER}/"
"""The prefixes of the encoder's weights and files in a model."""
CONFIG, TOKENIZER, WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"
MOST_BYTES = {CONFIG: 1 << 20, TOKENIZER: 1 << 27}
"""Far more than any encoder needs, but small enough to read."""
_EXTRAS = ("torch", "transformers", "tokenizers")


@dataclass(frozen=True, eq=False)
class Encoder:
    """A transformer that returns a vector for every word of a sentence."""

    config: str
    """config.json."""
    tokenizer: str
    """tokenizer.json."""
    weights: dict[str, NDArray[Any]] = field(repr=False)
    """The weights of the transformer, by their names in the transformers library, and of the mix of layers."""

    def __post_init__(self) -> None:
        self._network  # noqa: B018 - wrong weights are refused at once
        self.subwords  # noqa: B018

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the files."""
        return {"config": self.config, "tokenizer": self.tokenizer, "weights": self.weights}

    @cached_property
    def _network(self) -> Transformer:
        network: Transformer = transformers().Transformer(self.config, self.weights)
        return network.eval()

    @cached_property
    def subwords(self) -> Subwords:
        """Splits words into subwords."""
        found: Subwords = transformers().Subwords(self.tokenizer, self._network)
        return found

    @property
    def width(self) -> int:
        """The width of the vectors."""
        return self._network.width

    def rows(self, forms: Sequence[str], lengths: NDArray[np.int64]) -> NDArray[np.float32]:
        """Returns a vector for each word of sentences of these lengths, as rows."""
        found: NDArray[np.float32] = transformers().rows_of(self._network, self.subwords, forms, lengths)
        if not np.isfinite(found.sum(dtype=np.float64)):
            raise ModelError("the encoder returned a number that is not finite; train the model again")
        return found

    def files(self) -> dict[str, str]:
        """Returns all files except the weights, by their names in a model directory."""
        return {PREFIX + CONFIG: self.config, PREFIX + TOKENIZER: self.tokenizer}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the weights by their names in a model."""
        return {PREFIX + name: array for name, array in self.weights.items()}

    @staticmethod
    def of(files: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> Encoder:
        """Returns the encoder of a model, from its files and weights."""
        try:
            config, tokenizer = files[PREFIX + CONFIG], files[PREFIX + TOKENIZER]
        except KeyError as error:
            raise ModelError(f"the model has no {error.args[0]}") from None
        return Encoder(config, tokenizer, within(arrays))


def within(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Returns the weights of a model that belong to its encoder.

    >>> list(within({"label": np.zeros(1), "encoder/mix": np.zeros(2)}))
    ['mix']
    """
    return {name.removeprefix(PREFIX): array for name, array in arrays.items() if name.startswith(PREFIX)}


def without(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Returns the weights of a model without those of its encoder.

    >>> list(without({"label": np.zeros(1), "encoder/mix": np.zeros(2)}))
    ['label']
    """
    return {name: array for name, array in arrays.items() if not name.startswith(PREFIX)}


def transformers() -> Any:
    """Imports the module that needs torch and transformers, which are optional."""
    try:
        return import_module("multiplane.models.transformer")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _EXTRAS:
            raise
        raise MissingExtraError(
            f"pretrained encoders need torch and transformers, but {error.name} is not installed; "
            "install them with: pip install 'multiplane[encoder]'"
        ) from None


def read_encoder(path: str) -> Encoder:
    """Reads a pretrained encoder from a folder in Hugging Face format, to be fine-tuned."""
    folder = Path(path)
    if not (folder / CONFIG).is_file():
        raise ModelError(f"{path}: is not a transformer in Hugging Face format: it has no {CONFIG}")
    if not (folder / WEIGHTS).is_file():
        raise ModelError(
            f"{path}: has no {WEIGHTS}; sharded weights are not supported, and pickled ones "
            "(pytorch_model.bin) could run code; save the model again with transformers: "
            "AutoModel.from_pretrained(...).save_pretrained(...)"
        )
    if not (folder / TOKENIZER).is_file():
        raise ModelError(
            f"{path}: has no {TOKENIZER}; save the tokenizer with transformers: "
            "AutoTokenizer.from_pretrained(...).save_pretrained(...)"
        )
    config, tokenizer = (read_text(folder / name, MOST_BYTES[name]) for name in (CONFIG, TOKENIZER))
    arrays, _ = read_tensors(folder / WEIGHTS)
    try:
        config = transformers().plain_config(config)
        return Encoder(config, tokenizer, transformers().fitting(config, arrays))
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from None


def table_of(text: str, name: str) -> dict[str, Any]:
    """Parses a JSON object.

    >>> table_of('{"a": 1}', "config.json")
    {'a': 1}
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{name}: not well-formed JSON: {error}") from None
    if not isinstance(found, dict):
        raise ModelError(f"{name}: not an object")
    return found
