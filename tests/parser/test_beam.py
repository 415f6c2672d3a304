"""Beam search: states that follow each other are like copies, and a long sentence takes no more time a word."""

import random
import time
from dataclasses import replace

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.models import LinearModel
from small_parsers import trained


def long_sentence(words: int, seed: int = 1) -> Corpus:
    """Words of the sample, a few in a row, as one sentence without a tree."""
    lines = [line.split("\t")[1:6] for each in mp.sample() for line in each.lines if line.split("\t")[0].isdigit()]
    starts = random.Random(seed).choices(range(len(lines) - 10), k=words // 10 + 1)
    rows = [row for start in starts for row in lines[start : start + 10]][:words]
    return from_text("".join("\t".join([str(i), *row, *"____"]) + "\n" for i, row in enumerate(rows, 1)))


def derivation(model: LinearModel, corpus: Corpus, beam: int, copies: bool) -> list[list[tuple[int, int, int]]]:
    columns = model._columns(corpus.dialect)
    return model._native_parser().derivations(corpus._text, corpus._index, columns, beam, copies=copies)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("2-planar", 900),
        ("2-planar-eager", 900),
        ("3-planar-eager", 700),
        ("arc-eager", 900),
        ("arc-hybrid", 900),
        ("arc-standard", 900),
        ("arc-hybrid-swap", 700),
        ("attardi", 700),
        ("covington", 400),
        ("easy-first", 260),
        ("planar", 900),
        ("swap", 700),
        ("undirected-planar", 900),
        ("undirected-2-planar", 700),
        ("undirected-covington", 400),
    ],
)
def test_states_that_follow_each_other_give_the_derivation_that_copies_give(name: str, words: int):
    check_that_following_is_like_copying(name, words)


@pytest.mark.parametrize(
    ("name", "root", "method"),
    [
        ("undirected-2-planar-eager", "right", "label"),
        ("undirected-planar", "left", "label-strict"),
        ("undirected-2-planar", "right", "naive"),
    ],
)
def test_states_follow_like_copies_whichever_way_edges_turn(name: str, root: str, method: str):
    check_that_following_is_like_copying(name, 400, root=root, reconstruction=method)


def check_that_following_is_like_copying(name: str, words: int, **settings: str) -> None:
    model = trained(mp.sample(), system=name, epochs=1, **settings).model
    values = np.random.default_rng(5).integers(-900, 900, model.weights.weights.shape).astype(np.int16)
    at_random = replace(model, weights=model.weights._replace(weights=values))
    for seed, beam in enumerate((2, 7, 16) if name == "easy-first" else (2, 7, 16, 64)):
        corpus = long_sentence(words, seed)
        for each in (model, at_random):
            assert derivation(each, corpus, beam, copies=False) == derivation(each, corpus, beam, copies=True)


@pytest.mark.measures
def test_a_word_of_a_long_sentence_takes_as_long_as_one_of_a_short_sentence():
    parser = mp.train(mp.sample(), beam=16, epochs=3)

    def seconds(words: int) -> float:
        corpus = long_sentence(words)
        start = time.process_time()
        parser.parse(corpus, beam=16)
        return time.process_time() - start

    short = min(seconds(1_000) for _ in range(5))
    assert min(seconds(20_000) for _ in range(2)) < 25 * short
