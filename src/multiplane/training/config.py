"""Settings for training a feature-based parser."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from multiplane.errors import TrainingError
from multiplane.features import FeatureModel
from multiplane.systems import TransitionSystem
from multiplane.training import settings
from multiplane.training.settings import LearnerSettings, Range

MODELS = ("linear", "neural", "latent")
CHOICES: dict[str, tuple[str, ...]] = settings.CHOICES | {
    "model": MODELS,
    "learner": ("perceptron", "liblinear", "libsvm"),
    "update": ("max-violation", "early"),
}
"""The settings with a fixed set of values."""
_RANGES: dict[str, Range] = settings.RANGES | {
    "parse_beam": (0, 10_000),
    "bits": (1, 64),
    "margin": (0.0, math.inf),
    "label_margin": (0.0, math.inf),
    "dropout": (0.0, 0.99),
    "prune": (0.0, math.inf),
    "cost": (1e-9, math.inf),
    "label_cost": (1e-9, math.inf),
    "split_threshold": (1, 2**63 - 1),
}
_STORED = """
    system model learner features epochs patience beam parse_beam update oracle exploration explore_from regularized
    margin label_margin dropout bits prune cost label_cost split label_split split_threshold
    seed root single_root pseudo_projective reconstruction
"""


@dataclass(frozen=True, kw_only=True)
class Settings(LearnerSettings):
    """The settings of a training run.

    >>> Settings(beam=8).beam
    8
    >>> Settings(exploration=2)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: exploration must be a number from 0.0 to 1.0, not 2
    """

    choices = CHOICES
    ranges = _RANGES
    optional = ("cost", "label_cost", "prune")
    paths = ("features",)
    stored = tuple(_STORED.split())

    model: Literal["linear", "neural"] = "linear"
    """For neural models, see `NeuralSettings`."""
    learner: Literal["perceptron", "liblinear", "libsvm"] = "perceptron"
    features: str | None = None
    """A feature model: a name, or a file ending in .toml; by default the system's."""
    patience: int = 6
    beam: int = 8
    parse_beam: int = 0
    """The beam width for parsing; 0 means twice the training beam, or 1 if training is greedy."""
    update: Literal["max-violation", "early"] = "max-violation"
    """With a beam: where to update after a wrong derivation."""
    exploration: float = 0.2
    margin: float = 0.0
    """The margin by which the correct transition must outscore the others."""
    label_margin: float = 0.0
    """The margin by which the correct label must outscore the others."""
    dropout: float = 0.0
    """The dropout rate of features."""
    bits: int = 64
    """With 64, every feature has its own weight; with fewer, features are hashed to this many bits."""
    prune: float | None = None
    """Averaged weights below this (for labels, below half of it) are not stored. The default depends on the size of the
    treebank (see `prune_for`)."""
    cost: float | None = None
    """The cost of a wrong transition, with liblinear and libsvm: a higher cost fits the training data more closely. The
    default depends on the learner."""
    label_cost: float | None = None
    """The cost of a wrong label."""
    split: str | None = None
    """A feature such as buffer[0].upos: libsvm trains a separate transition classifier for each of its values."""
    label_split: str | None = None
    """A feature such as dependent.upos: the same for labels."""
    split_threshold: int = 1000
    """The minimum count of a value with its own classifier."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beam > 1 and self.oracle == "dynamic":
            raise TrainingError("beam training uses the static oracle; drop the oracle setting, or use a beam of 1")

    def for_words(self, words: int) -> Settings:
        """Fills in the settings that depend on the size of the treebank.

        >>> Settings().for_words(200_000).epochs
        10
        """
        return replace(self, epochs=self.epochs_for(words), prune=self.prune_for(words))

    def epochs_for(self, words: int) -> int:
        """Returns the number of epochs for a treebank of this size: by default 8 to 20, more for smaller ones.

        LIBLINEAR and LIBSVM read all data at once.

        >>> Settings().epochs_for(200_000), Settings().epochs_for(1_000), Settings(epochs=3).epochs_for(1_000)
        (10, 20, 3)
        >>> Settings(learner="liblinear", system="arc-eager").epochs_for(1_000)
        1
        """
        if self.learner != "perceptron":
            return 1
        return self.epochs or min(max(2_100_000 // max(words, 1), 8), 20)

    @property
    def beam_of_model(self) -> int:
        """The model's beam width.

        >>> Settings(beam=8).beam_of_model, Settings(beam=1).beam_of_model, Settings(parse_beam=32).beam_of_model
        (16, 1, 32)
        """
        return self.parse_beam or (1 if self.beam == 1 else 2 * self.beam)

    def prune_for(self, words: int) -> float:
        """Returns the pruning threshold for a treebank of this size: by default 2, less for smaller ones.

        >>> Settings().prune_for(200_000), Settings().prune_for(1_000), Settings(prune=3.0).prune_for(1_000)
        (2.0, 0.04, 3.0)
        """
        return min(words / 25_000, 2.0) if self.prune is None else self.prune

    def about(self, system: TransitionSystem) -> str:
        """Returns the templates as text, on which training depends too."""
        return self.feature_model(system).without_slots().to_toml()

    def feature_model(self, system: TransitionSystem) -> FeatureModel:
        """Returns the feature model: the given one, or the system's.

        >>> from multiplane.systems import systems
        >>> Settings().feature_model(systems["2-planar"]).name
        '2-planar'
        """
        return FeatureModel.of(system, self.features)
