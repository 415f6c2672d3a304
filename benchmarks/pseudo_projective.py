"""Writes the table of docs/pseudo-projective.md: how much of each treebank of ../shared/data survives lifting.

    python benchmarks/pseudo_projective.py [NAME...]

Every tree is projectivised and deprojectivised in each encoding. With names of treebanks, only prints their rows.
Missing treebanks are skipped.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np

from multiplane.formats import iterate
from multiplane.graphs import measure_heads
from multiplane.graphs.projectivize import ENCODINGS, Encoding, deprojectivize, projectivize

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
PAGE = ROOT / "docs" / "pseudo-projective.md"
BEGIN, END = "<!-- table: benchmarks/pseudo_projective.py -->\n", "<!-- end of table -->\n"

HEADER = """
Counted by `python benchmarks/pseudo_projective.py` on {date} on 2 shared x86-64 cores. Each cell: trees restored
exactly, in per cent, and LAS (head and full label, all words), rounded down, so 100.00 means all. Train and dev files
together if both are available, otherwise dev alone.

| treebank | trees | non-projective | {encodings} |
| --- | ---: | ---: | {lines} |
"""


class Tree(NamedTuple):
    """The tree of a sentence; words without a head count as roots."""

    heads: list[int]
    labels: list[str]


def treebanks() -> dict[str, list[Path]]:
    """The files of each treebank; the semantic folders repeat treebanks of the ud folder."""
    folders = sorted(folder for kind in ("conllx", "ud") for folder in (DATA / kind).glob("*/"))
    return {folder.name: files for folder in folders if (files := sorted(folder.glob("*.conll*")))}


def trees(files: list[Path]) -> Iterator[Tree]:
    for file in files:
        for corpus in iterate(file):
            yield from (Tree([max(head, 0) for head in sentence.heads], sentence.deprels) for sentence in corpus)


def restored(bank: list[Tree], encoding: Encoding) -> tuple[float, float]:
    """The percentage of trees restored exactly, and LAS."""
    exact = right = words = 0
    for tree in bank:
        again = deprojectivize(*projectivize(*tree, encoding), encoding)
        correct = sum(old == new for old, new in zip(zip(*tree, strict=True), zip(*again, strict=True), strict=True))
        exact += correct == len(tree.heads)
        right += correct
        words += len(tree.heads)
    return 100 * exact / len(bank), 100 * right / words


def rounded_down(percent: float) -> str:
    return f"{math.floor(100 * percent) / 100:.2f}"


def row(name: str, bank: list[Tree]) -> str:
    lengths = np.array([len(tree.heads) for tree in bank])
    nonprojective = measure_heads(lengths, np.concatenate([np.array(tree.heads, np.int32) for tree in bank]))
    share = 100 * nonprojective.nonprojective.mean()
    cells = (" / ".join(map(rounded_down, restored(bank, encoding))) for encoding in ENCODINGS)
    return f"| `{name}` | {len(bank):,} | {share:.2f} % | {' | '.join(cells)} |\n"


def main() -> None:
    found = treebanks()
    if not found:
        sys.exit("needs the treebanks in ../shared/data, which were not found")
    chosen = sys.argv[1:] or list(found)
    rows = []
    for name in chosen:
        if name not in found:
            print(f"{name}: not found, skipped", file=sys.stderr)
            continue
        rows.append(row(name, list(trees(found[name]))))
        print(rows[-1], end="", file=sys.stdout if sys.argv[1:] else sys.stderr)
    if not sys.argv[1:]:
        header = HEADER.format(
            date=date.today(),
            encodings=" | ".join(map(str.upper, ENCODINGS)).replace("BASELINE", "baseline"),
            lines=" | ".join("---:" for _ in ENCODINGS),
        )
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}{header}{''.join(rows)}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
