"""What can be chosen when a neural parser is trained."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from multiplane.errors import TrainingError
from multiplane.features import FeatureModel
from multiplane.graphs.projectivize import Encoding
from multiplane.models.architecture import Architecture, Look
from multiplane.models.record import Setting
from multiplane.systems import TransitionSystem
from multiplane.training.config import (
    MODELS,
    ORACLES,
    PSEUDO_PROJECTIVE,
    ROOTS,
    Settings,
    check_flags,
    check_names,
    check_range,
)

LOSSES = ("log-likelihood", "margin")
TAGS = ("given", "predicted")
NEURAL_CHOICES: dict[str, tuple[str, ...]] = {"loss": LOSSES, "tags": TAGS, "root": ROOTS, "oracle": ORACLES}
"""The settings that are one of a few words."""
_RANGES: dict[str, tuple[float, float]] = {
    "epochs": (0, 10_000),
    "patience": (0, 10_000),
    "beam": (1, 10_000),
    "seed": (0, 2**63 - 1),
    "explore_from": (1, 10_000),
    "batch": (1, 10**9),
    "most_vectors": (1, 10**9),
    "average": (1, 10**9),
    "threads": (1, 1024),
    "exploration": (0.0, 1.0),
    "aggressive": (0.0, 1.0),
    "learning_rate": (1e-9, 10.0),
    "warmup": (0.0, 1.0),
    "weight_decay": (0.0, 10.0),
    "clip": (1e-9, math.inf),
    "word_dropout": (0.0, math.inf),
    "embedding_dropout": (0.0, 0.99),
    "lstm_dropout": (0.0, 0.99),
    "recurrent_dropout": (0.0, 0.99),
    "hidden_dropout": (0.0, 0.99),
    "tag_weight": (0.0, 100.0),
}

_SMALL = {"embedding_dropout": 0.25, "lstm_dropout": 0.3, "hidden_dropout": 0.25}
_LARGE = {"embedding_dropout": 0.15, "lstm_dropout": 0.25, "hidden_dropout": 0.2}
_MANY_WORDS = 150_000
"""Chosen on development data: the lower rates were better for English (200,000 words) and Ancient Greek (190,000),
and worse for Danish (80,000)."""


@dataclass(frozen=True, kw_only=True)
class NeuralSettings:
    """The settings of a training run of a neural parser; `neural_settings` makes them from a preset.

    >>> NeuralSettings(exploration=2)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: exploration is a number from 0.0 to 1.0, not 2
    """

    preset: str = "default"
    """Where the values that were not given are from."""
    shape: Architecture = field(default_factory=Architecture)
    system: str | TransitionSystem = "2-planar-eager"
    """A transition system that derives trees, by name or as a value."""
    features: str | None = None
    """A feature model with slots: a name, or a file that ends in .toml. By default the one of the system."""
    tags: Literal["given", "predicted"] = "given"
    """Whether the input has tags (UPOS, XPOS, FEATS, lemmas) to be used, or only words; tags are then predicted."""
    vectors: str | None = None
    """A file of pretrained word vectors: text with or without a first line of sizes, or word2vec's binary form."""
    most_vectors: int = 20_000
    """So many of them are used at most: those of words that the training data has, then the first of the file."""
    epochs: int = 0
    """The number of passes over the training data; 0 for as many as its size asks for (see `for_words`)."""
    patience: int = 0
    """Training ends after so many epochs without a better LAS on the development data; 0 for never, as the learning
    rate falls until the last epoch."""
    beam: int = 1
    """How many derivations are followed at a time in parsing; 1 is greedy."""
    oracle: Literal["auto", "dynamic", "static"] = "auto"
    """Whether the parser learns from its own errors too; by default where the system allows it."""
    exploration: float = 1.0
    """How often the parser follows its own choice where it is wrong, with a dynamic oracle."""
    aggressive: float = 0.0
    """How often it follows a wrong choice that scores nearly as well as the right one."""
    explore_from: int = 2
    """The first epoch in which it does so."""
    regularized: bool = True
    """With a dynamic oracle: whether SWITCH is an error where it only delays an arc, and so is what a longer transition
    does in one step."""
    loss: Literal["log-likelihood", "margin"] = "log-likelihood"
    batch: int = 600
    """Words that are learnt from at a time."""
    learning_rate: float = 0.002
    warmup: float = 0.02
    """The share of training in which the learning rate rises; then it falls."""
    constant_rate: bool = False
    """Whether the learning rate stays as it is."""
    weight_decay: float = 0.0
    clip: float = 5.0
    """The greatest norm of the gradient."""
    average: int = 400
    """The weights of the model are averages over about so many of the last steps; 1 for those of the last step."""
    word_dropout: float = 0.25
    """A word that occurs n times is hidden with probability a / (a + n)."""
    embedding_dropout: float | None = None
    """How often all that is known of a word in one respect is left out; by default what the size of the treebank asks
    for (see `dropouts_for`), and so with the next two."""
    lstm_dropout: float | None = None
    """How much is left out before, between and after the layers of the BiLSTM."""
    recurrent_dropout: float = 0.1
    """How many weights between steps of the BiLSTM are left out."""
    hidden_dropout: float | None = None
    """How much of hidden layers is left out."""
    tag_weight: float = 0.5
    """How much the prediction of tags counts."""
    threads: int = 1
    """Of torch. Results may differ in the last digits between numbers of threads."""
    seed: int = 1
    root: Literal["auto", "none", "left", "right"] = "auto"
    """The artificial root: none, at the left, at the right; by default what the training data needs."""
    single_root: bool | None = None
    """Whether trees have exactly one root; by default if all trees of the training data have."""
    pseudo_projective: Encoding | None = None
    """Train on lifted trees with labels in this encoding, and undo it in the output."""

    model: Literal["neural"] = "neural"
    learner: Literal["network"] = "network"

    def __post_init__(self) -> None:
        for name, allowed in NEURAL_CHOICES.items():
            if getattr(self, name) not in allowed:
                raise TrainingError(f"{name} is one of {', '.join(allowed)}, not {getattr(self, name)!r}")
        for name, (least, most) in _RANGES.items():
            if getattr(self, name) is not None or name not in _SMALL:
                check_range(name, getattr(self, name), least, most)
        check_flags(self)
        if self.pseudo_projective not in (None, *PSEUDO_PROJECTIVE):
            raise TrainingError(
                f"pseudo_projective is one of {', '.join(PSEUDO_PROJECTIVE)}, not {self.pseudo_projective!r}"
            )
        if self.root == "none" and self.single_root is False:
            raise TrainingError("several roots need an artificial root: choose left or right as root")

    def for_words(self, words: int) -> NeuralSettings:
        """The settings with what depends on the size of the treebank.

        Smaller ones get more epochs, 24 to 45, and more is left out in training.

        >>> neural_settings({}).for_words(200_000).epochs, neural_settings({}).for_words(1_000).epochs
        (25, 45)
        """
        return replace(self, epochs=self.epochs_for(words), **self.dropouts_for(words))

    def epochs_for(self, words: int) -> int:
        """The number of epochs for a treebank of so many words."""
        return self.epochs or min(max(5_000_000 // max(words, 1), 24), 45)

    def dropouts_for(self, words: int) -> dict[str, Any]:
        """How much is left out in training on a treebank of so many words.

        >>> neural_settings({"lstm_dropout": 0.4}).dropouts_for(200_000)
        {'embedding_dropout': 0.15, 'lstm_dropout': 0.4, 'hidden_dropout': 0.2}
        """
        usual = _LARGE if words > _MANY_WORDS else _SMALL
        given = {name: getattr(self, name) for name in usual}
        return {name: rate if given[name] is None else given[name] for name, rate in usual.items()}

    def to_table(self) -> dict[str, Setting]:
        """The settings as a model keeps them: plain values, those that are not set left out.

        >>> neural_settings({"seed": 7, "units": 50}).to_table()["units"]
        50
        """
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "shape"}
        values["system"] = self.system.name if isinstance(self.system, TransitionSystem) else self.system
        values |= {name: os.path.basename(values[name]) for name in ("features", "vectors") if values[name]}
        rates = [name for name, (least, _) in _RANGES.items() if isinstance(least, float) and values[name] is not None]
        values |= {name: float(values[name]) for name in rates}
        values |= asdict(self.shape)
        return {name: value for name, value in values.items() if value is not None}

    def about(self, system: TransitionSystem) -> str:
        """What else training depends on, as a text: where the network looks."""
        return "; ".join(" ".join(map(str, nodes)) for nodes in self.look(system))

    def look(self, system: TransitionSystem) -> Look:
        """Where the network looks: in the slots of the feature model, the one given or that of the system.

        >>> from multiplane.systems import systems
        >>> [str(node) for node in neural_settings({}).look(systems["3-planar-eager"]).focus]
        ['stack[0]', 'stack[1]', 'inactive[0]', 'buffer[0]', 'inactive2[0]']
        """
        return self.shape.look(FeatureModel.of(system, self.features))


AnySettings = Settings | NeuralSettings

PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "fast": {
        "word": 64,
        "characters": 48,
        "character": 24,
        "lemma": 32,
        "tag": 24,
        "layers": 1,
        "units": 96,
        "projection": 0,
        "hidden": 64,
        "label_hidden": 64,
        "arc": 0,
        "view": "fast",
        "lstm_dropout": 0.2,
        "hidden_dropout": 0.1,
    },
    # As in S2, after Kiperwasser and Goldberg (2016).
    "s2": {
        "system": "2-planar",
        "epochs": 15,
        "characters": 0,
        "character": 0,
        "lemma": 0,
        "tag": 25,
        "units": 125,
        "projection": 0,
        "hidden": 100,
        "arc": 0,
        "activation": "tanh",
        "view": "s2",
        "loss": "margin",
        "exploration": 1.0,
        "aggressive": 0.1,
        "batch": 200,
        "constant_rate": True,
        "average": 1,
        "embedding_dropout": 0.0,
        "lstm_dropout": 0.0,
        "recurrent_dropout": 0.0,
        "hidden_dropout": 0.0,
    },
}
"""Settings by name, where they are not those of `NeuralSettings` and `Architecture`."""


