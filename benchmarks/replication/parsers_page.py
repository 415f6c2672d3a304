"""Writes docs/replication.md from results.json: the tables, and what they say about the papers."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent.parent / "peers"))

from common import ROOT, number

PAPER = ("projective", "pseudo-projective", "planar", "2-planar")
LANGUAGES = {
    "ancient_greek_agdt": "Ancient Greek",
    "danish_ddt": "Danish",
    "en_ewt": "English",
    "eu_bdt-r1.4": "Basque",
    "got_proiel": "Gothic",
    "hu_szeged": "Hungarian",
    "nl_lassysmall-r1.4": "Dutch",
    "pt_bosque": "Portuguese",
    "sv_talbanken-2015": "Swedish",
    "tr_imst": "Turkish",
}
LEVEL = 0.05

Run = dict[str, Any]

HEADER = """# The parsers of the papers, on open data

Gómez-Rodríguez and Nivre (S0, Table 2; S1, §5.2) compared a 2-planar parser with a planar, a projective and a
pseudo-projective one: deterministic, with support vector machines, trained by a static oracle. Here are the same four
on the treebanks at hand that have a part to train on, with LIBLINEAR in place of LIBSVM; then the same systems with
other learners, which tell where differences come from.

Trained on *train*, scored on *dev*, gold tokens and tags, every word, whole labels. NP-P and NP-R are labelled
precision and recall over non-projective arcs, {arcs:,} in all; a projective parser has no NP-P but an NP-R, as S1
explains. Made by `python benchmarks/replication/parsers.py` on {dates} ({machine}).

## One decision at a time, by support vector machines

A star marks a LAS that differs from 2-planar's by McNemar's test on words, as in S1 (p < {level}).

| treebank | parser | LAS | UAS | NP-P | NP-R | p, McNemar | p, bootstrap |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""


class Results:
    """The runs, to be looked up."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self.runs = list(runs)

    def of(self, how: str, treebank: str | None = None, parser: str | None = None) -> list[Run]:
        """Those that fit."""
        return [
            run
            for run in self.runs
            if run["how"] == how and treebank in (None, run["treebank"]) and parser in (None, run["parser"])
        ]

    def mean(self, how: str, treebank: str, parser: str, score: str = "las") -> float | None:
        """A score, averaged over seeds."""
        scores = [run[score] for run in self.of(how, treebank, parser) if run[score] is not None]
        return sum(scores) / len(scores) if scores else None

    def treebanks(self, how: str) -> list[str]:
        """In the order of their languages."""
        return sorted({run["treebank"] for run in self.of(how)}, key=LANGUAGES.__getitem__)

    def dates(self) -> str:
        """When the runs were."""
        days = sorted({run["date"] for run in self.runs})
        return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def table(results: Results) -> Iterator[str]:
    for name in results.treebanks("svm"):
        for parser in PAPER:
            for run in results.of("svm", name, parser):
                is_other = parser != "2-planar" and run.get("mcnemar", 1) < LEVEL
                cells = [f"{run['las']:.2f}{'*' if is_other else ''}", number(run["uas"])]
                cells += [number(run[key], 1) for key in ("np_precision", "np_recall")]
                cells += [number(run.get(key), 4) for key in ("mcnemar", "bootstrap")]
                yield f"| {LANGUAGES[name]}, `{name}` | {parser} | {' | '.join(cells)} |\n"


def verdicts(results: Results, parser: str) -> tuple[list[str], list[str], list[str]]:
    """The languages where 2-planar is better than another parser, no different, and worse."""
    found: tuple[list[str], list[str], list[str]] = ([], [], [])
    for run in results.of("svm", parser=parser):
        place = 1 if run["mcnemar"] >= LEVEL else 0 if run["behind_2_planar"] > 0 else 2
        found[place].append(LANGUAGES[run["treebank"]])
    return found


def listed(names: list[str]) -> str:
    return f"{len(names)} ({', '.join(sorted(names))})" if names else "none"


def summary(results: Results) -> Iterator[str]:
    yield "\n| 2-planar against | better | no difference | worse |\n| --- | --- | --- | --- |\n"
    for parser in PAPER[:-1]:
        better, same, worse = verdicts(results, parser)
        yield f"| {parser} | {listed(better)} | {listed(same)} | {listed(worse)} |\n"


def by_learner(results: Results, names: tuple[str, ...]) -> Iterator[str]:
    systems = ("pseudo-projective", "swap", "covington", "2-planar", "2-planar-eager")
    yield f"| treebank | learner | {' | '.join(systems)} |\n| --- | --- |{' ---: |' * len(systems)}\n"
    learners = {
        "svm": "SVM, static oracle, greedy",
        "static": "perceptron, static oracle, greedy",
        "dynamic": "perceptron, dynamic oracle, greedy",
        "beam": "perceptron, beam",
    }
    for name in names:
        for how, title in learners.items():
            if not results.of(how, name):
                continue
            scores = [results.mean(how, name, system) for system in systems]
            best = max(score for score in scores if score is not None)
            cells = [f"**{number(score)}**" if score == best else number(score) for score in scores]
            yield f"| {LANGUAGES[name]} | {title} | {' | '.join(cells)} |\n"


def write_page(stored: dict[str, Any]) -> None:
    """Writes the page."""
    results = Results(stored["runs"])
    arcs = sum(run["np_gold"] for run in results.of("svm", parser="2-planar"))
    page = HEADER.format(arcs=arcs, dates=results.dates(), machine=stored["machine"], level=LEVEL)
    page += "".join(table(results)) + "".join(summary(results))
    text = (Path(__file__).parent / "discussion.md").read_text(encoding="utf-8")
    for_table = "".join(by_learner(results, ("nl_lassysmall-r1.4", "eu_bdt-r1.4", "ancient_greek_agdt")))
    page += "\n" + text.replace("{by_learner}\n", for_table)
    (ROOT / "docs" / "replication.md").write_text(page, encoding="utf-8")
