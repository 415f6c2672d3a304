"""Codecs change structures, mark the labels, and change them back, for whole treebanks at once."""

import numpy as np
import pytest

import multiplane as mp
from multiplane.graphs import measure_heads
from multiplane.graphs.codecs import CODECS, PLAIN, Codec, codec_of
from multiplane.graphs.projectivize import deprojectivize, projectivize

SAMPLE = mp.sample()
LENGTHS, HEADS = SAMPLE.lengths, SAMPLE.heads
DEPRELS = SAMPLE.column("deprel")
LIFTING = [codec for codec in CODECS.values() if codec.kind == "pseudo-projective"]


def decoded(codec: Codec, heads: np.ndarray, labels: list[str]) -> tuple[list[int], list[str]]:
    vocabulary = sorted(set(labels))
    decoder = codec.decoder(vocabulary)
    back, numbers = decoder.decode(LENGTHS, heads, np.array([vocabulary.index(label) for label in labels], np.int32))
    return back.tolist(), [decoder.names[number] for number in numbers]


def sentence_by_sentence(heads: list[int], labels: list[str], change) -> tuple[list[int], list[str]]:
    found: tuple[list[int], list[str]] = ([], [])
    for end, length in zip(np.cumsum(LENGTHS).tolist(), LENGTHS.tolist(), strict=True):
        for part, more in zip(found, change(heads[end - length : end], labels[end - length : end]), strict=True):
            part.extend(more)
    return found


@pytest.mark.parametrize("codec", LIFTING, ids=lambda codec: codec.name)
def test_a_treebank_is_changed_there_and_back_as_its_sentences_are(codec: Codec):
    heads, labels = codec.encode(LENGTHS, HEADS, DEPRELS)
    lifted = sentence_by_sentence(HEADS.tolist(), DEPRELS, lambda *tree: projectivize(*tree, codec.name))
    assert (heads.tolist(), labels) == lifted
    assert not measure_heads(LENGTHS, heads).nonprojective.any()
    lowered = sentence_by_sentence(*lifted, lambda *tree: deprojectivize(*tree, codec.name))
    assert decoded(codec, heads, labels) == lowered


@pytest.mark.parametrize("codec", CODECS.values(), ids=lambda codec: codec.name)
def test_distinct_labels_bring_every_tree_back(codec: Codec):
    distinct = [f"label-{number}" for number in range(len(DEPRELS))]
    heads, labels = decoded(codec, *codec.encode(LENGTHS, HEADS, distinct))
    assert labels == distinct
    if codec.name in ("plain", "head", "head+path"):
        assert heads == HEADS.tolist()


@pytest.mark.parametrize("codec", CODECS.values(), ids=lambda codec: codec.name)
def test_words_without_a_head_stay_without(codec: Codec):
    some = HEADS.copy()
    some[::7] = -1
    encoded = codec.encode(LENGTHS, some, DEPRELS)
    back, _ = decoded(codec, *encoded)
    assert set(np.flatnonzero(encoded[0] < 0)) == set(np.flatnonzero(np.array(back) < 0)) == set(range(0, len(some), 7))


def test_only_a_codec_that_moves_no_word_keeps_heads():
    assert [codec.name for codec in CODECS.values() if codec.keeps_heads] == ["plain"]


def test_names_are_those_that_models_store():
    assert codec_of(None) is PLAIN
    assert [codec_of(name).name for name in CODECS] == list(CODECS)
    with pytest.raises(mp.GraphError, match=r"unknown codec 'tail'; known codecs: plain, baseline, head"):
        codec_of("tail")
