"""Paths become empty nodes again: the collapsed graph stays, and so does every byte outside DEPS."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multiplane.errors import GraphError
from multiplane.formats import LayerArcs, read, with_enhanced
from multiplane.formats.empty_nodes import expanded, rewritten_enhanced_layer, with_enhanced_layer
from multiplane.formats.reader import from_text

from .test_layers import ELLIPSIS, node
from .test_rewrite_layers import arcs_of

Arcs = list[tuple[int, int, str]]


def sentence(words: int, end: str = "\n") -> str:
    rows = (f"{word}\tw\t_\t_\t_\t_\t{word - 1}\tdep\t_\tX={word}" for word in range(1, words + 1))
    return "".join(row + end for row in rows) + end


def is_path(arc: tuple[int, int, str]) -> bool:
    return ">" in arc[2]


labels = st.lists(st.sampled_from(["a", "b", "conj:and"]), min_size=1, max_size=3).map(">".join)
"""Only paths may lead from a word to itself."""
arcs_between = st.tuples(st.integers(0, 4), st.integers(1, 4), labels).filter(
    lambda arc: arc[0] != arc[1] or is_path(arc)
)
graphs = st.lists(st.lists(arcs_between, max_size=8, unique=True), min_size=1, max_size=3)


@given(graphs)
def test_what_is_written_collapses_into_the_same_graph(sentences: list[Arcs]) -> None:
    corpus = from_text(sentence(4) * len(sentences))
    new = with_enhanced_layer(corpus, arcs_of(*sentences))
    assert [set(new.enhanced_arcs.of(number)) for number in range(len(new))] == [set(arcs) for arcs in sentences]
    assert not any(">" in deps for deps in new.column("deps"))
    stripped = with_enhanced(new, arcs_of(*[[] for _ in sentences])).to_bytes().decode()
    words = [line for line in stripped.split("\n") if "." not in line.partition("\t")[0]]
    assert "\n".join(words) == corpus.to_bytes().decode()


def test_paths_with_the_same_ends_share_an_empty_node() -> None:
    corpus = from_text("".join(node(*line) for line in ELLIPSIS) + "\n")
    assert expanded(corpus.enhanced_arcs.of(0)).empty == {
        (3, 1): [((0, 0), "root"), ((2, 0), "conj:and")],
        (3, 2): [((3, 1), "xcomp")],
    }
    new = with_enhanced_layer(corpus, corpus.enhanced_arcs)
    assert new[0].enhanced.ids == ("1", "2", "3", "3.1", "3.2")
    assert set(new.enhanced_arcs.of(0)) == set(corpus.enhanced_arcs.of(0))


def test_gapping_has_its_verb_after_the_second_subject() -> None:
    # Ann ate rice and Bo beans
    arcs = [(0, 2, "root"), (2, 1, "nsubj"), (2, 3, "obj"), (2, 4, "conj:and>cc")]
    arcs += [(2, 5, "conj:and>nsubj"), (2, 6, "conj:and>obj")]
    words, empty = expanded(arcs)
    assert empty == {(4, 1): [((2, 0), "conj:and")]}
    assert [words[word] for word in (4, 5, 6)] == [[((4, 1), "cc")], [((4, 1), "nsubj")], [((4, 1), "obj")]]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [0, 1, 2])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_comments_ranges_line_ends_and_other_sentences_stay(end: str, last: int, mark: str) -> None:
    rows = ["# one > two", "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_", "1\ta\t_\t_\t_\t_\t0\troot\t_\t_"]
    rows += ["2\tb\t_\t_\t_\t_\t1\tdep\t_\tA=1", ""]
    old = ["1.1\tx\tx\tX\t_\t_\t_\t_\t1:conj\tB=2"]
    before = mark + sentence(2, end)
    text = before + end.join([*rows[:3], *old, *rows[3:], ""])
    corpus = from_text(text[: len(text) - last * len(end)])
    arcs = arcs_of([(0, 1, "root"), (1, 2, "dep")], [(0, 1, "root"), (1, 2, "conj>orphan")])
    fields = [row.split("\t") for row in rows]
    fields[2][8], fields[3][8] = "0:root", "2.1:orphan"
    new = [*("\t".join(row) for row in fields[:4]), "2.1\t_\t_\t_\t_\t_\t_\t_\t1:conj\t_", ""]
    expected = before.replace("0\tdep\t_", "0\tdep\t0:root").replace("1\tdep\t_", "1\tdep\t1:dep")
    expected += end.join([*new, ""])
    assert rewritten_enhanced_layer(corpus, arcs) == expected[: len(expected) - last * len(end)].encode()


def test_broken_sentences_are_left_out() -> None:
    text = sentence(2) + "1\tbad\n\n" + sentence(2)
    corpus = read(io.BytesIO(text.encode()), on_error="skip")
    arcs = arcs_of([(0, 1, "root"), (1, 2, "a>b")], [(0, 1, "root"), (1, 2, "a>b")])
    new = rewritten_enhanced_layer(corpus, arcs).decode()
    assert new.count("2.1\t") == 2
    assert "bad" not in new


def test_arcs_that_do_not_fit_are_refused() -> None:
    with pytest.raises(GraphError, match="outside the sentence"):
        rewritten_enhanced_layer(from_text(sentence(1)), arcs_of([(3, 1, "a>b")]))
    none = LayerArcs(np.zeros(2, np.int64), *(np.zeros(0, np.int32),) * 3, ())
    assert rewritten_enhanced_layer(from_text(sentence(1)), none) == sentence(1).encode()
