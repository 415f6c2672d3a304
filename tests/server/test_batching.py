"""Requests are collected into few calls, fairly, and each gets its own result or error."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

import multiplane as mp
from multiplane.errors import ModelError
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.parser.results import How, parsed_corpus
from multiplane.server import batching
from multiplane.server.batching import Batcher
from multiplane.server.problems import RequestError
from server.conftest import PATIENCE

CORPUS = mp.sample()
MODEL = mp.load("en").model
T = TypeVar("T")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[int], threading.Event]]:
    """The numbers of sentences of all native calls; the first call waits for the event."""
    made: list[int] = []
    go_on = threading.Event()

    def parse(model: Any, corpus: Corpus, how: How) -> Corpus:
        made.append(len(corpus))
        assert go_on.wait(PATIENCE)
        if "BAD" in corpus.column("form"):
            place = corpus.column("form").index("BAD")
            raise ModelError(f"{corpus[int(corpus.sentence_of[place])].where}: no")
        return parsed_corpus(model, corpus, how)

    monkeypatch.setattr(batching, "parsed_corpus", parse)
    yield made, go_on
    go_on.set()


def run_alone(run: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Runs a coroutine in a thread of its own: that of the tests may have an event loop, left by a browser's tests."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(run())).result()


def words(*forms: str) -> Corpus:
    rows = (f"{place}\t{form}" + "\t_" * 8 for place, form in enumerate(forms, 1))
    return from_text("\n".join(rows) + "\n")


def forms(parsed: Any) -> list[str]:
    return from_text(b"".join(parsed)).column("form")


def test_one_request_is_parsed_as_the_parser_does() -> None:
    async def run() -> bytes:
        return b"".join(await Batcher(2).parse(MODEL, CORPUS, How()))  # type: ignore[arg-type]

    parsed = from_text(run_alone(run))
    assert parsed.heads.tolist() == parsed_corpus(MODEL, CORPUS, How()).heads.tolist()
    assert [s.comments for s in parsed] == [s.comments for s in CORPUS]
    assert [s.ranges for s in parsed] == [s.ranges for s in CORPUS]


def test_waiting_requests_are_parsed_together(calls: tuple[list[int], threading.Event]) -> None:
    made, go_on = calls
    batches: list[tuple[int, int, int]] = []

    async def run() -> list[Any]:
        batcher = Batcher(1, on_batch=lambda *batch: batches.append(batch))
        tasks = [asyncio.create_task(batcher.parse(MODEL, words(f"w{number}"), How())) for number in range(20)]
        other = asyncio.create_task(batcher.parse(MODEL, words("other"), How(beam=2)))
        await asyncio.sleep(0.1)
        assert len(batcher) == 20
        go_on.set()
        return [*await asyncio.gather(*tasks), await other]

    found = run_alone(run)
    assert made == [1, 19, 1]  # the first was parsed at once; other options are another batch
    assert [forms(each) for each in found] == [*([f"w{number}"] for number in range(20)), ["other"]]
    assert batches == [(1, 1, 1), (19, 19, 19), (1, 1, 1)]


def test_a_short_request_does_not_wait_for_all_of_a_long_one(calls: tuple[list[int], threading.Event]) -> None:
    made, go_on = calls
    go_on.set()
    ended: list[str] = []

    async def run() -> None:
        batcher = Batcher(1)
        long = from_text(CORPUS.to_bytes() * 20)

        async def parse(name: str, corpus: Corpus) -> None:
            await batcher.parse(MODEL, corpus, How())
            ended.append(name)

        first = asyncio.create_task(parse("long", long))
        await asyncio.sleep(0)
        await asyncio.gather(first, parse("short", words("w")))

    run_alone(run)
    assert ended == ["short", "long"]
    assert len(made) > 5
    assert sum(made) == 20 * 65 + 1


def test_an_error_is_for_the_request_that_has_it(calls: tuple[list[int], threading.Event]) -> None:
    _, go_on = calls

    async def run() -> list[Any]:
        batcher = Batcher(1)
        corpora = [words("first"), words("a"), from_text(b"\n\n" + words("BAD").to_bytes()), words("c")]
        tasks = [asyncio.create_task(batcher.parse(MODEL, corpus, How())) for corpus in corpora]
        await asyncio.sleep(0.05)
        go_on.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    first, a, bad, c = run_alone(run)
    assert [forms(first), forms(a), forms(c)] == [["first"], ["a"], ["c"]]
    assert str(bad) == "<request>:3: sentence 1: no"


def test_a_request_that_nobody_waits_for_is_dropped(calls: tuple[list[int], threading.Event]) -> None:
    made, go_on = calls

    async def run() -> None:
        batcher = Batcher(1, most_waiting=1)
        first = asyncio.create_task(batcher.parse(MODEL, words("a"), How()))
        await asyncio.sleep(0.05)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await batcher.parse(MODEL, words("b"), How())
        assert len(batcher) == 0
        second = asyncio.create_task(batcher.parse(MODEL, words("c"), How()))
        await asyncio.sleep(0)
        with pytest.raises(RequestError, match="1 requests are already waiting"):
            await batcher.parse(MODEL, words("d"), How())
        go_on.set()
        await asyncio.gather(first, second)

    run_alone(run)
    assert made == [1, 1]


def test_best_trees_are_split_like_texts() -> None:
    async def run() -> list[Any]:
        batcher = Batcher(1)
        how = How(beam=2, best=2)
        return await asyncio.gather(*(batcher.parse(MODEL, words("Go", "home", name), how) for name in "abc"))

    found = run_alone(run)
    assert [[tree.forms[2] for tree in pieces[0][0]] for pieces in found] == [["a", "a"], ["b", "b"], ["c", "c"]]
