"""The command line: one file per verb, loaded on demand."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, TextIO

import click

from multiplane.errors import LanguageWarning, MultiplaneError, visible

VERBS = {
    "analyze": "Count the trees or graphs outside each class, with proofs.",
    "check": "Find errors and obstacles to training in a treebank.",
    "compare": "Test whether two parsers differ by more than chance.",
    "convert": "Convert between formats; make trees projective or graphs planar.",
    "draw": "Draw sentences as text, SVG, PNG, PDF or TikZ.",
    "evaluate": "Score a parser's output against a gold standard.",
    "oracle": "Measure how much of a treebank transition systems can derive.",
    "package": "Pack a model into a wheel that pip installs.",
    "parse": "Parse a treebank or plain text.",
    "sample": "Print a small treebank to try things out.",
    "serve": "Serve models: a web page, a JSON API and UDPipe's REST API.",
    "systems": "List the transition systems, or describe one.",
    "trace": "Show the derivation of a sentence step by step.",
    "train": "Train a parser or a tokenizer on a treebank.",
}
"""The verbs and what they do; their modules are not imported for this."""

_OUT_OF_MEMORY = "not enough memory; use smaller files, a narrower --beam or fewer --threads, or close other programs"


class _Verbs(click.Group):
    """Imports a verb's module on demand, so that every command starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = import_module(f"multiplane.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        # Click itself would print an empty line and exit with 1.
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(130)
        except BrokenPipeError:
            _discard_output()
            ctx.exit(0)


@click.command(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="multiplane", message="%(prog)s %(version)s")
def cli() -> None:
    """Dependency parsing beyond projectivity.

    FILE is a path or - for standard input; gzip and xz are decompressed. Results go to standard output,
    everything else to standard error. Exit codes: 0 success, 1 failure, 2 usage error.
    """


def main() -> None:
    """Runs the command line. A user error prints one line, never a traceback."""
    _prepare_streams()
    with suppress(ValueError):  # only allowed in the main thread
        # An exception runs the code that removes half-written files.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    warnings.showwarning = _show_warning
    code = _exit_code(lambda: cli.main(standalone_mode=False))
    sys.exit(code or _exit_code(sys.stdout.flush))


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Prints a warning about the input as one line; ignores other warnings."""
    if issubclass(category, LanguageWarning):
        click.echo(f"warning: {visible(str(message))}", err=True)


def _exit_code(work: Callable[[], object]) -> int:
    try:
        code = work()
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        click.echo(re.sub(r"[^\n\t]+", lambda part: visible(part[0]), shown.getvalue()), err=True, nl=False)
        return error.exit_code
    except MultiplaneError as error:
        click.echo(visible(str(error)), err=True)
        return 1
    except BrokenPipeError:
        _discard_output()
        return 0
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        click.echo(_OUT_OF_MEMORY, err=True)
        return 1
    except OSError as error:
        _discard_output()
        name = visible(str(error.filename or "standard output"))
        click.echo(f"{name}: {(error.strerror or str(error)).lower()}", err=True)
        return 1
    return code if isinstance(code, int) else 0


def _is_out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out; PyTorch has no special exception for that."""
    return isinstance(error, MemoryError) or "can't allocate memory" in str(error)


def _prepare_streams() -> None:
    """Makes printing safe: discards output to closed streams, and escapes characters that the encoding lacks."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open until the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Discards pending output after the pipe is closed; Python would otherwise try to flush it again at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
