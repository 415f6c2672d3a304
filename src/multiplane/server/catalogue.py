"""`/api/systems`: the transition systems, with the properties that follow from their declarations."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

from multiplane.errors import TransitionSystemError
from multiplane.oracles import DynamicOracle
from multiplane.server.endpoints import Call, Endpoint
from multiplane.server.schema import Flag, ListOf, Object, OneOf, Text, Whole
from multiplane.systems import TransitionSystem, systems
from multiplane.systems.properties import TITLES


async def catalogue(call: Call) -> list[dict[str, Any]]:
    """Returns all transition systems."""
    return await call.service.in_thread(all_systems)


def all_systems() -> list[dict[str, Any]]:
    """Returns what the API says of every system of the catalogue.

    >>> all_systems()[0]["transitions"][0]["name"]
    'SHIFT'
    """
    return [described(name) for name in systems]


def described(name: str) -> dict[str, Any]:
    """Returns what the API says of a system.

    >>> described("2-planar")["stacks"]
    2
    """
    with _ONE_AT_A_TIME:
        return _described(name)


_ONE_AT_A_TIME = Lock()
"""The properties of some systems take seconds to prove, and twice as long if two requests ask for them."""


@cache
def _described(name: str) -> dict[str, Any]:
    system = systems[name]
    return {
        "name": system.name,
        "about": system.about,
        "stacks": system.stacks,
        "transitions": [{"name": name, "definition": str(each)} for name, each in system.transitions.items()],
        "properties": [
            {"name": TITLES[name], "value": verdict.holds, "reason": verdict.reason}
            for name, verdict in system.properties().items()
        ],
        "dynamic_oracle": has_dynamic_oracle(system),
    }


def has_dynamic_oracle(system: TransitionSystem) -> bool:
    """Whether there is a dynamic oracle for a system.

    >>> has_dynamic_oracle(systems["2-planar"])
    True
    """
    try:
        DynamicOracle(system)
    except TransitionSystemError:
        return False
    return True


SYSTEMS = Endpoint(
    "/api/systems",
    "The transition systems, with the properties that follow from their declarations.",
    catalogue,
    ListOf(
        Object(
            {
                "name": Text(),
                "about": Text("The paper that introduced it."),
                "stacks": Whole(),
                "transitions": ListOf(Object({"name": Text(), "definition": Text()})),
                "properties": ListOf(
                    Object(
                        {
                            "name": Text(),
                            "value": OneOf((Flag(), Text(nullable=True)), "Null if unknown."),
                            "reason": Text(),
                        }
                    )
                ),
                "dynamic_oracle": Flag(),
            }
        )
    ),
)
