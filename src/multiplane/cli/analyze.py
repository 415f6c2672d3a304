"""`multiplane analyze`: counts trees outside each class, with proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, fields

import click

from multiplane.analysis import PROPERTIES, Coverage, coverage, witnesses
from multiplane.cli import options
from multiplane.formats import Corpus, iterate, unannotated

_COUNTS = tuple(field.name for field in fields(Coverage))
_SHARES = ("nonprojective", "nonplanar", "non2planar", "non3planar", "non4planar", "illnested", "np_arcs")
_HEADINGS = {
    "structures": "trees",
    "tokens": "words",
    "nonprojective": "non-proj.",
    "nonplanar": "non-planar",
    "non2planar": ">2 planes",
    "non3planar": ">3",
    "non4planar": ">4",
    "illnested": "ill-nested",
    "np_arcs": "n.p. arcs",
    "gap_degree": "gap",
    "arc_degree": "arc",
}


@click.command("analyze", short_help="Count the trees outside each class, with proofs.")
@options.files
@options.output_format
@options.input_format
@click.option(
    "--list",
    "property_name",
    type=click.Choice(list(PROPERTIES)),
    help="List the sentences with this property, with proofs.",
)
@click.option("--plot", type=click.Path(), metavar="FILE", help="Draw the coverage as a chart (.svg or .png).")
@options.on_error
@options.quiet
def command(
    files: tuple[str, ...],
    output_format: str,
    input_format: str | None,
    property_name: str | None,
    plot: str | None,
    on_error: str,
    quiet: bool,
) -> None:
    """Count the structures outside each class: projective, planar, 2-planar, and so on.

    Arcs from the artificial root are not counted as arcs, as in the literature. Minimal numbers of planes are exact.
    """
    if plot is not None and property_name is not None:
        raise click.UsageError("--plot draws the table and cannot be combined with --list")
    if plot is not None and not plot.lower().endswith((".svg", ".png")):
        raise click.UsageError(f"cannot draw '{plot}'; charts must end in .svg or .png")
    with options.progress_over(files, quiet) as follow:
        blocks = {path: _blocks(path, input_format, on_error, quiet, follow(path)) for path in dict.fromkeys(files)}
        if property_name is not None:
            rows = [w for path in blocks for w in witnesses(blocks[path], property_name, on_error=on_error)]  # type: ignore[arg-type]
        else:
            table = {path: coverage(blocks[path], on_error=on_error) for path in blocks}  # type: ignore[arg-type]
    if property_name is not None:
        if output_format == "text":
            for row in rows:
                options.say(f"{row.file}:{row.line}: {row.sent_id}: {row.certificate}")
        else:
            options.print_table(
                ["file", "line", "sent_id", "certificate"], [list(asdict(row).values()) for row in rows], output_format
            )
        return
    if plot is not None:
        from multiplane.visual.chart import plot_coverage  # noqa: PLC0415 - needs an extra

        plot_coverage(table, plot)
    _print(table, output_format)
    if undecided := sum(row.undecided for row in table.values()):
        options.note(f"need at least 3 planes, but the exact number takes too long to find: {undecided:,}", quiet)


def _blocks(
    path: str, input_format: str | None, on_error: str, quiet: bool, progress: Callable[[int], None] | None
) -> Iterator[Corpus]:
    for corpus in iterate(path, input_format, on_error=on_error, progress=progress):  # type: ignore[arg-type]
        if on_error == "skip":
            for problem in [*corpus.problems, *unannotated(corpus)]:
                options.note(f"{problem} (skipped)", quiet)
        yield corpus


def _print(table: dict[str, Coverage], form: str) -> None:
    rows = list(table.items())
    if len(rows) > 1 or form == "tsv":
        rows.append(("TOTAL", sum(table.values(), Coverage())))
    if form == "text":
        click.echo(_text(rows))
        return
    columns = ["file", *_COUNTS, *(f"{name}_percent" for name in _SHARES)]
    values = [
        [file, *(getattr(row, name) for name in _COUNTS), *(round(row.percent(name), 2) for name in _SHARES)]
        for file, row in rows
    ]
    options.print_table(columns, values, form)


def _text(rows: list[tuple[str, Coverage]]) -> str:
    """Formats the table as text; file names get the remaining width."""
    numbers = [[_cell(row, name) for name in _HEADINGS] for _, row in rows]
    headings = list(_HEADINGS.values())
    room = options.WIDTH - 2 - len(options.text_table(headings, numbers).partition("\n")[0])
    files = options.shortened([file for file, _ in rows], max(room, 16))
    return options.text_table(["file", *headings], [[file, *row] for file, row in zip(files, numbers, strict=True)])


def _cell(row: Coverage, name: str) -> str:
    count = getattr(row, name)
    return f"{count:,} {row.percent(name):.1f}%" if name in _SHARES and count else f"{count:,}"
