import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

import multiplane as mp
from browser.steps_of_use import derive, parse
from multiplane.formats import DIALECTS, convert
from multiplane.visual import drawing_of, svg


def downloaded(page: Page, kind: str, folder: Path) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=f"Download {kind}", exact=True).click()
    target = folder / waiting.value.suggested_filename
    waiting.value.save_as(target)
    return target.read_bytes()


@pytest.fixture(scope="module")
def files(visitor, tmp_path_factory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("files")
    with visitor.visit(color_scheme="dark") as page:
        parse(page)
        return {kind: downloaded(page, kind, folder) for kind in ("SVG", "PNG", "TikZ", "CoNLL-U")}


def test_svg_is_complete_and_has_no_scripts(files: dict[str, bytes]) -> None:
    root = ElementTree.fromstring(files["SVG"])
    assert root.tag.endswith("svg")
    words = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"committee", "nsubj", "think"} <= set(words)
    assert b"var(" not in files["SVG"]  # other programs do not know the page's colours


def test_png_shows_the_tree_on_white_paper(files: dict[str, bytes]) -> None:
    image = Image.open(io.BytesIO(files["PNG"])).convert("RGB")
    assert image.width > 800
    colours = {colour for _, colour in image.getcolors(maxcolors=1 << 20)}
    assert image.getpixel((image.width // 2, 5)) == (255, 255, 255)
    assert (0, 105, 168) in colours  # the first plane


def test_tikz_is_a_picture(files: dict[str, bytes]) -> None:
    text = files["TikZ"].decode()
    assert "committee" in text
    assert "\\begin{" in text
    assert text.count("\\begin{") == text.count("\\end{")


def test_conllu_is_what_the_parser_writes(files: dict[str, bytes]) -> None:
    (sentence,) = mp.read_conllu(io.BytesIO(files["CoNLL-U"]))
    assert sentence.forms[:3] == ["The", "committee", "has"]
    assert sentence.heads == mp.load("en").parse("The committee has a plan which I think is good.")[0].heads


def test_the_arcs_of_a_proof_are_bold_in_drawings_of_the_treebank_view(visitor, tmp_path: Path) -> None:
    sentence = next(s for s in mp.sample() if s.sent_id == "nl-002")
    row = [s.sent_id for s in mp.sample()].index("nl-002")
    with visitor.visit(f"#treebank?sample.j=true&row.j={row}") as page:
        expect(page.locator(".proof")).to_contain_text("in a ring")
        assert downloaded(page, "SVG", tmp_path).decode() == svg(
            drawing_of(sentence, highlight=[arc[:2] for arc in sentence.graph.odd_cycle() or ()])
        )
        assert downloaded(page, "CoNLL-U", tmp_path) == sentence.to_bytes()


def test_the_arcs_so_far_can_be_saved_at_every_step(page: Page, tmp_path: Path) -> None:
    derive(page, "She reads letters.")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#step-caption")).to_contain_text("LEFT-REDUCE(nsubj)")
    (sentence,) = mp.read_conllu(io.BytesIO(downloaded(page, "CoNLL-U", tmp_path)))
    assert sentence.graph.arcs == ((2, 1, "nsubj"),)
    assert b">nsubj<" in downloaded(page, "SVG", tmp_path)


def test_a_comparison_is_saved_with_its_differences(visitor, tmp_path: Path) -> None:
    with visitor.visit("#compare?sample.j=true&model=en") as page:
        expect(page.locator("#compare-sentence")).not_to_be_empty()
        drawing = downloaded(page, "SVG of the tree compared with it", tmp_path)
        assert b"stroke-dasharray" in drawing
        assert b"stroke-dasharray" not in downloaded(page, "SVG of the gold standard", tmp_path)


def test_other_formats_become_conll_u_or_stay_what_they_are(page: Page, tmp_path: Path) -> None:
    text = mp.sample("conll09").to_bytes()
    parse(page, text.decode())
    assert downloaded(page, "CoNLL-2009", tmp_path) == text
    assert downloaded(page, "CoNLL-U", tmp_path) == convert(mp.sample("conll09"), DIALECTS["conllu"])[0]
