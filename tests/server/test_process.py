"""`multiplane serve` as a process: start, several workers, and an end that loses no request."""

import json
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

import multiplane as mp
from server.conftest import PATIENCE, serving

TEXT = " ".join(" ".join(sentence.forms) for sentence in mp.sample()[:20]) + "\n"


def parse(address: str, text: str = "Go home.") -> Any:
    request = urllib.request.Request(f"{address}/api/parse", json.dumps({"text": text}).encode())
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read())


def metric(address: str, name: str) -> int:
    with urllib.request.urlopen(f"{address}/metrics", timeout=PATIENCE) as answer:
        lines = answer.read().decode().splitlines()
    return next((int(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(f"{name} ")), 0)


def wait_for_requests(address: str, number: int) -> None:
    """Waits until so many requests to parse have reached the server, whether they are answered already or not."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        others = metric(address, "multiplane_requests_in_progress") - 1  # the one that asks
        if others + metric(address, 'multiplane_requests_total{path="/api/parse",status="200"}') >= number:
            return
        time.sleep(0.02)
    raise AssertionError("the requests do not arrive")


@pytest.mark.parametrize(
    ("number", "arguments"),
    [(signal.SIGTERM, ["--threads", "1"]), (signal.SIGINT, ["--threads", "2"]), (signal.SIGTERM, ["--workers", "2"])],
)
def test_no_request_is_lost_at_the_end(number: int, arguments: list[str]) -> None:
    answers: list[int] = []
    with serving("en", *arguments) as (process, address):

        def ask() -> None:
            answers.append(len(parse(address, TEXT * 8)["sentences"]))

        threads = [threading.Thread(target=ask) for _ in range(16)]
        for thread in threads:
            thread.start()
        wait_for_requests(address, 16)
        process.send_signal(number)
        for thread in threads:
            thread.join()
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
    assert len(answers) == 16
    assert len(set(answers)) == 1


def test_workers_share_the_port_and_the_counts() -> None:
    with serving("en", "--workers", "2", "--quiet") as (process, address):
        for _ in range(6):
            assert parse(address)["model"] == "en"
        assert metric(address, 'multiplane_requests_total{path="/api/parse",status="200"}') == 6
        process.terminate()
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_a_port_that_is_taken_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "multiplane", "serve", "--port", port], capture_output=True, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == f"127.0.0.1:{port}: address already in use; give another --host or --port\n"


def test_wrong_models_and_options_are_one_line(run: Callable[..., Any]) -> None:
    assert run("serve", "no-such-model", "--port", "0").err.startswith("no-such-model: no such model; give the folder")
    assert run("serve", "en", "en", "--port", "0").err.startswith("en: there are two models 'en'")
    assert run("serve", "--host", "no such host", "--port", "0").code == 1
    assert run("serve", "--port", "65536").code == 2


def test_without_the_extra_the_command_to_install_it_is_named() -> None:
    code = "import sys; sys.modules['starlette'] = None; from multiplane.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "serve"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "the server needs starlette; install it with: pip install 'multiplane[server]'\n"


def test_other_commands_do_not_load_the_server() -> None:
    code = (
        "import atexit, sys; from multiplane.cli import main\n"
        "atexit.register(lambda: print({'starlette', 'uvicorn', 'anyio'} & set(sys.modules)))\nmain()"
    )
    for arguments in (["--help"], ["serve", "--help"], ["sample"]):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1] == "set()"
