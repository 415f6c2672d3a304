"""Settings for training a joint parser of trees and graphs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from multiplane.errors import TrainingError, TransitionSystemError
from multiplane.features import FeatureModel
from multiplane.graphs.codecs.planarized import PLANARIZATIONS, Planarization
from multiplane.models.architecture import Look
from multiplane.models.systems import check_graph_system, swaps
from multiplane.oracles.spec import check_strategy
from multiplane.systems import TransitionSystem, systems
from multiplane.training.config import Settings
from multiplane.training.neural_config import NeuralSettings

TASKS = ("syntax", "joint", "semantics", "enhanced")
"""What a parser can be trained for."""
ORDERS = ("last-resort", "exhaustive")
"""S4's canonical orders: when words are swapped."""


@dataclass(frozen=True, kw_only=True)
class GraphSettings:
    """The settings of the graphs of a joint parser."""

    graph_choices: ClassVar[dict[str, tuple[str, ...]]] = {"task": TASKS[1:], "order": ORDERS}
    graph_stored: ClassVar[tuple[str, ...]] = ("task", "semantics", "order", "planarize")

    task: Literal["joint", "semantics", "enhanced"] = "joint"
    """What to predict: trees and predicates with senses and arguments; the same for given trees; or trees and enhanced
    graphs."""
    semantics: str = "swap-graph"
    """The transition system of graphs, by name."""
    order: Literal["last-resort", "exhaustive"] = "last-resort"
    """When a system with SWAP swaps words (S4)."""
    planarize: Planarization | None = None
    """How graphs are made planar for training: by lifting arcs, which is undone after parsing, or by dropping them."""

    def _check_graphs(self) -> None:
        system = systems[self.semantics]
        try:
            check_graph_system(system)
        except TransitionSystemError as error:
            raise TrainingError(f"semantics: {error}") from None
        if self.strategy is not None:
            check_strategy(system, self.strategy)
        if self.planarize not in (None, *PLANARIZATIONS):
            raise TrainingError(f"planarize must be one of {', '.join(PLANARIZATIONS)}, not {self.planarize!r}")
        if self.planarize and self.task == "enhanced":
            raise TrainingError("only semantic graphs are planarized; drop --planarize")

    @property
    def strategy(self) -> str | None:
        """The strategy of the static oracle of graphs; None for that of the system."""
        return self.order if swaps(systems[self.semantics]) else None


@dataclass(frozen=True, kw_only=True)
class JointSettings(GraphSettings, NeuralSettings):
    """The settings for training a joint neural parser, besides those of a neural parser."""

    choices = NeuralSettings.choices | GraphSettings.graph_choices
    stored = (*GraphSettings.graph_stored, *NeuralSettings.stored)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beam != 1:
            raise TrainingError("a joint neural parser parses greedily; drop --beam")
        if not self.shape.arc:
            raise TrainingError("a joint neural parser predicts arcs between all words; give arc a width above 0")
        self._check_graphs()

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

    choices = Settings.choices | GraphSettings.graph_choices
    stored = (*GraphSettings.graph_stored, *Settings.stored)

    beam: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.task == "enhanced":
            raise TrainingError("--task enhanced needs --model neural, not linear")
        if self.beam != 1 or self.parse_beam > 1:
            raise TrainingError("a joint linear parser parses greedily; drop --beam")
        if self.learner != "perceptron":
            raise TrainingError(f"joint linear parsers are trained with the perceptron; drop --learner {self.learner}")
        self._check_graphs()

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
