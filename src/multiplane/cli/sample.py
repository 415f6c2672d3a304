"""`multiplane sample`: prints the bundled treebank."""

from __future__ import annotations

import click

from multiplane.data import sample_path
from multiplane.formats import writing


@click.command("sample", short_help="Print a small treebank to try things out on.")
@click.option("-o", "--output", metavar="OUT", default="-", type=click.Path(), help="Where to write; - by default.")
def command(output: str) -> None:
    """Print the sample treebank: 65 sentences in ten languages, in CoNLL-U, half of them non-projective.

    For example: multiplane sample > sample.conllu
    """
    with writing(output) as stream:
        stream.write(sample_path().read_bytes())
