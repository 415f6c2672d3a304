"""The averaged perceptron: greedy, with exploration and a dynamic oracle, or with a beam."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import ModelError, TrainingError
from multiplane.models import LinearModel, LinearWeights
from multiplane.models.linear import attributes_in, native_features
from multiplane.oracles.spec import has_dynamic_oracle, oracle_spec
from multiplane.training.config import Settings
from multiplane.training.data import TrainingData

CHUNK = 200
"""The number of sentences between checks for an interruption."""


class Perceptron:
    """Learns the weights of a linear model, epoch by epoch.

    >>> from multiplane import sample
    >>> from multiplane.training.data import prepare
    >>> settings = Settings(system="planar", features="planar")
    >>> learner = Perceptron(prepare([sample()], settings), settings)
    >>> errors = [learner.epoch(number)[0] for number in (1, 2, 3)]
    >>> errors[2] < errors[0]
    True
    >>> learner.model().kind
    'linear'
    """

    def __init__(self, data: TrainingData, settings: Settings) -> None:
        self._settings = settings
        self._data = data
        self._dynamic = is_dynamic(data, settings)
        self._prune = settings.prune_for(data.words)
        self._features = settings.feature_model(data.system)
        self._compiled = self._features.compile()
        self._native = _native.Perceptron(
            data.program,
            native_features(self._compiled, settings.bits),
            oracle_spec(data.system),
            len(data.vocabulary),
        )
        for corpus, heads, labels in zip(data.corpora, data.heads, data.labels, strict=True):
            attributes = attributes_in(self._compiled, corpus.dialect)
            self._native.add(corpus._text, corpus._index, attributes, heads, labels)

    def epoch(self, number: int, advance: Callable[[int], None] = lambda sentences: None) -> tuple[float, float | None]:
        """Trains one epoch in random order; returns the percentages of wrong transitions and labels.

        With a beam, it returns the percentage of wrong sentences, and None for labels.

        The order and random choices depend only on the seed and the number of the epoch.
        """
        settings = self._settings
        random = np.random.default_rng([settings.seed, number])
        order = random.permutation(self._data.usable)
        seed = int(random.integers(2**63))
        counts = np.zeros(5, np.int64)
        for begin in range(0, len(order), CHUNK):
            chunk = order[begin : begin + CHUNK]
            counts += self._native.train(
                chunk,
                seed=seed,
                dynamic=self._dynamic,
                exploration=settings.exploration if self._dynamic and number >= settings.explore_from else 0.0,
                margin=settings.margin,
                label_margin=settings.label_margin,
                regularized=settings.regularized,
                beam=beam_in(number, settings.beam),
                early_update=settings.update == "early",
                dropout=settings.dropout,
            )
            advance(len(chunk))
        steps, wrong, arcs, wrong_labels, _ = counts.tolist()
        return 100 * wrong / max(steps, 1), 100 * wrong_labels / arcs if arcs else None

    def model(self) -> LinearModel:
        """Returns the current model, with averaged weights."""
        return self.model_of(LinearWeights(*self._native.learner.freeze(self._prune)).in_order()._asdict())

    def model_of(self, weights: dict[str, NDArray[Any]]) -> LinearModel:
        """Returns a model with stored weights."""
        data, settings = self._data, self._settings
        return LinearModel(
            data.system,
            self._features,
            data.vocabulary,
            data.root_label,
            LinearWeights(**weights),
            settings.bits,
            settings.beam_of_model,
            data.codec,
        )

    def state(self) -> dict[str, NDArray[Any]]:
        """Returns the state for resuming training."""
        return state_of(self._native.learner)

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Restores a state."""
        restore_learner(self._native.learner, state)


def state_of(learner: _native.LinearLearner) -> dict[str, NDArray[Any]]:
    """Returns the state of a native learner for resuming training."""
    time, *rest = learner.state()
    arrays: list[NDArray[Any]] = rest  # type: ignore[assignment]  # mypy joins their types to object
    return {"time": np.array([time], np.float64)} | {f"state-{i}": array for i, array in enumerate(arrays)}


def restore_learner(learner: _native.LinearLearner, state: dict[str, NDArray[Any]]) -> None:
    """Restores the state of a native learner."""
    try:
        arrays = [state[f"state-{i}"] for i in range(len(state) - 1)]
        learner.restore(float(state["time"][0]), *arrays)
    except (KeyError, IndexError, TypeError, ValueError):
        raise ModelError("the checkpoint does not fit this training run; start again without --resume") from None


def beam_in(epoch: int, beam: int) -> int:
    """Returns the beam width in an epoch: to save time, a quarter in the first and a half in the second.

    >>> [beam_in(epoch, 8) for epoch in (1, 2, 3, 4)]
    [2, 4, 8, 8]
    """
    return beam if beam < 4 or epoch > 2 else -(-beam * epoch // 4)


def is_dynamic(data: TrainingData, settings: Settings) -> bool:
    """Whether training uses the dynamic oracle; raises `TrainingError` if it should and there is none."""
    if settings.oracle == "static" or settings.beam > 1:
        return False
    has_one = has_dynamic_oracle(data.system)
    if settings.oracle == "dynamic" and not has_one:
        raise TrainingError(f"{data.system.name} has no dynamic oracle; choose the static one")
    return has_one
