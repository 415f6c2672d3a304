"""The models that come with the package."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.data import bundled_models

DEMO = Path(__file__).parent.parent.parent / "docs" / "demo"


@pytest.fixture(scope="module")
def english() -> mp.Parser:
    return mp.load("en")


@pytest.mark.parametrize("name", bundled_models())
def test_the_demo_has_a_sentence_for_every_model(name: str):
    (sentence,) = mp.load(name).parse((DEMO / f"{name}.txt").read_text(encoding="utf-8"))
    assert sentence.is_planar == (name == "pt")  # the demo shows arcs that cross


def test_a_question_word_belongs_to_the_verb_of_a_lower_clause(english: mp.Parser):
    (sentence,) = english.parse("What do you think she likes?")
    heads = {token.form: token.head.form if token.head else None for token in sentence}
    assert (heads["What"], heads["likes"], heads["think"]) == ("likes", "think", None)


@pytest.mark.parametrize("text", ["", "\n\n", "?", "…", "a" * 5_000, "Ж漢字🙂 \u200b\u00a0x", "No.\x0b\x0c\x85No."])
def test_any_text_gives_trees(english: mp.Parser, text: str):
    assert all(sentence.graph.is_tree() for sentence in english.parse(text))


def test_a_folder_of_the_same_name_is_in_the_way_only_if_it_is_a_model(
    english: mp.Parser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "en").mkdir()
    assert mp.load("en").model.labels == english.model.labels
    mp.train(mp.sample(), epochs=1, system="planar").save("en")
    assert mp.load("en").model.system.name == "planar"


def test_an_empty_name_is_shown_in_quotes():
    for load in (mp.load, mp.load_tokenizer):
        with pytest.raises(mp.ModelError, match=r"^'': "):
            load("")


def test_the_width_of_a_beam_has_bounds(english: mp.Parser):
    with pytest.raises(ValueError, match="beam must be a positive integer, not 0"):
        english.parse("Why?", beam=0)
    with pytest.raises(mp.ModelError, match="the beam is out of range"):
        english.parse("Why?", beam=10**9)


def test_a_closed_standard_output_is_an_error_for_what_is_written_there(process: Callable[..., Any], tmp_path: Path):
    (tmp_path / "t.txt").write_text("Why?")
    done = process("parse", "-m", "en", "--input", "text", tmp_path / "t.txt", preexec_fn=lambda: os.close(1))
    assert (done.code, done.err) == (1, "<stdout>: cannot be written: standard output is closed\n")


def test_memory_does_not_grow_with_a_text_without_ends(english: mp.Parser):
    sentences = english.parse("\n".join(["word"] * 2_500))
    assert [len(sentence) for sentence in sentences] == [1_000, 1_000, 500]


def test_trained_tokenizers_cut_endless_tokens_but_patterns_do_not():
    def longest(name: str, text: str) -> int:
        return max(token.end - token.start for tokens in mp.load(name).tokenizer.sentences(text) for token in tokens)

    for name in ("grc", "pt"):
        assert longest(name, "a" * 20_000) < 4_096 + 256
        assert 4_096 <= longest(name, "http://x.org/" + "a" * 20_000) < 4_096 + 256
    assert longest("en", "a" * 20_000) == 20_000


def test_models_are_small_and_have_cards():
    for name, folder in bundled_models().items():
        most = 16_000_000 if name == "en" else 12_000_000
        assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) <= most
        record = mp.load(name).model.record
        assert record.chosen is not None
        assert f"Licence of the data: {record.licence}" in Path(folder, "README.md").read_text(encoding="utf-8")


def test_portuguese_text_becomes_words_tags_lemmas_and_trees():
    sentences = mp.load("pt").parse("O João gosta do gato da vizinha. Deu-lhe leite ontem à noite!")
    assert [sentence.text for sentence in sentences] == [
        "O João gosta do gato da vizinha.",
        "Deu-lhe leite ontem à noite!",
    ]
    first = sentences[0]
    assert first.forms == ["O", "João", "gosta", "de", "o", "gato", "de", "a", "vizinha", "."]
    assert [first.lemmas[2], first.upos[2], first.deprels[2]] == ["gostar", "VERB", "root"]
    assert first.heads[5] == 3  # gosta → gato
    assert all(sentence.graph.is_tree() for sentence in sentences)
