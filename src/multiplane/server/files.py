"""The page: the files of the folder `static`, with a policy that allows nothing from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parent / "static"
_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cache-control": "no-cache",  # ask again every time, by ETag: files change with the package
}


class PageFiles(StaticFiles):
    """The files under `/static/`; `index` is the page itself."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    def file_response(self, *args: Any, **options: Any) -> Response:
        """Returns a file, or tells the browser that it has it already."""
        response = super().file_response(*args, **options)
        response.headers.update(_HEADERS)
        return response

    async def index(self, request: Request) -> Response:
        """Returns the page."""
        return await self.get_response("index.html", request.scope)
