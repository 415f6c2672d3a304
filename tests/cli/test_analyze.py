"""`multiplane analyze` at the command line."""

import csv
import gzip
import io
import json
import lzma
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.analysis import PROPERTIES

Run = Callable[..., Any]
COLUMNS = ["file", "structures", "tokens", "nonprojective", "nonplanar"]
COLUMNS += ["non2planar", "non3planar", "non4planar", "illnested", "np_arcs"]
GOLDEN = [65, 714, 35, 31, 3, 1, 0, 3, 42]
"""The sample; structures and classes as its README lists them."""


def fan(n: int) -> bytes:
    """A forest whose n arcs all cross one another: it needs n planes."""
    words = range(1, 2 * n + 1)
    rows = [f"{w}\tw{w}\t_\tX\t_\t_\t{max(0, w - n)}\tdep\t_\t_\n" for w in words]
    return "".join([f"# sent_id = fan-{n}\n", *rows, "\n"]).encode()


@pytest.fixture
def fans(tmp_path: Path, sample: Path) -> Path:
    path = tmp_path / "fans.conllu"
    path.write_bytes(sample.read_bytes() + b"".join(fan(n) for n in range(1, 7)))
    return path


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def test_tsv_names_its_columns_and_counts_the_sample(sample: Path, run: Run) -> None:
    done = run("analyze", sample, "--format", "tsv")
    assert (done.code, done.err) == (0, "")
    header, *rows = (line.split("\t") for line in done.out.splitlines())
    assert header[: len(COLUMNS)] == COLUMNS
    assert rows[0][: len(COLUMNS)] == [str(sample), *map(str, GOLDEN)]
    assert {len(row) for row in rows} == {len(header)}
    assert table(done.out)[0]["gap_degree"] == "2"
    assert table(done.out)[0]["arc_degree"] == "3"


def test_the_golden_numbers_are_those_of_the_definitions() -> None:
    nonprojective = crossing = np_arcs = 0
    for sentence in mp.sample():
        heads = [0, *sentence.heads]

        def dominates(head: int, word: int, heads: list[int] = heads) -> bool:
            while word not in (0, head):
                word = heads[word]
            return word == head

        arcs = [tuple(sorted((head, word))) for word, head in enumerate(heads) if head]
        bad = [
            word
            for word, head in enumerate(heads)
            if head and not all(dominates(head, w) for w in range(min(head, word) + 1, max(head, word)))
        ]
        np_arcs += len(bad)
        nonprojective += bool(bad)
        crossing += any(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(arcs, 2))
    assert [nonprojective, crossing, np_arcs] == [GOLDEN[2], GOLDEN[3], GOLDEN[8]]


def test_json_is_valid_and_says_the_same(sample: Path, run: Run) -> None:
    done = run("analyze", sample, "--format", "json")
    (row,) = json.loads(done.out)
    assert [row[name] for name in COLUMNS] == [str(sample), *GOLDEN]
    assert row["nonprojective_percent"] == 53.85


def test_text_has_a_row_a_file_and_percentages(sample: Path, run: Run) -> None:
    done = run("analyze", sample)
    assert (done.code, done.err) == (0, "")
    assert " 35 53.8% " in done.out
    assert "714" in done.out


@pytest.mark.parametrize("form", ["text", "tsv", "json"])
def test_several_files_have_a_total(form: str, sample: Path, fans: Path, run: Run) -> None:
    done = run("analyze", sample, fans, "--format", form)
    assert done.code == 0
    structures = 65 + 65 + 6
    if form == "text":
        assert re.search(rf"^TOTAL +{structures} ", done.out, re.MULTILINE)
        return
    rows = json.loads(done.out) if form == "json" else table(done.out)
    assert [row["file"] for row in rows] == [str(sample), str(fans), "TOTAL"]
    assert int(rows[-1]["structures"]) == structures
    assert int(rows[-1]["arc_degree"]) == max(int(row["arc_degree"]) for row in rows[:2])


