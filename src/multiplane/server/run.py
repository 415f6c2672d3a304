"""Runs the server: binds the port, starts one worker or several, and ends them without losing a request."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any

import numpy as np
import uvicorn
from numpy.typing import NDArray

from multiplane.errors import InputError
from multiplane.server.app import PATHS, create_app
from multiplane.server.metrics import Metrics
from multiplane.server.models import Models
from multiplane.server.settings import Settings

FIRST_PORT = 8000
_PORTS = 100
"""How many ports are tried, from the first one."""
_BACKLOG = 2048
_LONGEST_HEAD = 256 << 10
"""Bytes of a request's line and headers: clients of UDPipe put texts into the address."""
_GRACE = 0.25
"""Seconds between being told to end and refusing new connections, for requests that are on their way."""
_FAST_END = 5.0
"""A worker that ends sooner than this after its start, in seconds, is not started again."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def bound_socket(host: str, port: int | None) -> socket.socket:
    """Returns a socket that listens; without a port, at the first free one from 8000 on.

    >>> with bound_socket("127.0.0.1", 0) as listening:
    ...     listening.getsockname()[0]
    '127.0.0.1'
    """
    ports = range(FIRST_PORT, FIRST_PORT + _PORTS) if port is None else (port,)
    error: OSError | None = None
    for each in ports:
        try:
            family, *_, address = socket.getaddrinfo(host, each, type=socket.SOCK_STREAM)[0]
            return socket.create_server(address[:2], family=family, backlog=_BACKLOG)
        except OSError as failed:
            error = failed
    shown = f"{host}:{port}" if port is not None else f"{host}:{ports[0]} to {ports[-1]}"
    reason = "" if error is None else (_reason(error) or str(error)).lower()
    raise InputError(f"{shown}: {reason}; give another --host or --port")


def _reason(error: OSError) -> str | None:
    """Returns why a socket could not be bound, without the address that Python adds."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror


def address_of(listening: socket.socket) -> str:
    """Returns the address for a browser.

    >>> with bound_socket("127.0.0.1", 0) as listening:
    ...     address_of(listening).startswith("http://127.0.0.1:")
    True
    """
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(listening: socket.socket, settings: Settings, workers: int, ready: Callable[[Models], None]) -> int:
    """Serves until a signal comes, and returns the exit code; calls `ready` once requests are answered."""
    models = Models(settings.models)
    if workers == 1:
        _Server(settings, models, lambda: ready(models)).run([listening])
        return 0
    return _Workers(listening, settings, workers).run(lambda: ready(models))


class _Server(uvicorn.Server):
    """A worker; a signal ends it after the requests that it has."""

    def __init__(
        self,
        settings: Settings,
        models: Models,
        ready: Callable[[], None],
        table: NDArray[np.float64] | None = None,
        row: int = 0,
    ) -> None:
        for name in ("uvicorn", "python_multipart"):  # a malformed request is the client's business
            logging.getLogger(name).setLevel(logging.CRITICAL)
        app = create_app(settings, models, table, row)
        self._service = app.state.service
        self._ready = ready
        self._interrupts = 0
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=15,
            h11_max_incomplete_event_size=_LONGEST_HEAD,
        )
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts to answer."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answers what is there or on its way, and ends."""
        self._service.is_ending = True
        await asyncio.sleep(_GRACE)
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ends on a signal; unlike in uvicorn, that is no failure afterwards."""
        with _handling(self.handle_exit):
            yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ends gracefully; at once if the user insists."""
        self._interrupts += sig == signal.SIGINT
        self.should_exit = True
        self.force_exit = self._interrupts > 1


@contextmanager
def _handling(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    before = {sig: signal.signal(sig, handler) for sig in _SIGNALS}
    try:
        yield
    finally:
        for sig, old in before.items():
            signal.signal(sig, old)


class _Workers:
    """Several workers at one port; those that fail are started again."""

    def __init__(self, listening: socket.socket, settings: Settings, count: int) -> None:
        self._context = get_context("spawn")
        self._size = Metrics(PATHS).size
        self._table = self._context.RawArray("d", count * self._size)
        self._listening = listening
        self._settings = settings
        self._count = count
        self._workers: dict[int, tuple[BaseProcess, float]] = {}
        self._is_ending = False

    def run(self, ready: Callable[[], None]) -> int:
        """Runs the workers until a signal comes; returns the exit code."""
        with _handling(self._end):
            started = [self._start(row) for row in range(self._count)]
            if all(map(_is_ready, started)):
                ready()
            code = 0
            while self._workers:
                wait([process.sentinel for process, _ in self._workers.values()])
                code = max([code, *map(self._ended, list(self._workers))])
            return code

    def _start(self, row: int) -> Connection:
        here, there = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=_work,
            args=(self._listening, self._settings, self._table, (self._count, self._size), row, there),
            name=f"multiplane worker {row + 1}",
        )
        process.start()
        there.close()
        self._workers[row] = process, time.monotonic()
        return here

    def _ended(self, row: int) -> int:
        """Looks after a worker; returns the exit code that its end is worth."""
        process, began = self._workers[row]
        if process.is_alive():
            return 0
        process.join()
        del self._workers[row]
        if self._is_ending:
            return int(process.exitcode != 0)
        print(f"{process.name} ended with exit code {process.exitcode}", file=sys.stderr, flush=True)
        if time.monotonic() - began < _FAST_END:
            self._end()
            return 1
        self._start(row)
        return 0

    def _end(self, *_: object) -> None:
        self._is_ending = True
        for process, _began in list(self._workers.values()):
            process.terminate()


def _is_ready(worker: Connection) -> bool:
    try:
        return bool(worker.recv())
    except EOFError:
        return False


def _work(
    listening: socket.socket,
    settings: Settings,
    table: Any,
    shape: tuple[int, int],
    row: int,
    starter: Connection,
) -> None:
    """A worker process."""
    counts = np.frombuffer(table, np.float64).reshape(shape)

    def ready() -> None:
        starter.send(True)
        starter.close()

    _Server(settings, Models(settings.models), ready, counts, row).run([listening])
