"""`/api/coverage`: how many trees of the sample treebank each transition system derives, by class."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from multiplane.data import sample
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.graphs import Measures, measure_heads
from multiplane.oracles import StaticOracle
from multiplane.server.endpoints import Call, Endpoint
from multiplane.server.schema import ListOf, Object, Text, Whole
from multiplane.systems import systems

_CLASSES: dict[str, Callable[[Measures], NDArray[np.bool_]]] = {
    "projective": lambda m: ~m.nonprojective,
    "planar, not projective": lambda m: m.nonprojective & (m.planarity == 1),
    "2-planar, not planar": lambda m: m.planarity == 2,
    "not 2-planar": lambda m: (m.planarity > 2) | (m.planarity == 0),
}
"""Classes that share no tree."""


async def coverage(call: Call) -> dict[str, Any]:
    """Returns what every system covers."""
    return await call.service.in_thread(system_coverage)


@cache
def system_coverage() -> dict[str, Any]:
    """Returns, for each system of the catalogue, how many sample trees of each class its static oracle derives exactly.

    >>> covered = {system["name"]: system["classes"] for system in system_coverage()["systems"]}
    >>> [(c["name"], c["exact"], c["sentences"]) for c in covered["2-planar"]][2:]
    [('2-planar, not planar', 28, 28), ('not 2-planar', 0, 3)]
    """
    classes = {name: _part(holds) for name, holds in _CLASSES.items()}
    return {
        "treebank": "sample",
        "systems": [
            {
                "name": system.name,
                "classes": [
                    {"name": name, "exact": StaticOracle(system).statistics(trees).exact, "sentences": len(trees)}
                    for name, trees in classes.items()
                ],
            }
            for system in systems.values()
        ],
    }


def _part(holds: Callable[[Measures], NDArray[np.bool_]]) -> Corpus:
    """Returns the sample's sentences of a class."""
    corpus = sample()
    chosen = np.flatnonzero(holds(measure_heads(corpus.lengths, corpus.heads)))
    return from_text(b"".join(corpus[number].to_bytes() for number in chosen.tolist()), corpus.dialect.name)


COVERAGE = Endpoint(
    "/api/coverage",
    "How many trees of the sample treebank the static oracle of each transition system derives, by class.",
    coverage,
    Object(
        {
            "treebank": Text(),
            "systems": ListOf(
                Object(
                    {
                        "name": Text(),
                        "classes": ListOf(Object({"name": Text(), "exact": Whole(), "sentences": Whole()})),
                    }
                )
            ),
        }
    ),
)
