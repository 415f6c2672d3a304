"""The models that come with the package."""

from pathlib import Path

import pytest

import multiplane as mp
from multiplane.data import bundled_models

DEMO = Path(__file__).parent.parent.parent / "docs" / "demo.txt"


@pytest.fixture(scope="module")
def english() -> mp.Parser:
    return mp.load("en")


def test_the_demo_shows_a_tree_whose_arcs_cross(english: mp.Parser):
    sentences = english.parse(DEMO.read_text(encoding="utf-8"))
    assert [sentence.graph.is_projective() for sentence in sentences] == [True, True, False]
    relative = sentences[2]
    heads = {
        form: relative.forms[head - 1] if head else None
        for form, head in zip(relative.forms, relative.heads, strict=True)
    }
    assert (heads["which"], heads["good"], heads["think"], heads["plan"]) == ("good", "think", "plan", "has")


@pytest.mark.parametrize("text", ["", "\n\n", "?", "…", "a" * 5_000, "Ж漢字🙂 \u200b\u00a0x", "No.\x0b\x0c\x85No."])
def test_any_text_gives_trees(english: mp.Parser, text: str):
    assert all(sentence.graph.is_tree() for sentence in english.parse(text))


def test_models_are_small_and_have_cards():
    for name, folder in bundled_models().items():
        assert sum(file.stat().st_size for file in folder.iterdir()) <= 10_000_000
        record = mp.load(name).model.record
        assert record.chosen is not None
        assert f"Licence of the data: {record.licence}" in Path(folder, "README.md").read_text(encoding="utf-8")
