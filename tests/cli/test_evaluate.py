"""`multiplane evaluate` at the command line."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import multiplane as mp
from evaluation.corrupt import CORRUPTIONS, corrupted
from evaluation.frames import changed, random_sentence, text_of
from multiplane.evaluation import GROUPINGS, breakdown, evaluate

Run = Callable[..., Any]


@pytest.fixture
def system(tmp_path: Path) -> Path:
    path = tmp_path / "system.conllu"
    path.write_text(corrupted(mp.sample(), *CORRUPTIONS[:6]), encoding="utf-8")
    return path


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("convention", ["ud", "conllx"])
def test_all_formats_say_the_same(convention: str, sample: Path, system: Path, run: Run) -> None:
    scores = evaluate(sample, system, convention=convention)
    text, tsv, as_json = (
        run("evaluate", sample, system, "--convention", convention, "--format", form)
        for form in ("text", "tsv", "json")
    )
    assert {done.code for done in (text, tsv, as_json)} == {0}
    assert {done.err for done in (text, tsv, as_json)} == {""}
    rows = json.loads(as_json.out)
    assert [row["metric"] for row in rows] == [row["metric"] for row in table(tsv.out)]
    for row, other in zip(rows, table(tsv.out), strict=True):
        score = scores[row["metric"]]
        assert row["f1"] == pytest.approx(score.f1, abs=1e-4)
        assert other["recall"] == f"{score.recall:.2f}"
        assert (row["gold"], row["system"], row["correct"]) == (score.gold, score.system, score.correct)
    printed = {line.split()[0]: line.split()[3] for line in text.out.splitlines()[1:] if line}
    assert printed == {row["metric"]: f"{row['f1']:.2f}" for row in rows}
    assert max(map(len, text.out.splitlines())) <= 120


def test_every_score_is_printed_for_ud(sample: Path, run: Run) -> None:
    names = {row["metric"] for row in table(run("evaluate", sample, sample, "--format", "tsv").out)}
    scores = evaluate(sample, sample)
    assert names | {"UAS-punct", "LAS-punct", "LA-punct"} == set(scores.table)


@pytest.mark.parametrize("by", GROUPINGS)
def test_groups(by: str, sample: Path, system: Path, run: Run) -> None:
    groups = breakdown(sample, system, by)
    rows = json.loads(run("evaluate", sample, system, "--by", by, "--format", "json").out)
    assert [row[by] for row in rows] == [group.name for group in groups]
    assert [row["las_f1"] for row in rows] == pytest.approx([group.las.f1 for group in groups], abs=1e-4)
    assert len(table(run("evaluate", sample, system, "--by", by, "--format", "tsv").out)) == len(groups)
    text = run("evaluate", sample, system, "--by", by).out.splitlines()
    assert len(text) == len(groups) + 1
    assert text[-1].startswith("TOTAL ")


@pytest.mark.parametrize("name", ["out.svg", "out.png"])
def test_plots_are_pictures(name: str, sample: Path, system: Path, tmp_path: Path, run: Run) -> None:
    done = run("evaluate", sample, system, "--by", "label", "--plot", tmp_path / name)
    assert (done.code, done.err) == (0, "")
    if name.endswith("png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    else:
        assert ET.parse(tmp_path / name).getroot().tag.endswith("svg")


def test_wrong_usage_is_reported_before_anything_is_read(tmp_path: Path, run: Run) -> None:
    missing = tmp_path / "missing.conllu"
    for arguments, what in (
        ([missing, missing, "--plot", tmp_path / "out.svg"], "--by"),
        ([missing, missing, "--by", "label", "--plot", tmp_path / "out.pdf"], ".svg or .png"),
        (["-", "-"], "only one of the files"),
        ([missing], "SYSTEM"),
        ([missing, missing, "--by", "colour"], "colour"),
    ):
        done = run("evaluate", *arguments)
        assert (done.code, done.out) == (2, "")
        assert what in done.err


def test_standard_input_and_other_formats(sample: Path, system: Path, tmp_path: Path, run: Run) -> None:
    expected = run("evaluate", sample, system).out
    assert run("evaluate", sample, "-", stdin=system.read_bytes()).out == expected
    assert run("evaluate", "-", system, stdin=sample.read_bytes()).out == expected
    for source, name in ((sample, "gold"), (system, "system")):
        assert run("convert", source, "-o", tmp_path / f"{name}.txt", "--to", "conllx", "-q").code == 0
    done = run("evaluate", tmp_path / "gold.txt", tmp_path / "system.txt", "--from", "conllx", "--format", "json")
    las = next(row["f1"] for row in json.loads(done.out) if row["metric"] == "LAS")
    assert las == pytest.approx(evaluate(sample, system).las, abs=1e-4)


def test_words_that_are_missing_are_noted_unless_quiet(sample: Path, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "system.conllu"
    path.write_text(corrupted(mp.sample(), CORRUPTIONS[7]), encoding="utf-8")
    loud, quiet = run("evaluate", sample, path), run("evaluate", sample, path, "-q")
    missing = evaluate(sample, path)["Words"]
    assert missing.correct < missing.gold
    assert loud.err == f"gold words missing from the system's output: {missing.gold - missing.correct} of 714\n"
    assert (quiet.code, quiet.err, quiet.out) == (0, "", loud.out)


def test_a_different_text_is_one_line_with_file_line_and_sentence(sample: Path, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "system.conllu"
    path.write_bytes(sample.read_bytes().replace(b"\tcloses\t", b"\topens\t"))
    done = run("evaluate", sample, path)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"{path}:7: en-001: the text is 'opens")
    assert f"{sample}:7 has 'closes" in done.err


def test_a_missing_sentence_is_named(sample: Path, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "system.conllu"
    path.write_bytes(sample.read_bytes().rstrip().rpartition(b"\n\n")[0] + b"\n\n")
    last = mp.read(sample)[-1]
    for convention in ("ud", "conllx"):
        done = run("evaluate", sample, path, "--convention", convention)
        assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
        assert done.err.startswith(f"{sample}:{last.line_of(1)}: {last.sent_id}: {path} ends before this word")


def test_nothing_to_divide_by_is_a_dash(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "one.conllu"
    path.write_text("1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    (line,) = [line for line in run("evaluate", path, path).out.splitlines() if line.startswith("NP ")]
    assert line.split() == ["NP", "-", "-", "-", "0", "0", "0"]
    assert run("evaluate", "-", path, stdin=b"").code == 1
    empty = tmp_path / "empty.conllu"
    empty.write_bytes(b"")
    done = run("evaluate", empty, empty)
    assert (done.code, done.err) == (0, "")


@pytest.fixture
def frames(tmp_path: Path) -> tuple[Path, Path]:
    """A gold standard with predicates, and a system's output."""
    random = Random(1)
    gold = [random_sentence(random, 6) for _ in range(20)]
    paths = tmp_path / "gold.conll09", tmp_path / "system.conll09"
    for path, side in zip(paths, (gold, [changed(sentence, random) for sentence in gold]), strict=True):
        path.write_text(text_of(side), encoding="utf-8")
    return paths


