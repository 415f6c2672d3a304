"""`multiplane sample`: the treebank to try things out on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def test_the_sample_is_printed_byte_for_byte(run: Run, sample: Path) -> None:
    done = run("sample")
    assert (done.code, done.raw, done.err) == (0, sample.read_bytes(), "")


def test_the_sample_is_written_to_a_file(run: Run, sample: Path, tmp_path: Path) -> None:
    done = run("sample", "-o", tmp_path / "sample.conllu")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert (tmp_path / "sample.conllu").read_bytes() == sample.read_bytes()
