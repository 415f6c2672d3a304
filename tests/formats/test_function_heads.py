"""The conversion of the replication's ablation: from content heads to function heads and back."""

import sys
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import multiplane as mp

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "replication"))

from function_heads import (
    COMPLEMENT,
    ORDER,
    Tree,
    content_heads,
    function_heads,
    to_content_heads,
    to_function_heads,
)

LABELS = (*ORDER, "aux:pass", "nsubj", "obj", "fixed", "conj", "punct")


def tree(*words: tuple[int, str]) -> Tree:
    return Tree([-1, *(head for head, _ in words)], ["", *(label for _, label in words)])


@st.composite
def trees(draw: st.DrawFn, names: tuple[str, ...] = LABELS) -> Tree:
    n = draw(st.integers(1, 9))
    order = draw(st.permutations(range(1, n + 1)))
    heads, labels = [-1] * (n + 1), [""] * (n + 1)
    for place, word in enumerate(order):
        heads[word] = order[draw(st.integers(0, place - 1))] if place else 0
        labels[word] = draw(st.sampled_from(names)) if place else "root"
    return Tree(heads, labels)


def test_a_phrase_becomes_a_chain_from_the_inside_out():
    # of the dog that had slept: both phrases, one in the other
    before = tree((3, "case"), (3, "det"), (0, "root"), (6, "mark"), (6, "aux"), (3, "acl"))
    after, count = function_heads(before)
    assert count == 4
    assert after.heads == [-1, 0, 1, 2, 3, 4, 5]
    assert after.labels[1:] == ["root", "comp:case", "comp:det", "acl", "comp:mark", "comp:aux"]
    assert content_heads(after) == before


def test_function_words_on_both_sides():
    before = tree((2, "det"), (4, "obl"), (2, "case"), (0, "root"))  # the house behind stands
    after, count = function_heads(before)
    assert (after.heads, count) == ([-1, 3, 1, 4, 0], 2)
    assert content_heads(after) == before


def test_a_function_word_with_a_phrase_of_its_own_stays():
    before = tree((2, "advmod"), (3, "det"), (0, "root"))  # almost every dog
    assert function_heads(before) == (before, 0)


def test_the_parts_of_a_function_word_stay_with_it():
    before = tree((3, "case"), (1, "fixed"), (0, "root"))  # because of rain
    after, _ = function_heads(before)
    assert after.heads == [-1, 0, 1, 1]
    assert content_heads(after) == before


def test_a_complement_of_nothing_is_left_alone():
    wrong = tree((0, COMPLEMENT + "aux"), (1, "punct"))
    assert content_heads(wrong) == wrong


@given(trees(), trees((*LABELS, "comp:aux", "comp:case")))
def test_both_directions_give_trees(before: Tree, output: Tree):
    """Also for the output of a parser, which may have complements anywhere."""
    after, _ = function_heads(before)
    for found in (after, content_heads(after), content_heads(output)):
        assert all(leads_to_the_root(found, word) for word in range(1, len(found.heads)))


def leads_to_the_root(found: Tree, word: int) -> bool:
    for _ in found.heads:
        if word == 0:
            return True
        word = found.heads[word]
    return False


@given(trees())
def test_one_function_word_survives_the_round_trip(before: Tree):
    """With several, only `to_function_heads` promises it, because it looks."""
    found = [word for word in range(1, len(before.heads)) if before.labels[word].partition(":")[0] in ORDER]
    for word in found[1:]:
        before.labels[word] = "dep"
    assert content_heads(function_heads(before)[0]) == before


def test_a_treebank_survives_the_round_trip():
    corpus = mp.sample()
    found = to_function_heads(corpus)
    assert found.reversed > 0.9 * found.function_words > 50
    assert found.unchanged < 3
    assert (found.corpus.heads != corpus.heads).any()
    assert to_content_heads(found.corpus).to_bytes() == corpus.to_bytes()


@given(st.lists(trees(), min_size=1, max_size=5))
def test_any_treebank_survives_the_round_trip(several: list[Tree]):
    corpus = mp.Corpus.from_columns(
        forms=[["x"] * (len(one.heads) - 1) for one in several],
        heads=[one.heads[1:] for one in several],
        deprels=[one.labels[1:] for one in several],
    )
    back = to_content_heads(to_function_heads(corpus).corpus)
    assert np.array_equal(back.heads, corpus.heads)
    assert back.column("deprel") == corpus.column("deprel")
