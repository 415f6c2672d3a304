"""Oracles: static, dynamic, and an exhaustive search that verifies both."""

from __future__ import annotations

from typing import Literal, overload

from multiplane.errors import TransitionSystemError
from multiplane.oracles.dynamic import DynamicOracle
from multiplane.oracles.exhaustive import StateSpace
from multiplane.oracles.spec import LOSSES, STRATEGIES
from multiplane.oracles.static import Derivation, StaticOracle, Statistics
from multiplane.systems import TransitionSystem, systems


@overload
def oracle(
    system: str | TransitionSystem, *, dynamic: Literal[False] = False, strategy: str | None = None
) -> StaticOracle: ...
@overload
def oracle(system: str | TransitionSystem, *, dynamic: Literal[True], regularized: bool = False) -> DynamicOracle: ...
def oracle(
    system: str | TransitionSystem,
    *,
    dynamic: bool = False,
    strategy: str | None = None,
    regularized: bool = False,
) -> StaticOracle | DynamicOracle:
    """Returns the oracle of a system, given by name or as a value.

    >>> from multiplane import DependencyGraph
    >>> oracle("planar").sequence(DependencyGraph(2, [(2, 1, "nsubj")]))
    ['SHIFT', 'LEFT-ARC(nsubj)', 'SHIFT']
    >>> oracle("planar", dynamic=True).costs(systems["planar"].initial(2), DependencyGraph(2, [(2, 1)]))
    {'SHIFT': 0}
    """
    chosen = systems[system]
    if regularized and not dynamic:
        raise TransitionSystemError("only a dynamic oracle can be regularized; pass dynamic=True")
    if strategy is not None and dynamic:
        raise TransitionSystemError("only static oracles have a strategy; drop it or dynamic=True")
    return DynamicOracle(chosen, regularized=regularized) if dynamic else StaticOracle(chosen, strategy)


__all__ = [
    "LOSSES",
    "STRATEGIES",
    "Derivation",
    "DynamicOracle",
    "StateSpace",
    "StaticOracle",
    "Statistics",
    "oracle",
]
