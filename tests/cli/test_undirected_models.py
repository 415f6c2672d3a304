"""Undirected parsers at the command line: train, parse, evaluate and trace."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from small_parsers import GREEDY, trained

Run = Callable[..., Any]
BEFORE = ["UAS-undirected-before", "LAS-undirected-before"]


@pytest.fixture(scope="module")
def edges(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An undirected parser with an artificial root."""
    path = tmp_path_factory.mktemp("model") / "edges"
    trained(mp.sample(), system="undirected-2-planar", root="right", epochs=2).save(path)
    return path


def scores(text: str) -> dict[str, float]:
    return {row["metric"]: row["f1"] for row in json.loads(text)}


def test_train_and_parse(sample: Path, tmp_path: Path, run: Run):
    options = ["--system", "undirected-2-planar", "--reconstruction", "naive", "--epochs", 2]
    done = run("train", *GREEDY, "--train", sample, "--dev", sample, "-o", tmp_path / "m", *options)
    assert done.code == 0, done.err
    assert done.out.startswith(f"{tmp_path}/m: undirected-2-planar.trees(left, single root), epoch 2: UAS ")
    parsed = run("parse", "-m", tmp_path / "m", sample, "--threads", 2)
    assert (parsed.code, parsed.err) == (0, "")
    assert parsed.raw == mp.load(tmp_path / "m").parse(mp.sample()).to_bytes()


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--system", "2-planar", "--reconstruction", "label"], 1, "reconstruction applies only to undirected systems"),
        (["--system", "undirected-planar", "--pseudo-projective", "head"], 1, "need a system with directed arcs"),
        (
            ["--system", "undirected-planar", "--reconstruction", "naive", "--root", "none"],
            1,
            "naive reconstruction needs an artificial root; set root to left or right",
        ),
        (["--system", "undirected-planar", "--reconstruction", "labels"], 2, "'labels' is not one of"),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    options: list[str], code: int, message: str, sample: Path, tmp_path: Path, run: Run
):
    done = run("train", "--train", sample, "-o", tmp_path / "m", *options)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert not (tmp_path / "m").exists()


def test_heads_are_kept(edges: Path, sample: Path, tmp_path: Path, run: Run):
    path = tmp_path / "some.conllu"
    path.write_bytes(b"".join(s.to_bytes() for s in mp.sample() if s.graph.planarity() <= 2))
    assert run("parse", "-m", edges, path, "--keep-heads").raw == path.read_bytes()
    refused = run("parse", "-m", edges, sample, "--keep-heads")
    assert refused.code == 1
    assert "nl-002: cannot keep all given heads: undirected-2-planar.trees(right, " in refused.err


# Scores.


@pytest.mark.parametrize("by", [None, "label"])
def test_a_model_is_scored_like_its_output(
    by: str | None, edges: Path, model: Path, sample: Path, tmp_path: Path, run: Run
):
    options = ["--layer", "syntax", "--format", "json", *([] if by is None else ["--by", by])]
    for folder in (edges, model):
        path = tmp_path / "out.conllu"
        path.write_bytes(mp.load(folder).parse(mp.sample()).to_bytes())
        direct, from_file = (run("evaluate", sample, system, *options) for system in (folder, path))
        assert (direct.code, direct.err) == (0, "")
        assert direct.out == from_file.out


@pytest.mark.parametrize("convention", ["ud", "conllx"])
def test_undirected_scores_before_reconstruction(convention: str, edges: Path, sample: Path, run: Run):
    options = ["--undirected", "--convention", convention]
    as_json, tsv, text = (
        run("evaluate", sample, edges, *options, "--format", form) for form in ("json", "tsv", "text")
    )
    assert {done.code for done in (as_json, tsv, text)} == {0}
    found, plain = scores(as_json.out), scores(run("evaluate", sample, edges, *options[1:], "--format", "json").out)
    assert [*found] == [*plain, *BEFORE]
    assert {name: found[name] for name in plain} == plain
    before = mp.evaluate(sample, mp.load(edges).edges(mp.sample()), convention=convention)
    assert [found[name] for name in BEFORE] == pytest.approx([before.uas_undirected, before.las_undirected], abs=1e-4)
    rows = list(csv.DictReader(io.StringIO(tsv.out), delimiter="\t"))
    assert [row["metric"] for row in rows] == [*found]
    assert text.out.rstrip().split("\n\n")[-1].split()[0] == BEFORE[0]
    las, edge = found["LAS"], found[BEFORE[1]]
    expected = f"reconstruction: undirected LAS {edge:.2f} before, LAS {las:.2f} after ({las - edge:+.2f})\n"
    assert {done.err for done in (as_json, tsv, text)} == {expected}
    assert run("evaluate", sample, edges, "--undirected", "-q").err == ""


def test_without_an_undirected_model_there_is_nothing_to_add(model: Path, sample: Path, run: Run):
    for system in (model, sample):
        done = run("evaluate", sample, system, "--undirected", "--format", "json")
        assert done.code == 0
        assert not set(BEFORE) & set(scores(done.out))
        assert done.err == (
            "the edges before reconstruction are unknown; give the folder of an undirected model as SYSTEM\n"
        )


def test_what_cannot_be_scored_is_told_in_one_line(edges: Path, sample: Path, tmp_path: Path, run: Run):
    done = run("evaluate", sample, tmp_path / "nowhere", "--undirected")
    assert (done.code, done.err) == (1, f"{tmp_path}/nowhere: cannot be read: no such file or directory\n")
    done = run("evaluate", sample, edges, "--undirected", "--by", "label")
    assert done.code == 2
    assert "--undirected scores all words; drop --by" in done.err
    done = run("evaluate", edges, sample)
    assert (done.code, done.out) == (1, "")
    assert len(done.err.splitlines()) == 1


# Traces.


@pytest.mark.parametrize("root", ["none", "right"])
def test_traces_show_edges_without_directions_or_marks(root: str, sample: Path, tmp_path: Path, run: Run):
    parser = trained(mp.sample(), system="undirected-2-planar", root=root, epochs=1)
    parser.save(tmp_path / "m")
    arguments = ["trace", sample, "-m", tmp_path / "m", "--sentence", "grc-002"]
    done = run(*arguments, "--numbers")
    assert (done.code, done.err) == (0, "")
    assert "new edge" in done.out.splitlines()[0]
    labels = {line.split("ARC(")[1].split(")")[0] for line in done.out.splitlines() if "ARC(" in line}
    assert labels <= set(mp.sample().column("deprel"))
    assert "→" not in done.out
    assert done.out.count(" – ") == 5 + (root == "right")
    steps = json.loads(run(*arguments, "--format", "json").out)
    sentence = next(s for s in mp.sample() if s.sent_id == "grc-002")
    assert [step["transition"] for step in steps[1:]] == list(map(str, parser.derivation(sentence)))
    shown = {(*edge["ends"], edge["label"]) for step in steps for edge in step["new_edges"]}
    assert shown == set(parser.graphs(mp.formats.treebank.joined([sentence]))[0].arcs)
