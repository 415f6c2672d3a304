"""Files of latent-variable models: what was saved is loaded, and what is damaged is refused with the reason."""

import copy
import json
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from frame_treebanks import frames
from multiplane.errors import ModelError
from multiplane.models import load_model, save_model
from multiplane.models.latent import LatentModel
from multiplane.models.latent_look import LatentLook, default_look
from multiplane.models.tensors import read_tensors, write_tensors
from multiplane.systems import systems
from multiplane.training import train_model
from multiplane.training.latent_config import latent_settings
from small_parsers import contents, without_digests

TRAIN, DEV = frames(30), frames(8, seed=3)


@pytest.fixture(scope="module")
def model() -> LatentModel:
    settings = {"units": 16, "cutoff": 1, "batch": 4, "learning_rate": 0.02, "epochs": 4, "beam": 4}
    found, _ = train_model([TRAIN], settings=latent_settings(settings))
    assert isinstance(found, LatentModel)
    return found


@pytest.fixture
def folder(model: LatentModel, tmp_path: Path) -> Path:
    save_model(model, tmp_path / "m")
    return tmp_path / "m"


def same(one: Any, other: Any) -> bool:
    a, b = one.parse(DEV), other.parse(DEV)
    arrays = zip((*a[:2], *a.graphs.arcs[:4], a.scores), (*b[:2], *b.graphs.arcs[:4], b.scores), strict=True)
    return all(np.array_equal(x, y) for x, y in arrays) and a.graphs.predicates.names == b.graphs.predicates.names


