"""Text files are read in blocks, in bounded memory, with the result of reading them whole."""

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multiplane.errors import InputError, UnknownTokenizerError
from multiplane.formats.reader import from_text
from multiplane.text import conllu, corpus_of_text, stream, text_blocks

TEXT = "One, two. Three é!\n\nA title\n\r\n\n  \nIt's über\nall. And\nso on.\n\nNo end"


def joined(text: bytes, size: int, **options: bool) -> bytes:
    return b"".join(block.text for block in text_blocks(io.BytesIO(text), size=size, **options))


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 20, 1000])
def test_blocks_of_any_size_give_what_the_whole_text_gives(size: int, lines: bool):
    assert joined(TEXT.encode(), size, lines=lines) == corpus_of_text(TEXT, lines=lines).to_bytes()


@given(st.text(st.sampled_from("aé.! \n\r\t'\u2028"), max_size=50), st.integers(1, 20))
def test_blocks_of_any_text_give_what_the_whole_text_gives(text: str, size: int):
    assert joined(text.encode(), size) == corpus_of_text(text).to_bytes()


def test_blocks_tell_where_they_stand():
    blocks = list(text_blocks(io.BytesIO(TEXT.encode()), size=8))
    assert len(blocks) > 2
    lines = sentences = 0
    for block in blocks:
        assert (block.lines_before, block.sentences_before) == (lines, sentences)
        lines += block.text.count(b"\n")
        sentences += len(from_text(block.text))


def test_files_are_read_as_treebanks_are(tmp_path: Path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbfGo home."))
    told: list[int] = []
    (block,) = text_blocks(path, progress=told.append)
    assert block.name == str(path)
    assert from_text(block.text).column("form") == ["Go", "home", "."]
    assert told[-1] == path.stat().st_size


@pytest.mark.parametrize("text", [b"", b" \n\n \n"])
def test_a_text_without_words_is_one_empty_block(text: bytes):
    assert [(block.text, block.lines_before) for block in text_blocks(io.BytesIO(text), size=2)] == [(b"", 0)]


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_invalid_utf8_is_refused_with_its_line(size: int, tmp_path: Path):
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"One\n\nTwo\nThr\xe9e\n\nFour")
    with pytest.raises(InputError) as error:
        list(text_blocks(path, size=size))
    assert str(error.value) == f"{path}:4: invalid UTF-8 (byte 0xE9); save the file as UTF-8"


def test_a_character_cut_off_by_the_end_of_the_file_is_refused():
    with pytest.raises(InputError, match=r":1: invalid UTF-8 \(byte 0xC3\)"):
        list(text_blocks(io.BytesIO(b"caf\xc3")))


def test_a_missing_file_and_an_unknown_tokenizer_are_reported(tmp_path: Path):
    with pytest.raises(InputError, match="no such file"):
        list(text_blocks(tmp_path / "none.txt"))
    with pytest.raises(UnknownTokenizerError):
        list(text_blocks(io.BytesIO(b"a"), "klingon"))
    with pytest.raises(ValueError, match="positive number of bytes, not 0"):
        list(text_blocks(io.BytesIO(b"a"), size=0))


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Go on. " * 40, ["Go", "on", "."] * 40),
        ("word\n" * 40, ["word"] * 40),
        ("word " * 40, ["word"] * 40),
    ],
)
def test_long_paragraphs_are_cut_between_words(text: str, forms: list[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stream, "LONGEST", 32)
    blocks = list(text_blocks(io.BytesIO(text.encode()), size=16))
    assert len(blocks) > 3
    assert from_text(b"".join(block.text for block in blocks)).column("form") == forms


def test_a_paragraph_is_cut_behind_a_sentence_if_there_is_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stream, "LONGEST", 32)
    corpus = from_text(joined(b"Here we are now. " * 20, 16))
    assert {sentence.text for sentence in corpus} == {"Here we are now."}


@pytest.mark.parametrize("letter", ["x", "é", "語", "😀"])
def test_text_without_spaces_is_cut_between_characters(letter: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stream, "LONGEST", 30)
    blocks = list(text_blocks(io.BytesIO((letter * 200).encode()), size=7))
    assert max(len(block.text) for block in blocks) < 1000
    assert "".join(from_text(b"".join(block.text for block in blocks)).column("form")) == letter * 200


def test_a_huge_line_is_read_in_bounded_pieces():
    text = b"All work and no play. " * 100_000
    first = next(iter(text_blocks(io.BytesIO(text), "spaces")))
    lengths = from_text(first.text).lengths
    assert set(lengths[:-1]) == {conllu.LONGEST_SENTENCE}  # the tokenizer found no end
    assert len(first.text) < 30 * (stream.LONGEST + stream.BLOCK)
