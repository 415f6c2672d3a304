"""Shared by the comparisons of speed: the input, parsers that alternate from file to file, and marginal speed.

A parser's *marginal* speed is the difference in words divided by the difference in time between two files, one of them
several copies of the other, so start-up and loading the model do not count.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

import udpipe
from common import Usage, cache, run, treebank

TREEBANK = "en_ewt"
MULTIPLANE = (sys.executable, "-m", "multiplane")
UDPIPE = "UDPipe, projective, beam {}"
SENTENCES = 4000
"""Sentences of train for UDPipe: a third, which takes about three minutes."""


@dataclass(frozen=True)
class Files:
    """The input: one copy, several copies, and one sentence; the same bytes under every suffix."""

    folder: Path
    words: int
    copies: int

    @classmethod
    def write(cls, folder: Path, text: bytes, words: int, copies: int, suffixes: Sequence[str] = ("conllu",)) -> Files:
        """Writes the files."""
        for suffix in suffixes:
            (folder / f"once.{suffix}").write_bytes(text)
            (folder / f"times.{suffix}").write_bytes(text * copies)
            (folder / f"sentence.{suffix}").write_bytes(text.partition(b"\n\n")[0] + b"\n\n")
        return cls(folder, words, copies)

    def path(self, name: str) -> Path:
        """The path of a file."""
        return self.folder / name


Parser = Callable[[Path, Path], Usage]
"""Parses a file into another; its suffix is the parser's own."""


@dataclass(frozen=True)
class Contestant:
    """A parser from file to file."""

    name: str
    suffix: str
    parse: Parser


class Speed(NamedTuple):
    """Words per second, by wall and by CPU time."""

    wall: float
    cpu: float

    def over(self, other: Speed) -> Speed:
        """How many times as fast as another, by each measure."""
        return Speed(self.wall / other.wall, self.cpu / other.cpu)


@dataclass(frozen=True)
class Times:
    """The runs of one contestant, after the warm-up."""

    once: list[Usage]
    times: list[Usage]

    def marginal(self, files: Files) -> Speed:
        """The marginal speed."""
        pairs = list(zip(self.once, self.times, strict=True))
        wall = median(big.wall - small.wall for small, big in pairs)
        cpu = median(big.cpu - small.cpu for small, big in pairs)
        words = files.words * (files.copies - 1)
        return Speed(words / wall, words / cpu)


def multiplane(model: Path | str, *options: str) -> Parser:
    command = [*MULTIPLANE, "parse", "-m", str(model), *options]
    return lambda source, target: run([*command, str(source), "-o", str(target)], log=sys.stderr)


def udpipe_contestant(model: Path, beam: int) -> Contestant:
    return Contestant(UDPIPE.format(beam), "conllu", lambda i, o: udpipe.parse(model, i, o, beam))


def udpipe_model(system: str, sentences: int) -> Path:
    """The model, trained if it is not in the cache."""
    model = cache("speed") / f"{TREEBANK}-{system}-{sentences}.udpipe"
    if not model.exists():
        print(f"training UDPipe on {sentences} sentences, several minutes", file=sys.stderr)
        corpus = treebank(TREEBANK, "train")
        with tempfile.TemporaryDirectory() as folder:
            source, unfinished = Path(folder, "train.conllu"), Path(folder, "model")
            source.write_bytes(b"".join(sentence.to_bytes() for sentence in corpus[:sentences]))
            udpipe.train(source, unfinished, udpipe.options(corpus, system, 1))
            model.write_bytes(unfinished.read_bytes())
    return model


def take_turns(contestants: list[Contestant], files: Files, rounds: int) -> dict[str, Times]:
    found = {contestant.name: Times([], []) for contestant in contestants}
    for number in range(rounds + 1):
        for contestant in contestants:
            for name in ("once", "times"):
                source = files.path(f"{name}.{contestant.suffix}")
                used = contestant.parse(source, files.path(f"out.{contestant.suffix}"))
                if number:
                    getattr(found[contestant.name], name).append(used)
        print(f"round {number} of {rounds}", file=sys.stderr)
    return found


def parse_only(files: Files, model: Path, rounds: int, beams: Sequence[int]) -> dict[int, float]:
    """UDPipe's words per second of CPU time, for each beam size."""
    seconds: dict[int, list[float]] = {beam: [] for beam in beams}
    for number in range(rounds + 1):
        for beam, found in seconds.items():
            used = udpipe.parse_only(model, files.path("once.conllu"), beam)
            if number:
                found.append(used)
    return {beam: files.words / median(found) for beam, found in seconds.items()}
