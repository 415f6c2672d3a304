"""How time grows with the number of sentences, with the fields requested, and with crossings in one long sentence.

    python benchmarks/scaling.py

Prints three Markdown tables. One thread; the fastest of several rounds counts. Needs only the sample treebank.
"""

from __future__ import annotations

import io
import os
import platform
import random
import time
from collections.abc import Callable
from datetime import date
from typing import TypeVar

import numpy as np

from multiplane.analysis import coverage
from multiplane.data import sample_path
from multiplane.formats import Corpus, iterate, read
from multiplane.graphs import measure_heads, random_tree

ROUNDS = 5
COPIES = 100
"""Copies of the sample treebank in the smallest file."""
WORDS = 20_000

T = TypeVar("T")


def timed(work: Callable[[], T], rounds: int = ROUNDS) -> tuple[float, T]:
    """The seconds of the fastest round, and the result of the last one."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result


def random_heads() -> list[int]:
    """A tree drawn uniformly: nearly every arc is long and crosses thousands of others."""
    heads = [0] * WORDS
    for head, dependent, *_ in random_tree(WORDS, seed=1).arcs:
        heads[dependent - 1] = head
    return heads


def chains(count: int) -> list[int]:
    """A number of chains that take turns, word by word: every arc crosses those that begin within it."""
    return [max(0, word - count) for word in range(1, WORDS + 1)]


def bundles(size: int) -> list[int]:
    """Groups of arcs that all cross one another, as in a b c … A B C …, one group after another."""
    heads = []
    for start in range(0, WORDS, 2 * size):
        half = min(size, (WORDS - start) // 2)
        heads += [0] * half + list(range(start + 1, start + half + 1))
    return heads


def two_combs() -> list[int]:
    """A comb to the right from the first word and one to the left from the last, on alternate words: 2-planar."""
    return [0 if word in (1, WORDS) else 1 if word % 2 else WORDS for word in range(1, WORDS + 1)]


def near(window: int) -> list[int]:
    """Each word's head is drawn from the words within a window that come earlier in a random order."""
    rng = random.Random(1)
    rank = rng.sample(range(WORDS), WORDS)
    heads = []
    for word in range(WORDS):
        around = range(max(0, word - window), min(WORDS, word + window + 1))
        earlier = [other + 1 for other in around if rank[other] < rank[word]]
        heads.append(rng.choice(earlier) if earlier else 0)
    return heads


SENTENCES = {
    "random tree": random_heads,
    "random forest, heads at most 3 words away": lambda: near(3),
    "random forest, heads at most 4 words away": lambda: near(4),
    "two combs against each other": two_combs,
    "2 chains in turn": lambda: chains(2),
    "3 chains in turn": lambda: chains(3),
    "4 chains in turn": lambda: chains(4),
    "100 chains in turn": lambda: chains(100),
    "bundles of 3 arcs": lambda: bundles(3),
    "bundles of 4 arcs": lambda: bundles(4),
    "one bundle of 10,000 arcs": lambda: bundles(WORDS // 2),
}


def growth() -> None:
    """Reading and analysing more and more copies of the sample treebank."""
    text = sample_path().read_bytes() * COPIES
    print("| size | sentences | words | seconds | microseconds per sentence |\n| ---: | ---: | ---: | ---: | ---: |")
    for times in (1, 2, 4, 8):
        copies = text * times
        seconds, found = timed(lambda copies=copies: coverage(iterate(io.BytesIO(copies), "conllu")))
        each = 1e6 * seconds / found.structures
        print(f"| {times} x | {found.structures:,} | {found.tokens:,} | {seconds:.3f} | {each:.1f} |")


def fields() -> None:
    """The cost of the fields, which reading alone leaves in the text."""
    text = sample_path().read_bytes() * (8 * COPIES)

    def whole() -> Corpus:
        return read(io.BytesIO(text), "conllu")

    def by_column() -> list[list[str]]:
        corpus = whole()
        return [corpus.column(name) for name in corpus.dialect.columns]

    def by_sentence() -> list[list[list[str]]]:
        corpus = whole()
        return [[sentence.column(name) for name in corpus.dialect.columns] for sentence in corpus]

    words, alone = whole().words, timed(whole)[0]
    print("| what | words/s | time / read |\n| --- | ---: | ---: |")
    for name, work in (
        ("read", whole),
        ("read + all columns", by_column),
        ("read + all columns, by sentence", by_sentence),
    ):
        seconds = timed(work)[0]
        print(f"| {name} | {words / seconds:,.0f} | {seconds / alone:.1f} |")


def long_sentences() -> None:
    """Measuring one sentence of 20,000 words at a time."""
    print("| sentence | planes | gap degree | arc degree | seconds |\n| --- | ---: | ---: | ---: | ---: |")
    lengths = np.array([WORDS])
    for name, build in SENTENCES.items():
        heads = np.array(build(), np.int32)
        seconds, m = timed(lambda heads=heads: measure_heads(lengths, heads), rounds=2)
        planes = {0: "undecided", 5: "more than 4"}.get(int(m.planarity[0]), str(m.planarity[0]))
        print(f"| {name} | {planes} | {m.gap_degree[0]:,} | {m.arc_degree[0]:,} | {seconds:.3f} |")


def main() -> None:
    print(f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    growth()
    print()
    fields()
    print()
    long_sentences()


if __name__ == "__main__":
    main()
