"""Latent-variable parsers learn trees and graphs, and the same seed gives the same model."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from frame_treebanks import frames
from multiplane.errors import TrainingError
from multiplane.formats.reader import from_text
from multiplane.models import save_model
from multiplane.models.latent import LatentModel
from multiplane.training import Reporter, train_model
from multiplane.training.latent_config import LatentSettings, latent_settings
from multiplane.training.tasks import settings_of
from small_parsers import contents

TRAIN, DEV = frames(40), frames(12, seed=2)
SMALL: dict[str, Any] = {
    "units": 16,
    "cutoff": 1,
    "learning_rate": 0.02,
    "dropout": 0.0,
    "feature_dropout": 0.0,
    "epochs": 12,
}


def trained(folder: Path, **given: Any) -> dict[str, bytes]:
    model, _ = train_model([TRAIN], DEV, latent_settings(SMALL | given))
    save_model(model, folder)
    return contents(folder)


@pytest.mark.parametrize("generative", [False, True], ids=["conditional", "generative"])
@pytest.mark.parametrize("semantics", ["swap-graph", "2-planar[]"])
def test_a_parser_learns_trees_and_graphs_by_heart(semantics: str, generative: bool):
    parser = mp.train(
        TRAIN, **SMALL | {"model": "latent", "semantics": semantics, "generative": generative, "epochs": 30}
    )
    parsed = parser.parse(TRAIN)
    scores = mp.evaluate(TRAIN, parsed)
    assert scores["LAS"].f1 > 97
    assert scores["Semantic"].f1 > 97


@pytest.mark.parametrize(
    "given",
    [
        {"system": "arc-eager", "pseudo_projective": "head"},
        {"system": "swap"},
        {"root": "right"},
        {"order": "exhaustive"},
    ],
    ids=str,
)
def test_any_system_of_trees_will_do(given: dict[str, Any]):
    parser = mp.train(TRAIN, **SMALL | {"model": "latent", "epochs": 20} | given)
    assert mp.evaluate(TRAIN, parser.parse(TRAIN))["LAS"].f1 > 90


CROSSING = """
1 a a a X X _ _ 0 0 root root Y a.01 _ _ _
2 b b b X X _ _ 1 1 dep dep Y b.01 _ _ A1
3 c c c X X _ _ 1 1 dep dep Y c.01 A0 _ _
4 d d d X X _ _ 1 1 dep dep _ _ _ A1 _
"""
"""1 → 3, 3 → 2 and 2 → 4, which crosses the first, and can be lifted to 3."""


def test_lifted_arcs_are_lowered_again():
    corpus = from_text(CROSSING.lstrip().replace(" ", "\t") + "\n", "conll09")
    settings = latent_settings(SMALL | {"semantics": "planar[]", "planarize": "head", "epochs": 60})
    model, _ = train_model([corpus], settings=settings)
    assert isinstance(model, LatentModel)
    assert sorted(model.shape.roles) == ["A0", "A1", "A1↑A1"]
    graphs = model.parse(corpus).graphs
    assert graphs is not None
    assert graphs.arcs.of(0) == [(3, 2, "A1"), (1, 3, "A0"), (2, 4, "A1")]


def test_the_same_seed_gives_the_same_bytes_whatever_the_number_of_threads(tmp_path):
    first, second = (trained(tmp_path / str(number), epochs=2) for number in (1, 2))
    assert first == second
    many = trained(tmp_path / "many", epochs=2, threads=3)
    assert many["weights.safetensors"] == first["weights.safetensors"]
    other = trained(tmp_path / "other", epochs=2, seed=7)
    assert other["weights.safetensors"] != first["weights.safetensors"]


class Interrupted(Reporter):
    """Stops training after some epochs, as Ctrl-C does."""

    def __init__(self, after: int) -> None:
        self.after = after

    def begin(self, epoch: int) -> None:
        if epoch > self.after:
            raise KeyboardInterrupt


def test_training_that_was_interrupted_goes_on_as_if_it_had_not_been(tmp_path):
    settings = latent_settings(SMALL | {"epochs": 4, "dropout": 0.2})
    whole, _ = train_model([TRAIN], DEV, settings)
    checkpoint = tmp_path / "checkpoint"
    _, interrupted = train_model([TRAIN], DEV, settings, checkpoint=checkpoint, reporter=Interrupted(2))
    assert interrupted
    resumed, interrupted = train_model([TRAIN], DEV, settings, checkpoint=checkpoint, resume=True)
    assert not interrupted
    assert resumed.record.history == whole.record.history
    for name, array in whole.contents().tensors.items():
        assert np.array_equal(resumed.contents().tensors[name], array), name


def test_the_record_tells_the_semantic_score_of_every_epoch():
    model, _ = train_model([TRAIN], DEV, latent_settings(SMALL | {"epochs": 2}))
    assert all(epoch.semantic_f1 is not None and epoch.las is not None for epoch in model.record.history)


def test_a_checkpoint_of_another_shape_is_refused(tmp_path):
    checkpoint = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        train_model([TRAIN], DEV, latent_settings(SMALL), checkpoint=checkpoint, reporter=Interrupted(0))
    train_model([TRAIN], DEV, latent_settings(SMALL | {"epochs": 1}), checkpoint=checkpoint)
    with pytest.raises(TrainingError, match="was made with units 16, not 24"):
        train_model(
            [TRAIN], DEV, latent_settings(SMALL | {"epochs": 1, "units": 24}), checkpoint=checkpoint, resume=True
        )


def test_training_data_without_predicates_is_refused():
    with pytest.raises(mp.MultiplaneError, match="CoNLL-U has no predicates and arguments"):
        train_model([mp.sample()], settings=latent_settings(SMALL))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"units": 12}, "units must be a multiple of 8, not 12"),
        ({"units": 4}, "units must be an integer from 8 to 4096, not 4"),
        ({"semantics": "arc-eager"}, "semantics: arc-eager builds one head per word; choose swap-graph"),
        ({"order": "first"}, "order must be one of last-resort, exhaustive, not 'first'"),
        ({"planarize": "tail"}, "planarize must be one of head, planar, not 'tail'"),
        ({"generative": 1}, "generative must be true or false, not 1"),
        ({"task": "syntax"}, "--model latent needs --task joint, not syntax"),
        ({"preset": "fast"}, "unknown setting 'preset'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given: dict[str, Any], message: str):
    with pytest.raises(TrainingError, match=message):
        settings_of({"model": "latent"} | given)


def test_the_order_matters_only_to_systems_that_swap():
    assert LatentSettings(order="exhaustive").strategy == "exhaustive"
    assert LatentSettings(semantics="planar[]").strategy is None
