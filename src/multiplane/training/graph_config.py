"""Settings of graphs, which all learners of joint parsers share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from multiplane.errors import TrainingError, TransitionSystemError
from multiplane.graphs.codecs.planarized import PLANARIZATIONS, Planarization
from multiplane.models.systems import check_graph_system, swaps
from multiplane.oracles.spec import check_strategy
from multiplane.systems import systems

ORDERS = ("last-resort", "exhaustive")
"""S4's canonical orders: when words are swapped."""


@dataclass(frozen=True, kw_only=True)
class GraphSettings:
    """The settings for the graphs of a joint parser, to be combined with those of a learner.

    A mixin: it derives from no settings class, whose defaults would override those of the learner.
    """

    semantics: str = "swap-graph"
    """The transition system of graphs, by name."""
    order: Literal["last-resort", "exhaustive"] = "last-resort"
    """When a system with SWAP swaps words (S4)."""
    planarize: Planarization | None = None
    """How graphs are made planar for training: by lifting arcs, which is undone after parsing, or by dropping them."""

    def check_graphs(self) -> None:
        """Raises `TrainingError` if a value is invalid."""
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
