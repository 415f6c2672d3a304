"""Settings for training a neural parser."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, TypeVar

from multiplane.errors import TrainingError
from multiplane.features import FeatureModel
from multiplane.models.architecture import Architecture, Look
from multiplane.models.neural import PREDICTABLE, TAGS
from multiplane.models.record import Setting
from multiplane.models.tags import columns_in
from multiplane.systems import TransitionSystem
from multiplane.training import settings
from multiplane.training.config import Settings
from multiplane.training.latent_config import LatentSettings
from multiplane.training.settings import LearnerSettings, Range, check_names, name_of_path

NEURAL_CHOICES: dict[str, tuple[str, ...]] = settings.CHOICES | {
    "loss": ("log-likelihood", "margin"),
    "tags": ("given", "predicted"),
    "precision": ("auto", "float32", "bfloat16"),
}
"""The settings with a fixed set of values."""
_RANGES: dict[str, Range] = settings.RANGES | {
    "batch": (1, 10**9),
    "most_vectors": (1, 10**9),
    "most_affixes": (0, 10**9),
    "average": (1, 10**9),
    "threads": (1, 1024),
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
    "lemma_weight": (0.0, 100.0),
    "encoder_rate": (0.0, 1.0),
    "encoder_decay": (0.0, 1.0),
    "teacher_weight": (0.0, 1.0),
    "teacher_temperature": (0.1, 100.0),
    "silver_share": (0.0, 1000.0),
}
_STORED = """
    preset system features tags predict vectors most_vectors most_affixes encoder encoder_rate encoder_decay
    teacher teacher_weight teacher_temperature silver silver_share
    epochs patience beam oracle exploration aggressive explore_from regularized
    loss batch learning_rate warmup constant_rate weight_decay clip average
    word_dropout embedding_dropout lstm_dropout recurrent_dropout hidden_dropout tag_weight lemma_weight compress
    precision threads seed root single_root pseudo_projective reconstruction model learner
