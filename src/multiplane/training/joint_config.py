"""Settings for training a joint parser of trees and graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from multiplane.errors import TrainingError
from multiplane.features import FeatureModel
from multiplane.models.architecture import Look
from multiplane.systems import TransitionSystem
from multiplane.training.graph_config import ORDERS, GraphSettings
from multiplane.training.neural_config import NeuralSettings

TASKS = ("syntax", "joint", "semantics", "enhanced")
"""What a parser can be trained for."""


@dataclass(frozen=True, kw_only=True)
class JointSettings(GraphSettings, NeuralSettings):
    """The settings for training a joint parser, besides those of a neural parser."""

    choices = NeuralSettings.choices | {"task": TASKS[1:], "order": ORDERS}
    stored = ("task", "semantics", "order", "planarize", *NeuralSettings.stored)

    task: Literal["joint", "semantics", "enhanced"] = "joint"
    """What to predict: trees and predicates with senses and arguments; the same for given trees; or trees and enhanced
    graphs."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beam != 1:
            raise TrainingError("a joint neural parser parses greedily; drop --beam")
        if not self.shape.arc:
            raise TrainingError("a joint neural parser predicts arcs between all words; give arc a width above 0")
        if self.planarize and self.task == "enhanced":
            raise TrainingError("only semantic graphs are planarized; drop --planarize")

    def semantic_look(self, system: TransitionSystem) -> Look:
        """Returns the nodes that the network reads in configurations of graphs."""
        return self.shape.look(FeatureModel.of(system, None))
