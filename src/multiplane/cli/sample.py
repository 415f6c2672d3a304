"""`multiplane sample`: prints a bundled treebank."""

from __future__ import annotations

import click

from multiplane.cli.verb import Verb
from multiplane.data import SAMPLES, sample_path
from multiplane.formats import writing


@click.command("sample", cls=Verb)
@click.option(
    "-o", "--output", metavar="OUT", default="-", type=click.Path(), help="Output file; by default, standard output."
)
@click.option(
    "--format",
    "sample_format",
    type=click.Choice(SAMPLES),
    default="conllu",
    help="Format of the sample; conllu by default.",
)
def command(output: str, sample_format: str) -> None:
    """Print a sample treebank: 65 sentences in ten languages, in CoNLL-U, half of them non-projective.

    Or, with --format conll09, 16 English sentences with predicates and arguments.

    For example: multiplane sample > sample.conllu
    """
    with writing(output) as stream:
        stream.write(sample_path(sample_format).read_bytes())
