"""Broken input is refused with file, line and sent_id; odd input that the formats allow is read."""

import bz2
import gzip
import io
import json
import lzma
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import multiplane as mp
from multiplane.formats import iterate

Run = Callable[..., Any]


def word(number: object, head: object, form: bytes = b"w", label: bytes = b"dep") -> bytes:
    return b"%b\t%b\t_\tX\t_\t_\t%b\t%b\t_\t_\n" % (str(number).encode(), form, str(head).encode(), label)


def other(number: str) -> bytes:
    """The line of a range or an empty node."""
    return number.encode() + b"\tw" + 8 * b"\t_" + b"\n"


FIRST = b"# sent_id = first\n" + word(1, 0, label=b"root") + word(2, 1) + b"\n"
LAST = b"# sent_id = last\n" + word(1, 2) + word(2, 0, label=b"root") + b"\n"
BEFORE = FIRST.count(b"\n")
"""Lines before the broken sentence."""


class Broken(NamedTuple):
    lines: bytes
    """The broken sentence without its sent_id and its blank line."""
    line: int
    """Which of these lines is at fault, from 1."""
    says: str
    """A part of the message."""


BROKEN = {
    "too few columns": Broken(word(1, 0) + b"2\tw\t_\n", 2, "3 columns instead of 10"),
    "too many columns": Broken(word(1, 0).replace(b"\n", b"\t_\n"), 1, "11 columns instead of 10"),
    "spaces for tabs": Broken(word(1, 0) + word(2, 1).replace(b"\t", b"  "), 2, "tabs"),
    "a text line": Broken(b"hello\n", 1, "1 column instead of 10"),
    "an ID that is no number": Broken(word("x", 0), 1, "ID 'x'"),
    "an empty ID": Broken(word("", 0), 1, "ID ''"),
    "ID 0": Broken(word(0, 0), 1, "ID '0'"),
    "an ID with a leading zero": Broken(word("01", 0), 1, "ID '01'"),
    "an ID with a sign": Broken(word("+1", 0), 1, "ID '+1'"),
    "an ID in other digits": Broken(word("١", 0), 1, "ID '١'"),
    "a huge ID": Broken(word(10**30, 0), 1, "ID"),
    "a first ID of 2": Broken(word(2, 0), 1, "expected 1"),
    "an ID left out": Broken(word(1, 0) + word(3, 1), 2, "expected 2"),
    "a duplicate ID": Broken(word(1, 0) + word(2, 1) + word(2, 1), 3, "duplicate ID 2"),
    "IDs in falling order": Broken(word(1, 0) + word(2, 1) + word(1, 2), 3, "duplicate ID 1"),
    "a head outside the sentence": Broken(word(1, 0) + word(2, 3), 2, "HEAD 3"),
    "a huge head": Broken(word(1, 0) + word(2, 10**30), 2, "HEAD"),
    "a head beyond 32 bits": Broken(word(1, 0) + word(2, 2**32 + 1), 2, "HEAD"),
    "a negative head": Broken(word(1, 0) + word(2, -1), 2, "HEAD '-1'"),
    "a head that is no number": Broken(word(1, 0) + word(2, "one"), 2, "HEAD 'one'"),
    "an empty head": Broken(word(1, ""), 1, "HEAD ''"),
    "a head with a space": Broken(word(1, " 0"), 1, "HEAD ' 0'"),
    "a self-loop": Broken(word(1, 0) + word(2, 2), 2, "own head"),
    "a cycle": Broken(word(1, 0) + word(2, 3) + word(3, 2), 2, "cycle"),
    "a cycle beside a root": Broken(word(1, 3) + word(2, 0) + word(3, 4) + word(4, 1), 1, "cycle"),
    "a comment within the sentence": Broken(word(1, 0) + b"# late\n" + word(2, 1), 2, "comment"),
    "a NUL byte in a field": Broken(word(1, 0) + word(2, 1, b"a\0b"), 2, "NUL byte in column 2"),
    "a NUL byte in a comment": Broken(b"# text = a\0b\n" + word(1, 0), 1, "NUL byte in a comment"),
    "a NUL byte for a line": Broken(word(1, 0) + b"\0\n", 2, "NUL byte"),
    "invalid UTF-8 in a field": Broken(word(1, 0) + word(2, 1, b"caf\xe9"), 2, "invalid UTF-8 in column 2"),
    "invalid UTF-8 in a comment": Broken(b"# text = caf\xe9\n" + word(1, 0), 1, "invalid UTF-8 in a comment"),
    "half a character before a tab": Broken(word(1, 0, b"\xe6\x97"), 1, "invalid UTF-8 in column 2"),
    "half a character at the end of a line": Broken(word(1, 0)[:-2] + b"\xe6\x97\n", 1, "invalid UTF-8 in column 10"),
    "an overlong character": Broken(word(1, 0, b"\xc0\x80"), 1, "invalid UTF-8 in column 2"),
    "a surrogate": Broken(word(1, 0, b"\xed\xa0\x80"), 1, "invalid UTF-8 in column 2"),
    "a character beyond Unicode": Broken(word(1, 0, b"\xf4\x90\x80\x80"), 1, "invalid UTF-8 in column 2"),
    "a range that is none": Broken(other("1-") + word(1, 0), 1, "range '1-'"),
    "a range backwards": Broken(other("2-1") + word(1, 0) + word(2, 1), 1, "range '2-1'"),
    "a range in the wrong place": Broken(word(1, 0) + other("1-2") + word(2, 1), 2, "range '1-2'"),
    "overlapping ranges": Broken(
        other("1-2") + word(1, 0) + other("2-3") + word(2, 1) + word(3, 1), 3, "range '2-3' overlaps"
    ),
    "two ranges from one word": Broken(other("1-2") + other("1-2") + word(1, 0) + word(2, 1), 2, "overlaps"),
    "a range beyond the sentence": Broken(word(1, 0) + other("2-3") + word(2, 1), 2, "range ends at 3"),
    "an empty node that is none": Broken(word(1, 0) + other("1.x"), 2, "empty node '1.x'"),
    "empty nodes out of order": Broken(word(1, 0) + other("1.2") + other("1.1"), 2, "empty node '1.2' is out of order"),
    "an empty node twice": Broken(word(1, 0) + other("1.1") + other("1.1"), 3, "empty node '1.1' is out of order"),
    "an empty node in the wrong place": Broken(word(1, 0) + other("2.1") + word(2, 1), 2, "empty node '2.1'"),
    "a lone carriage return": Broken(word(1, 0) + b"\r\r\n" + word(2, 1), 2, "column"),
}


