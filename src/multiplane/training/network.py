"""The network of a neural parser, in PyTorch; the native core reimplements it for parsing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from multiplane.models.architecture import Architecture
from multiplane.models.encoder import PREFIX
from multiplane.models.neural import in_bytes
from multiplane.training.bilstm import bilstm
from multiplane.training.layers import Dropouts, Layers, LayerSizes, linear_weights
from multiplane.training.tagger import Tagger

if TYPE_CHECKING:
    from multiplane.models.transformer import Transformer
    from multiplane.training.semantic_network import SemanticNetwork

NONE, ROOT, FIRST = 0, 1, 2
"""Rows of tables: no node, the artificial root, the first word."""
_LEMMA_WIDTH = 128
"""The width of the layer below edit scripts: they can be thousands, so that a whole layer would be slow."""


@dataclass(frozen=True, eq=False)
class WordTypes:
    """The type of each word of a corpus, and the types as vocabulary indices."""

    words: NDArray[np.int32]
    single: NDArray[np.int32]
    """Types x channels."""
    bag: NDArray[np.int32]
    bag_ends: NDArray[np.int32]
    characters: NDArray[np.int32]
    character_ends: NDArray[np.int32]
    affixes: NDArray[np.int32]
    affix_ends: NDArray[np.int32]


class Batch(NamedTuple):
    """A batch of sentences, the longest first."""

    order: NDArray[np.int64]
    """The indices of the sentences."""
    lengths: NDArray[np.int64]
    words: NDArray[np.int64]
    """The indices of all words in the corpus, concatenated over sentences."""


@dataclass(frozen=True)
class Sizes:
    """The sizes of vocabularies and layers."""

    singles: tuple[tuple[int, int], ...]
    """For channels with one index per word: the vocabulary size and the embedding width."""
    bag: int
    characters: int
    affixes: int
    transitions: int
    labels: int
    slots: int
    features: int
    tags: tuple[NDArray[np.float32], ...] = ()
    """For each predicted column, which values have which parts (see `parts_of_values`)."""
    scripts: int = 0
    """The number of edit scripts that make lemmas; 0 if the network does not predict lemmas."""
    encoder: int = 0
    """The width of a pretrained encoder's vectors."""


class Encoded(NamedTuple):
    """The output of the BiLSTM for words, concatenated over sentences."""

    top: Tensor
    lowest: Tensor
    """The output of the first layer."""
    words: Tensor
    """Its input: the vectors of words by themselves."""


