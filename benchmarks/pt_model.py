"""Trains the bundled Portuguese model, a whole pipeline, and writes it to src/multiplane/data/models/pt.

    python benchmarks/pt_model.py WORK TEXT
    python benchmarks/pt_model.py --score [MODEL]     # only scores a model on dev: raw text, and gold tokens

TEXT is what portuguese_text.py wrote. The folder WORK keeps what is finished: two teachers (half an hour each on one
core), the second with the tokenizer, and the text as that one parses it. The model itself, which both teach, takes
about 45 minutes. Needs ../shared/data.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import multiplane as mp
from bundled_model import DATA, MODELS, require, score, write_silver
from multiplane.parser import Parser, with_raw_scores

TREEBANK = DATA / "ud" / "pt_bosque"
TRAIN, DEV = str(TREEBANK / "train.conllu.xz"), str(TREEBANK / "dev.conllu.xz")
OF_TREEBANK = "CC BY-SA 4.0 (Universal Dependencies Portuguese-Bosque 2.16)"
LICENCE = f"{OF_TREEBANK}; text that the teachers parsed: see benchmarks/portuguese_text.py"
LARGE: dict[str, Any] = {
    "units": 320,
    "arc": 160,
    "word": 64,
    "affixes": 48,
    "most_affixes": 10_000,
    "compress": True,
    "seed": 1,
}
"""Large layers and small tables, so that the model stays below 12 MB."""
STUDENT: dict[str, Any] = LARGE | {
    "model": "neural",
    "tags": "predicted",
    "epochs": 20,
    "batch": 800,
    "silver_share": 1.0,
    "embedding_dropout": 0.1,
    "lstm_dropout": 0.2,
    "hidden_dropout": 0.15,
}


def train_model(work: Path, text: Path) -> Parser:
    """Runs all steps that are not finished yet, and returns the pipeline."""
    work.mkdir(parents=True, exist_ok=True)
    small, large, silver = work / "pt-default", work / "pt-large", work / "ptsilver.conllu"
    if not small.exists():
        mp.train(TRAIN, DEV, model="neural", tags="predicted", compress=True, seed=1).save(small)
    if not large.exists():
        mp.train(TRAIN, DEV, pipeline=True, tokenizer_multiword_weight=1, licence=OF_TREEBANK, **LARGE).save(large)
    teacher = mp.load(large)
    if not silver.exists():
        write_silver(teacher, text, silver)
    teachers = [str(small), str(large)]
    student = mp.train(TRAIN, DEV, teacher=teachers, silver=str(silver), licence=LICENCE, **STUDENT)
    return with_raw_scores(Parser(student.model, teacher.tokenizer), mp.read(DEV))


def main() -> None:
    require(TREEBANK)
    match sys.argv[1:]:
        case ["--score"]:
            score("pt", mp.read(DEV))
        case ["--score", model]:
            score(model, mp.read(DEV))
        case [work, text]:
            train_model(Path(work), Path(text)).save(MODELS / "pt")
            score("pt", mp.read(DEV))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
