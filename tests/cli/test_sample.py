"""`multiplane sample`: the treebank to try things out on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp

Run = Callable[..., Any]


def test_the_sample_is_printed_byte_for_byte(run: Run, sample: Path) -> None:
    done = run("sample")
    assert (done.code, done.raw, done.err) == (0, sample.read_bytes(), "")


def test_the_sample_is_written_to_a_file(run: Run, sample: Path, tmp_path: Path) -> None:
    done = run("sample", "-o", tmp_path / "sample.conllu")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert (tmp_path / "sample.conllu").read_bytes() == sample.read_bytes()


def test_the_semantic_sample_is_printed_byte_for_byte(run: Run) -> None:
    done = run("sample", "--format", "conll09")
    assert (done.code, done.raw, done.err) == (0, mp.sample("conll09").to_bytes(), "")


def test_the_semantic_sample_is_as_its_readme_says() -> None:
    corpus = mp.sample("conll09")
    assert (len(corpus), corpus.words) == (16, 143)
    assert (len(corpus.predicates.words), len(corpus.semantic_arcs.heads)) == (38, 66)
    numbered = {number: sentence.semantics for number, sentence in enumerate(corpus, 1)}
    assert [n for n, graph in numbered.items() if graph.is_single_head()] == [2, 5, 6, 12, 14, 16]
    assert [n for n, graph in numbered.items() if not graph.is_planar()] == [3, 4, 8, 12]
    assert [n for n, graph in numbered.items() if graph.planarity() > 2] == [12]
    assert [n for n, graph in numbered.items() if graph.loop_arcs] == [10]
    assert [n for n, sentence in enumerate(corpus, 1) if not sentence.predicates] == [6]
    assert [n for n, sentence in enumerate(corpus, 1) if not sentence.graph.is_projective()] == [2, 14]


def test_an_unknown_sample_is_refused(run: Run) -> None:
    assert run("sample", "--format", "conllx").code == 2
    with pytest.raises(mp.InputError, match="no sample in the format 'conllx'; available: conllu, conll09"):
        mp.sample("conllx")
