"""SuPar's biaffine parser (BiLSTM, PyTorch) on a CPU, on gold tokens and sentences.

    python benchmarks/peers/supar_peer.py build TREEBANK.conllu MODEL
    python benchmarks/peers/supar_peer.py parse MODEL IN.conllu OUT.conllu

The model has SuPar's default configuration: learnt and pretrained word embeddings, and a BiLSTM over characters; three
BiLSTM layers of 400; biaffine scores of 500 and 100. Its words and labels are those of the treebank. It is not trained,
and the pretrained vectors are random: it computes as much as a trained model, but its trees are meaningless. `parse`
works from file to file with SuPar's own reader, batches and writer. Each word takes its best head: SuPar would search
for a tree if these form none, which without training is nearly always, so this is turned off, in SuPar's favour.
`neural_speed.py` runs these as separate programs, through the functions below. If SuPar is installed for another Python
than multiplane, MULTIPLANE_SUPAR_PYTHON names that Python.
"""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path

from common import Peer, Usage, read_rows, run, run_verb

PEER = Peer("supar", __file__, "MULTIPLANE_SUPAR_PYTHON")
DIMENSIONS = 100
"""Dimensions of the pretrained vectors."""


def build(source: Path, model: Path) -> Usage:
    """Builds a model with the words and labels of a CoNLL-U file."""
    return run(PEER.command("build", str(source), str(model)))


def parse(model: Path, source: Path, target: Path) -> Usage:
    """Parses a CoNLL-U file into another."""
    return run(PEER.command("parse", str(model), str(source), str(target)))


# The functions below run in the separate process.


def _write_vectors(source: Path, target: Path) -> None:
    """Random vectors for the words of a treebank, in the format of GloVe."""
    words = sorted({row[1].lower() for rows in read_rows(source) for row in rows if " " not in row[1]} | {"unk"})
    numbers = random.Random(1)
    with open(target, "w", encoding="utf-8") as file:
        for word in words:
            file.write(" ".join([word, *(f"{numbers.gauss(0, 1):.4f}" for _ in range(DIMENSIONS))]) + "\n")


def _build(source: Path, model: Path) -> None:
    import torch
    from supar import BiaffineDependencyParser

    torch.manual_seed(1)
    with tempfile.TemporaryDirectory() as folder:
        vectors = Path(folder, "vectors.txt")
        _write_vectors(source, vectors)
        parser = BiaffineDependencyParser.build(
            str(model), train=str(source), embed=str(vectors), unk="unk", encoder="lstm", feat=["char"], build=True
        )
    parser.save(str(model))


def _parse(model: Path, source: Path, target: Path) -> None:
    # SuPar saves whole objects, which recent versions of PyTorch refuse to load by default.
    os.environ["TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"] = "1"
    import torch
    from supar import BiaffineDependencyParser

    torch.set_num_threads(1)
    parser = BiaffineDependencyParser.load(str(model))
    parser.predict(str(source), pred=str(target), tree=False, verbose=False)


if __name__ == "__main__":
    run_verb(__doc__, {"build": _build, "parse": _parse})
