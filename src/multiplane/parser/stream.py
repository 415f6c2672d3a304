"""Parsing from file to file: in blocks, in bounded memory, in several threads, in the order of the input."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from multiplane.errors import FormatError
from multiplane.formats import Corpus, Source, Target, dialect_of, writing
from multiplane.formats.reader import Block, OnError, blocks, corpus_of, validate
from multiplane.formats.rewrite import rewritten
from multiplane.formats.stream import path_of
from multiplane.models import Model
from multiplane.parser.given import parse_given

BLOCK = 1 << 20
_T = TypeVar("_T")
_R = TypeVar("_R")


class Parsed(NamedTuple):
    """How much was parsed."""

    sentences: int
    words: int


class _Done(NamedTuple):
    block: Block
    corpus: Corpus
    text: bytes


def parse_stream(
    model: Model,
    source: Source,
    target: Target,
    *,
    format: str | None = None,  # noqa: A002
    threads: int = 1,
    beam: int | None = None,
    keep_heads: bool = False,
    on_error: OnError = "fail",
    block: int = BLOCK,
    progress: Callable[[int], None] | None = None,
    on_problem: Callable[[FormatError], None] = lambda problem: None,
) -> Parsed:
    """Parses a file into another one; only HEAD and DEPREL change.

    What comes out does not depend on the number of threads or the size of blocks. With ``on_error="skip"`` broken
    sentences are left out, and `on_problem` is told of each.
    """
    validate(on_error)
    dialect = dialect_of(path_of(source), format)

    def parsed(piece: Block) -> _Done:
        # Whether a broken sentence is an error is decided when it is its turn: sentences have no numbers before.
        corpus = corpus_of(piece, dialect, "skip")
        return _Done(piece, corpus, _parsed_text(model, corpus, beam, keep_heads))

    sentences = words = 0
    numbered = 0
    with writing(target) as stream:
        for done in _in_order(parsed, blocks(source, block, progress), threads):
            if done.corpus.problems:
                again = corpus_of(done.block._replace(sentences_before=numbered), dialect, on_error)
                for problem in again.problems:
                    on_problem(problem)
            numbered += done.corpus.sentences_read
            sentences += len(done.corpus)
            words += done.corpus.words
            stream.write(done.text)
    return Parsed(sentences, words)


def _parsed_text(model: Model, corpus: Corpus, beam: int | None, keep_heads: bool) -> bytes:
    if keep_heads:
        trees, names = parse_given(model, corpus, beam)
        return rewritten(corpus, *trees, names)
    return rewritten(corpus, *model.parse(corpus, beam), model.names)


def _in_order(work: Callable[[_T], _R], items: Iterable[_T], threads: int) -> Iterator[_R]:
    """The results in the order of the items; at most two items a thread wait at a time."""
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
