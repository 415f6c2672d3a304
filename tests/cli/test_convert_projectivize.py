"""`multiplane convert --projectivize` and `--deprojectivize` at the command line."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.formats.reader import BLOCK
from multiplane.graphs import measure_heads

Run = Callable[..., Any]
MARKED = ["head", "path", "head+path"]


def row(number: int, head: object, label: str) -> str:
    return f"{number}\tw{number}\t_\t_\t_\t_\t{head}\t{label}\t_\tM={number}\n"


CROSSING = [(3, "obj"), (0, "root"), (2, "xcomp"), (1, "det")]


def sentence(*words: tuple[object, str]) -> bytes:
    rows = "".join(row(number, head, label) for number, (head, label) in enumerate(words, 1))
    return f"# a comment\n1-2\tw1w2\t_\t_\t_\t_\t_\t_\t_\t_\n{rows}4.1\te\t_\t_\t_\t_\t_\t_\t2:x\t_\n\n".encode()


@pytest.mark.parametrize(
    ("encoding", "labels"),
    [
        ("baseline", ["obj", "root", "xcomp", "det"]),
        ("head", ["obj↑xcomp", "root", "xcomp", "det↑obj"]),
        ("path", ["obj↑↓", "root", "xcomp↓", "det↑"]),
        ("head+path", ["obj↑xcomp↓", "root", "xcomp↓", "det↑obj"]),
    ],
)
def test_only_heads_and_labels_change(encoding: str, labels: list[str], run: Run) -> None:
    done = run("convert", "-", "--projectivize", encoding, stdin=sentence(*CROSSING))
    expected = sentence(*zip([2, 0, 2, 2], labels, strict=True))
    assert (done.code, done.err, done.raw) == (0, "", expected)
    if encoding != "baseline":
        back = run("convert", "-", "--deprojectivize", encoding, stdin=done.raw)
        assert (back.code, back.err, back.raw) == (0, "", sentence(*CROSSING))


@pytest.mark.parametrize("encoding", ["baseline", *MARKED])
def test_the_sample_becomes_projective(encoding: str, sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / "out.conllu.xz"
    done = run("convert", sample, "-o", target, "--projectivize", encoding)
    assert (done.code, done.out, done.err) == (0, "", "")
    corpus = mp.read(target)
    assert not measure_heads(corpus.lengths, corpus.heads).nonprojective.any()
    assert measure_heads(corpus.lengths, mp.sample().heads).nonprojective.any()
    for column in corpus.dialect.columns:
        assert (corpus.column(column) == mp.sample().column(column)) == (
            column not in ("head", "deprel") or (column == "deprel" and encoding == "baseline")
        )


def test_the_sample_comes_back_but_for_an_ambiguous_label(sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / "out.conllu"
    assert run("convert", sample, "-o", target, "--projectivize", "head+path").code == 0
    assert run("convert", target, "-o", target, "--deprojectivize", "head+path").code == 0
    lines = zip(sample.read_bytes().split(b"\n"), target.read_bytes().split(b"\n"), strict=True)
    # Two verbs of this Dutch cluster have the same label, and the object belongs to the lower one.
    assert [old.split(b"\t")[1].decode() for old, new in lines if old != new] == ["liedjes"]


def test_trees_change_on_the_way_to_another_format(run: Run) -> None:
    done = run("convert", "-", "--projectivize", "head", "--to", "conllx", "-q", stdin=sentence(*CROSSING))
    fields = [line.split("\t") for line in done.out.splitlines() if line]
    assert [(line[6], line[7]) for line in fields] == [
        ("2", "obj↑xcomp"),
        ("0", "root"),
        ("2", "xcomp"),
        ("2", "det↑obj"),
    ]


def test_words_without_a_head_stay_without(run: Run) -> None:
    words: list[tuple[object, str]] = [(3, "obj"), ("_", "_"), (2, "xcomp"), (1, "det")]
    done = run("convert", "-", "--projectivize", "head", stdin=sentence(*words))
    assert done.raw == sentence((2, "obj↑xcomp"), ("_", "_"), (2, "xcomp"), (2, "det↑obj"))
    assert run("convert", "-", "--deprojectivize", "head", stdin=done.raw).raw == sentence(*words)


def test_several_blocks_give_what_one_gives(run: Run) -> None:
    text = sentence(*CROSSING)
    count = 2 * BLOCK // len(text)
    done = run("convert", "-", "--projectivize", "head", stdin=text * count)
    assert done.raw == run("convert", "-", "--projectivize", "head", stdin=text).raw * count


def test_broken_sentences_are_skipped_on_request(run: Run) -> None:
    text = sentence(*CROSSING) + b"1\tbroken\n\n" + sentence(*CROSSING)
    assert run("convert", "-", "--projectivize", "head", stdin=text).code == 1
    done = run("convert", "-", "--projectivize", "head", "--on-error", "skip", stdin=text)
    assert done.code == 0
    assert done.raw == 2 * run("convert", "-", "--projectivize", "head", stdin=sentence(*CROSSING)).raw


@pytest.mark.parametrize(
    "wrong",
    [
        ["--projectivize", "head", "--deprojectivize", "head"],
        ["--projectivize", "tail"],
        ["--deprojectivize", "baseline"],
        ["--projectivize"],
    ],
)
def test_wrong_usage_writes_nothing(wrong: list[str], sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("convert", sample, "-o", tmp_path / "out.conllu", *wrong)
    assert (done.code, done.out) == (2, "")
    assert "projectivize" in done.err
    assert os.listdir(tmp_path) == []
