"""Groups of words: each score is that of the words of the group, and nothing is lost or counted twice."""

from collections import Counter

import pytest

import multiplane as mp
from evaluation.corrupt import CORRUPTIONS, corrupted
from multiplane.evaluation import GROUPINGS, breakdown, evaluate
from multiplane.formats.reader import from_text

SAMPLE = mp.sample()
SYSTEM = from_text(corrupted(SAMPLE, *CORRUPTIONS[:4], seed=4))
RESEGMENTED = from_text(corrupted(SAMPLE, *CORRUPTIONS, seed=4))


def arc_length(word: int, head: int) -> str:
    length = abs(word - head)
    return "root" if head == 0 else str(length) if length < 3 else "3-6" if length < 7 else "7+"


def sentence_length(n: int) -> str:
    return next((f"{low}-{low + 9}" for low in range(1, 51, 10) if n <= low + 9), "51+")


@pytest.mark.parametrize("by", GROUPINGS)
@pytest.mark.parametrize("convention", ["ud", "conllx"])
@pytest.mark.parametrize("system", [SYSTEM, RESEGMENTED])
def test_groups_add_up(by: str, convention: str, system: mp.Corpus) -> None:
    if convention == "conllx" and system is RESEGMENTED:
        return
    *groups, total = breakdown(SAMPLE, system, by, convention=convention)
    assert total.name == "TOTAL"
    for kind in ("uas", "las"):
        for count in ("gold", "system", "correct", "found"):
            assert sum(getattr(getattr(group, kind), count) for group in groups) == getattr(getattr(total, kind), count)
    scores = evaluate(SAMPLE, system, convention=convention)
    las = scores["LAS-full" if by == "label" else "LAS"]
    assert (total.las.gold, total.las.system, total.las.correct) == (las.gold, las.system, las.correct)
    assert total.uas.f1 == pytest.approx(scores.uas)


@pytest.mark.parametrize("by", GROUPINGS)
def test_groups_hold_what_their_names_say(by: str) -> None:
    gold, system, correct = Counter[str](), Counter[str](), Counter[str]()
    for g, s in zip(SAMPLE, SYSTEM, strict=True):
        rows = zip(g.heads, g.deprels, g.upos, s.heads, s.deprels, strict=True)
        for word, (gold_head, gold_label, tag, head, label) in enumerate(rows, 1):
            names = {
                "label": (gold_label, label),
                "upos": (tag, tag),
                "length": (arc_length(word, gold_head), arc_length(word, head)),
                "sentence-length": 2 * (sentence_length(len(g)),),
            }[by]
            gold[names[0]] += 1
            system[names[1]] += 1
            same = gold_label == label or (by != "label" and gold_label.split(":")[0] == label.split(":")[0])
            correct[names[0]] += gold_head == head and same
    groups = breakdown(SAMPLE, SYSTEM, by)[:-1]
    assert {group.name for group in groups} == set(gold) | set(system)
    for group in groups:
        assert (group.las.gold, group.las.system) == (gold[group.name], system[group.name])
        assert group.las.correct == group.las.found == correct[group.name]


def test_the_order_is_by_frequency_or_by_length() -> None:
    labels = breakdown(SAMPLE, SYSTEM, "label")[:-1]
    assert [group.las.gold for group in labels] == sorted((group.las.gold for group in labels), reverse=True)
    assert labels[-1].las.gold == 0  # a label that only the system has
    assert [group.name for group in breakdown(SAMPLE, SYSTEM, "length")] == ["root", "1", "2", "3-6", "7+", "TOTAL"]


def test_an_unknown_grouping_is_refused() -> None:
    with pytest.raises(ValueError, match="by must be one of 'label', 'upos', 'length', 'sentence-length', not 'x'"):
        breakdown(SAMPLE, SYSTEM, "x")
