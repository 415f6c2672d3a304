import unicodedata
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from drawings import HEARING, HOSTILE_TEXT, drawings
from hypothesis import given
from hypothesis import strategies as st

import multiplane as mp
from multiplane.visual import Drawing, drawing_of, svg, text, tikz
from multiplane.visual.layout import lay_out

SCRIPTS = {
    "Arabic": ("كتبت", "رسالة"),
    "Hebrew": ("שלום", "עולם"),
    "Syriac": ("ܫܠܡܐ", "ܥܠܡܐ"),
    "Thaana": ("ދިވެހި", "ބަސް"),
    "N'Ko": ("ߒߞߏ", "ߞߊ߲"),
    "Adlam": ("𞤆𞤵𞤤𞤢𞤪", "𞤀𞤣𞤤𞤢𞤥"),
}


def arabic() -> Drawing:
    return drawing_of(next(sentence for sentence in mp.sample() if sentence.sent_id == "ar-001"))


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_that_run_from_the_right_are_recognized(script: str):
    assert Drawing(SCRIPTS[script]).from_right
    assert Drawing((*SCRIPTS[script], "Python", ".", "2026")).from_right
    assert not Drawing((*SCRIPTS[script], "more", "Latin", "words")).from_right
    assert not Drawing(SCRIPTS[script], rtl=False).from_right


@pytest.mark.parametrize("words", [("日本", "語"), ("Ἐν", "ἀρχῇ"), ("हिन्दी",), ("1", "."), ()])
def test_other_scripts_run_from_the_left(words: tuple[str, ...]):
    assert not Drawing(words).from_right
    assert Drawing(words, rtl=True).from_right


@given(drawings())
def test_a_drawing_from_the_right_is_the_mirror_image(drawing: Drawing):
    one, other = (lay_out(replace(drawing, rtl=rtl)) for rtl in (False, True))
    assert (one.width, one.height, len(one.arcs)) == (other.width, other.height, len(other.arcs))
    for a, b in zip((*one.words,), (*other.words,), strict=True):
        assert a.box.centre == pytest.approx(one.width - b.box.centre)
    for a, b in zip(one.arcs, other.arcs, strict=True):
        assert (a.head_x, a.dependent_x) == pytest.approx((one.width - b.head_x, one.width - b.dependent_x))
        assert (a.bar, a.foot, a.level) == (b.bar, b.foot, b.level)
        assert a.label_box.centre == pytest.approx(one.width - b.label_box.centre)


def test_in_svg_the_first_word_is_on_the_right_and_labels_stay_left_to_right():
    root = ET.fromstring(svg(arabic()))
    texts = [element for element in root.iter() if element.tag.endswith("text")]
    words = [element for element in texts if element.get("class") == "word"]
    xs = [float(word.get("x")) for word in words]
    assert xs == sorted(xs, reverse=True)
    assert [word.get("direction") for word in words] == ["rtl"] * 6 + [None]  # the last one is a full stop
    assert all(word.get("unicode-bidi") == "isolate" for word in words[:-1])
    assert all(element.get("direction") is None for element in texts if element.get("class") == "label")
    assert root.get("direction") == "ltr"


def test_in_tikz_columns_count_from_the_left():
    picture = tikz(arabic(), standalone=False)
    cells = [line for line in picture.split("\n") if "minimum width" in line]
    assert "{.}" in cells[0]
    assert r"{\rtlbegin كتبت\rtlend{}}" in cells[-1]
    assert r"\deproot" in picture
    assert "{7}{root}" in picture
    assert "{7}{6}{nsubj}" in picture


def test_as_text_the_columns_run_from_the_right():
    drawing = Drawing(SCRIPTS["Hebrew"], ("NOUN", "NOUN"), (((1, 2, "nmod"),),), ((1, "root"),), title="he")
    first, second = (f"\u2068{word}\u2069" for word in SCRIPTS["Hebrew"])
    assert text(drawing).split("\n") == [
        " " * 22 + "he",
        f"0 root  NOUN  {first} 1 ──┐",
        f"1 nmod  NOUN  {second} 2 ◄─┘",
        "",
    ]


@given(drawings(st.one_of(HOSTILE_TEXT, st.text(alphabet="שלוםكتب٣ab1-().\u200f\u061c\u202e\u2067\u2069", max_size=8))))
def test_no_text_changes_the_order_of_others_on_its_line(drawing: Drawing):
    for line in text(drawing).splitlines():
        depth = 0
        for character in line:
            depth += {"\u2068": 1, "\u2069": -1}.get(character, 0)
            assert depth in (0, 1)
            assert unicodedata.bidirectional(character) not in ("R", "AL", "AN") or depth == 1
        assert depth == 0


@given(drawings())
def test_every_renderer_draws_any_words_from_the_right(drawing: Drawing):
    mirrored = replace(drawing, rtl=True)
    ET.fromstring(svg(mirrored).encode())
    ET.fromstring(svg(mirrored, interactive=True).encode())
    assert tikz(mirrored).count(r"\depedge") == len(drawing.arcs)
    lines = text(mirrored).splitlines()
    assert len(lines) == len(drawing.words) + bool(drawing.title)


def test_ltr_drawings_do_not_mention_directions():
    assert "direction" not in svg(HEARING)
    assert "rtl" not in tikz(HEARING)
