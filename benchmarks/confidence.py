"""Confidence of a parser: calibration error, errors among the least certain arcs, and the best of K trees.

    python benchmarks/confidence.py MODEL DEV [--beam 16] [--best 10]

Calibration is fitted to one half of the sentences and measured on the other one, both ways round, so that no word is
judged by a calibration that has seen it. This is done for arcs with their labels, as in `parse --scores`, and for heads
alone. The oracle takes the best of each sentence's trees.
"""

from __future__ import annotations

import argparse

import numpy as np

import multiplane as mp
from multiplane.evaluation.reliability import Reliability, reliability_of
from multiplane.formats import Corpus, read
from multiplane.models.confidence import parse_best, with_evidence
from multiplane.models.protocol import Model, Trees
from multiplane.training.calibrate import calibrate, cross_validated, judge


def measured(model: Model, dev: Corpus, beam: int, *, labelled: bool) -> Reliability:
    """Returns the reliability of cross-validated confidences, about arcs with or without their labels."""
    calibrated = with_evidence(calibrate(model, dev, beam))
    temperature = calibrated.temperature(beam)
    judged = judge(calibrated, dev, beam, temperature, labelled=labelled)
    return reliability_of(cross_validated(judged, beam, temperature), judged.right)


def oracle(model: Model, dev: Corpus, best: int, beam: int) -> list[float]:
    """Returns the labelled attachment score of the best tree among the first k of each sentence, for every k."""
    wanted = np.array(dev.column("deprel"))
    names = np.array(model.names)

    def right(trees: Trees) -> np.ndarray:
        correct = (trees.heads == dev.heads) & (names[trees.labels] == wanted)
        return np.bincount(dev.sentence_of, correct, len(dev))

    counts = np.stack([right(trees) for trees in parse_best(model, dev, best, beam)])
    return [float(100 * counts[:k].max(axis=0).sum() / dev.words) for k in range(1, best + 1)]


def main() -> None:
    """Prints a line for the calibration and one for the oracle."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("model")
    arguments.add_argument("dev")
    arguments.add_argument("--beam", type=int, help="of the oracle; calibration is that of the model's own width")
    arguments.add_argument("--best", type=int, default=10)
    given = arguments.parse_args()
    model, dev = mp.load(given.model).model, read(given.dev)
    print(f"beam {model.beam}, {dev.words:,} words")
    for labelled, what in ((True, "head and label"), (False, "head alone")):
        found = measured(model, dev, model.beam, labelled=labelled)
        print(
            f"{what}: accuracy {100 * found.accuracy:.2f}, expected calibration error {found.ece:.4f}, errors among "
            f"the 10 % least certain {found.least_certain:.3f}, at most {found.possible:.3f}"
        )
    width = given.beam or model.beam
    las = oracle(calibrate(model, dev, max(width, given.best)), dev, given.best, width)
    print(f"beam {width}, LAS of the best of k: " + ", ".join(f"{k}: {each:.2f}" for k, each in enumerate(las, 1)))


if __name__ == "__main__":
    main()
