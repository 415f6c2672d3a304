"""Speed of parsing beside MaltParser and UDPipe 1, in one run: the same input, file in to file out, one thread each.

    python benchmarks/peers/speed.py [--model MODEL] [--training] [--rounds 3] [--copies 5]

MODEL is a greedy model for `multiplane parse`, trained on English-EWT; without one, it is trained first, which takes
half a minute. With --training, a model with the default settings is trained too, and what that takes is told. The input
is English-EWT dev with gold tags, in CoNLL-X (which is valid CoNLL-U too), once and several times over. A parser's
*marginal* speed is the difference in words over the difference in time between the two files, so that start-up and the
loading of the model do not count. Every parser runs in a process of its own, in turns; the first round warms up and is
dropped, and medians over the others count. UDPipe's CPU time for parsing alone, without reading and writing, is
measured besides; the comparison at the end is with the fastest of its figures.

MaltParser's 2-planar model is trained on EWT train (about two minutes), UDPipe's on its first sentences in one
iteration (some minutes): enough for speed, not for accuracy. The fewer sentences (--sentences), the faster UDPipe was:
about 79,000 words/s with a model of 300, 43,000 with one of 4,000. A model of all of train was not tried; if that goes
on, a part of train makes UDPipe look faster than it would be in use. Both models are kept in the cache for the next
run. Needs ../shared/data and Java; see `maltparser.py` and `udpipe.py`.

On a busy machine only the CPU times mean something; the load before the run is printed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median

import maltparser
import udpipe
from common import DATA, Usage, cache, machine, run, treebank

from multiplane.formats import Corpus

TREEBANK = "en_ewt"
MULTIPLANE = (sys.executable, "-m", "multiplane")
STARTS = 10
OURS, MALTPARSER, UDPIPE = "multiplane, beam 1", "MaltParser, 2-planar", "UDPipe, projective, beam {}"
SENTENCES = 4000
"""Of train, for UDPipe: a third, which takes it about three minutes."""


@dataclass(frozen=True)
class Files:
    """The input, once and several times over, and one sentence of it; under both suffixes, with the same bytes."""

    folder: Path
    words: int
    copies: int

    @classmethod
    def write(cls, folder: Path, dev: Corpus, copies: int) -> Files:
        """Writes them."""
        text = maltparser.conllx(dev)
        for suffix in ("conllu", "conllx"):
            (folder / f"once.{suffix}").write_bytes(text)
            (folder / f"times.{suffix}").write_bytes(text * copies)
            (folder / f"sentence.{suffix}").write_bytes(text.partition(b"\n\n")[0] + b"\n\n")
        return cls(folder, dev.words, copies)

    def path(self, name: str) -> Path:
        """The path of one."""
        return self.folder / name


Parser = Callable[[Path, Path], Usage]
"""Parses a file into another; its suffix is the parser's own."""


@dataclass(frozen=True)
class Contestant:
    """A parser from file to file."""

    name: str
    suffix: str
    parse: Parser


@dataclass(frozen=True)
class Times:
    """One contestant's runs, after the one that warms up."""

    once: list[Usage]
    times: list[Usage]

    def marginal(self, files: Files, kind: str) -> float:
        """Words per second, by wall or by cpu time, start-up not counted."""
        more = [getattr(big, kind) - getattr(small, kind) for small, big in zip(self.once, self.times, strict=True)]
        return files.words * (files.copies - 1) / float(median(more))


def multiplane(model: Path, threads: int) -> Parser:
    options = ("-m", str(model), "--threads", str(threads), "--beam", "1")
    return lambda source, target: run([*MULTIPLANE, "parse", *options, str(source), "-o", str(target)], log=sys.stderr)


def train_multiplane(model: Path, *options: str) -> Usage:
    """Trains on English-EWT, as a user would from the command line."""
    folder = DATA / "ud" / TREEBANK
    files = ("--train", str(folder / "train.conllu.xz"), "--dev", str(folder / "dev.conllu.xz"))
    used = run([*MULTIPLANE, "train", *files, "-o", str(model), "--quiet", *options], log=sys.stderr)
    what = " ".join(options) or "default settings"
    print(f"training on {TREEBANK}, {what}: {used.wall:.0f} s, CPU {used.cpu:.0f} s, {used.peak / 1e6:.0f} MB\n")
    return used


def maltparser_model() -> tuple[str, Path]:
    """The name and the folder of the model, trained where it is not in the cache."""
    name, folder = f"{TREEBANK}-2planar", cache("speed")
    if not (folder / f"{name}.mco").exists():
        print("training MaltParser, about two minutes", file=sys.stderr)
        maltparser.train(treebank(TREEBANK, "train"), name, "2planar", folder)
    return name, folder


def udpipe_model(system: str, sentences: int) -> Path:
    """The model, trained where it is not in the cache."""
    model = cache("speed") / f"{TREEBANK}-{system}-{sentences}.udpipe"
    if not model.exists():
        print(f"training UDPipe on {sentences} sentences, some minutes", file=sys.stderr)
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


def parse_only(files: Files, model: Path, rounds: int) -> dict[int, float]:
    """UDPipe's words per second of CPU time, for each size of the beam."""
    seconds: dict[int, list[float]] = {udpipe.GREEDY: [], udpipe.BEAM: []}
    for number in range(rounds + 1):
        for beam, found in seconds.items():
            used = udpipe.parse_only(model, files.path("once.conllu"), beam)
            if number:
                found.append(used)
    return {beam: files.words / median(found) for beam, found in seconds.items()}


