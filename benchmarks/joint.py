"""Scores a joint model on a treebank, and measures its speed in one thread.

    multiplane train --task joint --train TRAIN.conll09 --dev DEV.conll09 -o roles
    python benchmarks/joint.py roles DEV.conll09
    multiplane train --task enhanced --train TRAIN.conllu --dev DEV.conllu -o enhanced
    python benchmarks/joint.py enhanced DEV.conllu

For semantic graphs: LAS, semantic F1 of the whole task and for given predicates, macro F1, pairs of crossing arcs. For
enhanced graphs: LAS and ELAS, and beside it ELAS of the same trees copied into DEPS; words that the root does not
reach; cycles whose labels no cycle of the gold graphs has.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).resolve().parent))

import multiplane as mp
from enhanced import copied
from multiplane.formats import Corpus, read, with_enhanced
from multiplane.graphs import DependencyGraph
from multiplane.graphs.codecs import BasicTrees

ROUNDS = 3
Labels = frozenset[str]


def reached(graph: DependencyGraph) -> int:
    """The number of nodes that the root reaches."""
    below: dict[int, list[int]] = {}
    for head, dependent, *_ in graph.arcs:
        below.setdefault(head, []).append(dependent)
    seen, todo = set(), [0]
    while todo:
        new = [node for node in below.get(todo.pop(), ()) if node not in seen]
        seen.update(new)
        todo += new
    return len(seen)


def cycles(graph: DependencyGraph) -> Iterator[Labels]:
    """The relations, without what follows a colon, on one cycle through each arc that is on a cycle."""
    below: dict[int, list[tuple[int, str]]] = {}
    for head, dependent, label in graph.word_arcs:  # type: ignore[misc]
        below.setdefault(head, []).append((dependent, label.partition(":")[0]))
    for head, dependent, label in graph.word_arcs:  # type: ignore[misc]
        came: dict[int, tuple[int, str]] = {dependent: (0, "")}
        todo = [dependent]
        while todo and head not in came:
            node = todo.pop(0)
            for below_it, relation in below.get(node, ()):
                if below_it not in came:
                    came[below_it] = node, relation
                    todo.append(below_it)
        if head in came:
            labels, node = {label.partition(":")[0]}, head
            while node != dependent:
                node, relation = came[node]
                labels.add(relation)
            yield frozenset(labels)


def kinds(graphs: Iterable[DependencyGraph]) -> set[Labels]:
    return {labels for graph in graphs for labels in cycles(graph)}


def semantic_rows(parser: mp.Parser, dev: Corpus) -> Iterator[tuple[str, float]]:
    scores = mp.evaluate(dev, parser.parse(dev))
    given = mp.evaluate(dev, parser.parse(dev, keep_predicates=True), layer="semantics")
    crossing = scores["Crossing"]
    yield "LAS", scores.las
    yield "semantic F1", scores["Semantic"].f1
    yield "predicates F1", scores["Predicates"].f1
    yield "arguments F1", scores["Arguments"].f1
    yield "macro F1", scores["Macro"].f1
    yield "semantic F1, given predicates", given["Semantic"].f1
    yield "crossing pairs P", crossing.precision
    yield "crossing pairs R", crossing.recall
    yield "crossing pairs F1", crossing.f1


def enhanced_rows(parser: mp.Parser, dev: Corpus) -> Iterator[tuple[str, float]]:
    parsed = parser.parse(dev)
    scores = mp.evaluate(dev, parsed)
    yield "LAS", scores.las
    yield "ELAS", scores["ELAS"].f1
    yield "EULAS", scores["EULAS"].f1
    yield "ELAS, tree copied", mp.evaluate(dev, with_enhanced(parsed, copied(BasicTrees.of(parsed))))["ELAS"].f1
    graphs = [sentence.enhanced for sentence in parsed]
    yield "nodes not reached", sum(graph.n - reached(graph) for graph in graphs)
    gold = kinds(sentence.enhanced for sentence in dev)
    strange = [labels for graph in graphs for labels in set(cycles(graph)) if labels not in gold]
    yield "cycles of other relations than gold ones", len(strange)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("dev")
    chosen = parser.parse_args()
    loaded, dev = mp.load(chosen.model), read(chosen.dev)
    rows = enhanced_rows if loaded.model.graph_layer == "enhanced" else semantic_rows
    for name, value in rows(loaded, dev):
        print(f"{name}\t{value:.2f}" if isinstance(value, float) else f"{name}\t{value}")
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        loaded.model.parse(dev)
        times.append(time.perf_counter() - start)
    print(f"words/s, one thread\t{dev.words / median(times):,.0f}")


if __name__ == "__main__":
    main()
