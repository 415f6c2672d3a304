"""How often a parser finds a tree under forbidden arcs, where there is one: the gold tree is always allowed.

    python benchmarks/constraints.py MODEL DEV [--sentences 400]

Of all other arcs, a random share is forbidden. Sentences whose gold tree needs more than two planes are left out.
"""

from __future__ import annotations

import argparse
import random
import time

import multiplane as mp
from multiplane.formats import Sentence

SHARES = (0.5, 0.8, 0.9, 0.95, 0.98, 1.0)


def forbidden_arcs(sentence: Sentence, share: float, rng: random.Random) -> list[tuple[int, int]]:
    """Returns a random share of the arcs that are not in the gold tree."""
    words = range(1, len(sentence) + 1)
    others = ((h, d) for d in words for h in (0, *words) if h not in (d, sentence.heads[d - 1]))
    return [arc for arc in others if rng.random() < share]


def main() -> None:
    """Prints a line for each share of forbidden arcs."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("model")
    arguments.add_argument("dev")
    arguments.add_argument("--sentences", type=int, default=400)
    given = arguments.parse_args()
    parser = mp.load(given.model)
    sentences = [each for each in mp.read(given.dev)[: given.sentences] if each.graph.planarity() <= 2]
    print(f"{len(sentences)} sentences")
    for share in SHARES:
        rng = random.Random(1)
        found, longest = 0, 0.0
        for sentence in sentences:
            forbidden = forbidden_arcs(sentence, share, rng)
            began = time.perf_counter()
            try:
                tree = parser.parse(sentence, forbidden=forbidden)
                if not {(head, word) for word, head in enumerate(tree.heads, 1)} & set(forbidden):
                    found += 1
            except mp.SentenceError:
                pass
            longest = max(longest, time.perf_counter() - began)
        print(f"{100 * share:.0f} % forbidden: {found} trees found, at most {1000 * longest:.0f} ms")


if __name__ == "__main__":
    main()
