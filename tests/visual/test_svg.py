import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from drawings import GRAPH, HEARING, drawings
from hypothesis import given

from multiplane.visual import Drawing, svg
from multiplane.visual.svg import COLOURS

NS = "{http://www.w3.org/2000/svg}"


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if element.get("class") == name]


@given(drawings())
def test_any_text_gives_well_formed_xml_with_every_arc_once(drawing):
    root = ET.fromstring(svg(drawing).encode())
    drawn = Counter(
        (int(a.get("data-plane")) - 1, int(a.get("data-head")), int(a.get("data-dependent")))
        for a in of_class(root, "arc")
    )
    assert drawn == Counter(arc[:3] for arc in drawing.arcs)
    assert Counter(int(r.get("data-dependent")) for r in of_class(root, "root")) == Counter(w for w, _ in drawing.roots)
    assert len(of_class(root, "word")) == len(drawing.words)


@pytest.mark.parametrize("drawing", [HEARING, GRAPH])
def test_every_label_appears_once(drawing):
    labels = Counter(element.text for element in of_class(ET.fromstring(svg(drawing)), "label"))
    assert labels == Counter([label for *_, label in drawing.arcs] + [label for _, label in drawing.roots])


def test_planes_differ_in_colour_and_are_explained():
    root = ET.fromstring(svg(GRAPH))
    strokes = [group.get("stroke") for group in root.iter(f"{NS}g") if group.find(f"{NS}g[@class='arc']") is not None]
    assert sorted(strokes) == sorted(COLOURS[:3])
    assert [element.text for element in of_class(root, "legend")] == ["plane 1", "plane 2", "plane 3"]


def test_text_is_readable_in_every_colour():
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    for colour in COLOURS:  # the contrast with white that WCAG 2 asks of small text
        assert 1.05 / (luminance(colour) + 0.05) >= 4.5


def test_the_image_needs_nothing_from_elsewhere():
    image = svg(HEARING)
    assert "<script" not in image
    assert "url(" not in image
    assert "href" not in image


def test_an_empty_sentence_is_an_empty_image():
    root = ET.fromstring(svg(Drawing(())))
    assert not of_class(root, "word")
    assert float(root.get("width")) > 0
