"""`multiplane analyze`: counts trees outside each class, with proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import click

from multiplane.analysis import (
    GRAPH_PROPERTIES,
    PROPERTIES,
    Coverage,
    GraphCoverage,
    Witness,
    coverage,
    graph_coverage,
    graph_witnesses,
    witnesses,
)
from multiplane.cli import options
from multiplane.cli.verb import Verb
from multiplane.errors import FormatError
from multiplane.formats import Corpus, iterate, unannotated
from multiplane.formats.corpus import OnError
from multiplane.graphs import Layer


@dataclass(frozen=True)
class _Table:
    """Which counts a table has, which of them as shares too, and their headings as text."""

    counts: tuple[str, ...]
    shares: tuple[str, ...]
    headings: dict[str, str]


_PLANES = {"nonplanar": "non-planar", "non2planar": ">2 planes", "non3planar": ">3", "non4planar": ">4"}
_TREES = _Table(
    tuple(field.name for field in fields(Coverage)),
    ("nonprojective", "nonplanar", "non2planar", "non3planar", "non4planar", "illnested", "np_arcs"),
    {"structures": "trees", "tokens": "words", "nonprojective": "non-proj."}
    | _PLANES
    | {"illnested": "ill-nested", "np_arcs": "n.p. arcs", "gap_degree": "gap", "arc_degree": "arc"},
)
_GRAPHS = _Table(
    tuple(field.name for field in fields(GraphCoverage)),
    ("with_arcs", "trees", "multiheaded", "multiheaded_words", "disconnected", "cyclic", *_PLANES),
    {"structures": "graphs", "tokens": "words", "arcs": "arcs", "trees": "trees", "multiheaded": "multi-head."}
    | {"disconnected": "disconn.", "cyclic": "cyclic"}
    | _PLANES,
)


@click.command("analyze", cls=Verb)
@options.files
@options.layer
@options.output_format
@options.input_format
@click.option(
    "--list",
    "property_name",
    type=click.Choice(list(PROPERTIES | GRAPH_PROPERTIES)),
    help="List the sentences with this property, with proofs.",
)
@click.option(
    "--no-punct",
    is_flag=True,
    help="Leave out punctuation: UPOS PUNCT in CoNLL-U, otherwise words of punctuation characters only. "
    "Dependents of punctuation attach to the nearest remaining ancestor.",
)
@click.option("--plot", type=click.Path(), metavar="FILE", help="Draw the coverage as a chart (.svg or .png).")
@options.on_error
@options.quiet
def command(
    files: tuple[str, ...],
    layer: Layer,
    output_format: str,
    input_format: str | None,
    property_name: str | None,
    no_punct: bool,
    plot: str | None,
    on_error: OnError,
    quiet: bool,
) -> None:
    """Count the structures outside each class: projective, planar, 2-planar, and so on.

    Arcs from the artificial root are not counted as arcs, as in the literature. Minimal numbers of planes are exact.
    With --layer, counts the graphs of another layer: with several heads, several components, cycles, crossing arcs.
    """
    _check_property(property_name, layer)
    if no_punct and layer != "syntax":
        raise click.UsageError(f"--no-punct is for trees; drop --layer {layer}")
    if plot is not None and property_name is not None:
        raise click.UsageError("--plot draws the table and cannot be combined with --list")
    if plot is not None and not plot.lower().endswith((".svg", ".png")):
        raise click.UsageError(f"cannot draw '{plot}'; charts must end in .svg or .png")
    chosen = options.each_once(files, quiet)
    with options.progress_over(chosen, quiet) as follow:
        blocks = {path: _blocks(path, layer, input_format, on_error, quiet, follow(path)) for path in chosen}
        if property_name is not None:
            rows = [
                w for path in blocks for w in _witnesses(blocks[path], property_name, layer, on_error, not no_punct)
            ]
        else:
            table = {path: _coverage(blocks[path], layer, on_error, not no_punct) for path in blocks}
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
    _print(table, _TREES if layer == "syntax" else _GRAPHS, output_format)
    if undecided := sum(row.undecided for row in table.values()):
        options.note(f"need at least 3 planes, but the exact number takes too long to find: {undecided:,}", quiet)


def _check_property(name: str | None, layer: Layer) -> None:
    known = PROPERTIES if layer == "syntax" else GRAPH_PROPERTIES
    if name is not None and name not in known:
        raise click.UsageError(f"--list {name} is not for --layer {layer}, which has {', '.join(known)}")


def _coverage(blocks: Iterable[Corpus], layer: Layer, on_error: OnError, punctuation: bool) -> Coverage | GraphCoverage:
    if layer == "syntax":
        return coverage(blocks, on_error=on_error, punctuation=punctuation)
    return graph_coverage(blocks, layer, on_error=on_error)


def _witnesses(
    blocks: Iterable[Corpus], name: str, layer: Layer, on_error: OnError, punctuation: bool
) -> Iterable[Witness]:
    if layer == "syntax":
        return witnesses(blocks, name, on_error=on_error, punctuation=punctuation)
    return graph_witnesses(blocks, name, layer, on_error=on_error)


def _blocks(
    path: str,
    layer: Layer,
    input_format: str | None,
    on_error: OnError,
    quiet: bool,
    progress: Callable[[int], None] | None,
) -> Iterator[Corpus]:
    for corpus in iterate(path, input_format, on_error=on_error, progress=progress):
        if on_error == "skip":
            for problem in [*corpus.problems, *_layer_problems(corpus, layer)]:
                options.note(f"{problem} (skipped)", quiet)
        yield corpus


def _layer_problems(corpus: Corpus, layer: Layer) -> Sequence[FormatError]:
    if layer == "syntax":
        return unannotated(corpus)
    return (corpus.semantic_layer if layer == "semantics" else corpus.enhanced_layer).problems.errors


def _print(table: Mapping[str, Coverage | GraphCoverage], shape: _Table, form: str) -> None:
    rows: list[tuple[str, Any]] = list(table.items())
    if len(rows) > 1 or form == "tsv":
        first, *others = table.values()
        rows.append(("TOTAL", sum(others, first)))
    if form == "text":
        cells = [[file, *(_cell(row, name, shape) for name in shape.headings)] for file, row in rows]
        options.print_text(["file", *shape.headings.values()], cells)
        return
    columns = ["file", *shape.counts, *(f"{name}_percent" for name in shape.shares)]
    values = [
        [file, *(getattr(row, name) for name in shape.counts), *(round(row.percent(name), 2) for name in shape.shares)]
        for file, row in rows
    ]
    options.print_table(columns, values, form)


def _cell(row: Coverage | GraphCoverage, name: str, shape: _Table) -> str:
    count = getattr(row, name)
    return f"{count:,} {row.percent(name):.1f}%" if name in shape.shares and count else f"{count:,}"
