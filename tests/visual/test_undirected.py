"""Undirected edges have no arrow heads, in every medium, and no direction that a picture could give away."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from textwrap import dedent

import pytest
from drawings import GRAPH, HEARING, drawings
from hypothesis import given
from hypothesis import strategies as st
from test_text import follow

import multiplane as mp
from multiplane.visual import Drawing, drawing_of, svg, text, tikz

NS = "{http://www.w3.org/2000/svg}"
HEARING_TEXT = """\
        ┌── 1 A          DET
      ┌─┴── 2 hearing    NOUN  1 det                            ──┐
      │ ┌── 3 is         AUX                                      │
    ┌─┴─┴── 4 scheduled  VERB  0 root, 2 nsubj:pass, 3 aux:pass   │
    │ ┌──── 5 on         ADP                                      │
    │ │ ┌── 6 the        DET                                      │
    │ └─┴── 7 issue      NOUN  2 nmod, 5 case, 6 det            ──┘
    └────── 8 today      NOUN  4 obl:tmod
"""


def flipped(drawing: Drawing) -> Drawing:
    return replace(drawing, planes=tuple(tuple((d, h, label) for h, d, label in plane) for plane in drawing.planes))


@given(drawings(st.sampled_from(["a", "b", "nsubj"])))
def test_no_medium_shows_a_direction(drawing):
    edges = replace(drawing, undirected=True)
    assert edges == flipped(edges)
    for render in (svg, text, tikz):
        assert render(edges) == render(flipped(edges))
    assert "fill" not in {key for path in ET.fromstring(svg(edges)).iter(f"{NS}path") for key in path.keys()}  # noqa: SIM118
    assert not {"►", "◄"} & set(text(edges))


@given(drawings())
def test_every_edge_is_in_the_image_once(drawing):
    root = ET.fromstring(svg(replace(drawing, undirected=True)).encode())
    drawn = Counter(
        (int(edge.get("data-plane")) - 1, *map(int, edge.get("data-ends").split()))
        for edge in root.iter(f"{NS}g")
        if edge.get("class") == "edge"
    )
    assert drawn == Counter((plane, min(h, d), max(h, d)) for plane, h, d, _ in drawing.arcs)
    roots = [group.get("data-ends") for group in root.iter(f"{NS}g") if group.get("class") == "root"]
    assert Counter(roots) == Counter(f"0 {word}" for word, _ in drawing.roots)


@pytest.mark.parametrize("drawing", [HEARING, GRAPH])
def test_lines_reach_the_words_where_arrows_would_end(drawing):
    directed, undirected = (ET.fromstring(svg(d)) for d in (drawing, replace(drawing, undirected=True)))
    assert [directed.get(key) for key in ("width", "height")] == [undirected.get(key) for key in ("width", "height")]

    def ends(path: ET.Element) -> set[str]:
        shape = path.get("d")
        return {re.match(r"M[\d.]+ ([\d.]+)", shape)[1], re.search(r"V([\d.]+)$", shape)[1]}

    paths = [group.find(f"{NS}path") for group in undirected.iter(f"{NS}g") if group.get("class") == "edge"]
    assert all(len(ends(path)) == 1 for path in paths)  # both legs stand on the same line
    assert len(paths) == len(drawing.arcs)


def test_the_terminal_lists_an_edge_at_its_later_word():
    assert text(replace(HEARING, undirected=True)) == dedent(HEARING_TEXT)


@given(drawings(st.just("w")))
def test_the_lines_on_the_left_join_the_words_of_odd_planes(drawing):
    edges = Drawing(("w",) * len(drawing.words), (), drawing.planes, undirected=True)
    lines = [line.split("w")[0] for line in text(edges).splitlines()]
    read = [
        (row + 1, follow(lines, row, column)[0] + 1)
        for row, line in enumerate(lines)
        for column, cell in enumerate(line)
        if cell in "┌┬╋"
    ]
    assert sorted(read) == sorted((h, d) for plane, h, d, _ in edges.arcs if plane % 2 == 0)
    assert not any("├" in line for line in lines)  # that would join three words


def test_latex_has_no_arrows():
    picture = tikz(replace(GRAPH, undirected=True))
    styles = re.findall(r"^\\depstyle\{plane \d\}\{.*edge style=\{(.*?)\}", picture, re.MULTILINE)
    assert len(styles) == 3
    assert all(style.endswith(", -") for style in styles)
    roots = re.findall(r"^\\deproot\[(.*)\]\{\d\}", picture, re.MULTILINE)
    assert len(roots) == 3
    assert all("edge style={-}" in options for options in roots)
    assert "-}" not in tikz(GRAPH)


def test_a_sentence_is_drawn_with_the_same_planes_and_labels():
    for sentence in mp.sample():
        directed, undirected = drawing_of(sentence), drawing_of(sentence, undirected=True)
        assert undirected == replace(directed, undirected=True)
        assert undirected.undirected
        assert not directed.undirected


def test_an_impossible_edge_is_named_as_one():
    with pytest.raises(ValueError, match=r"draw the edge 1 – 3; .* and edges from 0 belong in `roots`"):
        Drawing(("a", "b"), planes=(((1, 3, "x"),),), undirected=True)
