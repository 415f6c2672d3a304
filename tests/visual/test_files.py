import os
import struct
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from drawings import GRAPH, HEARING, drawings
from hypothesis import given, settings

import multiplane as mp
from multiplane.errors import MissingExtraError, MissingFontError
from multiplane.visual import Drawing, drawing_of, svg, text, tikz
from multiplane.visual import fonts as fonts_module
from multiplane.visual.fonts import check_fonts
from multiplane.visual.layout import lay_out
from multiplane.visual.raster import MOST_PIXELS, png
from multiplane.visual.svg import sheet_size

NS = "{http://www.w3.org/2000/svg}"
LATIN = Drawing(("I", "sleep"), planes=(((2, 1, "nsubj"),),), roots=((2, "root"),))


def size_of(image: bytes) -> tuple[int, int]:
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", image[16:24])
    return width, height


def test_every_kind_of_value_is_drawn_as_text():
    sentence = mp.sample()[0]
    assert sentence.draw() == mp.draw(sentence) == text(drawing_of(sentence))
    assert sentence.graph.draw() == mp.draw(sentence.graph)
    assert "3 4 nsubj" not in sentence.graph.draw()
    assert HEARING.draw() == text(HEARING)
    assert mp.sample().draw().count("\n\n") == len(mp.sample()) - 1
    assert mp.draw(iter(mp.sample()[:2])) == "\n".join(one.draw() for one in mp.sample()[:2])


@pytest.mark.parametrize(("suffix", "renderer"), [(".svg", svg), (".tex", tikz), (".txt", text), (".SVG", svg)])
def test_the_suffix_tells_what_to_draw(suffix, renderer, tmp_path: Path):
    target = tmp_path / f"tree{suffix}"
    sentence = mp.sample()[30]
    assert sentence.draw(target) is None
    assert target.read_text(encoding="utf-8") == renderer(drawing_of(sentence))
    assert os.listdir(tmp_path) == [target.name]


@pytest.mark.parametrize("name", ["tree", "tree.jpeg", "tree.svg.gz", ".svg"])
def test_other_suffixes_are_refused(name: str, tmp_path: Path):
    with pytest.raises(mp.InputError, match=r"must end in \.svg, \.png, \.pdf, \.tex, \.txt"):
        mp.sample()[0].draw(tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_a_file_that_cannot_be_drawn_stays_as_it_was(tmp_path: Path):
    target = tmp_path / "tree.svg"
    target.write_text("before")
    with pytest.raises(mp.GraphError):
        mp.sample()[0].draw(target, highlight=[(1, 6)])
    assert (target.read_text(), os.listdir(tmp_path)) == ("before", ["tree.svg"])


def test_a_sheet_has_the_sentences_one_below_the_other_with_their_titles(tmp_path: Path):
    target = tmp_path / "sheet.svg"
    sentences = [s for s in mp.sample() if s.sent_id in ("ar-001", "grc-002", "nl-002")]
    mp.draw(sentences, target)
    sheet = ET.parse(target).getroot()
    parts = sheet.findall(f"{NS}svg")
    tops = [float(part.get("y")) for part in parts]
    bottoms = [top + float(part.get("height")) for top, part in zip(tops, parts, strict=True)]
    assert all(bottom < top for bottom, top in zip(bottoms, tops[1:], strict=False))
    assert bottoms[-1] <= float(sheet.get("height")) + 0.1
    titles = [element.text for element in sheet.iter() if element.get("class") == "title"]
    assert titles == [sentence.sent_id for sentence in sentences]
    for part, sentence in zip(parts, sentences, strict=True):  # those from the right are at the right
        x, width = float(part.get("x")), float(part.get("width"))
        right = float(sheet.get("width")) if sentence.sent_id == "ar-001" else width
        assert x + width == pytest.approx(right, abs=0.2)


def test_a_sheet_of_latex_has_a_picture_and_a_title_for_every_sentence():
    document = tikz(HEARING, GRAPH, Drawing(()))
    assert document.count(r"\begin{dependency}") == 2
    assert r"{\small a graph}\par" in document
    assert document.count(r"\begin{document}") == document.count(r"\documentclass") == 1


def test_an_empty_sheet_is_an_empty_image():
    assert mp.draw([]) == ""
    assert not ET.fromstring(svg()).findall(f"{NS}svg")


def test_gold_sentences_go_with_the_sentences():
    corpus = mp.sample()
    assert "wrong" not in mp.draw(corpus[:3], gold=corpus[:3])
    with pytest.raises(mp.GraphError, match="2 gold sentences for 3 drawings"):
        mp.draw(corpus[:3], gold=corpus[:2])
    with pytest.raises(mp.GraphError, match="single"):
        mp.draw(corpus[:3], highlight=[(1, 2)])


def test_graphs_are_drawn_with_numbers_or_ids():
    graph = mp.DependencyGraph(4, [(0, 2), (2, 4, "x"), (3, 1), (2, 3)])
    assert drawing_of(graph).words == ("1", "2", "3", "4")
    assert len(drawing_of(graph).planes) == 2
    enhanced = next(s.enhanced for s in mp.sample() if s.empty_nodes)
    assert drawing_of(enhanced).words == enhanced.ids
    loops = mp.DependencyGraph(2, [(1, 1, "A0"), (1, 2, "A1")], loops=True)
    assert drawing_of(loops).tags == ("itself: A0", "")
    with pytest.raises(mp.GraphError, match="layer"):
        graph.draw(layer="semantics")


def test_wrong_options_and_values_are_refused():
    sentence = mp.sample()[0]
    with pytest.raises(ValueError, match="unknown layer 'semantic'; use syntax, semantics, enhanced, both"):
        sentence.draw(layer="semantic")
    with pytest.raises(ValueError, match="rtl must be True, False or 'auto', not 'right'"):
        sentence.draw(rtl="right")
    for value in ("She left.", ["a"], [sentence, None]):
        with pytest.raises(TypeError, match="give sentences, graphs or drawings"):
            mp.draw(value)
    assert HEARING.draw(undirected=True) == text(replace(HEARING, undirected=True))


class TestPng:
    @pytest.fixture(autouse=True)
    def _needs_resvg(self):
        pytest.importorskip("resvg_py")
        if not fonts_module.font_files():
            pytest.skip("there are no fonts")

    @pytest.mark.parametrize("scale", [0.5, 1, 2.5])
    def test_the_size_is_that_of_svg_times_the_scale(self, scale: float, tmp_path: Path):
        target = tmp_path / "tree.png"
        LATIN.draw(target, scale=scale)
        layout = lay_out(LATIN)
        assert size_of(target.read_bytes()) == pytest.approx(
            (scale * layout.width, scale * layout.height), abs=1 + scale
        )

    def test_equal_drawings_give_equal_bytes_and_others_do_not(self, tmp_path: Path):
        for name, drawing in (("a", LATIN), ("b", LATIN), ("c", HEARING)):
            drawing.draw(tmp_path / f"{name}.png")
        a, b, c = ((tmp_path / f"{name}.png").read_bytes() for name in "abc")
        assert a == b != c

    @pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), 1e9, 1e300, 1e-9])
    def test_an_impossible_scale_is_refused(self, scale: float, tmp_path: Path):
        with pytest.raises(mp.InputError, match="scale"):
            LATIN.draw(tmp_path / "tree.png", scale=scale)
        assert os.listdir(tmp_path) == []

    def test_an_image_that_would_be_too_large_is_refused(self, tmp_path: Path):
        side = MOST_PIXELS**0.5
        with pytest.raises(mp.InputError, match="fewer sentences"):
            png("<svg/>", (side + 1, side + 1), [], 1)

    def test_a_script_without_a_font_is_named(self, tmp_path: Path):
        letter = "𐎠"  # Old Persian
        try:
            Drawing((letter,)).draw(tmp_path / "tree.png")
        except MissingFontError as error:
            assert "no installed font has Old Persian (𐎠)" in str(error)  # noqa: PT017 - some computers have one
            assert os.listdir(tmp_path) == []

    @settings(max_examples=15)
    @given(drawings())
    def test_any_drawing_becomes_an_image(self, drawing: Drawing):
        layouts = [lay_out(drawing)]
        assert size_of(png(svg(drawing), sheet_size(layouts), [], 0.5))


