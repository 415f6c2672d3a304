"""Writes docs/replication-s2.md from s2-results.json: the tables, and a comparison with S2."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from common import number
from parsers_page import LANGUAGES, LEVEL, Results, Run

STATIC, DYNAMIC, SWAP = "2-planar-static", "2-planar-dynamic", "arc-hybrid-swap"
PARSERS = {
    STATIC: "2-planar, static oracle",
    DYNAMIC: "2-planar, dynamic oracle",
    SWAP: "arc-hybrid + swap, static-dynamic oracle",
}
CONTRASTS = ((DYNAMIC, STATIC), (DYNAMIC, SWAP))
"""What S2 compares in its Tables 1 and 2."""
FOUND = {STATIC: (0.36, 0.39, "15, 8 and 1"), SWAP: (0.39, 0.51, "12, 7 and 3")}
"""S2's results: mean differences in LAS and UAS; the numbers of treebanks out of 20 on which UAS is better,
significantly better, and significantly worse."""
SCORES = ("las", "uas", "np_precision", "np_recall")

HEADER = """# Replication: static and dynamic oracles (S2)

Fernández-González and Gómez-Rodríguez (S2) trained a 2-planar parser with a BiLSTM encoder in two ways: along the
derivation of a static oracle, and with a dynamic oracle and aggressive exploration, so that the parser learns what to
do after its own errors. They compared the latter with arc-hybrid + swap, which has a static-dynamic oracle. This page
trains the same three parsers on the available treebanks.

Differences from the paper:

- *Data.* S2 uses the treebanks of CoNLL-X and CoNLL-XI and the Penn Treebank, which are not all free, and scores on
  their test sets. Here parsers are trained on *train* and scored on *dev*. The best epoch is chosen on *dev* too, so
  all scores are slightly high.
- *No pretrained vectors.* S2 starts from GloVe or Facebook vectors; here all embeddings are learnt from the treebank.
- *Tags.* UPOS, XPOS and FEATS have one embedding each, if the treebank has them.
- *Batches.* A step is taken after about 200 words, in several sentences, not after each sentence.
- *Epochs.* 10 instead of 15, and no learning rate decay.
- *Active stack.* The network sees which of the two stacks is active. Otherwise, an eighth of the decisions of the
  dynamic oracle could not be learnt, as both stacks look the same while they hold the same words.
- *Planes.* S2 leaves arcs that cross nothing in the plane that is active in the static oracle's derivation. A parser
  that has missed a crossing then finds all later arcs in the other plane, for no reason visible to it. Here the dynamic
  oracle puts them in the first plane (see [oracles](oracles.md)); the static oracle uses S2's planes, and was not tried
  with others. This was changed after a first look at *dev*: with S2's planes, in the same script and with seed 1 alone,
  the dynamic oracle was 1.87 LAS ahead of the static one on Hungarian, 0.74 ahead on Turkish and 1.34 behind on Gothic.
  So part of its gain below is due to planes, and the choice was made on the data used for scoring.
- *Regularisation.* Any SWITCH that serves no arc counts as an error, which is how we read S2's length of derivations.
- *Labels* have a layer of their own, which learns from all gold arcs.
- *Seeds.* S2 reports one number per parser. Here each parser is trained several times, since the effect of the seed may
  be as large as that of the oracle.

Tokens and tags are gold; all words count, with full labels. NP-P and NP-R are labelled precision and recall over
non-projective arcs. Numbers are means over seeds, ± their standard deviation.

Differences are tested by a paired bootstrap with 10,000 samples, over the seeds that both parsers have; a star marks
p < {level}. A sentence is drawn together with its outputs for all seeds: parsers that differ only by their seeds make
many of the same errors, and drawing from their concatenated outputs would treat each seed's output as new text. So p
says whether other sentences could reverse a difference; the standard deviations show the effect of other seeds.
"""
TO_COME = "\nNo results yet: run `python benchmarks/replication/s2.py` to produce them and this page.\n"
SECTION = """
## {title}

{text}

| treebank | parser | seeds | LAS | UAS | NP-P | NP-R |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
"""
AHEAD = """
Lead of the 2-planar parser with the dynamic oracle over the others:

