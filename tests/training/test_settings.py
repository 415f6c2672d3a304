"""The settings of all learners have the same base, and models keep every one of them."""

from dataclasses import fields

import pytest

from multiplane.errors import TrainingError
from multiplane.training import NeuralSettings, Settings
from multiplane.training.settings import LearnerSettings

BOTH = pytest.mark.parametrize("kind", [Settings, NeuralSettings])


@BOTH
def test_a_model_keeps_every_setting_once(kind: type[LearnerSettings]):
    names = [each.name for each in fields(kind) if each.name != "shape"]
    assert sorted(kind.stored) == sorted(names)
    assert set(kind().to_table()) <= {*names, *(each.name for each in fields(NeuralSettings().shape))}


@BOTH
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"root": "up"}, "root must be one of auto, none, left, right, not 'up'"),
        ({"oracle": "own"}, "oracle must be one of auto, dynamic, static, not 'own'"),
        ({"beam": 0}, "beam must be an integer from 1 to 10000, not 0"),
        ({"seed": 1.5}, "seed must be an integer from 0 to 9223372036854775807, not 1.5"),
        ({"seed": 10**20}, "seed must be an integer from 0 to 9223372036854775807, not 100000000000000000000"),
        ({"regularized": 1}, "regularized must be true or false, not 1"),
        ({"single_root": "no"}, "single_root must be true or false, not 'no'"),
        ({"pseudo_projective": "tail"}, "pseudo_projective must be one of head, path, head+path, not 'tail'"),
        ({"root": "none", "single_root": False}, "several roots need an artificial root; set root to left or right"),
    ],
)
def test_what_cannot_be_is_refused_for_every_learner(kind: type[LearnerSettings], wrong: dict, message: str):
    with pytest.raises(TrainingError) as error:
        kind(**wrong)
    assert str(error.value) == message


@BOTH
def test_whole_numbers_for_fractions_are_stored_as_fractions(kind: type[LearnerSettings]):
    assert repr(kind(exploration=1).to_table()["exploration"]) == "1.0"


@BOTH
def test_defaults_hold_for_any_size(kind: type[LearnerSettings]):
    for words in (0, 1_000, 10_000_000):
        assert kind().for_words(words).epochs == kind().epochs_for(words) > 0
