"""`multiplane compare` at the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import multiplane as mp
from evaluation.corrupt import CORRUPTIONS, corrupted
from evaluation.frames import changed, random_sentence, text_of
from multiplane.evaluation import compare

Run = Callable[..., Any]


@pytest.fixture
def outputs(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "a.conllu", tmp_path / "b.conllu"
    for seed, path in enumerate(paths, 1):
        path.write_text(corrupted(mp.sample(), *(seed * CORRUPTIONS[:3]), seed=seed), encoding="utf-8")
    return paths


def test_all_formats_say_the_same(sample: Path, outputs: tuple[Path, Path], run: Run) -> None:
    result = compare(sample, *outputs, samples=500, seed=3)
    text, tsv, as_json = (
        run("compare", sample, *outputs, "--samples", 500, "--seed", 3, "--format", form)
        for form in ("text", "tsv", "json")
    )
    rows = json.loads(as_json.out)
    assert [row["metric"] for row in rows] == ["UAS", "LAS", "LAS-full"]
    for row, contrast in zip(rows, result, strict=True):
        assert row["difference"] == pytest.approx(contrast.difference, abs=1e-4)
        assert (row["only_a"], row["only_b"]) == (contrast.only_a, contrast.only_b)
        for name in ("mcnemar", "bootstrap", "shuffling"):
            assert row[name] == pytest.approx(getattr(contrast, name), rel=0.01)
        assert (row["samples"], row["seed"]) == (500, 3)
    header, *lines = (line.split("\t") for line in tsv.out.splitlines())
    assert header == list(rows[0])
    values = [float(line[header.index("mcnemar")]) for line in lines]
    assert values == pytest.approx([row["mcnemar"] for row in rows], rel=0.01)
    assert text.err == "714 words, 65 sentences, 500 samples, seed 3\n"
    assert [line.split()[0] for line in text.out.splitlines()] == ["metric", "UAS", "LAS", "LAS-full"]
    assert max(map(len, text.out.splitlines())) <= 120


def test_the_same_seed_gives_the_same_bytes(sample: Path, outputs: tuple[Path, Path], run: Run) -> None:
    one, two = (run("compare", sample, *outputs, "--format", "json", "--samples", 200).raw for _ in range(2))
    assert one == two


def test_quiet_and_convention(sample: Path, outputs: tuple[Path, Path], run: Run) -> None:
    done = run("compare", sample, *outputs, "--samples", 50, "-q", "--convention", "conllx")
    assert (done.code, done.err) == (0, "")
    loud = run("compare", sample, *outputs, "--samples", 50, "--convention", "conllx")
    assert not loud.err.startswith("714 words")


def test_failures(sample: Path, outputs: tuple[Path, Path], tmp_path: Path, run: Run) -> None:
    assert run("compare", sample, "-", "-").code == 2
    assert run("compare", sample, *outputs, "--samples", 0).code == 2
    broken = tmp_path / "broken.conllu"
    broken.write_bytes(sample.read_bytes().replace(b"\tcloses\t", b"\topens\t"))
    done = run("compare", sample, outputs[0], broken)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"{broken}:7: en-001: ")
    empty = tmp_path / "empty.conllu"
    empty.write_bytes(b"")
    done = run("compare", empty, empty, empty)
    assert (done.code, done.err) == (1, f"{empty}: no words to compare systems on\n")


def test_other_layers_have_no_test_on_words(tmp_path: Path, run: Run) -> None:
    random = Random(1)
    gold = [random_sentence(random, 6) for _ in range(20)]
    paths = [tmp_path / f"{name}.conll09" for name in ("gold", "a", "b")]
    for path, side in zip(paths, (gold, *([changed(s, random) for s in gold] for _ in range(2))), strict=True):
        path.write_text(text_of(side), encoding="utf-8")
    text, tsv, as_json = (run("compare", *paths, "--samples", 90, "--format", form) for form in ("text", "tsv", "json"))
    assert [done.code for done in (text, tsv, as_json)] == [0, 0, 0], as_json.err
    rows = json.loads(as_json.out)
    assert [row["metric"] for row in rows] == ["UAS", "LAS", "LAS-full", "Semantic", "Macro"]
    for row, contrast in zip(rows, compare(*paths, samples=90), strict=True):
        assert row["a"] == pytest.approx(contrast.a)
        assert (row["mcnemar"] is None, row["only_a"] is None) == 2 * (row["metric"] in ("Semantic", "Macro"),)
        assert row["shuffling"] == contrast.shuffling
    assert tsv.out.splitlines()[4].split("\t")[6:9] == ["", "", ""]
    assert [line.split()[-5:-2] for line in text.out.splitlines()[4:]] == 2 * [["-", "-", "-"]]
    assert max(map(len, text.out.splitlines())) <= 100
    only = json.loads(run("compare", *paths, "--samples", 9, "--layer", "semantics", "--format", "json").out)
    assert [row["metric"] for row in only] == ["Semantic", "Macro"]


def test_models_are_compared_by_their_output(sample: Path, tmp_path: Path, run: Run) -> None:
    files = tmp_path / "en.conllu", tmp_path / "pt.conllu"
    for file in files:
        parser = mp.load(file.stem)
        file.write_bytes(parser.parse(mp.sample(), predict=parser.model.predicted_columns).to_bytes())
    options = ("--samples", 50, "--layer", "syntax")
    expected = run("compare", sample, *files, *options)
    for pair in (("en", "pt"), (files[0], "pt"), ("en", files[1])):
        done = run("compare", sample, *pair, *options)
        assert (done.code, done.out, done.err) == (0, expected.out, expected.err)
    assert run("compare", sample, "en", "pt", "--samples", 50).out == expected.out  # all that these models predict
    assert "no such file or model; installed models: en, grc, pt" in run("compare", sample, "en", "eng").err
