"""Tables fit the terminal, and are complete everywhere else."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import multiplane as mp
from multiplane.cli.tables import display_width, shortened, text_table

Run = Callable[..., Any]
WIDTHS = (60, 80, 120)
COMMANDS = [
    ["analyze", "A"],
    ["analyze", "A", "B"],
    ["analyze", "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"],
    ["analyze", "A", "B", "--layer", "enhanced"],
    ["oracle", "A", "--system", "2-planar"],
    ["oracle", "A", "B", "--system", "undirected-2-planar-eager"],
    ["oracle", "A", "--system", "2-planar", "--system", "swap", "--system", "undirected-2-planar-eager"],
    ["oracle", "A", "B", "--system", "swap-graph", "--layer", "enhanced"],
    ["evaluate", "A", "A"],
    ["evaluate", "A", "A", "--by", "label"],
    ["compare", "A", "A", "A", "--samples", "3"],
    ["systems"],
    ["systems", "2-planar"],
    ["systems", "covington"],
    ["trace", "A", "--system", "2-planar", "--costs", "--sentence", "nl-002"],
    ["trace", "A", "--system", "covington", "--sentence", "la-001"],
]


@pytest.fixture(scope="module")
def treebanks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Files with long names, by the letters of `COMMANDS`."""
    folder = tmp_path_factory.mktemp("a-folder-with-quite-a-long-name")
    paths = {letter: folder / f"xx_{letter}-treebank-ud-dev.conllu" for letter in "ABCDEFGHIJKL"}
    for path in paths.values():
        path.write_bytes(mp.sample().to_bytes())
    return {letter: str(path) for letter, path in paths.items()}


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_table_fits_the_terminal(
    width: int, arguments: list[str], treebanks: dict[str, str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("multiplane.cli.tables.terminal_width", lambda: width)
    done = run(*(treebanks.get(argument, argument) for argument in arguments))
    assert done.code == 0
    too_long = [line for line in done.out.splitlines() if display_width(line) > width]
    assert too_long == []


@pytest.mark.parametrize("arguments", [each for each in COMMANDS if each[0] not in ("systems", "trace")], ids=" ".join)
def test_no_number_is_lost_in_a_narrow_terminal(
    arguments: list[str], treebanks: dict[str, str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = [treebanks.get(argument, argument) for argument in arguments]
    cells = [cell for line in run(*call).out.splitlines()[1:] for cell in re.split(r"\s{2,}", line)[1:]]
    monkeypatch.setattr("multiplane.cli.tables.terminal_width", lambda: 60)
    narrow = re.split(r"\s{2,}|\n", run(*call).out)
    assert all(narrow.count(cell) >= cells.count(cell) for cell in set(cells) if cell[-1:].isdigit() or "%" in cell)


def test_output_to_a_pipe_has_whole_names_and_one_line_per_row(treebanks: dict[str, str], run: Run) -> None:
    lines = run("analyze", treebanks["A"], treebanks["B"]).out.splitlines()
    assert [line.split()[0] for line in lines] == ["file", treebanks["A"], treebanks["B"], "TOTAL"]


@pytest.mark.parametrize("width", [60, 120])
def test_a_real_terminal_is_measured(width: int, treebanks: dict[str, str]) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-m", "multiplane", "analyze", treebanks["A"]]
    with subprocess.Popen(command, stdout=theirs, env=environment) as process:
        os.close(theirs)
        output = b""
        try:
            while part := os.read(ours, 65_536):
                output += part
        except OSError:  # Linux says so at the end of a terminal's output
            pass
        finally:
            os.close(ours)
        assert process.wait(300) == 0
    lines = output.decode().splitlines()
    assert max(map(len, lines)) <= width
    assert "xx_A" in output.decode()


ROWS = st.lists(st.lists(st.text("ab -,…日/", max_size=30), min_size=4, max_size=4), max_size=8)


@settings(max_examples=60)
@given(ROWS, st.integers(40, 120), st.integers(1, 3))
def test_any_table_has_the_same_letters_at_any_width(rows: list[list[str]], width: int, labels: int) -> None:
    columns = ["name", "b b-b", "b", "b/b"]
    kept = text_table(columns, rows, labels=labels, text=["b"], width=width)
    assert kept.count("a") >= sum(cell.count("a") for row in rows for cell in row)
    assert kept.count("日") >= sum(cell.count("日") for row in rows for cell in row)


@given(st.lists(st.text("ab/", min_size=1, max_size=8), min_size=1, max_size=6), st.integers(1, 30))
@settings(max_examples=60)
def test_shortened_names_are_as_distinct_as_before(names: list[str], width: int) -> None:
    assert len(set(shortened(names, width))) == len(set(names))


@pytest.mark.parametrize(
    ("names", "width", "expected"),
    [
        (["/data/ud/nl_lassysmall/nl_lassysmall-ud-dev.conllu"], 43, ["nl_lassysmall/nl_lassysmall-ud-dev.conllu"]),
        (["/d/nl/dev.conllu", "/d/cs/dev.conllu", "TOTAL"], 13, ["nl/dev.conllu", "cs/dev.conllu", "TOTAL"]),
        (["/d/nl/dev.conllu", "/d/cs/dev.conllu", "TOTAL"], 5, ["nl", "cs", "TOTAL"]),
        (["/d/nl-dev.conllu.xz", "/d/cs-dev.conllu.xz"], 6, ["nl-dev", "cs-dev"]),
        (["a.conllu"], 6, ["a"]),
        (["/a/b/treebank_of_greek-ud-train.conllu"], 20, ["treebank_o…-ud-train"]),
    ],
)
def test_names_stay_recognisable(names: list[str], width: int, expected: list[str]) -> None:
    assert shortened(names, width) == expected
