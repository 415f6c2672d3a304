"""Writes docs/accuracy.md: our parsers compared with others on the six core treebanks.

    python benchmarks/peers/page.py

Trains nothing: the figures are those of results.json next to this file (`accuracy.py`) and of
../replication/results.json (`../replication/parsers.py --how beam`, `--how neural` and `--how fast`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from common import CORE, ROOT, number

HERE = Path(__file__).resolve().parent
OURS = {
    ("neural", "2-planar-eager"): "multiplane, `--model neural`",
    ("fast", "2-planar-eager"): "multiplane, neural, `--preset fast`",
    ("beam", "2-planar-eager"): "**multiplane**, default",
    ("beam", "2-planar"): "multiplane, `--system 2-planar`",
}
COMPARED = {
    ("neural", "2-planar-eager"): "neural",
    ("beam", "2-planar-eager"): "default",
    ("beam", "2-planar"): "2-planar",
}
"""The parsers in the table of differences, and their names there."""
THEIRS = {
    "maltparser 2planar": "MaltParser, 2-planar",
    "maltparser nivreeager-pp-head": "MaltParser, arc-eager, pseudo-projective HEAD",
    "maltparser stacklazy": "MaltParser, swap",
    "maltparser covnonproj": "MaltParser, Covington",
    "udpipe projective beam 5": "UDPipe 1, projective, beam 5",
    "udpipe swap beam 5": "UDPipe 1, swap, beam 5",
}
SCORES = ("las", "uas", "np_precision", "np_recall")

Row = dict[str, Any]

HEADER = """# Accuracy

Our parsers with default settings, compared with MaltParser 1.9 and UDPipe 1.4, trained on *train* and scored on *dev*
of six treebanks; gold tokens and tags, all words, full labels. NP-P and NP-R are labelled precision and recall over
non-projective arcs. Every parser uses its default features, which are fewer for MaltParser (form, tag, label) than for
the others. UDPipe was trained for 3 iterations instead of 10, on the treebanks where that took at most twenty minutes.

`python benchmarks/peers/accuracy.py` and `benchmarks/replication/parsers.py --how beam neural fast`, seed 1,
{dates} ({machine}).

| treebank | parser | LAS | UAS | NP-P | NP-R | non-proj. arcs | training, CPU s |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""


def line(name: str, title: str, row: Row) -> str:
    scores = [number(row[key], 2 if key in ("las", "uas") else 1) for key in SCORES]
    return (
        f"| `{name}` | {title} | {' | '.join(scores)} | {row['np_gold']} | {number(row['training_cpu_seconds'], 0)} |\n"
    )


def options_of(row: Row) -> str:
    """What a parser was trained with that is not the default."""
    return f" `{row['options']}`" if "options" in row else ""


def summary(name: str, ours: list[Row | None], others: list[Row]) -> str:
    best = {key: max(row[key] or 0.0 for row in others) for key in SCORES}
    shown = ("las", "np_precision", "np_recall")
    gains = [f"{(row[key] or 0.0) - best[key]:+.1f}" if row else "–" for row in ours for key in shown]
    return f"| `{name}` | {' | '.join(gains)} |\n"


def main() -> None:
    peers = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
    own = json.loads((HERE.parent / "replication" / "results.json").read_text(encoding="utf-8"))
    runs = {(run["treebank"], run["how"], run["parser"]): run for run in own["runs"] if run["seed"] == 1}
    table, gains, dates = "", "", set()
    for name in CORE:
        ours = {key: runs[name, *key] for key in OURS if (name, *key) in runs}
        theirs = {key: row for key, row in peers["treebanks"][name].items() if key in THEIRS and "las" in row}
        table += "".join(line(name, OURS[key] + options_of(row), row) for key, row in ours.items())
        table += "".join(line(name, THEIRS[key], theirs[key]) for key in THEIRS if key in theirs)
        malt = [row for key, row in theirs.items() if key.startswith("maltparser")]
        gains += summary(name, [ours.get(key) for key in COMPARED], malt)
        dates |= {row["date"] for row in (*ours.values(), *theirs.values())}
    page = HEADER.format(dates=" to ".join(sorted({min(dates), max(dates)})), machine=own["machine"]) + table
    page += "\nOur scores minus the best of any MaltParser, which may be a different one for each score:\n\n"
    heads = [f"{score}, {title}" for title in COMPARED.values() for score in ("LAS", "NP-P", "NP-R")]
    page += f"| treebank | {' | '.join(heads)} |\n| --- |{' ---: |' * len(heads)}\n{gains}\n"
    page += (HERE / "discussion.md").read_text(encoding="utf-8")
    (ROOT / "docs" / "accuracy.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
