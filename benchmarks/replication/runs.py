"""Runs of parsers: trained, scored on dev, and stored in a file to which several processes may add concurrently."""

from __future__ import annotations

import fcntl
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent.parent / "peers"))

from accuracy import scored
from common import machine, treebank

import multiplane as mp

Results = dict[str, Any]
Identity = tuple[str, str, str, int]
"""A treebank, a learner, a parser and a seed."""


def key_of(run: Results) -> Identity:
    return run["treebank"], run["how"], run["parser"], run["seed"]


def measure(identity: Identity, settings: Mapping[str, Any], target: Path) -> Results:
    """Trains a parser, scores it, and saves its output for dev and, next to it, the model."""
    name, how, parser, seed = identity
    dev = treebank(name, "dev")
    start = time.process_time()
    trained = mp.train(treebank(name, "train"), dev, seed=seed, **settings)
    seconds = time.process_time() - start
    output = trained.parse(dev)
    target.write_bytes(output.to_bytes())
    trained.save(target.with_suffix(".model"))
    scores = {key: value for key, value in scored(dev, output).items() if key != "several_roots"}
    found = {"treebank": name, "how": how, "parser": parser, "seed": seed, **scores}
    run = {**found, "training_cpu_seconds": round(seconds), "date": str(date.today())}
    print(json.dumps(run), file=sys.stderr, flush=True)
    return run


def load(file: Path) -> Results:
    """The contents of a file: the machine, and lists, one of them named runs."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"runs": []}


def has(file: Path, identity: Identity) -> bool:
    return identity in map(key_of, load(file)["runs"])


@contextmanager
def changed(file: Path) -> Iterator[Results]:
    """The current results, to be changed; they are written at the end, and other processes wait until then."""
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # not the file itself, which is replaced
        results = load(file)
        yield results
        _save(file, results)
    finally:
        os.close(folder)


def add(results: Results, run: Results) -> None:
    """Adds a run, replacing an earlier one with the same identity."""
    others = [other for other in results["runs"] if key_of(other) != key_of(run)]
    results["runs"] = sorted([*others, run], key=key_of)


def _save(file: Path, results: Results) -> None:
    """One line per entry of a list, so that diffs are readable."""
    lists = {name: rows for name, rows in results.items() if name != "machine"}
    text = "".join(f', "{name}": [\n{_lines(rows)}\n]' for name, rows in lists.items())
    new = file.with_suffix(".new")
    new.write_text(f'{{"machine": {json.dumps(machine())}{text}}}\n', encoding="utf-8")
    new.replace(file)  # atomically, so that no process reads half a file


def _lines(rows: list[Results]) -> str:
    return ",\n".join("  " + json.dumps(row) for row in rows)