def test_a_file_called_total_has_its_own_row(
    sample: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("TOTAL").write_bytes(sample.read_bytes())
    rows = json.loads(run("analyze", "TOTAL", sample, "--from", "conllu", "--format", "json").out)
    assert [row["structures"] for row in rows] == [65, 65, 130]


def test_standard_input_and_compressed_files(sample: Path, tmp_path: Path, run: Run, process: Run) -> None:
    text = sample.read_bytes()
    (tmp_path / "a.conllu.gz").write_bytes(gzip.compress(text))
    (tmp_path / "a.conllu.xz").write_bytes(lzma.compress(text))
    for done in (
        run("analyze", "-", "--format", "tsv", stdin=text),
        process("analyze", "-", "--format", "tsv", input=text),
        run("analyze", tmp_path / "a.conllu.gz", "--format", "tsv"),
        run("analyze", tmp_path / "a.conllu.xz", "--format", "tsv"),
    ):
        assert (done.code, done.err) == (0, "")
        assert [int(table(done.out)[0][name]) for name in COLUMNS[1:]] == GOLDEN


ARC = re.compile(r"(\d+) (\S+) →(\S*) (\d+) (\S+)")


def cross(one: tuple[int, int], two: tuple[int, int]) -> bool:
    (a, b), (c, d) = sorted((tuple(sorted(one)), tuple(sorted(two))))
    return a < c < b < d


@pytest.mark.parametrize("name", PROPERTIES)
def test_every_listed_sentence_comes_with_a_proof(name: str, fans: Path, run: Run) -> None:
    row = json.loads(run("analyze", fans, "--format", "json").out)[0]
    listed = json.loads(run("analyze", fans, "--list", name, "--format", "json").out)
    assert len(listed) == row[PROPERTIES[name].column] > 0
    sentences = {sentence.sent_id: sentence for sentence in mp.read(fans)}
    for witness in listed:
        sentence = sentences[witness["sent_id"]]
        assert (witness["file"], witness["line"]) == (str(fans), sentence.line)
        arcs = [(int(head), int(word)) for head, _, _, word, _ in ARC.findall(witness["certificate"])]
        for head, form, label, word, other in ARC.findall(witness["certificate"]):
            assert sentence.heads[int(word) - 1] == int(head)
            assert sentence.deprels[int(word) - 1] == label
            assert (sentence.forms[int(head) - 1], sentence.forms[int(word) - 1]) == (form, other.rstrip(","))
        if name == "not-planar":
            assert len(arcs) == 2
            assert cross(*arcs)
        elif name == "not-2-planar":
            assert arcs[0] == arcs[-1]
            assert len(arcs) % 2 == 0
            assert all(cross(one, two) for one, two in pairwise(arcs))
        elif name == "ill-nested":
            words = [int(number) for number in re.findall(r"(\d+) \S+(?: <|$)", witness["certificate"])]
            assert words == sorted(words)
            assert len(words) == 4
        else:
            assert arcs


def test_listed_sentences_as_text_and_tsv(fans: Path, run: Run) -> None:
    listed = json.loads(run("analyze", fans, "--list", "not-2-planar", "--format", "json").out)
    lines = run("analyze", fans, "--list", "not-2-planar").out.splitlines()
    assert lines == [f"{w['file']}:{w['line']}: {w['sent_id']}: {w['certificate']}" for w in listed]
    rows = table(run("analyze", fans, "--list", "not-2-planar", "--format", "tsv").out)
    assert [row["sent_id"] for row in rows] == [w["sent_id"] for w in listed]
    assert {"la-001", "la-002", "nl-002", "fan-3", "fan-6"} <= {w["sent_id"] for w in listed}


def test_a_list_of_nothing_is_empty_and_no_failure(sample: Path, run: Run) -> None:
    done = run("analyze", sample, "--list", "not-4-planar")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert json.loads(run("analyze", sample, "--list", "not-4-planar", "--format", "json").out) == []


def test_plots_are_pictures(sample: Path, fans: Path, tmp_path: Path, run: Run) -> None:
    for name in ("out.svg", "out.png"):
        done = run("analyze", sample, fans, "--plot", tmp_path / name)
        assert (done.code, done.err) == (0, "")
        assert "TOTAL" in done.out
    assert ET.parse(tmp_path / "out.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_the_plot_of_an_empty_file_is_a_picture(tmp_path: Path, run: Run) -> None:
    done = run("analyze", "-", "--plot", tmp_path / "out.svg")
    assert (done.code, done.err) == (0, "")
    ET.parse(tmp_path / "out.svg")


def test_a_plot_is_drawn_beside_a_list_too_or_refused(sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("analyze", sample, "--list", "not-planar", "--plot", tmp_path / "out.svg")
    assert done.code == 2 or (tmp_path / "out.svg").exists()


def test_an_unknown_plot_suffix_is_wrong_usage_before_anything_is_read(tmp_path: Path, run: Run) -> None:
    done = run("analyze", tmp_path / "missing.conllu", "--plot", tmp_path / "out.pdf")
    assert (done.code, done.out) == (2, "")
    assert ".svg or .png" in done.err


def test_a_plot_that_cannot_be_written_is_named(sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("analyze", sample, "--plot", tmp_path / "missing" / "out.svg")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)


def test_strange_file_names_can_be_plotted(sample: Path, tmp_path: Path, process: Run) -> None:
    paths = [tmp_path / name for name in ("a$_$.conllu", "日本語.conllu", "a\\b.conllu", "<&>.conllu")]
    for path in paths:
        path.write_bytes(sample.read_bytes())
    done = process("analyze", *paths, "--plot", tmp_path / "out.svg")
    assert (done.code, done.err) == (0, "")
    ET.parse(tmp_path / "out.svg")


def test_nothing_is_printed_when_one_of_the_files_fails(sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("analyze", sample, tmp_path / "missing.conllu", "--format", "tsv")
    assert (done.code, done.out) == (1, "")
    assert done.err == f"{tmp_path / 'missing.conllu'}: cannot be read: no such file or directory\n"


def test_quiet_leaves_out_the_notes(run: Run) -> None:
    text = fan(2) + b"1\n"
    loud, quiet = (run("analyze", "-", "--on-error", "skip", *more, stdin=text) for more in ([], ["-q"]))
    assert loud.err.count("\n") == 1
    assert (quiet.code, quiet.out, quiet.err) == (0, loud.out, "")


def test_the_same_file_twice_is_counted_once_and_streams_only_once(sample: Path, run: Run) -> None:
    rows = table(run("analyze", sample, sample, "--format", "tsv").out)
    assert rows[-1]["structures"] == "65"


def test_the_text_fits_a_terminal_and_distinguishes_files(
    sample: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("multiplane.cli.tables.terminal_width", lambda: 120)
    paths = [tmp_path / (20 * "long-") / name / "dev.conllu" for name in ("one", "two")]
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_bytes(sample.read_bytes() * 100)
    lines = run("analyze", *paths).out.splitlines()
    assert max(map(len, lines)) <= 120
    assert [line.split("/")[0] for line in lines if "/dev" in line] == ["one", "two"]


@pytest.mark.parametrize("verb", [["analyze"], ["oracle", "--system", "planar"]])
def test_a_file_that_is_given_twice_is_counted_once_and_reported(verb: list[str], sample: Path, run: Run) -> None:
    once, twice = run(*verb, sample), run(*verb, sample, sample)
    assert (twice.code, twice.out) == (0, once.out)
    assert twice.err == f"{sample}: is given twice, but counted once\n"
    assert run(*verb, sample, sample, "-q").err == ""
