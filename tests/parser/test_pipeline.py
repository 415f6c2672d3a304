"""Pipelines: one command learns everything from raw text to trees."""

import io
import pickle
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.models.files import TOKENIZER
from multiplane.parser import package_model, pipeline_settings
from multiplane.text.gold import raw_text
from multiplane.training.train_tokenizer import train_tokenizer_model
from small_encoders import make_encoder

SMALL = {"units": 16, "word": 16, "characters": 16, "hidden": 16, "arc": 16, "epochs": 1, "tokenizer_epochs": 2}
OPTIONS = [part for name, value in SMALL.items() for part in ("--set", f"{name}={value}")]


@pytest.fixture(scope="module")
def pipeline() -> mp.Parser:
    return mp.train(mp.sample(), mp.sample(), pipeline=True, **SMALL)


def test_a_pipeline_parses_raw_text_with_its_own_tokenizer(pipeline: mp.Parser):
    text = raw_text(mp.sample())
    parsed = pipeline.parse(text)
    assert parsed.column("form") == mp.Parser(pipeline.model).parse(text, tokenizer=pipeline.tokenizer).column("form")
    assert all(sentence.graph.is_tree() for sentence in parsed)
    assert set(parsed.column("upos")) - {"_"}
    out = io.BytesIO()
    pipeline.parse_stream(io.BytesIO(text.encode()), out)
    assert out.getvalue() == parsed.to_bytes()


def test_a_saved_pipeline_is_the_same(pipeline: mp.Parser, tmp_path: Path):
    pipeline.save(tmp_path / "m")
    assert (tmp_path / "m" / TOKENIZER / "config.toml").is_file()
    text = raw_text(mp.sample())
    for copy in (mp.load(tmp_path / "m"), pickle.loads(pickle.dumps(pipeline))):
        assert copy.parse(text).to_bytes() == pipeline.parse(text).to_bytes()
    assert mp.load(tmp_path / "m").model.record.raw == pipeline.model.record.raw
    mp.Parser(pipeline.model).save(tmp_path / "m")  # a model without a tokenizer leaves none behind
    assert mp.load(tmp_path / "m").tokenizer is None


def test_raw_scores_are_those_of_the_official_scorer(pipeline: mp.Parser):
    scores = mp.evaluate(mp.sample(), pipeline.parse(raw_text(mp.sample())))
    raw = pipeline.model.record.raw
    assert raw["LAS"] == pytest.approx(scores["LAS"].f1, abs=1e-4)
    assert raw["Sentences"] == pytest.approx(scores["Sentences"].f1, abs=1e-4)


def test_a_damaged_tokenizer_is_refused(pipeline: mp.Parser, tmp_path: Path):
    pipeline.save(tmp_path / "m")
    weights = tmp_path / "m" / TOKENIZER / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(mp.ModelError, match=r"tokenizer/weights\.safetensors: is damaged"):
        mp.load(tmp_path / "m")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tags": "given"}, "a pipeline predicts tags and lemmas"),
        ({"model": "linear"}, "a pipeline uses a neural parser"),
        ({"task": "enhanced"}, "a pipeline uses a neural parser"),
        ({"predict": "upos"}, "a pipeline predicts all tags and lemmas, because text has none; drop --predict"),
        ({"bits": 20}, "unknown setting 'bits' of pipelines; it applies only to linear models, so drop it"),
        ({"order": "x"}, "unknown setting 'order' of pipelines; it applies only to joint models, so drop it"),
        ({"dropout": 0.2}, "unknown setting 'dropout' of a pipeline's parser; for its tokenizer, write tokenizer_drop"),
        ({"tokenizer_unit": 3}, "unknown setting 'tokenizer_unit'; did you mean tokenizer_units"),
        ({"tokenizer_xyz": 3}, "unknown setting 'tokenizer_xyz'; known: tokenizer_epochs, tokenizer_patience, "),
        ({"tokenizer_units": 0}, "tokenizer_units must be an integer from 1 to 4096, not 0"),
        ({"tokenizer_learning_rate": float("nan")}, "tokenizer_learning_rate must be a number from "),
        ({"tokenizer_tokens": "x"}, "tokenizer_tokens: unknown tokenizer 'x'"),
    ],
)
def test_settings_that_no_pipeline_has_are_refused(settings: dict[str, Any], message: str):
    with pytest.raises(mp.TrainingError, match=message):
        mp.train(mp.sample(), pipeline=True, **settings)


def test_the_command_reports_raw_scores_and_the_next_command(run: Callable[..., Any], sample: Path, tmp_path: Path):
    target = tmp_path / "m"
    done = run("train", "--pipeline", "--train", sample, "--dev", sample, "-o", target, *OPTIONS)
    assert done.code == 0
    assert f"{target}: Words " in done.out
    assert done.out.endswith(" on its raw text\n")
    assert done.err.splitlines()[-1] == f"parse with it: multiplane parse -m {target} TEXT"
    assert "about" in done.err.splitlines()[0]
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
    assert run("parse", "-m", target, stdin=b"Go home.").out.startswith("# sent_id = 1\n")


