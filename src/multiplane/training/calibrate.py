"""Calibrates a model: learns from development data how often arcs are correct, given the parser's evidence."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import TrainingError
from multiplane.evaluation.reliability import reliability_of
from multiplane.formats import UNKNOWN_HEAD, Corpus
from multiplane.models import Model
from multiplane.models.base import TransitionModel
from multiplane.models.calibration import Calibration, sigmoid
from multiplane.models.confidence import carriers, with_evidence
from multiplane.models.evidence import SIGNS, Floats

LEAST_WORDS = 200
"""The minimum number of words."""
_KNOTS = 20
_TEMPERATURES = (0.4, 1.0, 2.5)
"""Candidate temperatures, relative to the model's default."""
_RIDGE = 1.0


class Judged(NamedTuple):
    """The words of development data: the evidence for their arcs, and whether they are correct."""

    signs: Floats
    right: NDArray[np.bool_]
    sentences: NDArray[np.int64]
    """The numbers of their sentences."""

    def half(self, odd: bool) -> Judged:
        """Returns every second sentence, with new numbers."""
        chosen = (self.sentences % 2 == 1) == odd
        return Judged(self.signs[chosen], self.right[chosen], self.sentences[chosen] // 2)


def calibrate(model: Model, dev: Corpus, beam: int | None = None) -> Model:
    """Returns the model with confidence scores calibrated on development data, for one beam width.

    The data must not be part of the training data, on which a model is overconfident.

    >>> from multiplane import load, sample
    >>> calibrated = calibrate(load("en").model, sample())
    >>> [each.beam for each in calibrated.calibrations]
    [3]
    """
    known = with_evidence(model)
    if not is_enough(dev):
        raise TrainingError(f"{dev.name}: calibration needs at least {LEAST_WORDS} words with heads")
    width = known.beam if beam is None else beam
    if not known.scores_are_odds:
        tried = [known._usual_temperature * part for part in _TEMPERATURES]
        judged = {t: judge(known, dev, width, t) for t in tried}
        temperature = min(tried, key=lambda t: _log_loss(judged[t]))
        return known.with_calibration(fit(judged[temperature], width, temperature))
    return known.with_calibration(fit(judge(known, dev, width, 1.0), width, 1.0))


def is_enough(dev: Corpus) -> bool:
    """Whether development data has enough words for calibration.

    >>> from multiplane import sample
    >>> is_enough(sample())
    True
    """
    return int((dev.heads != UNKNOWN_HEAD).sum()) >= LEAST_WORDS


def judge(model: TransitionModel, dev: Corpus, beam: int, temperature: float, *, labelled: bool = True) -> Judged:
    """Parses development data; returns the evidence for each word's arc and whether it is correct, label included."""
    evidence = model.evidence(dev, beam, temperature=temperature)
    heads, labels = model._decoder.decode(dev.lengths, evidence.heads, evidence.labels)
    right = np.asarray(heads == dev.heads)
    if labelled:
        place = {name: number for number, name in enumerate(model.names)}
        right &= labels == np.fromiter((place.get(label, -1) for label in dev.column("deprel")), np.int32, dev.words)
    signs = evidence.signs(dev.lengths)[carriers(dev.lengths, evidence.heads, heads)]
    known = dev.heads != UNKNOWN_HEAD
    return Judged(signs[known], right[known], dev.sentence_of[known])


def fit(judged: Judged, beam: int, temperature: float) -> Calibration:
    """Fits a calibration: a logistic regression, with an isotonic correction if cross-validation favours it.

    >>> rng = np.random.default_rng(1)
    >>> signs = rng.normal(size=(4000, SIGNS))
    >>> judged = Judged(signs, rng.random(4000) < sigmoid(2 * signs[:, 1]), np.arange(4000) // 10)
    >>> [round(weight) for weight in fit(judged, 1, 1.0).weights[:4]]
    [0, 0, 2, 0]
    """
    halves = judged.half(odd=False), judged.half(odd=True)
    errors = dict.fromkeys((False, True), 0.0)
    for learnt, measured in (halves, halves[::-1]) if all(len(half.right) for half in halves) else ():
        for corrected in errors:
            p = _fitted(learnt, beam, temperature, corrected=corrected).of_words(measured.signs)
            errors[corrected] += reliability_of(p, measured.right).ece
    best = _fitted(judged, beam, temperature, corrected=errors[True] < errors[False])
    return replace(best, whole=_whole(judged, best.of_words(judged.signs)))


def cross_validated(judged: Judged, beam: int, temperature: float) -> Floats:
    """Returns probabilities of all words, each from a calibration that was fitted to the other half of the data."""
    found = np.zeros(len(judged.right))
    for odd in (False, True):
        calibration = fit(judged.half(not odd), beam, temperature)
        found[(judged.sentences % 2 == 1) == odd] = calibration.of_words(judged.half(odd).signs)
    return found


def _fitted(judged: Judged, beam: int, temperature: float, *, corrected: bool) -> Calibration:
    plain = Calibration(beam, _rounded(temperature), tuple(map(_rounded, _regression(judged).tolist())))
    if not corrected:
        return plain
    knots, values = _monotone(plain.of_words(judged.signs), judged.right)
    return replace(plain, knots=knots, values=values)


def _regression(judged: Judged) -> Floats:
    """Returns the weights of a logistic regression, the constant first, found with Newton's method."""
    x = np.column_stack([np.ones(len(judged.right)), judged.signs])
    weights = np.zeros(SIGNS + 1)
    ridge = np.array([1e-6, *[_RIDGE] * SIGNS])

    def loss(w: Floats) -> float:
        return float(np.logaddexp(0, np.where(judged.right, -1, 1) * (x @ w)).sum() + ridge @ w**2 / 2)

    for _ in range(50):
        p = sigmoid(x @ weights)
        gradient = x.T @ (judged.right - p) - ridge * weights
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + np.diag(ridge), gradient)
        while loss(weights + step) > loss(weights) and np.abs(step).max() > 1e-8:
            step = step / 2  # too far: the loss is convex, so that a smaller step helps
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _monotone(p: Floats, right: NDArray[np.bool_]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Returns knots of an isotonic regression over bins with equally many words."""
    groups: list[tuple[int, float, float]] = []
    for part in np.array_split(np.argsort(p, kind="stable"), min(_KNOTS, len(p))):
        groups.append((len(part), float(p[part].mean()), float(right[part].mean())))
        while len(groups) > 1 and groups[-2][2] >= groups[-1][2]:
            (m, x, y), (n, u, v) = groups[-2:]
            groups[-2:] = [(m + n, (m * x + n * u) / (m + n), (m * y + n * v) / (m + n))]
    return tuple(_rounded(x) for _, x, _ in groups), tuple(_rounded(y) for *_, y in groups)


def _whole(judged: Judged, p: Floats) -> float:
    """Returns the exponent of the product of probabilities that best predicts which trees are entirely correct.

    Errors are correlated, so the product alone would be too low.
    """
    _, numbers = np.unique(judged.sentences, return_inverse=True)
    logs = np.bincount(numbers, np.log(p))
    right = np.bincount(numbers, ~judged.right) == 0

    def likelihood(power: float) -> float:
        whole = np.clip(np.exp(power * logs), 1e-9, 1 - 1e-9)
        return float(np.where(right, np.log(whole), np.log(1 - whole)).sum())

    return _rounded(max((step / 100 for step in range(5, 101)), key=likelihood))


def _log_loss(judged: Judged) -> float:
    total = 0.0
    for odd in (False, True):
        weights = _regression(judged.half(not odd))
        half = judged.half(odd)
        p = np.clip(sigmoid(weights[0] + half.signs @ weights[1:]), 1e-9, 1 - 1e-9)
        total -= float(np.where(half.right, np.log(p), np.log(1 - p)).sum())
    return total


def _rounded(value: float) -> float:
    """Rounds to the digits that matter: a model's files must not depend on the last bits of a sum."""
    return round(value, 5)