def test_a_loaded_model_parses_the_same_and_is_saved_the_same(model: LatentModel, folder: Path, tmp_path: Path):
    loaded = load_model(folder)
    assert same(model, loaded)
    save_model(loaded, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(folder)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_pickled_model_parses_the_same(model: LatentModel, again: Callable):
    assert same(model, again(model))


def test_threads_share_a_model(model: LatentModel):
    found: list[bool] = []
    threads = [threading.Thread(target=lambda: found.append(same(model, model))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 4


def changed_tensors(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        arrays, _ = read_tensors(folder / "weights.safetensors")
        change(arrays)
        with open(folder / "weights.safetensors", "wb") as file:
            write_tensors(arrays, file)

    return damage


def changed_vocabulary(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = folder / "vocabulary.json"
        texts = json.loads(path.read_text(encoding="utf-8"))
        change(texts)
        path.write_text(json.dumps(texts), encoding="utf-8")

    return damage


def changed_config(old: str, new: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = folder / "config.toml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return damage


def put(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda table: table.__setitem__(name, value(table[name]) if callable(value) else value)


def drop(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda table: table.__delitem__(name)


DAMAGE = {
    "weights missing": (changed_tensors(drop("bias")), "'bias' is missing"),
    "too few weights": (changed_tensors(put("features", lambda a: a[:-1])), "the weights do not fit the model"),
    "not finite": (changed_tensors(put("offsets", lambda a: np.full_like(a, np.nan))), "not finite"),
    "wide weights": (changed_tensors(put("bias", lambda a: a.astype(np.float64))), "'bias' are float64"),
    "no numbers of senses": (changed_tensors(drop("frequent")), "'frequent' is missing"),
    "too many numbers": (changed_tensors(put("frequent", lambda a: np.append(a, a))), "needs one number per sense"),
    "numbers out of range": (changed_tensors(put("frequent", lambda a: a + 10**6)), "numbers of senses"),
    "negative numbers": (changed_tensors(put("frequent", lambda a: a - 10)), "numbers of senses"),
    "no words": (changed_vocabulary(drop("words")), "no 'words'"),
    "fewer words": (changed_vocabulary(put("words", lambda w: w[1:])), "the weights do not fit the model"),
    "words out of order": (changed_vocabulary(put("words", lambda w: w[::-1])), "not sorted by tag"),
    "words without tag": (changed_vocabulary(put("words", lambda w: ["dog", *w[1:]])), "not sorted by tag"),
    "one role less": (changed_vocabulary(put("roles", lambda r: r[1:])), "the weights do not fit the model"),
    "no roles": (changed_vocabulary(put("roles", [])), "labels"),
    "a sense out of range": (changed_vocabulary(put("senses.lemmas", ["go\t99"])), "not in the vocabulary"),
    "a sense without number": (changed_vocabulary(put("senses.lemmas", ["go\tx"])), "not a lemma"),
    "a lemma without senses": (changed_vocabulary(put("senses.lemmas", ["go\t"])), "not a lemma"),
    "units": (changed_config("units = 16", "units = 24"), "the weights do not fit the model"),
    "odd units": (changed_config("units = 16", "units = 7"), "latent vectors have 8 to 4,096 units"),
    "huge units": (changed_config("units = 16", "units = 80000000"), "latent vectors have 8 to 4,096 units"),
    "negative units": (changed_config("units = 16", "units = -8"), "the weights do not fit the model"),
    "generative": (changed_config("generative = false", "generative = true"), "the weights do not fit the model"),
    "beam": (changed_config("beam = 4", "beam = 0"), "the beam is out of range"),
    "tags": (changed_config('tags = "xpos"', 'tags = "form"'), "expected xpos or upos, not 'form'"),
    "an unknown feature": (changed_config("buffer[0].word", "buffer[0].ward"), "is not a feature such as"),
    "an unknown node": (changed_config("stack[0].word", "stak[0].word"), "look: "),
    "too many stacks": (changed_config("stack[1].sense", "inactive[0].sense"), "needs 2 stacks; swap-graph has 1"),
    "an unknown connection": (changed_config("stack[0] as top", "stack[0] as bottom"), "is not a connection such as"),
    "an unknown kind": (changed_config("syntax: previous", "meaning: previous"), "is not a connection such as"),
    "another system": (changed_config('"SHIFT = SHIFT"', '"SHIFT = SHEFT"'), "differs from the one"),
    "a tree system": (changed_config('name = "swap-graph"', 'name = "planar"'), "differs from the one"),
}  # fmt: skip


@pytest.mark.parametrize(("damage", "message"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_model_is_refused_with_the_reason(folder: Path, damage: Callable[[Path], None], message: str):
    without_digests(folder)
    damage(folder)
    with pytest.raises(ModelError, match=message):
        load_model(folder)


@pytest.mark.parametrize("file", ["weights.safetensors", "vocabulary.json"])
def test_a_truncated_file_is_refused(folder: Path, file: str):
    path = folder / file
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ModelError, match="is damaged or from another model"):
        load_model(folder)


@pytest.mark.parametrize(
    ("connection", "feature"),
    [("syntax: stack[0]", "stack[0].tag"), ("syntax", "stack[0].tag"), ("syntax: top", "stack[0].tag")]
    + [("syntax: previous", text) for text in ("transition[x]", "role(stack[0])", "stack[0]", "llink(stack[0]).tag")],
)
def test_tables_that_make_no_sense_are_refused(connection: str, feature: str):
    look = LatentLook({"syntax": (connection,)}, {"syntax": (feature,)})
    with pytest.raises(ModelError, match="look: "):
        look.check(systems["2-planar"], systems["swap-graph"])


@pytest.mark.parametrize("generative", [False, True])
def test_tables_are_stored_as_they_are(generative: bool):
    look = default_look(generative, stacks=2)
    assert LatentLook.from_table(look.to_table()).rows() == look.rows()


def test_heads_cannot_be_kept(model: LatentModel, folder: Path):
    with pytest.raises(ModelError, match="cannot keep heads"):
        mp.load(folder).parse(DEV, keep_heads=True)


def test_an_empty_corpus_has_no_trees(model: LatentModel):
    trees = model.parse(frames(0))
    assert (len(trees.heads), len(trees.graphs.predicates.words)) == (0, 0)
