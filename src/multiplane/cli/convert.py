"""`multiplane convert`: converts between formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click
import numpy as np

from multiplane.cli import options
from multiplane.cli.verb import Verb
from multiplane.errors import InputError
from multiplane.formats import DIALECTS, Corpus, Dialect, convert, dialect_of, iterate, writing
from multiplane.formats.corpus import without_broken_semantics
from multiplane.formats.rewrite import with_semantics, with_trees
from multiplane.formats.stream import refuse_own_output
from multiplane.graphs.codecs import (
    PLANARIZATIONS,
    Codec,
    Planarization,
    codec_of,
    deplanarize_layer,
    planarize_layer,
)
from multiplane.graphs.projectivize import ENCODINGS, Encoding
from multiplane.parser.results import given_predicates
from multiplane.text.detect import has_text_suffix
from multiplane.text.gold import GoldSentence, gold_sentences, gold_text, paragraphs

TEXT = "text"
"""The name of plain text among formats."""


@click.command("convert", cls=Verb)
@click.argument("file", metavar="IN", type=click.Path())
@click.option(
    "-o", "--output", metavar="OUT", default="-", type=click.Path(), help="Output file; by default, standard output."
)
@options.input_format
@click.option(
    "--to", "to", type=click.Choice([*DIALECTS, TEXT]), help="Format of the output; by default, taken from its suffix."
)
@click.option(
    "--projectivize",
    "lift",
    type=click.Choice(ENCODINGS),
    help="Make every tree projective, and record in its labels what was lifted, in this encoding.",
)
@click.option(
    "--deprojectivize",
    "lower",
    type=click.Choice([encoding for encoding in ENCODINGS if encoding != "baseline"]),
    help="Undo --projectivize with this encoding.",
)
@click.option(
    "--planarize",
    type=click.Choice(PLANARIZATIONS),
    help="Make every semantic graph planar: lift arcs to a head of their head, recorded in labels, or only drop arcs.",
)
@click.option("--deplanarize", is_flag=True, help="Undo --planarize head.")
@options.on_error
@options.quiet
def command(
    file: str,
    output: str,
    input_format: str | None,
    to: str | None,
    lift: Encoding | None,
    lower: Encoding | None,
    planarize: Planarization | None,
    deplanarize: bool,
    on_error: str,
    quiet: bool,
) -> None:
    """Convert between formats. The same format in and out gives the same bytes; otherwise, reports what is lost.

    --to text writes the text alone, with a blank line between paragraphs: the input for scores on raw text.

    With --projectivize or --deprojectivize, only the HEAD and DEPREL of words change; with --planarize or
    --deplanarize, only the columns of arguments.
    """
    if lift and lower:
        raise click.UsageError("--projectivize and --deprojectivize undo each other; use one of them")
    if planarize and deplanarize:
        raise click.UsageError("--planarize and --deplanarize undo each other; use one of them")
    refuse_own_output(file, output, in_place=True)
    if to == TEXT or (to is None and has_text_suffix(output)):
        if lift or lower or planarize or deplanarize:
            raise click.UsageError("text has no trees; drop --to text or the options that change them")
        _write_text(file, output, input_format, on_error, quiet)
        return
    target = _target(output, to)
    lost: Counter[str] = Counter()
    lifted = dropped = 0
    with options.progress_over([file], quiet) as follow, writing(output) as stream:
        for corpus in iterate(file, input_format, on_error=on_error, progress=follow(file)):  # type: ignore[arg-type]
            for problem in corpus.problems:
                options.note(f"{problem} (skipped)", quiet)
            if on_error == "skip" and target != corpus.dialect:
                corpus = _without_mistakes(corpus, target, quiet)  # noqa: PLW2901
            if lift:
                corpus = _encoded(corpus, codec_of(lift))  # noqa: PLW2901 - the same words
            if lower:
                corpus = _decoded(corpus, codec_of(lower))  # noqa: PLW2901
            if planarize or deplanarize:
                corpus = _whole(corpus, on_error, quiet)  # noqa: PLW2901 - without sentences that cannot be changed
            if planarize:
                planar = planarize_layer(corpus.lengths, corpus.semantic_arcs, planarize)
                lifted, dropped = lifted + planar.lifted, dropped + len(planar.dropped)
                corpus = with_semantics(corpus, corpus.predicates, planar.arcs)  # noqa: PLW2901
            if deplanarize:
                is_predicate = given_predicates(corpus).astype(np.bool_)
                arcs = deplanarize_layer(corpus.lengths, corpus.semantic_arcs, is_predicate)
                corpus = with_semantics(corpus, corpus.predicates, arcs)  # noqa: PLW2901
            text, lost_here = convert(corpus, target or corpus.dialect)
            lost.update(lost_here)
            stream.write(text)
    if planarize:
        options.note(f"arcs lifted: {lifted:,}, dropped: {dropped:,}", quiet)
    if target is not None and lost:
        kinds = ", ".join(f"{kind} ({count:,})" for kind, count in lost.most_common())
        options.note(f"{target.title} cannot hold: {kinds}", quiet)


def _write_text(file: str, output: str, input_format: str | None, on_error: str, quiet: bool) -> None:
    """Writes the paragraphs of a treebank as text."""
    with options.progress_over([file], quiet) as follow, writing(output) as stream:

        def sentences() -> Iterator[GoldSentence]:
            for corpus in iterate(file, input_format, on_error=on_error, progress=follow(file)):  # type: ignore[arg-type]
                for problem in corpus.problems:
                    options.note(f"{problem} (skipped)", quiet)
                yield from gold_sentences(corpus)

        between = ""
        for paragraph in paragraphs(sentences()):
            stream.write(f"{between}{gold_text(paragraph).text}\n".encode())
            between = "\n"


def _whole(corpus: Corpus, on_error: str, quiet: bool) -> Corpus:
    """Returns a corpus without sentences whose semantic layer has mistakes, or raises the first mistake."""
    problems = corpus.semantic_layer.problems
    if not problems.errors:
        return corpus
    if on_error == "fail":
        raise problems.errors[0]
    for problem in problems.errors:
        options.note(f"{problem} (skipped)", quiet)
    return without_broken_semantics(corpus)


def _without_mistakes(corpus: Corpus, target: Dialect | None, quiet: bool) -> Corpus:
    """Leaves out sentences whose arguments cannot be converted, because their columns are malformed."""
    if corpus.dialect.arguments is None or target is None or target.arguments is None:
        return corpus
    for problem in corpus.semantic_layer.problems.errors:
        options.note(f"{problem} (skipped)", quiet)
    return without_broken_semantics(corpus)


def _encoded(corpus: Corpus, codec: Codec) -> Corpus:
    return with_trees(corpus, *codec.encode(corpus.lengths, corpus.heads, corpus.column("deprel")))


def _decoded(corpus: Corpus, codec: Codec) -> Corpus:
    given = corpus.column("deprel")
    vocabulary = sorted(set(given))
    place = {label: number for number, label in enumerate(vocabulary)}
    decoder = codec.decoder(vocabulary)
    numbers = np.fromiter(map(place.__getitem__, given), np.int32, len(given))
    heads, labels = decoder.decode(corpus.lengths, corpus.heads, numbers)
    return with_trees(corpus, heads, [decoder.names[label] for label in labels.tolist()])


def _target(output: str, to: str | None) -> Dialect | None:
    """Returns the format of the output, or None for that of the input."""
    if output == "-" and to is None:
        return None
    try:
        return dialect_of(output, to)
    except InputError as error:
        raise click.UsageError(str(error)) from None
