"""Speed and memory of reading and analysing a treebank, compared with `conllu`, `pyconll` and `udapi` in one run.

    python benchmarks/reading.py [FILE]

Every reader gets the same uncompressed file and one thread, in a new process each time, in alternating order; the
fastest of several rounds counts, after a warm-up. Without FILE: English-EWT train if ../shared/data exists, otherwise
many copies of the sample treebank.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data"
ROUNDS = 5


def read_multiplane(path: str) -> object:
    import multiplane

    return multiplane.read_conllu(path)


def read_fields_multiplane(path: str) -> object:
    import multiplane

    corpus = multiplane.read_conllu(path)
    return corpus, [corpus.column(name) for name in corpus.dialect.columns]


def analyze_multiplane(path: str) -> object:
    from multiplane.analysis import coverage
    from multiplane.formats import iterate

    return coverage(iterate(path))


def read_conllu_package(path: str) -> object:
    import conllu

    with open(path, encoding="utf-8") as file:
        return conllu.parse(file.read())


def read_pyconll(path: str) -> object:
    import pyconll

    return pyconll.load_from_file(path)


def read_udapi(path: str) -> object:
    from udapi.core.document import Document

    return Document(path)


READERS = {
    "multiplane, read": read_multiplane,
    "multiplane, read + all fields": read_fields_multiplane,
    "multiplane, read + analyse": analyze_multiplane,
    "conllu": read_conllu_package,
    "pyconll": read_pyconll,
    "udapi": read_udapi,
}


def measure_one(name: str, path: str) -> None:
    """In a new process: seconds to read once after a warm-up, and the memory of the result."""
    import psutil

    process = psutil.Process()
    reader = READERS[name]
    sample = str(ROOT / "src" / "multiplane" / "data" / "sample.conllu")
    reader(sample)  # imports and first-time costs
    before = process.memory_info().rss
    start = time.perf_counter()
    kept = reader(path)
    seconds = time.perf_counter() - start
    memory = process.memory_info().rss - before
    print(json.dumps({"seconds": seconds, "memory": memory, "kept": kept is not None}))


def treebank(folder: str) -> Path:
    """English-EWT train, or the sample treebank repeated to about the same size."""
    path = Path(folder) / "treebank.conllu"
    source = SHARED / "ud" / "en_ewt" / "train.conllu.xz"
    if source.exists():
        with lzma.open(source) as file:
            path.write_bytes(file.read())
    else:
        sample = (ROOT / "src" / "multiplane" / "data" / "sample.conllu").read_bytes()
        path.write_bytes(sample * 250)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        measure_one(arguments.one, arguments.file)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.file or str(treebank(folder))
        report(path)


def report(path: str) -> None:
    import multiplane

    tokens, size = multiplane.read_conllu(path).words, os.path.getsize(path)
    results: dict[str, list[dict[str, float]]] = {name: [] for name in READERS}
    for _ in range(ROUNDS):
        for name, rows in results.items():
            command = [sys.executable, __file__, path, "--one", name]
            rows.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    seconds = {name: min(row["seconds"] for row in rows) for name, rows in results.items()}
    memory = {name: max(row["memory"] for row in rows) for name, rows in results.items()}
    ours = seconds["multiplane, read"]
    print(f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{Path(path).name}: {tokens:,} words, {size:,} bytes; best of {ROUNDS} rounds\n")
    print("| reader | words/s | time / ours | memory / file size |\n| --- | ---: | ---: | ---: |")
    for name, best in seconds.items():
        print(f"| {name} | {tokens / best:,.0f} | {best / ours:.1f} | {memory[name] / size:.2f} |")
    fastest = min(seconds[name] for name in ("conllu", "pyconll", "udapi"))
    fields = seconds["multiplane, read + all fields"]
    print(
        f"\nreading: {fastest / ours:.1f} times as fast as the fastest of the other readers,"
        f" {fastest / fields:.1f} times with all fields"
    )


if __name__ == "__main__":
    main()
