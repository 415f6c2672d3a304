"""Every limit has its status, and the server goes on."""

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

import multiplane as mp
from multiplane.server import batching
from server.conftest import PATIENCE

Start = Callable[..., TestClient]
SAMPLE = mp.sample().to_bytes()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Holds all parsing until the event is set."""
    event, original = threading.Event(), batching._parsed

    def parsed(*arguments: Any) -> Any:
        assert event.wait(PATIENCE)
        return original(*arguments)

    monkeypatch.setattr(batching, "_parsed", parsed)
    yield event
    event.set()


def parse(client: TestClient) -> Any:
    return client.post("/api/parse", json={"text": "Go home."})


def wait_until(test: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if test():
            return
        time.sleep(0.01)
    raise AssertionError("waited for too long")


def value(client: TestClient, name: str) -> float:
    lines = client.get("/metrics").text.splitlines()
    return float(next((line.rsplit(" ", 1)[1] for line in lines if line.startswith(name)), 0))


@pytest.mark.parametrize("path", ["/api/parse", "/api/sentences", "/process"])
def test_a_large_body_is_413(path: str, limited: Start) -> None:
    client = limited(body=1000)
    body = json.dumps({"conllu": "x" * 1000}).encode()
    pieces = (body[start : start + 100] for start in range(0, len(body), 100))
    for content in (body, pieces):  # with and without a Content-Length
        answer = client.post(path, content=content)
        assert answer.status_code == 413
        assert "larger than 1,000 bytes" in answer.text
    assert parse(client).status_code == 200


def test_a_treebank_has_its_own_limit(limited: Start) -> None:
    client = limited(body=10, treebank=len(SAMPLE))
    assert client.post("/api/treebank", content=SAMPLE).status_code == 200
    assert client.post("/api/treebank", content=SAMPLE + b"\n").status_code == 413


def test_a_small_body_cannot_unpack_to_a_large_one(limited: Start) -> None:
    client = limited(treebank=1 << 20, bodies=4 << 20)
    bomb = gzip.compress(b"\n" * (64 << 20))
    assert len(bomb) < 1 << 20
    assert client.post("/api/treebank", content=bomb, headers={"content-encoding": "gzip"}).status_code == 413


PACKED = gzip.compress(SAMPLE, mtime=0)


@pytest.mark.parametrize(
    "data", [b"no gzip", PACKED[:-9], PACKED[:50] + b"x" * 50], ids=["no gzip", "cut", "overwritten"]
)
def test_damaged_gzip_is_400(data: bytes, client: TestClient) -> None:
    answer = client.post("/api/treebank", content=data, headers={"content-encoding": "gzip"})
    assert answer.status_code == 400
    assert "gzip" in answer.json()["error"]
    assert client.post("/api/treebank", content=data, headers={"content-encoding": "br"}).status_code == 415


def test_bodies_that_do_not_fit_together_are_503(limited: Start) -> None:
    client = limited(bodies=100)
    answer = client.post("/api/parse", content=b" " * 101)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert parse(client).status_code == 200  # what was held has been released


def test_a_long_sentence_is_422(limited: Start) -> None:
    client = limited(words=5)
    rows = "".join(f"{word}\tw\t_\t_\t_\t_\t{word - 1}\tx\t_\t_\n" for word in range(1, 7))
    for path, fields in {
        "/api/parse": {"text": "a b c d e f", "presegmented": True},
        "/api/sentences": {"conllu": "\n" + rows},
        "/api/draw": {"conllu": rows, "format": "text"},
        "/api/compare": {"gold": rows, "system": rows},
    }.items():
        answer = client.post(path, json=fields)
        assert answer.status_code == 422, path
        assert "has 6 words, but this server accepts at most 5" in answer.json()["error"]
    assert client.post("/process", data={"data": rows}).status_code == 400  # as UDPipe has it


def test_many_requests_of_one_client_are_429(limited: Start, held: threading.Event) -> None:
    client = limited(requests=2)
    with ThreadPoolExecutor(2) as pool:
        first = [pool.submit(parse, client) for _ in range(2)]
        wait_until(lambda: value(client, "multiplane_queue_requests") == 1)  # one is parsed, one waits
        assert client.get("/health").status_code == 200
        answer = parse(client)
        assert "more than 2 concurrent requests" in answer.json()["error"]
        assert answer.headers["retry-after"] == "1"
        assert client.post("/process", data={"data": ""}).text.startswith("more than 2")
        held.set()
        assert [each.result().status_code for each in first] == [200, 200]
    assert parse(client).status_code == 200


def test_a_long_queue_is_503(limited: Start, held: threading.Event) -> None:
    client = limited(queue=1)
    with ThreadPoolExecutor(2) as pool:
        first = [pool.submit(parse, client) for _ in range(2)]
        wait_until(lambda: value(client, "multiplane_queue_requests") == 1)
        assert parse(client).status_code == 503
        held.set()
        assert [each.result().status_code for each in first] == [200, 200]


def test_without_a_queue_an_idle_server_parses(limited: Start) -> None:
    assert parse(limited(queue=0)).status_code == 200


def test_a_slow_request_is_504(limited: Start, held: threading.Event) -> None:
    client = limited(seconds=0.2)
    assert parse(client).status_code == 504
    assert "took longer than 0.2 s" in client.post("/process", data={"data": "Go.", "tokenizer": "", "parser": ""}).text
    held.set()
    wait_until(lambda: parse(client).status_code == 200)


def test_a_slow_body_is_504(limited: Start) -> None:
    client = limited(seconds=0.2)

    def slow() -> Iterator[bytes]:
        yield b"{"
        time.sleep(0.5)
        yield b"}"

    assert client.post("/api/parse", content=slow()).status_code in (400, 504)


def test_work_ends_soon_after_its_time(limited: Start) -> None:
    client = limited(seconds=0.3)
    began = time.monotonic()
    answer = client.post("/api/sentences", json={"conllu": (SAMPLE * 40).decode()})
    assert answer.status_code == 504
    assert time.monotonic() - began < PATIENCE


def test_many_clients_at_once_get_their_own_answers(client: TestClient) -> None:
    texts = [f"Number {number} goes home." for number in range(60)]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda text: client.post("/api/parse", json={"text": text}).json(), texts))
    assert [answer["sentences"][0]["text"] for answer in answers] == texts
