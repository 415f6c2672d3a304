"""spaCy's CPU parser, on gold tokens and sentences.

    python benchmarks/peers/spacy_peer.py train TREEBANK.conllu MODEL
    python benchmarks/peers/spacy_peer.py parse MODEL IN.conllu OUT.conllu

The pipeline is that of `spacy init config --pipeline parser --optimize efficiency`: hash embeddings and a CNN, then a
transition-based parser. It has the labels of the treebank, and a few hundred steps of training: enough for typical
transition sequences, and so for speed, not for accuracy. `parse` works from file to file, with spaCy's own batch size;
every sentence is a document. `neural_speed.py` runs these as separate programs, through the functions below. If spaCy
is installed for another Python than multiplane, MULTIPLANE_SPACY_PYTHON names that Python.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from common import Peer, Rows, Usage, read_rows, run, run_verb, write_rows

PEER = Peer("spacy", __file__, "MULTIPLANE_SPACY_PYTHON")
STEPS, BATCH = 300, 32
"""Training steps, and sentences per step."""


def train(source: Path, model: Path) -> Usage:
    """Trains a model on a CoNLL-U file."""
    return run(PEER.command("train", str(source), str(model)))


def parse(model: Path, source: Path, target: Path) -> Usage:
    """Parses a CoNLL-U file into another."""
    return run(PEER.command("parse", str(model), str(source), str(target)))


# The functions below run in the separate process.


def _document(vocabulary: Any, rows: Rows, *, gold: bool = False) -> Any:
    from spacy.tokens import Doc

    words = [row[1] for row in rows]
    if not gold:
        starts = [True] + [False] * (len(rows) - 1)  # the parser must not split the sentence
        return Doc(vocabulary, words=words, sent_starts=starts)
    heads = [int(row[6]) - 1 if row[6] != "0" else place for place, row in enumerate(rows)]
    return Doc(vocabulary, words=words, heads=heads, deps=[row[7] for row in rows])


def _train(source: Path, model: Path) -> None:
    import spacy
    from spacy.cli.init_config import init_config
    from spacy.training import Example

    spacy.util.fix_random_seed(1)
    config = init_config(lang="en", pipeline=["parser"], optimize="efficiency", gpu=False)
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    examples = [
        Example(_document(nlp.vocab, rows), _document(nlp.vocab, rows, gold=True)) for rows in read_rows(source)
    ]
    optimizer = nlp.initialize(lambda: examples)
    for step in range(STEPS):
        start = step * BATCH % len(examples)
        nlp.update(examples[start : start + BATCH], sgd=optimizer)
    nlp.to_disk(model)


def _parsed(rows: Rows, document: Any) -> Rows:
    """The rows with the heads and labels of a document; a root is its own head there."""
    return [
        [*row[:6], "0" if token.head.i == token.i else str(token.head.i + 1), token.dep_ or "_", *row[8:]]
        for row, token in zip(rows, document, strict=True)
    ]


def _parse(model: Path, source: Path, target: Path) -> None:
    import spacy

    nlp = spacy.load(model)
    sentences = list(read_rows(source))
    documents = nlp.pipe(_document(nlp.vocab, rows) for rows in sentences)
    write_rows(target, (_parsed(rows, document) for rows, document in zip(sentences, documents, strict=True)))


if __name__ == "__main__":
    run_verb(__doc__, {"train": _train, "parse": _parse})