def test_a_pdf_is_written_and_the_same_every_time(tmp_path: Path):
    pytest.importorskip("typst")
    for name in "ab":
        mp.draw([LATIN, HEARING], tmp_path / f"{name}.pdf")
    one, other = ((tmp_path / f"{name}.pdf").read_bytes() for name in "ab")
    assert one.startswith(b"%PDF-")
    assert one == other


@pytest.mark.parametrize(("suffix", "module"), [(".png", "resvg_py"), (".pdf", "typst")])
def test_a_missing_extra_is_named(suffix: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'multiplane\[{suffix[1:]}\]'"):
        LATIN.draw(tmp_path / f"tree{suffix}")
    assert os.listdir(tmp_path) == []


def test_fonts_are_checked_by_script_and_block():
    drawn: list[str] = []

    def draw(probe: str) -> bytes:
        letter = ET.fromstring(probe)[0].text
        drawn.append(letter)
        return b"box" if letter in ("ἀ", "日", fonts_module.UNASSIGNED) else letter.encode()

    check_fonts(["plain", "and", "Ελλάδα", "1.", "café"], draw)
    assert len(drawn) == 3  # the reference, Latin and Greek
    with pytest.raises(MissingFontError, match=r"has Greek \(ἀ\) or Chinese characters \(日\); install one"):
        check_fonts(["ἀρχή", "日本"], draw)


def test_plain_fonts_come_before_bold_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "fonts" / "deep"
    folder.mkdir(parents=True)
    for name in ("A-Bold.ttf", "B-Regular.TTF", "NotoSerif-Italic.otf", "readme.txt"):
        (folder / name).touch()
    monkeypatch.setattr(fonts_module, "_folders", lambda: [str(tmp_path / "fonts"), str(tmp_path / "none")])
    fonts_module.font_files.cache_clear()
    try:
        found = [os.path.basename(path) for path in fonts_module.font_files()]
    finally:
        fonts_module.font_files.cache_clear()
    assert found == ["B-Regular.TTF", "A-Bold.ttf", "NotoSerif-Italic.otf"]
