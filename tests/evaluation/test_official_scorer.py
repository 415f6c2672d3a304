"""The scores of the CoNLL 2018 shared task are those of its scorer, `udeval`, number by number."""

import io
from random import Random
from typing import Any

import pytest
from udtools import udeval

import multiplane as mp
from evaluation.corrupt import CORRUPTIONS, corrupted, random_text
from multiplane.evaluation import evaluate
from multiplane.formats.reader import from_text

NAMES = ["Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"]
NAMES += ["UAS", "LAS", "CLAS", "MLAS", "BLEX"]
SAMPLE = mp.sample()


def official(gold: str, system: str) -> dict[str, Any]:
    kind = {"multiple_roots_okay": True}
    return udeval.evaluate(*(udeval.load_conllu(io.StringIO(text), "file", kind) for text in (gold, system)))


def assert_same(gold: str, system: str) -> None:
    theirs, ours = official(gold, system), evaluate(from_text(gold), from_text(system))
    for name in NAMES:
        one, two = theirs[name], ours[name]
        assert (one.correct, one.gold_total, one.system_total, one.aligned_total) == (
            two.correct,
            two.gold,
            two.system,
            two.aligned,
        ), name
        assert (100 * one.precision, 100 * one.recall, 100 * one.f1) == (two.precision, two.recall, two.f1), name
        accuracy = one.aligned_accuracy
        assert two.aligned_accuracy == (None if accuracy is None else 100 * accuracy), name


def test_a_treebank_scores_100_against_itself() -> None:
    text = SAMPLE.to_bytes().decode()
    assert_same(text, text)
    scores = evaluate(SAMPLE, SAMPLE)
    assert {score.f1 for score in scores.table.values()} == {100.0}


@pytest.mark.parametrize("corruption", CORRUPTIONS, ids=lambda corruption: corruption.__name__)
def test_one_kind_of_error(corruption) -> None:
    gold = SAMPLE.to_bytes().decode()
    for seed in range(4):
        system = corrupted(SAMPLE, corruption, seed=seed)
        assert_same(gold, system)
        assert_same(system, gold)


@pytest.mark.parametrize("seed", range(16))
def test_many_kinds_of_errors_on_both_sides(seed: int) -> None:
    random = Random(seed)
    gold, system = (
        corrupted(SAMPLE, *random.choices(CORRUPTIONS, k=random.randint(1, 25)), seed=seed + side) for side in (0, 1000)
    )
    assert_same(gold, system)


@pytest.mark.parametrize("seed", range(8))
def test_random_segmentations_of_a_text_of_two_letters(seed: int) -> None:
    # Forms recur all the time, so that every rule for words within multiword tokens, and every tie, is put to use.
    random = Random(seed)
    for _ in range(100):
        characters = "".join(random.choices("aabAB", k=random.randint(1, 40)))
        assert_same(random_text(characters, random), random_text(characters, random))


def test_several_roots() -> None:
    row = "{}\t{}\t_\tX\t_\t_\t{}\t{}\t_\t_\n".format
    gold = row(1, "a", 0, "root") + row(2, "b", 0, "root") + row(3, "c", 2, "obj") + "\n"
    system = row(1, "a", 0, "root") + row(2, "b", 1, "obj") + row(3, "c", 0, "root") + "\n"
    assert_same(gold, system)


def test_the_file_of_a_windows_editor_with_a_range_in_its_first_line() -> None:
    gold = (
        "1-2\tdel\t"
        + "\t".join("_" * 8)
        + "\n"
        + "".join(f"{i}\t{form}\t_\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i, form in enumerate(["de", "el", "mar"], 1))
    )
    system = gold.replace("1-2\tdel", "1-2\tde l").replace("\tde\t", "\tD\t")
    theirs = official(gold + "\n", system + "\n")
    ours = evaluate(from_text(gold), from_text(b"\xef\xbb\xbf" + system.replace("\n", "\r\n").encode()))
    assert theirs["Words"].correct == ours["Words"].correct == 2
    assert theirs["Tokens"].correct == ours["Tokens"].correct == 2
    assert theirs["UAS"].correct == ours["UAS"].correct
