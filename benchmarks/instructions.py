"""Instruction counts of parsing, oracles and training: has a change made them slower?

    python benchmarks/instructions.py [--other PYTHON] [--sentences N]

Prints a Markdown table: instructions per word of feature-based parsing, greedy and with a beam, of the bundled neural
model, of static oracles, of dynamic oracles along a derivation, and of one epoch of perceptron training. With the
interpreter of another checkout (`--other ../before/.venv/bin/python`), the same is counted there, and the last column
is the ratio; 1.03 is 3 % more here. Only public names are used, so the two checkouts may be of different ages. The
treebank is the beginning of English-EWT dev if ../shared/data exists, otherwise the sample. Needs Valgrind; takes a few
minutes per checkout.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import NamedTuple

import multiplane as mp
from counting import counted, instructions

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
STATIC = ("2-planar", "2-planar-eager", "arc-eager", "arc-hybrid", "swap", "covington")
DYNAMIC = ("2-planar", "2-planar-eager", "arc-eager", "arc-hybrid")
MODELS = {"greedy": 1, "beam of 8": 8}
"""Feature-based models, and their beam size in training."""


def treebank(sentences: int) -> bytes:
    """The first sentences of English-EWT dev, or of the sample, repeated as needed."""
    source = SHARED / "ud" / "en_ewt" / "dev.conllu.xz"
    corpus = mp.read(source) if source.exists() else mp.sample()
    texts = [sentence.to_bytes() for sentence in corpus]
    return b"".join((texts * (sentences // len(texts) + 1))[:sentences])


def parse(parser: mp.Parser, corpus: mp.Corpus) -> None:
    parser.parse_stream(io.BytesIO(corpus.to_bytes()), io.BytesIO(), format="conllu")


def costs(name: str, corpus: mp.Corpus) -> None:
    """Computes the costs in every configuration of the static oracle's derivations."""
    static, dynamic = mp.oracle(name), mp.oracle(name, dynamic=True)
    for sentence in corpus:
        configuration = mp.systems[name].initial(len(sentence))
        for transition in static.sequence(sentence.graph):
            dynamic.costs(configuration, sentence.graph)
            configuration = configuration.apply(transition)


class Job(NamedTuple):
    """A job whose instructions are counted."""

    words: int
    do: Callable[[], object]


def jobs(folder: Path) -> dict[str, Job]:
    """The jobs to count; each has run once, so that nothing is initialised while counting."""
    text = (folder / "treebank.conllu").read_bytes()
    corpus = mp.read_conllu(io.BytesIO(text))
    few, one = (mp.read_conllu(io.BytesIO(b"".join(s.to_bytes() for s in corpus[:n]))) for n in (len(corpus) // 5, 1))
    parsers = {name: mp.load(folder / name) for name in MODELS} | {"neural, en": mp.load("en")}
    work: dict[str, tuple[Callable[[mp.Corpus], object], mp.Corpus]] = {}
    work |= {f"parsing, {name}": (partial(parse, parser), corpus) for name, parser in parsers.items()}
    work |= {f"static oracle, {name}": (mp.oracle(name).statistics, corpus) for name in STATIC}
    work |= {f"dynamic oracle, {name}": (partial(costs, name), few) for name in DYNAMIC}
    work |= {f"training, {name}": (partial(mp.train, epochs=1, beam=beam), corpus) for name, beam in MODELS.items()}
    for do, _ in work.values():
        do(one)
    return {name: Job(treebank.words, partial(do, treebank)) for name, (do, treebank) in work.items()}


def prepare(folder: Path) -> None:
    """Trains the models to parse with, in the checkout that is counted; not counted itself."""
    corpus = mp.read_conllu(folder / "treebank.conllu")
    for name, beam in MODELS.items():
        mp.train(corpus, epochs=2, beam=beam).save(folder / name)


def count(folder: Path) -> None:
    """In a process under Valgrind: runs every job within the call that Valgrind counts."""
    every = jobs(folder)
    (folder / "jobs.json").write_text(json.dumps({name: job.words for name, job in every.items()}))
    for job in every.values():
        counted(job.do)


def side(python: str, text: bytes) -> dict[str, float]:
    """The instructions per word of every job, with one interpreter and its package."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "treebank.conllu").write_bytes(text)
        subprocess.run([python, __file__, "--prepare", name], check=True)
        found = instructions([__file__, "--count", name], folder, python)
        words = json.loads((folder / "jobs.json").read_text())
        totals = found[-len(words) :]  # the calls before are those of imports
        return {name: total / words[name] for name, total in zip(words, totals, strict=True)}


def report(other_python: str | None, sentences: int) -> None:
    """Prints the table."""
    if not shutil.which("valgrind"):
        sys.exit("instructions.py: needs Valgrind, which was not found; install it")
    text = treebank(sentences)
    corpus = mp.read_conllu(io.BytesIO(text))
    print(f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{len(corpus):,} sentences, {corpus.words:,} words\n")
    here = side(sys.executable, text)
    there = side(other_python, text) if other_python else {}
    heading = " other | ratio |" if there else ""
    print(f"| work | instructions per word |{heading}\n| --- | ---: |{' ---: | ---: |' if there else ''}")
    for name, each in here.items():
        other = f" {there[name]:,.0f} | {each / there[name]:.3f} |" if there else ""
        print(f"| {name} | {each:,.0f} |{other}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--other", metavar="PYTHON", help="the interpreter of another checkout")
    parser.add_argument("--sentences", type=int, default=100, help="number of sentences (100)")
    parser.add_argument("--count", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--prepare", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.count:
        count(arguments.count)
    elif arguments.prepare:
        prepare(arguments.prepare)
    else:
        report(arguments.other, arguments.sentences)


if __name__ == "__main__":
    main()
