"""`multiplane convert` at the command line."""

import gzip
import lzma
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.text import raw_text

Run = Callable[..., Any]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_compressed_input_needs_no_suffix(
    pack: Callable[[bytes], bytes], sample: Path, tmp_path: Path, run: Run, process: Run
) -> None:
    text = sample.read_bytes()
    (tmp_path / "packed").write_bytes(pack(text))
    assert run("convert", "-", stdin=pack(text)).raw == text
    assert run("convert", tmp_path / "packed", "--from", "conllu", "--to", "conllu").raw == text
    assert process("convert", "-", input=pack(text)).raw == text  # a pipe has no position
    cut = run("convert", "-", stdin=pack(text)[:-20])
    assert cut.code == 1
    assert cut.err.startswith("<stdin>: cannot be read: ")
    assert cut.err.endswith("; is the file complete?\n")


@pytest.mark.parametrize("name", ["out.conllu", "out.conllu.gz", "out.conllu.xz"])
def test_the_same_format_gives_the_same_bytes(name: str, sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / name
    done = run("convert", sample, "-o", target)
    assert (done.code, done.out, done.err) == (0, "", "")
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(target.suffix, bytes)
    assert unpack(target.read_bytes()) == sample.read_bytes()
    assert os.listdir(tmp_path) == [name]
    again = run("convert", target)
    assert (again.code, again.raw) == (0, sample.read_bytes())


def test_standard_input_to_standard_output(sample: Path, run: Run, process: Run) -> None:
    text = sample.read_bytes()
    assert run("convert", "-", stdin=text).raw == text
    assert run("convert", "-", "-o", "-", "--from", "conllu", "--to", "conllu", stdin=text).raw == text
    assert process("convert", "-", input=text).raw == text


def test_losses_are_reported_on_standard_error(sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / "out.conllx"
    done = run("convert", sample, "-o", target)
    assert (done.code, done.out, done.err.count("\n")) == (0, "", 1)
    assert done.err.startswith("CoNLL-X cannot hold: ")
    corpus = mp.sample()
    for kind, count in {
        "comments": sum(len(sentence.comments) for sentence in corpus),
        "multiword ranges": sum(len(sentence.ranges) for sentence in corpus),
        "empty nodes": sum(len(sentence.empty_nodes) for sentence in corpus),
        "misc": sum(field != "_" for field in corpus.column("misc")),
        "deps": sum(field != "_" for field in corpus.column("deps")),
    }.items():
        assert f"{kind} ({count:,})" in done.err
    assert mp.read(target).heads.tolist() == corpus.heads.tolist()
    quiet = run("convert", sample, "--to", "conllx", "--quiet")
    assert (quiet.code, quiet.err, quiet.raw) == (0, "", target.read_bytes())


def test_a_file_can_be_converted_in_place(sample: Path, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(sample.read_bytes())
    assert run("convert", path, "-o", path).code == 0
    assert path.read_bytes() == sample.read_bytes()


def test_a_failure_in_place_leaves_the_file_as_it_was(sample: Path, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(sample.read_bytes() + b"1\n")
    assert run("convert", path, "-o", path).code == 1
    assert path.read_bytes() == sample.read_bytes() + b"1\n"


def test_a_symbolic_link_stays_a_link(sample: Path, tmp_path: Path, run: Run) -> None:
    target, link = tmp_path / "target.conllu", tmp_path / "link.conllu"
    target.write_bytes(b"")
    link.symlink_to(target)
    assert run("convert", sample, "-o", link).code == 0
    assert link.is_symlink()
    assert target.read_bytes() == sample.read_bytes()


def test_an_existing_output_keeps_its_permissions(sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / "private.conllu"
    target.write_bytes(b"")
    target.chmod(0o600)
    assert run("convert", sample, "-o", target).code == 0
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_new_output_has_the_permissions_of_any_new_file(sample: Path, tmp_path: Path, run: Run) -> None:
    target, other = tmp_path / "out.conllu", tmp_path / "other"
    other.touch()
    assert run("convert", sample, "-o", target).code == 0
    assert target.stat().st_mode == other.stat().st_mode


@pytest.mark.parametrize("parent", ["missing", "file"])
def test_a_target_in_no_directory_is_named(parent: str, sample: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").touch()
    target = tmp_path / parent / "out.conllu"
    done = run("convert", sample, "-o", target)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"{target}: cannot be written: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_directory_is_named(sample: Path, tmp_path: Path, run: Run) -> None:
    tmp_path.chmod(0o500)
    done = run("convert", sample, "-o", tmp_path / "out.conllu")
    tmp_path.chmod(0o700)
    assert (done.code, done.out) == (1, "")
    assert done.err == f"{tmp_path / 'out.conllu'}: cannot be written: permission denied\n"


def test_a_directory_as_target_is_named(sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("convert", sample, "-o", tmp_path, "--to", "conllu")
    assert (done.code, done.err) == (1, f"{tmp_path}: cannot be written: is a directory\n")


def test_a_full_device_as_target_is_named(sample: Path, run: Run) -> None:
    done = run("convert", sample, "-o", "/dev/full", "--to", "conllu")
    assert (done.code, done.err) == (1, "/dev/full: cannot be written: no space left on device\n")


def test_an_unknown_target_suffix_is_wrong_usage_as_for_draw(sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("convert", sample, "-o", tmp_path / "out.foo")
    assert done.code == 2
    assert "--to" in done.err
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout")
def test_standard_output_by_name_is_written_and_not_replaced(sample: Path, tmp_path: Path, process: Run) -> None:
    with open(tmp_path / "out", "ab") as out:
        out.write(b"before\n")
        out.flush()
        assert process("convert", sample, "-o", "/dev/stdout", "--to", "conllu", stdout=out).code == 0
    assert (tmp_path / "out").read_bytes() == b"before\n" + sample.read_bytes()
    assert process("convert", sample, "-o", "/dev/stdout", "--to", "conllu").raw == sample.read_bytes()


@pytest.mark.parametrize("name", ["out.txt", "OUT.TEXT", "out.txt.gz", "out"])
def test_text_is_that_of_the_paragraphs(name: str, sample: Path, tmp_path: Path, run: Run) -> None:
    given = [] if "." in name else ["--to", "text"]
    assert run("convert", sample, "-o", tmp_path / name, *given).code == 0
    written = (tmp_path / name).read_bytes()
    assert (gzip.decompress(written) if name.endswith(".gz") else written).decode() == raw_text(mp.sample()) + "\n"


CONTRACTION = """1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tde\t_\t_\t_\t_\t0\troot\t_\t_
2\tle\t_\t_\t_\t_\t1\tdep\t_\t_
2.1\tgone\t_\t_\t_\t_\t_\t_\t1:dep\t_
3\t!\t_\t_\t_\t_\t1\tpunct\t_\t_

"""


def test_text_without_comments_has_the_tokens_and_their_spaces(run: Run) -> None:
    done = run("convert", "-", "--to", "text", stdin=(CONTRACTION + "# newpar\n" + CONTRACTION).encode())
    assert (done.code, done.out) == (0, "du!\n\ndu!\n")


def test_text_has_no_trees_to_change(sample: Path, run: Run) -> None:
    done = run("convert", sample, "--to", "text", "--projectivize", "head")
    assert done.code == 2
    assert "text has no trees; drop --to text or the options that change them" in done.err
