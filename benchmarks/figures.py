"""Draws the figures in the documentation that come from the sample treebanks.

    python benchmarks/figures.py

The tests check that docs/images is up to date.
"""

from __future__ import annotations

from pathlib import Path

from multiplane import Corpus, sample
from multiplane.visual import svg
from multiplane.visual.sentence import drawing_of

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"

SENTENCES = ("en-001", "nl-001", "nl-002", "grc-002", "ar-001")
"""Planar but not projective; 2-planar; 3-planar; ill-nested; from right to left."""

UNDIRECTED = "grc-002"
"""Also drawn as an undirected parser links it."""

CROSSING = "nl-001"
"""Also drawn with two arcs that cross."""

COMPARED = "en-001"
"""Another tree for it, to compare with its own."""
HEADS, LABELS = [2, 0, 4, 2, 6, 4], ["nsubj", "root", "nsubj", "ccomp", "nummod", "iobj"]

LAYERS = 8
"""The number of a sentence of the semantic sample, drawn with syntax and semantics."""


def figures() -> dict[str, str]:
    """The figures, by file name."""
    sentences = {sentence.sent_id: sentence for sentence in sample()}
    trees = {f"{sent_id}.svg": svg(drawing_of(sentences[sent_id])) for sent_id in SENTENCES}
    edges = {f"{UNDIRECTED}-edges.svg": svg(drawing_of(sentences[UNDIRECTED], undirected=True))}
    crossing, compared = sentences[CROSSING], sentences[COMPARED]
    (other,) = Corpus.from_columns(forms=[compared.forms], heads=[HEADS], deprels=[LABELS], sent_ids=["parsed"])
    marks = {
        f"{CROSSING}-crossing.svg": svg(drawing_of(crossing, highlight=crossing.graph.crossing() or ())),
        f"{COMPARED}-compared.svg": svg(drawing_of(other, gold=compared)),
    }
    layers = {"layers.svg": svg(drawing_of(sample("conll09")[LAYERS - 1], layer="both"))}
    return trees | edges | marks | layers


def main() -> None:
    for name, picture in figures().items():
        (IMAGES / name).write_text(picture, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
