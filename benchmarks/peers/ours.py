"""Time that multiplane takes in one process to start, and to parse one sentence at a time.

    python benchmarks/peers/ours.py load MODEL
    python benchmarks/peers/ours.py sentences MODEL IN.conllu [--rounds 3]

`load` prints the seconds to import multiplane and load a model; as it must run first in a process, multiplane is not
imported at the top. `sentences` prints the words per second of parsing a corpus at once and sentence by sentence, in
alternating rounds after a warm-up; reading is not counted. `neural_speed.py` runs these as separate programs, through
the functions below.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any


def load(model: str) -> dict[str, float]:
    """The seconds to import multiplane and to load a model, in a new process."""
    found: dict[str, float] = _output("load", model)
    return found


def sentences(model: str, source: str, rounds: int) -> dict[str, list[float]]:
    """Words per second, by wall and by CPU time: of a corpus at once (`corpus`), and by sentence (`sentence`)."""
    found: dict[str, list[float]] = _output("sentences", model, source, "--rounds", str(rounds))
    return found


def _output(*arguments: str) -> Any:
    done = subprocess.run([sys.executable, __file__, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


# The functions below run in the separate process.


def _load(model: str) -> None:
    start = time.perf_counter()
    import multiplane

    imported = time.perf_counter()
    multiplane.load(model)
    print(json.dumps({"import": imported - start, "load": time.perf_counter() - imported}))


def _seconds(action: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - cpu


def _sentences(model: str, source: str, rounds: int) -> None:
    import multiplane

    parser, corpus = multiplane.load(model), multiplane.read(source)
    single = list(corpus)
    actions: dict[str, Callable[[], object]] = {
        "corpus": lambda: parser.parse(corpus),
        "sentence": lambda: [parser.parse(sentence) for sentence in single],
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in actions}
    for number in range(rounds + 1):
        for name, action in actions.items():
            used = _seconds(action)
            if number:
                found[name].append(used)
    medians = {name: [median(kind) for kind in zip(*used, strict=True)] for name, used in found.items()}
    print(json.dumps({name: [corpus.words / seconds for seconds in used] for name, used in medians.items()}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    loading, parsing = verbs.add_parser("load"), verbs.add_parser("sentences")
    for verb in (loading, parsing):
        verb.add_argument("model")
    parsing.add_argument("source")
    parsing.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    if chosen.verb == "load":
        _load(chosen.model)
    else:
        _sentences(chosen.model, chosen.source, chosen.rounds)


if __name__ == "__main__":
    main()
