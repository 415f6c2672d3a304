"""`multiplane trace` at the command line."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.cli.tables import display_width
from multiplane.visual.tikz import escaped

Run = Callable[..., Any]

LION = """\
step  transition        stack 1        stack 2         buffer       new arc
   0                    *[]            []              [1, ..., 6]
   1  SHIFT             *[1]           [1]             [2, ..., 6]
   2  SHIFT             *[1, 2]        [1, 2]          [3, ..., 6]
   3  REDUCE            *[1]           [1, 2]          [3, ..., 6]
   4  LEFT-ARC(amod)    *[1]           [1, 2]          [3, ..., 6]  3 → 1
   5  SHIFT             *[1, 3]        [1, 2, 3]       [4, 5, 6]
   6  SWITCH            [1, 3]         *[1, 2, 3]      [4, 5, 6]
   7  REDUCE            [1, 3]         *[1, 2]         [4, 5, 6]
   8  LEFT-ARC(amod)    [1, 3]         *[1, 2]         [4, 5, 6]    4 → 2
   9  SHIFT             [1, 3, 4]      *[1, 2, 4]      [5, 6]
  10  LEFT-ARC(obj)     [1, 3, 4]      *[1, 2, 4]      [5, 6]       5 → 4
  11  SWITCH            *[1, 3, 4]     [1, 2, 4]       [5, 6]
  12  REDUCE            *[1, 3]        [1, 2, 4]       [5, 6]
  13  LEFT-ARC(nsubj)   *[1, 3]        [1, 2, 4]       [5, 6]       5 → 3
  14  SHIFT             *[1, 3, 5]     [1, 2, 4, 5]    [6]
  15  RIGHT-ARC(punct)  *[1, 3, 5]     [1, 2, 4, 5]    [6]          5 → 6
  16  SHIFT             *[1, 3, 5, 6]  [1, ..., 5, 6]  []
