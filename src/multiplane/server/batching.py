"""Collects the parse requests of many clients into few native calls.

A request waits only while all threads are busy; whatever has gathered by then is parsed together. Long requests are cut
into pieces, and requests take turns, so that a short one never waits for the whole of a long one.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from multiplane.errors import ModelError, MultiplaneError
from multiplane.formats import Corpus, Dialect, Sentence
from multiplane.formats.corpus import indexed
from multiplane.models import Model
from multiplane.parser.results import How, best_trees, parsed_corpus
from multiplane.server.problems import RequestError

PIECE = 500
"""Words of a piece; a longer sentence is a piece of its own."""
BATCH = 2_000
"""Words of a batch, unless its last piece exceeds it."""

Parsed = bytes | list[list[Sentence]]
"""The text of parsed sentences; with `How.best`, the trees of each sentence instead."""


class _Key(NamedTuple):
    """What pieces of one batch have in common."""

    model: int
    dialect: str
    how: How


class _Piece(NamedTuple):
    job: _Job
    number: int
    text: bytes
    sentences: int
    words: int
    lines_before: int
    sentences_before: int


@dataclass(eq=False)
class _Job:
    """A request: its pieces that have not been parsed yet, and the results of the others."""

    model: Model
    dialect: Dialect
    how: How
    done: asyncio.Future[None]
    pieces: deque[_Piece] = field(default_factory=deque)
    results: dict[int, Parsed] = field(default_factory=dict)
    total: int = 0

    @property
    def key(self) -> _Key:
        return _Key(id(self.model), self.dialect.name, self.how)


class Batcher:
    """Parses corpora of many requests; belongs to one event loop."""

    def __init__(
        self,
        threads: int = 1,
        most_waiting: int = 500,
        on_batch: Callable[[int, int, int], None] = lambda requests, sentences, words: None,
    ) -> None:
        self._pool = ThreadPoolExecutor(threads, "parse")
        self._idle = threads
        self._most_waiting = most_waiting
        self._on_batch = on_batch
        self._waiting: OrderedDict[_Key, deque[_Job]] = OrderedDict()

    def __len__(self) -> int:
        """The number of requests that wait for a thread."""
        return sum(map(len, self._waiting.values()))

    async def parse(self, model: Model, corpus: Corpus, how: How) -> list[Parsed]:
        """Returns the parsed sentences of a corpus, in pieces; raises `RequestError` if too many others wait."""
        if not self._idle and len(self) >= self._most_waiting:
            raise RequestError(503, f"{self._most_waiting} requests are already waiting; try again in a few seconds")
        job = _Job(model, corpus.dialect, how, asyncio.get_running_loop().create_future())
        job.pieces.extend(_pieces(job, corpus))
        job.total = len(job.pieces)
        if not job.total:
            return []
        self._waiting.setdefault(job.key, deque()).append(job)
        self._start()
        try:
            await job.done
        finally:
            self._forget(job)
        return [job.results[number] for number in range(job.total)]

    def close(self) -> None:
        """Ends the threads."""
        self._pool.shutdown()

    def _forget(self, job: _Job) -> None:
        """Drops what is left of a request that failed or was cancelled."""
        job.pieces.clear()
        jobs = self._waiting.get(job.key)
        if jobs is not None and job in jobs:
            jobs.remove(job)
            if not jobs:
                del self._waiting[job.key]

    def _start(self) -> None:
        loop = asyncio.get_running_loop()
        while self._idle and self._waiting:
            self._idle -= 1
            batch = self._take()
            loop.run_in_executor(self._pool, _results, batch).add_done_callback(
                lambda found, batch=batch: self._finish(batch, found)  # type: ignore[misc]
            )

    def _take(self) -> list[_Piece]:
        """Takes the pieces of the next batch: requests take turns, and so do models."""
        key, jobs = self._waiting.popitem(last=False)
        batch: list[_Piece] = []
        words = 0
        while jobs and words < BATCH:
            job = jobs.popleft()
            batch.append(job.pieces.popleft())
            words += batch[-1].words
            if job.pieces:
                jobs.append(job)
        if jobs:
            self._waiting[key] = jobs
        return batch

    def _finish(self, batch: list[_Piece], found: asyncio.Future[list[Parsed | MultiplaneError]]) -> None:
        self._idle += 1
        self._start()
        if found.cancelled():
            return
        error = found.exception()
        results: Sequence[Parsed | BaseException] = [error] * len(batch) if error else found.result()
        for piece, result in zip(batch, results, strict=True):
            _deliver(piece, result)
        self._on_batch(
            len({id(piece.job) for piece in batch}),
            sum(piece.sentences for piece in batch),
            sum(piece.words for piece in batch),
        )


def _deliver(piece: _Piece, result: Parsed | BaseException) -> None:
    job = piece.job
    if job.done.done():
        return
    if isinstance(result, BaseException):
        job.done.set_exception(result)
        return
    job.results[piece.number] = result
    if len(job.results) == job.total:
        job.done.set_result(None)


def _pieces(job: _Job, corpus: Corpus) -> Iterator[_Piece]:
    """Cuts a corpus between sentences."""
    index = corpus._index
    ends = np.cumsum(corpus.lengths)
    first = number = 0
    while first < len(corpus):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + PIECE, side="right")))
        text = corpus._text[int(index.start[first]) : int(index.end[last - 1])]
        sentence = corpus[first]
        words = int(ends[last - 1]) - before
        yield _Piece(job, number, _ended(text), last - first, words, sentence.line - 1, sentence.number_in_file - 1)
        first, number = last, number + 1


def _ended(text: bytes) -> bytes:
    """Returns a text with a blank line behind its last sentence."""
    return text.rstrip(b"\r\n") + b"\n\n"


def _results(batch: list[_Piece]) -> list[Parsed | MultiplaneError]:
    """Parses a batch; if it fails, piece by piece, so that each request gets its own error."""
    job = batch[0].job
    if len(batch) > 1:
        try:
            text = b"".join(piece.text for piece in batch)
            return _split(_parsed(job, indexed(text, job.dialect, "<request>", "fail")), batch)
        except ModelError:
            pass
    return [_alone(piece) for piece in batch]


def _alone(piece: _Piece) -> Parsed | MultiplaneError:
    job = piece.job
    try:
        corpus = indexed(piece.text, job.dialect, "<request>", "fail", piece.lines_before, piece.sentences_before)
        return next(iter(_split(_parsed(job, corpus), [piece])))
    except MultiplaneError as error:
        return error


def _parsed(job: _Job, corpus: Corpus) -> Corpus | list[list[Sentence]]:
    return parsed_corpus(job.model, corpus, job.how) if job.how.best is None else best_trees(job.model, corpus, job.how)


def _split(parsed: Corpus | list[list[Sentence]], batch: list[_Piece]) -> list[Parsed | MultiplaneError]:
    found: list[Parsed | MultiplaneError] = []
    first = 0
    for piece in batch:
        last = first + piece.sentences
        if isinstance(parsed, Corpus):
            index = parsed._index
            found.append(_ended(parsed._text[int(index.start[first]) : int(index.end[last - 1])]))
        else:
            found.append(parsed[first:last])
        first = last
    return found
