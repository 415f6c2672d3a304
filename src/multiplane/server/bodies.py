"""Reads bodies: never more of them than the limits allow."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.requests import ClientDisconnect, Request

from multiplane.server.problems import RequestError
from multiplane.server.settings import MIB

_DRAINED = 64 * MIB
"""How much of a body that is too large is read on, so that the client gets to read the answer."""


class Bodies:
    """The bodies that are in memory at the same time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0

    @asynccontextmanager
    async def reading(self, request: Request, most: int) -> AsyncIterator[bytes]:
        """Reads a body of at most this many bytes, unpacked; it counts as long as the block lasts."""
        body = _Body(request, most)
        try:
            async for chunk in body.chunks():
                body.hold(chunk)
                self._held += len(chunk)
                if self._held > self._most:
                    raise RequestError(
                        503, "the server is busy with too many large requests; try again in a few seconds"
                    )
            yield body.take()
        finally:
            self._held -= body.size


class _Body:
    """The body of one request."""

    def __init__(self, request: Request, most: int) -> None:
        self._request = request
        self._most = most
        self._chunks: list[bytes] = []
        self.size = 0

    def hold(self, chunk: bytes) -> None:
        self.size += len(chunk)
        self._chunks.append(chunk)

    def take(self) -> bytes:
        body = b"".join(self._chunks)
        self._chunks.clear()
        return body

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yields the body in unpacked chunks; raises `RequestError` once there are too many of them."""
        declared = self._request.headers.get("content-length", "0")
        encoding = self._request.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("identity", "gzip"):
            raise RequestError(415, f"unsupported Content-Encoding '{encoding[:40]}'; use gzip or none")
        unpack = _gunzipped if encoding == "gzip" else _as_it_is
        stream = self._stream()
        if declared.isdecimal() and int(declared) > self._most:
            await _drain(stream)
            raise self._too_large()
        async for chunk in unpack(stream):
            if self.size + len(chunk) > self._most:
                await _drain(stream)
                raise self._too_large()
            yield chunk

    async def _stream(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._request.stream():
                yield chunk
        except ClientDisconnect:
            raise RequestError(400, "the body ended before its Content-Length") from None

    def _too_large(self) -> RequestError:
        shown = f"{self._most / MIB:g} MiB" if self._most >= MIB else f"{self._most:,} bytes"
        return RequestError(413, f"the body is larger than {shown}; split the request")


async def _drain(stream: AsyncIterator[bytes]) -> None:
    left = _DRAINED
    async for chunk in stream:
        left -= len(chunk)
        if left < 0:
            return


async def _as_it_is(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for chunk in stream:
        yield chunk


async def _gunzipped(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Unpacks in steps of bounded size: a small body can unpack to a very large one."""
    unpacker = zlib.decompressobj(wbits=31)
    async for chunk in stream:
        while chunk:
            try:
                yield unpacker.decompress(chunk, MIB)
            except zlib.error:
                raise RequestError(400, "the body is not valid gzip; compress it again") from None
            chunk = unpacker.unconsumed_tail  # noqa: PLW2901 - what is left of it
            if unpacker.eof and unpacker.unused_data:  # files that were packed one by one
                chunk, unpacker = unpacker.unused_data, zlib.decompressobj(wbits=31)  # noqa: PLW2901
    if not unpacker.eof:
        raise RequestError(400, "the gzip body is incomplete; compress it again")


def json_of(body: bytes) -> Any:
    """Returns the JSON of a body; raises `RequestError` if it is none.

    >>> json_of(b'{"text": "Go."}')
    {'text': 'Go.'}
    """
    try:
        return json.loads(body.decode(), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise RequestError(400, f"the body has invalid UTF-8 at byte {error.start:,}; send UTF-8") from None
    except json.JSONDecodeError as error:
        raise RequestError(
            400, f"the body is not valid JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except (ValueError, RecursionError):
        raise RequestError(400, "the body has numbers or lists that are too large or too deep") from None


def _no_constant(name: str) -> float:
    raise RequestError(400, f"the body is not valid JSON: {name} is not a JSON number")
