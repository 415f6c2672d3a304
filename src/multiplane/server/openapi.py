"""The OpenAPI document, from the declarations that check requests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from multiplane.server.endpoints import Endpoint
from multiplane.server.schema import Object, Schema, Text, Whole
from multiplane.version import __version__

_ERRORS = {
    "400": "The request is malformed.",
    "404": "There is no such model, system or path.",
    "413": "The body is too large.",
    "422": "The content is invalid: for example, a sentence is malformed or too long.",
    "429": "Too many requests at once.",
    "503": "The server is overloaded or shutting down.",
    "504": "The request took too long.",
}
_ERROR = Object({"error": Text("What is wrong, and how to fix it."), "line": Whole("Where.")}, required=("error",))


def document(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """Returns the OpenAPI document of the JSON API.

    >>> document([])["openapi"]
    '3.1.0'
    """
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "multiplane",
            "version": __version__,
            "description": "Dependency parsing beyond projectivity. UDPipe's REST API is at /models and /process.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": {each.path: {each.method.lower(): _operation(each)} for each in endpoints},
        "components": {"schemas": {"Error": _ERROR.to_json()}},
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    failed = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    found: dict[str, Any] = {
        "summary": endpoint.about,
        "operationId": endpoint.path.rpartition("/")[2],
        "responses": {
            "200": {"description": "The answer.", "content": _content(endpoint.answer)},
            **{status: {"description": about, "content": failed} for status, about in _ERRORS.items()},
        },
    }
    if endpoint.query is not None:
        found["parameters"] = [
            {"name": name, "in": "query", "schema": schema.to_json()} for name, schema in endpoint.query.fields.items()
        ]
        found["requestBody"] = {"required": True, "content": {"application/octet-stream": {}}}
    elif endpoint.takes is not None:
        found["requestBody"] = {"required": True, "content": _content(endpoint.takes)}
    return found


def _content(answer: Schema | tuple[str, ...]) -> dict[str, Any]:
    if isinstance(answer, tuple):
        return {media_type: {"schema": {"type": "string"}} for media_type in answer}
    return {"application/json": {"schema": answer.to_json()}}
