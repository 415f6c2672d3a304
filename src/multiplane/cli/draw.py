"""`multiplane draw`: a sentence as a picture, arcs coloured by plane."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from multiplane.cli import options
from multiplane.errors import FormatError, InputError
from multiplane.formats import Corpus, Sentence, iterate, writing
from multiplane.visual import drawing_of, svg, text, tikz

_RENDERERS = {".svg": svg, ".txt": text, ".tex": tikz}


@click.command("draw")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "--sentence", metavar="N|ID", default="1", help="Which one: its sent_id, or its number from 1; 1 by default."
)
@click.option("-o", "--output", metavar="OUT", default="-", help="An .svg, .txt or .tex file; the terminal by default.")
@options.input_format
def command(file: str, sentence: str, output: str, input_format: str | None) -> None:
    """Draw a sentence. The first plane is above the words, the second below."""
    suffix = next((s for s in _RENDERERS if output.lower().endswith(s)), None)
    if output != "-" and suffix is None:
        raise click.UsageError(f"cannot draw '{output}'; the output ends in {', '.join(_RENDERERS)}")
    drawing = drawing_of(_find(file, sentence, input_format))
    if suffix is None:
        click.echo(text(drawing, colour=sys.stdout.isatty()), nl=False)
        return
    with writing(output) as stream:
        stream.write(_RENDERERS[suffix](drawing).encode())


def _find(file: str, wanted: str, input_format: str | None) -> Sentence:
    """The sentence with that sent_id, or else the one with that number; broken sentences before it do no harm."""
    by_number = None
    for corpus in iterate(file, input_format, on_error="skip"):
        for number, found in _numbered(corpus):
            if found.sent_id == wanted:
                return _whole(found)
            if str(number) == wanted and by_number is None:
                by_number = found
    if by_number is not None:
        return _whole(by_number)
    if corpus.sentences_read == 0:
        raise InputError(f"{corpus.name}: the file holds no sentence")
    many = corpus.sentences_read
    raise InputError(f"{corpus.name}: no sentence '{wanted}'; give a sent_id, or a number from 1 to {many}")


def _numbered(corpus: Corpus) -> Iterator[tuple[int, Sentence | FormatError]]:
    """The sentences, or what is wrong with them, with their numbers in the file."""
    yield from ((sentence.number_in_file, sentence) for sentence in corpus)
    yield from zip(corpus.problem_numbers, corpus.problems, strict=True)


def _whole(found: Sentence | FormatError) -> Sentence:
    if isinstance(found, FormatError):
        raise found
    return found
