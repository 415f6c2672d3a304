"""Calibration: what is fitted, stored and refused."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import multiplane as mp
from multiplane.evaluation.reliability import reliability_of
from multiplane.models.alternatives import best_choices
from multiplane.models.calibration import Calibration, nearest, sigmoid
from multiplane.models.confidence import parse_scored
from multiplane.models.evidence import SIGNS, Evidence
from multiplane.training.calibrate import Judged, cross_validated, fit
from small_parsers import trained


def judged(words: int, seed: int = 1) -> Judged:
    """Words whose probability of being right is a crooked function of the signs."""
    rng = np.random.default_rng(seed)
    signs = rng.normal(size=(words, SIGNS))
    p = 0.3 + 0.6 * sigmoid(3 * signs[:, 0] - signs[:, 3])
    return Judged(signs, rng.random(words) < p, np.arange(words) // 10)


def test_cross_validated_probabilities_are_right_on_data_that_were_not_fitted():
    data = judged(20_000)
    assert reliability_of(cross_validated(data, 1, 1.0), data.right).ece < 0.02


def test_probabilities_never_fall_as_the_evidence_grows():
    calibration = fit(judged(5_000), 1, 1.0)
    signs = np.zeros((50, SIGNS))
    signs[:, 0] = np.linspace(-5, 5, 50)
    assert (np.diff(calibration.of_words(signs)) >= 0).all()


def test_the_power_of_the_product_tells_how_often_whole_trees_are_right():
    rng = np.random.default_rng(4)
    good = np.repeat(rng.random(4_000) < 0.5, 10)  # errors come together
    right = np.where(good, True, rng.random(40_000) < 0.5)
    data = Judged(np.zeros((40_000, SIGNS)), right, np.arange(40_000) // 10)
    whole = fit(data, 1, 1.0).whole
    assert 0.2 < whole < 0.4  # 0.75^(10 w) is about a half
    alone = data._replace(right=rng.random(40_000) < 0.9)
    assert fit(alone, 1, 1.0).whole > 0.95


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.0},
        {"temperature": float("nan")},
        {"whole": 2.0},
        {"weights": (1.0,)},
        {"weights": (float("inf"),) * (SIGNS + 1)},
        {"knots": (0.1, 0.2), "values": (0.1,)},
        {"knots": (0.2, 0.1), "values": (0.1, 0.2)},
        {"knots": (0.1, 0.2), "values": (0.1, 1.2)},
        {"beam": 0},
    ],
)
def test_numbers_that_make_no_sense_are_refused(change: dict[str, object]):
    with pytest.raises(mp.ModelError, match="calibration: "):
        replace(Calibration(1), **change)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def parser() -> mp.Parser:
    return trained(mp.sample(), mp.sample(), epochs=2)


def test_training_with_development_data_calibrates(parser: mp.Parser, tmp_path: Path):
    assert [each.beam for each in parser.model.calibrations] == [1]  # type: ignore[attr-defined]
    parser.save(tmp_path / "model")
    again = mp.load(tmp_path / "model")
    assert again.model.calibrations == parser.model.calibrations  # type: ignore[attr-defined]
    assert again.parse(mp.sample(), scores=True).to_bytes() == parser.parse(mp.sample(), scores=True).to_bytes()


def test_other_widths_are_calibrated_beside_the_own_one(parser: mp.Parser):
    both = parser.calibrate(mp.sample(), beam=4)
    assert [each.beam for each in both.model.calibrations] == [1, 4]  # type: ignore[attr-defined]
    assert nearest(both.model.calibrations, 16).beam == 4  # type: ignore[attr-defined, union-attr]
    assert both.parse(mp.sample()).to_bytes() == parser.parse(mp.sample()).to_bytes()


def test_calibrated_scores_are_right_on_the_data_they_were_fitted_to(parser: mp.Parser):
    found = mp.evaluation.reliability(mp.sample(), parser.parse(mp.sample(), scores=True))
    assert found.ece < 0.06


def test_too_few_words_are_refused(parser: mp.Parser):
    with pytest.raises(mp.TrainingError, match="calibration needs at least 200 words with heads"):
        parser.calibrate(mp.sample()[0])


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("whole = ", "whole = -", "out of range"),
        ("weights = [", "weights = [true, ", "expected a list of numbers"),
        ("knots = [", "knots = [0.5, 0.1, ", "as many values as knots"),
        ("beam = 1\ntemperature", "beam = 1.5\ntemperature", "beam: expected an integer"),
        ("[calibration.beam-1]\n", "", "expected one table for each beam width"),
    ],
)
def test_a_damaged_table_is_refused(old: str, new: str, what: str, parser: mp.Parser, tmp_path: Path):
    parser.save(tmp_path / "model")
    config = tmp_path / "model" / "config.toml"
    text = config.read_text(encoding="utf-8")
    assert old in text
    config.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(mp.ModelError, match=what):
        mp.load(tmp_path / "model")


def test_a_model_without_a_table_still_has_scores():
    plain = trained(mp.sample(), epochs=1)
    assert plain.model.calibrations == ()  # type: ignore[attr-defined]
    trees = parse_scored(plain.model, mp.sample())
    assert ((trees.confidences > 0) & (trees.confidences <= 1)).all()


def evidence_of(scores: list[float], losses: list[list[float]]) -> Evidence:
    n = len(losses[0])
    words, zeros = len(scores) * n, np.zeros(len(scores) * n, np.float32)
    ints = np.zeros(words, np.int32)
    first, complete = np.array([0, len(scores)]), np.ones(1, np.uint8)
    other = -np.array(losses, np.float32).ravel()
    odds = [zeros, other, zeros, zeros, zeros + 1, zeros]
    return Evidence(first, complete, np.array(scores, np.float32), ints, ints, ints, *odds)


@pytest.mark.parametrize("seed", range(5))
def test_choices_come_in_order_and_agree_with_trying_all_sets_of_labels(seed: int):
    rng = np.random.default_rng(seed)
    scores = np.sort(rng.normal(size=3) * 5)[::-1].tolist()
    losses = rng.random((3, 4)).round(3)
    evidence = evidence_of(scores, losses.tolist())
    starts = np.arange(0, 16, 4)
    found = list(best_choices(evidence, starts, 0, 1.0))
    assert len(found) == len({(each.tree, frozenset(each.relabelled)) for each in found}) == 3 * 2**4
    assert [each.loss for each in found] == sorted(each.loss for each in found)
    assert found[0].tree == 0
    assert found[0].relabelled == ()
    for each in found:
        cost = 4 * losses[each.tree, list(each.relabelled)].sum()
        assert each.loss == pytest.approx(scores[0] - scores[each.tree] + cost, abs=1e-4)
