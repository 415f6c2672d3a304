import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from drawings import GRAPH, HEARING, drawings
from hypothesis import given

from multiplane.visual import Drawing, svg
from multiplane.visual.crossing import crossing_arcs
from multiplane.visual.layout import LONGEST_LABEL, LONGEST_WORD, printable

NS = "{http://www.w3.org/2000/svg}"
ALLOWED = {f"{NS}{name}" for name in ("svg", "g", "path", "rect", "text")}


def groups(drawing: Drawing, kind: str) -> list[ET.Element]:
    root = ET.fromstring(svg(drawing, interactive=True).encode())
    return [group for group in root.iter(f"{NS}g") if kind in group.get("class", "").split()]


@given(drawings())
def test_every_arc_root_and_word_of_any_drawing_is_a_named_button(drawing: Drawing):
    arcs = groups(drawing, "arc")
    drawn = Counter(tuple(int(arc.get(f"data-{key}")) for key in ("plane", "head", "dependent")) for arc in arcs)
    assert drawn == Counter(arc[:3] for arc in drawing.arcs)
    assert Counter(arc.get("data-label") for arc in arcs) == Counter(
        printable(label, LONGEST_LABEL) for *_, label in drawing.arcs
    )
    roots, words = groups(drawing, "root"), groups(drawing, "word")
    assert Counter(int(root.get("data-dependent")) for root in roots) == Counter(word for word, _ in drawing.roots)
    assert [int(word.get("data-word")) for word in words] == list(range(1, len(drawing.words) + 1))
    for group in (*arcs, *roots, *words):
        assert (group.get("tabindex"), group.get("role")) == ("0", "button")
        assert group.get("aria-label")


@given(drawings())
def test_no_text_becomes_an_element_an_attribute_or_a_handler(drawing: Drawing):
    for interactive in (False, True):
        root = ET.fromstring(svg(drawing, interactive=interactive).encode())
        assert {element.tag for element in root.iter()} <= ALLOWED | {f"{NS}title"}
        names = {name for element in root.iter() for name in element.attrib}
        assert not [name for name in names if name.startswith("on") or "href" in name or name in ("id", "style")]
    texts = [
        element.text or "" for group in groups(drawing, "word") for element in group if element.get("class") == "form"
    ]
    assert texts == [printable(word, LONGEST_WORD) for word in drawing.words]


@given(drawings())
def test_the_class_crossing_is_on_exactly_the_arcs_that_cross_another(drawing: Drawing):
    spans = [tuple(sorted(arc[1:3])) for arc in drawing.arcs]
    crossed = [False] * len(spans)
    for (i, (a, b)), (j, (c, d)) in combinations(enumerate(spans), 2):
        if a < c < b < d or c < a < d < b:
            crossed[i] = crossed[j] = True
    assert crossing_arcs(drawing) == crossed
    assert len(groups(drawing, "crossing")) == sum(crossed)


def test_arcs_of_different_layers_do_not_cross_each_other():
    planes = (((1, 3, ""),), ((2, 4, ""),))
    drawing = Drawing(("a", "b", "c", "d"), planes=planes, layers=("syntax", "semantics"))
    assert crossing_arcs(drawing) == [False, False]


def test_names_tell_the_label_and_both_words():
    names = {group.get("aria-label") for kind in ("arc", "root", "word") for group in groups(HEARING, kind)}
    assert {"nmod: 2 hearing → 7 issue", "case: 5 on ← 7 issue", "root: 4 scheduled", "3 is, AUX"} <= names
    assert "two: 2 beta – 4 delta" in {
        edge.get("aria-label") for edge in groups(replace(GRAPH, undirected=True), "edge")
    }


def test_colours_are_custom_properties_with_the_static_colours_as_fallbacks():
    image = svg(GRAPH, interactive=True)
    assert image.count("#") == image.count("var(--") > 0
    assert 'stroke="var(--plane-2, #bf4a00)"' in image
    assert "var(" not in svg(GRAPH)


@pytest.mark.parametrize("drawing", [HEARING, GRAPH])
def test_planes_are_classes_counted_from_1_and_indices_counted_from_0(drawing: Drawing):
    for arc in groups(drawing, "arc"):
        assert f"plane-{int(arc.get('data-plane')) + 1}" in arc.get("class").split()
