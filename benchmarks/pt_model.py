"""Trains the bundled Portuguese model, a whole pipeline, and writes it to src/multiplane/data/models/pt.

    python benchmarks/pt_model.py
    python benchmarks/pt_model.py --score     # only scores the bundled model on dev: raw text, and gold tokens

Takes about half an hour on one core. Needs ../shared/data.
"""

from __future__ import annotations

import sys
from pathlib import Path

import multiplane as mp
from multiplane.parser import raw_scores

ROOT = Path(__file__).resolve().parent.parent
TREEBANK = ROOT.parent / "shared" / "data" / "ud" / "pt_bosque"
TARGET = ROOT / "src" / "multiplane" / "data" / "models" / "pt"
LICENCE = "CC BY-SA 4.0 (Universal Dependencies Portuguese-Bosque 2.16)"
SCORES = ("UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "NP-labelled")


def score() -> None:
    """Prints the scores of the bundled model on dev."""
    dev, parser = mp.read(TREEBANK / "dev.conllu.xz"), mp.load("pt")
    print("raw text:", ", ".join(f"{name} {share:.2f}" for name, share in raw_scores(parser, dev).items()))
    scores = mp.evaluate(dev, parser.parse(dev, predict=parser.model.predicted_columns))
    print("gold tokens:", ", ".join(f"{name} {scores[name].f1:.2f}" for name in SCORES))


def main() -> None:
    if not TREEBANK.exists():
        sys.exit("needs the treebanks in ../shared/data, which were not found")
    if sys.argv[1:] != ["--score"]:
        files = (str(TREEBANK / f"{part}.conllu.xz") for part in ("train", "dev"))
        mp.train(*files, pipeline=True, licence=LICENCE, seed=1).save(TARGET)
    score()


if __name__ == "__main__":
    main()
