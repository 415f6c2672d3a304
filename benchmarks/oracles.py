"""Speed of the oracles, and the memory of a configuration.

    python benchmarks/oracles.py

Prints three Markdown tables: words per second of the static oracles, microseconds for the costs of all transitions in a
configuration by the dynamic oracles, and bytes of a configuration. One thread; CPU time, which other programs disturb
less; the fastest of up to five rounds counts, after a warm-up. The treebank is English-EWT train if ../shared/data
exists, otherwise many copies of the sample treebank.
"""

from __future__ import annotations

import io
import os
import platform
import random
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

from multiplane import _native, read_conllu
from multiplane.data import sample_path
from multiplane.errors import TransitionSystemError
from multiplane.formats import Corpus, read
from multiplane.graphs import DependencyGraph, random_tree
from multiplane.oracles import DynamicOracle, StaticOracle
from multiplane.systems import TransitionSystem, systems

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
ROUNDS = 5
ENOUGH = 1.0
"""Seconds after which no further round starts."""
STATIC_GOAL = 500_000
DYNAMIC_GOAL = 2.0
WORDS = 25
TREES, CONFIGURATIONS, TIMES = 40, 10, 20
"""Gold trees, configurations per tree, and repetitions of each in a round."""
COPIES = 20_000
DYNAMIC = ("2-planar", "planar", "3-planar", "arc-eager", "arc-hybrid", "arc-hybrid-swap", "covington")


def timed(work: Callable[[], object]) -> float:
    """The CPU seconds of the fastest round, after a warm-up."""
    work()
    best, spent = float("inf"), 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
        spent += best
        if spent > ENOUGH:
            break
    return best


def treebank() -> tuple[str, Corpus]:
    """English-EWT train, or the sample treebank repeated to about the same size."""
    source = SHARED / "ud" / "en_ewt" / "train.conllu.xz"
    if source.exists():
        return "English-EWT, train", read_conllu(source)
    return "250 copies of the sample treebank", read(io.BytesIO(sample_path().read_bytes() * 250), "conllu")


def with_trees(system: TransitionSystem) -> list[tuple[str, TransitionSystem]]:
    """A system without restriction and, if possible, restricted to trees."""
    try:
        return [("forests", system), ("trees", system.trees())]
    except TransitionSystemError:
        return [("forests", system)]


def static() -> None:
    """Every system whose oracle does not search, 2-planar first."""
    name, corpus = treebank()
    print(f"Static oracles on {name}: {len(corpus):,} sentences, {corpus.words:,} words\n")
    print("| system | mode | strategy | words/s | exact | arcs lost | transitions per word |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: |")
    speed = 0.0
    for system in sorted(systems.values(), key=lambda system: system.name != "2-planar"):
        for mode, restricted in with_trees(system):
            oracle = StaticOracle(restricted)
            if oracle.strategy == "search":
                continue
            found = oracle.statistics(corpus)
            rate = corpus.words / timed(lambda oracle=oracle: oracle.statistics(corpus))
            speed = speed or rate
            print(
                f"| {system.name} | {mode} | {oracle.strategy} | {rate:,.0f} | {found.exact / found.sentences:.2%} |"
                f" {found.arcs_lost:,} | {found.transitions / found.tokens:.2f} |"
            )
    print(f"\n2-planar: {speed:,.0f} words per second; goal {STATIC_GOAL:,}: {_verdict(speed >= STATIC_GOAL)}")


def random_configurations(system: TransitionSystem, count: int, rng: random.Random) -> list[_native.Configuration]:
    """Random configurations from random derivations."""
    found = []
    for _ in range(count):
        path = [system.initial(WORDS)]
        while (actions := path[-1].actions()) and not path[-1].is_terminal:
            path.append(path[-1].apply(rng.choice(actions)))
        found.append(rng.choice(path)._native)
    return found


def crossing_trees() -> list[DependencyGraph]:
    """Random trees, of which nearly all have crossing arcs; the others are skipped."""
    drawn = (random_tree(WORDS, seed) for seed in range(2 * TREES))
    return [graph for graph in drawn if not graph.is_projective()][:TREES]


def dynamic() -> None:
    """The costs of all transitions of random configurations, for random non-projective trees."""
    print(
        f"Dynamic oracles: {TREES} random non-projective trees of {WORDS} words, {CONFIGURATIONS} configurations each\n"
    )
    print("| system | mode | microseconds per configuration |\n| --- | --- | ---: |")
    graphs = crossing_trees()
    speed = 0.0
    for name in DYNAMIC:
        for mode, system in with_trees(systems[name]):
            rng = random.Random(1)
            oracle = DynamicOracle(system)
            jobs = [(oracle.native(graph), random_configurations(system, CONFIGURATIONS, rng)) for graph in graphs]

            def work(jobs: list[tuple[_native.DynamicOracle, list[_native.Configuration]]] = jobs) -> None:
                for native, configurations in jobs:
                    native.repeat(configurations, TIMES)

            each = 1e6 * timed(work) / (len(jobs) * CONFIGURATIONS * TIMES)
            speed = speed or each
            print(f"| {name} | {mode} | {each:.2f} |")
    print(f"\n2-planar: {speed:.2f} microseconds; goal less than {DYNAMIC_GOAL:g}: {_verdict(speed < DYNAMIC_GOAL)}")


def memory() -> None:
    """The growth of the process per copy of a configuration."""
    import psutil

    print("| system | words | bytes per configuration | bytes per word |\n| --- | ---: | ---: | ---: |")
    process = psutil.Process()
    kept: list[_native.Configuration] = []  # freed memory would be reused, and the process would not grow
    for name in ("planar", "2-planar", "3-planar"):
        for words in (25, 100):
            original = _native.Configuration(systems[name].program, words)
            kept += [original.copy() for _ in range(COPIES)]
            before = process.memory_info().rss
            kept += [original.copy() for _ in range(COPIES)]
            each = (process.memory_info().rss - before) / COPIES
            print(f"| {name} | {words} | {each:,.0f} | {each / words:.0f} |")


def _verdict(met: bool) -> str:
    return "met" if met else "missed"


def main() -> None:
    print(f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()};", end=" ")
    print(f"one thread, CPU time, best of {ROUNDS} rounds\n")
    static()
    print()
    dynamic()
    print()
    memory()


if __name__ == "__main__":
    main()
