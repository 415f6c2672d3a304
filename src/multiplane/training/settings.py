"""Settings that all learners have: which they are, what is refused, and how a model keeps them."""

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
from multiplane.models.record import Setting
from multiplane.systems import TransitionSystem

Range = tuple[float, float]
"""The least and the greatest value; whole numbers where the least one is."""

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
    """The settings of any training run. What cannot be is refused at once."""

    choices: ClassVar[Mapping[str, Sequence[str]]] = CHOICES
    """The settings that are one of a few words."""
    ranges: ClassVar[Mapping[str, Range]] = RANGES
    optional: ClassVar[Sequence[str]] = ()
    """Those with a range that may be None."""
    paths: ClassVar[Sequence[str]] = ()
    """Those that name a file; a model keeps its name without the folder."""
    stored: ClassVar[Sequence[str]]
    """The settings that a model keeps, in the order of its config.toml."""

    system: str | TransitionSystem = "2-planar-eager"
    """A transition system that derives trees, by name or as a value."""
    epochs: int = 0
    """The greatest number of passes over the training data; 0 for as many as its size asks for (see `epochs_for`)."""
    patience: int = 0
    """Training ends after this many epochs without a better LAS on the development data; 0 for never."""
    beam: int = 1
    """How many derivations are followed at a time; 1 is greedy."""
    oracle: Literal["auto", "dynamic", "static"] = "auto"
    """Whether the parser learns from its own errors too; by default where it is greedy and the system allows it."""
    exploration: float = 1.0
    """How often the parser follows its own choice where it is wrong, with a dynamic oracle."""
    explore_from: int = 2
    """The first epoch in which it does so."""
    regularized: bool = True
    """With a dynamic oracle: whether SWITCH is an error where it only delays an arc, and so is what a longer transition
    does in one step."""
    seed: int = 1
    root: Literal["auto", "none", "left", "right"] = "auto"
    """The artificial root: none, at the left, at the right; by default what the training data needs."""
    single_root: bool | None = None
    """Whether trees have exactly one root; by default if all trees of the training data have."""
    pseudo_projective: Encoding | None = None
    """Train on lifted trees with labels in this encoding, and undo it in the output."""

    def __post_init__(self) -> None:
        for name, allowed in self.choices.items():
            if getattr(self, name) not in allowed:
                raise TrainingError(f"{name} is one of {', '.join(allowed)}, not {getattr(self, name)!r}")
        for name, (least, most) in self.ranges.items():
            if getattr(self, name) is not None or name not in self.optional:
                _check_range(name, getattr(self, name), least, most)
        self._check_flags()
        if self.pseudo_projective not in (None, *PSEUDO_PROJECTIVE):
            raise TrainingError(
                f"pseudo_projective is one of {', '.join(PSEUDO_PROJECTIVE)}, not {self.pseudo_projective!r}"
            )
        if self.root == "none" and self.single_root is False:
            raise TrainingError("several roots need an artificial root: choose left or right as root")

    def _check_flags(self) -> None:
        """Refuses what is neither true nor false where nothing else is meant."""
        for each in fields(self):
            value = getattr(self, each.name)
            allowed = {"bool": bool, "bool | None": bool | None}.get(str(each.type))
            if allowed is not None and not isinstance(value, allowed):
                raise TrainingError(f"{each.name} is true or false, not {value!r}")

    @property
    def codec(self) -> Codec:
        """What changes the trees to learn, and changes those of the parser back."""
        return codec_of(self.pseudo_projective)

    @abstractmethod
    def for_words(self, words: int) -> Self:
        """The settings with what depends on the size of the treebank."""

    @abstractmethod
    def epochs_for(self, words: int) -> int:
        """The number of epochs for a treebank of this many words."""

    @abstractmethod
    def about(self, system: TransitionSystem) -> str:
        """What else training depends on, as a text."""

    def to_table(self) -> dict[str, Setting]:
        """The settings as a model keeps them: plain values, without those that are not set.

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
            return os.path.basename(value)
        if value is not None and isinstance(self.ranges.get(name, (0, 0))[0], float):
            return float(value)
        return value


def check_names(given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuses a setting of an unknown name with those that there are.

    >>> check_names({"beem": 4}, ["beam", "seed"])
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: unknown setting 'beem'; did you mean beam?
    """
    for name in given:
        if name not in known:
            close = get_close_matches(name, known)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
            raise TrainingError(f"unknown setting '{name}'; {hint}")


def _check_range(name: str, value: object, least: float, most: float) -> None:
    """Refuses a number that is out of range, or none; it must be whole where the least one is."""
    whole = isinstance(least, int)
    right_type = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not right_type or not least <= value <= most:  # type: ignore[operator]
        kind = "a whole number" if whole else "a number"
        bounds = f"{least} or more" if most in (math.inf, 2**63 - 1) else f"from {least} to {most}"
        raise TrainingError(f"{name} is {kind} {bounds}, not {value!r}")
