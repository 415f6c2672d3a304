import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Page

import multiplane as mp
from browser.steps_of_use import parse


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
