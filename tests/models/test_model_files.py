"""Model directories: the same model gives the same bytes, and whatever is broken is told in one line."""

import io
import json
import os
import pickle
import shutil
import socket
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file, save

import multiplane as mp
from multiplane.models import LinearModel, load_model, save_model
from multiplane.models.tensors import read_tensors, write_tensors
from multiplane.models.toml import to_toml
from multiplane.systems import (
    LEFT_ARC,
    REDUCE,
    RIGHT_ARC,
    SHIFT,
    TransitionSystem,
    connected,
    front_has_head,
    top_has_head,
)
from small_parsers import contents, trained, without_digests

CONFIG, WEIGHTS, VOCABULARY = "config.toml", "weights.safetensors", "vocabulary.json"


@pytest.fixture
def copy(model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(model, tmp_path / "copy"))


def test_the_folder_holds_four_files_and_no_pickle(model: Path):
    files = contents(model)
    assert set(files) == {CONFIG, WEIGHTS, VOCABULARY, "README.md"}
    config = tomllib.loads(files[CONFIG].decode())
    assert (config["format"], config["model"], config["system"]["name"]) == (1, "linear", "2-planar-eager")
    assert json.loads(files[VOCABULARY])["labels"] == sorted(set(mp.sample().column("deprel")))
    assert {name: array.dtype.name for name, array in load_file(model / WEIGHTS).items()} == {
        "keys": "uint64",
        "weights": "int16",
        "label_keys": "uint64",
        "label_counts": "uint16",
        "label_classes": "uint16",
        "label_weights": "int16",
    }


def test_the_card_says_what_people_should_know(tmp_path: Path):
    trained(mp.sample(), mp.sample(), epochs=1, seed=5, licence="CC BY-SA 4.0").save(tmp_path / "m")
    card = (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    for said in ("2-planar-eager", "`sample.conllu`: 65 sentences, 714 words", "CC BY-SA 4.0", "| `seed` | 5 |", "LAS"):
        assert said in card
    assert str(tmp_path) not in card


def test_a_loaded_model_parses_as_the_trained_one_and_saves_the_same_bytes(tmp_path: Path):
    for settings in ({}, {"system": "arc-eager", "pseudo_projective": "head"}, {"root": "left", "beam": 2, "bits": 20}):
        parser = trained(mp.sample(), epochs=2, **settings)
        parser.save(tmp_path / "a")
        again = mp.load(tmp_path / "a")
        again.save(tmp_path / "b")
        assert contents(tmp_path / "a") == contents(tmp_path / "b")
        assert again.parse(mp.sample()).to_bytes() == parser.parse(mp.sample()).to_bytes()
        assert again.model.record == parser.model.record


def test_no_file_records_where_or_when_it_was_made(tmp_path: Path):
    folder = tmp_path / "telling_name"
    folder.mkdir()
    path = folder / "train.conllu"
    path.write_bytes(mp.sample().to_bytes())
    features = folder / "mine.toml"
    features.write_text('templates.transition = ["stack[0].upos"]\ntemplates.label = ["dependent.upos"]\n')
    trained(path, path, epochs=1, features=str(features)).save(folder / "m")
    assert not any(b"telling_name" in data for data in contents(folder / "m").values())


def test_rows_are_sorted(model: Path):
    arrays = load_file(model / WEIGHTS)
    assert (np.diff(arrays["keys"].astype(np.float64)) > 0).all()
    assert (np.diff(arrays["label_keys"].astype(np.float64)) > 0).all()


# Broken models.


def rewrite(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        (folder / name).write_bytes(change((folder / name).read_bytes()))

    return apply


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    return rewrite(name, lambda data: data.replace(old.encode(), new.encode()))


def tensors(**changes: Callable[[np.ndarray], np.ndarray] | None) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        arrays = load_file(folder / WEIGHTS)
        for name, change in changes.items():
            if change is None:
                del arrays[name]
            else:
                arrays[name] = change(arrays.get(name, np.zeros(1)))
        (folder / WEIGHTS).write_bytes(save(arrays))

    return apply


def huge_header(folder: Path) -> None:
    data = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes((2**62).to_bytes(8, "little") + data[8:])


def eight_bit_floats(folder: Path) -> None:
    header = json.dumps({"keys": {"dtype": "F8_E4M3", "shape": [8], "data_offsets": [0, 8]}}).encode()
    (folder / WEIGHTS).write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))


