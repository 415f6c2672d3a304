"""`multiplane draw`: draws a sentence, with arcs coloured by plane."""

from __future__ import annotations

import sys

import click

from multiplane.cli import options
from multiplane.formats import writing
from multiplane.visual import DRAWN_LAYERS, DrawnLayer, drawing_of, svg, text, tikz

_RENDERERS = {".svg": svg, ".txt": text, ".tex": tikz}


@click.command("draw", short_help="Draw a sentence as text, SVG or TikZ.")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "--sentence", metavar="N|ID", default="1", help="The sent_id of the sentence, or its number; 1 by default."
)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    default="-",
    help="An .svg, .txt or .tex file; by default, text on standard output.",
)
@click.option(
    "--layer",
    type=click.Choice(DRAWN_LAYERS),
    default="syntax",
    help="What to draw; both has syntax above the words, and semantics or enhanced dependencies below.",
)
@click.option("--undirected", is_flag=True, help="Draw edges without arrow heads, as undirected systems build them.")
@options.input_format
def command(
    file: str, sentence: str, output: str, layer: DrawnLayer, undirected: bool, input_format: str | None
) -> None:
    """Draw a sentence, its arcs coloured by plane: the first plane above the words, the second below."""
    suffix = next((s for s in _RENDERERS if output.lower().endswith(s)), None)
    if output != "-" and suffix is None:
        raise click.UsageError(f"cannot draw '{output}'; the output must end in {', '.join(_RENDERERS)}")
    drawing = drawing_of(options.find_sentence(file, sentence, input_format), layer=layer, undirected=undirected)
    if suffix is None:
        click.echo(text(drawing, colour=sys.stdout.isatty()), nl=False)
        return
    with writing(output) as stream:
        stream.write(_RENDERERS[suffix](drawing).encode())
