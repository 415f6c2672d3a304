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


@pytest.fixture(scope="module")
def tagger() -> mp.Parser:
    """A parser that predicts UPOS and lemmas."""
    pytest.importorskip("torch")
    small = {"preset": "fast", "units": 8, "layers": 1}
    return mp.train(mp.sample(), model="neural", epochs=1, predict="upos,lemma", **small)


def columns(parsed: Corpus) -> dict[str, list[str]]:
    return {column: parsed.column(column) for column in ("lemma", "upos", "xpos", "feats")}


def test_listed_columns_are_replaced_and_others_kept(tagger: mp.Parser):
    before, both = columns(mp.sample()), columns(tagger.parse(mp.sample(), predict=("upos", "lemma")))
    filled = columns(tagger.parse(corpus(UPOS, LEMMA)))
    assert both == filled != before
    for predict, replaced in (
        ("upos", {"upos"}),
        (["lemma"], {"lemma"}),
        ("lemma, upos", {"lemma", "upos"}),
        ("none", set()),
        ((), set()),
    ):
        after = columns(tagger.parse(mp.sample(), predict=predict))
        assert after == {column: both[column] if column in replaced else before[column] for column in before}
        untouched = columns(tagger.parse(corpus(UPOS, LEMMA), predict=predict))
        for column in ("upos", "lemma"):
            assert untouched[column] == (both[column] if column in replaced else ["_"] * 714)


def test_sentences_streams_and_fixed_heads_take_the_same_columns(tagger: mp.Parser):
    whole = columns(tagger.parse(mp.sample(), predict="lemma"))
    assert [
        lemma for sentence in tagger.parse(list(mp.sample()), predict="lemma") for lemma in sentence.lemmas
    ] == whole["lemma"]
    assert columns(tagger.parse(mp.sample(), predict="lemma", keep_heads=False)) == whole
    for threads in (1, 2):
        out = io.BytesIO()
        tagger.parse_stream(
            io.BytesIO(SAMPLE.encode()), out, format="conllu", predict="lemma", threads=threads, block=5_000
        )
        assert columns(from_text(out.getvalue().decode())) == whole


@pytest.mark.parametrize("predict", ["xpos", "upos,feats", "lemmas", ""])
def test_a_column_that_the_model_cannot_predict_is_refused(predict: str, tagger: mp.Parser):
    wrong = predict.rsplit(",", maxsplit=1)[-1]
    message = re.escape(f"this model cannot predict the column '{wrong}'; it predicts upos, lemma")
    for parse in (
        lambda: tagger.parse(mp.sample(), predict=predict),
        lambda: tagger.parse_stream(io.BytesIO(), io.BytesIO(), format="conllu", predict=predict),
    ):
        with pytest.raises(mp.ModelError, match=message):
            parse()


def test_a_model_without_tags_predicts_no_column(parser: mp.Parser):
    assert parser.parse(mp.sample(), predict="none").words == 714
    with pytest.raises(mp.ModelError, match="cannot predict the column 'upos'; it predicts none; train one with"):
        parser.parse(mp.sample(), predict="upos")


def test_the_command_line_predicts_columns(run: Run, tmp_path: Path):
    path = tmp_path / "a.conllu"
    path.write_text(SAMPLE)
    done = run("parse", "-m", "en", "--predict", "upos", path)
    parsed = columns(from_text(done.out))
    assert parsed == columns(mp.load("en").parse(mp.sample(), predict=["upos"])) != columns(mp.sample())
    kept = run("parse", "-m", "en", "--predict", "none", path)
    assert columns(from_text(kept.out)) == columns(mp.sample())
    done = run("parse", "-m", "pt", "--predict", "xpos", path, "-o", tmp_path / "out.conllu")
    assert (done.code, done.err) == (1, "this model cannot predict the column 'xpos'; it predicts upos, feats, lemma\n")
    assert not (tmp_path / "out.conllu").exists()
