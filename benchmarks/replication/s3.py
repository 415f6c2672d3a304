"""Trains the directed and undirected parsers of S3's Tables 1-3 on open treebanks, and scores them on dev.

    python benchmarks/replication/s3.py                         # LIBLINEAR on all treebanks, about an hour
    python benchmarks/replication/s3.py --how libsvm libsvm-forests -- hu_szeged    # the learner of most of S3's runs
    python benchmarks/replication/s3.py --how beam -- hu_szeged # 2-planar parsers with a beam
    python benchmarks/replication/s3.py --speed                 # only compare the speeds of parsing
    python benchmarks/replication/s3.py --page                  # only rewrite docs/replication-s3.md

An undirected parser builds edges, and a second step directs them: away from the artificial root (`naive`), or as most
labels say (`label`; `label-strict` keeps the parser's own root). Parsers of this package build trees; those of S3 build
forests, whose parts are attached to the root in the end. So the same weights are also tried without the guards that
lead to a tree (`-forests`). With LIBLINEAR, undirected parsers are also tried with features of edges only (`-edges`),
those of S3, without the heads that labels prefer.

Gold tokens and tags, an artificial root on the left, several roots allowed. Scores are those of CoNLL-X: full labels,
with and without punctuation, which is recognized by its characters. Those named `before` are undirected scores of the
parser's own edges: the share of gold arcs that are among them in either direction.

Results are added to s3-results.json next to this file; existing ones are kept unless --again is given. Outputs, which
the significance tests need, and models, which the speeds need, are kept in a cache outside the repository. Needs
../shared/data; the instruction counts of --speed need Valgrind.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "peers"), str(HERE.parent)]

import numpy as np  # noqa: E402
from accuracy import scored  # noqa: E402
from common import DATA, cache, treebank  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from parsers import treebanks  # noqa: E402
from runs import Identity, Results, add, changed, has, load, measure  # noqa: E402
from s3_page import BASELINES, DIRECTED, METHODS, SYSTEMS, write_page  # noqa: E402

import multiplane as mp  # noqa: E402
from counting import counted, instructions  # noqa: E402
from multiplane.evaluation import compare, evaluate  # noqa: E402
from multiplane.evaluation.attachment import is_punctuation  # noqa: E402
from multiplane.formats import Corpus, read  # noqa: E402
from multiplane.graphs import DependencyGraph  # noqa: E402
from multiplane.graphs.codecs import codec_of  # noqa: E402
from multiplane.models import Model  # noqa: E402
from multiplane.systems import TransitionSystem  # noqa: E402

RESULTS = HERE / "s3-results.json"
SEED = 1
PARSERS: dict[str, dict[str, Any]] = {
    "projective": {"system": "arc-eager"},
    "pseudo-projective": {"system": "arc-eager", "pseudo_projective": "head"},
}
for _system in (*SYSTEMS, "2-planar-eager"):
    PARSERS[_system] = {"system": _system}
    for _method in (*METHODS, "label-strict"):  # the last is trained like label
        PARSERS[f"{_system}-{_method}"] = {"system": f"undirected-{_system}", "reconstruction": _method}
IN_TABLES = (*BASELINES.values(), *(f"{system}{suffix}" for system in SYSTEMS for suffix in ("", "-naive", "-label")))
"""What S3 compares."""
SVM = {"root": "left", "single_root": False}
FORESTS, EDGES = "-forests", "-edges"
HOW: dict[str, dict[str, Any]] = {
    "liblinear": {"learner": "liblinear", **SVM},
    "libsvm": {"learner": "libsvm", "split_threshold": 1000, **SVM},
    "beam": {},
    "fast": {"model": "neural", "preset": "fast"},
}
HOW[f"liblinear{EDGES}"] = HOW["liblinear"]
HOW |= {f"{how}{FORESTS}": HOW[how] for how in ("liblinear", f"liblinear{EDGES}", "libsvm")}
DEFAULTS = {
    "liblinear": (*IN_TABLES, *(f"{system}-label-strict" for system in SYSTEMS)),
    f"liblinear{EDGES}": tuple(f"{system}-{method}" for system in SYSTEMS for method in METHODS),
    "libsvm": IN_TABLES,
    "beam": ("2-planar", "2-planar-label", "2-planar-eager", "2-planar-eager-label"),
    "fast": ("2-planar-eager", "2-planar-eager-label"),
}
DEFAULTS |= {f"{how}{FORESTS}": DEFAULTS[how] for how in ("liblinear", f"liblinear{EDGES}", "libsvm")}
"""The parsers that are trained with each learner."""
SPEED_ON = "hu_szeged"
ROUNDS = 15

Mask = NDArray[np.bool_]


def settings_of(name: str, how: str, parser: str) -> dict[str, Any]:
    """LIBSVM's data are split by the tag of the next word, as in MaltParser: by the fine tag if there is one."""
    chosen = {**PARSERS[parser], **HOW[how]}
    if how == "libsvm":
        fine = len(set(treebank(name, "train").column("xpos"))) > 1
        chosen["split"] = f"buffer[0].{'xpos' if fine else 'upos'}"
    if how.endswith(EDGES):
        chosen["features"] = str(HERE / "s3-features" / f"{DIRECTED[parser]}.toml")
    return chosen


