"""Parsers of enhanced graphs: what they learn, and that every graph they write is valid."""

from pathlib import Path

import pytest

import multiplane as mp
from multiplane.errors import ModelError, TrainingError
from multiplane.formats.treebank import joined
from small_parsers import SMALL_NETWORK, SURE

pytest.importorskip("torch")

SMALL = SMALL_NETWORK | {"task": "enhanced", "model": "neural"}


@pytest.fixture(scope="module")
def annotated() -> mp.Corpus:
    """The sentences of the sample that have enhanced graphs."""
    return joined([sentence for sentence in mp.sample() if any(deps != "_" for deps in sentence.deps)])


@pytest.fixture(scope="module")
def parser(annotated: mp.Corpus) -> mp.Parser:
    return mp.train(annotated, **SMALL, **SURE, epochs=80)


def test_trees_and_enhanced_graphs_are_learnt_by_heart(parser: mp.Parser, annotated: mp.Corpus) -> None:
    scores = mp.evaluate(annotated, parser.parse(annotated))
    assert scores.las > 97
    assert scores["ELAS"].f1 > 95


@pytest.mark.parametrize("epochs", [1, 3])
def test_every_word_is_reachable_from_the_root_even_with_a_bad_parser(annotated: mp.Corpus, epochs: int) -> None:
    parsed = mp.train(annotated, **SMALL, epochs=epochs).parse(mp.sample())
    for sentence in parsed:
        arcs = sentence.enhanced.arcs
        reached, todo = set(), [0]
        while todo:
            node = todo.pop()
            new = {arc[1] for arc in arcs if arc[0] == node} - reached
            reached |= new
            todo += new
        assert reached == set(range(1, sentence.enhanced.n + 1))
        assert all(arc[0] != arc[1] for arc in arcs)


def test_only_heads_labels_and_enhanced_graphs_change(parser: mp.Parser, annotated: mp.Corpus, tmp_path: Path) -> None:
    parser.save(tmp_path / "m")
    source, target = tmp_path / "in.conllu", tmp_path / "out.conllu"
    source.write_bytes(annotated.to_bytes())
    mp.load(tmp_path / "m").parse_stream(source, target, threads=2, block=500)
    parsed = mp.read_conllu(target)
    assert [s.comments for s in parsed] == [s.comments for s in annotated]
    for column in ("form", "lemma", "upos", "xpos", "feats", "misc"):
        assert parsed.column(column) == annotated.column(column)
    assert target.read_bytes() == parser.parse(annotated).to_bytes()


def test_what_cannot_be_done_is_refused_with_advice(parser: mp.Parser) -> None:
    with pytest.raises(ModelError, match=r"CoNLL-2009 has no columns for them; convert the file first"):
        parser.parse(mp.sample("conll09"))
    with pytest.raises(ModelError, match="predicts no predicates"):
        parser.parse(mp.sample(), keep_predicates=True)
    with pytest.raises(TrainingError, match="no enhanced dependencies"):
        mp.train(mp.Corpus.from_columns(forms=[["Go"]], heads=[[0]], deprels=[["root"]]), **SMALL)
    with pytest.raises(TrainingError, match="planarize applies only to semantic graphs"):
        mp.train(mp.sample(), **SMALL, planarize="head")
