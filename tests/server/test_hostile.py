"""Hostile input: it is answered, escaped, and never fails or hangs."""

import importlib.util
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from server.conftest import PATIENCE, post, serving

FUZZER = Path(__file__).parents[2] / "benchmarks" / "server_fuzz.py"
WORDS = ["<script>alert(1)</script>", "]]>", "&amp;", '"><svg', "\u202eabc\u2066", "\u200b", "\ufeff", "a\u0301" * 500]


@pytest.mark.parametrize("word", [*WORDS, "\0", "\x1b[2J", "\ud83d\ude00", "'; DROP TABLE"])
def test_any_text_is_parsed_and_drawn(word: str, client: TestClient) -> None:
    for text in (word, f"He said {word} twice."):
        for sentence in post(client, "/api/parse", text=text)["sentences"]:
            post(client, "/api/sentences", conllu=sentence["conllu"])
            for kind in ("svg", "text", "tikz"):
                answer = client.post("/api/draw", json={"conllu": sentence["conllu"], "format": kind})
                assert answer.status_code == 200
                assert "<script>" not in answer.text or kind != "svg"
                if kind == "svg":
                    ElementTree.fromstring(answer.text)


@pytest.mark.parametrize("word", [*WORDS, "a b", "\u0085x", "\x1b[2J"])
def test_any_word_of_a_file_is_drawn_as_text(word: str, client: TestClient) -> None:
    rows = f"# sent_id = {word}\n# text = {word}\n1\t{word}\t{word}\t{word}\t_\t_\t0\t{word}\t_\t{word}\n"
    answer = client.post("/api/draw", json={"conllu": rows, "format": "svg"})
    assert answer.status_code == 200, answer.text
    tags = {element.tag.partition("}")[2] for element in ElementTree.fromstring(answer.text).iter()}
    assert "script" not in tags


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"3",
        b'"text"',
        b"\xff",
        b"\xef\xbb\xbf{}",
        b'{"text": "\xff"}',
        b'{"text": "\\ud800"}',
        b'{"text": NaN}',
        b'{"text": ' + b"[" * 100_000,
        b'{"text": ' + b'{"a":' * 100_000,
        b'{"best": 1' + b"0" * 10_000 + b', "text": "Go."}',
        b'{"best": 1e400, "text": "Go."}',
        b'{"text": "Go.", "' + b"x" * 100_000 + b'": 1}',
        b'{"text": "Go.", "\\u001b[2J": 1}',
        b'{"text": "Go.", "\\ud800": 1}',
        b'{"text": "Go.", "model": "\\ud800"}',
        b'{"text": "Go.", "format": "\\ud800"}',
    ],
)
def test_malformed_json_is_400(body: bytes, client: TestClient) -> None:
    answer = client.post("/api/parse", content=body)
    assert answer.status_code == 400
    assert len(answer.content) < 500
    assert answer.json()["error"].isprintable()


@pytest.mark.parametrize(
    "rows",
    [
        "1\tGo\t_\t_\t_\t_\t99999999999999999999\tx\t_\t_\n",
        "1\tGo\t_\t_\t_\t_\t-5\tx\t_\t_\n",
        "99999999999999999999\tGo\t_\t_\t_\t_\t0\tx\t_\t_\n",
        "1-99999999999\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n1\tGo\t_\t_\t_\t_\t0\tx\t_\t_\n",
        "1\tGo\t_\t_\t_\t_\t1\tx\t_\t_\n",
        "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n",
        "1\t\0\t_\t_\t_\t_\t0\tx\t_\t_\n",
    ],
)
def test_broken_sentences_are_422_with_a_line(rows: str, client: TestClient) -> None:
    answer = client.post("/api/sentences", content=json.dumps({"conllu": rows}))
    assert answer.status_code == 422, answer.text
    assert answer.json()["line"] >= 1


def test_broken_layers_are_explained(client: TestClient) -> None:
    rows = "1\tGo\t_\t_\t_\t_\t0\tx\t77:y|z\t_\n"
    answer = client.post("/api/draw", json={"conllu": rows, "format": "svg", "layer": "enhanced"})
    assert answer.status_code == 422
    assert "DEPS" in answer.json()["error"] or "77" in answer.json()["error"]


def test_invalid_utf_8_in_a_treebank_is_a_problem_of_its_sentence(client: TestClient) -> None:
    good = b"1\tGo\t_\t_\t_\t_\t0\tx\t_\t_\n\n"
    found = client.post("/api/treebank", content=good + good.replace(b"Go", b"\xff\xfe") + good).json()
    assert (found["sentences"], len(found["problems"])) == (2, 1)


def test_malformed_requests_never_fail() -> None:
    spec = importlib.util.spec_from_file_location("server_fuzz", FUZZER)
    assert spec is not None
    assert spec.loader is not None
    fuzzer: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fuzzer)
    with serving("en", "--quiet") as (process, address):
        place = urlsplit(address)
        found = fuzzer.fuzz(place.hostname, place.port, 200, seed=7)
        assert process.poll() is None
        process.terminate()
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert sum(found.values()) == 200
    assert len(found) >= 4
