"""The oracles of a system as the native core wants them, for training and for heads that are given."""

from __future__ import annotations

from multiplane import _native
from multiplane.errors import TransitionSystemError
from multiplane.oracles.dynamic import DynamicOracle
from multiplane.oracles.static import _NUMBERS, StaticOracle
from multiplane.systems import TransitionSystem


def dynamic_oracle_of(system: TransitionSystem) -> DynamicOracle | None:
    """The dynamic oracle of a system that has one.

    >>> from multiplane.systems import systems
    >>> dynamic_oracle_of(systems["arc-standard"]) is None
    True
    """
    try:
        return DynamicOracle(system)
    except TransitionSystemError:
        return None


def native_oracle(system: TransitionSystem) -> _native.OracleKind:
    """The static oracle of a system, and the dynamic one where there is one.

    >>> from multiplane.systems import systems
    >>> type(native_oracle(systems["2-planar"].trees())).__name__
    'OracleKind'
    """
    static, dynamic = StaticOracle(system), dynamic_oracle_of(system)
    return _native.OracleKind(
        system.program,
        static._roles,
        static._arcs,
        _NUMBERS[static.strategy],
        static._target,
        -1 if dynamic is None else dynamic._number,
        dynamic is not None and dynamic._bounded,
    )