@pytest.fixture(params=BROKEN)
def broken(request: pytest.FixtureRequest) -> Broken:
    return BROKEN[request.param]


@pytest.fixture
def path(broken: Broken, tmp_path: Path) -> Path:
    path = tmp_path / "b.conllu"
    path.write_bytes(FIRST + b"# sent_id = broken\n" + broken.lines + b"\n" + LAST)
    return path


def place(path: object, broken: Broken) -> str:
    return f"{path}:{BEFORE + 1 + broken.line}: broken: "


def one_line(text: str) -> bool:
    return text.endswith("\n") and text.count("\n") == 1


def test_a_broken_sentence_is_refused_with_file_line_and_sent_id(broken: Broken, path: Path) -> None:
    with pytest.raises(mp.FormatError) as refused:
        mp.read_conllu(path)
    error = refused.value
    assert str(error).startswith(place(path, broken))
    assert str(error) == f"{error.file}:{error.line}: {error.sent_id}: {error.what}"
    assert broken.says in error.what
    assert "\n" not in str(error)


@pytest.mark.parametrize("block", [1, 7, 64])
def test_block_reading_refuses_at_the_same_place(broken: Broken, path: Path, block: int) -> None:
    with pytest.raises(mp.FormatError) as at_once:
        mp.read_conllu(path)
    with pytest.raises(mp.FormatError) as in_blocks:
        list(iterate(path, block=block))
    assert str(in_blocks.value) == str(at_once.value)


