"""Settings for training joint neural and linear parsers of trees and graphs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from multiplane.errors import TrainingError
from multiplane.features import FeatureModel
from multiplane.models.architecture import Look
from multiplane.systems import TransitionSystem, systems
from multiplane.training.config import Settings
from multiplane.training.graph_config import ORDERS, GraphSettings
from multiplane.training.neural_config import NeuralSettings

TASKS = ("syntax", "joint", "semantics", "enhanced")
"""What a parser can be trained for."""
_CHOICES: dict[str, tuple[str, ...]] = {"task": TASKS[1:], "order": ORDERS}
_STORED = ("task", "semantics", "order", "planarize")


@dataclass(frozen=True, kw_only=True)
class JointSettings(GraphSettings, NeuralSettings):
    """The settings for training a joint neural parser, besides those of a neural parser."""

    choices = NeuralSettings.choices | _CHOICES
    stored = (*_STORED, *NeuralSettings.stored)

    task: Literal["joint", "semantics", "enhanced"] = "joint"
    """What to predict: trees and predicates with senses and arguments; the same for given trees; or trees and enhanced
    graphs."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_graphs()
        if self.beam != 1:
            raise TrainingError("a joint neural parser parses greedily; drop --beam")
        if not self.shape.arc:
            raise TrainingError("a joint neural parser predicts arcs between all words; set arc above 0")
        if self.planarize and self.task == "enhanced":
            raise TrainingError("--planarize applies only to semantic graphs; drop it")
        if self.encoder is not None:
            raise TrainingError(
                "joint parsers do not support pretrained encoders; drop --encoder, or use --task syntax"
            )
        if self.silver:
            raise TrainingError("joint parsers do not support silver data; drop --silver, or use --task syntax")

    def semantic_look(self, system: TransitionSystem) -> Look:
        """Returns the nodes that the network reads in configurations of graphs."""
        return self.shape.look(FeatureModel.of(system, None))


@dataclass(frozen=True, kw_only=True)
class JointLinearSettings(GraphSettings, Settings):
    """The settings for training a joint linear parser, besides those of a linear parser.

    >>> JointLinearSettings(beam=4)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: a joint linear parser parses greedily; drop --beam
    """

    choices = Settings.choices | _CHOICES
    stored = (*_STORED, *Settings.stored)

    task: Literal["joint", "semantics", "enhanced"] = "joint"

    beam: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_graphs()
        if self.task == "enhanced":
            raise TrainingError("--task enhanced needs --model neural, not linear")
        if self.beam != 1 or self.parse_beam > 1:
            raise TrainingError("a joint linear parser parses greedily; drop --beam")
        if self.learner != "perceptron":
            raise TrainingError(f"joint linear parsers are trained with the perceptron; drop --learner {self.learner}")

    def for_words(self, words: int) -> JointLinearSettings:
        """Fills in the settings that depend on the size of the treebank."""
        return replace(self, epochs=self.epochs_for(words), prune=self.prune_for(words))

    def graph_features(self, system: TransitionSystem) -> tuple[FeatureModel, FeatureModel]:
        """Returns the feature models of graphs and of predicates.

        >>> [model.name for model in JointLinearSettings().graph_features(systems["2-planar[]"])]
        ['2-planar-graph', 'predicates']
        """
        graphs = FeatureModel.load("graph" if system.stacks == 1 else "2-planar-graph")
        return graphs, FeatureModel.load("predicates")

    def about(self, system: TransitionSystem) -> str:
        """Returns what else training depends on, as text: the templates."""
        models = self.graph_features(systems[self.semantics])
        return "".join((super().about(system), *(model.to_toml() for model in models)))
