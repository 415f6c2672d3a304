"""Settings of graphs, which all learners of joint parsers share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from multiplane.errors import TrainingError, TransitionSystemError
from multiplane.graphs.codecs.planarized import PLANARIZATIONS, Planarization
from multiplane.models.systems import check_graph_system, swaps
from multiplane.oracles.spec import check_strategy
from multiplane.systems import systems
from multiplane.training.settings import LearnerSettings

ORDERS = ("last-resort", "exhaustive")
"""S4's canonical orders: when words are swapped."""


@dataclass(frozen=True, kw_only=True)
class GraphSettings(LearnerSettings):
    """What a joint parser is told of its graphs."""

    semantics: str = "swap-graph"
    """The transition system of graphs, by name."""
    order: Literal["last-resort", "exhaustive"] = "last-resort"
    """When a system with SWAP swaps words (S4)."""
    planarize: Planarization | None = None
    """How graphs are made planar for training: by lifting arcs, which is undone after parsing, or by dropping them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            check_graph_system(systems[self.semantics])
            if self.strategy is not None:
                check_strategy(systems[self.semantics], self.strategy)
        except TransitionSystemError as error:
            raise TrainingError(f"semantics: {error}") from None
        if self.planarize not in (None, *PLANARIZATIONS):
            raise TrainingError(f"planarize must be one of {', '.join(PLANARIZATIONS)}, not {self.planarize!r}")

    @property
    def strategy(self) -> str | None:
        """The strategy of the static oracle of graphs; None for that of the system."""
        return self.order if swaps(systems[self.semantics]) else None
