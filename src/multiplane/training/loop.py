"""The training loop: epochs, scores, early stopping, checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from multiplane.messages import counted
from multiplane.models import Epoch, Model
from multiplane.training.checkpoint import Checkpoint, Progress
from multiplane.training.neural_config import AnySettings
from multiplane.training.scoring import Development

Arrays = dict[str, NDArray[Any]]


class Learner(Protocol):
    """Protocol of a learner that trains in epochs."""

    def epoch(self, number: int, advance: Callable[[int], None]) -> tuple[float, float | None]:
        """Trains one epoch, reports sentences done to `advance`, and returns one or two error rates in percent."""

    def model(self) -> Model:
        """Returns the current model."""

    def model_of(self, weights: Arrays) -> Model:
        """Returns a model with stored weights."""

    def state(self) -> Arrays:
        """Returns the state for resuming training."""

    def restore(self, state: Arrays) -> None:
        """Restores a state."""


class Reporter:
    """Receives the progress of training and ignores it; the command line has one that prints."""

    def note(self, text: str) -> None:
        """Receives a message for the user."""

    def begin(self, epoch: int) -> None:
        """Called when an epoch starts."""

    def advance(self, sentences: int) -> None:
        """Called when more sentences are done."""

    def end(self, epoch: Epoch, seconds: float, is_best: bool) -> None:
        """Called when an epoch ends."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a training run."""

    model: Model
    history: tuple[Epoch, ...]
    best: int
    interrupted: bool
    """Whether the user interrupted training; the model is then the best so far."""


def run(
    learner: Learner,
    settings: AnySettings,
    dev: Development | None = None,
    checkpoint: Checkpoint | None = None,
    reporter: Reporter | None = None,
    resume: bool = False,
) -> Outcome:
    """Trains until the last epoch, until the development score stops improving, or until interrupted.

    An interruption during the first epoch leaves nothing to keep and is re-raised.
    """
    loop = _Loop(learner, settings, dev, checkpoint, reporter or Reporter())
    if resume and checkpoint is not None:
        loop.resume()
    try:
        while not loop.is_over:
            loop.epoch()
    except KeyboardInterrupt:
        if not loop.history:
            raise
        return loop.outcome(interrupted=True)
    return loop.outcome(interrupted=False)


class _Loop:
    def __init__(
        self,
        learner: Learner,
        settings: AnySettings,
        dev: Development | None,
        checkpoint: Checkpoint | None,
        reporter: Reporter,
    ) -> None:
        self._learner, self._settings, self._dev = learner, settings, dev
        self._checkpoint, self._reporter = checkpoint, reporter
        self.history: tuple[Epoch, ...] = ()
        self._best: tuple[int, Model] | None = None

    def resume(self) -> None:
        assert self._checkpoint is not None
        if not self._checkpoint.exists:
            self._reporter.note(f"{self._checkpoint.folder}: no checkpoint; training starts from scratch")
            return
        progress = self._checkpoint.load()
        self._learner.restore(dict(progress.state))
        self.history = progress.history
        self._best = progress.best, self._learner.model_of(dict(progress.weights))
        self._reporter.note(f"resuming after epoch {len(self.history)}")

    @property
    def is_over(self) -> bool:
        done = len(self.history)
        if done >= self._settings.epochs:
            return True
        patience = self._settings.patience
        return self._dev is not None and self._best is not None and 0 < patience <= done - self._best[0]

    def epoch(self) -> None:
        number = len(self.history) + 1
        began = time.monotonic()
        self._reporter.begin(number)
        error, label_error = self._learner.epoch(number, self._reporter.advance)
        model = self._learner.model()
        if not self.history:
            report_unseen(self._dev, model, self._reporter)
        epoch = Epoch(number, _rounded(error), None if label_error is None else _rounded(label_error))
        if self._dev is not None:
            scores = (None if share is None else _rounded(share) for share in self._dev.score(model))
            epoch = Epoch(epoch.number, epoch.error, epoch.label_error, *scores)
        is_best = self._is_best(epoch)
        best = (number, model) if is_best or self._best is None else self._best
        history = (*self.history, epoch)
        if self._checkpoint is not None:
            state = self._learner.state()
            self._checkpoint.save(Progress(history, best[0], state, best[1].contents().tensors))
        self.history, self._best = history, best
        self._reporter.end(epoch, time.monotonic() - began, is_best)

    def _is_best(self, epoch: Epoch) -> bool:
        if self._best is None or epoch.quality is None:
            return True
        before = self.history[self._best[0] - 1].quality
        return before is None or epoch.quality > before

    def outcome(self, interrupted: bool) -> Outcome:
        assert self._best is not None
        return Outcome(self._best[1], self.history, self._best[0], interrupted)


def report_unseen(dev: Development | None, model: Model, reporter: Reporter) -> None:
    """Reports labels of the development data that do not occur in the training data."""
    words, labels = (0, []) if dev is None else dev.unseen(model.names)
    if dev is None or not words:
        return
    shown = ", ".join(labels[:5]) + (", …" if len(labels) > 5 else "")
    kinds = f"{counted(len(labels), 'label')} ({shown})"
    reporter.note(
        f"{dev.corpus.name}: {counted(words, 'word')} with {kinds} not in the training data; they count as errors"
    )


def _rounded(value: float) -> float:
    """Rounds to the digits shown: a model's files must not depend on the last bits of a division."""
    return round(value, 4)