@pytest.mark.parametrize("verb", [["analyze"], ["convert"], ["draw", "--sentence=broken"], ["draw", "--sentence=2"]])
def test_a_verb_ends_with_one_line_and_exit_code_1(verb: list[str], broken: Broken, path: Path, run: Run) -> None:
    done = run(*verb, path)
    assert (done.code, done.out) == (1, "")
    assert one_line(done.err)
    assert done.err.startswith(place(path, broken))


def test_draw_does_not_mind_another_broken_sentence(path: Path, run: Run) -> None:
    for wanted, name in (("1", "first"), ("first", "first"), ("3", "last"), ("last", "last")):
        done = run("draw", path, "--sentence", wanted)
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith(f"{name}\n")


def test_convert_leaves_nothing_half_written(path: Path, run: Run) -> None:
    target = path.with_name("out.conllu")
    assert run("convert", path, "-o", target).code == 1
    assert os.listdir(path.parent) == [path.name]


def test_convert_leaves_an_older_output_as_it_was(path: Path, run: Run) -> None:
    target = path.with_name("out.conllx")
    target.write_bytes(b"older")
    assert run("convert", path, "-o", target).code == 1
    assert target.read_bytes() == b"older"
    assert sorted(os.listdir(path.parent)) == [path.name, target.name]


def test_skip_leaves_out_only_that_sentence(broken: Broken, path: Path, run: Run) -> None:
    corpus = mp.read_conllu(path, on_error="skip")
    assert [sentence.sent_id for sentence in corpus] == ["first", "last"]
    assert corpus[1].line == path.read_bytes().count(b"\n") - LAST.count(b"\n") + 1
    assert corpus.to_bytes() == FIRST + LAST
    assert str(corpus.problems[0]).startswith(place(path, broken))

    done = run("convert", path, "--on-error", "skip")
    assert (done.code, done.raw) == (0, FIRST + LAST)
    assert done.err.startswith(place(path, broken))
    quiet = run("convert", path, "--on-error", "skip", "--quiet")
    assert (quiet.code, quiet.raw, quiet.err) == (0, FIRST + LAST, "")
    counted = run("analyze", path, "--on-error", "skip", "--format", "json")
    assert json.loads(counted.out)[0]["structures"] == 2


def test_check_names_the_place(broken: Broken, path: Path, run: Run) -> None:
    done = run("check", path)
    assert done.code == 1
    assert place(path, broken) in done.out
    assert broken.says in done.out


