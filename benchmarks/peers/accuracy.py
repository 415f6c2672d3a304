"""Accuracy of other parsers on the six core treebanks: trained on train, scored on dev, gold tags.

    python benchmarks/peers/accuracy.py [TREEBANK...]
    python benchmarks/peers/accuracy.py --udpipe danish_ddt nl_lassysmall-r1.4
    python benchmarks/peers/accuracy.py --show

Trains MaltParser with four algorithms (with --udpipe also UDPipe 1, its projective and swap systems), parses dev, and
scores the output with `multiplane.evaluate`. Results are added to results.json next to this file; existing ones are
kept, so an interrupted run continues where it stopped and retries failures (--again repeats everything). Finally prints
the table, which --show prints alone. Needs ../shared/data and Java; see `maltparser.py` and `udpipe.py`.

A parser that runs out of memory is skipped, and the results say so; --heap 8g gives MaltParser more.

All words count, including punctuation, with full labels. NP-P and NP-R are precision and recall over non-projective
arcs, also with full labels. A projective parser has no such arcs, and so no NP-P, but an NP-R: it may find the head of
a word whose gold arc is non-projective if that arc is projective in its own tree.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

import maltparser
import numpy as np
import udpipe
from common import CORE, DATA, Failed, Usage, machine, number, treebank

from multiplane.evaluation import evaluate
from multiplane.formats import Corpus, read

RESULTS = Path(__file__).with_name("results.json")
LIMIT = 600
"""Seconds of CPU time that training MaltParser may take; UDPipe gets twice as many."""
HEAPS = {"covnonproj": "4800m"}
"""Memory for algorithms that need more than the default: Covington's pairs of words. About 5 GB including Java."""
ITERATIONS = 3  # of UDPipe: about ten minutes for the treebanks used here

Results = dict[str, Any]


def load() -> Results:
    if RESULTS.exists():
        found: Results = json.loads(RESULTS.read_text(encoding="utf-8"))
        return found
    return {"treebanks": {}}


def place(name: str) -> tuple[int, str]:
    """Sorts treebanks: the core six first, in their order."""
    return CORE.index(name) if name in CORE else len(CORE), name


def save(results: Results) -> None:
    results["settings"] = {
        "data": "trained on train, scored on dev, gold tokens and tags",
        "scores": "percent of all words, whole labels; np_precision, np_recall: of non-projective arcs, whole labels",
        "maltparser": {
            "version": maltparser.VERSION,
            "learner": " ".join((*maltparser.LEARN, "-grl", "LABEL")) + ", LABEL being the treebank's own",
            "algorithms": {name: " ".join(options) for name, options in maltparser.ALGORITHMS.items()},
            "features": "default: FORM, POSTAG (XPOS, or UPOS where there is none), DEPREL",
        },
        "udpipe": {"parser": f"defaults (FORM, UPOS, FEATS, DEPREL), but {ITERATIONS} iterations instead of 10"},
    }
    results["machine"] = machine()
    results["treebanks"] = dict(sorted(results["treebanks"].items(), key=lambda item: place(item[0])))
    text = json.dumps(dict(sorted(results.items())), indent=2, ensure_ascii=False)
    RESULTS.write_text(text + "\n", encoding="utf-8")


def scored(gold: Corpus, output: Corpus) -> Results:
    scores = evaluate(gold, output)
    found = scores["NP-labelled"]
    sentence = np.repeat(np.arange(len(output)), output.lengths)
    roots = np.bincount(sentence[output.heads == 0], minlength=len(output))
    return {
        "las": round(scores.las_full, 2),
        "uas": round(scores.uas, 2),
        "np_precision": round(found.precision, 2) if found.system else None,
        "np_recall": round(found.recall, 2) if found.gold else None,
        "np_gold": found.gold,
        "np_found": found.system,
        "several_roots": int((roots > 1).sum()),
        "sentences": len(gold),
        "words": gold.words,
    }


def training(used: Usage, model: Path) -> Results:
    return {"training_cpu_seconds": round(used.cpu, 1), "model_mb": round(model.stat().st_size / 1e6, 1)}


