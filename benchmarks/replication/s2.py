"""Trains the parsers of S2's experiment on open treebanks with several seeds, and scores them on dev.

    python benchmarks/replication/s2.py                             # four treebanks, three seeds
    python benchmarks/replication/s2.py --how default -- hu_szeged  # the same parsers with a better network
    python benchmarks/replication/s2.py --epochs 1 --seed 1 2 -- hu_szeged    # a trial
    python benchmarks/replication/s2.py --page                      # only rewrite docs/replication-s2.md

S2 compares a 2-planar parser trained with a static oracle with one trained with a dynamic oracle and aggressive
exploration, and the latter with arc-hybrid + swap and its static-dynamic oracle; all with the same BiLSTM encoder, that
of the preset `s2`. Gold tokens and tags; all words count, with full labels; NP-P and NP-R are labelled precision and
recall over non-projective arcs.

Results are added to s2-results.json next to this file, seed by seed; existing ones are kept unless --again is given.
Several processes may run at the same time, each with its own treebanks or seeds. Outputs, which the significance tests
need, are kept in a cache outside the repository. A trial with --epochs keeps its results, outputs and page in its own
folder. Needs ../shared/data.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # before torch is loaded: parallel processes should not share cores

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "peers"))

import numpy as np  # noqa: E402
from common import DATA, ROOT, cache, treebank  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from runs import Identity, Results, add, changed, has, load, measure  # noqa: E402
from s2_page import CONTRASTS, write_page  # noqa: E402

from multiplane.evaluation import bootstrap  # noqa: E402
from multiplane.formats import Corpus, read  # noqa: E402

TREEBANKS = ("hu_szeged", "got_proiel", "tr_imst", "sv_talbanken-2015")
"""The four smallest treebanks."""
PARSERS: dict[str, dict[str, Any]] = {
    "2-planar-static": {"system": "2-planar", "oracle": "static"},
    "2-planar-dynamic": {"system": "2-planar", "oracle": "dynamic"},
    "arc-hybrid-swap": {"system": "arc-hybrid-swap", "oracle": "dynamic"},
}
HOW = ("s2", "default")
"""Presets of the network."""
EPOCHS = 10
"""S2 has 15; with 10 the experiment takes an hour and a half of CPU time."""
SAMPLES = 10_000

Gains = NDArray[np.int64]


@dataclass(frozen=True)
class Place:
    """The locations of results, their page, and outputs."""

    results: Path
    page: Path
    outputs: Path

    def output_of(self, identity: Identity) -> Path:
        """The file for the output of a parser."""
        return self.outputs / ("-".join(map(str, identity)) + ".conll")


def place_for(folder: Path | None, epochs: int | None) -> Place:
    """Trials have their own folders, so that they are never mistaken for the experiment."""
    if folder is None and epochs is None:
        return Place(HERE / "s2-results.json", ROOT / "docs" / "replication-s2.md", cache("s2"))
    folder = folder or cache("s2-trial")
    if epochs is not None:
        folder /= f"{epochs}-epochs"
    folder.mkdir(parents=True, exist_ok=True)
    return Place(folder / "results.json", folder / "page.md", folder)


def right_words(dev: Corpus, output: Corpus) -> dict[str, Gains]:
    """The number of correct words in each sentence: heads only (UAS), and heads and labels (LAS)."""
    sentence = np.repeat(np.arange(len(dev)), dev.lengths)
    head = dev.heads == output.heads
    label = np.array(dev.column("deprel")) == np.array(output.column("deprel"))
    return {
        score: np.bincount(sentence[right], minlength=len(dev))
        for score, right in {"uas": head, "las": head & label}.items()
    }


def contrast(dev: Corpus, outputs: list[list[Corpus]]) -> Results:
    """The lead of the first parser over the second, given one pair of outputs per seed.

    A sentence is drawn with its outputs for all seeds. Drawing each seed's output separately would treat it as new
    text, and overstate significance.
    """
    counts = [[right_words(dev, output) for output in pair] for pair in outputs]
    lengths = len(outputs) * dev.lengths
    found: Results = {}
    for score in ("las", "uas"):
        gains = np.sum([first[score] - second[score] for first, second in counts], axis=0)
        p, _ = bootstrap(gains, lengths, SAMPLES, np.random.default_rng(0))
        found[score], found[f"{score}_p"] = round(float(100 * gains.sum() / lengths.sum()), 2), round(p, 4)
    return found


def seeds_of(results: Results, name: str, how: str, parser: str) -> set[int]:
    wanted = (name, how, parser)
    return {run["seed"] for run in results["runs"] if (run["treebank"], run["how"], run["parser"]) == wanted}


def contrast_all(dev: Corpus, results: Results, place: Place, name: str, how: str) -> None:
    """Repeats the tests for a treebank, on the seeds that both parsers of a pair have."""
    for pair in CONTRASTS:
        shared = set.intersection(*(seeds_of(results, name, how, parser) for parser in pair))
        files = {seed: [place.output_of((name, how, parser, seed)) for parser in pair] for seed in sorted(shared)}
        files = {seed: both for seed, both in files.items() if all(file.exists() for file in both)}
        if not files:
            continue
        outputs = [[read(file, format=dev.dialect.name) for file in both] for both in files.values()]
        identity = {"treebank": name, "how": how, "parser": pair[0], "against": pair[1]}
        others = [other for other in results.get("contrasts", []) if not identity.items() <= other.items()]
        new = {**identity, "seeds": list(files), **contrast(dev, outputs)}
        results["contrasts"] = sorted([*others, new], key=lambda row: [row[key] for key in identity])


def measure_all(place: Place, jobs: list[Identity], epochs: int | None, *, again: bool) -> None:
    for identity in jobs:
        name, how, parser, _ = identity
        if not again and has(place.results, identity):
            continue
        settings = {"model": "neural", "preset": how, "epochs": epochs or EPOCHS, **PARSERS[parser]}
        run = measure(identity, settings, place.output_of(identity))
        with changed(place.results) as results:
            add(results, run)
            contrast_all(treebank(name, "dev"), results, place, name, how)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", nargs="*", default=TREEBANKS, help="by default the four smallest")
    parser.add_argument("--how", nargs="+", choices=HOW, default=["s2"], help="preset of the network")
    parser.add_argument("--parser", nargs="+", choices=PARSERS, default=list(PARSERS), help="by default all three")
    parser.add_argument("--seed", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--epochs", type=int, help="run a trial with this number of epochs, in its own folder")
    parser.add_argument("--folder", type=Path, help="folder for results, outputs and page")
    parser.add_argument("--again", action="store_true", help="repeat existing results")
    parser.add_argument("--page", action="store_true", help="train nothing")
    chosen = parser.parse_args()
    place = place_for(chosen.folder, chosen.epochs)
    if not chosen.page:
        if not DATA.exists():
            sys.exit("needs the treebanks in ../shared/data, which were not found")
        # Seeds are outermost, so an interrupted run has complete comparisons for the first seeds.
        order = product(chosen.seed, chosen.how, chosen.treebank, chosen.parser)
        jobs = [(name, how, which, seed) for seed, how, name, which in order]
        measure_all(place, jobs, chosen.epochs, again=chosen.again)
    write_page(load(place.results), place.page)
    print(place.page)


if __name__ == "__main__":
    main()
