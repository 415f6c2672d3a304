"""Codecs change structures, mark the labels, and change them back, for whole treebanks at once."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@pytest.mark.parametrize("codec", [PLAIN, *LIFTING], ids=lambda codec: codec.name)
def test_words_without_a_head_stay_without(codec: Codec):
    some = HEADS.copy()
    some[::7] = -1
    encoded = codec.encode(LENGTHS, some, DEPRELS)
    back, _ = decoded(codec, *encoded)
    assert set(np.flatnonzero(encoded[0] < 0)) == set(np.flatnonzero(np.array(back) < 0)) == set(range(0, len(some), 7))


def test_only_codecs_that_move_no_word_keep_heads():
    assert [codec.name for codec in CODECS.values() if codec.keeps_heads] == ["plain", "naive", "label", "label-strict"]


def test_names_are_those_that_models_store():
    assert codec_of(None) is PLAIN
    assert [codec_of(name).name for name in CODECS] == list(CODECS)
    with pytest.raises(mp.GraphError, match=r"unknown codec 'tail'; known codecs: plain, baseline, head"):
        codec_of("tail")


# Edges without direction.

UNDIRECTED = [codec for codec in CODECS.values() if codec.kind == "undirected"]
MARKED = [codec for codec in UNDIRECTED if codec.name != "naive"]


@st.composite
def forests(draw: st.DrawFn, most_roots: int = 9) -> tuple[list[int], list[str]]:
    """A tree with one root or several, and labels some of which look like marked ones."""
    n = draw(st.integers(1, 9))
    order = draw(st.permutations(range(1, n + 1)))
    roots = draw(st.integers(1, min(most_roots, n)))
    heads = [0] * (n + 1)
    for place, dependent in enumerate(order[roots:], roots):
        heads[dependent] = order[draw(st.integers(0, place - 1))]
    labels = draw(st.lists(st.sampled_from(["a", "b", "a_l", "b_r", "_", "_l", ""]), min_size=n, max_size=n))
    return heads[1:], labels


def turned(heads: list[int], labels: list[str], top: int) -> tuple[list[int], list[str]]:
    """A tree with one root, with all arcs away from another word; labels stay on their edges."""
    heads, labels = heads.copy(), labels.copy()
    path = [top]
    while heads[path[-1] - 1]:
        path.append(heads[path[-1] - 1])
    root_label = labels[path[-1] - 1]
    for below, above in reversed(list(pairwise(path))):
        heads[above - 1], labels[above - 1] = below, labels[below - 1]
    heads[top - 1], labels[top - 1] = 0, root_label
    return heads, labels


def undirected_round_trip(
    codec: Codec, heads: list[int], labels: list[str], top: int | None = None
) -> tuple[list[int], list[str]]:
    lengths = np.array([len(heads)])
    same, marked = codec.encode(lengths, np.array(heads, np.int32), labels)
    assert same.tolist() == heads
    vocabulary = sorted(set(marked))
    decoder = codec.decoder(vocabulary, has_root=top is None)
    if top is not None:
        heads, marked = turned(heads, marked, top)
    numbers = np.array([vocabulary.index(label) for label in marked], np.int32)
    back, names = decoder.decode(lengths, np.array(heads, np.int32), numbers)
    assert [decoder.names[place] for place in decoder.plain[numbers]] == [
        label if codec.name == "naive" else label[:-2] for label in marked
    ]
    return back.tolist(), [decoder.names[name] for name in names.tolist()]


@pytest.mark.parametrize("codec", UNDIRECTED, ids=lambda codec: codec.name)
@given(tree=forests())
def test_edges_away_from_the_root_become_the_tree_again(codec: Codec, tree: tuple[list[int], list[str]]):
    assert undirected_round_trip(codec, *tree) == tree


@pytest.mark.parametrize("codec", MARKED, ids=lambda codec: codec.name)
@given(tree=forests(most_roots=1), data=st.data())
def test_edges_away_from_any_word_become_the_tree_again(
    codec: Codec, tree: tuple[list[int], list[str]], data: st.DataObject
):
    top = data.draw(st.integers(1, len(tree[0])))
    assert undirected_round_trip(codec, *tree, top) == tree


@pytest.mark.parametrize("codec", UNDIRECTED, ids=lambda codec: codec.name)
@given(tree=forests(most_roots=1), other=st.integers(1, 9), data=st.data())
def test_fixed_heads_come_before_marks_and_links_to_the_root(
    codec: Codec, tree: tuple[list[int], list[str]], other: int, data: st.DataObject
):
    heads, labels = tree
    top = min(other, len(heads))
    fixed = np.array([head if data.draw(st.booleans()) else -1 for head in turned(heads, labels, top)[0]], np.int32)
    vocabulary = sorted(set(codec.encode(np.array([len(heads)]), np.array(heads, np.int32), labels)[1]))
    numbers = np.zeros(len(heads), np.int32)
    decoder = codec.decoder(vocabulary)
    found, _ = decoder.decode(np.array([len(heads)]), np.array(heads, np.int32), numbers, fixed)
    assert (found[fixed >= 0] == fixed[fixed >= 0]).all()
    assert mp.DependencyGraph.from_heads(found.tolist()).is_tree()


def test_a_strict_root_is_one_that_an_edge_names():
    lengths, heads = np.array([2]), np.array([0, 1], np.int32)
    vocabulary = ["det_l", "root_r"]
    labels = np.array([1, 0], np.int32)
    for has_root, expected in ((True, [0, 1]), (False, [2, 0])):
        found, _ = codec_of("label-strict").decoder(vocabulary, has_root=has_root).decode(lengths, heads, labels)
        assert found.tolist() == expected
