"""Writes docs/coverage.md: S0 Table 1, and the same columns for every treebank in ../shared/data.

    python benchmarks/coverage.py

Also draws docs/images/coverage.svg. Needs ../shared/data.
"""

from __future__ import annotations

import platform
import sys
from datetime import date
from pathlib import Path

from multiplane.analysis import Coverage, coverage
from multiplane.formats import iterate
from multiplane.visual.chart import plot_coverage

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
COLUMNS = ("structures", "nonprojective", "nonplanar", "non2planar", "non3planar", "non4planar", "illnested")

# Gómez-Rodríguez and Nivre (2010), Table 1; the CoNLL-X treebanks.
S0_TABLE_1 = {
    "Arabic": (2995, 205, 158, 0, 0, 0, 1),
    "Czech": (87889, 20353, 16660, 82, 0, 0, 96),
    "Danish": (5512, 853, 827, 1, 1, 0, 6),
    "Dutch": (13349, 4865, 4115, 162, 1, 0, 15),
    "German": (39573, 10927, 10908, 671, 0, 0, 419),
    "Portuguese": (9071, 1718, 1713, 8, 0, 0, 7),
    "Swedish": (6159, 293, 280, 5, 0, 0, 14),
    "Turkish": (5510, 657, 657, 10, 0, 0, 20),
}
LANGUAGES = {
    "ancient_greek": "Ancient Greek",
    "ar": "Arabic",
    "cs": "Czech",
    "da": "Danish",
    "danish": "Danish",
    "de": "German",
    "en": "English",
    "eu": "Basque",
    "got": "Gothic",
    "grc": "Ancient Greek",
    "hu": "Hungarian",
    "ja": "Japanese",
    "la": "Latin",
    "nl": "Dutch",
    "pt": "Portuguese",
    "sv": "Swedish",
    "tr": "Turkish",
}

HEADER = """# Coverage: how non-projective are treebanks?

Gómez-Rodríguez and Nivre (2010, Table 1) counted the structures outside each class in eight treebanks. This table has
the same columns for every available treebank, counted by `python benchmarks/coverage.py` on {date} ({machine}).
As in the paper, arcs from the artificial root do not count; the numbers of planes are exact.

| treebank | structures | non-projective | not planar | not 2-planar | not 3-planar | not 4-planar | ill-nested |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""

FOOTER = """
![Share of structures outside each class](images/coverage.svg)

## What agrees with the paper, and what does not

- Two planes suffice for nearly everything: {covered:.2f} % of all {structures:,} structures counted here are 2-planar
  ({paper:.2f} % of those in the paper). The largest share of exceptions is in Ancient Greek.
- No structure in any treebank needs more than four planes, in the paper and here{five}.
- If trees have one root, planarity is hardly weaker than projectivity. It is much weaker if trees have several roots,
  as in the Danish treebank here: {danish_np} of its structures have a covered root but no crossing.
- Do not compare the rows number by number: the files of the shared task are not freely available, and Universal
  Dependencies annotates the same languages differently. For every language except Arabic, its trees have fewer
  crossings than those of the paper.
"""


def treebanks() -> dict[str, list[Path]]:
    """The files of each treebank; the semantic folders repeat treebanks of the ud folder."""
    folders = sorted(folder for kind in ("conllx", "ud") for folder in (DATA / kind).iterdir() if folder.is_dir())
    return {folder.name: sorted(folder.glob("*.conll*")) for folder in folders}


def language(name: str) -> str:
    code = max((code for code in LANGUAGES if name.startswith(code + "_")), key=len)
    return LANGUAGES[code]


def row(name: str, counts: tuple[int, ...]) -> str:
    structures, *others = counts
    cells = [f"{count:,} ({100 * count / structures:.2f} %)" if count else "0" for count in others]
    return f"| {name} | {structures:,} | {' | '.join(cells)} |\n"


def main() -> None:
    if not DATA.exists():
        sys.exit("needs the treebanks in ../shared/data, which were not found")
    table: dict[str, Coverage] = {}
    for name, files in treebanks().items():
        table[name] = sum((coverage(iterate(file)) for file in files), Coverage())
        print(name, table[name], file=sys.stderr)

    page = HEADER.format(date=date.today(), machine=f"{platform.machine()}, one thread")
    ours = {name: tuple(getattr(counts, column) for column in COLUMNS) for name, counts in table.items()}
    rows = [(lang, 0, f"*{lang}*, S0 Table 1", counts) for lang, counts in S0_TABLE_1.items()]
    rows += [(language(name), 1, f"{language(name)}, `{name}`", counts) for name, counts in ours.items()]
    for _, _, title, counts in sorted(rows):
        page += row(title, counts)
    total = sum(table.values(), Coverage())
    paper = [sum(counts[i] for counts in S0_TABLE_1.values()) for i in range(len(COLUMNS))]
    danish = table["danish_ddt"]
    page += FOOTER.format(
        covered=100 - total.percent("non2planar"),
        structures=total.structures,
        paper=100 * (1 - paper[3] / paper[0]),
        five=f" (not one of {total.structures:,})" if total.non4planar == 0 else f", but for {total.non4planar}",
        danish_np=f"{danish.nonprojective - danish.nonplanar:,}",
    )
    (ROOT / "docs" / "coverage.md").write_text(page, encoding="utf-8")
    chosen = (
        "ancient_greek_agdt",
        "eu_bdt-r1.4",
        "nl_lassysmall-r1.4",
        "la_ittb",
        "danish_ddt",
        "got_proiel",
        "pt_bosque",
    )
    plot_coverage({name: table[name] for name in (*chosen, "en_ewt")}, str(ROOT / "docs" / "images" / "coverage.svg"))


if __name__ == "__main__":
    main()
