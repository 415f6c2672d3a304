"""Corpora compare by content."""

import multiplane as mp
from multiplane.formats import DIALECTS, convert
from multiplane.formats.reader import from_text


def test_corpora_are_equal_if_their_format_and_bytes_are():
    one, other = mp.sample(), mp.sample()
    assert one == other
    assert hash(one) == hash(other)
    assert one == from_text(one.to_bytes(), name="another name")
    assert one != from_text(b"\n" + one.to_bytes())
    assert one != list(one)
    other[3][0].lemma = "new"
    assert one != other
    assert from_text("", "conllu") != from_text("", "conllx")
    assert one != from_text(convert(one, DIALECTS["conll09"])[0], "conll09")