def a_pickle(folder: Path) -> None:
    class Evil:
        def __reduce__(self) -> object:
            return os.mkdir, (str(folder / "was-run"),)

    (folder / WEIGHTS).write_bytes(pickle.dumps(Evil()))


BROKEN: dict[str, tuple[Callable[[Path], None], str]] = {
    "no config": (lambda folder: (folder / CONFIG).unlink(), "is not a model: it has no config.toml"),
    "no weights": (lambda folder: (folder / WEIGHTS).unlink(), "weights.safetensors: cannot be read: no such file"),
    "no vocabulary": (lambda folder: (folder / VOCABULARY).unlink(), "vocabulary.json: cannot be read: no such file"),
    "truncated": (rewrite(WEIGHTS, lambda data: data[: len(data) // 2]), "not a valid safetensors file"),
    "one byte less": (rewrite(WEIGHTS, lambda data: data[:-1]), "not a valid safetensors file"),
    "one byte more": (rewrite(WEIGHTS, lambda data: data + b"x"), "not a valid safetensors file"),
    "nothing in it": (rewrite(WEIGHTS, lambda data: b""), "weights.safetensors: "),
    "text": (rewrite(WEIGHTS, lambda data: b"<html>not found</html>"), "not a valid safetensors file"),
    "garbled header": (rewrite(WEIGHTS, lambda data: data[:20] + b"\xff" + data[21:]), "not a valid safetensors file"),
    "huge header": (huge_header, "not a valid safetensors file"),
    "a pickle": (a_pickle, "not a valid safetensors file"),
    "8-bit floats": (
        eight_bit_floats,
        "weights.safetensors: the weights 'keys' have type F8_E4M3, which no model uses",
    ),
    "dtype": (tensors(weights=lambda a: a.astype(np.int32)), "'weights' are int32 of 1 dimensions; expected: int16"),
    "shape": (tensors(weights=lambda a: a.reshape(-1, 1)), "'weights' are int16 of 2 dimensions"),
    "too few": (tensors(weights=lambda a: a[:-1]), "the weights do not fit the model"),
    "label counts": (tensors(label_counts=lambda a: a[:-1]), "the weights do not fit the model"),
    "count of a row": (tensors(label_counts=lambda a: a + np.uint16(1)), "the weights do not fit the model"),
    "label out of range": (tensors(label_classes=lambda a: a + np.uint16(999)), "the weights do not fit the model"),
    "a tensor less": (tensors(keys=None), "the weights are label_classes, label_counts"),
    "a tensor more": (tensors(extra=lambda a: a), "the weights are extra, keys"),
    "not TOML": (rewrite(CONFIG, lambda data: b"= 1"), "not well-formed TOML"),
    "not UTF-8": (rewrite(CONFIG, lambda data: b"\xff" + data), "not valid UTF-8"),
    "deep TOML": (rewrite(CONFIG, lambda data: b"a = " + b"[" * 100_000), "not well-formed TOML"),
    "of another program": (
        rewrite(CONFIG, lambda data: b'[project]\nname = "x"\n'),
        "not a model configuration: format is missing",
    ),
    "newer": (replaced(CONFIG, "format = 1", "format = 2"), "format 2 is newer than this version supports (1)"),
    "format as text": (replaced(CONFIG, "format = 1", 'format = "1"'), "format: expected an integer, not '1'"),
    "kind": (replaced(CONFIG, 'model = "linear"', 'model = "oak"'), "unknown model kind 'oak'; known: linear"),
    "system": (
        rewrite(CONFIG, lambda data: data.replace(b'"2-planar-eager"', b'"mine"').replace(b"= SHIFT", b"= SHEFT")),
        "declare it well: 'SHEFT' is not a composition of elementary transitions; declare it and call",
    ),
    "endless system": (
        rewrite(CONFIG, lambda data: data.replace(b'"2-planar-eager"', b'"mine"').replace(b"= REDUCE", b"= SWITCH")),
        "might never end",
    ),
    "other system": (
        replaced(CONFIG, 'name = "2-planar-eager"\nroot', 'name = "planar"\nroot'),
        "differs from the one that the",
    ),
    "root": (replaced(CONFIG, 'root = "none"', 'root = "up"'), "expected none, left or right, not 'up'"),
    "roots": (replaced(CONFIG, "single_root = true", "single_root = false"), "several roots need an artificial root"),
    "root label": (replaced(CONFIG, 'root = "root"', 'root = "Root"'), "'Root' is not in the vocabulary"),
    "features": (replaced(CONFIG, "stack[0].upos", "stack[0].uppos"), "features: "),
    "no features": (replaced(CONFIG, "[features]", "[feathers]"), "features is missing"),
    "bits": (replaced(CONFIG, "bits = 64", "bits = 99"), "bits and beam are out of range: 99, 1"),
    "beam": (replaced(CONFIG, "beam = 1", "beam = 0"), "bits and beam are out of range: 64, 0"),
    "truth as number": (replaced(CONFIG, "beam = 1", "beam = true"), "beam: expected an integer, not True"),
    "encoding": (
        replaced(CONFIG, "[labels]", '[labels]\npseudo_projective = "x"'),
        "labels.pseudo_projective: unknown codec 'x'",
    ),
    "history": (replaced(CONFIG, "epoch = [1, 2]", "epoch = [1]"), "training.history: columns of different lengths"),
    "history of text": (replaced(CONFIG, "epoch = [1, 2]", 'epoch = ["a", "b"]'), "has a value of the wrong type"),
    "digest": (replaced(CONFIG, "format = 1", "digest = 1\nformat = 1"), "config.toml: digest: expected a table"),
    "a digest less": (rewrite(CONFIG, lambda data: data + b"[digest]"), "config.toml: weights is missing"),
    "not JSON": (rewrite(VOCABULARY, lambda data: data[:-5]), "not well-formed JSON"),
    "deep JSON": (rewrite(VOCABULARY, lambda data: b"[" * 100_000), "not well-formed JSON"),
    "no labels": (rewrite(VOCABULARY, lambda data: b"[]"), "expected a list named 'labels'"),
    "numbers as labels": (rewrite(VOCABULARY, lambda data: b'{"labels": [1, 2]}'), "expected a list of strings"),
    "empty list": (rewrite(VOCABULARY, lambda data: b'{"labels": []}'), "a model has 1 to 65,535 labels, not 0"),
    "fewer labels": (rewrite(VOCABULARY, lambda data: b'{"labels": ["root"]}'), "the weights do not fit the model"),
    "twice": (replaced(VOCABULARY, '"nsubj"', '"obj"'), "duplicate label in the vocabulary"),
    "tab": (replaced(VOCABULARY, '"nsubj"', '"a\\tb"'), "has a character that no field can contain"),
    "surrogate": (replaced(VOCABULARY, '"nsubj"', '"\\ud800"'), "has a character that no field can contain"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_model_is_refused_in_one_line(case: str, copy: Path):
    breaking, message = BROKEN[case]
    without_digests(copy)
    before = contents(copy)
    breaking(copy)
    assert contents(copy) != before
    with pytest.raises(mp.ModelError) as error:
        mp.load(copy)
    text = str(error.value)
    assert text.startswith(str(copy))
    assert message in text
    assert "\n" not in text
    assert len(text) < 400
    assert not (copy / "was-run").exists()


def test_what_is_no_folder_or_not_there_is_refused(tmp_path: Path, copy: Path):
    with pytest.raises(mp.ModelError, match="no such model; give the folder that 'multiplane train' wrote"):
        mp.load(tmp_path / "nowhere")
    with pytest.raises(mp.ModelError, match="is a file; a model is a folder"):
        mp.load(copy / CONFIG)
    (tmp_path / "empty").mkdir()
    with pytest.raises(mp.ModelError, match=r"is not a model: it has no config\.toml"):
        mp.load(tmp_path / "empty")


@given(st.data())
def test_no_single_wrong_byte_ends_in_anything_but_a_model_or_an_error(model: Path, data: st.DataObject):
    files = contents(model)
    name = data.draw(st.sampled_from([CONFIG, WEIGHTS, VOCABULARY]))
    at = data.draw(st.integers(0, min(len(files[name]), 2000) - 1))
    files[name] = files[name][:at] + data.draw(st.binary(min_size=1, max_size=1)) + files[name][at + 1 :]
    folder = model.parent / "changed"
    folder.mkdir(exist_ok=True)
    for file, text in files.items():
        (folder / file).write_bytes(text)
    try:
        assert isinstance(load_model(folder), LinearModel)
    except mp.ModelError as error:
        assert "\n" not in str(error)  # noqa: PT017


# Damaged and dangerous files.


def flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :]


@pytest.mark.parametrize("name", [WEIGHTS, VOCABULARY])
def test_any_flipped_bit_is_noticed(name: str, copy: Path):
    data = (copy / name).read_bytes()
    for at in {*range(0, len(data), max(1, len(data) // 150)), len(data) - 1}:
        (copy / name).write_bytes(flipped(data, at, at % 8))
        with pytest.raises(mp.ModelError, match=f"{name}: is damaged or from another model") as error:
            mp.load(copy)
        assert "\n" not in str(error.value)
    (copy / name).write_bytes(data)
    assert mp.load(copy).parse(mp.sample()).words == 714


def test_weights_of_another_model_are_refused(copy: Path, tmp_path: Path):
    trained(mp.sample(), epochs=1).save(tmp_path / "other")
    shutil.copy(tmp_path / "other" / WEIGHTS, copy / WEIGHTS)
    with pytest.raises(mp.ModelError, match="is damaged or from another model"):
        mp.load(copy)


def test_a_config_may_be_edited_by_hand(copy: Path):
    replaced(CONFIG, "beam = 1", "beam = 2")(copy)
    assert mp.load(copy).model.beam == 2


def test_a_model_without_digests_loads(copy: Path):
    without_digests(copy)
    assert mp.load(copy).parse(mp.sample()).words == 714


@pytest.mark.parametrize("digests", [True, False])
@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, VOCABULARY])
@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "folder"])
def test_only_regular_files_are_read(kind: str, name: str, digests: bool, copy: Path, monkeypatch: pytest.MonkeyPatch):
    if not digests:
        without_digests(copy)
    (copy / name).unlink()
    if kind == "pipe":
        os.mkfifo(copy / name)
    elif kind == "socket":
        monkeypatch.chdir(copy)  # the path of a socket is short
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(name)
    elif kind == "device":
        (copy / name).symlink_to("/dev/zero")
    else:
        (copy / name).mkdir()
    with pytest.raises(mp.ModelError, match=f"{name}: is not a regular file; copy the model again"):
        mp.load(copy)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, VOCABULARY])
def test_a_file_that_is_far_too_large_is_not_read(name: str, copy: Path):
    os.truncate(copy / name, 1 << 40)  # takes no room on the disk
    with pytest.raises(mp.ModelError, match=rf"{name}: has 1,099,511,627,776 bytes, but at most [\d,]+ are allowed"):
        mp.load(copy)


def test_a_link_to_a_regular_file_is_read(copy: Path, tmp_path: Path):
    shutil.move(copy / WEIGHTS, tmp_path / "elsewhere")
    (copy / WEIGHTS).symlink_to(tmp_path / "elsewhere")
    assert mp.load(copy).parse(mp.sample()).words == 714


def test_a_model_without_its_card_loads(copy: Path):
    (copy / "README.md").unlink()
    assert mp.load(copy).parse(mp.sample()).words == 714


# Systems of one's own.


def test_a_model_brings_the_declaration_of_a_custom_system(tmp_path: Path):
    free = ~top_has_head & ~connected
    mine = TransitionSystem(
        "planar-of-mine",
        SHIFT=SHIFT,
        REDUCE=REDUCE,
        LEFT_ARC=LEFT_ARC.where(free),
        RIGHT_ARC=RIGHT_ARC.where(~front_has_head & ~connected),
    )
    parser = trained(mp.sample(), system=mine, epochs=1)
    parser.save(tmp_path / "m")
    expected = parser.parse(mp.sample()).to_bytes()
    loaded = mp.load(tmp_path / "m")
    assert loaded.parse(mp.sample()).to_bytes() == expected
    assert loaded.model.system.same_declaration(parser.model.system)
    assert "planar-of-mine" not in mp.systems
    mp.systems.register(mine)
    try:
        assert mp.load(tmp_path / "m").parse(mp.sample()).to_bytes() == expected
    finally:
        del mp.systems._systems["planar-of-mine"]


# Writing.


def test_a_model_is_replaced_as_a_whole(copy: Path, parser: mp.Parser):
    (copy / "stray.txt").write_text("left over")
    trained(mp.sample(), epochs=1, system="arc-eager").save(copy)
    assert mp.load(copy).model.system.name == "arc-eager"
    assert set(contents(copy)) == {CONFIG, WEIGHTS, VOCABULARY, "README.md"}
    assert [path.name for path in copy.parent.iterdir()] == ["copy"]


def test_what_is_no_model_is_not_replaced(tmp_path: Path, parser: mp.Parser):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.tex").write_text("dear")
    with pytest.raises(mp.InputError, match="is a folder, but not a model"):
        parser.save(tmp_path / "thesis")
    (tmp_path / "file").write_text("dear")
    with pytest.raises(mp.InputError, match="is a file; a model is a folder"):
        parser.save(tmp_path / "file")
    with pytest.raises(mp.InputError, match="cannot be written: there is no folder"):
        parser.save(tmp_path / "no" / "m")
    assert (tmp_path / "thesis" / "chapter1.tex").read_text() == "dear"
    (tmp_path / "empty").mkdir()
    parser.save(tmp_path / "empty")
    assert mp.load(tmp_path / "empty").model.system.name == "2-planar-eager"


@pytest.mark.parametrize("failing", ["write_tensors", "card_of"])
def test_a_failure_leaves_what_was_there(failing: str, copy: Path, parser: mp.Parser, monkeypatch: pytest.MonkeyPatch):
    before = contents(copy)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"multiplane.models.files.{failing}", full)
    with pytest.raises(mp.InputError, match=r"copy: cannot be written: no space left on device$"):
        save_model(parser.model, copy)
    assert contents(copy) == before
    assert [path.name for path in copy.parent.iterdir()] == ["copy"]


