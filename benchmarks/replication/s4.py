"""Trains the joint parsers of S4's Table 2 on open treebanks, and scores them on dev.

    python benchmarks/replication/s4.py                              # everything: several hours
    python benchmarks/replication/s4.py --how fast -- hu_szeged_up2  # one learner on one treebank
    python benchmarks/replication/s4.py --page                       # only rewrite docs/replication-s4.md

A parser of a tree and a semantic graph, word by word. Four ways to deal with crossing arcs of graphs: Swap in the
last-resort and in the exhaustive order, HEAD planarisation, and planar graphs only. Gold tokens, lemmas and tags in the
input; predicates, senses, arguments and trees are predicted. Scores are those of CoNLL-2009.

Results are added to s4-results.json next to this file; existing ones are kept unless --again is given. Outputs, which
the significance tests need, and models are kept in a cache outside the repository. Needs ../shared/data.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "peers"), str(HERE.parent)]

from common import DATA, cache  # noqa: E402
from runs import Identity, Results, add, changed, has  # noqa: E402
from s4_page import write_page  # noqa: E402

import multiplane as mp  # noqa: E402
from multiplane.evaluation import compare, evaluate  # noqa: E402
from multiplane.formats import Corpus, read  # noqa: E402

RESULTS = HERE / "s4-results.json"
SEED = 1
TREEBANKS = ("en_ewt_propbank", "pt_bosque_up2", "hu_szeged_up2")
PARSERS: dict[str, dict[str, Any]] = {
    "last-resort": {"semantics": "swap-graph", "order": "last-resort"},
    "exhaustive": {"semantics": "swap-graph", "order": "exhaustive"},
    "head": {"semantics": "planar[]", "planarize": "head"},
    "planar": {"semantics": "planar[]", "planarize": "planar"},
}
HOW: dict[str, dict[str, Any]] = {
    "neural": {"model": "neural"},
    "fast": {"model": "neural", "preset": "fast", "arc": 64},
    "short": {"model": "neural", "preset": "fast", "arc": 64, "epochs": 10},
    "latent": {"model": "latent"},
}
SAMPLES = 10_000


def treebank(name: str, part: str) -> Corpus:
    return read(DATA / "semantic" / name / f"{part}.conll09.xz")


def output_of(identity: Identity) -> Path:
    name, how, parser, seed = identity
    return cache("s4", name) / f"{how}-{parser}-{seed}.conll09"


def measured(identity: Identity) -> Results:
    """Trains a parser, scores it, and saves its output for dev and, next to it, the model."""
    name, how, parser, seed = identity
    dev = treebank(name, "dev")
    start = time.process_time()
    trained = mp.train(treebank(name, "train"), dev, task="joint", seed=seed, **HOW[how], **PARSERS[parser])
    seconds = time.process_time() - start
    output = trained.parse(dev)
    target = output_of(identity)
    target.write_bytes(output.to_bytes())
    trained.save(target.with_suffix(".model"))
    run = {"treebank": name, "how": how, "parser": parser, "seed": seed} | scores_of(dev, output)
    given = evaluate(dev, trained.parse(dev, keep_predicates=True), layer="semantics")
    run |= {"given": round(given["Semantic"].f1, 2)}
    run |= {"training_cpu_seconds": round(seconds), "date": str(date.today())}
    print(json.dumps(run), file=sys.stderr, flush=True)
    return run


def scores_of(dev: Corpus, output: Corpus) -> Results:
    scores = evaluate(dev, output)
    found = {"las": scores.las, "semantic": scores["Semantic"].f1, "macro": scores["Macro"].f1}
    found |= {"predicates": scores["Predicates"].f1, "arguments": scores["Arguments"].f1}
    crossing = scores["Crossing"]
    found |= {"crossing_p": crossing.precision, "crossing_r": crossing.recall, "crossing_f1": crossing.f1}
    return {name: round(value, 2) for name, value in found.items()}


def significance(name: str, how: str, parser: str) -> Results | None:
    """Last-resort against another parser, on semantic F1: stratified shuffling."""
    outputs = [output_of((name, how, each, SEED)) for each in ("last-resort", parser)]
    if not all(output.exists() for output in outputs):
        return None
    found = compare(treebank(name, "dev"), *map(read, outputs), layer="semantics", samples=SAMPLES)
    contrast = found["Semantic"]
    row = {"treebank": name, "how": how, "parser": parser, "difference": round(contrast.a - contrast.b, 2)}
    return row | {"p": round(contrast.shuffling, 4)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--how", nargs="+", choices=list(HOW), default=["neural", "latent"])
    parser.add_argument("--parser", nargs="+", choices=list(PARSERS), default=list(PARSERS))
    parser.add_argument("--again", action="store_true", help="replace existing results")
    parser.add_argument("--page", action="store_true", help="only rewrite the page")
    parser.add_argument("treebanks", nargs="*", default=[])
    chosen = parser.parse_args()
    if not chosen.page:
        for name in chosen.treebanks or TREEBANKS:
            for how in chosen.how:
                for each in chosen.parser:
                    identity = name, how, each, SEED
                    if chosen.again or not has(RESULTS, identity):
                        run = measured(identity)
                        with changed(RESULTS) as results:
                            add(results, run)
                rows = [row for each in PARSERS if each != "last-resort" if (row := significance(name, how, each))]
                with changed(RESULTS) as results:
                    others = [row for row in results.get("tests", []) if (row["treebank"], row["how"]) != (name, how)]
                    results["tests"] = [*others, *rows]
    write_page(RESULTS)


if __name__ == "__main__":
    main()
