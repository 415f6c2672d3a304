"""`multiplane serve`: a server with UDPipe's REST API, a JSON API and a web page."""

from __future__ import annotations

import os
import webbrowser
from typing import TYPE_CHECKING

import click

from multiplane.cli import options
from multiplane.cli.verb import Verb
from multiplane.data import bundled_models
from multiplane.errors import MissingExtraError

if TYPE_CHECKING:
    from multiplane.server.models import Models

_MIB = 1 << 20


@click.command("serve", cls=Verb)
@click.argument("models", metavar="[MODEL]...", nargs=-1, type=click.Path())
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), help="Port; 0 picks any free one. By default, the first free from 8000."
)
@click.option("--open", "open_browser", is_flag=True, help="Open the page in a browser.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Number of processes.")
@click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    show_default="one per CPU, divided among the workers",
    help="Parser threads per worker.",
)
@click.option(
    "--max-body", type=click.IntRange(1), default=4, show_default=True, help="MiB per request; beyond it, 413."
)
@click.option(
    "--max-treebank", type=click.IntRange(1), default=128, show_default=True, help="MiB per treebank; beyond it, 413."
)
@click.option(
    "--max-memory",
    type=click.IntRange(1),
    default=1024,
    show_default=True,
    help="MiB of all requests in a worker's memory; beyond it, 503.",
)
@click.option(
    "--max-words", type=click.IntRange(1), default=1_000, show_default=True, help="Words per sentence; beyond it, 422."
)
@click.option(
    "--max-requests",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Concurrent requests per client; beyond it, 429.",
)
@click.option(
    "--max-queue",
    type=click.IntRange(0),
    default=500,
    show_default=True,
    help="Requests waiting to be parsed; beyond it, 503.",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(0, min_open=True),
    default=60,
    show_default=True,
    help="Seconds per request; beyond it, 504.",
)
@options.quiet
def command(
    models: tuple[str, ...],
    host: str,
    port: int | None,
    open_browser: bool,
    workers: int,
    threads: int | None,
    max_body: int,
    max_treebank: int,
    max_memory: int,
    max_words: int,
    max_requests: int,
    max_queue: int,
    max_seconds: float,
    quiet: bool,
) -> None:
    """Serve models over HTTP until Ctrl-C; by default, all bundled models.

    MODEL is a folder written by `multiplane train`, or the name of an installed model; the first is the default.

    Prints the address of the web page. UDPipe clients use /process and /models there; /openapi.json describes the JSON
    API. When stopped, the server answers the requests in progress first.
    """
    try:
        from multiplane.server import run  # noqa: PLC0415 - an extra, and slow to import
        from multiplane.server.settings import Limits, Settings  # noqa: PLC0415
    except ModuleNotFoundError as error:
        needed = (error.name or "").partition(".")[0]
        raise MissingExtraError(
            f"the server needs {needed}; install it with: pip install 'multiplane[server]'"
        ) from None
    limits = Limits(
        max_body * _MIB, max_treebank * _MIB, max_memory * _MIB, max_words, max_requests, max_queue, max_seconds
    )
    settings = Settings(models or tuple(bundled_models()), threads or _threads(workers), limits)
    with run.bound_socket(host, port) as listening:
        address = run.address_of(listening)

        def ready(served: Models) -> None:
            click.echo(address)
            options.note(f"serving {', '.join(served)}; press Ctrl-C to stop", quiet)
            if open_browser:
                webbrowser.open(address)

        code = run.serve(listening, settings, workers, ready)
    if code:
        click.get_current_context().exit(code)


def _threads(workers: int) -> int:
    return max(1, (os.cpu_count() or 1) // workers)
