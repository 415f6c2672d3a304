"""Transition systems in model files: stored by name and with their declaration.

A system of the catalogue, or one that is registered, must have the same declaration; any other is declared anew.
"""

from __future__ import annotations

from multiplane import _native
from multiplane.errors import ModelError, TransitionSystemError
from multiplane.models.toml import Table, taken
from multiplane.systems import Composition, TransitionSystem, systems
from multiplane.systems.notation import composition_of


def system_to_table(system: TransitionSystem) -> Table:
    """Returns the stored form of a system.

    >>> table = system_to_table(systems["planar"].trees())
    >>> table["name"], table["root"], table["transitions"][:2]
    ('planar', 'none', ['SHIFT = SHIFT', 'REDUCE = REDUCE'])
    """
    return {
        "name": system.name,
        "root": system.root or "none",
        "single_root": system.single_root,
        "stacks": system.stacks,
        "transitions": _declaration(system),
    }


def system_from_table(table: Table) -> TransitionSystem:
    """Returns the stored system, with the same restriction to trees.

    >>> system_from_table(system_to_table(systems["2-planar"].trees("right"))).title
    '2-planar.trees(right, single root)'
    """
    root = taken(table, "root", str)
    if root not in ("none", "left", "right"):
        raise ModelError(f"system.root: expected none, left or right, not '{root}'")
    system = graph_system_from_table(table)
    try:
        return system.trees(None if root == "none" else root, single_root=taken(table, "single_root", bool))  # type: ignore[arg-type]
    except TransitionSystemError as error:
        raise ModelError(f"system: {error}") from None


def graph_system_from_table(table: Table) -> TransitionSystem:
    """Returns the stored system, without a restriction to trees.

    >>> graph_system_from_table(system_to_table(systems["swap-graph"])).name
    'swap-graph'
    """
    name = taken(table, "name", str)
    system = systems[name] if name in systems else _declared(name, table)
    if _declaration(system) != taken(table, "transitions", list) or system.stacks != taken(table, "stacks", int):
        raise ModelError(f"the transition system '{name}' differs from the one that the model was trained with")
    return system


def _declared(name: str, table: Table) -> TransitionSystem:
    """Returns a system that only the model's file declares; its parser must come to an end."""
    transitions: dict[str, Composition] = {}
    try:
        for line in taken(table, "transitions", list):
            if not isinstance(line, str):
                raise TransitionSystemError(f"{line!r} is no transition such as 'SHIFT = SHIFT'")
            key, _, text = line.partition(" = ")
            transitions[key] = composition_of(text)
        system = TransitionSystem(name, transitions, stacks=taken(table, "stacks", int))
        if not system.properties()["bounded"] and not swaps(system):
            raise TransitionSystemError("a parser might never end")
    except TransitionSystemError as error:
        raise ModelError(
            f"the model needs the unknown transition system '{name}', and its file does not declare it well: {error}; "
            "declare it and call multiplane.systems.register(system) before loading the model"
        ) from None
    return system


def _declaration(system: TransitionSystem) -> list[str]:
    return [f"{name} = {transition}" for name, transition in system.transitions.items()]


def check_graph_system(system: TransitionSystem) -> None:
    """Raises `TransitionSystemError` if a joint parser cannot build graphs with a system.

    >>> check_graph_system(systems["planar"])
    Traceback (most recent call last):
    ...
    multiplane.errors.TransitionSystemError: planar builds one head per word; choose swap-graph, planar[] or 2-planar[]
    """
    properties = system.properties()
    choose = "choose swap-graph, planar[] or 2-planar[]"
    if properties["single_head"] or system.is_undirected:
        raise TransitionSystemError(f"{system.name} builds one head per word; {choose}")
    if not properties["robust"]:
        raise TransitionSystemError(f"{system.name} may get stuck; {choose}")
    if not properties["bounded"] and not swaps(system):  # a parser never swaps twice in a row
        raise TransitionSystemError(f"{system.name} may not terminate; {choose}")


def swaps(system: TransitionSystem) -> bool:
    """Whether a system has a transition that swaps words."""
    return _native.Roles(system.program).swap >= 0
