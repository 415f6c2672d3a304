"""Tries complaints that users of spaCy, Stanza and UDPipe have filed on multiplane, and prints what happens.

    python benchmarks/complaints.py [NAME …]

Each complaint is a function that does what the issue describes, asserts what docs/complaints.md says, and returns a
line about it. Without names: all of them.
"""

from __future__ import annotations

import multiprocessing
import pickle
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import multiplane as mp
from multiplane.data import bundled_models
from multiplane.models.integrity import file_digest

COMMAND = [sys.executable, "-m", "multiplane"]
TRIES: dict[str, Callable[[Path], str]] = {}


def complaint(*issues: str) -> Callable[[Callable[[Path], str]], Callable[[Path], str]]:
    """Registers what tries the complaint of some issues; it gets an empty folder."""

    def register(function: Callable[[Path], str]) -> Callable[[Path], str]:
        function.__doc__ = ", ".join(issues)
        return TRIES.setdefault(function.__name__, function)

    return register


def memory() -> int:
    """Megabytes in use now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() >> 20


def command(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Runs the command line; no complaint may take longer than two minutes."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120, **options
    )


def conllu(rows: list[tuple[str, int, str]]) -> bytes:
    """A sentence of forms, heads and labels."""
    lines = [f"{i}\t{form}\t_\tX\t_\t_\t{head}\t{label}\t_\t_" for i, (form, head, label) in enumerate(rows, 1)]
    return ("\n".join(lines) + "\n\n").encode()


@complaint("explosion/spaCy#3618", "explosion/spaCy#285")
def memory_growth(_: Path) -> str:
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"

    def texts(count: int) -> Iterator[str]:
        for _ in range(count):
            yield " ".join("".join(rng.choices(letters, k=9)) for _ in range(10)) + "."

    parser = mp.load("en")
    seen = []
    for _ in range(5):
        assert sum(len(corpus) for corpus in parser.parse(texts(4000))) >= 4000
        seen.append(memory())
    growth = seen[-1] - seen[0]
    assert growth < 8, seen
    return f"20,000 texts of 200,000 words never seen before: {seen[0]} MB after a fifth, {seen[-1]} MB at the end"


@complaint("stanfordnlp/stanza#1472", "explosion/spaCy#5294")
def batches(_: Path) -> str:
    texts = [" ".join(sentence.forms) for sentence in mp.sample()] * 3
    parser = mp.load("en")
    alone = [parser.parse(text).to_bytes() for text in texts]
    ways = [{}, {"batch_size": 2}, {"batch_size": 50, "threads": 2}, {"threads": 3}]
    for way in ways:
        assert [corpus.to_bytes() for corpus in parser.parse(texts, **way)] == alone, way
    return f"{len(texts)} texts, alone and in {len(ways)} ways together: the same bytes"


@complaint("explosion/spaCy#10859")
def cycles(folder: Path) -> str:
    (folder / "bad.conllu").write_bytes(conllu([("A", 0, "root"), ("B", 3, "dep"), ("C", 2, "dep")]))
    start = time.perf_counter()
    done = command("train", "--train", "bad.conllu", "-o", "model", cwd=folder)
    assert done.returncode == 1
    assert "cycle" in done.stderr
    assert not (folder / "model").exists()
    return f"after {time.perf_counter() - start:.1f} s: {done.stderr.strip()}"


def _in_worker(text: str) -> list[int]:
    return PARSERS[0].parse(text)[0].heads


PARSERS: list[mp.Parser] = []
"""What processes inherit when they are forked."""


@complaint("explosion/spaCy#1572", "explosion/spaCy#7934")
def processes(_: Path) -> str:
    PARSERS[:] = [mp.load("en")]
    PARSERS[0].parse(["The dog sleeps."] * 50, threads=2)  # threads have run before the fork
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_in_worker, ["The dog sleeps."] * 100).get(60) == [[2, 3, 0, 3]] * 100
        try:
            pool.map_async(_in_worker, [""]).get(60)
        except IndexError:
            pass
        else:
            raise AssertionError("the error of a worker was lost")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map_async(PARSERS[0].parse, ["The dog sleeps."] * 10).get(60)[9][0].heads == [2, 3, 0, 3]
    return "forked and spawned processes parse; the error of one reaches its parent"


@complaint("explosion/spaCy#40", "explosion/spaCy#1725")
def start(folder: Path) -> str:
    (folder / "a.txt").write_text("The dog sleeps.\n")
    seconds = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert command("parse", "-m", "en", "a.txt", cwd=folder).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(seconds) < 1
    return f"`multiplane parse -m en` on one line, all in all: {min(seconds):.2f} s of CPU"


@complaint("explosion/spaCy#2817", "explosion/spaCy#9508")
def long_text(_: Path) -> str:
    text = "The dog sleeps in the old house. " * 31_000
    before = memory()
    seconds = time.process_time()
    parsed = mp.load("en").parse(text)
    assert len(text) > 1_000_000
    assert len(parsed) == 31_000
    assert memory() - before < 1000
    return (
        f"{len(text):,} characters: {len(parsed):,} sentences in {time.process_time() - seconds:.0f} s of CPU, "
        f"{memory() - before} MB more"
    )


@complaint("stanfordnlp/stanza#387", "stanfordnlp/stanza#1519", "stanfordnlp/stanza#992")
def long_sentence(_: Path) -> str:
    parser = mp.load("en")
    words = [token.form for sentence in mp.sample() for token in sentence]
    before = memory()
    sentences = parser.parse([(words * 30)[:20_000], *([["Go", "home", "!"]] * 49)])
    assert len(sentences) == 50
    assert sentences[0].is_tree
    more = memory() - before
    unpunctuated = parser.parse(" ".join("and so we went" for _ in range(5000)))
    longest = max(len(sentence.forms) for sentence in unpunctuated)
    assert longest <= 1000
    assert more < 1500
    return (
        f"a sentence of 20,000 words among 49 short ones: a tree, {more} MB more; 20,000 words of text without "
        f"punctuation: {len(unpunctuated)} sentences of at most {longest:,} words"
    )


class _Malicious:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (exec, ("import pathlib; pathlib.Path('it-ran').touch()",))


@complaint("stanfordnlp/stanza#1429")
def code_in_models(folder: Path) -> str:
    (folder / "a.txt").write_text("Go.\n")
    evil = pickle.dumps(_Malicious())
    said = []
    for name in ("weights.safetensors", "vocabulary.json", "config.toml"):
        model = shutil.copytree(bundled_models()["en"], folder / name)
        digest = file_digest(model / name)
        (model / name).write_bytes(evil)
        if name != "config.toml":  # the author of a model writes its digests, too
            config = (model / "config.toml").read_text()
            assert digest in config
            (model / "config.toml").write_text(config.replace(digest, file_digest(model / name)))
        done = command("parse", "-m", name, "a.txt", cwd=folder)
        assert (done.returncode, done.stdout) == (1, ""), done
        assert "Traceback" not in done.stderr
        said.append(done.stderr.strip())
    assert not (folder / "it-ran").exists()
    return f"a pickle in place of each file, with digests that agree: no code runs. {' | '.join(said)}"


@complaint("ufal/udpipe#40", "ufal/udpipe#107")
def damaged_models(folder: Path) -> str:
    shutil.copytree(bundled_models()["pt"], folder / "model")
    (folder / "a.txt").write_text("A casa.\n")
    path = folder / "model" / "weights.safetensors"
    whole = path.read_bytes()
    rng = random.Random(1)
    damaged = [whole[:size] for size in (0, 7, 1000, len(whole) // 2, len(whole) - 1)]
    places = rng.sample(range(len(whole)), 5)
    damaged += [whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in places]
    for contents in damaged:
        path.write_bytes(contents)
        done = command("parse", "-m", "model", "a.txt", cwd=folder)
        assert (done.returncode, done.stdout) == (1, ""), done
        assert "Traceback" not in done.stderr
    return f"cut short in 5 ways, and with one wrong bit in 5 places, always refused: {done.stderr.strip()}"


@complaint("ufal/udpipe#123", "stanfordnlp/stanza#1436")
def offsets(_: Path) -> str:
    text = 'It"s an example 😀 sentence. Fomos ao cinema da cidade.'
    shown = []
    for name in ("en", "pt"):
        for sentence in mp.load(name).parse(text, ranges=True):
            assert sentence.text in text
            for token in sentence:
                part = sentence.text[token.start : token.end]
                assert part, (name, token.form)
                if token.form != part:
                    shown.append(f"{token.form} ({part})")
                whole = token.misc.get("TokenRange")
                assert (whole is None) == (token.range is not None), (name, token.form)
                if whole is not None:
                    first, last = map(int, whole.split(":"))
                    assert text[first:last] == token.form, (name, token.form)
    return f"every word has a place in its sentence; those that differ from the text there: {', '.join(shown)}"


@complaint("explosion/spaCy#11388", "explosion/spaCy#235")
def line_breaks(_: Path) -> str:
    lines = ["As a depositor, I want to deposit datasets", "As a depositor, I want to have a familiar interface"]
    parser = mp.load("en")
    joined = len(parser.parse("\n".join(lines)))
    apart = len(parser.parse("\n\n".join(lines)))
    assert (joined, apart, len(parser.parse(lines))) == (1, 2, 2)
    return f"two lines without punctuation: {joined} sentence; with an empty line between them or as a list: {apart}"


@complaint("explosion/spaCy#5519", "explosion/spaCy#4567")
def crossing_arcs(folder: Path) -> str:
    rows = [("go", 0, "root"), ("AAAA", 1, "letters"), ("BBBB", 1, "letters"), ("12", 2, "of"), ("21", 3, "of")]
    (folder / "crossing.conllu").write_bytes(conllu(rows) * 20)
    corpus = mp.read_conllu(folder / "crossing.conllu")
    parsed = mp.train(corpus, epochs=5).parse(corpus)[0]
    assert parsed.heads == [head for _, head, _ in rows]
    assert not parsed.is_planar
    return f"learned from 20 copies of the tree in the issue: heads {parsed.heads}, {parsed.planarity} planes"


def main() -> None:
    for name in sys.argv[1:] or TRIES:
        with tempfile.TemporaryDirectory() as folder:
            result = TRIES[name](Path(folder))
        print(f"{name} ({TRIES[name].__doc__}):\n  {result}", flush=True)


if __name__ == "__main__":
    main()
