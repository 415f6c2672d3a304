"""Shared by the scripts that train the bundled models: where things are, and the scores of a pipeline on dev."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import multiplane as mp
from multiplane.data import bundled_models
from multiplane.formats import Corpus
from multiplane.parser import Parser, raw_scores

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
MODELS = ROOT / "src" / "multiplane" / "data" / "models"


def require(treebank: Path) -> None:
    """Ends the program if the treebank is not there."""
    if not treebank.exists():
        sys.exit("needs the treebanks in ../shared/data, which were not found")


def write_silver(teacher: Parser, text: Path, target: Path) -> None:
    """Lets a teacher parse a text; lemmas are learned from treebanks alone."""
    columns = [column for column in teacher.model.predicted_columns if column != "lemma"]
    teacher.parse_stream(text, target, text=True, predict=",".join(columns))


def score(model: str | Path, dev: Corpus) -> None:
    """Prints the size, speed and scores of a model: on raw text, and with gold tokens but predicted tags and lemmas."""
    parser = mp.load(model)
    folder = bundled_models().get(str(model), Path(model))
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"size: {size / 1e6:.1f} MB")
    raw = raw_scores(parser, dev)
    print("raw text:", ", ".join(f"{name} {share:.2f}" for name, share in raw.items()))
    began = time.process_time()
    parsed = parser.parse(dev, predict=parser.model.predicted_columns)
    print(f"speed: {dev.words / (time.process_time() - began):,.0f} words per CPU second with gold tokens")
    scores = mp.evaluate(dev, parsed)
    found = scores["NP-labelled"]
    print("gold tokens:", ", ".join(f"{name} {scores[name].f1:.2f}" for name in [*raw, "LAS-full"]))
    print(f"non-projective arcs: recall {found.recall:.1f}, precision {found.precision:.1f}")
