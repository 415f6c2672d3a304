"""`multiplane check` at the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def word(number: int, head: object, label: str = "dep") -> bytes:
    return f"{number}\tw\t_\tX\t_\t_\t{head}\t{label}\t_\t_\n".encode()


GOOD = word(1, 0, "root") + word(2, 1) + word(3, 1) + b"\n"


def test_the_sample_has_no_errors(sample: Path, run: Run) -> None:
    done = run("check", sample)
    assert (done.code, done.err) == (0, "")
    assert f"{sample}: 65 sentences, 714 words, 42 labels" in done.out
    assert "0 errors" in done.out
    assert "2-planar 95.4 %" in done.out


def test_json_and_tsv_are_valid(sample: Path, run: Run) -> None:
    report = json.loads(run("check", sample, "--format", "json").out)[0]
    assert (report["errors"], report["counts"]["structures"]) == ([], 65)
    assert report["percent_in_class"]["2-planar"] == 95.38
    assert sum(report["labels"].values()) == 714
    rows = [line.split("\t") for line in run("check", sample, "--format", "tsv").out.splitlines()]
    assert rows[0] == ["file", "line", "sent_id", "severity", "what"]
    assert {len(row) for row in rows} == {5}


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (GOOD + word(1, 0, "root") + word(2, 0, "root"), "several roots"),
        (GOOD + word(1, 0, "root") + word(2, "_"), "without a head"),
        (GOOD + word(1, 0, "root") + word(2, 1, "slip"), "labels that occur once"),
        (GOOD + word(1, 0), "does not match its head"),
        (GOOD + word(1, 0, "root").replace(b"\tX\t", b"\t\t"), "empty fields"),
        (2 * (b"# sent_id = a\n" + GOOD), "duplicate sent_ids"),
        (b"# text = w w w\n" + GOOD + b"# text = ww w\n" + GOOD, "words do not match their text: 1;"),
        (b"", "no sentence"),
    ],
)
def test_warnings_are_no_errors(text: bytes, warning: str, run: Run) -> None:
    done = run("check", "-", stdin=text)
    assert done.code == 0
    assert warning in done.out


def test_tabs_in_a_comment_are_no_empty_field(run: Run) -> None:
    done = run("check", "-", stdin=b"# text = a\t\tb\n" + GOOD)
    assert "empty fields" not in done.out


def test_warnings_name_the_place(run: Run) -> None:
    done = run("check", "-", stdin=GOOD + b"# sent_id = two\n" + word(1, 0, "root") + word(2, 0, "root"))
    assert "<stdin>:5: two" in done.out


def test_an_unreadable_file_does_not_hide_the_others(sample: Path, tmp_path: Path, run: Run) -> None:
    missing = tmp_path / "missing.conllu"
    for files in ([sample, missing], [missing, sample]):
        done = run("check", *files)
        assert done.code == 1
        assert f"{sample}: 65 sentences" in done.out
        assert f"{missing}: cannot be read: no such file or directory" in done.out + done.err


@pytest.mark.parametrize("form", ["text", "tsv", "json"])
def test_one_bad_file_of_two_is_exit_code_1(form: str, sample: Path, tmp_path: Path, run: Run) -> None:
    bad = tmp_path / "bad.conllu"
    bad.write_bytes(GOOD + word(1, 5))
    done = run("check", sample, bad, "--format", form)
    assert done.code == 1
    assert "HEAD 5" in done.out


def test_sentences_without_heads_are_sentences(run: Run) -> None:
    done = run("check", "-", stdin=word(1, "_"))
    assert "-: 1 sentence, 1 word, 0 labels" in done.out
    assert "no sentence" not in done.out


def test_labels_that_occur_once_are_wrapped(run: Run) -> None:
    text = b"".join(b"# sent_id = s%d\n" % n + word(1, 0, "root") + word(2, 1, f"label{n}") + b"\n" for n in range(20))
    done = run("check", "-", stdin=text)
    assert "label0 (s0), label1 (s1)" in done.out
    assert max(len(line) for line in done.out.splitlines() if line.startswith("    ")) <= 120