@pytest.mark.parametrize("name", ["a head outside the sentence", "a duplicate ID", "a cycle", "spaces for tabs"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_conllx_is_refused_at_the_same_place(name: str, end: bytes, tmp_path: Path, run: Run) -> None:
    broken = BROKEN[name]
    path = tmp_path / "b.conll"
    path.write_bytes((word(1, 0) + b"\n" + broken.lines + b"\n" + word(1, 0)).replace(b"\n", end))
    done = run("analyze", path)
    assert (done.code, done.out) == (1, "")
    assert one_line(done.err)
    assert done.err.startswith(f"{path}:{2 + broken.line}: sentence 2: ")


@pytest.mark.parametrize("number", ["1-2", "1.1"])
def test_conllx_has_no_ranges_and_no_empty_nodes(number: str) -> None:
    with pytest.raises(mp.FormatError, match=rf"<stream>:2: sentence 1: ID '{number}' is not a word number"):
        mp.read_conllx(io.BytesIO(word(1, 0) + other(number)))


@pytest.mark.parametrize("lines", [other("0.1"), other("1-2"), other("0.1") + other("1-1")])
def test_a_sentence_without_words_is_refused_at_one_of_its_own_lines(lines: bytes) -> None:
    with pytest.raises(mp.FormatError) as refused:
        mp.read_conllu(io.BytesIO(FIRST + b"# sent_id = hollow\n" + lines + b"\n" + LAST))
    assert refused.value.sent_id == "hollow"
    assert BEFORE < refused.value.line <= BEFORE + 1 + lines.count(b"\n")


def test_rows_of_one_sentence_have_equally_many_argument_columns() -> None:
    rows = [b"1\tw\t_\t_\tX\tX\t_\t_\t0\t0\troot\troot\t_\t_\tA0\n", b"2\tw\t_\t_\tX\tX\t_\t_\t1\t1\tdep\tdep\t_\t_\n"]
    with pytest.raises(mp.FormatError, match="<stream>:2: sentence 1: "):
        mp.read(io.BytesIO(b"".join(rows)), "conll09")


def test_a_sent_id_that_is_not_utf_8_is_replaced_by_the_number() -> None:
    with pytest.raises(mp.FormatError, match=r"^<stream>:5: sentence 2: invalid UTF-8 in a comment"):
        mp.read_conllu(io.BytesIO(FIRST + b"# sent_id = \xff\n" + word(1, 0) + b"\n"))


def test_a_sentence_without_sent_id_is_called_by_its_number_in_the_file() -> None:
    text = word(1, 0) + b"\n# only a comment\n\n" + word(1, 9) + b"\n" + word(1, 7)
    problems = mp.read_conllu(io.BytesIO(text), on_error="skip").problems
    assert [str(problem).split(": HEAD")[0] for problem in problems] == [
        "<stream>:5: sentence 2",
        "<stream>:7: sentence 3",
    ]


@pytest.mark.parametrize("form", ["text", "tsv", "json"])
def test_check_lists_every_error(form: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "many.conllu"
    blocks = [b"# sent_id = %b\n" % name.replace(" ", "-").encode() + case.lines for name, case in BROKEN.items()]
    path.write_bytes(b"\n".join(blocks))
    expected, line = [], 1
    for (name, case), block in zip(BROKEN.items(), blocks, strict=True):
        expected.append((line + case.line, name.replace(" ", "-")))
        line += block.count(b"\n") + 1
    done = run("check", path, "--format", form)
    assert done.code == 1
    if form == "json":
        found = [(error["line"], error["sent_id"]) for error in json.loads(done.out)[0]["errors"]]
    elif form == "tsv":
        found = [(int(row.split("\t")[1]), row.split("\t")[2]) for row in done.out.split("\n") if "\terror\t" in row]
    else:
        rows = re.findall(rf"^{re.escape(str(path))}:(\d+): (\S+): .", done.out, re.MULTILINE)
        found = [(int(line), name) for line, name in rows]
    assert set(expected) <= set(found)


def test_several_errors_of_one_sentence_are_all_listed(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "several.conllu"
    path.write_bytes(b"# sent_id = s\n" + word(1, 0) + b"2\tw\n" + word(3, "x") + word(3, 1) + word(4, 1, b"\xff"))
    errors = json.loads(run("check", path, "--format", "json").out)[0]["errors"]
    assert [error["line"] for error in errors] == [3, 4, 5, 6]


@pytest.mark.parametrize(
    ("lines", "at"),
    [
        (word(1, 7) + word(2, 2) + word(3, 8), [1, 2, 3]),
        (word(1, 2) + word(2, 1) + word(3, 4) + word(4, 3), [1, 3]),
        (word(1, 1) + word(2, 3) + word(3, 2), [1, 2]),
    ],
    ids=["heads", "two cycles", "self-loop and cycle"],
)
def test_all_bad_heads_of_a_sentence_are_listed(lines: bytes, at: list[int]) -> None:
    problems = mp.read_conllu(io.BytesIO(lines), on_error="skip").problems
    assert [problem.line for problem in problems] == at


SENTENCE = word(1, 0, label=b"root") + word(2, 1)
ACCEPTED = {
    "no blank line at the end": (SENTENCE, 1),
    "no final newline": (SENTENCE[:-1], 1),
    "CRLF": ((SENTENCE + b"\n" + SENTENCE + b"\n").replace(b"\n", b"\r\n"), 2),
    "CRLF, no blank line at the end": (SENTENCE.replace(b"\n", b"\r\n"), 1),
    "CRLF, no final newline": (SENTENCE.replace(b"\n", b"\r\n")[:-2], 1),
    "CRLF cut before its newline": (SENTENCE.replace(b"\n", b"\r\n")[:-1], 1),
    "CRLF lines, LF blank lines": (SENTENCE.replace(b"\n", b"\r\n") + b"\n" + SENTENCE, 2),
    "LF lines, CRLF blank lines": (SENTENCE + b"\r\n" + SENTENCE + b"\r\n", 2),
    "mixed within a sentence": (word(1, 0) + word(2, 1).replace(b"\n", b"\r\n") + b"\n", 1),
    "BOM": (b"\xef\xbb\xbf" + SENTENCE + b"\n", 1),
    "BOM before a comment": (b"\xef\xbb\xbf" + FIRST, 1),
    "BOM and CRLF": (b"\xef\xbb\xbf" + FIRST.replace(b"\n", b"\r\n"), 1),
    "only a BOM": (b"\xef\xbb\xbf", 0),
    "empty": (b"", 0),
    "only comments": (b"# a\n# b\n", 0),
    "only comments, no final newline": (b"# a\n\n# b", 0),
    "only blank lines": (b"\n\n\n", 0),
    "only CRLF blank lines": (b"\r\n\r\n", 0),
    "one newline": (b"\n", 0),
    "blank lines everywhere": (b"\n\n" + SENTENCE + b"\n\n\n" + SENTENCE + b"\n\n\n", 2),
    "comments at the end": (SENTENCE + b"\n# the end\n", 1),
    "an empty node before the first word": (other("0.1") + SENTENCE + other("2.1") + other("2.2"), 1),
    "adjacent ranges": (other("1-2") + word(1, 0) + word(2, 1) + other("3-4") + word(3, 1) + word(4, 3), 1),
    "several roots": (word(1, 0) + word(2, 0), 1),
    "empty fields": (SENTENCE.replace(b"\tX\t", b"\t\t"), 1),
    "a field of a million characters": (word(1, 0, b"x" * 1_000_000) + b"\n", 1),
    "a field of a million wide characters": (word(1, 0, "語".encode() * 1_000_000), 1),
    "a comment of a million characters": (b"# text = " + b"x" * 1_000_000 + b"\n" + SENTENCE, 1),
    "strange characters": (word(1, 0, "\u2028\x85\x0b\x0c\x1c\ufeff\U0010ffff".encode()), 1),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_the_format_allows_is_read_and_written_without_a_change(name: str, tmp_path: Path, run: Run) -> None:
    text, sentences = ACCEPTED[name]
    path = tmp_path / "a.conllu"
    path.write_bytes(text)
    corpus = mp.read_conllu(path)
    assert len(corpus) == sentences
    for sentence in corpus:
        assert sentence.heads[:2] == [0, 1][: len(sentence)] or name == "several roots"
        assert not any(field.endswith("\r") for line in sentence.lines for field in line.split("\t"))
    out = io.BytesIO()
    mp.write_conllu(corpus, out)
    assert out.getvalue() == text

    done = run("convert", path)
    assert (done.code, done.raw, done.err) == (0, text, "")
    counted = run("analyze", path, "--format", "json")
    assert counted.code == 0
    assert json.loads(counted.out)[0]["structures"] == sentences
    assert run("check", path).code == 0


@pytest.mark.parametrize("name", ACCEPTED)
def test_skip_changes_nothing_but_the_broken_sentence(name: str) -> None:
    text, sentences = ACCEPTED[name]
    if not text.endswith(b"\n") or (text.startswith(b"\xef\xbb\xbf") and len(text) == 3):
        text += b"\n"
    end = b"\r\n" if b"\r\n" in text else b"\n"
    before = text + end + end
    broken = word(1, 9).replace(b"\n", end)
    corpus = mp.read_conllu(io.BytesIO(before + broken + end + word(1, 0)), on_error="skip")
    assert len(corpus) == sentences + 1
    assert corpus.to_bytes() == before + word(1, 0)


def test_the_message_about_a_million_characters_is_short() -> None:
    for text in [word("1" * 1_000_000, 0), word(1, "x" * 1_000_000), b"# sent_id = " + b"x" * 1_000_000 + b"\n1\n"]:
        with pytest.raises(mp.FormatError) as refused:
            mp.read_conllu(io.BytesIO(text))
        assert len(str(refused.value)) < 1000


class TestUnknownHeads:
    text = FIRST + b"# sent_id = raw\n" + word(1, 0) + word(2, "_") + b"\n" + LAST

    def test_they_are_read(self) -> None:
        assert mp.read_conllu(io.BytesIO(self.text))[1].heads == [0, -1]

    def test_analyze_refuses_them_at_the_line_of_the_word(self, run: Run) -> None:
        done = run("analyze", "-", stdin=self.text)
        assert (done.code, done.out) == (1, "")
        assert one_line(done.err)
        assert done.err.startswith(f"<stdin>:{BEFORE + 3}: raw: ")

    def test_analyze_can_skip_them_and_says_so(self, run: Run) -> None:
        done = run("analyze", "-", "--on-error", "skip", "--format", "json", stdin=self.text)
        assert (done.code, json.loads(done.out)[0]["structures"]) == (0, 2)
        assert one_line(done.err)
        assert done.err.startswith(f"<stdin>:{BEFORE + 3}: raw: ")

    def test_check_warns(self, run: Run) -> None:
        done = run("check", "-", stdin=self.text)
        assert done.code == 0
        assert "1 sentences with words without a head" in done.out or "without a head" in done.out

    def test_convert_and_draw_take_them(self, run: Run) -> None:
        assert run("convert", "-", stdin=self.text).raw == self.text
        assert run("draw", "-", "--sentence", "raw", stdin=self.text).code == 0


def _unreadable(kind: str, folder: Path) -> Path:
    text = mp.sample().to_bytes()
    path = folder / ("u.conllu.xz" if "xz" in kind else "u.conllu.gz" if "gz" in kind else "u.conllu")
    if kind == "directory":
        path.mkdir()
    elif kind.startswith("truncated"):
        packed = lzma.compress(text) if "xz" in kind else gzip.compress(text)
        path.write_bytes(packed[: int(len(packed) * float(kind.rsplit(maxsplit=1)[-1]))])
    elif "that is none" in kind:
        path.write_bytes(text)
    elif "garbage" in kind:
        packed = lzma.compress(text) if "xz" in kind else gzip.compress(text)
        path.write_bytes(packed + b"garbage, and more of it")
    elif "flipped" in kind:
        packed = bytearray(lzma.compress(text) if "xz" in kind else gzip.compress(text))
        packed[len(packed) // 2] ^= 0xFF
        path.write_bytes(packed)
    return path


UNREADABLE = [
    "missing",
    "directory",
    *(f"truncated {kind} {share}" for kind in ("gz", "xz") for share in (0, 0.001, 0.5, 0.999)),
    "a gz that is none",
    "an xz that is none",
    "gz with garbage",
    "gz with a flipped byte",
    "xz with a flipped byte",
]


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_file_that_cannot_be_read_is_named_in_one_line(kind: str, tmp_path: Path, run: Run) -> None:
    path = _unreadable(kind, tmp_path)
    with pytest.raises(mp.MultiplaneError) as refused:
        mp.read_conllu(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)
    before = sorted(os.listdir(tmp_path))
    for arguments in (["analyze", path], ["draw", path], ["convert", path, "-o", tmp_path / "out.conllu"]):
        done = run(*arguments)
        assert (done.code, done.out, one_line(done.err)) == (1, "", True), arguments
        assert done.err.startswith(f"{path}: ")
    assert sorted(os.listdir(tmp_path)) == before
    done = run("check", path)
    assert done.code == 1
    assert one_line(done.out + done.err)


def test_a_text_stream_with_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(mp.MultiplaneError, match="<stream>"):
        mp.read_conllu(io.StringIO(word(1, 0).decode().replace("w", "\ud800")))


def test_a_text_stream_that_cannot_decode_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.conllu"
    path.write_bytes(word(1, 0, b"caf\xe9"))
    with open(path, encoding="utf-8") as stream, pytest.raises(mp.MultiplaneError, match=r"latin\.conllu"):
        mp.read_conllu(stream)


def test_an_unknown_way_to_treat_errors_is_refused() -> None:
    with pytest.raises((mp.MultiplaneError, ValueError), match="ignore"):
        mp.read_conllu(io.BytesIO(b"1\n"), on_error="ignore")  # type: ignore[arg-type]


def test_a_block_of_no_bytes_is_refused() -> None:
    for block in (0, -1):
        with pytest.raises(ValueError, match=f"not {block}"):
            next(iterate(io.BytesIO(FIRST), "conllu", block=block))


def test_an_unknown_column_is_explained_by_corpus_and_sentence() -> None:
    corpus = mp.read_conllu(io.BytesIO(FIRST))
    for asked in (corpus, corpus[0]):
        with pytest.raises(AttributeError, match="CoNLL-U has no column 'nope'; it has id, form"):
            asked.column("nope")


def test_skipping_the_first_sentence_keeps_the_byte_order_mark() -> None:
    corpus = mp.read_conllu(io.BytesIO(b"\xef\xbb\xbf" + word(1, 9) + b"\n" + LAST), on_error="skip")
    assert corpus.to_bytes() == b"\xef\xbb\xbf" + LAST


def test_skipping_the_last_sentence_keeps_what_stands_before() -> None:
    for end in (b"", b"\n", b"\r"):
        corpus = mp.read_conllu(io.BytesIO(FIRST + b"# loose\n\n\n" + word(1, 9) + end), on_error="skip")
        assert corpus.to_bytes() == FIRST + b"# loose\n\n\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (bz2.compress(FIRST), "is compressed with bzip2, which is not supported; unpack it, or use gzip or xz"),
        (b"\x28\xb5\x2f\xfd" + bytes(30), "is compressed with Zstandard"),
        (b"PK\x03\x04" + bytes(30), "is compressed with ZIP"),
        *(
            (FIRST.decode().encode(encoding), f"is encoded in {encoding[:6].upper()}; save it as UTF-8, or convert it")
            for encoding in ("utf-16", "utf-32")
        ),
        (b"\xfe\xff" + FIRST.decode().encode("utf-16-be"), "is encoded in UTF-16"),
    ],
)
def test_other_compressions_and_encodings_are_named(content: bytes, message: str, tmp_path: Path, run: Run) -> None:
    for name in ("a.conllu", "a.txt"):
        path = tmp_path / name
        path.write_bytes(content)
        done = run("parse", "-m", "en", path)
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(f"{path}: {message}")
    assert run("analyze", "-", stdin=content).err.startswith(f"<stdin>: {message}")


def test_a_text_may_begin_as_a_compressed_file_does(run: Run) -> None:
    assert run("parse", "-m", "en", stdin=b"BZh9 is no word. PK neither.").code == 0


def test_the_suffix_of_another_compression_is_refused(tmp_path: Path, run: Run) -> None:
    message = "bzip2 is not supported; use gzip (.gz), xz (.xz) or no compression"
    done = run("convert", "-", "-o", tmp_path / "a.conllu.bz2", stdin=FIRST)
    assert done.code == 2
    assert message in done.err
    done = run("parse", "-m", "en", "-", "-o", tmp_path / "a.conllu.bz2", stdin=FIRST)
    assert (done.code, done.err) == (1, f"{tmp_path / 'a.conllu.bz2'}: {message}\n")
    assert not list(tmp_path.iterdir())
