"""`multiplane check`: checks a treebank before training."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from multiplane.analysis import LayerCounts, Report, check
from multiplane.cli import options
from multiplane.cli.tables import paragraph, paragraph_width
from multiplane.cli.verb import Verb
from multiplane.errors import InputError, visible
from multiplane.formats import iterate
from multiplane.messages import counted

_CLASSES = {
    "projective": "nonprojective",
    "planar": "nonplanar",
    "2-planar": "non2planar",
    "3-planar": "non3planar",
    "4-planar": "non4planar",
    "well-nested": "illnested",
}


@click.command("check", cls=Verb)
@options.files
@options.output_format
@options.input_format
@options.quiet
@click.pass_context
def command(
    ctx: click.Context, files: tuple[str, ...], output_format: str, input_format: str | None, quiet: bool
) -> None:
    """Find errors and obstacles to training. The exit code is 1 if there is an error."""
    reports, unreadable = [], []
    with options.progress_over(files, quiet) as follow:
        for path in dict.fromkeys(files):
            try:
                blocks = iterate(path, input_format, on_error="skip", progress=follow(path))
                reports.append(check(blocks, path))
            except InputError as error:
                unreadable.append(str(error))
    if output_format == "json":
        click.echo(json.dumps([_as_dict(report) for report in reports], ensure_ascii=False, indent=2))
    elif output_format == "tsv":
        options.print_table(["file", "line", "sent_id", "severity", "what"], _rows(reports), "tsv")
    else:
        for report in reports:
            _print(report)
    for reason in unreadable:
        options.say(reason, err=True)
    if unreadable or any(report.errors for report in reports):
        ctx.exit(1)


def _classes(report: Report) -> dict[str, float]:
    return {name: 100 - report.coverage.percent(column) for name, column in _CLASSES.items()}


def _as_dict(report: Report) -> dict[str, Any]:
    return {
        "file": report.file,
        "sentences": report.sentences,
        "words": report.words,
        "errors": [{"line": e.line, "sent_id": e.sent_id, "what": e.what} for e in report.errors],
        "warnings": [asdict(warning) for warning in report.warnings],
        "labels": dict(report.labels.most_common()),
        "layers": asdict(report.layers),
        "counts": asdict(report.coverage),
        "percent_in_class": {name: round(share, 2) for name, share in _classes(report).items()},
    }


def _rows(reports: list[Report]) -> list[list[object]]:
    rows: list[list[object]] = []
    for report in reports:
        rows += [[report.file, e.line, e.sent_id, "error", e.what] for e in report.errors]
        rows += [[report.file, "", "", "warning", f"{w.what}: {w.count}; {w.advice}"] for w in report.warnings]
    return rows


def _print(report: Report) -> None:
    for error in report.errors:
        options.say(str(error))
    counts = counted(report.sentences, "sentence"), counted(report.words, "word"), counted(len(report.labels), "label")
    options.say(f"{report.file}: {', '.join(counts)}")
    if not report.sentences and not report.errors:
        options.say("  warning: the file has no sentences")
    for warning in report.warnings:
        _say(f"warning: {warning.what}: {warning.count:,}; {warning.advice}")
        more = warning.count - len(warning.examples)
        click.echo(_wrapped([*warning.examples, *([f"and {more:,} more"] if more else [])]))
    if report.coverage.structures:
        _say("in class: " + ", ".join(f"{name} {share:.1f}\u00a0%" for name, share in _classes(report).items()))
    for layer in _layers(report.layers):
        options.say(f"  {layer}")
    options.say(f"  {counted(len(report.errors), 'error')}")


def _say(text: str) -> None:
    """Prints an indented paragraph."""
    for line in paragraph(visible(text), "    ", "  "):
        click.echo(line.replace("\u00a0", " "))


def _layers(counts: LayerCounts) -> Iterator[str]:
    if counts.predicates:
        yield f"semantics: {counted(counts.predicates, 'predicate')}, {counted(counts.arguments, 'argument')}"
    if counts.enhanced:
        yield f"enhanced: {counted(counts.enhanced, 'arc')}, {counted(counts.empty_nodes, 'empty node')}"


def _wrapped(items: list[str]) -> str:
    """Joins items with commas and wraps them on separate lines, without breaking within an item."""
    words = ", ".join(visible(item).replace(" ", "\0") for item in items)
    lines = textwrap.wrap(words, paragraph_width() - 4, break_long_words=False, break_on_hyphens=False)
    return textwrap.indent("\n".join(lines), "    ").replace("\0", " ")
