"""Telling plain text from CoNLL files."""

import gzip
import io
from codecs import BOM_UTF8
from pathlib import Path

import pytest

import multiplane as mp
from multiplane.formats.stream import ByteSource
from multiplane.text import is_text
from multiplane.text.detect import conll_dialect

ROW = b"1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    "text",
    [
        b"It rains.\n",
        b"# Title\n\nText",
        b"1 apple a day\n",
        b"3 people went to the big house.\n",
        b"1 2 3 4 5 6 7 8 9 10\n",
        b"1\tone\n2\ttwo\n",
        "\ufeffÇa va ?".encode(),
        b"\xff\xfe",
        *(b"#hashtag is cool\n", b"# a = b\n", b"#one\n\n#two", b"", b"\n \n", BOM_UTF8),
    ],
)
def test_text_is_recognised(text: bytes):
    assert is_text(ByteSource(io.BytesIO(text)))


@pytest.mark.parametrize(
    "text",
    [
        *(ROW, b"\n\n# text = Go\n" + ROW, b"1-2\tdu" + b"\t_" * 8, ROW.replace(b"\t", b" ")),
        *(BOM_UTF8 + ROW, b"# long = " + b"x" * 9_000 + b"\n" + ROW, b"# many\n" * 20_000 + ROW),
    ],
)
def test_conll_is_recognised(text: bytes):
    assert not is_text(ByteSource(io.BytesIO(text)))


def test_a_conll_suffix_decides(tmp_path: Path):
    for name, expected in [("a.conllu", False), ("a.conll.gz", False), ("a.txt.gz", True), ("a", True)]:
        path = tmp_path / name
        path.write_bytes(gzip.compress(b"Text.") if name.endswith(".gz") else b"Text.")
        with ByteSource(path) as stream:
            assert is_text(stream) is expected


def test_a_text_suffix_decides_where_the_content_could_be_both(tmp_path: Path):
    spaces = ROW.replace(b"\t", b" ")
    for content, as_text, without_suffix in [(spaces, True, False), (b"", True, True), (ROW, False, False)]:
        for name, expected in [("a.txt", as_text), ("a.text.gz", as_text), ("a", without_suffix)]:
            path = tmp_path / name
            path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
            with ByteSource(path) as stream:
                assert is_text(stream) is expected


def test_looking_ahead_consumes_nothing():
    data = bytes(range(256)) * 600
    stream = ByteSource(io.BytesIO(data))
    assert stream.peek(100_000) == data[:100_000]
    assert stream.peek(3) == data[:3]
    assert stream.read(5) + stream.read(99_999) + stream.read() == data


def test_text_and_treebanks_need_no_option(tmp_path: Path):
    parser = mp.load("en")
    for content, kind in [(b"It rains.", "1"), (mp.sample().to_bytes(), "en-001")]:
        out = io.BytesIO()
        parser.parse_stream(io.BytesIO(content), out)
        assert mp.read_conllu(io.BytesIO(out.getvalue()))[0].sent_id == kind


@pytest.mark.parametrize("name", ["trees", "trees.txt", "trees.data.gz"])
def test_a_treebank_needs_no_suffix(name: str, tmp_path: Path):
    for content in [b"", mp.sample().to_bytes(), mp.data.sample_path("conll09").read_bytes()]:
        path, out = tmp_path / name, io.BytesIO()
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        mp.load("en").parse_stream(path, out)
        assert out.getvalue().count(b"\n") == content.count(b"\n")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "conllu"),
        (ROW, "conllu"),
        (BOM_UTF8 + b"#SDP 2015\n#1\n1\tGo\tgo\tVB\t+\t+\tgo.01\n", "sdp"),
        (b"1\tGo" + b"\t_" * 9 + b"\n", "conll08"),
        (b"\n1\tGo" + b"\t_" * 12 + b"\n", "conll09"),
    ],
)
def test_the_columns_tell_the_format(content: bytes, expected: str):
    assert conll_dialect(ByteSource(io.BytesIO(content))).name == expected
    assert conll_dialect(ByteSource(io.BytesIO(content)), "conllx").name == "conllx"


def test_words_that_are_given_need_no_tokenizer():
    parser, treebank = mp.load("en"), mp.sample().to_bytes()
    for given, message in [
        ({"tokenizer": "klingon"}, "unknown tokenizer 'klingon'"),
        ({"tokenizer": "english"}, "is a CoNLL file, which is already split into words; drop --tokenizer"),
        ({"lines": True}, "drop --lines"),
        ({"ranges": True}, "drop --ranges"),
    ]:
        with pytest.raises(mp.MultiplaneError, match=message):
            parser.parse_stream(io.BytesIO(treebank), io.BytesIO(), **given)


def test_text_has_no_heads_to_keep():
    with pytest.raises(mp.InputError, match="is plain text, which has no heads or predicates to keep"):
        mp.load("en").parse_stream(io.BytesIO(b"It rains."), io.BytesIO(), keep_heads=True)
