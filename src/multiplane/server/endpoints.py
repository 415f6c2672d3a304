"""An endpoint of the JSON API as a declaration: what it takes, what it answers, and the code that does it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from multiplane.server.schema import Object, Schema
from multiplane.server.service import Deadline, Service


class Call(NamedTuple):
    """A request to an endpoint, checked."""

    service: Service
    deadline: Deadline
    fields: dict[str, Any]
    """The fields of the body or of the query."""
    body: bytes = b""
    """The body itself, if it is not JSON."""


class Drawn(NamedTuple):
    """An answer that is not JSON."""

    content: str
    media_type: str


@dataclass(frozen=True)
class Endpoint:
    """One path of the API."""

    path: str
    about: str
    run: Callable[[Call], Awaitable[Any]]
    answer: Schema | tuple[str, ...]
    """What it answers in JSON; or the media types of other answers."""
    takes: Object | None = None
    """The body as JSON; None for a GET request without one."""
    query: Object | None = None
    """The query instead: the body is a file."""
    whole_files: bool = False
    """Whether the JSON holds whole files, so that it may be as large as a treebank."""

    @property
    def method(self) -> str:
        """GET or POST."""
        return "GET" if self.takes is None and self.query is None else "POST"
