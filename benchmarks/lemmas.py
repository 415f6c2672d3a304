"""Prints how many lemmas a neural parser predicts correctly on dev, and what predicting them costs.

Trains two parsers from words alone, one of which also predicts lemmas; compares their scores and their speed on dev.
The last row is the second parser again, with the same weights but without what it knows of suffixes.

python benchmarks/lemmas.py ../shared/data/ud/en_ewt/train.conllu.xz ../shared/data/ud/en_ewt/dev.conllu.xz --epochs 5
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import multiplane as mp
from multiplane.models import NeuralModel

TAGS = "upos,xpos,feats"
COLUMNS = (
    *("predicted", "UPOS", "FEATS", "LAS", "lemmas", "of unknown forms"),
    *("words/s", "scripts", "dictionary", "suffixes"),
)
REPEATS = 5
"""The fastest of so many runs counts: others run on the same cores."""


def stripped(corpus: mp.Corpus) -> bytes:
    """Returns the text of a corpus without tags, lemmas and trees."""
    columns = corpus.dialect.columns
    lines = []
    for line in corpus.to_bytes().decode().split("\n"):
        fields = line.split("\t")
        if fields[0].isdigit():
            fields = [text if name in ("id", "form") else "_" for name, text in zip(columns, fields, strict=True)]
        lines.append("\t".join(fields))
    return "\n".join(lines).encode()


def speed(parser: mp.Parser, text: bytes, dialect: str) -> float:
    """Returns words per second in one thread."""
    best = 0.0
    for _ in range(REPEATS):
        began = time.perf_counter()
        words = parser.parse_stream(io.BytesIO(text), io.BytesIO(), format=dialect).words
        best = max(best, words / (time.perf_counter() - began))
    return best


def unknown(train: mp.Corpus, dev: mp.Corpus, parsed: mp.Corpus) -> float:
    """Returns the percentage of right lemmas among forms that the training data lacks."""
    known = set(train.column("form"))
    rows = zip(dev.column("form"), dev.column("lemma"), parsed.column("lemma"), strict=True)
    right = [gold in (lemma, "_") for form, gold, lemma in rows if form not in known]
    return 100 * sum(right) / max(len(right), 1)


def without_suffixes(parser: mp.Parser) -> mp.Parser:
    """Returns a parser with the same weights whose network alone decides on unknown forms."""
    model = parser.model
    assert isinstance(model, NeuralModel)
    assert model.lexicon.lemmas is not None
    lemmas = replace(model.lexicon.lemmas, suffixes=())
    return mp.Parser(replace(model, lexicon=replace(model.lexicon, lemmas=lemmas)))


def measure(name: str, found: mp.Parser, train: mp.Corpus, dev: mp.Corpus) -> None:
    """Prints the row of a parser."""
    text = stripped(dev)
    out = io.BytesIO()
    found.parse_stream(io.BytesIO(text), out, format=dev.dialect.name)
    parsed = mp.formats.reader.from_text(out.getvalue().decode(), dev.dialect.name)
    scores = mp.evaluate(dev, parsed)
    assert isinstance(found.model, NeuralModel)
    lemmas = found.model.lexicon.lemmas
    right: tuple[object, ...] = ("", "")
    sizes: tuple[object, ...] = ("", "", "")
    if lemmas is not None:
        right = (scores.lemmas, unknown(train, dev, parsed))
        sizes = (len(lemmas.scripts), len(lemmas.dictionary), len(lemmas.suffixes))
    rate = f"{round(speed(found, text, dev.dialect.name), -2):,.0f}"
    row(name, scores["UPOS"].f1, scores["UFeats"].f1, scores.las, *right, rate, *sizes)


def row(*cells: object) -> None:
    print("|", " | ".join(f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in cells), "|", flush=True)


def trained(path: Path, train: mp.Corpus, dev: mp.Corpus, predict: str, arguments: argparse.Namespace) -> mp.Parser:
    """Loads a parser, or trains it and keeps it."""
    if not path.exists():
        settings = {"model": "neural", "preset": arguments.preset, "epochs": arguments.epochs, "lemma": 0}
        mp.train(train, dev, predict=predict, **settings).save(path)
    return mp.load(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=mp.read)
    parser.add_argument("dev", type=mp.read)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--models", default=tempfile.mkdtemp(), help="Folder that keeps the models.")
    arguments = parser.parse_args()
    train, dev = arguments.train, arguments.dev
    row(*COLUMNS)
    row(*["---"] * len(COLUMNS))
    for predict in (TAGS, f"{TAGS},lemma"):
        found = trained(Path(arguments.models, predict.replace(",", "-")), train, dev, predict, arguments)
        measure(predict, found, train, dev)
    measure(f"{predict} without suffixes", without_suffixes(found), train, dev)
    print(f"load average {os.getloadavg()[0]:.1f}", file=sys.stderr)


if __name__ == "__main__":
    main()
