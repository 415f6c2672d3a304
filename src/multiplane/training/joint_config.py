"""Settings for training a joint parser of trees and graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from multiplane.errors import TrainingError, TransitionSystemError
from multiplane.features import FeatureModel
from multiplane.graphs.codecs.planarized import PLANARIZATIONS, Planarization
from multiplane.models.architecture import Look
from multiplane.models.systems import check_graph_system, swaps
from multiplane.oracles.spec import check_strategy
from multiplane.systems import TransitionSystem, systems
from multiplane.training.latent_config import ORDERS
from multiplane.training.neural_config import NeuralSettings

TASKS = ("syntax", "joint", "semantics", "enhanced")
"""What a parser can be trained for."""


@dataclass(frozen=True, kw_only=True)
class JointSettings(NeuralSettings):
    """The settings for training a joint parser, besides those of a neural parser."""

    choices = NeuralSettings.choices | {"task": TASKS[1:], "order": ORDERS}
    stored = ("task", "semantics", "order", "planarize", *NeuralSettings.stored)

    task: Literal["joint", "semantics", "enhanced"] = "joint"
    """What to predict: trees and predicates with senses and arguments; the same for given trees; or trees and enhanced
    graphs."""
    semantics: str = "swap-graph"
    """The transition system of graphs, by name."""
    order: Literal["last-resort", "exhaustive"] = "last-resort"
    """When a system with SWAP swaps words (S4)."""
    planarize: Planarization | None = None
    """How graphs are made planar for training: by lifting arcs, which is undone after parsing, or by dropping them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beam != 1:
            raise TrainingError("a joint neural parser parses greedily; drop --beam")
        if not self.shape.arc:
            raise TrainingError("a joint neural parser predicts arcs between all words; give arc a width above 0")
        try:
            check_graph_system(systems[self.semantics])
        except TransitionSystemError as error:
            raise TrainingError(f"semantics: {error}") from None
        if self.planarize not in (None, *PLANARIZATIONS):
            raise TrainingError(f"planarize must be one of {', '.join(PLANARIZATIONS)}, not {self.planarize!r}")
        if self.planarize and self.task == "enhanced":
            raise TrainingError("only semantic graphs are planarized; drop --planarize")

    @property
    def strategy(self) -> str | None:
        """The strategy of the static oracle of graphs; None for that of the system."""
        return self.order if swaps(systems[self.semantics]) else None

    def semantic_look(self, system: TransitionSystem) -> Look:
        """Returns the nodes that the network reads in configurations of graphs."""
        if self.strategy is not None:
            check_strategy(system, self.strategy)
        return self.shape.look(FeatureModel.of(system, None))
