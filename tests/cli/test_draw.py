"""`multiplane draw` at the command line."""

import os
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp

Run = Callable[..., Any]
WORD = b"1\t%b\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


def test_the_terminal_shows_the_words_without_escapes_in_a_pipe(sample: Path, run: Run, process: Run) -> None:
    for done in (run("draw", sample), process("draw", sample)):
        assert (done.code, done.err) == (0, "")
        assert all(form in done.out for form in mp.sample()[0].forms)
        assert "\x1b" not in done.out


@pytest.mark.parametrize("suffix", [".svg", ".txt", ".tex", ".SVG"])
def test_every_sentence_of_the_sample_is_drawn(suffix: str, sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / f"out{suffix}"
    for sentence in mp.sample():
        done = run("draw", sample, "--sentence", sentence.sent_id, "-o", target)
        assert (done.code, done.out, done.err) == (0, "", ""), sentence
        text = target.read_text(encoding="utf-8")
        if suffix.lower() == ".svg":
            texts = [element.text or "" for element in ET.fromstring(text).iter() if element.tag.endswith("text")]
            assert set(sentence.forms) <= set(texts), sentence
        else:
            assert len(text) > len("".join(sentence.forms))
    assert os.listdir(tmp_path) == [target.name]


@pytest.mark.parametrize("suffix", [".svg", ".txt", ".tex"])
def test_undirected_drawings_have_no_arrow_heads(suffix: str, sample: Path, tmp_path: Path, run: Run) -> None:
    arrow = {".svg": 'stroke="none"', ".txt": "►", ".tex": "edge style={plane1, semithick}"}[suffix]
    for more, has_arrows in (([], True), (["--undirected"], False)):
        target = tmp_path / f"out{suffix}"
        done = run("draw", sample, "--sentence", "nl-001", "-o", target, *more)
        assert (done.code, done.out, done.err) == (0, "", "")
        assert (arrow in target.read_text(encoding="utf-8")) == has_arrows


def test_a_sentence_is_found_by_sent_id_or_number(sample: Path, run: Run) -> None:
    assert run("draw", sample).out == run("draw", sample, "--sentence", "1").out
    assert run("draw", sample, "--sentence", "31").out == run("draw", sample, "--sentence", mp.sample()[30].sent_id).out
    assert run("draw", sample, "--sentence", "31").out != run("draw", sample).out


def test_a_sent_id_comes_before_a_number(run: Run) -> None:
    text = b"# sent_id = 2\n" + WORD % b"first" + b"# sent_id = 1\n" + WORD % b"second"
    assert "second" in run("draw", "-", "--sentence", "1", stdin=text).out
    assert "first" in run("draw", "-", "--sentence", "2", stdin=text).out


@pytest.mark.parametrize("wanted", ["nobody", "0", "66", "-1", ""])
def test_an_unknown_sentence_is_named(wanted: str, sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("draw", sample, f"--sentence={wanted}", "-o", tmp_path / "out.svg")
    assert (done.code, done.out) == (1, "")
    assert done.err == f"{sample}: no sentence '{wanted}'; give a sent_id, or a number from 1 to 65\n"
    assert os.listdir(tmp_path) == []


def test_a_file_without_sentences_is_reported(run: Run) -> None:
    done = run("draw", "-", stdin=b"# nothing\n")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "1 to 0" not in done.err


@pytest.mark.parametrize("name", ["out.pdf", "out", "out.svg.gz"])
def test_an_unknown_suffix_is_wrong_usage(name: str, sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("draw", sample, "-o", tmp_path / name)
    assert done.code == 2
    assert ".svg, .txt, .tex" in done.err
    assert os.listdir(tmp_path) == []


def test_a_target_in_no_directory_is_named(sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / "missing" / "out.svg"
    done = run("draw", sample, "-o", target)
    assert (done.code, done.err) == (1, f"{target}: cannot be written: no such file or directory\n")


@pytest.mark.parametrize("form", ["<&>\"'", "a\x01b\x0bc", "\ufffe", "\u202eabc", "x" * 300, "e\u0301", "日本語", "😀"])
def test_strange_words_give_well_formed_svg(form: str, tmp_path: Path, run: Run) -> None:
    target = tmp_path / "out.svg"
    done = run("draw", "-", "-o", target, stdin=WORD % form.encode())
    assert (done.code, done.err) == (0, "")
    ET.parse(target)


def test_control_characters_do_not_reach_the_terminal(run: Run) -> None:
    done = run("draw", "-", stdin=b"# sent_id = a\x1b[31mb\n" + WORD % b"w\x1b[31m\x07")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\x07" not in done.out
