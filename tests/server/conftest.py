"""A server without a port for most tests; those that need a real one start `multiplane serve`."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.testclient import TestClient

from multiplane.server.app import create_app
from multiplane.server.models import Models
from multiplane.server.settings import Limits, Settings

PATIENCE = 180
"""Seconds after which something hangs, even on a machine that is very busy."""
COMMAND = [sys.executable, "-m", "multiplane", "serve", "--port", "0"]


@pytest.fixture(scope="session")
def models() -> Models:
    return Models(["en", "pt"])


@pytest.fixture(scope="session")
def client(models: Models) -> Iterator[TestClient]:
    # The first answers take seconds of work, and busy machines have little time for it.
    with TestClient(create_app(Settings(limits=Limits(seconds=600)), models)) as found:
        yield found


@pytest.fixture
def limited(models: Models) -> Iterator[Callable[..., TestClient]]:
    """Starts servers with limits of their own."""
    started = []

    def start(threads: int = 1, **limits: Any) -> TestClient:
        client = TestClient(create_app(Settings(threads=threads, limits=Limits(**{"seconds": 600, **limits})), models))
        client.__enter__()
        started.append(client)
        return client

    yield start
    for client in started:
        client.__exit__()


def post(client: TestClient, path: str, **fields: Any) -> Any:
    """Posts JSON and returns the answer, which must be a success."""
    answer = client.post(path, content=json.dumps(fields))
    assert answer.status_code == 200, answer.text
    return answer.json()


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Runs `multiplane serve` at a free port; yields the process and the address."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://"), process.stderr.read()
        yield process, address
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=PATIENCE)
