"""Sends malformed requests to a server: none may hang, end the server, or make it fail with a status of 500.

Most are made of good requests by damaging them: bytes are cut, doubled, flipped or replaced by hostile ones, in the
body, the headers and the first line. Every answer must be HTTP; if it is JSON, it must be valid.

Usage: python benchmarks/server_fuzz.py [--requests 10000] [--seed 1]
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from urllib.parse import quote_from_bytes, urlsplit

import multiplane as mp

TIMEOUT = 120
"""Seconds after which a request counts as hanging."""
PATIENCE = 0.2
"""Seconds after which a request that may wait for more of itself is ended."""
SAMPLE = mp.sample().to_bytes()[:2000].decode()
HOSTILE = (
    b"\0",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"<script>alert(1)</script>",
    b"]]>",
    "\u202e\u2066\u200b".encode(),
    b"9" * 400,
    b"1e999",
    b"-1",
    b"NaN",
    b"null",
    b"[" * 5000,
    b'{"a":' * 2000,
    b"%00%ff%zz",
    b"\r\n\r\n",
    b"\t" * 20,
    b"\n1\tGo\t_\t_\t_\t_\t99999999999999999999\tx\t_\t_\n",
    b"\n1-999999999\tx\t_\t_\t_\t_\t_\t_\t_\t_\n",
    b"\n1.1\tx\t_\t_\t_\t_\t_\t_\t0:x|99:y\t_\n",
    b"../../etc/passwd",
    b"; boundary=",
)
BODIES = {
    "/api/parse": {"text": "Go home.", "scores": True, "best": 2, "beam": 2, "model": "en", "presegmented": False},
    "/api/sentences": {"conllu": SAMPLE, "format": "conllu"},
    "/api/draw": {
        "conllu": SAMPLE,
        "format": "svg",
        "sentence": 1,
        "layer": "both",
        "interactive": True,
        "gold": SAMPLE,
    },
    "/api/derivation": {"conllu": SAMPLE, "system": "2-planar", "transitions": ["SHIFT"], "gold": True},
    "/api/compare": {"gold": SAMPLE, "system": SAMPLE},
    "/api/convert": {"conllu": SAMPLE, "to": "conll09"},
}
VALUES = ("", None, True, -1, 0, 10**40, 0.5, [], [[[]]], {}, {"a": {}}, "\0", "\ud800", "en", "x" * 5000, SAMPLE)
FORMS = {"data": "Go home.", "tokenizer": "ranges", "tagger": "", "parser": "", "model": "en", "output": "conllu"}


def request_of(rng: random.Random) -> tuple[bytes, bool]:
    """Returns a request that is more or less wrong, and whether its first line, headers and length are right."""
    makers: list[Callable[[random.Random], bytes]] = [_json, _json, _damaged_json, _form, _multipart, _query, _treebank]
    request = rng.choice(makers)(rng)
    return (damaged(request, rng), False) if rng.random() < 0.2 else (request, True)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Returns bytes with one to three faults."""
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + rng.choice((0, 1, 1, 5, 200)))
        middle = rng.choice((b"", rng.randbytes(rng.randint(1, 8)), data[start:end] * 2, rng.choice(HOSTILE)))
        data = data[:start] + middle + data[end:]
    return data


def _json(rng: random.Random) -> bytes:
    """A request in JSON whose fields have wrong values."""
    path = rng.choice(list(BODIES))
    fields = dict(BODIES[path])
    for _ in range(rng.randint(0, 2)):
        fields[rng.choice([*fields, "other"])] = rng.choice(VALUES)
    if rng.random() < 0.3:
        fields.pop(rng.choice(list(fields)))
    return _post(path, json.dumps(fields).encode(), "application/json")


def _damaged_json(rng: random.Random) -> bytes:
    path = rng.choice(list(BODIES))
    return _post(path, damaged(json.dumps(BODIES[path]).encode(), rng), "application/json")


def _form(rng: random.Random) -> bytes:
    pairs = (f"{name}={value}".encode() for name, value in FORMS.items() if rng.random() < 0.8)
    return _post("/process", damaged(b"&".join(pairs), rng), "application/x-www-form-urlencoded")


