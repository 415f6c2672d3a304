"""`multiplane analyze`: how non-projective treebanks are, with proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, fields

import click

from multiplane.analysis import PROPERTIES, Coverage, coverage, witnesses
from multiplane.cli import options
from multiplane.formats import Corpus, iterate

_COUNTS = tuple(field.name for field in fields(Coverage))
_SHARES = ("nonprojective", "nonplanar", "non2planar", "non3planar", "non4planar", "illnested", "np_arcs")
_HEADINGS = {
    "nonprojective": "non-proj.",
    "nonplanar": "not planar",
    "non2planar": "not 2-pl.",
    "non3planar": "not 3-pl.",
    "non4planar": "not 4-pl.",
    "illnested": "ill-nested",
    "np_arcs": "n.p. arcs",
    "gap_degree": "gap deg.",
    "arc_degree": "arc deg.",
}


@click.command("analyze")
@options.files
@options.output_format
@options.input_format
@click.option("--list", "property_name", type=click.Choice(list(PROPERTIES)), help="Print these sentences with proofs.")
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
    with options.progress_over(files, quiet) as follow:
        blocks = {path: _blocks(path, input_format, on_error, quiet, follow(path)) for path in dict.fromkeys(files)}
        if property_name is not None:
            rows = [w for path in blocks for w in witnesses(blocks[path], property_name, on_error=on_error)]  # type: ignore[arg-type]
        else:
            table = {path: coverage(blocks[path], on_error=on_error) for path in blocks}  # type: ignore[arg-type]
    if property_name is not None:
        if output_format == "text":
            for row in rows:
                click.echo(f"{row.file}:{row.line}: {row.sent_id}: {row.certificate}")
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
        options.note(
            f"{undecided} structures need 3 planes or more; how many exactly would take too long to find", quiet
        )


def _blocks(
    path: str, input_format: str | None, on_error: str, quiet: bool, progress: Callable[[int], None] | None
) -> Iterator[Corpus]:
    for corpus in iterate(path, input_format, on_error=on_error, progress=progress):  # type: ignore[arg-type]
        for problem in corpus.problems:
            options.note(f"{problem} (left out)", quiet)
        yield corpus


def _print(table: dict[str, Coverage], form: str) -> None:
    rows = dict(table)
    if len(rows) > 1 or form == "tsv":
        rows["TOTAL"] = sum(table.values(), Coverage())
    columns = ["file", *_COUNTS, *(f"{name}_percent" for name in _SHARES)]
    values = [
        [file, *(getattr(row, name) for name in _COUNTS), *(round(row.percent(name), 2) for name in _SHARES)]
        for file, row in rows.items()
    ]
    if form != "text":
        options.print_table(columns, values, form)
        return
    shown = [name for name in _COUNTS if name != "undecided"]
    text = [
        [
            file,
            *(
                f"{getattr(row, name):,}" + (f" ({row.percent(name):.1f} %)" if name in _SHARES else "")
                for name in shown
            ),
        ]
        for file, row in rows.items()
    ]
    click.echo(options.text_table(["file", *(_HEADINGS.get(name, name) for name in shown)], text))
