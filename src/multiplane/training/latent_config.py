"""Settings for training a latent-variable parser."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from multiplane.errors import TrainingError
from multiplane.models.latent_look import LatentLook, default_look
from multiplane.systems import TransitionSystem
from multiplane.training import settings
from multiplane.training.graph_config import ORDERS, GraphSettings
from multiplane.training.settings import LearnerSettings, Range, check_names

_RANGES: dict[str, Range] = settings.RANGES | {
    "units": (8, 4096),
    "cutoff": (1, 10**6),
    "batch": (1, 10**6),
    "threads": (1, 1024),
    "learning_rate": (1e-9, 10.0),
    "weight_decay": (0.0, 10.0),
    "clip": (1e-9, math.inf),
    "dropout": (0.0, 0.9),
    "feature_dropout": (0.0, 0.9),
    "word_dropout": (0.0, math.inf),
}
_STORED = """
    task system semantics order planarize generative units cutoff epochs patience beam batch learning_rate weight_decay
    clip
    dropout feature_dropout word_dropout threads seed root single_root pseudo_projective model learner
"""


@dataclass(frozen=True, kw_only=True)
class LatentSettings(GraphSettings, LearnerSettings):
    """The settings for training a latent-variable parser.

    >>> LatentSettings(units=12)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: units must be a multiple of 8, not 12
    """

    choices = settings.CHOICES | {"order": ORDERS}
    ranges = _RANGES
    stored = tuple(_STORED.split())

    task: Literal["joint"] = "joint"
    beam: int = 20
    """The beam width for parsing; training follows the static oracle."""
    generative: bool = False
    """Whether the model predicts tags and words, as S4's does; otherwise it looks ahead."""
    units: int = 80
    """The size of latent vectors."""
    cutoff: int = 5
    """The minimum count of words, lemmas and senses in the vocabulary."""
    batch: int = 4
    """The batch size in sentences."""
    learning_rate: float = 0.004
    """The learning rate at the beginning; it falls to zero."""
    weight_decay: float = 0.0
    clip: float = 5.0
    """The maximum norm of the gradient."""
    dropout: float = 0.25
    """Dropout of latent units."""
    feature_dropout: float = 0.2
    """Dropout of observed features."""
    word_dropout: float = 0.25
    """A word that occurs n times is treated as a rare one with probability a / (a + n)."""
    threads: int = 1
    """The result does not depend on it."""
    model: Literal["latent"] = "latent"
    learner: Literal["latent"] = "latent"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_graphs()
        if self.units % 8:
            raise TrainingError(f"units must be a multiple of 8, not {self.units}")

    def for_words(self, words: int) -> LatentSettings:
        """Fills in the settings that depend on the size of the treebank.

        >>> LatentSettings().for_words(200_000).epochs, LatentSettings().for_words(20_000).epochs
        (12, 30)
        """
        return replace(self, epochs=self.epochs_for(words))

    def epochs_for(self, words: int) -> int:
        """Returns the number of epochs for a treebank of this many words."""
        return self.epochs or min(max(2_400_000 // max(words, 1), 12), 30)

    def look(self, system: TransitionSystem) -> LatentLook:
        """Returns the connections and features of the model."""
        return default_look(self.generative, system.stacks)

    def about(self, system: TransitionSystem) -> str:
        """Returns what else training depends on, as text: the tables of connections and features."""
        return str(self.look(system).to_table())


def latent_settings(given: Mapping[str, Any]) -> LatentSettings:
    """Returns settings by name.

    >>> latent_settings({"unit": 80})
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: unknown setting 'unit'; did you mean units?
    """
    check_names(given, [name for name in LatentSettings.stored if name != "learner"])
    return LatentSettings(**given)