| treebank | against | seeds | LAS | p | UAS | p |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
"""
SECTIONS = {
    "s2": (
        "The network of the paper",
        "Two BiLSTM layers of 125 units per direction, one hidden layer of 100, margin loss. From the second "
        "epoch on, training with the dynamic oracle follows the parser's errors, and one in ten of the wrong choices "
        "that score nearly as high as the correct one.",
    ),
    "default": (
        "A better network",
        "The same systems and oracles with the default network of `multiplane train --model neural`: with "
        "characters, lemmas, dropout, and all heads predicted in advance. From the second epoch on, training with the "
        "dynamic oracle follows the parser's errors.",
    ),
}


class Scores(Results):
    """The runs of one network, on the treebanks and seeds with which all three parsers were trained."""

    def __init__(self, runs: Iterable[Run], how: str) -> None:
        super().__init__(run for run in runs if run["how"] == how)
        self.how = how
        self.runs = [run for run in self.runs if run["seed"] in self._whole(run["treebank"])]
        self.names = self.treebanks(how)

    def _whole(self, name: str) -> set[int]:
        return set.intersection(*(self._seeds(name, parser) for parser in PARSERS))

    def _seeds(self, name: str, parser: str) -> set[int]:
        return {run["seed"] for run in self.of(self.how, name, parser)}

    def shared_seeds(self) -> set[int]:
        """Those of all treebanks."""
        return set.intersection(*map(self._whole, self.names))

    def by_seed(self, parser: str, score: str, names: Iterable[str], seeds: Iterable[int]) -> list[float]:
        """A score for each seed, averaged over treebanks; precision is undefined if nothing was found."""
        runs = [run for name in names for run in self.of(self.how, name, parser) if run[score] is not None]
        found = [[run[score] for run in runs if run["seed"] == seed] for seed in seeds]
        return [fmean(values) for values in found if values]

    def rows(self) -> Iterator[tuple[str, list[str], set[int]]]:
        """The title, treebanks and seeds of each row of a table."""
        for name in self.names:
            yield f"{LANGUAGES[name]}, `{name}`", [name], self._whole(name)
        if self.shared_seeds() and len(self.names) > 1:
            yield "**average**", self.names, self.shared_seeds()


def fill(text: str) -> str:
    """Wraps text at 120 columns, with list items indented."""
    indent = "  " if text.startswith("- ") else ""
    return textwrap.fill(text, 120, subsequent_indent=indent, break_on_hyphens=False)


def spread(values: list[float], digits: int) -> str:
    """The mean of values, and their standard deviation."""
    if len(values) < 2:
        return number(values[0] if values else None, digits)
    return f"{fmean(values):.{digits}f} ± {stdev(values):.{digits}f}"


def table(scores: Scores) -> Iterator[str]:
    for title, names, seeds in scores.rows():
        for parser, words in PARSERS.items():
            values = [scores.by_seed(parser, score, names, seeds) for score in SCORES]
            cells = [spread(value, digits) for value, digits in zip(values, (2, 2, 1, 1), strict=True)]
            yield f"| {title} | {words} | {len(seeds)} | {' | '.join(cells)} |\n"


def contrast_table(contrasts: list[Run]) -> Iterator[str]:
    for row in sorted(contrasts, key=lambda row: (row["against"] == SWAP, LANGUAGES[row["treebank"]])):
        cells = [str(len(row["seeds"]))]
        for score in ("las", "uas"):
            p = row[f"{score}_p"]
            cells += [f"{row[score]:+.2f}{'*' if p < LEVEL else ''}", number(p, 4)]
        yield f"| {LANGUAGES[row['treebank']]} | {PARSERS[row['against']]} | {' | '.join(cells)} |\n"


def verdict(scores: Scores, contrasts: list[Run], against: str) -> str:
    """Whether the dynamic oracle is at least as good as another parser on average, and where it is better."""
    seeds = scores.shared_seeds()
    las, uas = (
        fmean(scores.by_seed(DYNAMIC, score, scores.names, seeds))
        - fmean(scores.by_seed(against, score, scores.names, seeds))
        for score in ("las", "uas")
    )
    las_there, uas_there, counts_there = FOUND[against]
    holds = {(True, True): "in LAS and in UAS", (True, False): "in LAS only", (False, True): "in UAS only"}
    rows = [row for row in contrasts if row["against"] == against]
    clear = [row["uas"] > 0 for row in rows if row["uas_p"] < LEVEL]
    return (
        f"- *Against {PARSERS[against]}.* The 2-planar parser with the dynamic oracle differs by {las:+.2f} in LAS and "
        f"by {uas:+.2f} in UAS on average (treebanks: {len(scores.names)}, seeds: {len(seeds)}); in S2 by "
        f"{las_there:+.2f} and {uas_there:+.2f}. S2's finding that it is at least as good on average holds here "
        f"{holds.get((las >= 0, uas >= 0), 'neither in LAS nor in UAS')}. Its UAS is better on "
        f"{sum(row['uas'] > 0 for row in rows)} of {len(rows)} treebanks, significantly better on {sum(clear)}, and "
        f"significantly worse on {len(clear) - sum(clear)}; in S2 on {counts_there} of 20."
    )


def of_nonprojective_arcs(scores: Scores) -> str:
    """Whether 2-planar is more precise on non-projective arcs, and arc-hybrid + swap finds more of them."""

    def is_more(score: str, name: str, parser: str, other: str) -> bool:
        first, second = (scores.mean(scores.how, name, which, score) for which in (parser, other))
        return (first or 0) > (second or 0)

    precise = sum(is_more("np_precision", name, DYNAMIC, SWAP) for name in scores.names)
    found = sum(is_more("np_recall", name, SWAP, DYNAMIC) for name in scores.names)
    return (
        "- *Non-projective arcs.* S2 observed that 2-planar generally has higher precision, and arc-hybrid + swap "
        f"higher recall. Here the former holds on {precise} and the latter on {found} of {len(scores.names)} treebanks."
    )


def section(stored: dict[str, Any], how: str) -> Iterator[str]:
    """The results of one network; nothing if no treebank has all three parsers."""
    scores = Scores(stored["runs"], how)
    if not scores.names:
        return
    title, text = SECTIONS[how]
    command = f"python benchmarks/replication/s2.py --how {how}"
    text += f" Generated by `{command}` on {scores.dates()} ({stored['machine']})."
    yield SECTION.format(title=title, text=fill(text))
    yield from table(scores)
    contrasts = [row for row in stored.get("contrasts", []) if row["how"] == how and row["treebank"] in scores.names]
    if contrasts:
        yield AHEAD
        yield from contrast_table(contrasts)
    if scores.shared_seeds():
        sentences = [verdict(scores, contrasts, against) for _, against in CONTRASTS]
        yield "\n"
        yield from (fill(sentence) + "\n" for sentence in [*sentences, of_nonprojective_arcs(scores)])


def write_page(stored: dict[str, Any], file: Path) -> None:
    """Writes the page."""
    sections = "".join(text for how in SECTIONS for text in section(stored, how))
    file.write_text(HEADER.format(level=LEVEL) + (sections or TO_COME), encoding="utf-8")
