"""`multiplane parse`: parses a file."""

from __future__ import annotations

import sys
import time
import warnings

import click

from multiplane.cli import options
from multiplane.cli.verb import Verb
from multiplane.data import bundled_models
from multiplane.errors import FormatError, LanguageWarning
from multiplane.messages import counted
from multiplane.models import Model
from multiplane.models.confidence import MOST_BEST, with_evidence
from multiplane.parser import load
from multiplane.text import TOKENIZERS
from multiplane.text.catalogue import DEFAULT

_INPUTS = {"auto": None, "conll": False, "text": True}
"""Whether an input is plain text; None to find out."""


@click.command("parse", cls=Verb)
@click.argument("file", metavar="[FILE]", default="-", type=click.Path())
@click.option(
    "-m",
    "--model",
    metavar="MODEL",
    required=True,
    type=click.Path(),
    help=f"A folder that `multiplane train` wrote, or the name of an installed model: {', '.join(bundled_models())}, …",
)
@click.option("-o", "--output", metavar="OUT", default="-", type=click.Path(), help="Where to write; - by default.")
@click.option(
    "--threads", type=click.IntRange(min=1, max=1024), default=1, show_default=True, help="Number of threads."
)
@click.option(
    "--beam",
    type=click.IntRange(min=1, max=10_000),
    help="Beam width, 1 for greedy; by default, the model's own.",
)
@click.option(
    "--input",
    "kind",
    type=click.Choice(["auto", "conll", "text"]),
    default="auto",
    show_default=True,
    help="A CoNLL file with one word per line, or plain text, which gives CoNLL-U; auto: by suffix and content.",
)
@click.option(
    "--tokenizer",
    metavar="NAME|FOLDER",
    show_default=f"the model's own, else {DEFAULT}",
    help=f"How to split plain text into words: {', '.join(TOKENIZERS)}, or a tokenizer's folder.",
)
@click.option("--lines", is_flag=True, help="The plain text has one sentence per line.")
@click.option("--ranges", is_flag=True, help="Say in MISC where each token is in the plain text: TokenRange=START:END.")
@click.option(
    "--keep-heads",
    is_flag=True,
    help="Keep every HEAD and DEPREL that is not _, and avoid the heads that NotHead in MISC lists.",
)
@click.option(
    "--keep-predicates", is_flag=True, help="Keep the predicates of the input; predict their senses and arguments."
)
@click.option(
    "--predict",
    metavar="COLUMNS",
    help="Tags and lemmas to write, such as upos,lemma, or none; by default, all that the model predicts where they "
    "are _. Columns that are listed are overwritten, others kept.",
)
@click.option("--scores", is_flag=True, help="Write how sure the parser is: Score in MISC, and a comment per sentence.")
@click.option(
    "--best",
    metavar="K",
    type=click.IntRange(min=1, max=MOST_BEST),
    help="Write the K best trees of every sentence, each as a sentence; needs a beam of K or more.",
)
@options.input_format
@options.on_error
@options.quiet
def command(
    file: str,
    model: str,
    output: str,
    threads: int,
    beam: int | None,
    kind: str,
    tokenizer: str | None,
    lines: bool,
    ranges: bool,
    keep_heads: bool,
    keep_predicates: bool,
    predict: str | None,
    scores: bool,
    best: int | None,
    input_format: str | None,
    on_error: str,
    quiet: bool,
) -> None:
    """Parse a file: set the HEAD and DEPREL of every word. Everything else stays the same, byte for byte.

    A model trained with --task joint also sets predicates, senses and arguments (CoNLL-2008 and CoNLL-2009).

    A model trained with --tags predicted or --predict also fills in the UPOS, XPOS, FEATS and lemmas that it predicts
    where they are _. Plain text is first split into sentences and words.

    With --scores, MISC gets Score=P, the probability that HEAD and DEPREL are right, and a comment # score = P the
    probability that the whole tree is right.

    Memory use does not depend on the file size, and the output does not depend on the number of threads.
    """
    if kind == "text" and (keep_heads or keep_predicates or input_format is not None):
        raise click.UsageError(
            "plain text has no heads or predicates to keep and no format; "
            "drop --keep-heads, --keep-predicates and --from"
        )
    parser = load(model)
    if quiet:
        warnings.simplefilter("ignore", LanguageWarning)
    if scores or best is not None:
        _check_scores(parser.model, scores, keep_predicates)
    if best is not None and best > (beam or parser.model.beam):
        beam = best
        options.note(f"{model}: parsing with a beam of {best}, as wide as the {best} best trees need", quiet)
    elif beam is not None and (beam == 1) != (parser.model.beam == 1):
        how = "without a beam" if beam > 1 else "with a beam"
        options.note(f"{model}: was trained to parse {how}; parsing differently is usually worse", quiet)
    began = time.monotonic()

    def report(problem: FormatError) -> None:
        options.note(f"{problem} (skipped)", quiet)

    with options.progress_over([file], quiet) as follow:
        parsed = parser.parse_stream(
            file,
            output,
            format=input_format,
            text=_INPUTS[kind],
            tokenizer=tokenizer,
            lines=lines,
            ranges=ranges,
            threads=threads,
            beam=beam,
            keep_heads=keep_heads,
            keep_predicates=keep_predicates,
            predict=predict,
            scores=scores,
            best=best,
            on_error=on_error,  # type: ignore[arg-type]
            progress=follow(file),
            on_problem=report,
        )
    if sys.stderr.isatty() and output != "-":
        seconds = time.monotonic() - began
        size = f"{counted(parsed.sentences, 'sentence')}, {counted(parsed.words, 'word')}"
        options.note(f"{size} in {seconds:.1f} s: {parsed.words / max(seconds, 1e-9):,.0f} words/s", quiet)


def _check_scores(model: Model, scores: bool, keep_predicates: bool) -> None:
    """Raises an error at once if a model has no scores or no second-best trees."""
    with_evidence(model)
    if keep_predicates:
        raise click.UsageError(f"{'--scores' if scores else '--best'} is for trees alone; drop --keep-predicates")
