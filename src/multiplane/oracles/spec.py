"""Specifications of a system's oracles, declared or derived from its transitions.

A system may declare the strategy of its static oracle (`oracle=`) and the loss of its dynamic one (`loss=`). Otherwise
they are those of the catalogue's system with the same compositions, or else derived: the strategy from the roles of
transitions, the loss by exhaustive search (see `multiplane.oracles.reachability`).
"""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

from multiplane import _native
from multiplane.errors import TransitionSystemError
from multiplane.oracles.reachability import reachability_of
from multiplane.systems import TransitionSystem, systems
from multiplane.systems.properties import removes_dependents

_E = TypeVar("_E", bound=Enum)

STRATEGIES = {
    "planar": "arcs as soon as their ends meet, nearest first; planes are assigned on demand",
    "bottom-up": "a word is attached once it has all of its own dependents",
    "swap-eager": "bottom-up; two words out of the projective order are swapped as soon as they meet",
    "swap-lazy": "bottom-up; they are swapped only when the next word does not belong to the same projective part",
    "arc-hybrid-swap": "bottom-up; the top is swapped with a front that precedes it in the projective order",
    "last-resort": "S4: swap when the word under the top must be linked to the front",
    "exhaustive": "S4: swap when the word under the top has the earlier list of partners",
    "search": "any derivation, found by search; for systems without another strategy",
}
"""The strategies of static oracles."""

LOSSES = {
    "planar": "S2: an arc needs its plane's stack; cycles count",
    "arc-eager": "Goldberg and Nivre (2012)",
    "arc-hybrid": "Goldberg and Nivre (2013)",
    "arc-hybrid-swap": "de Lhoneux, Stymne and Nivre (2017): static for SWAP, dynamic for the rest",
    "covington": "Gómez-Rodríguez and Fernández-González (2015)",
    "derived": "which arcs can still be built, found by exhaustive search",
}
"""The losses of dynamic oracles."""

_NEED_SWAP = ("swap-eager", "swap-lazy", "arc-hybrid-swap", "last-resort", "exhaustive")
_NEED_STACKS = ("planar", "last-resort", "exhaustive")


def strategy_of(system: TransitionSystem) -> str:
    """Returns the strategy of a system's static oracle: declared, the catalogue's, or derived.

    >>> from multiplane.systems import LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT
    >>> strategy_of(TransitionSystem("mine", NEXT=SHIFT, POP=REDUCE, A=LEFT_ARC, B=RIGHT_ARC))
    'planar'
    """
    if system.oracle:
        return system.oracle
    twin = systems.twin(system)
    return (twin and twin.oracle) or derived_strategy(system)


def derived_strategy(system: TransitionSystem) -> str:
    """Derives the strategy from the roles of a system's transitions.

    >>> [derived_strategy(systems[name]) for name in ("arc-eager", "arc-standard", "swap", "swap-graph")]
    ['planar', 'bottom-up', 'swap-lazy', 'exhaustive']
    """
    roles = _native.Roles(system.program)
    complete = roles.shift >= 0 and _is_complete(roles.on[0])
    if roles.swap >= 0:
        if complete:
            return "exhaustive"
        return "swap-lazy" if system.builds_arcs_on_stack else "arc-hybrid-swap"
    if complete and (len(roles.on) == system.stacks or roles.switch >= 0):
        return "planar"
    return "bottom-up" if removes_dependents(system) else "search"


def _is_complete(roles: _native.StackRoles) -> bool:
    return min(roles.reduce, roles.left, roles.right) >= 0


