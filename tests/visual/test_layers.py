"""Drawings of two graphs: one above the words, one below, each with its name."""

import xml.etree.ElementTree as ET

import multiplane as mp
from multiplane.visual import Drawing, drawing_of, svg, text, tikz
from multiplane.visual.layout import lay_out

BOTH = Drawing(
    words=("a", "b", "c", "d"),
    planes=(((2, 1, "x"),), ((1, 3, "A"),), (), ((2, 4, "B"), (3, 4, "C"))),
    roots=((2, "root"),),
    layers=("syntax", "semantics"),
)


def test_each_layer_has_its_side_of_the_words():
    layout = lay_out(BOTH)
    for arc in layout.arcs:
        assert (arc.bar < layout.baseline) == (arc.plane == 0)
    assert (layout.legend, layout.legend_names) == ((0, 1, 3), ("syntax", "semantics", "semantics 2"))


def test_the_legend_of_an_image_names_the_layers():
    legend = [element.text for element in ET.fromstring(svg(BOTH)).iter() if element.get("class") == "legend"]
    assert legend == ["syntax", "semantics", "semantics 2"]


def test_text_lists_the_heads_of_each_layer_apart():
    assert text(BOTH) == (
        "┌─► 1 a  2 x             ──┐\n"
        "└── 2 b  0 root          ──┼───┐\n"
        "    3 c         1 A      ◄─┴─┐ │\n"
        "    4 d         2 B, 3 C ◄───┴─┘\n"
    )


def test_latex_puts_the_second_layer_below():
    picture = tikz(BOTH)
    assert picture.count("edge below") == 2  # the styles of planes 2 and 4
    assert picture.count("depedge[plane 1") == 1
    assert picture.count("depedge[plane 2") == 1
    assert picture.count("depedge[plane 4") == 2


def test_planes_of_the_two_layers_take_turns():
    for sentence in mp.sample("conll09"):
        drawing = drawing_of(sentence, layer="both")
        above = {arc for plane in drawing.planes[::2] for arc in plane}
        below = {arc for plane in drawing.planes[1::2] for arc in plane}
        assert (above, below) == (set(sentence.graph.word_arcs), set(sentence.semantics.word_arcs))
        assert drawing.layers == ("syntax", "semantics")
        for plane in drawing.planes:
            assert mp.DependencyGraph(len(sentence), plane).is_planar()


def test_tags_of_predicates_are_their_senses():
    sentence = mp.sample("conll09")[9]
    assert drawing_of(sentence, layer="semantics").tags[1:3] == ("retire.01", "teacher.01 (itself: ARG0)")
    assert drawing_of(sentence).tags[1:3] == ("VBN", "NN")