def test_an_interrupted_pipeline_resumes_to_the_same_bytes(sample: Path, tmp_path: Path):
    options = ["--pipeline", "--train", str(sample), *OPTIONS[:-2], "--set", "tokenizer-epochs=40"]
    command = [sys.executable, "-m", "multiplane", "train", *options, "-o"]
    subprocess.run([*command, tmp_path / "whole", "--quiet"], check=True)
    with subprocess.Popen([*command, tmp_path / "m"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        process.stderr.readline()  # the first epoch of the tokenizer
        process.send_signal(signal.SIGINT)
        assert "interrupted before the parser was trained; add --resume" in process.stderr.read()
    assert process.returncode == 130
    subprocess.run([*command, tmp_path / "m", "--resume", "--quiet"], check=True)
    for path in ("weights.safetensors", "tokenizer/weights.safetensors", "tokenizer/vocabulary.json"):
        assert (tmp_path / "m" / path).read_bytes() == (tmp_path / "whole" / path).read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"system": "nosuch"}, "unknown system 'nosuch'"),
        ({"features": "nosuch"}, "no feature model 'nosuch'"),
        ({"vectors": "nosuch"}, "nosuch: cannot be read: no such file"),
        ({"silver": "nosuch.conllu"}, "nosuch.conllu: cannot be read: no such file"),
        ({"encoder": "nosuch"}, "nosuch: is not a transformer in Hugging Face format"),
        ({"teacher": "nosuch/model"}, "nosuch/model: no such model"),
        ({"train": "headless.conllu"}, "headless.conllu:1: sentence 1: word 1 has no head; training data needs"),
        ({"dev": "headless.conllu"}, "headless.conllu:1: sentence 1: word 1 has no head; development data needs"),
    ],
)
def test_mistakes_of_the_parser_are_found_before_the_tokenizer_is_trained(
    options: dict[str, str],
    message: str,
    run: Callable[..., Any],
    sample: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(tmp_path)
    Path("headless.conllu").write_text("1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    given = {"train": str(sample)} | options
    done = run("train", "--pipeline", "-o", "m", *OPTIONS, *(f"--{name}={value}" for name, value in given.items()))
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1), done.err
    assert message in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["headless.conllu"]
    treebanks = [given.pop("train"), *([given.pop("dev")] if "dev" in given else [])]
    monkeypatch.setattr("multiplane.training.train_tokenizer.train_tokenizer_model", None)
    with pytest.raises(mp.MultiplaneError, match=message):
        mp.train(*treebanks, pipeline=True, **given)


def test_a_checkpoint_names_settings_of_the_tokenizer_as_users_give_them(tmp_path: Path):
    before, now = (pipeline_settings({"tokenizer_epochs": epochs, "tokenizer_units": 8})[1] for epochs in (1, 2))
    train_tokenizer_model([mp.sample()], settings=before, checkpoint=tmp_path / "c")
    with pytest.raises(mp.TrainingError, match="was made with tokenizer_epochs 1, not 2"):
        train_tokenizer_model([mp.sample()], settings=now, checkpoint=tmp_path / "c", resume=True)


def test_a_pipeline_with_an_encoder_keeps_both_folders(
    run: Callable[..., Any], sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    pytest.importorskip("transformers")
    monkeypatch.chdir(tmp_path)
    encoder, target = make_encoder(tmp_path / "tiny"), tmp_path / "m"
    options = ["--encoder", encoder, *OPTIONS, "--set", "precision=float32"]
    assert run("train", "--pipeline", "--train", sample, "--dev", sample, "-o", target, *options).code == 0
    parser = mp.load(target)
    wheel = zipfile.ZipFile(package_model(target, tmp_path))
    parser.save(tmp_path / "again")
    files = {path.relative_to(target).as_posix(): path.read_bytes() for path in target.rglob("*") if path.is_file()}
    assert {"config.toml", "tokenizer/config.toml", "encoder/config.json", "encoder/model.safetensors"} < set(files)
    for name, data in files.items():
        assert (tmp_path / "again" / name).read_bytes() == data
        assert wheel.read(f"multiplane_model_m/model/{name}") == data
    assert "Requires-Dist: multiplane[encoder]>=" in wheel.read("multiplane_model_m-1.0.dist-info/METADATA").decode()
    text = raw_text(mp.sample())
    parsed = parser.parse(text)
    assert set(parsed.column("lemma")) - {"_"}
    assert pickle.loads(pickle.dumps(parser)).parse(text).to_bytes() == parsed.to_bytes()
    assert "Score=" in run("parse", "-m", target, "--scores", stdin=text.encode()).out
