"""Counts the crossing arcs that a model finds in gold.conllu and in UD English-EWT dev.

    python benchmarks/english_crossings/score.py en

MODEL is a name or a folder; it sees the words of the gold trees. A sentence that crosses is right if all its
non-projective arcs are found with their labels; a control, if the model's tree is projective. Dev needs ../shared/data.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1]))

import multiplane as mp
from multiplane.graphs import Arc

GOLD = Path(__file__).with_name("gold.conllu")
DEV = Path(__file__).resolve().parents[3] / "shared" / "data" / "ud" / "en_ewt" / "dev.conllu.xz"
QUESTIONS = ("question", "indirect", "relative")


class Verdict(NamedTuple):
    """What a model did with one sentence of the gold file."""

    gold: mp.Sentence
    system: mp.Sentence

    @property
    def kind(self) -> str:
        """The construction, as the sent_id says: `np-question-object`."""
        return str(self.gold.sent_id).rpartition("-")[0]

    @property
    def crosses(self) -> bool:
        """Whether the gold tree is not projective."""
        return self.kind.startswith("np-")

    @property
    def missing(self) -> set[Arc]:
        """The non-projective arcs of the gold tree that the model has not found."""
        return set(self.gold.graph.nonprojective_arcs()) - set(self.system.graph.arcs)

    @property
    def right(self) -> bool:
        """Whether the crossing is found, or none is invented."""
        return not (self.missing if self.crosses else self.system.graph.nonprojective_arcs())

    @property
    def exact(self) -> bool:
        """Whether all heads are right."""
        return list(self.gold.heads) == list(self.system.heads)


def verdicts(parser: mp.Parser) -> list[Verdict]:
    gold = mp.read_conllu(GOLD)
    return [Verdict(*pair) for pair in zip(gold, parser.parse(gold), strict=True)]


def line(name: str, chosen: Sequence[Verdict]) -> str:
    """One row of the table.

    >>> line("controls", [])
    'controls                            0 of  0 right,  0 with all heads right'
    """
    right, exact = sum(verdict.right for verdict in chosen), sum(verdict.exact for verdict in chosen)
    return f"{name:34}{right:3} of {len(chosen):2} right, {exact:2} with all heads right"


def report(found: Sequence[Verdict]) -> Iterator[str]:
    crossing = [verdict for verdict in found if verdict.crosses]
    asked = [verdict for verdict in crossing if verdict.kind.split("-")[1] in QUESTIONS]
    yield line("sentences that cross", crossing)
    yield line("  questions and relative clauses", asked)
    for kind in dict.fromkeys(verdict.kind for verdict in crossing):
        yield line(f"    {kind}", [verdict for verdict in crossing if verdict.kind == kind])
    yield line("controls, projective", [verdict for verdict in found if not verdict.crosses])


def dev_report(parser: mp.Parser) -> Iterator[str]:
    gold = mp.read_conllu(DEV)
    scores = mp.evaluate(gold, parser.parse(gold))
    yield f"dev: LAS {scores.las_full:.2f}, UAS {scores.uas:.2f}"
    for name in ("NP", "NP-labelled"):
        score = scores[name]
        precision = f"precision {score.precision:.1f} % ({score.correct} of {score.system})"
        yield f"dev: {name} {precision}, recall {score.recall:.1f} % ({score.found} of {score.gold})"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model", metavar="MODEL", help="a model's name or folder")
    options.add_argument("--wrong", action="store_true", help="also list the sentences that are wrong")
    chosen = options.parse_args()
    try:
        parser = mp.load(chosen.model)
    except mp.MultiplaneError as error:
        sys.exit(str(error))
    found = verdicts(parser)
    print(*report(found), sep="\n")
    for verdict in found if chosen.wrong else ():
        if not verdict.right:
            print(f"wrong: {verdict.gold.sent_id}: {verdict.gold.text}")
    if DEV.exists():
        print(*dev_report(parser), sep="\n")
    else:
        print("dev: needs the treebanks in ../shared/data, which were not found")


if __name__ == "__main__":
    main()