def test_all_formats_say_the_same_of_all_layers(frames: tuple[Path, Path], run: Run) -> None:
    scores = evaluate(*frames)
    text, tsv, as_json = (run("evaluate", *frames, "--format", form) for form in ("text", "tsv", "json"))
    rows = json.loads(as_json.out)
    assert {row["metric"] for row in rows} | {"UAS-punct", "LAS-punct", "LA-punct"} == set(scores.table)
    for row, other in zip(rows, table(tsv.out), strict=True):
        score = scores[row["metric"]]
        assert [row[name] for name in ("precision", "recall", "f1")] == pytest.approx(
            [score.precision, score.recall, score.f1]
        )
        assert other["f1"] == f"{score.f1:.2f}"
        assert (row["gold"], row["system"], row["correct"]) == (score.gold, score.system, score.correct)
    printed = {line.split()[0]: line.split()[3] for line in text.out.splitlines()[1:] if line}
    assert printed == {row["metric"]: f"{row['f1']:.2f}" for row in rows}
    assert max(map(len, text.out.splitlines())) <= 100


def test_one_layer_and_another_scorer(frames: tuple[Path, Path], run: Run) -> None:
    names = [row["metric"] for row in table(run("evaluate", *frames, "--layer", "semantics", "--format", "tsv").out)]
    assert names[0] == "Semantic"
    assert "LAS" not in names
    assert "Macro" in names
    names = [row["metric"] for row in table(run("evaluate", *frames, "--layer", "syntax", "--format", "tsv").out)]
    assert "Semantic" not in names
    rows = table(run("evaluate", *frames, "--layer", "semantics", "--scorer", "conll08", "--format", "tsv").out)
    assert rows[0]["gold"] == str(evaluate(*frames, scorer="conll08")["Semantic"].gold)


