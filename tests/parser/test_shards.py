"""Many files into a folder: each once, whole or not at all, and again only if something changed."""

import gzip
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import multiplane as mp
from conftest import Outcome
from multiplane.parser.manifest import MANIFEST, open_manifest
from multiplane.parser.shards import ATTEMPTS, Done, Failed, LocalEngine, Shard, parse_shards

TEXT = "She left the house. He didn't stay.\n"


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    """A folder of six files: texts and treebanks, compressed and not."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.txt").write_text(TEXT * (number + 1))
    with gzip.open(folder / "z.txt.gz", "wt") as file:
        file.write(TEXT)
    mp.write(mp.sample(), folder / "sample.conllu")
    mp.write(mp.sample(), folder / "xz.conllu.xz")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def names(folder: Path) -> list[str]:
    return [json.loads(line)["output"] for line in (folder / MANIFEST).read_text().splitlines()]


def test_outputs_are_those_of_single_files_whatever_the_threads(
    run: Callable[..., Outcome], shards: Path, tmp_path: Path
):
    for threads in (1, 2, 13):
        done = run("parse", "-m", "en", f"{shards}/*", "-o", tmp_path / f"out{threads}", "--threads", threads)
        assert (done.code, done.err) == (
            0,
            f"{tmp_path / f'out{threads}'}: 6 files parsed (144 sentences, 1,498 words)\n",
        )
    out = contents(tmp_path / "out1")
    assert sorted(out) == [
        "0.conllu",
        "1.conllu",
        "2.conllu",
        MANIFEST,
        "sample.conllu",
        "xz.conllu.xz",
        "z.conllu.gz",
    ]
    assert out == contents(tmp_path / "out2") == contents(tmp_path / "out13")
    for name, output in (("1.txt", "1.conllu"), ("sample.conllu", "sample.conllu"), ("z.txt.gz", "z.conllu.gz")):
        alone = tmp_path / output
        assert run("parse", "-m", "en", shards / name, "-o", alone).code == 0
        assert alone.read_bytes() == out[output]


def test_a_second_run_does_nothing_and_loads_no_model(shards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    files, out = sorted(map(str, shards.iterdir())), tmp_path / "out"
    assert parse_shards(files, out, "en").parsed == 6
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in out.iterdir()}
    monkeypatch.setattr("multiplane.parser.shards.load", None)
    assert parse_shards(files, out, "en")[:2] == (0, 6)
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in out.iterdir()} == before


def test_what_changed_is_done_again(shards: Path, tmp_path: Path, model: Path):
    files, out = sorted(map(str, shards.glob("*.conllu*"))), tmp_path / "out"
    own = tmp_path / "model"
    shutil.copytree(model, own)
    assert parse_shards(files, out, own)[:2] == (2, 0)
    os.utime(files[0], ns=(1, 1))
    assert parse_shards(files, out, own)[:2] == (1, 1)
    (out / "sample.conllu").write_bytes(b"cut off")
    assert parse_shards(files, out, own)[:2] == (1, 1)
    (out / "sample.conllu").unlink()
    assert parse_shards(files, out, own)[:2] == (1, 1)
    assert parse_shards(files, out, own, {"beam": 2})[:2] == (2, 0)
    assert parse_shards(files, out, own)[:2] == (2, 0)
    shutil.rmtree(own)
    mp.train(mp.sample(), epochs=1, seed=2).save(own)
    assert parse_shards(files, out, own)[:2] == (2, 0)
    mp.write(mp.sample(), shards / "new.conllu")
    assert parse_shards([*files, str(shards / "new.conllu")], out, own)[:2] == (1, 2)


def test_a_broken_file_is_left_out_and_the_others_go_on(run: Callable[..., Outcome], shards: Path, tmp_path: Path):
    (shards / "bad.conllu").write_text("1\tGo\n")
    (shards / "gone.conllu").symlink_to(shards / "nowhere")
    (shards / "cut.txt.gz").write_bytes((shards / "z.txt.gz").read_bytes()[:30])
    out = tmp_path / "out"
    done = run("parse", "-m", "en", f"{shards}/*", "-o", out, "--threads", 2)
    assert done.code == 1
    lines = done.err.splitlines()
    assert lines[0].startswith(f"{shards}/bad.conllu:1: sentence 1: 2 columns instead of 10")
    assert lines[1] == (
        f"{shards}/cut.txt.gz: cannot be read: compressed file ended before the end-of-stream marker was reached; "
        "is the file complete? (left out)"
    )
    assert lines[2] == f"{shards}/gone.conllu: cannot be read: no such file or directory (left out)"
    assert lines[3] == f"{out}: 6 files parsed (144 sentences, 1,498 words), 3 left out"
    assert len(names(out)) == 6
    assert not [name for name in contents(out) if name.startswith((".", "bad", "cut", "gone"))]
    (shards / "bad.conllu").write_bytes(mp.sample()[0].to_bytes())
    again = run("parse", "-m", "en", f"{shards}/[!cg]*", "-o", out)
    assert (again.code, again.err) == (
        0,
        f"{out}: 1 file parsed (1 sentence, 6 words), 6 finished before\n",
    )


def test_a_changed_input_that_fails_leaves_no_old_output(shards: Path, tmp_path: Path):
    out, file = tmp_path / "out", shards / "sample.conllu"
    assert parse_shards([str(file)], out, "en").parsed == 1
    file.write_text("1\tGo\n")
    assert len(parse_shards([str(file)], out, "en").failed) == 1
    assert sorted(contents(out)) == [MANIFEST]
    assert names(out) == []


def test_a_shard_that_fails_now_and_then_is_tried_again(shards: Path, tmp_path: Path):
    calls: list[str] = []

    class Unlucky(LocalEngine):
        def next(self) -> tuple[Shard, Done | Failed]:
            shard, result = super().next()
            calls.append(shard.source)
            bad_luck = calls.count(shard.source) < ATTEMPTS and shard.source.endswith("1.txt")
            return shard, Failed("bad luck") if bad_luck else result

    files = sorted(map(str, shards.iterdir()))
    plain, unlucky = tmp_path / "plain", tmp_path / "unlucky"
    parse_shards(files, plain, "en")
    report = parse_shards(files, unlucky, "en", engine=lambda *rest: Unlucky(*rest, threads=2))
    assert report[:3] == (6, 0, ())
    assert len(calls) == 6 + ATTEMPTS - 1
    assert contents(unlucky) == contents(plain)


def test_a_run_that_was_stopped_goes_on_where_it_was(shards: Path, tmp_path: Path):
    files, out = sorted(map(str, shards.iterdir())), tmp_path / "out"
    seen = []

    def stop(shard: Shard, result: Done | Failed) -> None:
        seen.append(shard)
        if len(seen) == 3:
            raise KeyboardInterrupt

    for threads in (1, 2):
        seen.clear()
        with pytest.raises(KeyboardInterrupt):
            parse_shards(files, out, "en", threads=threads, progress=stop)
        assert len(names(out)) == 3
        assert not list(out.glob(".*"))
        assert parse_shards(files, out, "en")[:2] == (3, 3)
        shutil.rmtree(out)


def test_a_killed_run_leaves_a_journal_that_the_next_one_reads(shards: Path, tmp_path: Path):
    files, out = sorted(map(str, shards.iterdir())), tmp_path / "out"
    parse_shards(files, out, "en")
    whole = contents(out)
    lines = (out / MANIFEST).read_bytes().splitlines(keepends=True)
    (out / MANIFEST).write_bytes(b"".join(reversed(lines[2:])) + lines[1][:50])
    (out / ".multiplane-0123456789abcdef.tmp").write_bytes(b"half of it")
    assert parse_shards(files, out, "en")[:2] == (2, 4)
    assert contents(out) == whole


def test_files_of_the_same_name_keep_their_folders(
    run: Callable[..., Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for name in ("x/a.txt", "y/a.txt", "y/z/b.txt", "c.txt"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXT)
    command = ("parse", "-m", "en", "in/**/*.txt", "-o", "out")
    assert run(*command).err == "out: 4 files parsed (8 sentences, 40 words)\n"
    out = tmp_path / "out"
    assert names(out) == ["c.conllu", "x/a.conllu", "y/a.conllu", "y/z/b.conllu"]
    assert {(out / name).read_bytes() for name in names(out)} == {(out / "c.conllu").read_bytes()}
    assert run(*command).err == "out: 0 files parsed, 4 finished before\n"


def test_two_runs_cannot_write_to_one_folder(shards: Path, tmp_path: Path):
    pytest.importorskip("fcntl")
    with (
        open_manifest(tmp_path / "out"),
        pytest.raises(mp.InputError, match="another run is writing to this folder"),
    ):
        parse_shards([str(shards / "0.txt")], tmp_path / "out", "en")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["in/0.txt", "in/1.txt"], 2, "name the files to parse, and a folder"),
        (["in/*.txt"], 2, "name the files to parse, and a folder"),
        (["in/*.doc", "-o", "out"], 1, "in/*.doc: matches no file"),
        (["in/0.txt", "in/sample.conllu", "-o", "in/1.txt"], 1, "in/1.txt: is a file; several files are parsed"),
        (["in/*.conllu", "-o", "in"], 1, "would be replaced by its own output"),
        (
            ["in/0.txt", "in/0.conllu", "-o", "out"],
            1,
            "in/0.txt and in/0.conllu: both would be written to out/0.conllu",
        ),
        (["in/0.txt", "-", "-o", "out"], 1, "<stdin>: cannot be parsed into a folder"),
        (["in/0.txt", "--workers", "2"], 2, "--workers and --address need --engine ray"),
    ],
)
def test_wrong_usage_says_what_to_do(
    run: Callable[..., Outcome],
    shards: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
):
    monkeypatch.chdir(shards.parent)
    done = run("parse", "-m", "en", *arguments)
    assert done.code == code
    assert message in done.err
    assert not Path("out").exists()


def test_options_reach_every_file(run: Callable[..., Outcome], shards: Path, tmp_path: Path):
    out = tmp_path / "out"
    done = run("parse", "-m", "en", shards / "0.txt", "-o", f"{out}/", "--scores", "--lines", "--tokenizer", "spaces")
    assert done.code == 0
    text = (out / "0.conllu").read_text()
    assert "\thouse.\t" in text
    assert "Score=" in text
    refused = run("parse", "-m", "en", shards / "0.txt", "-o", out, "--scores", "--keep-predicates")
    assert (refused.code, "drop --keep-predicates" in refused.err) == (2, True)


def test_skipped_sentences_are_reported(run: Callable[..., Outcome], shards: Path, tmp_path: Path):
    (shards / "sample.conllu").write_bytes(mp.sample()[0].to_bytes() + b"1\tGo\n\n")
    done = run("parse", "-m", "en", f"{shards}/sample*", "-o", tmp_path / "out", "--on-error", "skip")
    assert done.code == 0
    assert "(skipped)" in done.err


def test_parquet_keeps_its_rows_and_gets_trees(run: Callable[..., Outcome], tmp_path: Path):
    pq = pytest.importorskip("pyarrow.parquet")
    import pyarrow as pa  # noqa: PLC0415

    texts = [TEXT, None, "", "Go home!"]
    for name in ("a", "b"):
        pq.write_table(pa.table({"id": [1, 2, 3, 4], "body": texts}), tmp_path / f"{name}.parquet")
    (tmp_path / "c.parquet").write_bytes(b"PAR1")
    files = f"{tmp_path}/*.parquet"
    done = run("parse", "-m", "en", files, "-o", tmp_path / "out", "--column", "body")
    assert done.code == 1
    assert "c.parquet: cannot be read" in done.err
    table = pq.read_table(tmp_path / "out" / "a.parquet").to_pydict()
    expected = [None if text is None else mp.load("en").parse(text).to_bytes().decode() for text in texts]
    assert table == {"id": [1, 2, 3, 4], "body": texts, "conllu": expected}
    wrong = run("parse", "-m", "en", tmp_path / "a.parquet", "-o", f"{tmp_path}/wrong/")
    assert "has no column 'text'; name the one that holds texts with --column: id, body" in wrong.err
    wrong = run("parse", "-m", "en", tmp_path / "a.parquet", "-o", f"{tmp_path}/wrong/", "--column", "id")
    assert "the column 'id' is not text" in wrong.err
