"""Calibration: estimates the probability that an arc is correct from the parser's evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import ModelError
from multiplane.models.evidence import SIGNS, Evidence, Floats
from multiplane.models.toml import Table, taken

MOST_BEAMS = 100
"""The maximum number of beam widths that a model can be calibrated for."""
_LEAST, _MOST = 0.001, 0.999
"""Confidences are limited to this range: no arc is certainly right or wrong."""
_MOST_KNOTS = 1000


@dataclass(frozen=True)
class Calibration:
    """A model's calibration on development data, for one beam width.

    >>> Calibration(1).of_words(np.zeros((1, SIGNS))).tolist()
    [0.5]
    """

    beam: int
    """The beam width; 1 is greedy."""
    temperature: float = 1.0
    """The divisor of scores that are not log probabilities."""
    weights: tuple[float, ...] = (0.0,) * (SIGNS + 1)
    """The weights of a constant and of the columns of `Evidence.signs`."""
    knots: tuple[float, ...] = ()
    """The knots of the isotonic correction, in ascending order; empty if there is none."""
    values: tuple[float, ...] = ()
    """The corrected probabilities at the knots; linear in between."""
    whole: float = 1.0
    """The probability of a whole tree is the product of its words' probabilities to this power."""

    def __post_init__(self) -> None:
        numbers = (self.temperature, *self.weights, *self.knots, *self.values, self.whole)
        if not all(map(math.isfinite, numbers)):
            raise ModelError("calibration: a number is not finite")
        if self.beam < 1 or self.temperature <= 0 or not 0 < self.whole <= 1 or len(self.weights) != SIGNS + 1:
            raise ModelError(f"calibration: a number is out of range, or the number of weights is not {SIGNS + 1}")
        if len(self.knots) != len(self.values) or len(self.knots) > _MOST_KNOTS:
            raise ModelError(f"calibration: expected as many values as knots, and at most {_MOST_KNOTS}")
        for numbers in (self.knots, self.values):
            if list(numbers) != sorted(numbers) or not all(0 <= number <= 1 for number in numbers):
                raise ModelError("calibration: knots and values must be probabilities in ascending order")

    def of_words(self, signs: Floats) -> Floats:
        """Returns the probability that each word's head and label are correct."""
        p = sigmoid(self.weights[0] + signs @ np.array(self.weights[1:]))
        if self.knots:
            p = np.interp(p, self.knots, self.values)
        return np.asarray(np.clip(p, _LEAST, _MOST))

    def to_table(self) -> Table:
        """Returns the table for config.toml."""
        return {
            "beam": self.beam,
            "temperature": self.temperature,
            "weights": list(self.weights),
            "knots": list(self.knots),
            "values": list(self.values),
            "whole": self.whole,
        }

    @staticmethod
    def from_table(table: Table) -> Calibration:
        """Restores a calibration from config.toml; checks all values."""
        try:
            return Calibration(
                taken(table, "beam", int),
                taken(table, "temperature", float),
                _numbers(table, "weights"),
                _numbers(table, "knots"),
                _numbers(table, "values"),
                taken(table, "whole", float),
            )
        except ModelError as error:
            raise ModelError(f"calibration: {str(error).removeprefix('calibration: ')}") from None


def sigmoid(x: Floats) -> Floats:
    """Returns the probabilities of logits.

    >>> sigmoid(np.array([0.0, 100.0, -1000.0])).tolist()
    [0.5, 1.0, 0.0]
    """
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)))


def calibrations_to_table(calibrations: Sequence[Calibration]) -> Table | None:
    """Returns the calibrations as a table for config.toml, or None if there are none.

    >>> list(calibrations_to_table([Calibration(1), Calibration(8)]))
    ['beam-1', 'beam-8']
    """
    return {f"beam-{each.beam}": each.to_table() for each in calibrations} or None


def calibrations_from(config: Mapping[str, Any]) -> tuple[Calibration, ...]:
    """Restores the calibrations of a model from config.toml; older models have none."""
    table = config.get("calibration")
    if table is None:
        return ()
    if not isinstance(table, dict) or not all(isinstance(each, dict) for each in table.values()):
        raise ModelError("calibration: expected one table for each beam width")
    found = tuple(map(Calibration.from_table, table.values()))
    if len({each.beam for each in found}) < len(found) or len(found) > MOST_BEAMS:
        raise ModelError(f"calibration: duplicate beam width, or more than {MOST_BEAMS} beam widths")
    return found


def nearest(calibrations: Sequence[Calibration], beam: int) -> Calibration | None:
    """Returns the calibration for a beam width or, if there is none, for the nearest one.

    >>> nearest([Calibration(1), Calibration(8), Calibration(64)], 16).beam
    8
    >>> nearest([], 1) is None
    True
    """
    return min(
        calibrations,
        key=lambda each: ((each.beam == 1) != (beam == 1), abs(math.log2(each.beam / beam)), each.beam),
        default=None,
    )


def confidences(evidence: Evidence, lengths: NDArray[np.int64], calibration: Calibration | None) -> Floats:
    """Returns the probability that each word's head and label are correct; `lengths` has one entry per tree."""
    if calibration is None:
        return np.asarray(np.clip(np.exp(evidence.plain_odds()), _LEAST, _MOST))
    return calibration.of_words(evidence.signs(lengths))


def _numbers(table: Table, key: str) -> tuple[float, ...]:
    numbers = taken(table, key, list)
    if not all(isinstance(number, float | int) and not isinstance(number, bool) for number in numbers):
        raise ModelError(f"{key}: expected a list of numbers")
    return tuple(map(float, numbers))
