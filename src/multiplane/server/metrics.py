"""Counts for Prometheus, in an array that workers share: each writes its own row, and all rows are added up."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_WORDS = (10, 30, 100, 300, 1_000, 2_000, 3_000, 10_000)
STATUSES = (200, 204, 206, 304, 400, 404, 405, 408, 411, 413, 415, 416, 422, 429, 500, 501, 503, 504)
OTHER = "other"
"""The path of requests for which there is no route, and the status of those with another one."""


class Metrics:
    """Requests, latencies, work done, and memory of one worker; `text` adds up those of all workers.

    >>> metrics = Metrics(["/models"])
    >>> metrics.began()
    >>> metrics.answered("/models", 200, 0.004)
    >>> print(metrics.text().splitlines()[2])
    multiplane_requests_total{path="/models",status="200"} 1
    """

    def __init__(self, paths: Sequence[str], table: NDArray[np.float64] | None = None, row: int = 0) -> None:
        self._paths = [*paths, OTHER]
        self._statuses = [*map(str, STATUSES), OTHER]
        self._requests = 0
        self._seconds = self._requests + len(self._paths) * len(self._statuses)
        self._batches = self._seconds + len(self._paths) * (len(_SECONDS) + 2)
        self._single = self._batches + len(_WORDS) + 2
        self.size = self._single + len(_SINGLE)
        self._table = np.zeros((1, self.size)) if table is None else table
        self._mine = self._table[row]
        self._measured = 0.0
        for name in _GAUGES:  # a worker that failed has left its last values
            self._mine[self._single + _NAMES.index(name)] = 0

    def began(self) -> None:
        """Counts a request that is to be answered."""
        self._mine[self._single + _NAMES.index("in_progress")] += 1

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Counts a request that has been answered."""
        self._mine[self._single + _NAMES.index("in_progress")] -= 1
        place = self._paths.index(path) if path in self._paths else len(self._paths) - 1
        code = STATUSES.index(status) if status in STATUSES else len(STATUSES)
        self._mine[self._requests + place * len(self._statuses) + code] += 1
        self._observe(self._seconds + place * (len(_SECONDS) + 2), _SECONDS, seconds)
        self._measure_memory()

    def parsed(self, requests: int, sentences: int, words: int) -> None:
        """Counts a batch."""
        self._observe(self._batches, _WORDS, words)
        for name, number in (("batched_requests", requests), ("sentences", sentences), ("words", words)):
            self._mine[self._single + _NAMES.index(name)] += number

    def waiting(self, requests: int) -> None:
        """Notes how many requests wait to be parsed now."""
        self._mine[self._single + _NAMES.index("queue")] = requests

    def _observe(self, start: int, bounds: Sequence[float], value: float) -> None:
        """Adds a value to a histogram: the counts by bound, then the sum and the count of all."""
        for place, bound in enumerate(bounds):
            if value <= bound:
                self._mine[start + place] += 1
        self._mine[start + len(bounds)] += value
        self._mine[start + len(bounds) + 1] += 1

    def _measure_memory(self) -> None:
        if time.monotonic() - self._measured > 1:
            self._measured = time.monotonic()
            self._mine[self._single + _NAMES.index("memory")] = resident_bytes()

    def text(self) -> str:
        """Returns all numbers in Prometheus' format."""
        self._measured = 0.0
        self._measure_memory()
        return "\n".join(self._lines(self._table.sum(axis=0))) + "\n"

    def _lines(self, all_rows: NDArray[np.float64]) -> Iterator[str]:
        yield from _head("multiplane_requests_total", "counter", "Requests by path and status.")
        for place, path in enumerate(self._paths):
            for code, status in enumerate(self._statuses):
                if count := all_rows[self._requests + place * len(self._statuses) + code]:
                    yield f'multiplane_requests_total{{path="{path}",status="{status}"}} {_shown(count)}'
        yield from _head(
            "multiplane_request_seconds", "histogram", "Time from the first byte of a request to its response."
        )
        for place, path in enumerate(self._paths):
            start = self._seconds + place * (len(_SECONDS) + 2)
            yield from _histogram("multiplane_request_seconds", f'path="{path}"', _SECONDS, all_rows[start:])
        yield from _head("multiplane_batch_words", "histogram", "Words per batch.")
        yield from _histogram("multiplane_batch_words", "", _WORDS, all_rows[self._batches :])
        for place, (name, kind, about) in enumerate(_SINGLE.values()):
            yield from _head(name, kind, about)
            yield f"{name} {_shown(all_rows[self._single + place])}"


_SINGLE = {
    "sentences": ("multiplane_sentences_total", "counter", "Sentences parsed."),
    "words": ("multiplane_words_total", "counter", "Words parsed."),
    "batched_requests": (
        "multiplane_batched_requests_total",
        "counter",
        "Requests in all batches; a request counts once per batch.",
    ),
    "in_progress": ("multiplane_requests_in_progress", "gauge", "Requests in progress."),
    "queue": ("multiplane_queue_requests", "gauge", "Requests waiting to be parsed."),
    "memory": ("multiplane_resident_memory_bytes", "gauge", "Resident memory of all workers."),
}
_NAMES = list(_SINGLE)
_GAUGES = [name for name, (_, kind, _) in _SINGLE.items() if kind == "gauge"]


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"


def _histogram(name: str, labels: str, bounds: Sequence[float], values: NDArray[np.float64]) -> Iterator[str]:
    total, count = values[len(bounds)], values[len(bounds) + 1]
    if not count:
        return
    before = f"{labels}," if labels else ""
    for bound, below in zip(bounds, values, strict=False):
        yield f'{name}_bucket{{{before}le="{bound:g}"}} {_shown(below)}'
    yield f'{name}_bucket{{{before}le="+Inf"}} {_shown(count)}'
    behind = f"{{{labels}}}" if labels else ""
    yield f"{name}_sum{behind} {_shown(total)}"
    yield f"{name}_count{behind} {_shown(count)}"


def _shown(number: float) -> str:
    return f"{number:.0f}" if number == int(number) else repr(float(number))


def resident_bytes() -> int:
    """Returns the memory of this process, or 0 where the system does not tell.

    >>> resident_bytes() >= 0
    True
    """
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
