"""Parsers are safe to share: threads and forked processes give what one thread gives."""

import multiprocessing
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

import pytest

import multiplane as mp
from small_parsers import trained

SECONDS = 120
"""After which a process that was forked is stuck."""


def heads(parser: mp.Parser, begin: int, end: int) -> list[tuple[list[int], list[str]]]:
    """What some sentences of the sample are parsed as."""
    return [(sentence.heads, sentence.deprels) for sentence in parser.parse(mp.sample()[begin:end])]


def _kernel() -> mp.Parser:
    pytest.importorskip("sklearn")
    return mp.train(mp.sample()[:12], learner="libsvm")


MODELS = {
    "linear": lambda: trained(mp.sample(), epochs=1),
    "beam": lambda: mp.train(mp.sample(), beam=4, epochs=1),
    "kernel": _kernel,
    "neural": lambda: mp.load("en"),
}


@pytest.fixture(scope="module", params=MODELS)
def shared(request: pytest.FixtureRequest) -> mp.Parser:
    return MODELS[request.param]()


@pytest.fixture
def busy(shared: mp.Parser) -> Iterator[None]:
    """Two threads that parse all the time."""
    over = threading.Event()

    def parse() -> None:
        while not over.is_set():
            heads(shared, 0, 5)

    threads = [threading.Thread(target=parse) for _ in range(2)]
    for thread in threads:
        thread.start()
    yield
    over.set()
    for thread in threads:
        thread.join()


def test_eight_threads_that_share_a_parser_give_what_one_gives(shared: mp.Parser):
    begins = [*range(0, 60, 5)] * 4
    expected = [heads(shared, begin, begin + 5) for begin in begins]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda begin: heads(shared, begin, begin + 5), begins)) == expected


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.usefixtures("busy")
def test_processes_forked_while_others_parse_give_what_one_gives(shared: mp.Parser):
    expected = heads(shared, 0, 5)
    context = multiprocessing.get_context("fork")

    def parse(answer: Connection) -> None:
        answer.send(heads(shared, 0, 5))

    for _ in range(6):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=parse, args=(sender,))
        process.start()
        assert receiver.poll(SECONDS)
        assert receiver.recv() == expected
        process.join(SECONDS)
        assert process.exitcode == 0