def neural_settings(given: Mapping[str, Any]) -> NeuralSettings:
    """Settings of a preset, and others by their names; widths of layers are among them.

    >>> neural_settings({"preset": "s2", "seed": 3}).loss
    'margin'
    >>> neural_settings({"unit": 3})
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: unknown setting 'unit'; did you mean units?
    """
    widths = [each.name for each in fields(Architecture)]
    known = [each.name for each in fields(NeuralSettings) if each.name not in ("shape", "learner")]
    check_names(given, [*known, *widths])
    preset = given.get("preset", "default")
    if preset not in PRESETS:
        raise TrainingError(f"preset is one of {', '.join(PRESETS)}, not {preset!r}")
    values = PRESETS[preset] | dict(given)
    shape = Architecture(**{name: values.pop(name) for name in widths if name in values})
    return NeuralSettings(shape=shape, **values)


def settings_of(given: Mapping[str, Any]) -> AnySettings:
    """Settings by their names, of the kind that the model asks for.

    >>> settings_of({"beam": 4}).beam, settings_of({"model": "neural"}).beam
    (4, 1)
    """
    model = given.get("model", "linear")
    if model not in MODELS:
        raise TrainingError(f"model is one of {', '.join(MODELS)}, not {model!r}")
    if model == "neural":
        return neural_settings(given)
    check_names(given, [each.name for each in fields(Settings)])
    return Settings(**given)
