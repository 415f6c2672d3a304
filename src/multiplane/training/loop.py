"""The training loop: epochs, scores, early stopping, checkpoints."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from numpy.typing import NDArray

from multiplane.messages import counted
from multiplane.models import Epoch, Model
from multiplane.training.checkpoint import Checkpoint, Progress
from multiplane.training.neural_config import AnySettings
from multiplane.training.scoring import Development

Arrays = dict[str, NDArray[Any]]


class Learner(Protocol):
    """What learns epoch by epoch."""

    def epoch(self, number: int, advance: Callable[[int], None]) -> tuple[float, float | None]:
        """One pass over the data; `advance` gets the sentences done. Returns one or two error rates, in percent."""

    def model(self) -> Model:
        """What was learnt so far."""

    def model_of(self, weights: Arrays) -> Model:
        """A model of weights that were stored."""

    def state(self) -> Arrays:
        """Everything that training goes on from."""

    def restore(self, state: Arrays) -> None:
        """Goes back to a state."""


class Reporter:
    """Receives the progress of training, and ignores it; the command line has one that prints."""

    def note(self, text: str) -> None:
        """Something that a user should know."""

    def begin(self, epoch: int) -> None:
        """An epoch begins."""

    def advance(self, sentences: int) -> None:
        """More sentences are done."""

    def end(self, epoch: Epoch, seconds: float, is_best: bool) -> None:
        """An epoch is over."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a training run."""

    model: Model
    history: tuple[Epoch, ...]
    best: int
    interrupted: bool
    """Whether the user stopped it; the model is then the best so far."""


def run(
    learner: Learner,
    settings: AnySettings,
    dev: Development | None = None,
    checkpoint: Checkpoint | None = None,
    reporter: Reporter | None = None,
    resume: bool = False,
) -> Outcome:
    """Trains until the last epoch, or until the development score stops rising, or until it is interrupted.

    An interruption before the first epoch is over leaves nothing to keep, and is passed on.
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
            self._reporter.note(f"{self._checkpoint.folder}: no checkpoint; training begins anew")
            return
        progress = self._checkpoint.load()
        self._learner.restore(dict(progress.state))
        self.history = progress.history
        self._best = progress.best, self._learner.model_of(dict(progress.weights))
        self._reporter.note(f"going on after epoch {len(self.history)}")

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
            tell_unseen(self._dev, model, self._reporter)
        epoch = Epoch(number, _rounded(error), None if label_error is None else _rounded(label_error))
        if self._dev is not None:
            uas, las, upos = self._dev.score(model)
            tagged = None if upos is None else _rounded(upos)
            epoch = replace(epoch, uas=_rounded(uas), las=_rounded(las), upos=tagged)
        is_best = self._is_best(epoch)
        best = (number, model) if is_best or self._best is None else self._best
        history = (*self.history, epoch)
        if self._checkpoint is not None:
            state = self._learner.state()
            self._checkpoint.save(Progress(history, best[0], state, best[1].contents().tensors))
        self.history, self._best = history, best
        self._reporter.end(epoch, time.monotonic() - began, is_best)

    def _is_best(self, epoch: Epoch) -> bool:
        if self._best is None or epoch.las is None:
            return True
        before = self.history[self._best[0] - 1].las
        return before is None or epoch.las > before

    def outcome(self, interrupted: bool) -> Outcome:
        assert self._best is not None
        return Outcome(self._best[1], self.history, self._best[0], interrupted)


def tell_unseen(dev: Development | None, model: Model, reporter: Reporter) -> None:
    """Notes which labels of the development data the training data does not have."""
    words, labels = (0, []) if dev is None else dev.unseen(model.names)
    if dev is None or not words:
        return
    shown = ", ".join(labels[:5]) + (", …" if len(labels) > 5 else "")
    kinds = f"{counted(len(labels), 'label')} ({shown})"
    reporter.note(
        f"{dev.corpus.name}: {counted(words, 'word')} with {kinds} that the training data does not have; "
        "they count as errors"
    )


def _rounded(value: float) -> float:
    """As many digits as are shown: a model's files must not depend on the last bits of a division."""
    return round(value, 4)
