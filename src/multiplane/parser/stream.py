"""Parses from file to file in blocks, with bounded memory and several threads, in input order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from multiplane.errors import FormatError, ModelError, SentenceError
from multiplane.formats import Corpus, Dialect, Target, writing
from multiplane.formats.corpus import OnError, validate
from multiplane.formats.reader import Block, corpus_of
from multiplane.models import Model
from multiplane.parser.results import How, parsed_text

BLOCK = 1 << 18
_T = TypeVar("_T")
_R = TypeVar("_R")


class Parsed(NamedTuple):
    """The number of sentences and words parsed."""

    sentences: int
    words: int


@dataclass(frozen=True, eq=False)
class Work:
    """The work to do for each block."""

    model: Model
    dialect: Dialect
    how: How = field(default_factory=How)

    def __call__(self, block: Block) -> _Done:
        """Reads and parses a block. Errors are raised later, in input order."""
        corpus = corpus_of(block, self.dialect, "skip")
        try:
            return _Done(block, corpus, self.text(corpus))
        except ModelError:
            return _Done(block, corpus, None)

    def text(self, corpus: Corpus) -> bytes:
        """Returns the text of a corpus with its trees."""
        return parsed_text(self.model, corpus, self.how)


class _Done(NamedTuple):
    block: Block
    corpus: Corpus
    text: bytes | None
    """None if the block could not be parsed."""


def parse_stream(
    work: Work,
    pieces: Iterable[Block],
    target: Target,
    threads: int = 1,
    on_error: OnError = "fail",
    on_problem: Callable[[FormatError | SentenceError], None] = lambda problem: None,
) -> Parsed:
    """Parses the blocks of a file into another one; see `Parser.parse_stream`."""
    validate(on_error)
    sentences = words = numbered = 0
    with writing(target) as stream:
        for done in in_order(work, pieces, threads):
            parts: Iterable[tuple[Corpus, bytes]] = [(done.corpus, done.text or b"")]
            if done.corpus.problems or done.text is None:
                # Read it again, now that the number of sentences before it is known: messages include it.
                corpus = corpus_of(done.block._replace(sentences_before=numbered), work.dialect, on_error)
                for problem in corpus.problems:
                    on_problem(problem)
                parts = [(corpus, work.text(corpus))] if on_error == "fail" else _parts(work, corpus, on_problem)
            numbered += done.corpus.sentences_read
            for part, text in parts:
                sentences += len(part)
                words += part.words
                stream.write(text)
    return Parsed(sentences, words)


def _parts(work: Work, corpus: Corpus, on_problem: Callable[[SentenceError], None]) -> Iterator[tuple[Corpus, bytes]]:
    """Yields parts of a corpus with their text, without sentences that cannot be parsed, which it finds by halves."""
    try:
        yield corpus, work.text(corpus)
    except SentenceError as error:
        if len(corpus) == 1:
            on_problem(error)
            return
        middle = len(corpus) // 2
        yield from _parts(work, corpus[:middle], on_problem)
        yield from _parts(work, corpus[middle:], on_problem)


def in_order(work: Callable[[_T], _R], items: Iterable[_T], threads: int) -> Iterator[_R]:
    """Yields results in the order of the items; at most two items per thread are pending."""
    if threads == 1:
        yield from map(work, items)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        waiting: deque[Future[_R]] = deque()
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
