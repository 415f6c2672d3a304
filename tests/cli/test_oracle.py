"""`multiplane oracle` at the command line."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp

Run = Callable[..., Any]

GOLDEN = (
    "file  trees  words     exact    lost  added  trans./word  switches/tree  longest  SHIFT  REDUCE  LEF"
    "T-ARC  RIGHT-ARC  SWITCH\n"
    "-        65    714  62 95.4%  4 0.6%      0         2.84           0.58       64  35.2%   31.1%     "
    "19.8%      12.0%    1.9%\n"
)
HEADLESS = b"# sent_id = x\n1\tA\t_\t_\t_\t_\t0\troot\t_\t_\n2\tB\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
TWO_ROOTS = b"# sent_id = y\n1\tA\t_\t_\t_\t_\t0\troot\t_\t_\n2\tB\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


def table(text: str) -> list[dict[str, str]]:
    header, *lines = (line.split("\t") for line in text.splitlines())
    return [dict(zip(header, line, strict=True)) for line in lines]


def test_text_of_the_sample(sample: Path, run: Run) -> None:
    done = run("oracle", "-", "--system", "2-planar", stdin=sample.read_bytes())
    assert (done.code, done.out, done.err) == (0, GOLDEN, "")


@pytest.mark.parametrize(
    "system", ["2-planar", "arc-eager", "swap", "covington", "easy-first", "5-planar", "undirected-2-planar"]
)
def test_the_numbers_are_those_of_the_derivations(system: str, sample: Path, run: Run) -> None:
    (row,) = json.loads(run("oracle", sample, "--system", system, "--format", "json").out)
    derivations = [mp.oracle(system).derive(sentence.graph) for sentence in mp.sample()]
    lengths = [len(derivation.actions) for derivation in derivations]
    assert (row["file"], row["sentences"], row["tokens"]) == (str(sample), 65, 714)
    assert row["exact"] == sum(not derivation.lost for derivation in derivations)
    assert row["arcs_lost"] == sum(len(derivation.lost) for derivation in derivations)
    assert (row["transitions"], row["longest"]) == (sum(lengths), max(lengths))
    assert row["transitions_per_token"] == round(sum(lengths) / 714, 4)
    for name in mp.systems[system]:
        uses = sum(action.name == name for derivation in derivations for action in derivation.actions)
        assert row[name] == uses
        assert row[f"{name}_percent"] == round(100 * uses / sum(lengths), 2)
    assert row["switches"] == row.get("SWITCH", 0)


@pytest.mark.parametrize("form", ["text", "tsv", "json"])
def test_several_files_have_a_row_each_and_a_total(form: str, sample: Path, tmp_path: Path, run: Run) -> None:
    other = tmp_path / "other.conllu"
    other.write_bytes(sample.read_bytes() * 2)
    done = run("oracle", sample, other, sample, "--system", "2-planar", "--format", form)
    assert (done.code, done.err) == (0, f"{sample}: is given twice, but counted once\n")
    if form == "text":
        assert [line.split()[1] for line in done.out.splitlines()[1:]] == ["65", "130", "195"]
        return
    rows = json.loads(done.out) if form == "json" else table(done.out)
    assert [row["file"] for row in rows] == [str(sample), str(other), "TOTAL"]
    assert [int(row["exact"]) for row in rows] == [62, 124, 186]
    assert [int(row["longest"]) for row in rows] == [64, 64, 64]


def test_tsv_of_one_file_ends_with_a_total(sample: Path, run: Run) -> None:
    rows = table(run("oracle", sample, "--system", "planar", "--format", "tsv").out)
    assert [row["file"] for row in rows] == [str(sample), "TOTAL"]
    assert rows[0]["exact_percent"] == "52.31"


def test_listed_sentences_come_with_the_arcs_that_are_lost(sample: Path, run: Run) -> None:
    done = run("oracle", sample, "--system", "2-planar", "--list")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"{sample}:540: nl-002: lost 11 leren →obj 8 papegaai",
        f"{sample}:746: la-001: lost 5 hospes →amod 1 Fessus, 6 carmina →amod 2 amoena",
        f"{sample}:760: la-002: lost 4 ales →amod 1 Garrula",
    ]
    listed = json.loads(run("oracle", sample, "--system", "2-planar", "--list", "--format", "json").out)
    assert [row["lost"] for row in listed] == [[[11, 8, "obj"]], [[5, 1, "amod"], [6, 2, "amod"]], [[4, 1, "amod"]]]
    assert {(tuple(row["added"]), row["complete"]) for row in listed} == {((), True)}
    rows = table(run("oracle", sample, "--system", "2-planar", "--list", "--format", "tsv").out)
    assert [row["sent_id"] for row in rows] == ["nl-002", "la-001", "la-002"]


def test_undirected_systems_lose_edges(sample: Path, run: Run) -> None:
    done = run("oracle", sample, "--system", "undirected-2-planar", "--list")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"{sample}:540: nl-002: lost 8 papegaai –obj– 11 leren",
        f"{sample}:746: la-001: lost 1 Fessus –amod– 5 hospes, 2 amoena –amod– 6 carmina",
        f"{sample}:760: la-002: lost 1 Garrula –amod– 4 ales",
    ]
    as_trees = run("oracle", sample, "--system", "undirected-2-planar", "--trees", "right", "--list")
    assert as_trees.out.startswith(f"{sample}:540: nl-002: lost 8 papegaai –obj– 11 leren; added 7 de – 13 .\n")
    assert "0 –root– 4 canit" in as_trees.out
    assert "→" not in as_trees.out


@pytest.mark.parametrize("trees", ["off", "none", "left", "right"])
@pytest.mark.parametrize(
    "system",
    [
        "planar",
        "2-planar",
        "arc-eager",
        "arc-standard",
        "swap",
        "attardi",
        "undirected-2-planar",
        "undirected-covington",
    ],
)
def test_the_list_and_the_table_agree(system: str, trees: str, sample: Path, run: Run) -> None:
    options = ["--system", system, "--trees", trees, "--format", "json"]
    (row,) = json.loads(run("oracle", sample, *options).out)
    listed = json.loads(run("oracle", sample, "--list", *options).out)
    assert len(listed) == row["sentences"] - row["exact"]
    assert sum(len(entry["lost"]) for entry in listed) == row["arcs_lost"]
    assert sum(len(entry["added"]) for entry in listed) == row["arcs_added"]


def test_in_a_tree_every_lost_arc_has_another_in_its_place(sample: Path, run: Run) -> None:
    (row,) = json.loads(run("oracle", sample, "--system", "2-planar", "--trees", "left", "--format", "json").out)
    assert row["arcs_added"] == row["arcs_lost"] > 0
    lines = run("oracle", sample, "--system", "2-planar", "--trees", "left", "--list").out.splitlines()
    assert all("; added " in line for line in lines)


def test_a_forest_is_not_rebuilt_exactly_as_a_tree(run: Run) -> None:
    options = ["--system", "swap", "--trees", "none"]
    (row,) = json.loads(run("oracle", "-", *options, "--format", "json", stdin=TWO_ROOTS).out)
    assert (row["exact"], row["arcs_lost"], row["arcs_added"]) == (0, 0, 1)
    assert re.fullmatch(
        r"<stdin>:1: y: added (1 A → 2 B|2 B → 1 A)\n", run("oracle", "-", *options, "--list", stdin=TWO_ROOTS).out
    )


def test_arcs_from_the_root_are_shown_without_a_word(run: Run) -> None:
    done = run("oracle", "-", "--system", "arc-eager", "--trees", "left", "--list", stdin=TWO_ROOTS)
    assert done.code == 0
    assert "0 →root " in done.out
    done = run("oracle", "-", "--system", "arc-eager", "--trees", "left", "--several-roots", "--list", stdin=TWO_ROOTS)
    assert (done.code, done.out) == (0, "")


def test_a_strategy_can_be_chosen(sample: Path, run: Run) -> None:
    eager, lazy = (
        json.loads(run("oracle", sample, "--system", "swap", "--strategy", strategy, "--format", "json").out)[0]
        for strategy in ("swap-eager", "swap-lazy")
    )
    assert eager["exact"] == lazy["exact"] == 65
    assert eager["SWAP"] > lazy["SWAP"]


def test_words_without_a_head_are_an_error_or_skipped(sample: Path, run: Run) -> None:
    text = HEADLESS + sample.read_bytes() + HEADLESS
    for more in ([], ["--list"]):
        done = run("oracle", "-", "--system", "2-planar", *more, stdin=text)
        assert (done.code, done.out) == (1, "")
        assert done.err == "<stdin>:3: x: word 2 has no head; parse the file first\n"
    done = run("oracle", "-", "--system", "2-planar", "--on-error", "skip", stdin=text)
    assert (done.code, done.out) == (0, GOLDEN)
    assert done.err.count(" x: word 2 has no head; parse the file first (skipped)\n") == 2
    quiet = run("oracle", "-", "--system", "2-planar", "--on-error", "skip", "-q", stdin=text)
    assert (quiet.out, quiet.err) == (GOLDEN, "")
    listed = run("oracle", "-", "--system", "2-planar", "--on-error", "skip", "-q", "--list", stdin=text)
    assert [line.partition(":")[2].partition(":")[0] for line in listed.out.splitlines()] == ["544", "750", "764"]


def test_broken_sentences_are_an_error_or_skipped(run: Run) -> None:
    text = TWO_ROOTS + b"1\n\n"
    done = run("oracle", "-", "--system", "planar", stdin=text)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    done = run("oracle", "-", "--system", "planar", "--on-error", "skip", "--format", "json", stdin=text)
    assert json.loads(done.out)[0]["exact"] == 1
    assert done.err.count("(skipped)\n") == 1


def test_a_file_without_sentences_is_counted(run: Run) -> None:
    for form in ("text", "tsv", "json"):
        assert run("oracle", "-", "--system", "2-planar", "--format", form).code == 0
    (row,) = json.loads(run("oracle", "-", "--system", "2-planar", "--format", "json").out)
    assert (row["sentences"], row["transitions_per_token"], row["SHIFT_percent"]) == (0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--system", "2-plana"], 1, "unknown system '2-plana'; did you mean 2-planar?"),
        (["--system", "undirected-planr"], 1, "unknown system 'undirected-planr'; did you mean undirected-planar?"),
        (["--system", "undirected-attardi"], 1, "(LEFT-ARC;REDUCE and RIGHT-ARC;SHIFT;REDUCE;UNSHIFT)\n"),
        (["--system", "planar[]", "--trees", "none"], 1, "planar[] cannot be restricted to trees"),
        ([], 2, "Missing option '--system'"),
        (["--system", "planar", "--strategy", "magic"], 2, "'magic' is not one of"),
        (["--system", "planar", "--trees", "middle"], 2, "'middle' is not one of"),
        (["--system", "planar", "--several-roots"], 2, "--several-roots needs an artificial root"),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], code: int, says: str, sample: Path, run: Run) -> None:
    done = run("oracle", sample, *arguments)
    assert (done.code, done.out) == (code, "")
    assert says in done.err


def test_it_runs_in_a_process_of_its_own(sample: Path, process: Run) -> None:
    done = process("oracle", "-", "--system", "2-planar", input=sample.read_bytes())
    assert (done.code, done.out, done.err) == (0, GOLDEN, "")
