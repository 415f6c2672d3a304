"""Trains tokenizers on treebanks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from multiplane.errors import TrainingError
from multiplane.models.neural import is_finite
from multiplane.models.tokenizer import TokenizerModel
from multiplane.training.averaged import Averaged
from multiplane.training.tokenizer_config import TokenizerSettings
from multiplane.training.tokenizer_data import CHUNK, PARTS_BESIDE, SPACES, Sequences, TokenizerData, sequences
from multiplane.training.tokenizer_network import PieceNetwork


class TokenizerLearner:
    """Learns the weights of a tokenizer, epoch by epoch.

    >>> from multiplane import sample
    >>> from multiplane.training.tokenizer_data import prepare
    >>> settings = TokenizerSettings(epochs=3).for_words(714)
    >>> learner = TokenizerLearner(prepare([sample()], settings), settings)
    >>> errors = [learner.epoch(number)[0] for number in (1, 2, 3)]
    >>> errors[2] < errors[0]
    True
    """

    def __init__(self, data: TokenizerData, settings: TokenizerSettings) -> None:
        self._data, self._settings = data, settings
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        network = PieceNetwork(len(data.lexicon.words), len(data.lexicon.chunks), settings)
        steps = settings.epochs * len(self._batches(self._sequences(1).lengths, np.random.default_rng(0)))
        self._training = Averaged(network, settings, steps)
        rate = settings.word_dropout
        self._masking = [
            torch.from_numpy(np.concatenate([[0.0], rate / (rate + counts)]).astype(np.float32))
            for counts in data.counts
        ]

    def _sequences(self, epoch: int) -> Sequences:
        random = np.random.default_rng([self._settings.seed, epoch])
        return sequences(self._data.groups(random, self._settings), self._data.lexicon)

    def _batches(self, lengths: NDArray[np.int64], random: np.random.Generator) -> list[NDArray[np.int64]]:
        """Groups sequences of similar length into batches, in random order."""
        order = np.argsort(lengths * random.uniform(0.8, 1.2, len(lengths)), kind="stable")
        number = (np.cumsum(lengths[order]) - 1) // self._settings.batch
        batches = np.split(order, np.flatnonzero(np.diff(number)) + 1)
        return [batches[place] for place in random.permutation(len(batches))]

    def epoch(self, number: int, advance: Callable[[int], None] = lambda sentences: None) -> tuple[float, float | None]:
        """Trains one epoch; returns the percentage of pieces that were wrong.

        The paragraphs, their order and random choices depend only on the seed and the number of the epoch.
        """
        torch.manual_seed(hash((self._settings.seed, number)))
        found = self._sequences(number)
        self._training.network.train()
        pieces = wrong = done = 0
        sentences = sum(map(len, self._data.sentences))
        for order in self._batches(found.lengths, np.random.default_rng([self._settings.seed, number, 1])):
            lengths = found.lengths[order]
            wrong += self._learn(found, order[np.argsort(-lengths, kind="stable")])
            pieces += int(lengths.sum())
            advance(sentences * pieces // len(found.boundary) - done)
            done = sentences * pieces // len(found.boundary)
        return 100 * wrong / max(pieces, 1), None

    def _learn(self, found: Sequences, order: NDArray[np.int64]) -> int:
        """Runs one training step; returns the number of wrong pieces."""
        lengths = found.lengths[order]
        rows = _ragged(np.cumsum(found.lengths)[order] - lengths, lengths)
        hidden = torch.rand(len(rows)) < (self._settings.hide or 0.0)
        single, *parts = inputs(found, rows, hidden.numpy())
        scores = self._training.network(self._masked(single), *parts, lengths.tolist(), hidden)
        boundary = torch.from_numpy(found.boundary[rows])
        multiword = torch.from_numpy(found.multiword[rows])
        ending = (multiword >= 0) & ~hidden  # context says where tokens end, but not which tokens are several words
        loss = functional.cross_entropy(scores[:, :3], boundary, reduction="sum")
        loss = loss + self._settings.multiword_weight * functional.binary_cross_entropy_with_logits(
            scores[ending, 3], multiword[ending].float(), reduction="sum"
        )
        self._training.step(loss / len(rows))
        return int((scores.detach()[:, :3].argmax(1) != boundary).sum())

    def _masked(self, single: Tensor) -> Tensor:
        """Masks some words and chunks as unknown, rare ones more often."""
        for channel, chances in enumerate(self._masking):
            single[torch.rand(len(single)) < chances[single[:, channel]], channel] = 0
        return single

    def model(self) -> TokenizerModel:
        """Returns the current model, with averaged weights."""
        weights = self._training.averaged.arrays()
        if not all(map(is_finite, weights.values())):
            raise TrainingError("training diverged: the weights are no longer finite; choose a lower learning rate")
        return self.model_of(weights)

    def model_of(self, weights: dict[str, NDArray[Any]]) -> TokenizerModel:
        """Returns a model with stored weights."""
        data = self._data
        learned, tokens = data.multiwords, self._settings.tokens
        multiwords = learned.exceptions, learned.rules
        return TokenizerModel(data.lexicon, *multiwords, data.spaces_inside, weights, tokens=tokens, joints=data.joints)

    def state(self) -> dict[str, NDArray[Any]]:
        """Returns the state for resuming training."""
        return self._training.state()

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Restores a state."""
        self._training.restore(state)


def inputs(found: Sequences, rows: NDArray[np.int64], hidden: NDArray[np.bool_]) -> tuple[Tensor, ...]:
    """Returns what the network reads of pieces: single numbers, parts, and where those start and how many they are.

    A piece beside a hidden one, without a space between, does not tell what that is.
    """
    single = found.single[rows]
    spaces = single[:, SPACES]
    beside = np.zeros(len(rows), bool)
    beside[1:] |= hidden[:-1] & (spaces[1:] % 2 == 0)
    beside[:-1] |= hidden[1:] & (spaces[:-1] < 2)
    single[beside, CHUNK] = 0
    starts = np.where(rows > 0, found.part_ends[rows - 1], 0)
    counts = found.part_ends[rows] - starts - np.where(beside, PARTS_BESIDE[spaces], 0)
    parts = found.parts[_ragged(starts, counts)]
    arrays = single, parts, np.cumsum(counts) - counts, counts.astype(np.float32)
    return tuple(map(torch.from_numpy, arrays))


def _ragged(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the places of ragged rows, one after another."""
    places: NDArray[np.int64] = np.arange(counts.sum()) + np.repeat(starts - (np.cumsum(counts) - counts), counts)
    return places