def output_of(identity: Identity) -> Path:
    name, how, parser, seed = identity
    return cache("s3", name) / f"{how}-{parser}-{seed}.conll"


def found_edges(dev: Corpus, graphs: Sequence[DependencyGraph]) -> dict[str, Mask]:
    """The gold arcs that are in the graphs in either direction, and those that also have their label."""
    linked, labelled = [], []
    for sentence, graph in zip(dev, graphs, strict=True):
        labels = {frozenset(arc[:2]): arc[2] for arc in graph.arcs}
        for word, (head, label) in enumerate(zip(sentence.heads, sentence.deprels, strict=True), 1):
            found = labels.get(frozenset((head, word)))
            linked.append(found is not None)
            labelled.append(found == label)
    return {"uas": np.array(linked), "las": np.array(labelled)}


def edges_of(model: Model, parser: str, dev: Corpus) -> list[DependencyGraph] | None:
    """What an undirected parser builds; without an artificial root, its edges do not say which word is the root."""
    return model.graphs(dev) if parser in DIRECTED and model.system.root is not None else None


def percent(right: Mask) -> float:
    return round(100 * float(right.mean()), 2)


def more_scores(dev: Corpus, output: Corpus, graphs: Sequence[DependencyGraph] | None) -> Results:
    """Scores without punctuation, undirected scores, and those before reconstruction, also with punctuation (`_p`)."""
    scores = evaluate(dev, output, convention="conllx")
    found = {
        "las_nopunct": round(scores.las, 2),
        "uas_nopunct": round(scores.uas, 2),
        "las_undirected": round(scores.las_undirected, 2),
        "uas_undirected": round(scores.uas_undirected, 2),
    }
    if graphs is not None:
        counted_words = np.array([not is_punctuation(form) for form in dev.column("form")])
        for score, right in found_edges(dev, graphs).items():
            found |= {f"{score}_before": percent(right[counted_words]), f"{score}_before_p": percent(right)}
    return found


def contrast(dev: Corpus, identity: Identity, directed: Identity) -> Results:
    """The lead in LAS without punctuation over the directed parser, tested by stratified shuffling as in S3."""
    outputs = [read(output_of(one), format=dev.dialect.name) for one in (identity, directed)]
    found = compare(dev, *outputs, convention="conllx").las
    return {"lead": round(found.difference, 2), "shuffling": round(found.shuffling, 4)}


def contrast_all(dev: Corpus, results: Results, name: str, how: str) -> None:
    """Compares every undirected parser of a treebank and learner with the directed one."""
    for run in results["runs"]:
        if (name, how) != (run["treebank"], run["how"]) or run["parser"] not in DIRECTED:
            continue
        undirected = (name, how, run["parser"], run["seed"])
        directed = (name, how.replace(EDGES, ""), DIRECTED[run["parser"]], run["seed"])
        if output_of(undirected).exists() and output_of(directed).exists():
            run.update(contrast(dev, undirected, directed))


def trained_as(identity: Identity) -> Identity:
    """The parser with the same weights that is trained: neither forests nor label-strict make a difference to that."""
    name, how, parser, seed = identity
    return name, how.removesuffix(FORESTS), parser.removesuffix("-strict"), seed


def in_forests(system: TransitionSystem) -> TransitionSystem:
    """The same system without the guards that lead to a tree, as in S3; words left alone become roots."""
    free = system._changed(system.name, system.transitions)
    free.root, free.single_root = system.root, system.single_root
    return free