def _multipart(rng: random.Random) -> bytes:
    parts = (f'--x\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n'.encode() for n, v in FORMS.items())
    return _post("/process", damaged(b"".join(parts) + b"--x--\r\n", rng), "multipart/form-data; boundary=x")


def _query(rng: random.Random) -> bytes:
    path = rng.choice(["/process", "/process", "/api/models", "/models", "/static/x", "/health/x", "/nothing", "/"])
    text, form = (quote_from_bytes(damaged(part, rng)[:3000]) for part in (b"Go home.", b"conllu"))
    query = f"data={text}&tokenizer&parser=none&input={form}"
    method = rng.choice(["GET", "GET", "HEAD", "PUT", "OPTIONS", "DELETE"])
    return f"{method} {path}?{query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()


def _treebank(rng: random.Random) -> bytes:
    form = rng.choice(["", "conllu", "conllx", "conll08", "conll09", "sdp", "xml"])
    query = f"?format={form}" if form else ""
    encoding = rng.choice([b"", b"", b"Content-Encoding: gzip\r\n"])
    return _post(f"/api/treebank{query}", damaged(SAMPLE.encode(), rng), "application/octet-stream", encoding)


def _post(path: str, body: bytes, kind: str, headers: bytes = b"") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: {kind}\r\n".encode()
    return head + headers + f"Content-Length: {len(body)}\r\n\r\n".encode() + body


def send(host: str, port: int, request: bytes, whole: bool) -> int:
    """Sends a request and returns the status of the answer; raises `ValueError` if a whole request gets none.

    A request that is not whole may announce more than there is. After a while its end is sent, and the server must
    close the connection: 0 stands for no answer.
    """
    with socket.create_connection((host, port), timeout=TIMEOUT if whole else PATIENCE) as connection:
        answer = bytearray()
        try:
            connection.sendall(request)
            _receive(connection, answer)
        except TimeoutError:
            if whole:
                raise
            connection.settimeout(TIMEOUT)
            connection.shutdown(socket.SHUT_WR)
            _receive(connection, answer)
        except ConnectionError:
            pass
    if whole and not answer:
        raise ValueError("no answer")
    return status_of(bytes(answer), has_body=not request.startswith(b"HEAD "))


def _receive(connection: socket.socket, answer: bytearray) -> None:
    """Adds all that comes to the answer, which keeps what has come when time is up."""
    while piece := connection.recv(1 << 16):
        answer += piece


def status_of(answer: bytes, *, has_body: bool = True) -> int:
    """Returns the status of an answer; raises `ValueError` if the answer is malformed."""
    if not answer:
        return 0
    head, _, body = answer.partition(b"\r\n\r\n")
    protocol, status = head.split(b" ", 2)[:2]
    if protocol != b"HTTP/1.1":
        raise ValueError(f"not an answer: {answer[:100]!r}")
    lines = dict(line.partition(b": ")[::2] for line in head.lower().split(b"\r\n")[1:])
    body = body[: int(lines.get(b"content-length", 0))]  # damage can make two requests of one
    if has_body and lines.get(b"content-type") == b"application/json" and body:
        json.loads(body)
    return int(status)


def fuzz(host: str, port: int, requests: int, seed: int) -> Counter[int]:
    """Sends requests and counts statuses; raises an error at the first answer that is wrong."""
    rng = random.Random(seed)
    found: Counter[int] = Counter()
    for number in range(requests):
        request, whole = request_of(rng)
        try:
            status = send(host, port, request, whole)
        except (OSError, ValueError) as error:
            raise SystemExit(f"request {number} of seed {seed}: {error}: {request[:500]!r}") from None
        if status == 500:
            raise SystemExit(f"request {number} of seed {seed}: status 500: {request[:500]!r}")
        found[status] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    command = [sys.executable, "-m", "multiplane", "serve", "en", "--port", "0", "--quiet"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = urlsplit(server.stdout.readline().strip())
        assert address.hostname is not None
        assert address.port is not None
        began = time.monotonic()
        found = fuzz(address.hostname, address.port, options.requests, options.seed)
        seconds = time.monotonic() - began
        print(f"{options.requests:,} requests in {seconds:.0f} s, by status: {dict(sorted(found.items()))}")
    finally:
        server.terminate()
        print(f"the server ended with exit code {server.wait(60)}")


if __name__ == "__main__":
    main()
