"""`multiplane train --task tokenizer`, and parsing plain text with what it writes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.models.files import read_record
from multiplane.text import corpus_of_text
from small_tokenizers import SMALL, portuguese

Run = Callable[..., Any]
SET = [part for name, value in SMALL.items() if name != "epochs" for part in ("--set", f"{name}={value}")]
TEXT = "The council shut the bridge.\n\nNobody knows why."


@pytest.fixture
def plain_model(tmp_path: Path) -> Path:
    """A parser that needs no tags."""
    path = tmp_path / "parser"
    mp.load("en").save(path)
    return path


def test_train_a_tokenizer_and_parse_with_it(sample: Path, tmp_path: Path, plain_model: Path, run: Run):
    folder = tmp_path / "t"
    done = run("train", "--task", "tokenizer", "--train", sample, "--dev", sample, "-o", folder, "--epochs", 3, *SET)
    assert done.code == 0, done.err
    *lines, last = done.err.splitlines()
    assert [line.split(",")[0] for line in lines] == ["epoch 1", "epoch 2", "epoch 3"]
    assert last == f"parse with it: multiplane parse -m MODEL --tokenizer {folder} TEXT"
    assert all(part in lines[0] for part in ("errors", "words", "tokens", "sentences"))
    chosen = read_record(folder).chosen
    assert done.out == (
        f"{folder}: tokenizer, epoch {chosen.number}: words {chosen.words:.2f}, tokens {chosen.tokens:.2f}, "
        f"sentences {chosen.sentences:.2f} on sample.conllu\n"
    )
    assert not (tmp_path / "t.checkpoint").exists()
    parsed = run("parse", "-m", plain_model, "--input", "text", "--tokenizer", folder, "--ranges", stdin=TEXT.encode())
    assert (parsed.code, parsed.err) == (0, "")
    expected = mp.load(plain_model).parse(TEXT, tokenizer=folder, ranges=True)
    assert parsed.raw == expected.to_bytes()
    assert expected.column("form") == corpus_of_text(TEXT, mp.load_tokenizer(folder)).column("form")
    assert "TokenRange=0:3" in expected[0].misc[0]


def test_a_tokenizer_may_be_given_as_itself():
    parser = mp.load("en")
    found = parser.parse("Ana gosta do gato. Rui nos viu.", tokenizer=portuguese())
    assert found.column("form")[:5] == ["Ana", "gosta", "de", "o", "gato"]
    with pytest.raises(ValueError, match="tokenizer, lines and ranges apply only to text"):
        parser.parse(mp.sample(), tokenizer="english")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--input", "text", "--tokenizer", "klingon"], "unknown tokenizer 'klingon'; known: english, spaces, and"),
        (["--input", "text", "--tokenizer", "."], "is not a model: it has no config.toml"),
        (
            ["--ranges", "--input", "conll"],
            "<stdin>: is a CoNLL file, which is already split into words; drop --ranges",
        ),
        (["--tokenizer", "spaces", "--input", "conll"], "which is already split into words; drop --tokenizer"),
        (["--tokenizer", "klingon", "--input", "conll"], "unknown tokenizer 'klingon'; known: english, spaces, and"),
    ],
)
def test_wrong_tokenizers_are_refused(
    arguments: list[str], message: str, plain_model: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    done = run("parse", "-m", plain_model, *arguments, stdin=b"Go")
    assert done.code in (1, 2)
    assert message in done.err
    assert "Traceback" not in done.err


def test_the_tokenizer_of_a_pipeline_is_found_in_its_folder(plain_model: Path, run: Run):
    mp.Parser(mp.load("en").model, portuguese()).save(plain_model)
    expected = mp.load(plain_model).parse(TEXT).to_bytes()
    assert run("parse", "-m", "en", "--tokenizer", plain_model, stdin=TEXT.encode()).raw == expected


def test_a_parser_is_no_tokenizer(plain_model: Path, run: Run):
    mp.Parser(mp.load("en").model).save(plain_model)
    done = run("parse", "-m", plain_model, "--input", "text", "--tokenizer", plain_model, stdin=b"Go")
    assert (done.code, done.out) == (1, "")
    assert "is a parser, not a tokenizer" in done.err


def test_settings_of_parsers_are_refused(sample: Path, tmp_path: Path, run: Run):
    done = run("train", "--task", "tokenizer", "--train", sample, "-o", tmp_path / "t", "--system", "planar")
    assert (done.code, done.out) == (1, "")
    assert "unknown setting 'system'" in done.err