def run_maltparser(name: str, algorithm: str, workdir: Path, heap: str | None = None) -> Results:
    source, target = workdir / "dev.conllx", workdir / "out.conllx"
    source.write_bytes(maltparser.conllx(treebank(name, "dev")))
    heap = heap or HEAPS.get(algorithm, maltparser.HEAP)
    learn = treebank(name, "train")
    used = maltparser.train(learn, "model", algorithm, workdir, heap=heap, limit=LIMIT)
    maltparser.parse("model", source, target, workdir, limit=LIMIT)
    label = maltparser.root_label(learn)
    return {
        **scored(read(source), read(target)),
        **training(used, workdir / "model.mco"),
        "training_peak_mb": round(used.peak / 1e6),
        "root_label": label,
        "heap": heap,
    }


def run_udpipe(name: str, system: str, workdir: Path) -> dict[str, Results]:
    """One result per beam size."""
    learn, source, model = workdir / "train.conllu", workdir / "dev.conllu", workdir / "model.udpipe"
    corpus, dev = treebank(name, "train"), treebank(name, "dev")
    learn.write_bytes(udpipe.conllu(corpus))
    source.write_bytes(udpipe.conllu(dev))
    how = udpipe.options(corpus, system, ITERATIONS)
    used = udpipe.train(learn, model, how, limit=2 * LIMIT)
    rows = {}
    for beam in (udpipe.GREEDY, udpipe.BEAM):
        target = workdir / f"out-{beam}.conllu"
        udpipe.parse(model, source, target, beam)
        row = {**scored(read(source), read(target)), **training(used, model)}
        rows[f"udpipe {system} beam {beam}"] = {**row, "options": how, "version": udpipe.installed()}
    return rows


def measure(names: list[str], *, with_udpipe: bool, again: bool, heap: str | None) -> None:
    results = load()
    for name in names:
        rows = results["treebanks"].setdefault(name, {})
        jobs = [("maltparser", algorithm, [f"maltparser {algorithm}"]) for algorithm in maltparser.ALGORITHMS]
        if with_udpipe:
            for system in ("projective", "swap"):
                beams = [f"udpipe {system} beam {beam}" for beam in (udpipe.GREEDY, udpipe.BEAM)]
                jobs.append(("udpipe", system, beams))
        for parser, kind, keys in jobs:
            if not again and all("las" in rows.get(key, {}) for key in keys):
                continue
            with tempfile.TemporaryDirectory() as folder:
                try:
                    if parser == "maltparser":
                        new = {keys[0]: run_maltparser(name, kind, Path(folder), heap)}
                    else:
                        new = run_udpipe(name, kind, Path(folder))
                except Failed as failure:
                    new = {key: {"skipped": str(failure)} for key in keys}
            for key, row in new.items():
                rows[key] = {"date": str(date.today()), **row}
                print(name, key, row, file=sys.stderr, flush=True)
            save(results)


def show() -> None:
    results = load()
    print(f"{results.get('machine', machine())}\n")
    print("| treebank | parser | LAS | UAS | NP-P | NP-R | several roots | training CPU s | memory MB | date |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    for name, rows in results["treebanks"].items():
        for key, row in rows.items():
            if "skipped" in row:
                print(f"| {name} | {key} | skipped: {row['skipped']} | | | | | | | {row['date']} |")
                continue
            scores = " | ".join(number(row[column]) for column in ("las", "uas", "np_precision", "np_recall"))
            cost = f"{row['training_cpu_seconds']:.0f} | {row.get('training_peak_mb', '')}"
            roots = f"{row['several_roots']} of {row['sentences']}"
            print(f"| {name} | {key} | {scores} | {roots} | {cost} | {row['date']} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", nargs="*", help="by default the six core treebanks")
    parser.add_argument("--udpipe", action="store_true", help="train UDPipe too, about ten minutes per model")
    parser.add_argument("--again", action="store_true", help="repeat existing results")
    parser.add_argument("--heap", help="memory for MaltParser, as in Java's -Xmx: 4g")
    parser.add_argument("--show", action="store_true", help="only print the table")
    chosen = parser.parse_args()
    if not chosen.show:
        if not DATA.exists():
            sys.exit("needs the treebanks in ../shared/data, which were not found")
        if chosen.udpipe and not udpipe.installed():
            sys.exit("needs ufal.udpipe: install multiplane[bench], or name a Python in MULTIPLANE_UDPIPE_PYTHON")
        measure(chosen.treebank or list(CORE), with_udpipe=chosen.udpipe, again=chosen.again, heap=chosen.heap)
    show()


if __name__ == "__main__":
    main()
