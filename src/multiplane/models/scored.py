"""Derivations with the scores of all legal transitions at each configuration."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import TransitionError
from multiplane.systems import Action, TransitionSystem
from multiplane.systems.walk import walk


class Option(NamedTuple):
    """A transition that is legal in a configuration."""

    action: Action
    """The transition, with the label that the model would choose."""
    score: float
    """The score that the search compares; for neural models, the log probability."""
    label_score: float
    """The score that a beam adds for the label; 0 if labels do not compete with transitions, as in neural models."""
    probability: float | None
    """The probability among the legal transitions; None if the model does not predict probabilities."""


class ScoredDerivation(NamedTuple):
    """A derivation with the options at each of its configurations, including the initial and the last one."""

    actions: list[Action]
    options: list[list[Option]]
    complete: bool
    """Whether the last configuration is terminal."""


def chosen_rows(
    prefix: Sequence[str | Action], system: TransitionSystem, n: int, labels: Sequence[str]
) -> list[tuple[int, int, list[int]]]:
    """Converts transitions to indices, parameters and label indices for the native core; labels may be ambiguous.

    Raises `TransitionError` for a transition that is not legal, or a label that the model does not have.

    >>> from multiplane.systems import systems
    >>> chosen_rows(["SHIFT", "RIGHT-ARC(obj)"], systems["planar"], 2, ("det", "obj"))
    [(0, 0, []), (3, 0, [1])]
    """
    places: dict[str, list[int]] = {}
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    rows = []
    for number, (action, _) in enumerate(walk(system, n, prefix), 1):
        if action.label is not None and action.label not in places:
            raise TransitionError(
                f"step {number}: the model has no label '{action.label}'; give one of {_few(list(places))}, "
                f"or none, to let the model choose: {action.name}"
            )
        rows.append((action.number, action.parameter, [] if action.label is None else places[action.label]))
    return rows


def options_of(
    system: TransitionSystem,
    labels: Sequence[str],
    first: NDArray[np.int32],
    columns: Sequence[NDArray[Any]],
    *,
    probable: bool,
) -> list[list[Option]]:
    """Returns the options at each configuration from the native core's columns."""
    transitions, parameters, numbers, scores, label_scores = (column.tolist() for column in columns)
    names = system.names
    probabilities = np.exp(columns[3]).tolist() if probable else [None] * len(scores)
    options = [
        Option(Action(number, names[number], parameter, None if label < 0 else labels[label]), *rest)
        for number, parameter, label, *rest in zip(
            transitions, parameters, numbers, scores, label_scores, probabilities, strict=True
        )
    ]
    bounds = first.tolist()
    return [options[begin:end] for begin, end in pairwise(bounds)]


def _few(names: Sequence[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (f" … ({len(names)} labels)" if len(names) > most else "")
