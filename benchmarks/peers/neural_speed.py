"""Speed of neural parsers, spaCy, SuPar and UDPipe 1 in one run: the same input, from file to file, one thread.

    python benchmarks/peers/neural_speed.py --model MODEL [--fast MODEL] [--bundled MODEL] [--rounds 3] [--copies 3]

--model is a neural model of the default preset, --fast one of the fast preset, both trained on English-EWT; --bundled
is a path or the name of a bundled model, whose loading time and memory are measured. The input is English-EWT dev, gold
tokens and tags, one copy and several. Parsers alternate, each in a new process; the first round is a warm-up, and
medians over the others count. Speed is marginal, as in `timing.py`: start-up and loading do not count. UDPipe's CPU
time for parsing alone is also measured, and the comparison at the end uses the faster of its figures.

The peers have their usual architectures, but little or no training: enough for speed, not for accuracy; see
`spacy_peer.py`, `supar_peer.py` and `udpipe.py`. Their models are cached for the next run; the first time, spaCy's
takes about two minutes and UDPipe's three. Peers that are not installed are skipped; MULTIPLANE_SPACY_PYTHON,
MULTIPLANE_SUPAR_PYTHON and MULTIPLANE_UDPIPE_PYTHON name the interpreters that have them. Needs ../shared/data.

On a busy machine only CPU times are meaningful; the load before and after the rounds is printed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median

import ours
import spacy_peer
import supar_peer
import udpipe
from common import DATA, Peer, Usage, cache, machine, treebank
from timing import (
    SENTENCES,
    TREEBANK,
    UDPIPE,
    Contestant,
    Files,
    Speed,
    multiplane,
    parse_only,
    take_turns,
    udpipe_contestant,
    udpipe_model,
)

from multiplane.data import bundled_models

DEFAULT, FAST = "multiplane, default", "multiplane, fast"
SPACY, SUPAR, GREEDY = "spaCy, CNN", "SuPar, biaffine", UDPIPE.format(udpipe.GREEDY)
STARTS = 5
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"), "1")


def peer_model(name: str, make: Callable[[Path, Path], Usage]) -> Path:
    """The model of a peer, built from EWT train if it is not in the cache."""
    model = cache("speed") / name
    if not model.exists():
        print(f"making {name}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            source, unfinished = Path(folder, "train.conllu"), Path(folder, name)
            source.write_bytes(udpipe.conllu(treebank(TREEBANK, "train")))
            make(source, unfinished)
            shutil.move(unfinished, model)
    return model


def present(peer: Peer) -> str | None:
    """The package and version of a peer; prints what to do if it is not installed."""
    version = peer.version()
    if not version:
        print(f"skipping {peer.package}, which is not installed; set {peer.variable} to a Python that has it")
    return version and f"{peer.package}-{version}"


def contestants(model: Path, fast: Path | None) -> list[Contestant]:
    """All parsers except UDPipe."""
    found = [Contestant(DEFAULT, "conllu", multiplane(model))]
    if fast:
        found.append(Contestant(FAST, "conllu", multiplane(fast)))
    if version := present(spacy_peer.PEER):
        spacy = peer_model(f"{TREEBANK}-{version}", spacy_peer.train)
        found.append(Contestant(SPACY, "conllu", lambda i, o: spacy_peer.parse(spacy, i, o)))
    if version := present(supar_peer.PEER):
        supar = peer_model(f"{TREEBANK}-{version}", supar_peer.build)
        found.append(Contestant(SUPAR, "conllu", lambda i, o: supar_peer.parse(supar, i, o)))
    return found


def report(speeds: dict[str, Speed], alone: float | None) -> None:
    """Prints the table; ratios are multiplane's speed divided by that of the row."""
    mine = [name for name in (DEFAULT, FAST) if name in speeds]
    ratios = " | ".join(f"{name.rpartition(' ')[2]} / this, wall | CPU" for name in mine)
    print(f"| parser | marginal words/s, wall | CPU | {ratios} |")
    print("| --- |" + " ---: |" * (2 + 2 * len(mine)))
    for name, speed in speeds.items():
        figures = [f"{speed.wall:,.0f}", f"{speed.cpu:,.0f}"]
        figures += [f"{ratio:.2f}" for our in mine for ratio in speeds[our].over(speed)]
        print(f"| {name} | {' | '.join(figures)} |")
    if alone:
        figures = ["", f"{alone:,.0f}"]
        for our in mine:
            figures += ["", f"{speeds[our].cpu / alone:.2f}"]
        print(f"| {GREEDY}, parsing alone | {' | '.join(figures)} |")
    print()


