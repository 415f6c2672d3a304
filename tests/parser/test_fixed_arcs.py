"""Heads and labels that are given stay; the parser fills in the rest."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats import Corpus
from multiplane.formats.rewrite import with_trees
from multiplane.formats.treebank import roots_of
from small_parsers import trained, treebank

Run = Callable[..., Any]
DYNAMIC = [
    "planar",
    "2-planar",
    "2-planar-eager",
    "3-planar",
    "arc-eager",
    "arc-hybrid",
    "arc-hybrid-swap",
    "covington",
]


def blanked(corpus: Corpus, share: float, seed: int = 1) -> Corpus:
    """The corpus with most of its heads and labels taken away."""
    keep = np.random.default_rng(seed).random(corpus.words) < share
    labels = [label if kept else "_" for label, kept in zip(corpus.column("deprel"), keep, strict=True)]
    return with_trees(corpus, np.where(keep, corpus.heads, -1), labels)


@pytest.fixture(scope="module")
def parsers() -> dict[str, mp.Parser]:
    return {name: trained(mp.sample(), system=name, epochs=1) for name in DYNAMIC}


@pytest.mark.parametrize("name", DYNAMIC)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_what_is_given_stays(name: str, share: float, parsers: dict[str, mp.Parser]):
    oracle = mp.oracle(mp.systems[name].trees())
    corpus = _joined([sentence for sentence in mp.sample() if not oracle.derive(sentence.graph).lost])
    given = blanked(corpus, share)
    for beam in (1, 3):
        parsed = parsers[name].parse(given, beam=beam, keep_heads=True)
        known = given.heads >= 0
        assert (parsed.heads[known] == given.heads[known]).all()
        wanted = np.array(given.column("deprel"))
        assert (np.array(parsed.column("deprel"))[known] == wanted[known]).all()
        assert set(roots_of(parsed).tolist()) == {1}
        assert all(sentence.graph.is_tree() for sentence in parsed)


@pytest.mark.parametrize("name", ["planar", "2-planar", "2-planar-eager"])
def test_whatever_part_of_a_tree_is_given_there_is_a_way_to_keep_it(name: str, parsers: dict[str, mp.Parser]):
    oracle = mp.oracle(mp.systems[name].trees())
    corpus = _joined([sentence for sentence in mp.sample() if not oracle.derive(sentence.graph).lost])
    for seed in range(6):
        for share in (0.3, 0.7):
            given = blanked(corpus, share, seed)
            known = given.heads >= 0
            assert (parsers[name].parse(given, keep_heads=True).heads[known] == given.heads[known]).all()


def _joined(sentences: list[mp.Sentence]) -> Corpus:
    return mp.read_conllu(io.BytesIO(b"".join(sentence.to_bytes() for sentence in sentences)))


def test_no_given_heads_change_nothing(parser: mp.Parser):
    blank = blanked(mp.sample(), 0.0)
    assert parser.parse(blank, keep_heads=True).to_bytes() == parser.parse(blank).to_bytes()


def test_labels_alone_and_labels_that_the_model_does_not_know_stay(parser: mp.Parser):
    corpus = mp.sample()
    labels = ["_"] * corpus.words
    labels[3], labels[10] = "never:seen", "obj"
    given = with_trees(corpus, [-1] * corpus.words, labels)
    parsed = parser.parse(given, keep_heads=True)
    assert (parsed.column("deprel")[3], parsed.column("deprel")[10]) == ("never:seen", "obj")


def test_the_more_heads_are_given_the_better_the_trees(parser: mp.Parser):
    gold = _planar()
    scores = [mp.evaluate(gold, parser.parse(blanked(gold, share), keep_heads=True)).uas for share in (0, 0.4, 0.8, 1)]
    assert scores == sorted(scores)
    assert scores[-1] == 100.0


def _planar() -> Corpus:
    return _joined([sentence for sentence in mp.sample() if sentence.graph.planarity() <= 2])


@pytest.mark.parametrize("name", ["planar", "arc-eager"])
@pytest.mark.parametrize("beam", [1, 4])
def test_heads_that_no_tree_of_the_system_has_are_refused(name: str, beam: int, parsers: dict[str, mp.Parser]):
    with pytest.raises(mp.ModelError) as error:
        parsers[name].parse(treebank([[0, 1], [3, 4, 0, 3]]), beam=beam, keep_heads=True)
    assert str(error.value) == (
        f"<text>:4: sentence 2: cannot keep all given heads: {name}.trees(no root, single root) "
        "found no tree that has them; change some, or write _"
    )


@pytest.mark.parametrize("beam", [1, 4])
def test_two_roots_are_refused_where_one_is_allowed(beam: int, parser: mp.Parser):
    with pytest.raises(mp.ModelError, match="cannot keep all given heads"):
        parser.parse(treebank([[0, 0, 1]]), beam=beam, keep_heads=True)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("block", [1, 1 << 20])
def test_a_file_with_heads_that_cannot_be_kept_is_refused_with_the_right_number(
    threads: int, block: int, parser: mp.Parser
):
    text = treebank([[0, 1], [2, 0], [0, 0]]).to_bytes()
    with pytest.raises(mp.ModelError, match=r"^<stream>:7: sentence 3: cannot keep all given heads"):
        parser.parse_stream(io.BytesIO(text), io.BytesIO(), keep_heads=True, threads=threads, block=block)


def test_systems_without_a_dynamic_oracle_refuse():
    parser = trained(mp.sample(), system="swap", epochs=1)
    with pytest.raises(mp.ModelError, match="swap has no dynamic oracle, so its parsers cannot keep heads"):
        parser.parse(mp.sample(), keep_heads=True)


def test_pseudo_projective_parsers_refuse():
    parser = trained(mp.sample(), system="arc-eager", pseudo_projective="head", epochs=1)
    with pytest.raises(mp.ModelError, match="a pseudo-projective model cannot keep heads"):
        parser.parse(mp.sample(), keep_heads=True)


def test_at_the_command_line(model: Path, tmp_path: Path, run: Run):
    path = tmp_path / "in.conllu"
    given = blanked(_planar(), 0.3)
    path.write_bytes(given.to_bytes())
    done = run("parse", "-m", model, path, "--keep-heads", "--threads", 2)
    assert done.code == 0
    assert done.raw == mp.load(model).parse(given, keep_heads=True).to_bytes()
