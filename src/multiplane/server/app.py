"""The application: all routes of the server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from multiplane.server import openapi, udpipe
from multiplane.server.bodies import Bodies, json_of
from multiplane.server.catalogue import SYSTEMS, described
from multiplane.server.comparing import COMPARE
from multiplane.server.converting import CONVERT
from multiplane.server.coverage import COVERAGE
from multiplane.server.deriving import DERIVATION
from multiplane.server.drawing import DRAW
from multiplane.server.endpoints import Call, Drawn, Endpoint
from multiplane.server.examples import SAMPLE
from multiplane.server.files import PageFiles
from multiplane.server.frame import Frame
from multiplane.server.models import Models
from multiplane.server.parsing import MODELS, PARSE, SENTENCES_ENDPOINT
from multiplane.server.problems import RequestError
from multiplane.server.service import Service
from multiplane.server.settings import Settings
from multiplane.server.treebank import TREEBANK
from multiplane.systems import systems

ENDPOINTS = (MODELS, PARSE, SENTENCES_ENDPOINT, DRAW, DERIVATION, SYSTEMS, COVERAGE, TREEBANK, COMPARE, CONVERT, SAMPLE)
"""The JSON API."""
_Handler = Callable[[Request], Awaitable[Response]]


def create_app(
    settings: Settings | None = None,
    models: Models | None = None,
    table: NDArray[np.float64] | None = None,
    row: int = 0,
) -> Starlette:
    """Returns the application of a worker; `table` and `row` are where it counts, if there are several.

    >>> len(create_app(Settings(models=("en",))).routes) > 10
    True
    """
    settings = settings or Settings()
    service = Service(settings, PATHS, models, table, row)
    bodies = Bodies(settings.limits.bodies)
    app = Starlette(
        routes=_routes(service, bodies),
        middleware=[Middleware(Frame, service=service, plain=frozenset(udpipe.PATHS))],
        exception_handlers={HTTPException: _not_found},  # type: ignore[dict-item]
        lifespan=_lifespan,
    )
    app.state.service = service
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    yield
    app.state.service.close()


def _routes(service: Service, bodies: Bodies) -> list[BaseRoute]:
    contract, files = udpipe.Contract(service, bodies), PageFiles()
    return [
        Route("/", _page(service, files)),
        Mount("/static", files),
        *(Route(each.path, _handler(each, service, bodies), methods=[each.method]) for each in ENDPOINTS),
        *(Route(path, contract.process, methods=["GET", "POST"]) for path in udpipe.PROCESS),
        *(Route(path, contract.models, methods=["GET", "POST"]) for path in udpipe.MODELS),
        Route("/openapi.json", _openapi),
        Route("/health", _health(service)),
        Route("/health/{kind}", _health(service)),
        Route("/metrics", _metrics(service)),
    ]


def _page(service: Service, files: PageFiles) -> _Handler:
    """Returns the page; it soon asks for the systems, whose properties take seconds to prove."""

    async def page(request: Request) -> Response:
        service.prepare(partial(described, name) for name in systems)
        return await files.index(request)

    return page


PATHS = ["/", "/static", *(each.path for each in ENDPOINTS), *udpipe.PATHS, "/openapi.json", "/health", "/metrics"]
"""The paths that are counted."""


def _handler(endpoint: Endpoint, service: Service, bodies: Bodies) -> _Handler:
    """Returns the code that checks a request to an endpoint, runs it and sends its answer."""

    async def handle(request: Request) -> Response:
        deadline = request.scope["deadline"]
        if endpoint.takes is not None:
            most = service.limits.treebank if endpoint.whole_files else service.limits.body
            async with bodies.reading(request, most) as body:
                fields = await service.in_thread(lambda: json_of(body)) if endpoint.whole_files else json_of(body)
                endpoint.takes.check(fields, "")
                return await _answered(endpoint, Call(service, deadline, fields), service)
        if endpoint.query is not None:
            fields = dict(request.query_params)
            endpoint.query.check(fields, "")
            async with bodies.reading(request, service.limits.treebank) as body:
                return await _answered(endpoint, Call(service, deadline, fields, body), service)
        return await _answered(endpoint, Call(service, deadline, {}), service)

    return handle


async def _answered(endpoint: Endpoint, call: Call, service: Service) -> Response:
    found = await endpoint.run(call)
    if isinstance(found, Drawn):
        return Response(found.content, media_type=found.media_type, headers={"content-security-policy": _DRAWING})
    return Response(await service.in_thread(lambda: to_json(found)), media_type="application/json")


_DRAWING = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""A drawing that is opened by itself loads nothing and runs nothing."""


def to_json(value: Any) -> bytes:
    """Returns a value as JSON.

    >>> to_json({"text": "é"}).decode()
    '{"text":"é"}'
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


async def _openapi(request: Request) -> Response:
    return JSONResponse(openapi.document(ENDPOINTS))


def _health(service: Service) -> _Handler:
    """Returns the answers about liveness, as long as there are any, and readiness, unless the worker ends."""

    async def health(request: Request) -> Response:
        kind = request.path_params.get("kind", "ready")
        if kind not in ("live", "ready"):
            raise RequestError(404, "no such path; use /health/live or /health/ready")
        ending = service.is_ending and kind == "ready"
        body = {"status": "ending" if ending else "ok", "models": list(service.models)}
        return JSONResponse(body, 503 if ending else 200)

    return health


def _metrics(service: Service) -> _Handler:
    async def metrics(request: Request) -> Response:
        service.metrics.waiting(len(service.batcher))
        return PlainTextResponse(service.metrics.text(), media_type="text/plain; version=0.0.4")

    return metrics


_OTHER_PATHS = "/process and /models (UDPipe's API), /health/live, /health/ready and /metrics"
"""What the OpenAPI document does not list."""


async def _not_found(request: Request, error: HTTPException) -> Response:
    """Answers requests for paths and methods that there are not."""
    path = request.url.path[:100]
    allowed = (error.headers or {}).get("Allow", "another method")
    messages = {
        404: f"no such path: '{path}'; see /openapi.json for the JSON API; other paths are {_OTHER_PATHS}",
        405: f"'{path}' does not support {request.method[:20]}; use {allowed}",
    }
    answer = RequestError(error.status_code, messages.get(error.status_code, error.detail))
    return JSONResponse(answer.to_json(), error.status_code, error.headers)
