"""Models of support vector machines: trained, stored, loaded and used as all others are."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.errors import FeatureError
from multiplane.formats.reader import from_text
from multiplane.models.tensors import read_tensors, write_tensors
from multiplane.training import Reporter
from small_parsers import contents, treebank, without_digests, word

pytest.importorskip("sklearn")

Run = Callable[..., Any]
SMALL = """
templates.transition = [
    "stack[0].form", "stack[0].upos", "buffer[0].form", "buffer[0].upos", "buffer[1].upos", "stack[0].deprel",
    "stack[0].upos + buffer[0].upos", "inactive[0].upos", "inactive[0].form", "transition[0]",
    "linked(stack[0],buffer[0])", "linked(inactive[0],buffer[0])",
]
templates.label = ["governor.upos", "dependent.upos", "governor.form", "dependent.form", "distance(governor,dependent)"]
"""
LEARNERS = [
    {"learner": "liblinear", "cost": 1.0},
    {"learner": "libsvm"},
    {"learner": "libsvm", "split": "buffer[0].upos", "label_split": "dependent.upos", "split_threshold": 100},
]


@pytest.fixture
def features(tmp_path: Path) -> str:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return str(path)


@pytest.mark.parametrize("settings", LEARNERS, ids=str)
def test_what_is_learnt_is_stored_and_loaded(settings: dict[str, Any], features: str, tmp_path: Path):
    parser = mp.train(mp.sample(), mp.sample(), features=features, **settings)
    parsed = parser.parse(mp.sample())
    assert mp.evaluate(mp.sample(), parsed).las_full > 80
    assert parser.model.record.chosen.las_full == pytest.approx(mp.evaluate(mp.sample(), parsed).las_full, abs=1e-3)
    assert parser.model.beam == 1
    parser.save(tmp_path / "m")
    assert mp.load(tmp_path / "m").parse(mp.sample()).to_bytes() == parsed.to_bytes()
    mp.train(mp.sample(), mp.sample(), features=features, **settings).save(tmp_path / "again")
    assert contents(tmp_path / "m") == contents(tmp_path / "again")


@pytest.mark.parametrize("learner", ["liblinear", "libsvm"])
def test_pseudo_projective_models_give_non_projective_trees(learner: str, features: str):
    text = SMALL.replace('"inactive[0].upos", "inactive[0].form", ', "").replace('"linked(inactive[0],buffer[0])",', "")
    Path(features).write_text(text)
    parser = mp.train(mp.sample(), features=features, learner=learner, system="arc-eager", pseudo_projective="head")
    parsed = parser.parse(mp.sample())
    assert all("↓" not in label and "|" not in label for sentence in parsed for label in sentence.deprels)
    assert not all(sentence.graph.is_projective() for sentence in parsed)


@pytest.mark.parametrize("settings", LEARNERS, ids=str)
def test_heads_that_are_given_are_kept(settings: dict[str, Any], features: str):
    parser = mp.train(mp.sample(), features=features, **settings)
    heads = ["_", 1, "_", 3, "_"]
    given = from_text("".join(word(number, head, "_") for number, head in enumerate(heads, 1)))
    parsed = parser.parse(given, keep_heads=True)
    assert (parsed[0].heads[1], parsed[0].heads[3]) == (1, 3)


def test_several_treebanks_are_combined_and_unusable_sentences_skipped(features: str):
    corpora = [treebank([[0, 1, 1], [2, 0, 2], [0, 0, 1]] * 3), treebank([[0], [3, 1, 0]] * 3)]
    notes: list[str] = []

    class Notes(Reporter):
        def note(self, text: str) -> None:
            notes.append(text)

    settings = mp.training.Settings(learner="liblinear", single_root=True, features=features, cost=1.0)
    model, interrupted = mp.training.train_model(corpora, corpora[1], settings, reporter=Notes())
    assert not interrupted
    assert len(notes) == 1
    assert "3 sentences of 15 skipped" in notes[0]
    assert model.parse(corpora[1]).heads.tolist() == corpora[1].heads.tolist()


def test_labels_only_in_the_development_data_are_reported(features: str):
    notes: list[str] = []

    class Notes(Reporter):
        def note(self, text: str) -> None:
            notes.append(text)

    train, dev = treebank([[0, 1, 1]] * 3), treebank([[0, 1, 2]])
    settings = mp.training.Settings(learner="libsvm", features=features)
    mp.training.train_model([train], dev, settings, reporter=Notes())
    assert len(notes) == 1
    assert "1 word with 1 label (l2) not in the training data" in notes[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"system": "easy-first"},
            "easy-first has one transition per word, which liblinear cannot learn; use the perceptron",
        ),
        ({"oracle": "dynamic", "beam": 1}, "liblinear uses the static oracle"),
        ({"split": "buffer[0].upos"}, "liblinear does not split its data"),
        ({"learner": "libsvm", "split": "buffer[0].upso"}, "did you mean upos"),
        ({"cost": 0.0}, "cost must be a number"),
        ({"cost": "much"}, "cost must be a number"),
        ({"split_threshold": 0}, "split_threshold must be an integer"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str):
    with pytest.raises((mp.TrainingError, FeatureError), match=message):
        mp.train(mp.sample(), **({"learner": "liblinear"} | settings))


def test_the_command_line_trains_and_parses(sample: Path, features: str, tmp_path: Path, run: Run):
    options = ["--learner", "libsvm", "--features", features, "--set", "split=buffer[0].upos", "--set", "cost=2"]
    done = run("train", "--train", sample, "--dev", sample, "-o", tmp_path / "m", *options)
    assert done.code == 0, done.err
    assert done.err.startswith("epoch 1, errors ")
    assert not (tmp_path / "m.checkpoint").exists()
    config = tomllib.loads((tmp_path / "m" / "config.toml").read_text())
    assert config["model"] == "kernel"
    assert config["kernel"] == {"gamma": 0.2, "coef0": 0.4, "degree": 2, "split": "buffer[0].upos"}
    assert config["training"]["settings"]["cost"] == 2.0
    parsed = run("parse", "-m", tmp_path / "m", sample)
    assert (parsed.code, parsed.err) == (0, "")
    assert parsed.raw == mp.load(tmp_path / "m").parse(mp.sample()).to_bytes()
    threads = run("parse", "-m", tmp_path / "m", sample, "--threads", 2)
    assert threads.raw == parsed.raw


@pytest.fixture(scope="module")
def kernel_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kernel")
    (folder / "small.toml").write_text(SMALL)
    mp.train(mp.sample(), features=str(folder / "small.toml"), learner="libsvm").save(folder / "m")
    return folder / "m"


def copied(model: Path, target: Path) -> Path:
    target.mkdir()
    for path in model.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    return target


@pytest.mark.parametrize("change", ["missing", "other type", "too large", "another degree", "no kernel", "more"])
def test_foreign_model_files_are_refused(change: str, kernel_model: Path, tmp_path: Path):
    model = copied(kernel_model, tmp_path / "m")
    without_digests(model)
    arrays, _ = read_tensors(model / "weights.safetensors")
    config = (model / "config.toml").read_text()
    if change == "missing":
        del arrays["transition.0.columns"]
    elif change == "other type":
        arrays["transition.0.columns"] = arrays["transition.0.columns"].astype(np.float64)
    elif change == "too large":
        arrays["transition.0.columns"] = arrays["transition.0.columns"] + np.int32(2**30)
    elif change == "another degree":
        config = config.replace("degree = 2", "degree = 2000")
    elif change == "no kernel":
        config = config.replace("[kernel]", "[colonel]")
    else:
        arrays["label.7.keys"] = arrays["label.0.keys"]
    with open(model / "weights.safetensors", "wb") as file:
        write_tensors(arrays, file)
    (model / "config.toml").write_text(config)
    with pytest.raises(mp.ModelError):
        mp.load(model)