"""

_ENCODER = {"encoder_rate": 1e-4, "encoder_decay": 0.9}
"""The settings of encoders, and their defaults."""
_TEACHING = {"teacher_weight": 0.5, "teacher_temperature": 2.0}
"""The settings of teachers, and their defaults."""
_SILVER = {"silver_share": 1.0}
"""The setting of silver data, and its default."""
_SMALL = {"embedding_dropout": 0.25, "lstm_dropout": 0.3, "hidden_dropout": 0.25}
_LARGE = {"embedding_dropout": 0.15, "lstm_dropout": 0.25, "hidden_dropout": 0.2}
_MANY_WORDS = 150_000
"""Chosen on development data: lower rates were better for English (200,000 words) and Ancient Greek (190,000), and
worse for Danish (80,000)."""


@dataclass(frozen=True, kw_only=True)
class NeuralSettings(LearnerSettings):
    """The settings for training a neural parser; `neural_settings` creates them from a preset.

    >>> NeuralSettings(exploration=2)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: exploration must be a number from 0.0 to 1.0, not 2
    """

    choices = NEURAL_CHOICES
    ranges = _RANGES
    optional = (*_SMALL, "encoder_rate", "encoder_decay", "teacher_weight", "teacher_temperature", "silver_share")
    paths = ("features", "vectors", "encoder")
    stored = tuple(_STORED.split())

    preset: str = "default"
    """The preset that provides the default values."""
    shape: Architecture = field(default_factory=Architecture)
    features: str | None = None
    """A feature model with slots: a name, or a file ending in .toml; by default the system's."""
    tags: Literal["given", "predicted"] = "given"
    """Whether to read tags (UPOS, XPOS, FEATS, lemmas) from the input, or to predict them from words."""
    predict: str | None = None
    """The columns to predict, separated by commas (upos, xpos, feats, lemma), or `none`; the others are read from the
    input. By default all or none, as `tags` says."""
    vectors: str | None = None
    """A file of pretrained word vectors: text, with or without a header line, or word2vec's binary format."""
    most_vectors: int = 20_000
    """The maximum number of vectors used: first those of words in the training data, then the first in the file."""
    most_affixes: int = 20_000
    """The maximum number of affixes used: those that most forms of the training data share."""
    encoder: str | None = None
    """The folder of a pretrained transformer in Hugging Face format, to be fine-tuned as the input of the BiLSTM."""
    encoder_rate: float | None = None
    """The learning rate of the topmost layer of the encoder; by default 0.0001."""
    encoder_decay: float | None = None
    """The factor from the learning rate of each layer of the encoder to that of the layer below; by default 0.9."""
    teacher: tuple[str, ...] = ()
    """The folders of trained neural models to distil: their predictions on the training data are soft targets."""
    teacher_weight: float | None = None
    """The weight of the teachers' predictions; the gold standard has the rest. By default 0.5."""
    teacher_temperature: float | None = None
    """The temperature of the teachers' predictions; above 1, they are less certain: teachers are overconfident on their
    training data. By default 2."""
    silver: tuple[str, ...] = ()
    """Automatically parsed treebanks, as additional, less reliable training data."""
    silver_share: float | None = None
    """The number of words of silver data per word of gold data in each epoch; each epoch uses a different part. By
    default 1."""
    aggressive: float = 0.0
    """The probability of following a wrong transition that scores almost as high as the correct one."""
    loss: Literal["log-likelihood", "margin"] = "log-likelihood"
    batch: int = 600
    """The batch size in words."""
    learning_rate: float = 0.002
    warmup: float = 0.02
    """The share of training in which the learning rate rises, before it decays."""
    constant_rate: bool = False
    """Whether the learning rate is constant."""
    weight_decay: float = 0.0
    clip: float = 5.0
    """The maximum norm of the gradient."""
    average: int = 400
    """The model's weights are averages over about this many last steps; 1 for no averaging."""
    word_dropout: float = 0.25
    """A word that occurs n times is masked with probability a / (a + n)."""
    embedding_dropout: float | None = None
    """Dropout of whole embeddings of a word. The default of this and the next two depends on the size of the treebank
    (see `dropouts_for`)."""
    lstm_dropout: float | None = None
    """Dropout before, between and after the BiLSTM layers."""
    recurrent_dropout: float = 0.1
    """Dropout of the BiLSTM's recurrent weights."""
    hidden_dropout: float | None = None
    """Dropout of hidden layers."""
    tag_weight: float = 0.5
    """The weight of the tagging loss."""
    lemma_weight: float = 0.5
    """The weight of the lemmatization loss (edit scripts); a lower weight favours trees."""
    compress: bool = False
    """Whether to store large layers in 8 bits instead of 16, for smaller models."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """The number format of large products in training; by default bfloat16, which is faster, if the CPU supports it."""
    threads: int = 1
    """PyTorch's threads. Results may differ in the last digits between numbers of threads."""
    model: Literal["neural"] = "neural"
    learner: Literal["network"] = "network"

    def __post_init__(self) -> None:
        for name in ("teacher", "silver"):
            value = getattr(self, name)
            several = (value,) if isinstance(value, str | os.PathLike) else value
            object.__setattr__(self, name, tuple(map(os.fspath, several)))
        super().__post_init__()
        if self.predict is not None and self.tags == "predicted":
            raise TrainingError("--tags predicted predicts all columns; give only one of --tags and --predict")
        self.predicted  # noqa: B018 - raises an error for an unknown column
        self._check_others()

    def _check_others(self) -> None:
        """Raises `TrainingError` for settings of encoders and teachers that do not apply."""
        if self.encoder is None and (
            name := next((each for each in _ENCODER if getattr(self, each) is not None), None)
        ):
            raise TrainingError(f"{name} applies only to pretrained encoders; give one with --encoder, or drop it")
        if not self.teacher and (name := next((each for each in _TEACHING if getattr(self, each) is not None), None)):
            raise TrainingError(f"{name} applies only to teachers; give one with --teacher, or drop it")
        if self.silver_share is not None and not self.silver:
            raise TrainingError("silver_share applies only to silver data; give some with --silver, or drop it")
        if self.teacher and not self.shape.arc:
            raise TrainingError("distillation needs a parser that predicts heads; set arc above 0, or drop --teacher")

    @property
    def predicted(self) -> tuple[str, ...]:
        """The columns to predict.

        >>> NeuralSettings(predict="lemma,upos").predicted, NeuralSettings(tags="predicted").predicted
        (('upos', 'lemma'), ('upos', 'xpos', 'feats', 'lemma'))
        """
        if self.predict is None:
            return PREDICTABLE if self.tags == "predicted" else ()
        names = columns_in(self.predict)
        if unknown := [name for name in names if name not in PREDICTABLE]:
            raise TrainingError(
                f"predict must list columns of {', '.join(PREDICTABLE)}, or be none, not '{unknown[0]}'"
            )
        return tuple(column for column in PREDICTABLE if column in names)

    def for_words(self, words: int) -> NeuralSettings:
        """Fills in the settings that depend on the size of the treebank.

        Smaller ones get more epochs, 24 to 45, and more dropout; with a pretrained encoder, 7 to 20 epochs.

        >>> neural_settings({}).for_words(200_000).epochs, neural_settings({}).for_words(1_000).epochs
        (25, 45)
        >>> neural_settings({"encoder": "bert"}).for_words(200_000).epochs
        7
        """
        return replace(self, epochs=self.epochs_for(words), **self.dropouts_for(words), **self._of_others())

    def epochs_for(self, words: int) -> int:
        """Returns the number of epochs for a treebank of this many words."""
        if self.encoder is not None:
            return self.epochs or min(max(1_400_000 // max(words, 1), 7), 20)
        return self.epochs or min(max(5_000_000 // max(words, 1), 24), 45)

    def _of_others(self) -> dict[str, Any]:
        """Returns the settings of the encoder, of teachers and of silver data, if there are any."""
        usual = (_ENCODER if self.encoder is not None else {}) | (_TEACHING if self.teacher else {})
        usual |= _SILVER if self.silver else {}
        given = {name: getattr(self, name) for name in usual}
        return {name: value if given[name] is None else given[name] for name, value in usual.items()}

    @property
    def encoder_rates(self) -> tuple[float, float]:
        """The learning rate of the encoder's topmost layer, and its factor per layer below."""
        found = self._of_others()
        return found["encoder_rate"], found["encoder_decay"]

    @property
    def teaching(self) -> tuple[float, float]:
        """The weight of the teachers' predictions, and their temperature."""
        found = self._of_others()
        return found["teacher_weight"], found["teacher_temperature"]

    @property
    def share_of_silver(self) -> float:
        """The number of words of silver data per word of gold data in each epoch."""
        return float(self._of_others().get("silver_share", 0.0))

    def _plain(self, name: str) -> Any:
        if name in ("teacher", "silver"):
            return ", ".join(map(name_of_path, getattr(self, name))) or None
        return super()._plain(name)

    def dropouts_for(self, words: int) -> dict[str, Any]:
        """Returns the dropout rates for a treebank of this many words.

        >>> neural_settings({"lstm_dropout": 0.4}).dropouts_for(200_000)
        {'embedding_dropout': 0.15, 'lstm_dropout': 0.4, 'hidden_dropout': 0.2}
        """
        usual = _LARGE if words > _MANY_WORDS else _SMALL
        given = {name: getattr(self, name) for name in usual}
        return {name: rate if given[name] is None else given[name] for name, rate in usual.items()}

    def to_table(self) -> dict[str, Setting]:
        """Returns the settings as stored in a model, including the widths of layers.

        >>> neural_settings({"seed": 7, "units": 50}).to_table()["units"]
        50
        """
        return super().to_table() | asdict(self.shape)

    def about(self, system: TransitionSystem) -> str:
        """Returns what else training depends on, as text: the nodes that the network reads."""
        return "; ".join(" ".join(map(str, nodes)) for nodes in self.look(system))

    def look(self, system: TransitionSystem) -> Look:
        """Returns the nodes that the network reads: the slots of the feature model, the given one or the system's.

        >>> from multiplane.systems import systems
        >>> [str(node) for node in neural_settings({}).look(systems["3-planar-eager"]).focus]
        ['stack[0]', 'stack[1]', 'inactive[0]', 'buffer[0]', 'inactive2[0]']
        """
        return self.shape.look(FeatureModel.of(system, self.features))


_S = TypeVar("_S", bound=NeuralSettings)
AnySettings = Settings | NeuralSettings | LatentSettings

PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "fast": {
        "word": 64,
        "characters": 48,
        "character": 24,
        "affixes": 48,
        "lemma": 32,
        "tag": 24,
        "layers": 1,
        "units": 96,
        "projection": 0,
        "hidden": 64,
        "label_hidden": 64,
        "arc": 0,
        "tag_hidden": 64,
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
        "affixes": 0,
        "lemma": 0,
        "tag": 25,
        "units": 125,
        "projection": 0,
        "hidden": 100,
        "arc": 0,
        "tag_hidden": 0,
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
"""The presets: settings that differ from the defaults of `NeuralSettings` and `Architecture`."""


def neural_settings(given: Mapping[str, Any]) -> NeuralSettings:
    """Returns the settings of a preset, overridden by name; these include the widths of layers.

    >>> neural_settings({"preset": "s2", "seed": 3}).loss
    'margin'
    >>> neural_settings({"unit": 3})
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: unknown setting 'unit'; did you mean units?
    """
    return of_preset(NeuralSettings, given)


def names_of(kind: type[NeuralSettings]) -> list[str]:
    """Returns the names of the settings of a class, the widths of layers included.

    >>> "units" in names_of(NeuralSettings)
    True
    """
    return [*(name for name in kind.stored if name != "learner"), *_widths()]


def _widths() -> list[str]:
    return [each.name for each in fields(Architecture)]


def of_preset(kind: type[_S], given: Mapping[str, Any]) -> _S:
    """Returns settings of a class, with the defaults of a preset; affixes are only for networks that predict tags."""
    check_names(given, names_of(kind))
    widths = _widths()
    preset = given.get("preset", "default")
    if preset not in PRESETS:
        raise TrainingError(f"preset must be one of {', '.join(PRESETS)}, not {preset!r}")
    values = PRESETS[preset] | dict(given)
    shape = Architecture(**{name: values.pop(name) for name in widths if name in values})
    settings = kind(shape=shape, **values)
    if "affixes" in given or not set(TAGS).isdisjoint(settings.predicted):
        return settings
    # Tags in the input say what affixes would: with both, Basque and Danish lost 0.3 to 0.5 points of LAS.
    return replace(settings, shape=replace(shape, affixes=0))
