"""`multiplane systems` at the command line."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.systems.properties import longest

Run = Callable[..., Any]

TWO_PLANAR = """\
2-planar: Gómez-Rodríguez and Nivre (2010, 2013)

transitions, on 2 stacks
  SHIFT      SHIFT
  REDUCE     REDUCE
  LEFT-ARC   LEFT-ARC|(H̄σ ∧ i⇎*j)
  RIGHT-ARC  RIGHT-ARC|(H̄β ∧ i⇎*j)
  SWITCH     SWITCH|switches<k-1

properties
  divisible         yes  """


def rows(text: str) -> list[dict[str, str]]:
    header, *lines = (line.split("\t") for line in text.splitlines())
    return [dict(zip(header, line, strict=True)) for line in lines]


@pytest.mark.parametrize("form", ["text", "tsv", "json"])
def test_the_table_has_every_system_of_the_catalogue(form: str, run: Run) -> None:
    done = run("systems", "--format", form)
    assert (done.code, done.err) == (0, "")
    if form == "text":
        names = [line.split()[0] for line in done.out.partition("\n\n")[0].splitlines()[1:]]
    else:
        table = json.loads(done.out) if form == "json" else rows(done.out)
        names = [row["name"] for row in table]
    assert names == list(mp.systems)


def test_the_verdicts_are_those_of_the_library(run: Run) -> None:
    for row in json.loads(run("systems", "--format", "json").out):
        properties = mp.systems[row["name"]].properties()
        assert {name: row[name] for name in properties} == {name: v.holds for name, v in properties.items()}
    words = {"yes": True, "no": False, "?": None}
    for row in rows(run("systems", "--format", "tsv").out):
        properties = mp.systems[row["name"]].properties()
        assert {name: words[row[name]] for name in properties} == {name: v.holds for name, v in properties.items()}


def test_a_formula_gives_the_bound_of_every_length(run: Run) -> None:
    formulas = {row["name"]: row["bound"] for row in json.loads(run("systems", "--format", "json").out)}
    assert formulas["2-planar[]"] == "22n-23"  # S1, Proposition 11: 2(n + 2n + 8n - 12) + 1
    for name, formula in formulas.items():
        for n in (2, 3, 7, 50):
            most = longest(mp.systems[name], n)
            if most is None:
                assert formula in ("O(n²)", "-")
            else:
                slope, _, constant = formula.partition("n")
                assert most == int(slope) * n + int(constant or 0)


def test_a_system_is_shown_in_the_papers_notation_with_reasons(run: Run) -> None:
    done = run("systems", "2-planar")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(TWO_PLANAR)
    assert "  at most 8n-1 transitions for n > 1 words: 15 for 2, 79 for 10, 199 for 25, 799 for 100\n" in done.out
    assert done.out.endswith("  dynamic  yes\n")
    assert max(map(len, done.out.splitlines())) <= 121  # a combining bar takes no room
    assert "LEFT-ARC|H̄σ;REDUCE" in run("systems", "arc-eager").out


@pytest.mark.parametrize("name", [*mp.systems, "7-planar", "4-planar[single-head]"])
def test_every_system_can_be_printed_as_json(name: str, run: Run) -> None:
    told = json.loads(run("systems", name, "--format", "json").out)
    system = mp.systems[name]
    assert told["name"] == name
    assert told["stacks"] == system.stacks
    assert told["transitions"] == {key: str(value) for key, value in system.transitions.items()}
    assert all(verdict["reason"] for verdict in told["properties"].values())
    table = rows(run("systems", name, "--format", "tsv").out)
    assert [row["value"] for row in table if row["kind"] == "transition"] == list(told["transitions"].values())


def test_who_has_a_dynamic_oracle(run: Run) -> None:
    def told(name: str) -> bool:
        return bool(json.loads(run("systems", name, "--format", "json").out)["dynamic_oracle"])

    assert [name for name in ("planar", "2-planar", "covington", "swap", "easy-first") if told(name)] == [
        "planar",
        "2-planar",
        "covington",
    ]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("covigton", "unknown system 'covigton'; did you mean covington?"),
        ("0-planar", "unknown system '0-planar'; did you mean "),
        ("xyzzy", "unknown system 'xyzzy'; known: arc-standard, "),
        ("2-planar[tree]", "unknown constraint 'tree'; known: single-head, acyclic, no-covered-roots"),
    ],
)
def test_an_unknown_system_is_explained_in_a_line(name: str, says: str, run: Run) -> None:
    done = run("systems", name)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(says)


@pytest.mark.parametrize("name", ["61-planar", "1000000-planar-eager", "9" * 5000 + "-planar-joint"])
def test_too_many_stacks_are_refused_immediately(name: str, run: Run) -> None:
    done = run("systems", name)
    assert done.code == 1
    assert "k-planar is for 1 to 60 stacks" in done.err
    assert len(done.err) < 300


def test_undirected_variants_are_described_as_such(run: Run) -> None:
    done = run("systems", "undirected-3-planar")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("undirected-3-planar: S3: undirected variant of 3-planar\n\ntransitions, on 3 stacks\n")
    assert "\n  ARC     ARC|i⇎*j\n" in done.out
    assert "edges have no direction, so words have no heads" in done.out
    assert not re.search(r"\barcs? (built|links)|adds an arc", done.out)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "undirected-arc-eager",
            "arc-eager has no undirected variant: LEFT-ARC and RIGHT-ARC differ in more than direction "
            "(LEFT-ARC|H̄σ;REDUCE and RIGHT-ARC;SHIFT)",
        ),
        (
            "undirected-foo",
            "unknown system 'undirected-foo'; known: undirected-planar, undirected-2-planar, "
            "undirected-2-planar-eager, undirected-covington, and undirected-k-planar for any k",
        ),
        ("undirected-covigton", "unknown system 'undirected-covigton'; did you mean undirected-covington?"),
        ("undirectd-planar", "unknown system 'undirectd-planar'; did you mean undirected-planar?"),
    ],
)
def test_what_has_no_undirected_variant_is_explained_on_one_line(name: str, says: str, run: Run) -> None:
    done = run("systems", name)
    assert (done.code, done.out, done.err) == (1, "", f"{says}\n")


# A system of one's own.

DECLARATION = """
from multiplane.systems import LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, TransitionSystem, top_has_head

