"""The files of tokenizers: the same tokenizer gives the same bytes, and whatever is broken is told in one line."""

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

import multiplane as mp
from multiplane.models import TokenizerModel
from multiplane.text import corpus_of_text
from small_parsers import contents, without_digests
from small_tokenizers import portuguese

CONFIG, WEIGHTS, VOCABULARY = "config.toml", "weights.safetensors", "vocabulary.json"
TEXT = "Ana gosta do gato. Rui nos viu. Eva vive nos carros."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tokenizer") / "model"
    portuguese().save(path)
    return path


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def test_a_loaded_tokenizer_does_the_same_and_saves_the_same_bytes(folder: Path, tmp_path: Path):
    again = mp.load_tokenizer(folder)
    again.save(tmp_path / "again")
    assert contents(folder) == contents(tmp_path / "again")
    assert again.conllu(TEXT) == portuguese().conllu(TEXT)
    assert again.record == portuguese().record


def test_the_folder_holds_four_files(folder: Path):
    files = contents(folder)
    assert set(files) == {CONFIG, WEIGHTS, VOCABULARY, "README.md"}
    config = tomllib.loads(files[CONFIG].decode())
    assert (config["format"], config["model"]) == (1, "tokenizer")
    assert config["tokenizer"]["spaces_inside"] is False
    assert "do\tde\to" in json.loads(files[VOCABULARY])["exceptions"]
    assert {array.dtype.name for array in load_file(folder / WEIGHTS).values()} == {"float16"}