def summary(speeds: dict[str, Speed], alone: float | None) -> None:
    """The smallest ratio for each peer; ours is from file to file, even when compared with parsing alone."""
    for our, peer in ((DEFAULT, SPACY), (DEFAULT, SUPAR), (FAST, GREEDY)):
        if our in speeds and peer in speeds:
            ratios = [*speeds[our].over(speeds[peer])]
            if peer == GREEDY and alone:
                ratios.append(speeds[our].cpu / alone)
            print(f"{our}: {min(ratios):.2f} times as fast as {peer}, by the faster of its figures")


def report_sentences(models: dict[str, Path], files: Files, rounds: int) -> None:
    for name, model in models.items():
        found = ours.sentences(str(model), str(files.path("once.conllu")), rounds)
        single, batched = Speed(*found["sentence"]), Speed(*found["corpus"])
        ratio = single.over(batched)
        print(
            f"{name}, one sentence at a time: {single.cpu:,.0f} words/s of CPU time, all at once {batched.cpu:,.0f};"
            f" {ratio.wall:.2f} times the speed by wall time, {ratio.cpu:.2f} by CPU time"
        )


def report_bundled(model: str, files: Files) -> None:
    ours.load(model)
    found = [ours.load(model) for _ in range(STARTS)]
    load, both = median(one["load"] for one in found), median(one["import"] + one["load"] for one in found)
    print(f"{Path(model).name}, in a new process: import and loading {both:.2f} s, loading alone {load:.2f} s")
    used = multiplane(model)(files.path("once.conllu"), files.path("out.conllu"))
    print(f"{Path(model).name}: parsing dev takes at most {used.peak / 1e6:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="a neural model of the default preset")
    parser.add_argument("--fast", type=Path, help="a neural model of the fast preset")
    parser.add_argument("--bundled", default="en", help="the model whose loading time and memory are measured")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--copies", type=int, default=3)
    chosen = parser.parse_args()
    if not DATA.exists():
        sys.exit("needs the treebanks in ../shared/data, which were not found")
    if chosen.rounds < 1 or chosen.copies < 2:
        parser.error("at least one round and two copies")
    os.environ.update(ONE_THREAD)  # for all processes started here
    print(f"{date.today()}, {machine()}, load {os.getloadavg()[0]:.1f}", flush=True)
    everyone = contestants(chosen.model, chosen.fast)
    greedy = udpipe_model("projective", SENTENCES) if present(udpipe.PEER) else None
    if greedy:
        everyone.append(udpipe_contestant(greedy, udpipe.GREEDY))
    with tempfile.TemporaryDirectory() as folder:
        dev = treebank(TREEBANK, "dev")
        files = Files.write(Path(folder), udpipe.conllu(dev), dev.words, chosen.copies)
        found = take_turns(everyone, files, chosen.rounds)
        alone = parse_only(files, greedy, chosen.rounds, [udpipe.GREEDY])[udpipe.GREEDY] if greedy else None
        print(
            f"{TREEBANK} dev: {files.words:,} words, one copy and {files.copies}; one thread;"
            f" medians of rounds 1 to {chosen.rounds}, after a warm-up; load {os.getloadavg()[0]:.1f}\n"
        )
        speeds = {name: times.marginal(files) for name, times in found.items()}
        report(speeds, alone)
        summary(speeds, alone)
        models = {DEFAULT: chosen.model, FAST: chosen.fast}
        report_sentences({name: model for name, model in models.items() if model}, files, chosen.rounds)
        if chosen.bundled in bundled_models() or Path(chosen.bundled).exists():
            report_bundled(chosen.bundled, files)
        else:
            print(f"no model {chosen.bundled}: loading time and memory not measured")


if __name__ == "__main__":
    main()