def test_a_link_to_a_model_stays_a_link(copy: Path, tmp_path: Path, parser: mp.Parser):
    (tmp_path / "link").symlink_to(copy)
    parser.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert mp.load(tmp_path / "link").model.names == parser.model.names


# The two small writers.

_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
_VALUES = st.one_of(
    _TEXT,
    st.booleans(),
    st.integers(-(2**62), 2**62),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(_TEXT),
)


@given(st.dictionaries(_TEXT, st.one_of(_VALUES, st.dictionaries(_TEXT, _VALUES))))
def test_any_table_is_written_as_toml_that_reads_back(table: dict[str, object]):
    assert tomllib.loads(to_toml(table)) == table


@pytest.mark.parametrize(
    "text", ['"', '""', '"""', 'a\n"""', "\\\n", "\r\n", "\n\n", '\n"', "\x7f\n", "\n\x00", "\t\n\\u0041"]
)
def test_difficult_texts_are_written_as_toml(text: str):
    assert tomllib.loads(to_toml({"a": text}))["a"] == text


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda name: name != "__metadata__"),
        st.tuples(st.sampled_from(["uint64", "uint16", "int16", "int32", "float32", "float64"]), st.integers(0, 5)),
    ),
    _TEXT,
)
def test_tensors_are_read_back_by_the_library(model: Path, shapes: dict[str, tuple[str, int]], about: str):
    arrays = {name: np.arange(size).astype(dtype) for name, (dtype, size) in shapes.items()}
    file = io.BytesIO()
    write_tensors(arrays, file, about)
    path = model.parent / "tensors"
    path.write_bytes(file.getvalue())
    found, text = read_tensors(path)
    assert text == about
    assert found.keys() == arrays.keys()
    assert all(found[name].dtype == arrays[name].dtype and (found[name] == arrays[name]).all() for name in arrays)


@pytest.mark.parametrize("name", ["keys", "label_keys"])
def test_keys_that_are_not_in_order_are_refused(name: str, copy: Path):
    without_digests(copy)
    tensors, about = read_tensors(copy / WEIGHTS)
    with open(copy / WEIGHTS, "wb") as file:
        write_tensors(tensors | {name: tensors[name][::-1].copy()}, file, about)
    with pytest.raises(mp.ModelError, match="in order"):
        mp.load(copy)
