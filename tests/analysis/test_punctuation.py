"""Analysis without punctuation."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import multiplane as mp
from multiplane.analysis import coverage, witnesses
from multiplane.formats.punctuation import punctuation_of
from multiplane.graphs.removal import without_words

Run = Callable[..., Any]
DUTCH = Path(__file__).resolve().parents[3] / "shared" / "data" / "ud" / "nl_lassysmall-r1.4" / "dev.conllu.xz"


@st.composite
def trees(draw: Callable[..., Any]) -> tuple[list[int], list[bool]]:
    """Heads of a tree in any order of words, and which words to remove."""
    n = draw(st.integers(1, 8))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for place, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:place]]))
    return heads, draw(st.lists(st.booleans(), min_size=n, max_size=n))


def removed_one_by_one(heads: list[int], removed: list[bool]) -> list[int]:
    left = dict(enumerate(heads, 1))
    for word, gone in enumerate(removed, 1):
        if gone:
            head = left.pop(word)
            left = {other: head if above == word else above for other, above in left.items()}
    number = {0: 0} | {word: place for place, word in enumerate(left, 1)}
    return [number[head] for head in left.values()]


@given(st.lists(trees(), min_size=1, max_size=3))
def test_removing_words_at_once_is_removing_them_one_by_one(found: list[tuple[list[int], list[bool]]]):
    lengths = np.array([len(heads) for heads, _ in found])
    heads = np.array([head for heads, _ in found for head in heads], np.int32)
    removed = np.array([gone for _, flags in found for gone in flags])
    left, new = without_words(lengths, heads, removed)
    expected = [removed_one_by_one(*each) for each in found]
    assert left.tolist() == list(map(len, expected))
    assert new.tolist() == [head for each in expected for head in each]


def test_punctuation_is_recognized_as_evaluation_does():
    words = {"forms": [["Go", ".", "$"]], "heads": [[0, 1, 1]]}
    tagged = mp.Corpus.from_columns(**words, upos=[["VERB", "X", "PUNCT"]])
    assert punctuation_of(tagged).tolist() == [False, False, True]
    other = mp.Corpus.from_columns(**words, format="conllx")
    assert punctuation_of(other).tolist() == [False, True, False]


def test_sentences_of_punctuation_are_left_out():
    corpus = mp.Corpus.from_columns(forms=[["Go"], ["!"]], heads=[[0], [0]], upos=[["VERB"], ["PUNCT"]])
    found = coverage([corpus], punctuation=False)
    assert (found.structures, found.tokens) == (1, 1)


def test_certificates_are_those_of_the_trees_that_are_left(sample: Path, run: Run):
    rows = [[each.sent_id, each.certificate] for each in witnesses([mp.sample()], "not-planar", punctuation=False)]
    assert len(rows) == coverage([mp.sample()], punctuation=False).nonplanar == 21
    assert not any("punct" in certificate for _, certificate in rows)
    listed = json.loads(run("analyze", sample, "--no-punct", "--list", "not-planar", "--format", "json").out)
    assert [[row["sent_id"], row["certificate"]] for row in listed] == rows
    (row,) = json.loads(run("analyze", sample, "--no-punct", "--format", "json").out)
    assert (row["nonplanar"], row["tokens"]) == (21, 616)


def test_only_trees_can_be_analysed_without_punctuation(sample: Path, run: Run):
    done = run("analyze", sample, "--no-punct", "--layer", "enhanced")
    assert (done.code, "--no-punct is for trees; drop --layer enhanced" in done.err) == (2, True)


@pytest.mark.skipif(not DUTCH.is_file(), reason="needs ../shared/data")
def test_most_crossings_of_dutch_are_punctuation():
    corpus = mp.read(DUTCH)
    assert (coverage([corpus]).nonplanar, coverage([corpus], punctuation=False).nonplanar) == (110, 19)
