"""How the work of static oracles grows with the length of a sentence, in instructions.

    python benchmarks/oracle_scaling.py

Every system with O(n) transitions derives 10,000 words three times: as 100 sentences of 100 words, as 10 of 1,000 and
as one of 10,000; all are trees in the system's class, in many shapes. If the work is linear, the three cost the same,
so a sentence 100 times as long costs 100 times as much. Valgrind counts the instructions within the oracle's call, less
those of a call without sentences; without Valgrind, seconds are measured instead, and the heading says so. Two more
tables show systems that are linear in transitions only, and the cost of trees outside a system's class. Takes five to
ten minutes.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from counting import counted, instructions
from multiplane.errors import TransitionSystemError
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.graphs import measure_heads
from multiplane.oracles import StaticOracle, Statistics
from multiplane.systems import TransitionSystem, systems

WORDS = 10_000
LENGTHS = (100, 1_000, 10_000)
GOAL = 1.2

Heads = list[int]


# Shapes of trees.


def language(n: int, seed: int) -> Heads:
    """A projective tree with short arcs: neighbours are linked, either way, about as often as a word is read."""
    rng = random.Random(seed)
    heads = [0] * (n + 1)
    open_words: list[int] = []
    for word in range(1, n + 1):
        open_words.append(word)
        while len(open_words) > 1 and (word == n or rng.random() < 0.6):
            left, right = open_words[-2:]
            head, dependent = (right, left) if rng.random() < 0.6 else (left, right)
            heads[dependent] = head
            open_words[-2:] = [head]
    return heads[1:]


def with_crossings(n: int, seed: int, step: int = 25, most: int = 2) -> Heads:
    """The same, with two neighbours swapped in about every 25 words, if two planes still hold the tree."""
    heads = language(n, seed)
    rng = random.Random(seed)
    for start in range(1, n - 1, step):
        word = min(n - 1, start + rng.randrange(step))
        swapped = {word: word + 1, word + 1: word}
        tried = [swapped.get(head, head) for head in heads]
        tried[word - 1], tried[word] = tried[word], tried[word - 1]
        if measure_heads(np.array([n]), np.array(tried, np.int32)).planarity[0] <= most:
            heads = tried
    return heads


def two_chains(n: int, _: int) -> Heads:
    """Two interleaved chains: every arc crosses the next."""
    return [0, 1, *range(1, n - 1)]


@dataclass(frozen=True)
class Shape:
    """How trees of a shape are built, and how many planes they need."""

    build: Callable[[int, int], Heads]
    planes: int = 1


SHAPES = {
    "language": Shape(language),
    "chain to the right": Shape(lambda n, _: list(range(n))),
    "chain to the left": Shape(lambda n, _: [*range(2, n + 1), 0]),
    "first word head of all": Shape(lambda n, _: [0] + [1] * (n - 1)),
    "last word head of all": Shape(lambda n, _: [n] * (n - 1) + [0]),
    "middle word head of all": Shape(lambda n, _: [0 if word == n // 2 else n // 2 for word in range(1, n + 1)]),
    "with crossings": Shape(with_crossings, planes=2),
    "crossing chains": Shape(two_chains, planes=2),
    "last word head of all but its own": Shape(lambda n, _: [n] * (n - 2) + [0, n - 1], planes=2),
}


def sentences(shape: Shape, length: int) -> NDArray[np.int32]:
    """The concatenated heads of trees of one length, 10,000 words in total."""
    return np.array([head for seed in range(WORDS // length) for head in shape.build(length, seed)], np.int32)


# Systems.


def corpus_of(heads: NDArray[np.int32], length: int) -> Corpus:
    """Sentences of one length with these heads."""
    rows = "{}\tw\t_\t_\t_\t_\t{}\tdep\t_\t_\n"
    return from_text(
        "".join(
            "".join(rows.format(word, head) for word, head in enumerate(tree.tolist(), 1)) + "\n"
            for tree in heads.reshape(-1, length)
        )
    )


@dataclass(frozen=True)
class Case:
    """A system in one of its modes."""

    mode: str
    system: TransitionSystem

    @cached_property
    def oracle(self) -> StaticOracle:
        """Its static oracle."""
        return StaticOracle(self.system)

    def shapes(self) -> Iterator[str]:
        """The shapes in its class."""
        for name, shape in SHAPES.items():
            if shape.planes <= self.system.stacks:
                yield name

    def derive(self, corpus: Corpus) -> Statistics:
        """Derives all sentences."""
        return self.oracle.statistics(corpus)


def linear(*, steps: bool) -> Iterator[TransitionSystem]:
    """The systems with O(n) transitions, by whether these are O(n) elementary steps as well."""
    for system in systems.values():
        properties = system.properties()
        if properties["linear_transitions"] and bool(properties["linear_steps"]) is steps:
            yield system


def cases() -> list[Case]:
    """Every system with O(n) steps, without restriction and, if possible, restricted to trees.

    Systems whose oracle searches are skipped: their transitions are O(n), the search is not.
    """
    found = []
    for system in linear(steps=True):
        if StaticOracle(system).strategy == "search":
            continue
        found.append(Case("forests", system))
        try:
            found.append(Case("trees", system.trees()))
        except TransitionSystemError:
            continue
        if system.name == "2-planar":
            found.append(Case("trees, root at the left", system.trees(root="left")))
            found.append(Case("trees, root at the right", system.trees(root="right")))
    return found


# Counting.

Job = tuple[int, str, int]
"""The index of a case, a shape and a length."""


def jobs() -> list[Job]:
    return [(at, shape, length) for at, case in enumerate(cases()) for shape in case.shapes() for length in LENGTHS]


def prepare(folder: Path) -> None:
    """Writes the trees to a file, so that the counting process only reads them."""
    trees = {f"{name}/{length}": sentences(shape, length) for name, shape in SHAPES.items() for length in LENGTHS}
    np.savez(folder / "trees.npz", **trees)
    for case in cases():
        for shape in case.shapes():
            found = case.derive(corpus_of(trees[f"{shape}/{LENGTHS[0]}"], LENGTHS[0]))
            if found.exact < found.sentences:
                print(f"{case.system.name}, {case.mode}, {shape}: {found.arcs_lost} arcs lost", file=sys.stderr)


def work_off(folder: Path, around: Callable[[Callable[[], object]], None]) -> None:
    """Runs every job within a call that measures it; the first derives nothing, and is subtracted."""
    trees = np.load(folder / "trees.npz")
    corpora = {(shape, n): corpus_of(trees[f"{shape}/{n}"], n) for shape in SHAPES for n in LENGTHS}
    every = cases()
    nothing = from_text("")
    for case in every:  # the tables of systems are built on first use
        case.derive(nothing)
    around(lambda: every[0].derive(nothing))
    for at, shape, length in jobs():
        around(partial(every[at].derive, corpora[shape, length]))


def count(folder: Path) -> None:
    """In a process under Valgrind: runs every job within the call that Valgrind counts."""
    work_off(folder, counted)


def instructions_of_jobs(folder: Path) -> list[float]:
    """The instructions of every job, less those of a call that derives nothing."""
    found = instructions([__file__, "--count", str(folder)], folder)
    nothing, *each = found[-1 - len(jobs()) :]  # earlier calls are those of imports
    return [total - nothing for total in each]


def seconds(folder: Path, rounds: int = 3) -> list[float]:
    """The seconds of every job, if instructions cannot be counted; the best of several rounds."""
    found: list[float] = []

    def around(work: Callable[[], object]) -> None:
        best = float("inf")
        for _ in range(rounds):
            start = time.perf_counter()
            work()
            best = min(best, time.perf_counter() - start)
        found.append(best)

    work_off(folder, around)
    return [second - found[0] for second in found[1:]]


# Tables.


def growth(counts: Iterable[float], unit: str) -> None:
    """The work for a sentence of 10,000 words divided by that for 100 words; in brackets, for 1,000 words."""
    by_job = dict(zip(jobs(), counts, strict=True))
    print(f"| system | mode | {unit} per word | {' | '.join(SHAPES)} |\n| --- | --- |{' ---: |' * (1 + len(SHAPES))}")
    missed = []
    for at, case in enumerate(cases()):
        cells = []
        for shape in SHAPES:
            if shape not in case.shapes():
                cells.append("")
                continue
            small, middle, large = (by_job[at, shape, length] for length in LENGTHS)
            cells.append(f"{100 * large / small:,.0f} ({10 * middle / small:,.0f})")
            if large / small > GOAL:
                missed.append(f"{case.system.name} ({case.mode}), {shape}: {100 * large / small:,.0f}")
        each = by_job[at, "language", LENGTHS[0]] / WORDS
        shown = f"{round(each, -1):,.0f}" if unit == "instructions" else f"{each:.3g}"
        print(f"| {case.system.name} | {case.mode} | {shown} | {' | '.join(cells)} |")
    print(f"\nGoal, 100 within 20 %: {'met' if not missed else 'missed for ' + '; '.join(missed)}")


def transitions_only() -> None:
    """Systems whose transitions have O(n) steps: the number of transitions per word."""
    print("| system | trees | transitions at 100 words | at 400 | per word |\n| --- | --- | ---: | ---: | ---: |")
    for system in linear(steps=False):
        for name, shape in SHAPES.items():
            if shape.planes > 1:
                continue
            oracle = StaticOracle(system)
            trees = [corpus_of(np.array(shape.build(n, 1), np.int32), n) for n in (100, 400)]
            few, many = (oracle.statistics(tree).transitions for tree in trees)
            print(f"| {system.name} | {name} | {few} | {many} | {many / 400:.2f} |")


def outside() -> None:
    """Seconds for one tree that the system cannot derive, so the oracle looks for the closest one that it can."""
    sizes = (100, 200, 400, 800)
    print(f"| system | trees | {' | '.join(f'{n} words' for n in sizes)} |\n| --- | --- |{' ---: |' * len(sizes)}")
    rows: list[tuple[str, str, Callable[[int, int], Heads]]] = [
        (name, "with crossings", with_crossings) for name in ("arc-eager", "planar", "attardi")
    ]
    rows.append(("2-planar", "in three planes", lambda n, seed: with_crossings(n, seed, step=2, most=3)))
    for name, trees, build in rows:
        times = []
        for n in sizes:
            case, corpus = Case("forests", systems[name]), corpus_of(np.array(build(n, 1), np.int32), n)
            start = time.perf_counter()
            case.derive(corpus)
            times.append(f"{time.perf_counter() - start:.4f}")
        print(f"| {name} | {trees} | {' | '.join(times)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.count:
        count(arguments.count)
        return
    print(f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        if shutil.which("valgrind"):
            growth(instructions_of_jobs(Path(folder)), "instructions")
        else:
            print("Valgrind was not found: seconds instead of instructions\n")
            growth(seconds(Path(folder)), "seconds")
    print()
    transitions_only()
    print()
    outside()


if __name__ == "__main__":
    main()