def test_the_card_says_what_people_should_know(tmp_path: Path):
    small = mp.train_tokenizer(mp.sample(), mp.sample(), epochs=1, units=4, seed=5, licence="CC BY-SA 4.0")
    small.save(tmp_path / "m")
    card = (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    for said in ("# Tokenizer", "--tokenizer THIS_FOLDER", "65 sentences, 714 words", "CC BY-SA 4.0", "| `seed` | 5 |"):
        assert said in card
    assert "| words | tokens | sentences |" in card
    assert "best mean of words and sentences" in card


def test_a_tokenizer_is_no_parser_and_a_parser_no_tokenizer(folder: Path, model: Path):
    with pytest.raises(mp.ModelError, match="is a tokenizer, not a parser; use it with --tokenizer"):
        mp.load(folder)
    with pytest.raises(mp.ModelError, match="is a parser, not a tokenizer; train one with --task tokenizer"):
        mp.load_tokenizer(model)


def config(old: str, new: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        text = (path / CONFIG).read_text(encoding="utf-8")
        assert old in text
        (path / CONFIG).write_text(text.replace(old, new), encoding="utf-8")

    return change


def vocabulary(**changes: Callable[[list[str]], Any] | None) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        found = json.loads((path / VOCABULARY).read_text(encoding="utf-8"))
        for name, how in changes.items():
            before = found.pop(name)
            if how is not None:
                found[name] = how(before)
        (path / VOCABULARY).write_text(json.dumps(found), encoding="utf-8")

    return change


def weights(**changes: Callable[[NDArray[Any]], NDArray[Any]] | None) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        found = load_file(path / WEIGHTS)
        for name, how in changes.items():
            before = found.pop(name.replace("_", "."))
            if how is not None:
                found[name.replace("_", ".")] = np.ascontiguousarray(how(before))
        save_file(found, path / WEIGHTS)

    return change


def with_nan(array: NDArray[Any]) -> NDArray[Any]:
    array = array.copy()
    array.reshape(-1)[-1] = np.nan
    return array


BROKEN: dict[str, tuple[Callable[[Path], None], str]] = {
    "no table": (config("[tokenizer]", "[tokens]"), "tokenizer is missing"),
    "runs": (config('"alphabetic"', '"klingon"'), "tokenizer.glued: expected some of alphabetic, han"),
    "runs as number": (config("glued = [", "glued = 1\nx = ["), "glued: expected a list, not 1"),
    "n-grams": (config("ngrams = 512\nspaces", "ngrams = 0\nspaces"), "tokenizer.ngrams is out of range: 0"),
    "other n-grams": (config("ngrams = 512\nspaces", "ngrams = 99\nspaces"), "'parts' has not one row for each n-gram"),
    "many n-grams": (config("ngrams = 512\nspaces", f"ngrams = {1 << 40}\nspaces"), "ngrams is out of range"),
    "spaces": (config("spaces_inside = false", "spaces_inside = 0"), "spaces_inside: expected true or false, not 0"),
    "tokens": (config("[tokenizer]", '[tokenizer]\ntokens = "klingon"'), "unknown tokenizer 'klingon'"),
    "no splitter": (config("[tokenizer]", '[tokenizer]\ntokens = "spaces"'), "does not find tokens without sentences"),
    "a word less": (vocabulary(words=lambda v: v[1:]), "'word' or 'chunk' does not fit its vocabulary"),
    "a word twice": (vocabulary(words=lambda v: [*v[1:], v[1]]), "'word' or 'chunk' does not fit its vocabulary"),
    "a chunk more": (vocabulary(chunks=lambda v: [*v, "x'y"]), "'word' or 'chunk' does not fit its vocabulary"),
    "no words": (vocabulary(words=None), "the vocabularies are not those of a tokenizer: no words"),
    "no rules": (vocabulary(rules=None), "the vocabularies are not those of a tokenizer: no rules"),
    "surrogate": (vocabulary(words=lambda v: ["\ud800", *v[1:]]), "the weights do not fit the model"),
    "one word": (vocabulary(exceptions=lambda v: ["do\tde"]), "an exception is a form and at least two words"),
    "empty word": (vocabulary(exceptions=lambda v: ["do\tde\t"]), "a word is empty"),
    "line end": (vocabulary(exceptions=lambda v: ["do\tde\to\n9"]), "a character that no field can contain"),
    "line end in a rule": (vocabulary(rules=lambda v: ["a\tb\t0\t\t\tc\nd"]), "a character that no field can contain"),
    "line end in a stem": (vocabulary(rules=lambda v: ["a\tb\t0\tc\nd\t\te"]), "a character that no field can contain"),
    "short rule": (vocabulary(rules=lambda v: ["a\tb\t0\t"]), "a rule has five parts and at least one word"),
    "place of a rule": (vocabulary(rules=lambda v: ["a\tb\t2\t\t\tc"]), "a rule without a place for the stem"),
    "NaN": (weights(parts=with_nan), "'parts' has a number that is not finite"),
    "NaN in the LSTM": (weights(lstm_0_recurrent=with_nan), "'lstm.0.recurrent' has a number that is not finite"),
    "dtype": (weights(output=lambda a: a.astype(np.int8)), "the weights 'output' are int8; expected: float16 or"),
    "missing": (weights(output=None), "'output' is missing"),
    "missing direction": (weights(lstm_1_bias=None), "'lstm.1.bias' is missing"),
    "shape": (weights(output=lambda a: a[:3]), "'output' has the shape 3 x 32, not 4 x 32"),
    "units": (weights(lstm_0_recurrent=lambda a: a[:, :0]), "an LSTM has 1 to 4,096 units"),
    "vector": (weights(word=lambda a: a.reshape(-1)), "'word' has the shape"),
    "fewer shapes": (weights(shape=lambda a: a[1:]), "'shape', 'spaces' or 'length' has another number of rows"),
    "width": (weights(chunk=lambda a: a[:, 1:]), "'lstm.0.input' has the shape"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_tokenizer_is_refused_in_one_line(case: str, copy: Path):
    breaking, message = BROKEN[case]
    without_digests(copy)
    breaking(copy)
    with pytest.raises(mp.ModelError) as error:
        mp.load_tokenizer(copy)
    text = str(error.value)
    assert text.startswith(str(copy))
    assert message in text
    assert "\n" not in text
    assert len(text) < 400


@given(st.data())
def test_no_single_wrong_byte_ends_in_anything_but_a_tokenizer_or_an_error(folder: Path, data: st.DataObject):
    files = contents(folder)
    if data.draw(st.booleans()):  # one of before there were digests
        files[CONFIG] = files[CONFIG].partition(b"[digest]")[0]
    name = data.draw(st.sampled_from([CONFIG, WEIGHTS, VOCABULARY]))
    at = data.draw(st.integers(0, min(len(files[name]), 4000) - 1))
    files[name] = files[name][:at] + data.draw(st.binary(min_size=1, max_size=1)) + files[name][at + 1 :]
    changed = folder.parent / "changed"
    changed.mkdir(exist_ok=True)
    for file, text in files.items():
        (changed / file).write_bytes(text)
    try:
        found = mp.load_tokenizer(changed)
    except mp.ModelError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert isinstance(found, TokenizerModel)
        assert corpus_of_text(TEXT, found).words >= 13


@given(st.floats(-60_000, 60_000, width=16), st.integers(0, 10))
def test_absurd_weights_still_give_all_characters(value: float, seed: int):
    random = np.random.default_rng(seed)
    wild = {
        name: (array + random.normal(0, 1, array.shape) * value).clip(-6e4, 6e4).astype(np.float16)
        for name, array in portuguese().weights.items()
    }
    found = TokenizerModel(portuguese().lexicon, (), (), False, wild)
    assert "".join(corpus_of_text(TEXT, found).column("form")) == TEXT.replace(" ", "")
