"""Scores, several trees, constraints and calibration at the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.formats.reader import from_text

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, parser: mp.Parser) -> Path:
    path = tmp_path_factory.mktemp("models") / "model"
    parser.save(path)
    return path


def test_scores_are_written_and_evaluated(sample: Path, tmp_path: Path, run: Run):
    out = tmp_path / "out.conllu"
    assert run("parse", sample, "-m", "en", "--scores", "-o", out).code == 0
    plain = run("parse", sample, "-m", "en").out
    parsed = mp.read(out)
    assert [each.heads for each in parsed] == [each.heads for each in from_text(plain)]
    assert all(each.score is not None and None not in each.scores for each in parsed)
    from_file = run("evaluate", sample, out, "--calibration", "--format", "json")
    from_model = run("evaluate", sample, "en", "--calibration", "--format", "json")
    one, other = json.loads(from_file.out), json.loads(from_model.out)
    assert one["words"] == other["words"] == 714
    assert one["accuracy"] == other["accuracy"]
    assert one["ece"] == pytest.approx(other["ece"], abs=0.01)
    assert sum(each["words"] for each in one["bins"]) == 714


def test_all_forms_of_reliability_say_the_same(sample: Path, run: Run):
    text, tsv = (run("evaluate", sample, "en", "--calibration", "--format", form).out for form in ("text", "tsv"))
    found = json.loads(run("evaluate", sample, "en", "--calibration", "--format", "json").out)
    assert f"expected calibration error: {found['ece']:.4f}" in text
    assert f"ece\t\t\t{found['ece']:.4f}\t714" in tsv
    assert len(tsv.splitlines()) == 3 + len(found["bins"])


def test_a_model_is_calibrated_without_training_again(folder: Path, sample: Path, tmp_path: Path, run: Run):
    target = tmp_path / "calibrated"
    done = run("evaluate", sample, folder, "--calibrate", target, "--beam", 2, "--calibration", "--format", "json")
    assert done.code == 0
    assert "calibrated for a beam of 2" in done.err
    assert json.loads(done.out)["ece"] < 0.06
    assert [each.beam for each in mp.load(target).model.calibrations][-1] == 2  # type: ignore[attr-defined]
    assert run("parse", sample, "-m", target).out == run("parse", sample, "-m", folder).out


def test_several_trees_are_sentences_with_names_of_their_own(folder: Path, sample: Path, run: Run):
    done = run("parse", sample, "-m", folder, "--best", 3)
    assert done.code == 0
    assert "using a beam of 3, the minimum for the 3 best trees" in done.err
    found = from_text(done.out)
    assert len(found) > 2 * len(mp.sample())
    assert found[1].sent_id == f"{found[0].sent_id}~2"
    assert len({each.sent_id for each in found}) == len(found)
    assert run("parse", sample, "-m", folder, "--best", 2, "--beam", 4, "--quiet").err == ""


def test_heads_are_forbidden_in_a_file(folder: Path, run: Run):
    rows = "".join(f"{i}\tw\tw\tX\t_\t_\t_\t_\t_\tNotHead=0\n" for i in (1, 2))
    text = f"{rows}3\tw\tw\tX\t_\t_\t_\t_\t_\tNotHead=1,2\n"
    done = run("parse", "-", "-m", folder, "--keep-heads", stdin=text.encode())
    assert from_text(done.out)[0].heads[2] == 0
    none = run("parse", "-", "-m", folder, "--keep-heads", stdin=text.replace("=1,2", "=0").encode())
    assert none.code == 1
    assert none.err == (
        "<stdin>:1: sentence 1: the constraints contradict each other: no word may be the root; "
        "change the given heads, or forbid fewer arcs\n"
    )
    assert none.out == ""


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--calibration", "--by", "label"), "drop --by"),
        (("--calibration", "--convention", "ud"), "drop --convention"),
        (("--calibrate", "out", "--scorer", "conll08"), "drop --scorer"),
        (("--beam", 3), "--beam needs --calibration or --calibrate"),
        (("--calibration", "--beam", 3), "--beam needs a model as SYSTEM"),
        (("--calibrate", "other"), "--calibrate needs a model as SYSTEM"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: tuple[object, ...], what: str, sample: Path, run: Run):
    done = run("evaluate", sample, sample, *options)
    assert done.code == 2
    assert what in done.err


def test_files_without_scores_and_without_misc_are_refused(sample: Path, folder: Path, run: Run):
    done = run("evaluate", sample, sample, "--calibration")
    assert done.code == 1
    assert "without Score=… in MISC; parse the file with --scores" in done.err
    row = b"1\tGo\tgo\tV\tV\t_\t0\troot\t_\t_\n"
    done = run("parse", "-", "-m", folder, "--from", "conllx", "--scores", stdin=row)
    assert done.code == 1
    assert "scores are written to MISC, which CoNLL-X does not have" in done.err
    assert run("parse", sample, "-m", folder, "--scores", "--keep-predicates").code == 2