"""
SPECIAL = "\\{}$&#^_~%<>|\"'`--,,[x]*"


def sentence(*forms: str, label: str = "dep") -> bytes:
    rows = (f"{i}\t{form}\t_\tX\t_\t_\t{i - 1}\t{label}\t_\t_\n" for i, form in enumerate(forms, 1))
    return "".join(["# sent_id = s\n", *rows, "\n"]).encode()


def test_the_table_of_the_lion(sample: Path, run: Run) -> None:
    done = run("trace", sample, "--system", "2-planar", "--sentence", "grc-002", "--numbers")
    assert (done.code, done.out, done.err) == (0, LION, "")


def test_words_stand_for_their_numbers(sample: Path, run: Run) -> None:
    words = run("trace", sample, "--system", "2-planar", "--sentence", "grc-002").out
    assert "λέοντ’ → μέγαν" in words
    forms = next(s for s in mp.sample() if s.sent_id == "grc-002").forms
    for number, form in enumerate(forms, 1):
        words = re.sub(rf"(?<=[\[ ]){re.escape(form)}(?=[,\]\s])", str(number), words)
    assert re.sub(" +", " ", words) == re.sub(" +", " ", LION)


@pytest.mark.parametrize("system", mp.systems)
def test_the_rows_replay_the_oracle(system: str, sample: Path, run: Run) -> None:
    graph = mp.sample()[0].graph
    steps = json.loads(run("trace", sample, "--system", system, "--format", "json").out)
    assert [step["transition"] for step in steps] == ["", *mp.oracle(system).sequence(graph)]
    c = mp.systems[system].initial(graph.n)
    arcs = set()
    for step in steps:
        c = c.apply(step["transition"]) if step["step"] else c
        if mp.systems[system].is_undirected:
            arcs |= {(*edge["ends"], edge["label"]) for edge in step["new_edges"]}
        else:
            arcs |= {(arc["head"], arc["dependent"], arc["label"]) for arc in step["new_arcs"]}
        assert step["stacks"] == c.stacks
        assert (step["active"], step["aside"], step["buffer"]) == (c.active, c.aside, c.buffer)
        assert arcs == c.arcs


def test_columns_are_aligned_for_wide_characters(sample: Path, run: Run) -> None:
    lines = run("trace", sample, "--system", "arc-standard", "--sentence", "ja-001").out.splitlines()
    places = set()
    for line in lines[1:]:
        cells = list(re.finditer(r"\[.*?\]", line))
        places.add(tuple(display_width(line[: cell.start()]) for cell in cells[:2]))
    assert len(places) == 1


def test_markdown_is_a_table_whose_cells_are_escaped(run: Run) -> None:
    text = sentence("a|b", "*c*", SPECIAL, label="x|y")
    done = run("trace", "-", "--system", "2-planar", "--format", "markdown", stdin=text)
    header, ruler, *rows = done.out.splitlines()
    assert header == "| step | transition | stack 1 | stack 2 | buffer | new arc |"
    assert ruler == "| ---: | --- | --- | --- | --- | --- |"
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {7}
    assert "a\\|b → \\*c\\*" in done.out
    assert "RIGHT-ARC(x\\|y)" in done.out


def test_latex_escapes_words_and_labels(run: Run) -> None:
    done = run("trace", "-", "--system", "planar", "--format", "latex", stdin=sentence("A", SPECIAL, label=SPECIAL))
    assert done.code == 0
    body = done.out.partition("\\midrule\n")[2].partition("\\bottomrule")[0]
    assert f"A $\\rightarrow$ {escaped(SPECIAL)} " in body
    assert escaped(f"RIGHT-ARC({SPECIAL})") in body
    assert {row.count("&") for row in body.splitlines()} == {4}
    assert "\\begin{tabular}{rllll}" in done.out


@pytest.mark.measures
@pytest.mark.skipif(
    shutil.which("pdflatex") is None
    or shutil.which("kpsewhich") is None
    or subprocess.run(["kpsewhich", "booktabs.sty", "standalone.cls"], capture_output=True, check=False).returncode,
    reason="pdfLaTeX with booktabs is not installed",
)
@pytest.mark.parametrize("system", ["2-planar", "covington"])
def test_latex_compiles(system: str, tmp_path: Path, run: Run) -> None:
    text = sentence("A", SPECIAL, "čaj", "[x]", label=SPECIAL)
    done = run("trace", "-", "--system", system, "--costs", "-o", tmp_path / "trace.tex", stdin=text)
    assert (done.code, done.out, done.err) == (0, "", "")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "trace.tex"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert made.returncode == 0, made.stdout.decode(errors="replace")[-2000:]


@pytest.mark.parametrize("trees", ["off", "none", "left", "right"])
@pytest.mark.parametrize(
    "system",
    [
        "planar",
        "2-planar",
        "arc-eager",
        "arc-hybrid",
        "arc-hybrid-swap",
        "covington",
        "undirected-2-planar-eager",
        "undirected-covington",
    ],
)
def test_the_oracles_own_transitions_cost_nothing(system: str, trees: str, sample: Path, run: Run) -> None:
    options = ["--system", system, "--trees", trees, "--costs", "--format", "json"]
    initial, *steps = json.loads(run("trace", sample, "--sentence", "en-002", *options).out)
    assert initial["costs"] == {}
    assert {step["costs"][step["transition"].partition("(")[0]] for step in steps} == {0}


def test_costs_have_a_column(sample: Path, run: Run) -> None:
    out = run("trace", sample, "--system", "arc-eager", "--costs").out
    assert out.splitlines()[0].endswith("costs")
    assert out.splitlines()[2].endswith("SHIFT 0")


def test_an_artificial_root_is_shown(sample: Path, run: Run) -> None:
    out = run("trace", sample, "--system", "arc-eager", "--trees", "right").out
    assert "ROOT]" in out.splitlines()[1]
    assert re.search(r"ROOT → \w+", out)


def test_the_suffix_of_the_output_decides_the_format(sample: Path, tmp_path: Path, run: Run) -> None:
    for suffix, form in {".txt": "text", ".md": "markdown", ".tex": "latex", ".JSON": "json"}.items():
        done = run("trace", sample, "--system", "swap", "-o", tmp_path / f"a{suffix}")
        assert (done.code, done.out, done.err) == (0, "", "")
        printed = run("trace", sample, "--system", "swap", "--format", form).out
        assert (tmp_path / f"a{suffix}").read_text(encoding="utf-8") == printed
    done = run("trace", sample, "--system", "swap", "-o", tmp_path / "a.pdf")
    assert done.code == 2
    assert ".txt, .md, .tex, .json" in done.err
    assert run("trace", sample, "--system", "swap", "--format", "json", "-o", tmp_path / "a.out").code == 0
    json.loads((tmp_path / "a.out").read_text(encoding="utf-8"))


def test_lost_arcs_are_reported(sample: Path, run: Run) -> None:
    loud, quiet = (
        run("trace", sample, "--system", "2-planar", "--sentence", "nl-002", *more) for more in ([], ["--quiet"])
    )
    assert loud.err == f"{sample}:540: nl-002: 2-planar does not build all arcs; lost: 11 → 8\n"
    assert (quiet.code, quiet.out, quiet.err) == (0, loud.out, "")


def test_undirected_systems_build_edges(sample: Path, run: Run) -> None:
    done = run("trace", sample, "--sentence", "grc-002", "--system", "undirected-2-planar", "--numbers")
    assert (done.code, done.err) == (0, "")
    edges = re.sub(r"(LEFT|RIGHT)-ARC", "ARC", LION).replace("new arc", "new edge")
    edges = re.sub(r"(\d) → (\d)", lambda ends: " – ".join(sorted(ends.groups())), edges)
    squeezed = [[re.sub(" +", " ", line) for line in text.splitlines()] for text in (done.out, edges)]
    assert squeezed[0] == squeezed[1]


@pytest.mark.parametrize(("form", "line"), [("text", "–"), ("markdown", "–"), ("latex", "--")])
def test_edges_are_lines_in_every_format(form: str, line: str, run: Run) -> None:
    arguments = ["trace", "-", "--system", "undirected-covington", "--format", form]
    done = run(*arguments, stdin=sentence("A", "B"))
    assert f"A {line} B" in done.out
    assert "ARC(dep)" in done.out
    assert not any(word in done.out for word in ("→", "rightarrow", "new arc"))


def test_edges_are_ends_in_json(run: Run) -> None:
    arguments = ["trace", "-", "--system", "undirected-planar", "--format", "json", "--trees", "right"]
    steps = json.loads(run(*arguments, stdin=sentence("A", "B")).out)
    assert not any("new_arcs" in step for step in steps)
    edges = [edge for step in steps for edge in step["new_edges"]]
    assert sorted(edges, key=str) == [{"ends": [0, 1], "label": "dep"}, {"ends": [1, 2], "label": "dep"}]


def test_lost_edges_are_reported(sample: Path, run: Run) -> None:
    done = run("trace", sample, "--system", "undirected-2-planar", "--sentence", "nl-002")
    assert done.err == f"{sample}:540: nl-002: undirected-2-planar does not build all edges; lost: 8 – 11\n"


def test_control_characters_do_not_reach_the_terminal(run: Run) -> None:
    done = run("trace", "-", "--system", "planar", stdin=sentence("a\x1b[31m", "b\x07", label="x\x1b"))
    assert done.code == 0
    assert not {"\x1b", "\x07"} & set(done.out)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--system", "swap", "--costs"], 1, "swap has no dynamic oracle, as its loss is not a sum over arcs: from "),
        (["--system", "undirected-swop"], 1, "unknown system 'undirected-swop'; known: undirected-planar, "),
        (["--system", "undirected-swap"], 1, "swap has no undirected variant: LEFT-ARC and RIGHT-ARC differ in more "),
        (["--system", "swop"], 1, "unknown system 'swop'; did you mean swap?"),
        (["--system", "swap", "--sentence", "nobody"], 1, "no sentence 'nobody'; give a sent_id"),
        (["--system", "planar[]", "--trees", "left"], 1, "planar[] cannot be restricted to trees"),
        (["--system", "planar", "--format", "tsv"], 2, "'tsv' is not one of"),
        ([], 2, "give either --system"),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], code: int, says: str, sample: Path, run: Run) -> None:
    done = run("trace", sample, *arguments)
    assert (done.code, done.out) == (code, "")
    assert says in done.err


def test_a_word_without_a_head_is_an_error(run: Run) -> None:
    done = run("trace", "-", "--system", "planar", stdin=sentence("A", "B").replace(b"\t1\tdep", b"\t_\t_"))
    assert (done.code, done.out) == (1, "")
    assert done.err == "<stdin>:3: s: word 2 has no head; parse the file first\n"


@pytest.mark.measures
@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_it_runs_in_a_process_of_its_own(encoding: str, sample: Path, process: Run) -> None:
    done = process("trace", "-", "--system", "2-planar", input=sample.read_bytes(), env={"PYTHONIOENCODING": encoding})
    assert (done.code, done.err) == (0, "")
    assert done.out


# Scores and transitions chosen by hand.


def test_scores_have_a_column_with_the_best_legal_transitions(sample: Path, run: Run) -> None:
    done = run("trace", sample, "-m", "en", "--sentence", "en-002", "--scores")
    headings, initial, first, *_ = done.out.splitlines()
    assert headings.endswith("scores")
    assert "%" not in initial
    assert first.endswith("SHIFT 100.0%")
    rows = json.loads(run("trace", sample, "-m", "en", "--sentence", "en-002", "--format", "json", "--scores").out)
    for before, line in zip(rows, done.out.splitlines()[2:], strict=False):
        best = max(before["legal"], key=lambda option: option["score"])
        assert f" {best['transition']} {best['probability']:.1%}" in line


def test_scores_of_other_models_are_on_their_own_scale(model: Path, sample: Path, run: Run) -> None:
    out = run("trace", sample, "-m", model, "--scores", "--numbers").out
    assert re.search(r"SHIFT -?\d", out)
    assert "%" not in out


def test_scores_in_json_are_those_of_the_parser(parser: mp.Parser, model: Path, sample: Path, run: Run) -> None:
    rows = json.loads(run("trace", sample, "-m", model, "--scores", "--costs", "--format", "json").out)
    sentence = mp.sample()[0]
    expected = parser.steps(sentence, gold=sentence).rows
    assert [row["legal"] for row in rows] == [[each.as_dict() for each in step.legal] for step in expected]
    assert [row["transition"] for row in rows] == [step.transition for step in expected]
    for before, row in pairwise(rows):
        costs = {option["transition"].partition("(")[0]: option["cost"] for option in before["legal"]}
        assert row["costs"] == costs


def test_a_prefix_is_marked_and_the_parser_goes_on(parser: mp.Parser, model: Path, sample: Path, run: Run) -> None:
    done = run("trace", sample, "-m", model, "--prefix", "SHIFT SHIFT")
    lines = done.out.splitlines()
    assert [line.split()[1] for line in lines[2:4]] == ["+SHIFT", "+SHIFT"]
    taken = [step.transition for step in parser.steps(mp.sample()[0], ["SHIFT", "SHIFT"]).rows[3:]]
    assert [line.split()[1] for line in lines[4:]] == taken
    rows = json.loads(run("trace", sample, "-m", model, "--prefix", "SHIFT SHIFT", "--format", "json").out)
    assert [row.get("by_hand") for row in rows[:4]] == [None, True, True, None]


def test_a_prefix_is_marked_and_the_oracle_goes_on_if_it_can(sample: Path, run: Run) -> None:
    done = run("trace", sample, "--system", "arc-eager", "--prefix", "SHIFT SHIFT")
    assert (done.code, "+SHIFT" in done.out) == (0, True)
    assert "lost: 2 → 1, 1 → 4" in done.err
    stopped = run("trace", sample, "--system", "arc-standard", "--prefix", "SHIFT SHIFT")
    assert len(stopped.out.splitlines()) == 4
    assert "the derivation is not complete" in stopped.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--system", "planar", "--scores"], "--scores needs --model"),
        (["--system", "planar", "--prefix", "SHIFT SHIFT FLY"], "step 3: 'FLY' is not a transition of planar"),
        (["-m", "en", "--prefix", "REDUCE"], "step 1: REDUCE is not legal here: the active stack is empty"),
        (["-m", "en", "--prefix", "SHIFT LEFT-ARC(x)"], "step 2: the model has no label 'x'"),
        (["-m", "en", "--scores", "--layer", "enhanced"], "this model does not predict enhanced"),
    ],
)
def test_wrong_prefixes_and_scores_are_explained(arguments: list[str], says: str, sample: Path, run: Run) -> None:
    done = run("trace", sample, *arguments)
    assert done.code != 0
    assert done.out == ""
    assert says in done.err


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_scores_are_escaped_like_everything_else(form: str, sample: Path, run: Run) -> None:
    out = run("trace", sample, "-m", "en", "--scores", "--format", form).out
    assert ("100.0\\%" in out) == (form == "latex")
    assert (" | scores |" in out) == (form == "markdown")


def test_a_parser_also_takes_a_text(tmp_path: Path, run: Run) -> None:
    done = run("trace", "-m", "en", "She left. He stayed.", "--sentence", "2")
    assert (done.code, done.err) == (0, "")
    assert "[He, stayed, .]" in done.out
    file = tmp_path / "text.txt"
    file.write_text("She left. He stayed.", encoding="utf-8")
    assert run("trace", "-m", "en", file, "--sentence", "2").out == done.out
    assert "word 1 has no head" in run("trace", "-m", "en", "She left.", "--costs").err
    assert "missing.conllu: cannot be read" in run("trace", "-m", "en", "missing.conllu").err
