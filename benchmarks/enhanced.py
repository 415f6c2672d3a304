"""Prints the tables of docs/enhanced.md: what the codec of enhanced graphs keeps, learned from train, on train and dev.

python benchmarks/enhanced.py ../shared/data/ud/en_ewt/train.conllu.xz ../shared/data/ud/en_ewt/dev.conllu.xz
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable

import numpy as np

from multiplane import evaluate
from multiplane.formats import Corpus, LayerArcs, read
from multiplane.formats.empty_nodes import with_enhanced_layer
from multiplane.graphs.codecs.enhanced import EnhancedCodec
from multiplane.graphs.codecs.enhanced_decoder import EncodedGraphs, layer_of
from multiplane.graphs.codecs.enhanced_sources import BasicTrees

FREQUENT = 5
"""Templates that a parser has a chance to learn."""


def arcs_of(arcs: LayerArcs) -> set[tuple[int, int, int, str]]:
    return {(sentence, *arc) for sentence in range(len(arcs.first) - 1) for arc in arcs.of(sentence)}


def only(encoded: EncodedGraphs, words: Iterable[str], residual: Iterable[str]) -> EncodedGraphs:
    """Returns the graphs with no templates but these; other words have none, and other arcs are left out."""
    known = np.isin(np.array(encoded.names), list(words))
    templates = np.where(known[encoded.templates], encoded.templates, -1).astype(np.int32)
    names = set(residual)
    sentences = range(len(encoded.residual.first) - 1)
    arcs = [[arc for arc in encoded.residual.of(sentence) if arc[2] in names] for sentence in sentences]
    flat = layer_of([arc for row in arcs for arc in row], [len(row) for row in arcs])
    return encoded._replace(templates=templates, residual=flat)


def used(encoded: EncodedGraphs) -> tuple[Counter[str], Counter[str]]:
    """Returns how often templates of words and of residual arcs occur."""
    words = Counter(encoded.names[number] for number in encoded.templates.tolist() if number >= 0)
    return words, Counter(encoded.residual.names[number] for number in encoded.residual.labels.tolist())


def copied(trees: BasicTrees) -> LayerArcs:
    ends = np.concatenate([[0], np.cumsum(trees.lengths)])
    positions = np.arange(len(trees.heads)) - np.repeat(ends[:-1], trees.lengths) + 1
    return LayerArcs(ends, trees.heads, positions.astype(np.int32), trees.labels, trees.names)


def row(*cells: object) -> None:
    texts = (f"{cell:,}" if isinstance(cell, int) else str(cell).replace("|", "\\|") for cell in cells)
    print("|", " | ".join(texts), "|")


def coverage(name: str, corpus: Corpus, codec: EnhancedCodec) -> EncodedGraphs:
    trees = BasicTrees.of(corpus)
    encoded = codec.encode(trees, corpus.enhanced_arcs)
    start = time.perf_counter()
    found = arcs_of(codec.decode(trees, encoded))
    speed = corpus.words / (time.perf_counter() - start)
    gold = arcs_of(corpus.enhanced_arcs)
    words, residual = used(encoded)
    lost, added = len(gold - found), len(found - gold)
    row(name, corpus.words, len(gold), len(encoded.residual.heads), lost, added, len(words), len(residual))
    print(f"{name}: decoded {round(speed, -3):,.0f} words/s", file=sys.stderr)
    return encoded


def main() -> None:
    train, dev = map(read, sys.argv[1:3])
    codec = EnhancedCodec.learned(BasicTrees.of(train), train.enhanced_arcs)
    row("treebank", "words", "enhanced arcs", "residual", "lost", "added", "templates of words", "of residual arcs")
    row(*["---"] * 8)
    encoded = coverage("train", train, codec), coverage("dev", dev, codec)
    words, residual = used(encoded[0])
    print("\nrules:")
    for key, rule in codec.known.rules.items():
        row(f"`{key}`", ", ".join(f"`{source}`" for source in rule.sources))
    print("\nwords of train by template:")
    total = sum(words.values())
    for name, count in words.most_common(10):
        row(f"`{name}`", count, f"{100 * count / total:.2f} %")
    print("\nresidual arcs of train by template:")
    total = sum(residual.values())
    for name, count in residual.most_common(16):
        row(f"`{name}`", count, f"{100 * count / total:.1f} %")
    print("\nELAS on dev, if all that is used were predicted correctly:")
    trees = BasicTrees.of(dev)
    frequent = [name for name, count in residual.items() if count >= FREQUENT]
    for what, arcs in (
        ("the basic tree, copied", copied(trees)),
        ("rules alone: no template, no residual arc", codec.decode(trees, only(encoded[1], (), ()))),
        ("residual arcs, no template of words", codec.decode(trees, only(encoded[1], (), residual))),
        (f"residual arcs with the {len(frequent)} templates seen {FREQUENT} times or more, no template of words",
         codec.decode(trees, only(encoded[1], (), frequent))),
        ("all that train has", codec.decode(trees, only(encoded[1], words, residual))),
    ):  # fmt: skip
        scores = evaluate(dev, with_enhanced_layer(dev, arcs))
        row(what, f"{scores.elas:.2f}", f"{scores.elas_collapsed:.2f}", f"{scores.eulas:.2f}")


if __name__ == "__main__":
    main()
