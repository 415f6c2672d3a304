"""The command line: one file a verb, loaded when it is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from multiplane.errors import MultiplaneError

VERBS = ("analyze", "check", "convert", "draw")


class _Verbs(click.Group):
    """Imports a verb's module only when that verb is asked for, so that every command starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = import_module(f"multiplane.cli.{name}").command
        return command


@click.command(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="multiplane", message="%(prog)s %(version)s")
def cli() -> None:
    """Dependency parsing beyond projectivity.

    FILE is a path or - for standard input; .gz and .xz are handled by suffix. Results go to standard output,
    everything else to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage.
    """


def main() -> None:
    """Runs the command line. Failures that a user can cause end in one line, never in a traceback."""
    try:
        code = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except MultiplaneError as error:
        click.echo(str(error), err=True)
        code = 1
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        code = 130
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        click.echo(f"{error.filename or 'standard output'}: {(error.strerror or str(error)).lower()}", err=True)
        code = 1
    try:
        sys.stdout.flush()
    except OSError as error:
        click.echo(f"standard output: {(error.strerror or str(error)).lower()}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = code or (0 if isinstance(error, BrokenPipeError) else 1)
    sys.exit(code if isinstance(code, int) else 0)
