"""Text in decomposed characters is split as if it were composed, and written in the characters that were given."""

import re
import unicodedata

import pytest

import multiplane as mp
from multiplane.text import corpus_of_text
from multiplane.text.composed import _clusters

TEXTS = [
    "Ação! É só isto.\n\nÀs três.",
    "Ἐν ἀρχῇ ἦν ὁ λόγος.",
    "각 나라 말.",
    "ক\u09cb কথা",
    "A\u030a\u0323 \u0301x",
    "Nothing.",
]
RANGE = re.compile(r"^\S+\t(\S+)\t.*TokenRange=(\d+):(\d+)", re.MULTILINE)


@pytest.mark.parametrize("text", TEXTS)
def test_clusters_are_all_of_the_text_and_compose_alone(text: str):
    decomposed = unicodedata.normalize("NFD", text)
    clusters = _clusters(decomposed)
    assert "".join(clusters) == decomposed
    assert "".join(unicodedata.normalize("NFC", cluster) for cluster in clusters) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("tokenizer", ["english", "spaces", "pt"])
def test_ranges_are_those_of_the_text_as_given(text: str, tokenizer: str):
    chosen = mp.load(tokenizer).tokenizer if tokenizer == "pt" else tokenizer
    decomposed = unicodedata.normalize("NFD", text)
    found = corpus_of_text(decomposed, chosen, ranges=True).to_bytes().decode()
    expected = corpus_of_text(unicodedata.normalize("NFC", text), chosen).to_bytes().decode()
    assert found.count("\n") == expected.count("\n")
    assert unicodedata.normalize("NFC", re.sub(r"\|?TokenRange=\S+", "", found).replace("\t\n", "\t_\n")) == expected
    without = corpus_of_text(decomposed, chosen).to_bytes().decode()
    assert without == re.sub(r"\|?TokenRange=\S+", "", found).replace("\t\n", "\t_\n")
    places = RANGE.findall(found)
    assert len(places) >= len(text.split())
    for form, first, last in places:
        assert decomposed[int(first) : int(last)] == form


def test_words_of_a_multiword_token_that_spell_it_out_have_its_characters():
    text = unicodedata.normalize("NFD", "Vê-lo às três")
    found = corpus_of_text(text, mp.load("pt").tokenizer)
    assert found[0].text == text
    assert unicodedata.normalize("NFC", "".join(found.column("form"))) in ("Vê-loaastrês", "Vêloaastrês", "Vê-loàstrês")


def test_ranges_of_later_blocks_count_the_characters_as_given(tmp_path):
    text = unicodedata.normalize("NFD", "Ação.\n\n") * 3
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="utf-8")
    blocks = b"".join(block.text for block in mp.text.text_blocks(path, mp.load("pt").tokenizer, ranges=True))
    assert [int(first) for _, first, _ in RANGE.findall(blocks.decode())] == [0, 6, 9, 15, 18, 24]
