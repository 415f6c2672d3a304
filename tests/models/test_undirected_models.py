"""Models of undirected parsers: stored and loaded unchanged, and refused where labels and system do not fit."""

import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.models import TrainingRecord
from small_parsers import contents, trained, without_digests

CONFIG, VOCABULARY = "config.toml", "vocabulary.json"


@pytest.fixture(scope="module")
def parsers() -> dict[str, mp.Parser]:
    settings: dict[str, dict[str, Any]] = {
        "label": {"root": "none"},
        "label-strict": {"system": "undirected-covington", "root": "left", "beam": 3},
        "naive": {"system": "undirected-planar", "root": "right"},
    }
    return {
        method: trained(mp.sample(), epochs=2, reconstruction=method, **{"system": "undirected-2-planar-eager", **more})
        for method, more in settings.items()
    }


@pytest.fixture
def folder(parsers: dict[str, mp.Parser], tmp_path: Path) -> Path:
    parsers["label"].save(tmp_path / "m")
    without_digests(tmp_path / "m")
    return tmp_path / "m"


@pytest.mark.parametrize("method", ["label", "label-strict", "naive"])
def test_a_loaded_model_parses_as_the_trained_one_and_saves_the_same_bytes(
    method: str, parsers: dict[str, mp.Parser], tmp_path: Path
):
    parser = parsers[method]
    parser.save(tmp_path / "a")
    again = mp.load(tmp_path / "a")
    again.save(tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert again.parse(mp.sample()).to_bytes() == parser.parse(mp.sample()).to_bytes()
    assert again.edges(mp.sample()).to_bytes() == parser.edges(mp.sample()).to_bytes()
    config = tomllib.loads((tmp_path / "a" / CONFIG).read_text(encoding="utf-8"))
    assert config["labels"] == {"root": "root" if method == "naive" else "root_r", "reconstruction": method}
    assert config["training"]["settings"]["reconstruction"] == method


def test_the_card_counts_labels_without_marks(folder: Path):
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert f"{len(set(mp.sample().column('deprel')))} labels" in card
    assert "| `reconstruction` | label |" in card


def changed(old: str, new: str) -> Callable[[str], str]:
    return lambda config: config.replace(old, new)


METHOD = 'reconstruction = "label"'
BROKEN: dict[str, tuple[Callable[[str], str], str]] = {
    "unknown method": (changed(METHOD, 'reconstruction = "x"'), "labels.reconstruction: unknown codec 'x'"),
    "an encoding": (changed(METHOD, 'reconstruction = "head"'), "labels.reconstruction: head is pseudo-projective"),
    "a number": (changed(METHOD, "reconstruction = 1"), "reconstruction: expected text, not 1"),
    "no method": (
        changed(METHOD, ""),
        "labels.reconstruction is missing, but undirected-2-planar-eager builds undirected edges",
    ),
    "pseudo-projective": (
        changed(METHOD, 'pseudo_projective = "head"'),
        "labels.reconstruction is missing, but undirected-2-planar-eager builds undirected edges",
    ),
    "a method as an encoding": (
        changed(METHOD, 'pseudo_projective = "label"'),
        "labels.pseudo_projective: label is undirected",
    ),
    "both": (
        changed(METHOD, METHOD + '\npseudo_projective = "head"'),
        "labels: only one of pseudo_projective and reconstruction can be given",
    ),
    "naive without a root": (
        changed(METHOD, 'reconstruction = "naive"'),
        "naive reconstruction needs an artificial root",
    ),
    "root without a mark": (changed('root = "root_r"', 'root = "root"'), "'root' is not in the vocabulary"),
    "directed features": (changed("left.upos", "governor.upos"), "governor.upos needs a system with directed arcs"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_labels_that_do_not_fit_the_system_are_refused_in_one_line(case: str, folder: Path):
    change, message = BROKEN[case]
    config = (folder / CONFIG).read_text(encoding="utf-8")
    head, _, training = config.partition("[training")
    assert change(head) != head
    (folder / CONFIG).write_text(change(head) + "[training" + training, encoding="utf-8")
    with pytest.raises(mp.ModelError) as error:
        mp.load(folder)
    assert message in str(error.value)
    assert str(error.value).startswith(str(folder))
    assert "\n" not in str(error.value)


def test_a_directed_model_that_names_a_method_is_refused(parser: mp.Parser, tmp_path: Path):
    parser.save(tmp_path / "m")
    without_digests(tmp_path / "m")
    config = (tmp_path / "m" / CONFIG).read_text(encoding="utf-8")
    (tmp_path / "m" / CONFIG).write_text(config.replace("[labels]", '[labels]\nreconstruction = "label"'), "utf-8")
    with pytest.raises(mp.ModelError, match="is for undirected systems, but 2-planar-eager builds directed arcs"):
        mp.load(tmp_path / "m")


@pytest.mark.parametrize("mark", ["", "_x", "_l"])
def test_a_vocabulary_with_other_marks_still_gives_trees(mark: str, folder: Path):
    names = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    names["labels"] = [
        label if label == "root_r" else f"{number}{mark}" for number, label in enumerate(names["labels"])
    ]
    (folder / VOCABULARY).write_text(json.dumps(names), encoding="utf-8")
    parser = mp.load(folder)
    parsed = parser.parse(mp.sample())
    assert all(sentence.graph.is_tree() for sentence in parsed)
    assert all(sentence.graph.is_tree() for sentence in parser.parse(parsed, keep_heads=True))


def test_models_made_by_hand_are_checked_too(parsers: dict[str, mp.Parser], parser: mp.Parser):
    with pytest.raises(mp.ModelError, match=r"labels\.reconstruction is for undirected systems"):
        replace(parser.model, codec=parsers["label"].model.codec)
    assert replace(parsers["label"].model, record=TrainingRecord()).names == parsers["label"].model.names