class Network(Layers):
    """Embeddings, BiLSTM, and classifiers for transitions, labels, heads and tags."""

    def __init__(self, shape: Architecture, sizes: Sizes, dropouts: Dropouts) -> None:
        super().__init__()
        self.shape, self.sizes, self.dropouts = shape, sizes, dropouts
        self.semantics: SemanticNetwork | None = None  # what a joint parser has beside
        self.encoder: Transformer | None = None
        self.in_half = False  # whether the BiLSTM computes with bfloat16
        self.embeddings = nn.ParameterList(_small(size + 1, width) for size, width in sizes.singles)
        total = sum(width for _, width in sizes.singles)
        self.bag: nn.Parameter | None = None
        if sizes.bag:
            self.bag = _small(sizes.bag + 1, shape.tag)
            total += shape.tag
        self.characters: nn.Embedding | None = None
        if shape.characters:
            self.characters = nn.Embedding(sizes.characters + 3, shape.character, padding_idx=0)
            self.convolution = nn.Conv1d(shape.character, shape.characters, 3, padding=1)
            total += shape.characters
        self.affixes: nn.Parameter | None = None
        if sizes.affixes:
            self.affixes = nn.Parameter(torch.randn(sizes.affixes, shape.affixes) * 0.1)
            total += shape.affixes
        total += sizes.encoder
        self.width = total
        self.lstm = nn.ParameterList()
        for layer in range(shape.layers):
            width = total if layer == 0 else 2 * shape.units
            for _ in range(2):
                self.lstm.append(_orthogonal(4 * shape.units, width))
                self.lstm.append(_orthogonal(4 * shape.units, shape.units))
                bias = torch.zeros(4 * shape.units)
                bias[shape.units : 2 * shape.units] = 1.0  # forget gates start open
                self.lstm.append(nn.Parameter(bias))
        top = 2 * shape.units
        self._add_layers(shape, LayerSizes(top, sizes.transitions, sizes.labels, sizes.slots, sizes.features))
        if shape.arc:
            self.arc_head = nn.Linear(top, shape.arc)
            self.arc_dependent = nn.Linear(top, shape.arc)
            self.arc_root = nn.Parameter(torch.randn(shape.arc) * 0.1)
            self.arc = nn.Parameter(torch.zeros(shape.arc, shape.arc))
            self.arc_bias = nn.Parameter(torch.zeros(shape.arc))
            nn.init.orthogonal_(self.arc)
        self.taggers = nn.ModuleList(Tagger(top, parts) for parts in sizes.tags)
        # In training, the lowest layer predicts tags too, which makes syntax easier to learn in the layers above.
        self.low_taggers = nn.ModuleList(Tagger(top, parts) for parts in sizes.tags if shape.layers > 1)
        # Morphology is mostly a matter of the word itself, which the BiLSTM mixes with its context.
        self.tag_hidden: nn.Linear | None = None
        self.word_taggers = nn.ModuleList()
        if shape.tag_hidden and sizes.tags:
            self.tag_hidden = nn.Linear(total, shape.tag_hidden)
            self.word_taggers += [Tagger(shape.tag_hidden, parts) for parts in sizes.tags]
        self._start_layers(*([] if self.tag_hidden is None else [self.tag_hidden]))
        self.lemma_layers = nn.ModuleList()
        if sizes.scripts:
            # The spelling of a word matters more to its lemma than to the sentence; so it is seen directly, too.
            self.lemma_layers += [nn.Linear(top + total, _LEMMA_WIDTH), nn.Linear(_LEMMA_WIDTH, sizes.scripts)]
            self._start_layers(*self.lemma_layers)

    def tag_scores(self, encoded: Encoded) -> list[tuple[Tensor, ...]]:
        """Returns the scores of the values of every predicted column, from the top and the lowest layer."""
        found: list[Tensor] = [tagger(encoded.top) for tagger in self.taggers]
        if self.tag_hidden is not None:
            own = torch.relu(self.tag_hidden(encoded.words))
            own = functional.dropout(own, self.dropouts.hidden, self.training)
            found = [scores + tagger(own) for scores, tagger in zip(found, self.word_taggers, strict=True)]
        if not self.low_taggers:
            return [(scores,) for scores in found]
        return [(scores, low(encoded.lowest)) for scores, low in zip(found, self.low_taggers, strict=True)]

    def script_scores(self, encoded: Encoded) -> Tensor:
        """Returns the scores of edit scripts."""
        hidden, output = self.lemma_layers
        active = torch.relu(hidden(torch.cat([encoded.top, encoded.words], dim=1)))
        scores: Tensor = output(functional.dropout(active, self.dropouts.hidden, self.training))
        return scores

    @torch.no_grad()
    def set_vectors(self, channel: int, vectors: NDArray[np.float32]) -> None:
        """Sets frozen vectors for a channel; unknown words get 0."""
        weight = self.embeddings[channel]
        weight.requires_grad_(False)
        weight[0] = 0
        weight[1:] = torch.from_numpy(vectors)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns all weights by their names in the native core, in 16 bits, or 8 bits for pretrained vectors."""
        shape = self.shape
        found: dict[str, Tensor] = {f"embedding.{i}": each for i, each in enumerate(self.embeddings)}
        if self.bag is not None:
            found["bag"] = self.bag
        if self.characters is not None:
            found |= {"characters": self.characters.weight} | linear_weights("convolution", self.convolution)
        if self.affixes is not None:
            found["affixes"] = self.affixes
        for place, weight in enumerate(self.lstm):
            found[f"lstm.{place // 3}.{('input', 'recurrent', 'bias')[place % 3]}"] = weight
        found |= self.layer_weights()
        if shape.arc:
            found |= linear_weights("arc.head", self.arc_head) | linear_weights("arc.dependent", self.arc_dependent)
            found |= {"arc.root": self.arc_root, "arc": self.arc.T, "arc.bias": self.arc_bias}
        for place, tagger in enumerate(self.taggers):
            assert isinstance(tagger, Tagger)
            found |= {f"tagger.{place}": tagger.weight, f"tagger.{place}.bias": tagger.bias}
        if self.tag_hidden is not None:
            found |= linear_weights("tag.hidden", self.tag_hidden)
        for place, tagger in enumerate(self.word_taggers):
            assert isinstance(tagger, Tagger)
            found[f"tagger.{place}.word"] = tagger.weight
            found[f"tagger.{place}.bias"] = found[f"tagger.{place}.bias"] + tagger.bias
        for name, layer in zip(("lemma.hidden", "lemma"), self.lemma_layers, strict=False):
            assert isinstance(layer, nn.Linear)
            found |= linear_weights(name, layer)
        arrays = {name: tensor.detach().numpy() for name, tensor in found.items()} | self.deciding()
        stored: dict[str, NDArray[Any]] = {}
        for name, array in arrays.items():
            frozen = name.startswith("embedding.") and not found[name].requires_grad
            with np.errstate(over="ignore"):  # the caller checks that all values are finite
                stored |= in_bytes(name, array) if frozen else {name: array.astype(np.float16)} if array.size else {}
        if self.encoder is not None:
            stored |= {f"{PREFIX}{name}": array for name, array in self.encoder.arrays().items()}
        if self.semantics is not None:
            stored |= {f"semantic.{name}": array for name, array in self.semantics.arrays().items()}
        return stored

    def inputs(
        self, types: Tensor, words: WordTypes, unknown: Sequence[Tensor | None], rows: Tensor | None = None
    ) -> Tensor:
        """Returns the input vectors of the BiLSTM; `unknown` masks words as unknown, per channel.

        `rows` are the encoder's vectors. These are never dropped as a whole: the others only add to them.
        """
        types_here, inverse = torch.unique(types, return_inverse=True)
        numbers = types_here.numpy()
        parts: list[Tensor] = []
        for channel, embedding in enumerate(self.embeddings):
            ids = torch.from_numpy(words.single[numbers, channel].astype(np.int64))[inverse]
            hidden = unknown[channel]
            parts.append(functional.embedding(ids if hidden is None else ids.masked_fill(hidden, 0), embedding))
        if self.bag is not None:
            flat, offsets = _ragged(words.bag, words.bag_ends, numbers)
            parts.append(functional.embedding_bag(flat, self.bag, offsets, mode="sum")[inverse])
        if self.characters is not None:
            parts.append(self._spelled(words, numbers)[inverse])
        if self.affixes is not None:
            flat, offsets = _ragged(words.affixes, words.affix_ends, numbers)
            parts.append(functional.embedding_bag(flat, self.affixes, offsets, mode="sum")[inverse])
        return torch.cat([*self._dropped(parts), *([] if rows is None else [rows])], dim=1)

    def _spelled(self, words: WordTypes, numbers: NDArray[np.int64]) -> Tensor:
        """Returns the character-based vectors of types: a convolution with max pooling."""
        assert self.characters is not None
        begins = np.where(numbers > 0, words.character_ends[numbers - 1], 0)
        counts = words.character_ends[numbers] - begins
        longest = int(counts.max()) + 2
        # 0 is padding, 1 marks both ends, 2 is unknown; the characters follow
        ids = np.zeros((len(numbers), longest), np.int64)
        places = np.arange(longest)[None, :]
        inside = (places >= 1) & (places <= counts[:, None])
        flat = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(begins, counts)
        ids[inside] = words.characters[flat] + 2
        ids[:, 0] = 1
        ids[np.arange(len(numbers)), counts + 1] = 1
        known = torch.from_numpy(ids)
        found = self.convolution(self.characters(known).transpose(1, 2))
        found = found.masked_fill((known == 0)[:, None, :], -torch.inf)
        return torch.relu(found.max(dim=2).values)

    def _dropped(self, parts: list[Tensor]) -> list[Tensor]:
        """Drops whole embeddings and rescales the others."""
        rate = self.dropouts.embedding
        if not self.training or rate <= 0:
            return parts
        kept = (torch.rand(len(parts), len(parts[0]), 1) >= rate).float()
        scale = len(parts) / kept.sum(dim=0).clamp(min=1)
        return [part * mask * scale for part, mask in zip(parts, kept, strict=True)]

    def encode(self, inputs: Tensor, lengths: NDArray[np.int64]) -> Encoded:
        """Applies the BiLSTM to concatenated sentences, the longest first."""
        packing, sizes, sentence = _packing(lengths)
        data = lowest = inputs[packing]
        sentences = len(lengths)
        for layer in range(self.shape.layers):
            data = data * self._mask(sentences, data.shape[1], self.dropouts.lstm)[sentence] if self.training else data
            weights = list(self.lstm[6 * layer : 6 * layer + 6])
            for place in (1, 4):
                weights[place] = functional.dropout(weights[place], self.dropouts.recurrent, self.training)
            data = bilstm(data, sizes, weights, half=self.in_half and self.training)
            lowest = data if layer == 0 else lowest
        if self.training:
            data = data * self._mask(sentences, data.shape[1], self.dropouts.lstm)[sentence]
        back = torch.argsort(packing)
        return Encoded(data[back], lowest[back], inputs)

    def _mask(self, rows: int, width: int, rate: float) -> Tensor:
        return (torch.rand(rows, width) >= rate).float() / (1 - rate)

    def head_scores(self, encoded: Tensor, lengths: NDArray[np.int64]) -> Tensor:
        """Returns the scores of the root and every word as the head of each word, per sentence, padded with -inf."""
        rate = self.dropouts.hidden if self.training else 0.0
        heads = functional.dropout(torch.relu(self.arc_head(encoded)), rate)
        dependents = functional.dropout(torch.relu(self.arc_dependent(encoded)), rate)
        sentence, place = places_of(lengths)
        longest = int(lengths.max())
        all_heads = heads.new_zeros(len(lengths), longest + 1, self.shape.arc)
        all_heads[sentence, place + 1] = heads
        all_heads[:, 0] = self.arc_root
        all_dependents = heads.new_zeros(len(lengths), longest, self.shape.arc)
        all_dependents[sentence, place] = dependents
        scores = (all_dependents @ self.arc + self.arc_bias) @ all_heads.transpose(1, 2)
        beyond = torch.arange(longest + 1)[None, :] > torch.from_numpy(lengths)[:, None]
        own = torch.eye(longest, longest + 1, dtype=torch.bool).roll(1, 1)
        return scores.masked_fill(beyond[:, None, :] | own[None], -torch.inf)


def flat_odds(scores: Tensor, lengths: NDArray[np.int64]) -> NDArray[np.float32]:
    """Returns the probabilities of heads, concatenated over sentences without padding."""
    odds = torch.softmax(scores, dim=2).numpy()
    return np.concatenate([odds[i, :n, : n + 1].reshape(-1) for i, n in enumerate(lengths.tolist())])


def _small(rows: int, columns: int) -> nn.Parameter:
    return nn.Parameter(torch.randn(rows, columns) * 0.3)


def _orthogonal(rows: int, columns: int) -> nn.Parameter:
    return nn.Parameter(nn.init.orthogonal_(torch.empty(rows, columns)))


def places_of(lengths: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
    """Returns the sentence of each word and its position in it, for concatenated sentences."""
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(sentence)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return torch.from_numpy(sentence), torch.from_numpy(place)


def _packing(lengths: NDArray[np.int64]) -> tuple[Tensor, list[int], Tensor]:
    """Returns the word order of PyTorch's packed sequences (all first words first), batch sizes, and sentences."""
    sentence, place = places_of(lengths)
    order = np.lexsort((sentence.numpy(), place.numpy()))
    sizes = np.bincount(place.numpy())
    return torch.from_numpy(order), sizes.tolist(), sentence[torch.from_numpy(order)]


def _ragged(values: NDArray[np.int32], ends: NDArray[np.int32], rows: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
    """Returns the concatenated values of some rows, and where each row starts."""
    begins = np.where(rows > 0, ends[rows - 1], 0)
    counts = ends[rows] - begins
    starts = np.cumsum(counts) - counts
    flat = np.arange(counts.sum()) - np.repeat(starts, counts) + np.repeat(begins, counts)
    return torch.from_numpy(values[flat].astype(np.int64)), torch.from_numpy(starts.astype(np.int64))
