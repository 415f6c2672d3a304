"""The training loop: epochs, scores, early stopping, checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from numpy.typing import NDArray

from multiplane.models import Epoch, Stored
from multiplane.training.checkpoint import Checkpoint, Progress

Arrays = dict[str, NDArray[Any]]


M = TypeVar("M", bound=Stored)
_M_co = TypeVar("_M_co", bound=Stored, covariant=True)
_M_contra = TypeVar("_M_contra", bound=Stored, contravariant=True)


class Schedule(Protocol):
    """The settings that the loop needs."""

    @property
    def epochs(self) -> int:
        """The maximum number of epochs."""

    @property
    def patience(self) -> int:
        """The number of epochs without a better score after which training stops; 0 for never."""


class Shares(Protocol):
    """Scores by the names of `Epoch`'s fields: a named tuple."""

    def _asdict(self) -> dict[str, Any]: ...


class Judge(Protocol[_M_contra]):
    """Development data that models are scored on."""

    def report(self, model: _M_contra, note: Callable[[str], None]) -> None:
        """Calls `note` with what the user should know before the first score."""

    def score(self, model: _M_contra) -> Shares:
        """Scores a model."""


class Learner(Protocol[_M_co]):
    """Protocol of a learner that trains in epochs."""

    def epoch(self, number: int, advance: Callable[[int], None]) -> tuple[float, float | None]:
        """Trains one epoch, reports sentences done to `advance`, and returns one or two error rates in percent."""

    def model(self) -> _M_co:
        """Returns the current model."""

    def model_of(self, weights: Arrays) -> _M_co:
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
class Outcome(Generic[M]):
    """The result of a training run."""

    model: M
    history: tuple[Epoch, ...]
    best: int
    interrupted: bool
    """Whether the user interrupted training; the model is then the best so far."""


def run(
    learner: Learner[M],
    settings: Schedule,
    dev: Judge[M] | None = None,
    checkpoint: Checkpoint | None = None,
    reporter: Reporter | None = None,
    resume: bool = False,
) -> Outcome[M]:
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


class _Loop(Generic[M]):
    def __init__(
        self,
        learner: Learner[M],
        settings: Schedule,
        dev: Judge[M] | None,
        checkpoint: Checkpoint | None,
        reporter: Reporter,
    ) -> None:
        self._learner, self._settings, self._dev = learner, settings, dev
        self._checkpoint, self._reporter = checkpoint, reporter
        self.history: tuple[Epoch, ...] = ()
        self._best: tuple[int, M] | None = None

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
        if not self.history and self._dev is not None:
            self._dev.report(model, self._reporter.note)
        epoch = Epoch(number, _rounded(error), None if label_error is None else _rounded(label_error))
        if self._dev is not None:
            shares: dict[str, Any] = self._dev.score(model)._asdict()
            known: dict[str, Any] = {name: _rounded(share) for name, share in shares.items() if share is not None}
            epoch = replace(epoch, **known)
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

    def outcome(self, interrupted: bool) -> Outcome[M]:
        assert self._best is not None
        return Outcome(self._best[1], self.history, self._best[0], interrupted)


def _rounded(value: float) -> float:
    """Rounds to the digits shown: a model's files must not depend on the last bits of a division."""
    return round(value, 4)