def check_strategy(system: TransitionSystem, strategy: str) -> None:
    """Raises `TransitionSystemError` if a system lacks the transitions for a strategy.

    >>> check_strategy(systems["planar"], "swap-lazy")
    Traceback (most recent call last):
    ...
    multiplane.errors.TransitionSystemError: the strategy 'swap-lazy' needs a transition that swaps two words, but \
planar has none
    """
    if strategy not in STRATEGIES:
        raise TransitionSystemError(f"unknown strategy '{strategy}'; known: {', '.join(STRATEGIES)}")
    roles = _native.Roles(system.program)
    lacks = ""
    if strategy in _NEED_SWAP and roles.swap < 0:
        lacks = "a transition that swaps two words"
    elif strategy in _NEED_STACKS and (roles.shift < 0 or not _is_complete(roles.on[0])):
        lacks = "SHIFT, REDUCE and both arcs, under any names"
    elif strategy == "planar" and len(roles.on) < system.stacks and roles.switch < 0:
        lacks = "a SWITCH, or transitions that work on every stack"
    if lacks:
        raise TransitionSystemError(f"the strategy '{strategy}' needs {lacks}, but {system.name} has none")


def target_of(system: TransitionSystem, strategy: str) -> _native.Target:
    """Returns the class into which graphs that the system cannot derive are converted."""
    properties = system.properties()
    planar = properties["planar"].holds
    if strategy == "search" or (strategy == "bottom-up" and planar is False):
        # Their class is unknown; a projective tree may be closer than nothing.
        return _native.Target.PROJECTIVE_IF_NEEDED
    if planar is False:
        return _native.Target.ANY if system.stacks == 1 else _native.Target.PLANAR
    covers_no_root = properties["no_covered_roots"].holds is not False or system.root is not None
    derives_forests = bool(properties["single_head"]) or (system.is_undirected and system.only_trees)
    return _native.Target.PROJECTIVE if covers_no_root and derives_forests else _native.Target.PLANAR


def static_spec(system: TransitionSystem, strategy: str | None = None) -> _native.OracleSpec:
    """Returns a static oracle for the native core.

    >>> static_spec(systems["2-planar"]).strategy.name
    'PLANAR'
    """
    chosen = strategy or strategy_of(system)
    check_strategy(system, chosen)
    return _native.OracleSpec(system.program, _enumerator(_native.StrategyKind, chosen), target_of(system, chosen))


def oracle_spec(system: TransitionSystem) -> _native.OracleSpec:
    """Returns the static oracle of a system, and its dynamic one if it has one, for the native core.

    >>> oracle_spec(systems["arc-eager"]).loss.name, oracle_spec(systems["arc-standard"]).loss.name
    ('ARC_EAGER', 'NONE')
    """
    static = static_spec(system)
    try:
        loss, reach = loss_of(system)
    except TransitionSystemError:
        return static
    return _native.OracleSpec(system.program, static.strategy, static.target, loss, reach)


def has_dynamic_oracle(system: TransitionSystem) -> bool:
    """Whether a system has a dynamic oracle.

    >>> has_dynamic_oracle(systems["2-planar"].trees()), has_dynamic_oracle(systems["arc-standard"])
    (True, False)
    """
    return oracle_spec(system).loss is not _native.LossKind.NONE


def loss_of(system: TransitionSystem) -> tuple[_native.LossKind, _native.ReachTable]:
    """Returns the loss of a system's dynamic oracle: declared, the catalogue's, or derived.

    Raises `TransitionSystemError` with the reason if there is none.

    >>> loss_of(systems["arc-standard"])
    Traceback (most recent call last):
    ...
    multiplane.errors.TransitionSystemError: arc-standard has no dynamic oracle, as its loss is not a sum over arcs: \
from <Configuration *[1, 2] | [3] | []> each of (1, 2) and (1, 3) can be built, but not all of them
    """
    declared = system.loss
    if not declared:
        twin = systems.twin(system)
        declared = (twin and twin.loss) or "derived"
    if declared not in LOSSES:
        raise TransitionSystemError(f"{system.name}: unknown loss '{declared}'; known: {', '.join(LOSSES)}")
    if declared != "derived":
        return _enumerator(_native.LossKind, declared), _native.ReachTable()
    found = reachability_of(tuple(system.transitions.values()), system.stacks, strategy_of(system))
    if found.table is None:
        raise TransitionSystemError(f"{system.name} has no dynamic oracle, as {found.why}")
    return _native.LossKind.DERIVED, found.table


def _enumerator(kind: type[_E], name: str) -> _E:
    """Returns the native enumerator for a name such as `bottom-up`."""
    return kind[name.upper().replace("-", "_")]
