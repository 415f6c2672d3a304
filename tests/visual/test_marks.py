import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from drawings import GRAPH, HEARING

import multiplane as mp
from multiplane.visual import Drawing, compared, drawing_of, highlighted, svg, text, tikz
from multiplane.visual.paint import WRONG

GOLD = Drawing(("a", "b", "c"), planes=(((2, 1, "x"), (2, 3, "y")),), roots=((2, "root"),))
PREDICTED = Drawing(("a", "b", "c"), planes=(((2, 1, "z"), (1, 3, "y")),), roots=((2, "root"),))
DIFFERENT = compared(PREDICTED, GOLD)


def test_a_certificate_of_every_crossing_in_the_sample_can_be_highlighted():
    for sentence in mp.sample():
        crossing = sentence.graph.crossing()
        if crossing is not None:
            marks = dict(drawing_of(sentence, highlight=crossing).marks)
            assert marks == dict.fromkeys(crossing, "highlight")


def test_highlighted_arcs_are_thicker_and_their_labels_bold():
    image = svg(highlighted(HEARING, [(2, 7), (0, 4)]))
    root = ET.fromstring(image)
    thick = [element for element in root.iter() if element.get("stroke-width") == "3"]
    assert [(e.get("class"), e.get("data-dependent")) for e in thick] == [("root", "4"), ("arc", "7")]
    assert [e.text for e in root.iter() if e.get("font-weight") == "bold"] == ["nmod", "root"]
    assert "very thick" in tikz(highlighted(HEARING, [(2, 7)]))
    assert re.search(r"2 nmod ◆", text(highlighted(HEARING, [(2, 7, "nmod")])))


def test_an_arc_that_is_not_drawn_cannot_be_highlighted():
    for arc in ((7, 2), (2, 7, "other"), (0, 1)):
        with pytest.raises(mp.GraphError, match="not in the drawing"):
            highlighted(HEARING, [arc])
    with pytest.raises(ValueError, match="not in the drawing"):
        Drawing(("a", "b"), marks=(((1, 2, "x"), "highlight"),))
    with pytest.raises(ValueError, match="unknown mark"):
        Drawing(("a", "b"), planes=(((1, 2, "x"),),), marks=(((1, 2, "x"), "bold"),))


def test_edges_are_highlighted_whichever_end_comes_first():
    edges = replace(GRAPH, undirected=True)
    assert highlighted(edges, [(5, 2)]).marks == highlighted(edges, [(2, 5)]).marks == (((2, 5, "three"), "highlight"),)


def test_wrong_heads_and_labels_are_told_apart():
    assert DIFFERENT.marks == (((2, 1, "z"), "wrong-label"), ((1, 3, "y"), "wrong-head"))
    assert compared(GOLD, GOLD) == GOLD
    assert compared(replace(GOLD, roots=((1, "root"),)), GOLD).marks == (((0, 1, "root"), "wrong-head"),)


def test_wrong_heads_differ_by_line_and_wrong_labels_by_frame_not_by_colour_alone():
    root = ET.fromstring(svg(DIFFERENT))
    (arc,) = [e for e in root.iter() if e.get("class") == "arc" and e.get("stroke") == WRONG]
    assert (arc.get("data-dependent"), arc.get("stroke-dasharray")) == ("3", "4 3")
    (frame,) = [e for e in root.iter() if e.tag.endswith("rect") and e.get("stroke") == WRONG]
    assert frame.get("stroke-dasharray") == "2 2"
    names = re.findall('class="arc ([^"]*)".*?aria-label="([^"]*)"', svg(DIFFERENT, interactive=True))
    assert sorted(names) == [
        ("plane-1 wrong-head", "y: 1 a → 3 c (wrong head)"),
        ("plane-1 wrong-label", "z: 1 a ← 2 b (wrong label)"),
    ]
    assert "(wrong head)" in text(DIFFERENT)
    assert "(wrong label)" in text(DIFFERENT)
    assert r"\definecolor{wrong}" in tikz(DIFFERENT)
    assert r"\definecolor{wrong}" not in tikz(GOLD)


def test_analyses_of_different_words_cannot_be_compared():
    with pytest.raises(mp.GraphError, match="3 words with 2"):
        compared(GOLD, Drawing(("a", "b")))


def test_a_parse_is_compared_with_its_gold_sentence():
    gold = mp.sample()[0]
    (parsed,) = mp.Corpus.from_columns(forms=[gold.forms], heads=[[0, 1, 1, 1, 1, 1]], deprels=[["root"] + ["dep"] * 5])
    marks = dict(drawing_of(parsed, gold=gold).marks)
    assert marks[0, 1, "root"] == "wrong-head"
    assert marks[1, 4, "dep"] == "wrong-label"
    assert "wrong head" in parsed.draw(gold=gold)
