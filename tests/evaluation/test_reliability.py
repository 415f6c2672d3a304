"""Confidences against what is right: calibration error, bins, and errors among the least certain arcs."""

import math

import numpy as np
import pytest

import multiplane as mp
from multiplane.evaluation.reliability import BINS, reliability, reliability_of
from multiplane.formats.reader import from_text
from multiplane.formats.scores import with_scores


def slow_error(confidences: np.ndarray, right: np.ndarray) -> float:
    """The definition, bin by bin."""
    total = 0.0
    for i in range(BINS):
        low, high = i / BINS, (i + 1) / BINS
        inside = (confidences >= low) & ((confidences < high) | (i == BINS - 1))
        if inside.any():
            total += inside.sum() * abs(confidences[inside].mean() - right[inside].mean())
    return total / len(right)


@pytest.mark.parametrize("seed", range(5))
def test_the_error_agrees_with_its_definition(seed: int):
    rng = np.random.default_rng(seed)
    confidences = rng.random(300)
    right = rng.random(300) < confidences**2
    found = reliability_of(confidences, right)
    assert math.isclose(found.ece, slow_error(confidences, right))
    assert sum(each.words for each in found.bins) == 300
    assert all(each.low <= each.confidence <= each.high for each in found.bins)


def test_true_probabilities_have_nearly_no_error_and_others_have_one():
    rng = np.random.default_rng(1)
    confidences = rng.random(100_000)
    right = rng.random(100_000) < confidences
    assert reliability_of(confidences, right).ece < 0.01
    assert reliability_of(np.sqrt(confidences), right).ece > 0.1


def test_the_least_certain_tenth_holds_what_it_can_hold_if_errors_come_first():
    confidences = np.linspace(0, 1, 100)
    found = reliability_of(confidences, np.arange(100) >= 20)
    assert (found.least_certain, found.possible) == (0.5, 0.5)
    assert reliability_of(confidences, np.arange(100) < 80).least_certain == 0.0


def test_no_words_and_no_errors_are_no_trouble():
    assert reliability_of(np.zeros(0), np.zeros(0, np.bool_)).words == 0
    assert reliability_of(np.ones(3), np.ones(3, np.bool_)).least_certain == 0.0


def row(number: int, head: int, label: str, misc: str) -> str:
    return f"{number}\tw{number}\t_\tX\t_\t_\t{head}\t{label}\t_\t{misc}\n"


def test_a_word_is_right_with_its_head_and_full_label():
    gold = from_text(row(1, 0, "root", "_") + row(2, 1, "acl:relcl", "_") + row(3, 1, "obj", "_"))
    system = from_text(row(1, 0, "root", "Score=0.9") + row(2, 1, "acl", "Score=0.2") + row(3, 2, "obj", "Score=0.1"))
    found = reliability(gold, system)
    assert found.accuracy == pytest.approx(1 / 3)
    assert found.confidence == pytest.approx(0.4)


def test_words_without_scores_are_refused_with_their_place():
    gold = from_text(row(1, 0, "root", "_") + row(2, 1, "obj", "_"))
    with pytest.raises(mp.FormatError, match="<text>:1: sentence 1: 1 word without Score=… in MISC"):
        reliability(gold, from_text(row(1, 0, "root", "Score=0.9") + row(2, 1, "obj", "_")))


@pytest.mark.parametrize("value", ["1.5", "-0.1", "nan", "x", "", "1e-3"])
def test_scores_that_are_no_probabilities_are_refused_with_their_line(value: str):
    gold = from_text(row(1, 0, "root", "_") + row(2, 1, "obj", "_"))
    wrong = from_text(row(1, 0, "root", "Score=0.9") + row(2, 1, "obj", f"Score={value}"))
    with pytest.raises(mp.FormatError, match=rf"<text>:2: sentence 1: Score={value} in MISC is not a probability"):
        reliability(gold, wrong)


def test_scores_come_after_what_misc_has_already():
    fields = ["_", "SpaceAfter=No", "Score=0.1|Gloss=a", "Scores=1"]
    assert with_scores(fields, np.full(4, 0.5)) == [
        "Score=0.500",
        "SpaceAfter=No|Score=0.500",
        "Gloss=a|Score=0.500",
        "Scores=1|Score=0.500",
    ]
