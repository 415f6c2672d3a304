"""Trains the parsers of S0 Table 2 and of S1's experiment, and others, on open treebanks, and scores them on dev.

    python benchmarks/replication/parsers.py                        # the experiment of the papers, about half an hour
    python benchmarks/replication/parsers.py --how beam --parser 2-planar swap -- nl_lassysmall-r1.4
    python benchmarks/replication/parsers.py --page                 # only rewrite docs/replication.md

The papers' learner was a greedy SVM trained with a static oracle; here it is LIBLINEAR with the same oracle, and an
artificial root before the words that may have several dependents (`svm`). Other learners and search methods show where
a difference comes from: `static` and `dynamic` are the averaged perceptron, greedy; `beam` is the default of
`multiplane train`; `neural` is a BiLSTM, which takes a quarter of an hour or more each, and `fast` a small one. Gold
tokens and tags; all words count, with full labels; NP-P and NP-R are labelled precision and recall over non-projective
arcs.

Results are added to results.json next to this file; existing ones are kept unless --again is given. Outputs, which the
significance tests need, and models are kept in a cache outside the repository. Needs ../shared/data.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "peers"))

from common import DATA, cache, treebank  # noqa: E402
from parsers_page import write_page  # noqa: E402
from runs import Results, add, changed, has, load, measure  # noqa: E402

from multiplane.evaluation import compare  # noqa: E402
from multiplane.formats import Corpus, read  # noqa: E402

RESULTS = HERE / "results.json"
PAPER = ("projective", "pseudo-projective", "planar", "2-planar")
"""The parsers that the papers compare."""
PARSERS: dict[str, dict[str, Any]] = {
    "projective": {"system": "arc-eager"},
    "pseudo-projective": {"system": "arc-eager", "pseudo_projective": "head"},
    "planar": {"system": "planar"},
    "2-planar": {"system": "2-planar"},
    "2-planar-joint": {"system": "2-planar-joint"},
    "2-planar-eager": {"system": "2-planar-eager"},
    "swap": {"system": "swap"},
    "covington": {"system": "covington"},
}
HOW: dict[str, dict[str, Any]] = {
    "svm": {"learner": "liblinear", "root": "left", "single_root": False},
    "static": {"beam": 1, "oracle": "static"},
    "dynamic": {"beam": 1, "oracle": "dynamic"},
    "beam": {},
    "neural": {"model": "neural"},
    "fast": {"model": "neural", "preset": "fast"},
}
REFERENCE = "2-planar"


def treebanks() -> list[str]:
    """The treebanks with training data."""
    files = sorted(DATA.glob("ud/*/train.*")) + sorted(DATA.glob("conllx/*/train.*"))
    return [file.parent.name for file in files]


def output_of(name: str, how: str, parser: str, seed: int) -> Path:
    return cache("replication", name) / f"{how}-{parser}-{seed}.conll"


def contrast(dev: Corpus, run: Results) -> None:
    """Tests the difference in LAS between the 2-planar parser and another one with the same learner."""
    identity = (run["treebank"], run["how"], run["seed"])
    files = [output_of(identity[0], identity[1], parser, identity[2]) for parser in (REFERENCE, run["parser"])]
    if run["parser"] == REFERENCE or not all(file.exists() for file in files):
        return
    outputs = [read(file, format=dev.dialect.name) for file in files]
    found = compare(dev, *outputs).las_full
    run["behind_2_planar"] = round(found.difference, 2)
    run["mcnemar"], run["bootstrap"] = round(found.mcnemar, 4), round(found.bootstrap, 4)


def measure_all(names: list[str], how: list[str], parsers: list[str], seeds: list[int], *, again: bool) -> None:
    for name in names:
        dev = treebank(name, "dev")
        for way, parser, seed in ((w, p, s) for w in how for s in seeds for p in parsers):
            identity = (name, way, parser, seed)
            if not again and has(RESULTS, identity):
                continue
            run = measure(identity, {**PARSERS[parser], **HOW[way]}, output_of(*identity))
            with changed(RESULTS) as results:
                add(results, run)
                for other in results["runs"]:
                    if (other["treebank"], other["how"], other["seed"]) == (name, way, seed):
                        contrast(dev, other)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", nargs="*", help="by default all with training data")
    parser.add_argument("--how", nargs="+", choices=HOW, default=["svm"], help="learner and search")
    parser.add_argument("--parser", nargs="+", choices=PARSERS, default=PAPER, help="by default those in the papers")
    parser.add_argument("--seed", nargs="+", type=int, default=[1])
    parser.add_argument("--again", action="store_true", help="repeat existing results")
    parser.add_argument("--page", action="store_true", help="train nothing")
    chosen = parser.parse_args()
    if not chosen.page:
        if not DATA.exists():
            sys.exit("needs the treebanks in ../shared/data, which were not found")
        names = chosen.treebank or treebanks()
        measure_all(names, chosen.how, chosen.parser, chosen.seed, again=chosen.again)
    write_page(load(RESULTS))


if __name__ == "__main__":
    main()