def test_layers_that_are_not_there(frames: tuple[Path, Path], sample: Path, run: Run) -> None:
    done = run("evaluate", *frames, "--layer", "enhanced")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "has no enhanced dependencies" in done.err
    for option in (["--by", "label"], ["--undirected"]):
        done = run("evaluate", *frames, "--layer", "semantics", *option)
        assert (done.code, done.out) == (2, "")
        assert "drop --layer semantics" in done.err
    done = run("evaluate", sample, sample, "--layer", "enhanced")
    assert [line.split()[0] for line in done.out.splitlines()[1:]] == [
        "ELAS",
        "EULAS",
        "ELAS-collapsed",
        "EULAS-collapsed",
    ]


def test_a_mistake_in_a_layer_is_one_line(frames: tuple[Path, Path], run: Run) -> None:
    gold, system = frames
    system.write_text(system.read_text(encoding="utf-8").replace("\tY\t", "\tX\t", 1), encoding="utf-8")
    done = run("evaluate", gold, system)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"{system}:")
    assert run("evaluate", gold, system, "--layer", "syntax").code == 0


def test_a_model_is_scored_only_on_layers_that_it_predicts(sample: Path, model: Path, run: Run) -> None:
    # The sample has enhanced dependencies, which this model copies.
    names = {row["metric"] for row in table(run("evaluate", sample, model, "--format", "tsv").out)}
    assert "LAS" in names
    assert "ELAS" not in names
    done = run("evaluate", sample, model, "--layer", "enhanced")
    assert (done.code, done.out) == (2, "")
    assert "this model predicts only syntax; drop --layer enhanced" in done.err


def test_tags_that_a_model_predicts_are_scored_instead_of_the_gold_ones(run: Run, sample: Path):
    done = run("evaluate", sample, "en", "--format", "tsv")
    assert done.code == 0
    scores = {row.split("\t")[0]: row.split("\t")[3] for row in done.out.splitlines()}
    assert float(scores["UPOS"]) < 100


@pytest.mark.parametrize("more", [[], ["--calibration"]])
def test_an_unknown_model_lists_those_that_exist(more: list[str], sample: Path, run: Run) -> None:
    done = run("evaluate", sample, "xx", *more)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("xx: no such file or model; installed models: en, ")


def test_other_annotation_schemes_are_reported(sample: Path, tmp_path: Path, run: Run) -> None:
    gold = tmp_path / "gold.conllu"
    greek = [sentence for sentence in mp.sample() if sentence.sent_id.startswith("grc")]
    gold.write_bytes(b"".join(str(sentence).encode() + b"\n" for sentence in greek))
    warning = f"warning: no label and no tag of {{}} occurs in {gold}; they use different annotation schemes\n"
    done = run("evaluate", gold, "grc")
    assert (done.code, done.err) == (0, warning.format("grc"))
    assert run("evaluate", gold, "grc", "--by", "label").err == warning.format("grc")
    assert run("evaluate", gold, "grc", "-q").err == ""
    other = tmp_path / "other.conllu"
    other.write_bytes(mp.load("grc").parse(mp.read_conllu(gold), predict="upos").to_bytes())
    assert run("compare", gold, gold, other, "--samples", 10).err.startswith(warning.format(other))
    renamed = tmp_path / "labels.conllu"
    renamed.write_bytes(sample.read_bytes().replace(b"\troot\t", b"\tPRED\t"))
    assert run("evaluate", sample, renamed).err == ""
