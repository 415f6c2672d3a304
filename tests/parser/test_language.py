"""Text of another language is not silently split as English."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.errors import LanguageWarning
from multiplane.text import tokenizer_of
from multiplane.text.language import is_english

Run = Callable[..., Any]
UD = Path(__file__).resolve().parents[3] / "shared" / "data" / "ud"


def of_language(parser: mp.Parser, english: bool | None) -> mp.Parser:
    return mp.Parser(parser.model.with_record(replace(parser.model.record, english=english)))


@pytest.fixture
def words_only() -> mp.Parser:
    """A parser that reads words without tags, and so plain text."""
    parser = mp.load("en")
    return mp.Parser(parser.model)


def test_only_a_model_of_another_language_warns(words_only: mp.Parser):
    with pytest.warns(LanguageWarning, match="was not trained on English"):
        of_language(words_only, False).parse("Ga weg.")
    for english in (True, None):
        of_language(words_only, english).parse("Go away.")
    of_language(words_only, False).parse("Ga weg .", tokenizer="spaces")
    mp.Parser(of_language(words_only, False).model, tokenizer_of("spaces")).parse("Ga weg .")


def test_the_command_line_warns_in_one_line(words_only: mp.Parser, tmp_path: Path, process: Callable[..., Any]):
    of_language(words_only, False).save(tmp_path / "m")
    text = tmp_path / "text.txt"
    text.write_text("Ga weg.\n\nBlijf hier.\n")
    done = process("parse", "-m", tmp_path / "m", text)
    assert done.code == 0
    assert done.err.startswith("warning: the model has no tokenizer of its own")
    assert done.err.count("\n") == 1
    assert process("parse", "-m", tmp_path / "m", text, "--quiet").err == ""


def test_training_records_the_language(parser: mp.Parser, tmp_path: Path):
    assert parser.model.record.english is True
    parser.save(tmp_path / "m")
    assert mp.load(tmp_path / "m").model.record.english is True


@pytest.mark.skipif(not UD.is_dir(), reason="needs ../shared/data")
def test_treebanks_are_told_apart():
    found = {name: is_english(mp.read(UD / name / "dev.conllu.xz").column("form")) for name in ("en_ewt", "tr_imst")}
    found["nl"] = is_english(mp.read(UD / "nl_lassysmall-r1.4" / "dev.conllu.xz").column("form"))
    assert found == {"en_ewt": True, "tr_imst": False, "nl": False}