NAME = "eager-of-mine"
eager = TransitionSystem(
    NAME,
    SHIFT=SHIFT,
    REDUCE=REDUCE.where(top_has_head),
    LEFT_ARC=LEFT_ARC.where(~top_has_head) >> REDUCE,
    RIGHT_ARC=RIGHT_ARC >> SHIFT,
)
"""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "mine.py"
    path.write_text(DECLARATION, encoding="utf-8")
    yield path
    mp.systems._systems.pop("eager-of-mine", None)


def test_a_system_of_a_file_is_used_like_any_other(own: Path, sample: Path, tmp_path: Path, run: Run) -> None:
    mine, model = f"{own}:eager", tmp_path / "model"
    assert run("systems", mine).out.startswith("eager-of-mine\n\ntransitions\n  SHIFT")
    for verb in ("trace", "oracle"):
        mine_does, known_does = (run(verb, sample, "--system", name) for name in (mine, "arc-eager"))
        assert mine_does.code == 0
        assert mine_does.out == known_does.out
    done = run("train", "--train", sample, "-o", model, "--epochs", 1, "-q", "--system", mine)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{model}: eager-of-mine.trees(no root, single root), epoch 1\n"
    del mp.systems._systems["eager-of-mine"]
    assert run("parse", "-m", model, sample).code == 0
    assert run("trace", "-m", model, sample).code == 0


def test_a_system_of_a_module_in_this_folder(own: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    own.rename(own.with_name("system_of_mine.py"))
    monkeypatch.chdir(own.parent)
    assert run("systems", "system_of_mine:eager").out.startswith("eager-of-mine\n")


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("mine.py:lazy", "", "mine.py: has no transition system 'lazy'; it has eager"),
        ("mine.py:NAME", "", "has no transition system 'NAME'; it has eager"),
        ("mine.py:eager", "del eager", "declare one there: eager = TransitionSystem(…)"),
        ("mine.py:eager", "1 / 0", "mine.py: cannot be imported: ZeroDivisionError: division by zero"),
        ("mine.py:eager", "raise SystemExit", "mine.py: cannot be imported: SystemExit"),
        ("mine.py:eager", "eager.name = 'planar'", "a system 'planar' already exists; choose another name"),
        ("yours.py:eager", "", "yours.py: cannot be read: no such file"),
        ("no_such_module:eager", "", "no_such_module: cannot be imported: ModuleNotFoundError"),
    ],
)
def test_what_is_no_system_ends_in_a_line(
    name: str, more: str, message: str, own: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.write_text(DECLARATION + more, encoding="utf-8")
    monkeypatch.chdir(own.parent)
    done = run("systems", name)
    assert done.code == 1
    assert message in done.err
    assert done.err.count("\n") == 1
