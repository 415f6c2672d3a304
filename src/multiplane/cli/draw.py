"""`multiplane draw`: draws sentences, with arcs coloured by plane."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import IO, cast

import click

from multiplane.cli import options
from multiplane.cli.verb import Verb
from multiplane.data import bundled_models
from multiplane.errors import InputError
from multiplane.formats import DIALECTS, Corpus, Sentence, dialect_of, iterate, writing
from multiplane.formats.reader import corpus_of
from multiplane.formats.stream import ByteSource
from multiplane.parser import Parser, load
from multiplane.text import corpus_of_text, is_text, text_blocks
from multiplane.text.detect import conll_dialect
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
@click.option("--interactive", is_flag=True, help="Draw SVG for web pages, with words and arcs that can be focused.")
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
        sentences = _parsed(load(model), inputs, chosen, input_format)
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
    if wanted is None:
        return _all(iterate(inputs[0], input_format))
    return options.find_sentences(iterate(inputs[0], input_format, on_error="skip"), wanted or ["1"])


def _parsed(
    parser: Parser, inputs: Sequence[str], wanted: list[str] | None, input_format: str | None
) -> list[Sentence]:
    if _are_text(inputs):
        if input_format is not None:
            raise click.UsageError("a text has no format; drop --from, or give the name of a file")
        corpora: Iterable[Corpus] = [corpus_of_text(" ".join(inputs), parser._tokenizer(None))]
        return parser.parse(options.find_sentences(corpora, wanted) if wanted else _all(corpora))
    with ByteSource(inputs[0]) as source:
        stream = cast("IO[bytes]", source)
        if input_format is None and is_text(source):
            blocks = text_blocks(stream, parser._tokenizer(None))
            corpora = (corpus_of(block, DIALECTS["conllu"], "fail") for block in blocks)
        else:
            corpora = iterate(
                stream, conll_dialect(source, input_format), on_error="fail" if wanted is None else "skip"
            )
        return parser.parse(_all(corpora) if wanted is None else options.find_sentences(corpora, wanted or ["1"]))


def _are_text(inputs: Sequence[str]) -> bool:
    """Whether the arguments are a text, not the name of a file; the quotation marks may be missing."""
    if len(inputs) == 1:
        return inputs[0] != "-" and not os.path.exists(inputs[0]) and not _names_treebank(inputs[0])
    if files := [name for name in inputs if os.path.isfile(name)]:
        raise click.UsageError(f"'{files[0]}' is a file; give one FILE, or a text in quotation marks")
    return True


def _names_treebank(name: str) -> bool:
    """Whether this looks like the name of a file, though no such file exists."""
    if " " in name:
        return False
    try:
        dialect_of(name)
    except InputError:
        return name.lower().endswith(".txt")
    return True


def _all(corpora: Iterable[Corpus]) -> list[Sentence]:
    sentences: list[Sentence] = []
    for corpus in corpora:
        sentences += corpus
    if not sentences:
        raise InputError(f"{corpus.name}: no sentences to draw")
    return sentences
