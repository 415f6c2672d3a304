"""`multiplane convert`: from one format to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import click
import numpy as np

from multiplane.cli import options
from multiplane.errors import InputError
from multiplane.formats import DIALECTS, UNKNOWN_HEAD, Corpus, Dialect, convert, dialect_of, iterate, writing
from multiplane.formats.rewrite import with_trees
from multiplane.formats.stream import refuse_own_output
from multiplane.graphs.projectivize import ENCODINGS, Encoding, deprojectivize, projectivize

Rebuild = Callable[[Sequence[int], Sequence[str], Encoding], tuple[list[int], list[str]]]


@click.command("convert", short_help="Convert between formats, or make trees projective.")
@click.argument("file", metavar="IN", type=click.Path())
@click.option("-o", "--output", metavar="OUT", default="-", type=click.Path(), help="Where to write; - by default.")
@options.input_format
@click.option(
    "--to", "to", type=click.Choice(list(DIALECTS)), help="Format of the output; by default, taken from its suffix."
)
@click.option(
    "--projectivize",
    "lift",
    type=click.Choice(ENCODINGS),
    help="Make every tree projective, and record in its labels what was lifted, in this encoding.",
)
@click.option(
    "--deprojectivize",
    "lower",
    type=click.Choice([encoding for encoding in ENCODINGS if encoding != "baseline"]),
    help="Undo --projectivize with this encoding.",
)
@options.on_error
@options.quiet
def command(
    file: str,
    output: str,
    input_format: str | None,
    to: str | None,
    lift: Encoding | None,
    lower: Encoding | None,
    on_error: str,
    quiet: bool,
) -> None:
    """Convert between formats. The same format in and out gives the same bytes; otherwise, reports what is lost.

    With --projectivize or --deprojectivize the HEAD and DEPREL of words change, and nothing else.
    """
    if lift and lower:
        raise click.UsageError("--projectivize and --deprojectivize undo each other; give one of them")
    target = _target(output, to)
    refuse_own_output(file, output)
    lost: Counter[str] = Counter()
    with options.progress_over([file], quiet) as follow, writing(output) as stream:
        for corpus in iterate(file, input_format, on_error=on_error, progress=follow(file)):  # type: ignore[arg-type]
            for problem in corpus.problems:
                options.note(f"{problem} (skipped)", quiet)
            if lift:
                corpus = _rebuilt(corpus, projectivize, lift)  # noqa: PLW2901 - the same words
            if lower:
                corpus = _rebuilt(corpus, deprojectivize, lower)  # noqa: PLW2901
            text, lost_here = convert(corpus, target or corpus.dialect)
            lost.update(lost_here)
            stream.write(text)
    if target is not None and lost:
        kinds = ", ".join(f"{kind} ({count:,})" for kind, count in lost.most_common())
        options.note(f"{target.title} cannot hold: {kinds}", quiet)


def _rebuilt(corpus: Corpus, rebuild: Rebuild, encoding: Encoding) -> Corpus:
    """The corpus with another tree for each sentence. Words without a head count as roots, and stay without."""
    heads: list[int] = []
    deprels: list[str] = []
    given = np.maximum(corpus.heads, 0).tolist()
    labels = corpus.column("deprel")
    begin = 0
    for length in corpus.lengths.tolist():
        end = begin + length
        new_heads, new_labels = rebuild(given[begin:end], labels[begin:end], encoding)
        heads += new_heads
        deprels += new_labels
        begin = end
    return with_trees(corpus, np.where(corpus.heads == UNKNOWN_HEAD, UNKNOWN_HEAD, np.array(heads, np.int64)), deprels)


def _target(output: str, to: str | None) -> Dialect | None:
    """The format of the output; none for that of the input."""
    if output == "-" and to is None:
        return None
    try:
        return dialect_of(output, to)
    except InputError as error:
        raise click.UsageError(str(error)) from None
