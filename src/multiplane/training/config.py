"""What can be chosen when a parser is trained."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any, Literal

from multiplane.errors import TrainingError
from multiplane.features import FeatureModel
from multiplane.graphs.projectivize import ENCODINGS, Encoding
from multiplane.models.record import Setting
from multiplane.systems import TransitionSystem

MODELS = ("linear", "neural")
LEARNERS = ("perceptron", "liblinear", "libsvm")
ROOTS = ("auto", "none", "left", "right")
ORACLES = ("auto", "dynamic", "static")
UPDATES = ("max-violation", "early")
PSEUDO_PROJECTIVE: tuple[Encoding, ...] = tuple(encoding for encoding in ENCODINGS if encoding != "baseline")
CHOICES: dict[str, tuple[str, ...]] = {
    "model": MODELS,
    "learner": LEARNERS,
    "root": ROOTS,
    "oracle": ORACLES,
    "update": UPDATES,
}
"""The settings that are one of a few words."""
# Least and greatest value; whole numbers where both are.
_RANGES: dict[str, tuple[float, float]] = {
    "epochs": (0, 10_000),
    "patience": (0, 10_000),
    "beam": (1, 10_000),
    "parse_beam": (0, 10_000),
    "bits": (1, 64),
    "seed": (0, 2**63 - 1),
    "explore_from": (1, 10_000),
    "exploration": (0.0, 1.0),
    "margin": (0.0, math.inf),
    "label_margin": (0.0, math.inf),
    "dropout": (0.0, 0.99),
    "prune": (0.0, math.inf),
    "cost": (1e-9, math.inf),
    "label_cost": (1e-9, math.inf),
    "split_threshold": (1, 2**63 - 1),
}
_OPTIONAL = ("cost", "label_cost", "prune")
_FRACTIONS = {name for name, (least, _) in _RANGES.items() if isinstance(least, float)}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a training run. Whatever cannot be is refused at once.

    >>> Settings(beam=8).beam
    8
    >>> Settings(exploration=2)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: exploration is a number from 0.0 to 1.0, not 2
    """

    system: str | TransitionSystem = "2-planar-eager"
    """A transition system that derives trees, by name or as a value."""
    model: Literal["linear", "neural"] = "linear"
    """Neural models have settings of their own: `NeuralSettings`."""
    learner: Literal["perceptron", "liblinear", "libsvm"] = "perceptron"
    features: str | None = None
    """A feature model: a name, or a file that ends in .toml. By default the one of the system."""
    epochs: int = 0
    """The greatest number of passes over the training data; 0 for as many as its size asks for (see `epochs_for`)."""
    patience: int = 6
    """Training ends after so many epochs without a better LAS on the development data; 0 for never."""
    beam: int = 8
    """How many derivations are followed at a time; 1 is greedy."""
    parse_beam: int = 0
    """The same in parsing; 0 for twice as many as in training, or for one where training is greedy."""
    update: Literal["max-violation", "early"] = "max-violation"
    """With a beam: from which step of a wrong derivation to learn."""
    oracle: Literal["auto", "dynamic", "static"] = "auto"
    """Whether the parser learns from its own errors too; by default where it is greedy and the system allows it."""
    exploration: float = 0.2
    """How often the parser follows its own choice where it is wrong, with a dynamic oracle."""
    explore_from: int = 2
    """The first epoch in which it does so."""
    regularized: bool = True
    """With a dynamic oracle: whether SWITCH is an error where it only delays an arc, and so is what a longer transition
    does in one step."""
    margin: float = 0.0
    """By how much the right transition must score above the others."""
    label_margin: float = 0.0
    """By how much the right label must score above the others."""
    dropout: float = 0.0
    """How often a feature is left out while learning."""
    bits: int = 64
    """64 gives every feature a weight of its own; with fewer, features share a table of so many bits."""
    prune: float | None = None
    """Averaged weights of transitions below this are not stored, and those of labels below half of it. By default what
    the size of the treebank allows (see `prune_for`)."""
    cost: float | None = None
    """Of a wrong transition, with liblinear and libsvm: more fits the training data more closely. By default what
    suits the learner."""
    label_cost: float | None = None
    """The same for a wrong label."""
    split: str | None = None
    """A value such as buffer[0].upos: libsvm learns transitions apart for everything that it can be."""
    label_split: str | None = None
    """A value such as dependent.upos: the same for labels."""
    split_threshold: int = 1000
    """How often something must be seen to be learnt apart."""
    seed: int = 1
    root: Literal["auto", "none", "left", "right"] = "auto"
    """The artificial root: none, at the left, at the right; by default what the training data needs."""
    single_root: bool | None = None
    """Whether trees have exactly one root; by default if all trees of the training data have."""
    pseudo_projective: Encoding | None = None
    """Train on lifted trees with labels in this encoding, and undo it in the output."""

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise TrainingError(f"{name} is one of {', '.join(allowed)}, not {getattr(self, name)!r}")
        for name, (least, most) in _RANGES.items():
            if getattr(self, name) is not None or name not in _OPTIONAL:
                check_range(name, getattr(self, name), least, most)
        check_flags(self)
        if self.pseudo_projective not in (None, *PSEUDO_PROJECTIVE):
            raise TrainingError(
                f"pseudo_projective is one of {', '.join(PSEUDO_PROJECTIVE)}, not {self.pseudo_projective!r}"
            )
        if self.beam > 1 and self.oracle == "dynamic":
            raise TrainingError("a beam is trained with the static oracle; leave out the oracle, or choose a beam of 1")
        if self.root == "none" and self.single_root is False:
            raise TrainingError("several roots need an artificial root: choose left or right as root")

    def for_words(self, words: int) -> Settings:
        """The settings with what depends on the size of the treebank.

        >>> Settings().for_words(200_000).epochs
        10
        """
        return replace(self, epochs=self.epochs_for(words), prune=self.prune_for(words))

    def epochs_for(self, words: int) -> int:
        """The number of epochs for a treebank of so many words: 8 to 20 by default, more for smaller ones.

        >>> Settings().epochs_for(200_000), Settings().epochs_for(1_000), Settings(epochs=3).epochs_for(1_000)
        (10, 20, 3)
        """
        return self.epochs or min(max(2_100_000 // max(words, 1), 8), 20)

    @property
    def beam_of_model(self) -> int:
        """The width of the beam that the model gets.

        >>> Settings(beam=8).beam_of_model, Settings(beam=1).beam_of_model, Settings(parse_beam=32).beam_of_model
        (16, 1, 32)
        """
        return self.parse_beam or (1 if self.beam == 1 else 2 * self.beam)

    def prune_for(self, words: int) -> float:
        """Below which averaged weights are not stored for a treebank of so many words: 2, less for small ones.

        >>> Settings().prune_for(200_000), Settings().prune_for(1_000), Settings(prune=3.0).prune_for(1_000)
        (2.0, 0.04, 3.0)
        """
        return min(words / 25_000, 2.0) if self.prune is None else self.prune

    def to_table(self) -> dict[str, Setting]:
        """The settings as a model keeps them: plain values, those that are not set left out.

        >>> Settings(seed=7).to_table()["seed"]
        7
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["system"] = self.system.name if isinstance(self.system, TransitionSystem) else self.system
        values["features"] = self.features and os.path.basename(self.features)
        values |= {name: float(values[name]) for name in values.keys() & _FRACTIONS if values[name] is not None}
        return {name: value for name, value in values.items() if value is not None}

    def about(self, system: TransitionSystem) -> str:
        """What else training depends on, as a text: the templates."""
        return self.feature_model(system).without_slots().to_toml()

    def feature_model(self, system: TransitionSystem) -> FeatureModel:
        """The feature model: the one given, or the one of the system.

        >>> from multiplane.systems import systems
        >>> Settings().feature_model(systems["2-planar"]).name
        '2-planar'
        """
        return FeatureModel.of(system, self.features)


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


def check_flags(settings: Any) -> None:
    """Refuses what is neither true nor false where nothing else is meant."""
    for each in fields(settings):
        value = getattr(settings, each.name)
        allowed = {"bool": bool, "bool | None": bool | None}.get(str(each.type))
        if allowed is not None and not isinstance(value, allowed):
            raise TrainingError(f"{each.name} is true or false, not {value!r}")


def check_range(name: str, value: object, least: float, most: float) -> None:
    """Refuses a number that is out of range, or none; it must be whole where the least one is."""
    whole = isinstance(least, int)
    right_type = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not right_type or not least <= value <= most:  # type: ignore[operator]
        kind = "a whole number" if whole else "a number"
        bounds = f"{least} or more" if most in (math.inf, 2**63 - 1) else f"from {least} to {most}"
        raise TrainingError(f"{name} is {kind} {bounds}, not {value!r}")