def report(files: Files, found: dict[str, Times], alone: dict[int, float]) -> None:
    print("| parser | marginal words/s, wall | CPU | seconds, once | several times | ours / this, wall | CPU |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    speeds = {name: tuple(times.marginal(files, kind) for kind in ("wall", "cpu")) for name, times in found.items()}
    ours = speeds[OURS]
    for name, times in found.items():
        wall, cpu = speeds[name]
        once, more = (median(used.wall for used in runs) for runs in (times.once, times.times))
        ratios = f"{ours[0] / wall:.2f} | {ours[1] / cpu:.2f}"
        print(f"| {name} | {wall:,.0f} | {cpu:,.0f} | {once:.2f} | {more:.2f} | {ratios} |")
    for beam, speed in alone.items():
        print(f"| {UDPIPE.format(beam)}, parsing alone | | {speed:,.0f} | | | | {ours[1] / speed:.2f} |")
    print()
    summary(ours, speeds, alone)


def summary(ours: tuple[float, ...], speeds: dict[str, tuple[float, ...]], alone: dict[int, float]) -> None:
    """The smallest of the ratios to each peer; ours is from file to file, also beside parsing alone."""

    def smallest(name: str) -> float:
        return min(mine / other for mine, other in zip(ours, speeds[name], strict=True))

    print(f"multiplane is {smallest(MALTPARSER):.2f} times as fast as MaltParser")
    for beam, speed in alone.items():
        ratio = min(smallest(UDPIPE.format(beam)), ours[1] / speed)
        print(
            f"multiplane, beam 1, is {ratio:.2f} times as fast as UDPipe with beam {beam}, by the faster of its figures"
        )


def report_starts(parse: Parser, files: Files) -> None:
    source, target = files.path("sentence.conllu"), files.path("out.conllu")
    parse(source, target)
    used = [parse(source, target) for _ in range(STARTS)]
    wall, cpu = (1000 * median(getattr(one, kind) for one in used) for kind in ("wall", "cpu"))
    print(f"multiplane, one sentence, start-up included: {wall:.0f} ms, CPU {cpu:.0f} ms (medians of {STARTS})")


def report_threads(model: Path, files: Files, rounds: int) -> None:
    """Two threads against one on the long file, in turns."""
    seconds: dict[int, list[float]] = {1: [], 2: []}
    once: dict[int, list[float]] = {1: [], 2: []}
    for number in range(rounds + 1):
        for threads in seconds:
            for name, found in (("once", once), ("times", seconds)):
                used = multiplane(model, threads)(files.path(f"{name}.conllu"), files.path("out.conllu"))
                if number:
                    found[threads].append(used.wall)
    whole = median(seconds[1]) / median(seconds[2])
    more = {
        threads: median(big - small for small, big in zip(once[threads], seconds[threads], strict=True))
        for threads in seconds
    }
    print(f"multiplane, 2 threads against 1: {whole:.2f} times as fast with start-up, {more[1] / more[2]:.2f} marginal")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, help="a greedy model for `multiplane parse`")
    parser.add_argument(
        "--training", action="store_true", help="also train with the default settings, about two minutes"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--copies", type=int, default=5)
    parser.add_argument("--sentences", type=int, default=SENTENCES, help="of train, for UDPipe")
    chosen = parser.parse_args()
    if not DATA.exists():
        sys.exit("needs ../shared/data, which is not here")
    if chosen.rounds < 1 or chosen.copies < 2:
        parser.error("at least one round and two copies")
    version = udpipe.installed()
    udpipe_version = f"UDPipe {version}" if version else "no UDPipe (ufal.udpipe is not installed)"
    print(
        f"{date.today()}, {machine()}, load {os.getloadavg()[0]:.1f}; MaltParser {maltparser.VERSION}, {udpipe_version}"
    )
    name, workdir = maltparser_model()
    contestants = [Contestant(MALTPARSER, "conllx", lambda i, o: maltparser.parse(name, i, o, workdir))]
    model = udpipe_model("projective", chosen.sentences) if version else None
    if model:
        contestants += [udpipe_contestant(model, beam) for beam in (udpipe.GREEDY, udpipe.BEAM)]
    with tempfile.TemporaryDirectory() as folder:
        ours = chosen.model or Path(folder, "greedy")
        if not chosen.model:
            train_multiplane(ours, "--beam", "1")
        if chosen.training:
            train_multiplane(Path(folder, "default"))
        contestants.insert(0, Contestant(OURS, "conllu", multiplane(ours, 1)))
        files = Files.write(Path(folder), treebank(TREEBANK, "dev"), chosen.copies)
        found = take_turns(contestants, files, chosen.rounds)
        alone = parse_only(files, model, chosen.rounds) if model else {}
        print(
            f"{TREEBANK} dev: {files.words:,} words, once and {files.copies} times over; one thread;"
            f" medians of rounds 1 to {chosen.rounds}, after one that warms up\n"
        )
        report(files, found, alone)
        report_starts(multiplane(ours, 1), files)
        report_threads(ours, files, chosen.rounds)


def udpipe_contestant(model: Path, beam: int) -> Contestant:
    return Contestant(UDPIPE.format(beam), "conllu", lambda i, o: udpipe.parse(model, i, o, beam))


if __name__ == "__main__":
    main()
