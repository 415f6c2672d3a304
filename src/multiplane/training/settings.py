"""Settings shared by all learners, their validation, and their stored form."""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, ClassVar, Literal, Self

from multiplane.errors import TrainingError
from multiplane.graphs.codecs import Codec, codec_of
from multiplane.graphs.projectivize import ENCODINGS, Encoding
from multiplane.graphs.reconstruct import METHODS, Method
from multiplane.models.record import Setting
from multiplane.systems import TransitionSystem, systems

Range = tuple[float, float]
"""The minimum and maximum; the setting is an integer if the minimum is."""

PSEUDO_PROJECTIVE: tuple[Encoding, ...] = tuple(encoding for encoding in ENCODINGS if encoding != "baseline")
CHOICES: dict[str, tuple[str, ...]] = {
    "root": ("auto", "none", "left", "right"),
    "oracle": ("auto", "dynamic", "static"),
}
RANGES: dict[str, Range] = {
    "epochs": (0, 10_000),
    "patience": (0, 10_000),
    "beam": (1, 10_000),
    "seed": (0, 2**63 - 1),
    "explore_from": (1, 10_000),
    "exploration": (0.0, 1.0),
}


@dataclass(frozen=True, kw_only=True)
class LearnerSettings(ABC):
    """The settings of any training run; raises `TrainingError` if a value is invalid."""

    choices: ClassVar[Mapping[str, Sequence[str]]] = CHOICES
    """The settings with a fixed set of values."""
    ranges: ClassVar[Mapping[str, Range]] = RANGES
    optional: ClassVar[Sequence[str]] = ()
    """The settings with a range that may be None."""
    paths: ClassVar[Sequence[str]] = ()
    """The settings that are paths; a model stores only the file name."""
    stored: ClassVar[Sequence[str]]
    """The settings that a model stores, in the order of its config.toml."""

    system: str | TransitionSystem = "2-planar-eager"
    """A transition system that derives trees, by name or as a value."""
    epochs: int = 0
    """The maximum number of epochs; 0 for a number that depends on the size of the data (see `epochs_for`)."""
    patience: int = 0
    """Training stops after this many epochs without a better LAS on the development data; 0 for never."""
    beam: int = 1
    """The beam width; 1 is greedy."""
    oracle: Literal["auto", "dynamic", "static"] = "auto"
    """The oracle; by default dynamic if training is greedy and the system has a dynamic oracle."""
    exploration: float = 1.0
    """The probability of following a wrong prediction, with a dynamic oracle."""
    explore_from: int = 2
    """The first epoch with exploration."""
    regularized: bool = True
    """With a dynamic oracle: whether a SWITCH that only delays an arc is an error, as is a transition that is part of a
    longer one."""
    seed: int = 1
    root: Literal["auto", "none", "left", "right"] = "auto"
    """The position of the artificial root; by default chosen from the training data."""
    single_root: bool | None = None
    """Whether trees have exactly one root; by default, whether all trees in the training data do."""
    pseudo_projective: Encoding | None = None
    """The encoding of pseudo-projective training: trees are lifted for training and lowered after parsing."""
    reconstruction: Method | None = None
    """How an undirected parser's edges get their directions; by default by labels."""

    def __post_init__(self) -> None:
        for name, allowed in self.choices.items():
            if getattr(self, name) not in allowed:
                raise TrainingError(f"{name} must be one of {', '.join(allowed)}, not {getattr(self, name)!r}")
        for name, (least, most) in self.ranges.items():
            if getattr(self, name) is not None or name not in self.optional:
                check_range(name, getattr(self, name), least, most)
        self._check_flags()
        if self.pseudo_projective not in (None, *PSEUDO_PROJECTIVE):
            raise TrainingError(
                f"pseudo_projective must be one of {', '.join(PSEUDO_PROJECTIVE)}, not {self.pseudo_projective!r}"
            )
        if self.reconstruction not in (None, *METHODS):
            raise TrainingError(f"reconstruction must be one of {', '.join(METHODS)}, not {self.reconstruction!r}")
        if self.root == "none" and self.reconstruction == "naive":
            raise TrainingError("naive reconstruction needs an artificial root; set root to left or right")
        if self.root == "none" and self.single_root is False:
            raise TrainingError("several roots need an artificial root; set root to left or right")

    def _check_flags(self) -> None:
        """Raises `TrainingError` if a Boolean setting is not a Boolean."""
        for each in fields(self):
            value = getattr(self, each.name)
            allowed = {"bool": bool, "bool | None": bool | None}.get(str(each.type))
            if allowed is not None and not isinstance(value, allowed):
                raise TrainingError(f"{each.name} must be true or false, not {value!r}")

    @property
    def codec(self) -> Codec:
        """The codec that encodes trees for training and decodes the parser's output.

        >>> from multiplane.training.config import Settings
        >>> Settings(system="undirected-planar").codec
        Undirected(name='label')
        """
        system = systems[self.system]
        if system.is_undirected and self.pseudo_projective is not None:
            raise TrainingError(f"pseudo-projective trees need a system with directed arcs, not {system.name}")
        if system.is_undirected:
            return codec_of(self.reconstruction or "label")
        if self.reconstruction is not None:
            raise TrainingError(
                f"reconstruction applies only to undirected systems, but {system.name} builds directed arcs; "
                "use its undirected variant, such as undirected-2-planar"
            )
        return codec_of(self.pseudo_projective)

    @abstractmethod
    def for_words(self, words: int) -> Self:
        """Fills in the settings that depend on the size of the treebank."""

    @abstractmethod
    def epochs_for(self, words: int) -> int:
        """Returns the number of epochs for a treebank of this many words."""

    @abstractmethod
    def about(self, system: TransitionSystem) -> str:
        """Returns what else training depends on, as text."""

    def to_table(self) -> dict[str, Setting]:
        """Returns the settings as stored in a model: plain values, without those that are not set.

        >>> from multiplane.training.config import Settings
        >>> Settings(seed=7).to_table()["seed"]
        7
        """
        values = {name: self._plain(name) for name in self.stored}
        return {name: value for name, value in values.items() if value is not None}

    def _plain(self, name: str) -> Any:
        value = getattr(self, name)
        if isinstance(value, TransitionSystem):
            return value.name
        if value is not None and name in self.paths:
            return name_of_path(value)
        if value is not None and isinstance(self.ranges.get(name, (0, 0))[0], float):
            return float(value)
        return value


