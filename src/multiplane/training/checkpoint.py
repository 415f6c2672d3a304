"""Checkpoints, from which a training run can resume after any interruption.

A checkpoint is a folder with two files. `last.safetensors` contains the state after the last epoch and is replaced
atomically. The weights of the best epoch are in a separate file, which is written before the other one refers to it.
Both are sealed with a digest, so that training never resumes from a damaged file.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from multiplane.errors import InputError, ModelError, TrainingError
from multiplane.formats import writing
from multiplane.formats.stream import failing
from multiplane.models import Epoch
from multiplane.models.record import Setting, epoch_of
from multiplane.models.tensors import read_tensors, write_tensors

Arrays = Mapping[str, NDArray[Any]]
_LAST = "last.safetensors"


@dataclass(frozen=True, eq=False)
class Progress:
    """The progress of a training run."""

    history: tuple[Epoch, ...]
    best: int
    state: Arrays
    """The learner's state."""
    weights: Arrays
    """The weights of the best epoch."""


class Checkpoint:
    """The checkpoint of a training run with given settings and data."""

    def __init__(
        self, folder: str | os.PathLike[str], settings: Mapping[str, Setting], data: str, prefix: str = ""
    ) -> None:
        check_checkpoint(folder)
        self.folder = Path(folder)
        self._settings = dict(settings)
        self._data = data
        self._prefix = prefix  # of the names of settings in messages

    @property
    def exists(self) -> bool:
        """Whether there is a checkpoint to resume from."""
        return has_checkpoint(self.folder)

    def save(self, progress: Progress) -> None:
        """Writes the checkpoint; a complete one exists at all times."""
        with failing(os.fspath(self.folder)):
            self.folder.mkdir(exist_ok=True)
        best = self._best(progress.best)
        if not best.exists() or progress.best == len(progress.history):
            with writing(best) as file:
                write_tensors(progress.weights, file, sealed=True)
        about = {
            "settings": self._settings,
            "data": self._data,
            "best": progress.best,
            "history": [asdict(epoch) for epoch in progress.history],
        }
        with writing(self.folder / _LAST) as file:
            write_tensors(progress.state, file, json.dumps(about), sealed=True)
        for other in self.folder.glob("best-*.safetensors"):
            if other != best:
                other.unlink()

    def load(self) -> Progress:
        """Loads the progress; raises `TrainingError` if settings or data have changed."""
        state, text = read_tensors(self.folder / _LAST, sealed=True)
        try:
            about = json.loads(text)
            history = tuple(epoch_of(epoch) for epoch in about["history"])
            settings, data, best = about["settings"], about["data"], about["best"]
        except (ValueError, KeyError, TypeError):
            raise ModelError(f"{self.folder / _LAST}: not a checkpoint; remove the folder and start again") from None
        self._check(settings, data)
        return Progress(history, best, state, read_tensors(self._best(best), sealed=True)[0])

    def _check(self, settings: dict[str, Setting], data: str) -> None:
        for name in sorted({*settings, *self._settings}):
            before, now = (table.get(name, "not set") for table in (settings, self._settings))
            if before != now:
                raise TrainingError(
                    f"{self.folder}: was made with {self._prefix}{name} {before}, not {now}; "
                    "use the same settings, or start again without --resume"
                )
        if data != self._data:
            raise TrainingError(
                f"{self.folder}: was made with other training or development data; "
                "use the same files, or start again without --resume"
            )

    def _best(self, epoch: int) -> Path:
        return self.folder / f"best-{epoch}.safetensors"


def check_checkpoint(folder: str | os.PathLike[str]) -> None:
    """Raises `InputError` if a path exists but is not a checkpoint, which training would overwrite.

    >>> check_checkpoint("no-such-folder")
    """
    path = Path(folder)
    if not path.exists():
        return
    if not path.is_dir() or any(each.suffix not in (".safetensors", ".tmp") for each in path.iterdir()):
        raise InputError(f"{path}: is not a checkpoint folder; move it")


def has_checkpoint(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder contains a checkpoint to resume from, whatever run it belongs to.

    >>> has_checkpoint("no-such-folder")
    False
    """
    return Path(folder, _LAST).exists()


def remove_checkpoint(folder: str | os.PathLike[str]) -> None:
    """Removes a checkpoint that is no longer needed."""
    with suppress(OSError):
        shutil.rmtree(folder)
