import re
from textwrap import dedent

import pytest
from drawings import GRAPH, HEARING, drawings
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from multiplane.visual import Drawing, text

GOLDEN = {
    "a 2-planar sentence": (
        HEARING,
        """\
            ┌─► 1 A          DET   2 det
          ┌─┴─► 2 hearing    NOUN  4 nsubj:pass ──┐
          │ ┌─► 3 is         AUX   4 aux:pass     │
        ┌─┴─┴── 4 scheduled  VERB  0 root         │
        │ ┌───► 5 on         ADP   7 case         │
        │ │ ┌─► 6 the        DET   7 det          │
        │ └─┴── 7 issue      NOUN  2 nmod       ◄─┘
        └─────► 8 today      NOUN  4 obl:tmod
        """,
    ),
    "a graph with several heads": (
        GRAPH,
        """\
        a graph
            ┌── 1 alpha    0 top, 0 root
        ┌───┼─► 2 beta     0 root, 5 three ──┬─┐
        │ ┌─┴─► 3 gamma    1 one             │ │
        │ │     4 delta    2 two, 2 again  ◄─┴─┘
        └─┴───► 5 epsilon  3 one
        """,
    ),
    "three planes": (
        Drawing(
            words=("dat", "Jan", "Piet", "Marie", "zag", "helpen", "schrijven"),
            planes=(
                ((5, 1, "mark"), (5, 2, "nsubj"), (5, 6, "xcomp"), (6, 7, "xcomp")),
                ((6, 3, "obj"),),
                ((7, 4, "obj"),),
            ),
            roots=((5, "root"),),
        ),
        """\
          ┌───► 1 dat        5 mark
          │ ┌─► 2 Jan        5 nsubj
          │ │   3 Piet       6 obj   ◄─┐
        ┌─┼─┼─► 4 Marie      7 obj     │
        │ └─╋── 5 zag        0 root    │
        │ ┌─┴─► 6 helpen     5 xcomp ──┘
        └─┴───► 7 schrijven  6 xcomp
        """,
    ),
    "lines that meet and wide characters": (
        Drawing(
            words=("日本", "要", "e\u0301te\u0301", "nowhere", "."),
            tags=("N", "V", "", "", ""),
            planes=(((2, 1, "nsubj"), (2, 3, "obj"), (3, 4, "acl"), (1, 3, "ref"), (2, 5, "punct")),),
            roots=((2, "root"),),
        ),
        """\
          ┌───┬─► 1 日本     N  2 nsubj
        ┌─┼───╋── 2 要       V  0 root
        │ └─┬─┴─► 3 été         1 ref, 2 obj
        │   └───► 4 nowhere     3 acl
        └───────► 5 .           2 punct
        """,
    ),
}


def names() -> st.SearchStrategy[str]:
    return st.text(alphabet="abcdefgh日é", min_size=1, max_size=6)


@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name):
    drawing, expected = GOLDEN[name]
    assert text(drawing) == dedent(expected)


@given(drawings(names()))
def test_every_arc_is_named_once_beside_its_dependent(drawing):
    lines = text(Drawing(drawing.words, (), drawing.planes, drawing.roots)).splitlines()
    named = []
    for number, line in enumerate(lines, 1):
        found = re.search(rf"(?<!\d){number} +{re.escape(drawing.words[number - 1])} *(.*)", line)
        named += [
            (int(head), number, label) for head, label in re.findall(r"(\d+) ([^\W\d_]+)", found[1].strip(" ◄─│┐┘"))
        ]
    arcs = [(head, dependent, label) for _, head, dependent, label in drawing.arcs]
    assert sorted(named) == sorted(arcs + [(0, word, label) for word, label in drawing.roots])


@given(drawings())
def test_any_text_gives_one_line_for_each_word_and_no_control_characters(drawing):
    lines = text(drawing).split("\n")
    assert len(lines) == len(drawing.words) + bool(drawing.title) + 1
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029]", "".join(lines))


@given(drawings())
def test_colour_changes_nothing_but_colour(drawing):
    plain = [line.rstrip() for line in text(drawing).split("\n")]
    coloured = [re.sub(r"\x1b\[\d+m", "", line).rstrip() for line in text(drawing, colour=True).split("\n")]
    assert plain == coloured


def follow(lines: list[str], row: int, column: int) -> tuple[int, int]:
    """Follow the vertical line that starts downwards in a cell; give the row where it ends and its column."""
    while True:
        row += 1
        if lines[row][column] in "└┴├╋":
            return row, column
        assert lines[row][column] in "│┼"


@given(drawings(names()))
def test_the_lines_on_the_left_join_the_words_of_odd_planes(drawing):
    """Read the picture back: every vertical line joins exactly the two words of one arc."""
    words = ("w",) * len(drawing.words)
    lines = [line.split("w")[0] for line in text(Drawing(words, (), drawing.planes)).splitlines()]
    read = [
        (row + 1, follow(lines, row, column)[0] + 1)
        for row, line in enumerate(lines)
        for column, cell in enumerate(line)
        if cell in "┌┬├╋"
    ]
    assert sorted(read) == sorted((min(h, d), max(h, d)) for plane, h, d, _ in drawing.arcs if plane % 2 == 0)


def test_a_chain_does_not_look_like_two_dependents_of_one_head():
    lines = text(Drawing(("a", "b", "c", "d"), planes=(((1, 2, ""), (2, 3, ""), (3, 4, "")),))).splitlines()
    assert [line.split(" 1")[0].split(" 2")[0] for line in lines[:2]] == ["  ┌──", "┌─┴─►"]
    assert not any("├" in line for line in lines)


def test_wide_and_combining_characters_keep_the_columns_straight():
    drawing = Drawing(("日本", "e\u0301", "abcd"), ("X", "X", "X"))
    assert {cell_len(line) for line in text(drawing).splitlines()} == {cell_len("3 abcd  X")}


def test_colours_tell_the_planes_apart():
    coloured = text(GRAPH, colour=True)
    assert all(code in coloured for code in ("\x1b[94m", "\x1b[33m", "\x1b[32m"))


def test_an_empty_sentence_is_no_text():
    assert text(Drawing(())) == ""


def test_a_head_of_very_many_words_stays_printable():
    n = 2_000
    lines = text(Drawing(("w",) * n, planes=(tuple((1, word, "x") for word in range(2, n + 1)),))).splitlines()
    assert len(lines) == n
    assert max(map(len, lines)) < 200
    assert lines[-1].endswith("2000 w  1 x")
