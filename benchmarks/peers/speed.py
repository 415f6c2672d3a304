"""Parsing speed compared with MaltParser and UDPipe 1 in one run: the same input, from file to file, one thread each.

    python benchmarks/peers/speed.py [--model MODEL] [--training] [--rounds 3] [--copies 5]

MODEL is a greedy model for `multiplane parse`, trained on English-EWT; without one, it is trained first, which takes
half a minute. With --training, a model with the default settings is trained too, and its cost is printed. The input is
English-EWT dev with gold tags, in CoNLL-X (which is also valid CoNLL-U), one copy and several. A parser's *marginal*
speed is the difference in words divided by the difference in time between the two files, so start-up and loading the
model do not count. Parsers alternate, each in a new process; the first round is a warm-up, and medians over the others
count. UDPipe's CPU time for parsing alone, without reading and writing, is also measured; the comparison at the end
uses the fastest of its figures.

MaltParser's 2-planar model is trained on EWT train (about two minutes), UDPipe's on its first sentences in one
iteration (several minutes): enough for speed, not for accuracy. The fewer sentences (--sentences), the faster UDPipe
was: about 79,000 words/s with a model of 300, 43,000 with one of 4,000. A model of all of train was not tried; if the
trend continues, a part of train makes UDPipe look faster than in practice. Both models are cached for the next run.
Needs ../shared/data and Java; see `maltparser.py` and `udpipe.py`.

On a busy machine only CPU times are meaningful; the load before the run is printed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from datetime import date
from pathlib import Path
from statistics import median

import maltparser
import udpipe
from common import DATA, Usage, cache, machine, run, treebank
from timing import (
    MULTIPLANE,
    SENTENCES,
    TREEBANK,
    UDPIPE,
    Contestant,
    Files,
    Parser,
    Speed,
    Times,
    multiplane,
    parse_only,
    take_turns,
    udpipe_contestant,
    udpipe_model,
)

STARTS = 10
OURS, MALTPARSER = "multiplane, beam 1", "MaltParser, 2-planar"
BEAMS = (udpipe.GREEDY, udpipe.BEAM)


def greedy(model: Path, threads: int = 1) -> Parser:
    return multiplane(model, "--threads", str(threads), "--beam", "1")


def train_multiplane(model: Path, *options: str) -> Usage:
    """Trains on English-EWT, as a user would from the command line."""
    folder = DATA / "ud" / TREEBANK
    files = ("--train", str(folder / "train.conllu.xz"), "--dev", str(folder / "dev.conllu.xz"))
    used = run([*MULTIPLANE, "train", *files, "-o", str(model), "--quiet", *options], log=sys.stderr)
    what = " ".join(options) or "default settings"
    print(f"training on {TREEBANK}, {what}: {used.wall:.0f} s, CPU {used.cpu:.0f} s, {used.peak / 1e6:.0f} MB\n")
    return used


def maltparser_model() -> tuple[str, Path]:
    """The name and folder of the model, trained if it is not in the cache."""
    name, folder = f"{TREEBANK}-2planar", cache("speed")
    if not (folder / f"{name}.mco").exists():
        print("training MaltParser, about two minutes", file=sys.stderr)
        maltparser.train(treebank(TREEBANK, "train"), name, "2planar", folder)
    return name, folder


def report(files: Files, found: dict[str, Times], alone: dict[int, float]) -> None:
    print("| parser | marginal words/s, wall | CPU | seconds, one copy | several copies | ours / this, wall | CPU |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    speeds = {name: times.marginal(files) for name, times in found.items()}
    ours = speeds[OURS]
    for name, times in found.items():
        wall, cpu = speeds[name]
        once, more = (median(used.wall for used in runs) for runs in (times.once, times.times))
        ratios = " | ".join(f"{ratio:.2f}" for ratio in ours.over(speeds[name]))
        print(f"| {name} | {wall:,.0f} | {cpu:,.0f} | {once:.2f} | {more:.2f} | {ratios} |")
    for beam, speed in alone.items():
        print(f"| {UDPIPE.format(beam)}, parsing alone | | {speed:,.0f} | | | | {ours.cpu / speed:.2f} |")
    print()
    summary(ours, speeds, alone)


def summary(ours: Speed, speeds: dict[str, Speed], alone: dict[int, float]) -> None:
    """The smallest ratio for each peer; ours is from file to file, even when compared with parsing alone."""
    print(f"multiplane is {min(ours.over(speeds[MALTPARSER])):.2f} times as fast as MaltParser")
    for beam, speed in alone.items():
        ratio = min(*ours.over(speeds[UDPIPE.format(beam)]), ours.cpu / speed)
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
    """Two threads against one on the long file, alternating."""
    seconds: dict[int, list[float]] = {1: [], 2: []}
    once: dict[int, list[float]] = {1: [], 2: []}
    for number in range(rounds + 1):
        for threads in seconds:
            for name, found in (("once", once), ("times", seconds)):
                used = greedy(model, threads)(files.path(f"{name}.conllu"), files.path("out.conllu"))
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
    parser.add_argument("--sentences", type=int, default=SENTENCES, help="sentences of train, for UDPipe")
    chosen = parser.parse_args()
    if not DATA.exists():
        sys.exit("needs the treebanks in ../shared/data, which were not found")
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
        contestants += [udpipe_contestant(model, beam) for beam in BEAMS]
    with tempfile.TemporaryDirectory() as folder:
        ours = chosen.model or Path(folder, "greedy")
        if not chosen.model:
            train_multiplane(ours, "--beam", "1")
        if chosen.training:
            train_multiplane(Path(folder, "default"))
        contestants.insert(0, Contestant(OURS, "conllu", greedy(ours)))
        dev = treebank(TREEBANK, "dev")
        files = Files.write(Path(folder), maltparser.conllx(dev), dev.words, chosen.copies, ("conllu", "conllx"))
        found = take_turns(contestants, files, chosen.rounds)
        alone = parse_only(files, model, chosen.rounds, BEAMS) if model else {}
        print(
            f"{TREEBANK} dev: {files.words:,} words, one copy and {files.copies}; one thread;"
            f" medians of rounds 1 to {chosen.rounds}, after a warm-up\n"
        )
        report(files, found, alone)
        report_starts(greedy(ours), files)
        report_threads(ours, files, chosen.rounds)


if __name__ == "__main__":
    main()
