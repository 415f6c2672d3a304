"""Transition systems as algebra: elementary transitions, composed and restricted, and their derived properties."""

from multiplane.systems.catalogue import CONSTRAINTS, Catalogue, k_planar, planar, systems
from multiplane.systems.configuration import Configuration
from multiplane.systems.elementary import (
    ARC,
    DROP,
    EXCHANGE,
    LEFT_ARC,
    REDUCE,
    RESTORE,
    RIGHT_ARC,
    SHIFT,
    SKIP,
    SWITCH,
    UNSHIFT,
    Composition,
    I,
)
from multiplane.systems.guards import (
    Guard,
    arc_front_to_top,
    arc_top_to_front,
    connected,
    front_has_head,
    may_switch,
    path_front_to_top,
    path_top_to_front,
    top_before_front,
    top_has_head,
)
from multiplane.systems.properties import Properties, Verdict
from multiplane.systems.system import Action, TransitionSystem

__all__ = [
    "ARC",
    "CONSTRAINTS",
    "DROP",
    "EXCHANGE",
    "LEFT_ARC",
    "REDUCE",
    "RESTORE",
    "RIGHT_ARC",
    "SHIFT",
    "SKIP",
    "SWITCH",
    "UNSHIFT",
    "Action",
    "Catalogue",
    "Composition",
    "Configuration",
    "Guard",
    "I",
    "Properties",
    "TransitionSystem",
    "Verdict",
    "arc_front_to_top",
    "arc_top_to_front",
    "connected",
    "front_has_head",
    "k_planar",
    "may_switch",
    "path_front_to_top",
    "path_top_to_front",
    "planar",
    "systems",
    "top_before_front",
    "top_has_head",
]