def derive(identity: Identity, target: Path) -> Results:
    """Scores a parser with the weights of another one."""
    name, how, parser, seed = identity
    model = mp.load(output_of(trained_as(identity)).with_suffix(".model")).model
    if parser.endswith("-strict"):
        model = replace(model, codec=codec_of("label-strict"))  # type: ignore[type-var]
    if how.endswith(FORESTS):
        model = replace(model, system=in_forests(model.system))  # type: ignore[type-var]
    dev = treebank(name, "dev")
    output = mp.Parser(model).parse(dev)
    target.write_bytes(output.to_bytes())
    run = {"treebank": name, "how": how, "parser": parser, "seed": seed, **scored(dev, output)}
    run |= more_scores(dev, output, edges_of(model, parser, dev))
    return {**run, "date": str(date.today())}


def train(identity: Identity, target: Path) -> Results:
    """Trains and scores a parser."""
    name, how, parser, _ = identity
    run, dev = measure(identity, settings_of(name, how, parser), target), treebank(name, "dev")
    parsed = read(target, format=dev.dialect.name)
    edges = edges_of(mp.load(target.with_suffix(".model")).model, parser, dev)
    return run | {"several_roots": scored(dev, parsed)["several_roots"], **more_scores(dev, parsed, edges)}


def measure_all(jobs: Sequence[Identity], *, again: bool) -> None:
    for identity in jobs:
        if not again and has(RESULTS, identity):
            continue
        run = (train if trained_as(identity) == identity else derive)(identity, output_of(identity))
        with changed(RESULTS) as results:
            add(results, run)
            contrast_all(treebank(identity[0], "dev"), results, *identity[:2])


def models_to_time() -> dict[str, list[mp.Parser]]:
    """The parsers whose speed is compared: with each system, a directed and an undirected one."""
    files = {
        system: [output_of((SPEED_ON, "liblinear", parser, SEED)) for parser in (system, f"{system}-label")]
        for system in SYSTEMS
    }
    return {system: [mp.load(file.with_suffix(".model")) for file in pair] for system, pair in files.items()}


def seconds_of(parser: mp.Parser, corpus: Corpus) -> float:
    start = time.process_time()
    parser.parse(corpus)
    return time.process_time() - start


def speeds() -> list[Results]:
    """Words per second of each pair of models, in alternation; the ratio is the median over the rounds."""
    dev = treebank(SPEED_ON, "dev")
    found = []
    for system, pair in models_to_time().items():
        rounds = [[seconds_of(parser, dev) for parser in pair] for _ in range(ROUNDS + 2)][2:]  # the first to warm up
        directed, undirected = (round(dev.words / median(times)) for times in zip(*rounds, strict=True))
        ratio = round(median(times[0] / times[1] for times in rounds), 3)
        row = {"treebank": SPEED_ON, "system": system, "directed": directed, "undirected": undirected, "ratio": ratio}
        found.append({**row, "date": str(date.today())})
    if shutil.which("valgrind"):
        with tempfile.TemporaryDirectory() as folder:
            totals = instructions([__file__, "--count"], Path(folder))[-2 * len(found) :]
        for row, directed, undirected in zip(found, totals[::2], totals[1::2], strict=True):
            row["directed_instructions"] = round(directed / dev.words)
            row["undirected_instructions"] = round(undirected / dev.words)
    return found


def count() -> None:
    """In a process under Valgrind: parses with every model of `speeds` within the call that Valgrind counts."""
    dev = treebank(SPEED_ON, "dev")
    parsers = [parser for pair in models_to_time().values() for parser in pair]
    for parser in parsers:
        parser.parse(dev[0])  # so that nothing is initialised while counting
    for parser in parsers:
        counted(partial(parser.parse, dev))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", nargs="*", help="by default all with training data")
    parser.add_argument("--how", nargs="+", choices=HOW, default=["liblinear", "liblinear-forests"], help="learner")
    parser.add_argument("--parser", nargs="+", choices=PARSERS, help="by default those in S3, and a few more")
    parser.add_argument("--again", action="store_true", help="repeat existing results")
    parser.add_argument("--speed", action="store_true", help="only compare the speeds of parsing")
    parser.add_argument("--page", action="store_true", help="train nothing")
    parser.add_argument("--count", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.count:
        count()
        return
    if not chosen.page and not DATA.exists():
        sys.exit("needs the treebanks in ../shared/data, which were not found")
    if chosen.speed:
        found = speeds()
        with changed(RESULTS) as results:
            results["speeds"] = found
    elif not chosen.page:
        jobs = [
            (name, how, which, SEED)
            for name in chosen.treebank or treebanks()
            for how in chosen.how
            for which in chosen.parser or DEFAULTS[how]
        ]
        measure_all(jobs, again=chosen.again)
    write_page(load(RESULTS))


if __name__ == "__main__":
    main()
