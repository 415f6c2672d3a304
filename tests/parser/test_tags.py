"""A model that learnt from tags does not parse words without tags silently."""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from small_parsers import trained

Run = Callable[..., Any]


def stripped(text: str, *columns: int) -> str:
    """The text with `_` in some columns of every word."""

    def strip(line: str) -> str:
        fields = line.split("\t")
        return "\t".join("_" if place in columns else field for place, field in enumerate(fields))

    return "\n".join(strip(line) if line[:1].isdigit() else line for line in text.split("\n"))


SAMPLE = mp.sample().to_bytes().decode()
LEMMA, UPOS, XPOS, FEATS = 2, 3, 4, 5


def corpus(*columns: int) -> Corpus:
    return from_text(stripped(SAMPLE, *columns), name="a.conllu")


MESSAGE = (
    "a.conllu:1: en-001: has no tags, but this model needs them (upos, xpos, feats); "
    "tag the file first, or use a neural model trained with --tags predicted"
)


def test_untagged_input_is_refused_with_advice(parser: mp.Parser):
    untagged = corpus(UPOS, XPOS, FEATS)
    for parse in (
        lambda: parser.parse(untagged),
        lambda: parser.parse(untagged[0]),
        lambda: parser.parse(untagged, keep_heads=True),
        lambda: list(parser.parse(iter(untagged))),
        lambda: parser.derivation(untagged[0]),
    ):
        with pytest.raises(mp.ModelError) as error:
            parse()
        assert str(error.value) == MESSAGE


@pytest.mark.parametrize("threads", [1, 2])
def test_untagged_files_are_refused_and_nothing_is_written(threads: int, model: Path, run: Run, tmp_path: Path):
    path = tmp_path / "a.conllu"
    path.write_text(stripped(SAMPLE, UPOS, XPOS, FEATS))
    done = run("parse", "-m", model, path, "-o", tmp_path / "out.conllu", "--threads", threads)
    assert (done.code, done.out, done.err) == (1, "", f"{tmp_path}/{MESSAGE}\n")
    assert not (tmp_path / "out.conllu").exists()


def test_the_message_names_the_sentence_within_a_large_file(parser: mp.Parser):
    untagged = re.sub(r"# sent_id.*\n", "", stripped(SAMPLE, UPOS, XPOS, FEATS))
    with pytest.raises(mp.ModelError, match=r":2099: sentence 131: has no tags"):
        parser.parse_stream(io.BytesIO((SAMPLE * 2 + untagged).encode()), io.BytesIO(), format="conllu", block=5_000)


def test_some_of_the_tags_are_enough(parser: mp.Parser):
    for columns in [(), (UPOS,), (XPOS, FEATS), (LEMMA, XPOS, FEATS)]:
        assert parser.parse(corpus(*columns)).words == 714
    one_word = from_text("1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\tX\t_\t_\t_\t_\t_\t_\n")
    assert parser.parse(one_word).words == 2


def test_a_model_that_learnt_without_tags_needs_none():
    untagged = corpus(UPOS, XPOS, FEATS)
    assert trained(untagged, epochs=1).parse(untagged).words == 714


def test_a_model_that_learnt_from_some_untagged_sentences_parses_such():
    mixed = from_text(SAMPLE + stripped(SAMPLE, UPOS, XPOS, FEATS))
    assert trained(mixed, epochs=1).parse(corpus(UPOS, XPOS, FEATS)).words == 714


def test_only_tags_that_the_model_reads_count(tmp_path: Path):
    features = tmp_path / "mine.toml"
    features.write_text('templates.transition = ["stack[0].upos"]\ntemplates.label = ["dependent.upos"]\n')
    parser = trained(mp.sample(), epochs=1, features=str(features))
    assert parser.parse(corpus(XPOS, FEATS, LEMMA)).words == 714
    with pytest.raises(mp.ModelError, match=re.escape("needs them (upos); ")):
        parser.parse(corpus(UPOS))


def test_the_record_says_so_and_a_config_without_it_asks_for_nothing(model: Path, tmp_path: Path):
    mp.load(model).save(tmp_path / "m")
    config = tmp_path / "m" / "config.toml"
    assert "\ntagged = true\n" in config.read_text(encoding="utf-8")
    config.write_text(config.read_text(encoding="utf-8").replace("\ntagged = true\n", "\n"), encoding="utf-8")
    assert mp.load(tmp_path / "m").parse(corpus(UPOS, XPOS, FEATS)).words == 714


def test_a_model_that_predicts_tags_parses_untagged_words():
    assert mp.load("en").parse(corpus(UPOS, XPOS, FEATS)).words == 714


def test_a_neural_model_that_learnt_from_tags_refuses_untagged_words():
    pytest.importorskip("torch")
    parser = mp.train(mp.sample(), model="neural", preset="fast", epochs=1, units=8, layers=1)
    assert parser.parse(mp.sample()).words == 714
    with pytest.raises(mp.ModelError, match="has no tags, but this model needs them"):
        parser.parse(corpus(UPOS, XPOS, FEATS))
