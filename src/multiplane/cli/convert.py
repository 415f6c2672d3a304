"""`multiplane convert`: from one format to another."""

from __future__ import annotations

from collections import Counter

import click

from multiplane.cli import options
from multiplane.errors import InputError
from multiplane.formats import DIALECTS, Dialect, convert, dialect_of, iterate, writing


@click.command("convert")
@click.argument("file", metavar="IN", type=click.Path())
@click.option("-o", "--output", metavar="OUT", default="-", type=click.Path(), help="Where to write; - by default.")
@options.input_format
@click.option(
    "--to", "to", type=click.Choice(list(DIALECTS)), help="Format of the output; by default its suffix tells."
)
@options.on_error
@options.quiet
def command(file: str, output: str, input_format: str | None, to: str | None, on_error: str, quiet: bool) -> None:
    """Convert between formats. The same format in and out gives the same bytes; what gets lost is told."""
    target = _target(output, to)
    lost: Counter[str] = Counter()
    with options.progress_over([file], quiet) as follow, writing(output) as stream:
        for corpus in iterate(file, input_format, on_error=on_error, progress=follow(file)):  # type: ignore[arg-type]
            for problem in corpus.problems:
                options.note(f"{problem} (left out)", quiet)
            text, lost_here = convert(corpus, target or corpus.dialect)
            lost.update(lost_here)
            stream.write(text)
    if target is not None and lost:
        kinds = ", ".join(f"{kind} ({count:,})" for kind, count in lost.most_common())
        options.note(f"{target.title} cannot hold: {kinds}", quiet)


def _target(output: str, to: str | None) -> Dialect | None:
    """The format of the output; none for that of the input."""
    if output == "-" and to is None:
        return None
    try:
        return dialect_of(output, to)
    except InputError as error:
        raise click.UsageError(str(error)) from None
