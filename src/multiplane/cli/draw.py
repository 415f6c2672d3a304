"""`multiplane draw`: draws sentences, with arcs coloured by plane."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import click

from multiplane.cli import options
from multiplane.cli.inputs import all_of, are_text, sentences_for
from multiplane.cli.verb import Verb
from multiplane.data import bundled_models
from multiplane.errors import InputError
from multiplane.formats import Sentence, iterate, writing
from multiplane.parser import load
from multiplane.visual import DRAWN_LAYERS, DrawnLayer
from multiplane.visual.files import SUFFIXES, drawings_of, rendered, suffix_of


@click.command("draw", cls=Verb)
@click.argument("inputs", metavar="FILE|TEXT...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-m",
    "--model",
    metavar="MODEL",
    type=click.Path(),
    help="Parse the text or file first, with a folder written by `multiplane train` or an installed model: "
    f"{', '.join(bundled_models())}, …",
)
@click.option(
    "--sentence",
    "wanted",
    metavar="N|ID",
    multiple=True,
    help="The sent_id or number of a sentence; repeatable. By default, 1, or all sentences of a TEXT.",
)
@click.option("--all", "everything", is_flag=True, help="Draw all sentences, one below the other.")
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    default="-",
    help=f"A file that ends in {', '.join(SUFFIXES)}; by default, text on standard output.",
)
@click.option(
    "--layer",
    type=click.Choice(DRAWN_LAYERS),
    default="syntax",
    help="What to draw; both draws syntax above the words, and semantics or enhanced dependencies below.",
)
@click.option("--undirected", is_flag=True, help="Draw edges without arrowheads, as undirected systems build them.")
@click.option(
    "--rtl/--ltr", default=None, help="Put the first word on the right or left; by default, follow the script."
)
@click.option("--interactive", is_flag=True, help="Draw interactive SVG for web pages: words and arcs can be focused.")
@click.option(
    "--scale",
    type=click.FloatRange(min=0, min_open=True),
    default=2.0,
    show_default=True,
    help="Pixels of a PNG image per unit of SVG.",
)
@options.input_format
def command(
    inputs: tuple[str, ...],
    model: str | None,
    wanted: tuple[str, ...],
    everything: bool,
    output: str,
    layer: DrawnLayer,
    undirected: bool,
    rtl: bool | None,
    interactive: bool,
    scale: float,
    input_format: str | None,
) -> None:
    """Draw sentences, their arcs coloured by plane: the first plane above the words, the second below.

    Without a model, FILE is a treebank. With -m, give plain text, a text file or a treebank, which is parsed first:
    multiplane draw -m en "She said so."

    On a terminal, text is coloured, unless NO_COLOR is set or TERM is dumb.
    """
    suffix = ".txt" if output == "-" else _suffix(output)
    if wanted and everything:
        raise click.UsageError("give either --sentence or --all")
    if interactive and suffix != ".svg":
        raise click.UsageError("--interactive needs an .svg file: -o OUT.svg")
    chosen = None if everything else list(wanted)
    if model is None:
        sentences = _of_treebank(inputs, chosen, input_format)
    else:
        parser = load(model)
        sentences = parser.parse(sentences_for(parser, inputs, chosen, input_format))
    drawings = drawings_of(sentences, layer=layer, undirected=undirected, rtl="auto" if rtl is None else rtl)
    colour = output == "-" and options.has_colour()
    content = rendered(list(drawings), suffix, interactive=interactive, scale=scale, colour=colour)
    if output == "-":
        click.echo(content.decode(), nl=False)
        return
    with writing(output) as stream:
        stream.write(content)


def _suffix(output: str) -> str:
    try:
        return suffix_of(output)
    except InputError:
        raise click.UsageError(f"cannot draw '{output}'; the output must end in {', '.join(SUFFIXES)}") from None


def _of_treebank(inputs: Sequence[str], wanted: list[str] | None, input_format: str | None) -> list[Sentence]:
    if len(inputs) > 1:
        raise click.UsageError(
            f"unexpected argument '{inputs[1]}'; give one FILE or, to draw a text, a model: "
            'multiplane draw -m en "She said so."'
        )
    if are_text(inputs):
        raise InputError(
            f"{inputs[0]}: cannot be read: no such file or directory; to draw a text, give a model: "
            f"multiplane draw -m en {shlex.quote(inputs[0])}"
        )
    if wanted is None:
        return all_of(iterate(inputs[0], input_format))
    return options.find_sentences(iterate(inputs[0], input_format, on_error="skip"), wanted or ["1"])
