"""What models of all kinds check and translate in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from multiplane.errors import ModelError
from multiplane.formats import Sentence
from multiplane.formats.rewrite import FORBIDDEN
from multiplane.graphs.projectivize import ENCODINGS, Encoding
from multiplane.models.toml import Table, taken_or
from multiplane.oracles.kind import dynamic_oracle_of
from multiplane.systems import Action, TransitionSystem

MOST_LABELS = 65_535
MOST_BEAM = 20_000


def check_labels(labels: tuple[str, ...], root_label: str) -> None:
    """Refuses a vocabulary of labels that no model can have."""
    if not 1 <= len(labels) <= MOST_LABELS:
        raise ModelError(f"a model has 1 to {MOST_LABELS:,} labels, not {len(labels):,}")
    if len(set(labels)) < len(labels):
        raise ModelError("the vocabulary has a label twice")
    if wrong := next(filter(FORBIDDEN.search, labels), None):
        raise ModelError(f"the label {wrong!r} holds a character that no field can hold")
    if root_label not in labels:
        raise ModelError(f"the root's label '{root_label}' is not in the vocabulary")


def check_width(beam: int) -> int:
    """The width of a beam, if it can be one.

    >>> check_width(8)
    8
    """
    if not 1 <= beam <= MOST_BEAM:
        raise ModelError(f"the beam is out of range: {beam}")
    return beam


def check_can_keep_heads(system: TransitionSystem, encoding: Encoding | None) -> None:
    """Refuses heads that are given where a parser could not keep them."""
    if encoding is not None:
        raise ModelError(
            "a pseudo-projective model cannot keep heads, as it does not build the trees that it gives; "
            "train one without --pseudo-projective"
        )
    if dynamic_oracle_of(system) is None:
        raise ModelError(
            f"{system.name} has no dynamic oracle, so its parsers cannot keep heads; "
            "train one with 2-planar, planar, arc-eager, arc-hybrid or covington"
        )


def encoding_in(labels: Table) -> Encoding | None:
    """The pseudo-projective encoding that a stored table of labels names, or None."""
    encoding: Any = taken_or(labels, "pseudo_projective", str, None)
    if encoding is not None and encoding not in ENCODINGS:
        raise ModelError(f"labels.pseudo_projective: unknown encoding '{encoding}'")
    return encoding  # type: ignore[no-any-return]


def incomplete(sentence: Sentence, system: TransitionSystem) -> ModelError:
    """The error for heads that no tree has all of."""
    return ModelError(
        f"{sentence.where}: the heads given cannot all be kept: "
        f"no tree of {system.title} was found that has them; give other ones, or _"
    )


def actions_of(
    sequences: Sequence[Sequence[tuple[int, int, int]]], system: TransitionSystem, labels: tuple[str, ...]
) -> list[list[Action]]:
    """Transitions by name: from their numbers, parameters, and the numbers of labels or -1.

    >>> from multiplane.systems import systems
    >>> [str(action) for action in actions_of([[(0, 0, -1), (2, 0, 1)]], systems["planar"], ("det", "obj"))[0]]
    ['SHIFT', 'LEFT-ARC(obj)']
    """
    names = system.names
    return [
        [
            Action(number, names[number], parameter, None if label < 0 else labels[label])
            for number, parameter, label in sequence
        ]
        for sequence in sequences
    ]