def name_of_path(path: str) -> str:
    """Returns the name of a file or folder, as a model stores it.

    >>> name_of_path("encoders/minilm/")
    'minilm'
    """
    return os.path.basename(os.path.normpath(path))


def check_names(given: Mapping[str, Any], known: Sequence[str], prefix: str = "") -> None:
    """Raises `TrainingError` for an unknown setting; the message shows all names with the prefix.

    >>> check_names({"beem": 4}, ["beam", "seed"])
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: unknown setting 'beem'; did you mean beam?
    """
    for name in given:
        if name not in known:
            close = get_close_matches(name, known)
            hint = f"did you mean {prefix}{close[0]}?" if close else f"known: {prefix}{f', {prefix}'.join(known)}"
            raise TrainingError(f"unknown setting '{prefix}{name}'; {hint}")


def check_range(name: str, value: object, least: float, most: float) -> None:
    """Raises `TrainingError` if a value is out of range or has the wrong type."""
    whole = isinstance(least, int)
    right_type = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not right_type or not least <= value <= most:  # type: ignore[operator]
        kind = "an integer" if whole else "a number"
        bounds = f"of at least {least}" if most == math.inf else f"from {least} to {most}"
        raise TrainingError(f"{name} must be {kind} {bounds}, not {value!r}")
