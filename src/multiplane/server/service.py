"""What all requests of a worker share: models, threads, limits and counts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from multiplane.formats import Corpus, Sentence
from multiplane.formats.corpus import indexed
from multiplane.parser import Parser
from multiplane.parser.batches import require_no_tags
from multiplane.parser.results import How
from multiplane.server.batching import Batcher
from multiplane.server.metrics import Metrics
from multiplane.server.models import Models
from multiplane.server.problems import RequestError
from multiplane.server.sentences import require_short
from multiplane.server.settings import Settings
from multiplane.text import corpus_of_text

_T = TypeVar("_T")
_HELPERS = 4
"""Threads for everything but parsing; Python runs them one at a time, apart from the native core."""


class Deadline:
    """The end of a request's time, for work that would go on after the client has been told that it took too long."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        """Raises `RequestError` when time is up."""
        if time.monotonic() > self._end:
            raise self.error()

    def error(self) -> RequestError:
        """Returns the answer to a request that took too long."""
        return RequestError(504, f"took longer than {self._seconds:g} s; split the request")


class Service:
    """A worker's models, threads and counts."""

    def __init__(
        self,
        settings: Settings,
        paths: list[str],
        models: Models | None = None,
        table: NDArray[np.float64] | None = None,
        row: int = 0,
    ) -> None:
        self.limits = settings.limits
        self.models = Models(settings.models) if models is None else models
        self.metrics = Metrics(paths, table, row)
        self.batcher = Batcher(settings.threads, settings.limits.queue, self.metrics.parsed)
        self.is_ending = False
        """Whether the worker has been told to end."""
        self._pool = ThreadPoolExecutor(_HELPERS, "helper")
        self._background: ThreadPoolExecutor | None = None

    async def in_thread(self, work: Callable[[], _T]) -> _T:
        """Does work beside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def prepare(self, work: Iterable[Callable[[], object]]) -> None:
        """Does work for later requests in the background, the first time that it is called."""
        if self._background is None:
            self._background = ThreadPoolExecutor(1, "background")
            for each in work:
                self._background.submit(each)

    async def tokenized(self, parser: Parser, text: str, *, lines: bool = False, ranges: bool = False) -> Corpus:
        """Splits a text into sentences and words, as the parser does."""
        require_no_tags(parser.model)
        tokenizer = parser._tokenizer(None)
        corpus = await self.in_thread(lambda: corpus_of_text(text, tokenizer, "<request>", lines=lines, ranges=ranges))
        require_short(corpus, self.limits.words)
        return corpus

    async def parsed(self, parser: Parser, corpus: Corpus, how: How) -> Corpus:
        """Returns a corpus with trees."""
        pieces = await self._pieces(parser, corpus, how)
        return indexed(b"".join(pieces), corpus.dialect, corpus.name, "fail")  # type: ignore[arg-type]

    async def best(self, parser: Parser, corpus: Corpus, how: How) -> list[list[Sentence]]:
        """Returns the best trees of each sentence."""
        return [row for piece in await self._pieces(parser, corpus, how) for row in piece]  # type: ignore[misc]

    async def _pieces(self, parser: Parser, corpus: Corpus, how: How) -> list[bytes | list[list[Sentence]]]:
        try:
            return await self.batcher.parse(parser.model, corpus, how)
        finally:
            self.metrics.waiting(len(self.batcher))

    def close(self) -> None:
        """Ends the threads."""
        self.batcher.close()
        self._pool.shutdown(cancel_futures=True)
        if self._background is not None:
            self._background.shutdown(cancel_futures=True)
