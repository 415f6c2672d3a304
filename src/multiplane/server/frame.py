"""Around every request: who may read the answer, how long it took, and what became of errors."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections import Counter
from collections.abc import Callable
from sys import stderr

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from multiplane.errors import MultiplaneError
from multiplane.server.problems import RequestError, as_request_error
from multiplane.server.service import Deadline, Service

_CORS = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "X-Billing-Input-NFC-Len",
}
_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "Content-Type, Content-Encoding",
    "access-control-max-age": "86400",
}
_SECURITY = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}
"""For answers that are no pages; those of the page have a policy of their own."""
_RETRY = {429, 503}
_FOLDERS = ("/static", "/health")
_UNLIMITED = ("/health", "/metrics")
"""Paths that have to answer, however much the server has to do."""


class Frame:
    """Adds headers, counts and limits to all requests, and turns errors into answers."""

    def __init__(self, app: ASGIApp, service: Service, plain: frozenset[str]) -> None:
        self._app = app
        self._service = service
        self._plain = plain
        """The paths whose errors are plain text."""
        self._at_once: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = scope["client"][0] if scope.get("client") else ""
        began = time.monotonic()

        def count(status: int) -> None:
            self._leave(client)
            self._service.metrics.answered(_path(scope), status, time.monotonic() - began)

        answer = _Answer(send, self._service, count)
        self._at_once[client] += 1
        self._service.metrics.began()
        try:
            if scope["method"] == "OPTIONS":
                await Response(status_code=204, headers=_PREFLIGHT)(scope, receive, answer.send)
            else:
                await self._limited(client, scope, receive, answer)
        finally:
            answer.end()

    def _leave(self, client: str) -> None:
        self._at_once[client] -= 1
        if not self._at_once[client]:
            del self._at_once[client]

    async def _limited(self, client: str, scope: Scope, receive: Receive, answer: _Answer) -> None:
        most = self._service.limits.requests
        try:
            if self._at_once[client] > most and scope["path"] not in _UNLIMITED:
                raise RequestError(429, f"more than {most} concurrent requests; wait for the others to finish")
            await self._timed(scope, receive, answer)
        except Exception as error:
            await self._answer_error(error, scope, receive, answer)

    async def _timed(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        deadline = scope["deadline"] = Deadline(self._service.limits.seconds)
        try:
            async with asyncio.timeout(self._service.limits.seconds):
                await self._app(scope, receive, answer.send)
        except TimeoutError:
            raise deadline.error() from None

    async def _answer_error(self, error: Exception, scope: Scope, receive: Receive, answer: _Answer) -> None:
        if answer.status:
            raise error  # it is too late for another answer
        found = _known(error)
        headers = {"retry-after": "1"} if found.status in _RETRY else {}
        if scope["path"] in self._plain:
            response: Response = PlainTextResponse(found.shown + "\n", found.status, headers)
        else:
            response = JSONResponse(found.to_json(), found.status, headers)
        await response(scope, receive, answer.send)


def _known(error: Exception) -> RequestError:
    if isinstance(error, MultiplaneError):
        return as_request_error(error)
    if isinstance(error, MemoryError):
        return RequestError(503, "not enough memory for this request; split it")
    traceback.print_exception(error, file=stderr)
    return RequestError(500, "internal server error; see the server's log")


class _Answer:
    """Notes the status of an answer, adds headers to it, and counts it."""

    def __init__(self, send: Send, service: Service, count: Callable[[int], None]) -> None:
        self._send = send
        self._service = service
        self._count: Callable[[int], None] | None = count
        self.status = 0

    def end(self) -> None:
        """Counts the answer, once."""
        if self._count is not None:
            self._count(self.status)
            self._count = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in _CORS.items():
                headers[name] = value
            for name, value in _SECURITY.items():
                headers.setdefault(name, value)
            if self._service.is_ending:
                headers["connection"] = "close"
        elif not message.get("more_body", False):
            self.end()  # before the last byte: a client that has its answer finds it counted, whoever it asks next
        await self._send(message)


def _path(scope: Scope) -> str:
    """Returns the path that a request is counted by: folders are counted as a whole."""
    path = str(scope["path"])
    return next((folder for folder in _FOLDERS if path.startswith(f"{folder}/")), path)
