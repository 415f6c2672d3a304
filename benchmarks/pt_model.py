"""Trains the bundled Portuguese model, a whole pipeline, and writes it to src/multiplane/data/models/pt.

    python benchmarks/pt_model.py
    python benchmarks/pt_model.py --score     # only scores the bundled model on dev: raw text, and gold tokens

Takes about 40 minutes on one core. Needs ../shared/data. The tokenizer of the bundled model is from an earlier run,
before multiword tokens had more weight in training; a new one finds 0.7 points fewer sentences.
"""

from __future__ import annotations

import sys

import multiplane as mp
from bundled_model import DATA, MODELS, require, score

TREEBANK = DATA / "ud" / "pt_bosque"
LICENCE = "CC BY-SA 4.0 (Universal Dependencies Portuguese-Bosque 2.16)"


def main() -> None:
    require(TREEBANK)
    if sys.argv[1:] not in ([], ["--score"]):
        sys.exit(__doc__)
    if not sys.argv[1:]:
        files = (str(TREEBANK / f"{part}.conllu.xz") for part in ("train", "dev"))
        mp.train(*files, pipeline=True, compress=True, licence=LICENCE, seed=1).save(MODELS / "pt")
    score("pt", mp.read(TREEBANK / "dev.conllu.xz"))


if __name__ == "__main__":
    main()
