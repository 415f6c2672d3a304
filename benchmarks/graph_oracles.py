"""How the derivation of long graphs grows with their length, for planar graph systems and both orders of S4's Swap.

    python benchmarks/graph_oracles.py

Prints a Markdown table: milliseconds for graphs of 10,000, 20,000 and 40,000 words, and transitions per word. CPU time
of the fastest of three rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from multiplane.formats.layers import LayerArcs
from multiplane.oracles import StaticOracle
from multiplane.systems import systems

LENGTHS = (10_000, 20_000, 40_000)
ROUNDS = 3
ORACLES = (
    ("planar[]", "planar"),
    ("2-planar[]", "planar"),
    ("swap-graph", "last-resort"),
    ("swap-graph", "exhaustive"),
)
Arcs = list[tuple[int, int]]

GRAPHS: dict[str, Callable[[int], Arcs]] = {
    "all words depend on their neighbour and on the first": lambda n: [
        arc for word in range(2, n + 1) for arc in {(word - 1, word), (1, word)}
    ],
    "the first word depends on all others": lambda n: [(word, 1) for word in range(2, n + 1)],
    "arcs within arcs": lambda n: [(word, n + 1 - word) for word in range(1, n // 2 + 1)],
    "every arc crosses the next": lambda n: [(word, word + 2) for word in range(1, n - 1)],
    "two words have all others as dependents": lambda n: [(h, word) for word in range(3, n + 1) for h in (1, 2)],
}
"""Arcs over n words, by what they look like."""


def layer(n: int, arcs: Arcs) -> LayerArcs:
    """The arcs of one sentence as a layer."""
    heads, dependents = np.array(arcs, np.int32).T.copy()
    return LayerArcs(np.array([0, len(arcs)]), heads, dependents, np.zeros(len(arcs), np.int32), ("A0",))


def milliseconds(oracle: StaticOracle, n: int, arcs: LayerArcs) -> float:
    """The CPU time of the fastest round."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        oracle.layer_statistics(np.array([n]), arcs)
        times.append(time.process_time() - start)
    return 1000 * min(times)


def main() -> None:
    print(f"| graph | system | strategy | {' | '.join(f'{n:,} words' for n in LENGTHS)} | arcs lost | trans./word |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, make in GRAPHS.items():
        for system, strategy in ORACLES:
            oracle = StaticOracle(systems[system], strategy)
            graphs = {n: layer(n, make(n)) for n in LENGTHS}
            times = [f"{milliseconds(oracle, n, arcs):.0f} ms" for n, arcs in graphs.items()]
            s = oracle.layer_statistics(np.array([LENGTHS[-1]]), graphs[LENGTHS[-1]])
            lost, rate = f"{s.arcs_lost / s.arcs:.0%}", f"{s.transitions / s.tokens:.1f}"
            print(f"| {name} | {system} | {strategy} | {' | '.join(times)} | {lost} | {rate} |", flush=True)


if __name__ == "__main__":
    main()
