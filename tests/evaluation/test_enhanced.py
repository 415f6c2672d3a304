"""ELAS and EULAS are those of `udeval`, number by number, with empty nodes left out and with empty nodes collapsed."""

import io
import lzma
from pathlib import Path
from random import Random
from typing import Any

import pytest
from udtools import udeval

import multiplane as mp
from evaluation.corrupt import CORRUPTIONS, corrupted, merge_tokens, random_text, wrong_heads
from evaluation.enhanced_texts import collapsed, joined, sentences_of, with_graphs
from multiplane.evaluation import Score, evaluate
from multiplane.formats.reader import from_text

SAMPLE = mp.sample()
DEV = Path(__file__).parents[2] / "../shared/data/ud/en_ewt/dev.conllu.xz"


def official(gold: str, system: str, **kind: bool) -> dict[str, Any]:
    options = {"multiple_roots_okay": True, **kind}
    return udeval.evaluate(*(udeval.load_conllu(io.StringIO(text), "file", options) for text in (gold, system)))


def assert_same(gold: str, system: str) -> None:
    ours = evaluate(from_text(gold), from_text(system))
    for suffix, theirs in (
        ("", official(gold, system)),
        ("-collapsed", official(collapsed(gold), collapsed(system), no_empty_nodes=True)),
    ):
        for name in ("ELAS", "EULAS"):
            one, two = theirs[name], ours[name + suffix]
            assert (one.gold_total, one.system_total, one.correct) == (two.gold, two.system, two.correct), name + suffix
            assert (100 * one.precision, 100 * one.recall, 100 * one.f1) == (two.precision, two.recall, two.f1)


@pytest.mark.parametrize("corruption", CORRUPTIONS, ids=lambda corruption: corruption.__name__)
def test_one_kind_of_error(corruption: Any) -> None:
    gold = with_graphs(corrupted(SAMPLE), Random(0))
    system = with_graphs(corrupted(SAMPLE, corruption), Random(0))
    assert_same(gold, system)
    assert_same(system, gold)


@pytest.mark.parametrize("seed", range(12))
def test_many_kinds_of_errors_on_both_sides(seed: int) -> None:
    random = Random(seed)
    gold, system = (
        with_graphs(corrupted(SAMPLE, *random.choices(CORRUPTIONS, k=random.randint(1, 12)), seed=seed + side), random)
        for side in (0, 1000)
    )
    assert_same(gold, system)


@pytest.mark.parametrize("seed", range(6))
def test_random_segmentations_of_a_text_of_two_letters(seed: int) -> None:
    random = Random(seed)
    for _ in range(40):
        characters = "".join(random.choices("aabAB", k=random.randint(4, 40)))
        gold, system = (with_graphs(random_text(characters, random), random) for _ in range(2))
        if gold.count("_\t_\n") == gold.count("\n"):
            continue  # no enhanced graph at all
        assert_same(gold, system)


def test_the_texts_have_empty_nodes_paths_and_arcs_that_differ_only_in_subtypes() -> None:
    text = with_graphs(corrupted(SAMPLE, wrong_heads, merge_tokens), Random(1))
    assert "\n1.1\t" in text
    assert "\n0.1\t" in text
    assert text.count(">") == 0 < collapsed(text).count(">")
    scores = evaluate(from_text(text), from_text(text))
    assert scores["ELAS"].f1 == 100.0
    assert scores["EULAS"].correct > scores["EULAS"].gold  # as `udeval` counts such arcs


def test_a_graph_counted_by_hand() -> None:
    row = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t{}\t_\n".format
    gold = row(1, "a", 2, "2:nsubj|3.1:nsubj:xsubj") + row(2, "b", 0, "0:root") + row(3, "c", 2, "2:conj:and")
    gold += "3.1\tb\t_\tX\t_\t_\t_\t_\t2:conj:and\t_\n\n"
    system = row(1, "a", 2, "2:nsubj|2:conj>nsubj") + row(2, "b", 0, "0:root") + row(3, "c", 2, "2:conj|1:obj") + "\n"
    scores = evaluate(from_text(gold), from_text(system))
    assert scores["ELAS"] == Score(3, 5, 2)
    assert scores["EULAS"] == Score(3, 5, 3)
    assert scores["ELAS-collapsed"] == Score(4, 5, 2)
    assert scores["EULAS-collapsed"] == Score(4, 5, 4)
    assert (scores.elas, scores.eulas) == (50.0, 75.0)
    assert scores.elas_collapsed == pytest.approx(400 / 9)
    assert scores.eulas_collapsed == pytest.approx(800 / 9)


def test_the_layer_is_scored_if_both_sides_have_it() -> None:
    plain = corrupted(SAMPLE)
    graphs = with_graphs(plain, Random(1))
    assert "ELAS" not in evaluate(from_text(graphs), from_text(plain)).table
    assert "ELAS" not in evaluate(from_text(plain), from_text(graphs)).table
    assert "ELAS" not in evaluate(from_text(graphs), from_text(graphs), layer="syntax").table
    alone = evaluate(from_text(graphs), from_text(graphs), layer="enhanced")
    assert alone.elas == 100.0
    assert "LAS" not in alone.table
    assert evaluate(from_text(graphs), from_text(plain), layer="enhanced").elas == 0.0
    with pytest.raises(mp.MultiplaneError, match="no enhanced dependencies to score"):
        evaluate(from_text(plain), from_text(graphs), layer="enhanced")
    with pytest.raises(mp.MultiplaneError, match="CoNLL-U has no predicates"):
        evaluate(SAMPLE, SAMPLE, layer="semantics")


def test_a_mistake_in_deps_has_a_place() -> None:
    text = SAMPLE.to_bytes()
    wrong = text.replace(b"0:root", b"0root", 1)
    with pytest.raises(mp.FormatError, match="DEPS"):
        evaluate(SAMPLE, from_text(wrong))
    assert evaluate(SAMPLE, from_text(wrong), layer="syntax").las == 100.0


@pytest.mark.skipif(not DEV.exists(), reason="no treebank")
def test_a_whole_treebank() -> None:
    with lzma.open(DEV, "rt", encoding="utf-8") as file:
        gold = "".join(line for line in file if not line.startswith("#"))
    random = Random(1)
    sentences = sentences_of(gold)
    for rows in sentences:
        for row in rows:
            if row[0].isdigit() and row[8] != "_" and random.random() < 0.2:
                arcs = dict.fromkeys(row[8].split("|"))
                arcs[f"{row[6]}:{random.choice(['obl', 'nsubj', row[7]])}"] = None
                row[8] = "|".join(list(arcs)[-2:])
    assert_same(gold, joined(sentences))
