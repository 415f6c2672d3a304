"""`multiplane parse`: parses a file, or many into a folder."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import click

from multiplane.cli import options
from multiplane.cli.verb import Verb
from multiplane.data import bundled_models
from multiplane.errors import FormatError, LanguageWarning, MissingExtraError, SentenceError, visible
from multiplane.messages import counted
from multiplane.models import Model
from multiplane.models.confidence import MOST_BEST, with_evidence
from multiplane.parser import Parser, load
from multiplane.parser.parquet import COLUMN
from multiplane.parser.shards import Done, Engine, Failed, Options, Shard, expanded, is_pattern, parse_shards
from multiplane.text import TOKENIZERS
from multiplane.text.catalogue import DEFAULT

_INPUTS = {"auto": None, "conll": False, "text": True}
"""Whether an input is plain text; None to find out."""


@click.command("parse", cls=Verb)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path())
@click.option(
    "-m",
    "--model",
    metavar="MODEL",
    required=True,
    type=click.Path(),
    help=f"A folder written by `multiplane train`, or the name of an installed model: {', '.join(bundled_models())}, …",
)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    default="-",
    type=click.Path(),
    help="Output file; by default, standard output. A folder for several files.",
)
@click.option(
    "--threads", type=click.IntRange(min=1, max=1024), default=1, show_default=True, help="Number of threads."
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Parse several files with threads of this process, or with workers of a Ray cluster.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1, max=100_000),
    show_default="one per CPU of the cluster",
    help="Number of Ray workers.",
)
@click.option("--address", metavar="HOST:PORT", help="The Ray cluster, or auto; by default, one on this machine.")
@click.option("--column", metavar="NAME", show_default=COLUMN, help="The column of Parquet files that holds the texts.")
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
    help="A CoNLL file with one word per line, or plain text, which is parsed to CoNLL-U; auto: by suffix and content.",
)
@click.option(
    "--tokenizer",
    metavar="NAME|FOLDER",
    show_default=f"the model's own, or {DEFAULT}",
    help=f"How to split plain text into words: {', '.join(TOKENIZERS)}, or the folder of a tokenizer or pipeline.",
)
@click.option("--lines", is_flag=True, help="The plain text has one sentence per line.")
@click.option("--ranges", is_flag=True, help="Write each token's position in the text to MISC: TokenRange=START:END.")
@click.option(
    "--keep-heads",
    is_flag=True,
    help="Keep every HEAD and DEPREL that is not _, and avoid the heads listed in MISC as NotHead. Trees that change "
    "because of it come from a beam of at least 8.",
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
@click.option("--scores", is_flag=True, help="Write confidence scores: Score in MISC, and a comment per sentence.")
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
    files: tuple[str, ...],
    model: str,
    output: str,
    threads: int,
    engine: str,
    workers: int | None,
    address: str | None,
    column: str | None,
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
    """Parse a file: set the HEAD and DEPREL of every word. Everything else is preserved byte for byte.

    A model trained with --task joint also sets predicates, senses and arguments (CoNLL-2008 and CoNLL-2009).

    A model trained with --tags predicted or --predict also fills in the UPOS, XPOS, FEATS and lemmas that it predicts
    where they are _. Plain text is first split into sentences and words.

    With --scores, MISC gets Score=P, the probability that HEAD and DEPREL are correct, and a comment # score = P,
    the probability that the whole tree is correct.

    Memory use does not depend on the file size, and the output does not depend on the number of threads.

    Several files, or a pattern in quotes such as 'in/*.txt.gz', are parsed into a folder, each into a file of its own;
    texts become .conllu. Parquet files keep their rows and get a column conllu. The folder's manifest.jsonl lists what
    is finished: run the command again to resume, or to redo only what changed. A file that cannot be parsed is retried,
    then reported and left out, and the exit code is 1.
    """
    if kind == "text" and (keep_heads or keep_predicates or input_format is not None):
        raise click.UsageError(
            "plain text has no heads or predicates to keep and no format; "
            "drop --keep-heads, --keep-predicates and --from"
        )
    chosen: dict[str, Any] = {
        "format": input_format,
        "text": _INPUTS[kind],
        "tokenizer": tokenizer,
        "lines": lines,
        "ranges": ranges,
        "beam": beam,
        "keep_heads": keep_heads,
        "keep_predicates": keep_predicates,
        "predict": predict,
        "scores": scores,
        "best": best,
        "on_error": on_error,
    }
    if engine == "ray" or _is_for_folder(files, output):
        if output == "-" or not files:
            raise click.UsageError("name the files to parse, and a folder for their trees: -o FOLDER")
        using = _ray(address, workers) if engine == "ray" else None
        _parse_many(expanded(files), output, model, chosen | {"column": column}, using, threads, quiet)
    elif workers is not None or address is not None or column is not None:
        raise click.UsageError("--workers and --address need --engine ray, and --column a folder: -o FOLDER")
    else:
        _parse_one(files[0] if files else "-", output, model, chosen, threads, quiet)


def _parse_one(file: str, output: str, model: str, chosen: dict[str, Any], threads: int, quiet: bool) -> None:
    parser = load(model)
    if quiet:
        warnings.simplefilter("ignore", LanguageWarning)
    _check_scores(parser.model, chosen)
    chosen["beam"] = _beam(parser.model, model, chosen, quiet)
    began = time.monotonic()

    def report(problem: FormatError | SentenceError) -> None:
        options.note(f"{problem} (skipped)", quiet)

    with options.progress_over([file], quiet) as follow:
        parsed = parser.parse_stream(file, output, **chosen, threads=threads, progress=follow(file), on_problem=report)
    if sys.stderr.isatty() and output != "-":
        seconds = time.monotonic() - began
        size = f"{counted(parsed.sentences, 'sentence')}, {counted(parsed.words, 'word')}"
        options.note(f"{size} in {seconds:.1f} s: {parsed.words / max(seconds, 1e-9):,.0f} words/s", quiet)


def _is_for_folder(files: tuple[str, ...], output: str) -> bool:
    """Whether files are parsed into a folder, not one file into another."""
    several = len(files) > 1 or any(map(is_pattern, files))
    return several or (bool(files) and (os.path.isdir(output) or output.endswith("/")))


def _parse_many(
    files: list[str],
    folder: str,
    model: str,
    chosen: dict[str, Any],
    engine: Callable[[Parser, Options, int], Engine] | None,
    threads: int,
    quiet: bool,
) -> None:
    def prepared(parser: Parser, chosen: Options) -> Options:
        _check_scores(parser.model, chosen)
        return {**chosen, "beam": _beam(parser.model, model, chosen, quiet)}

    with _progress(quiet) as (start, follow):
        report = parse_shards(
            files,
            folder,
            model,
            chosen,
            engine=engine,
            threads=threads,
            prepare=prepared,
            start=start,
            progress=follow,
        )
    for _, why in report.failed:
        options.say(f"{why} (left out)", err=True)
    before = f", {report.finished_before:,} finished before" if report.finished_before else ""
    lost = f", {len(report.failed):,} left out" if report.failed else ""
    size = f" ({counted(report.sentences, 'sentence')}, {counted(report.words, 'word')})" if report.parsed else ""
    options.note(f"{folder}: {counted(report.parsed, 'file')} parsed{size}{before}{lost}", quiet)
    if report.failed:
        click.get_current_context().exit(1)


@contextmanager
def _progress(quiet: bool) -> Iterator[tuple[Callable[[int], None], Callable[[Shard, Done | Failed], None]]]:
    """Yields what to call with the number of files to parse and with each result; shows a bar on a terminal."""

    def skipped(result: Done | Failed) -> None:
        for problem in result.problems if isinstance(result, Done) else ():
            options.note(f"{problem} (skipped)", quiet)

    if quiet or not sys.stderr.isatty():
        yield lambda todo: None, lambda shard, result: skipped(result)
        return
    with options.counting_bar("file") as bar:
        task = bar.add_task("", total=None)

        def follow(shard: Shard, result: Done | Failed) -> None:
            skipped(result)
            bar.update(task, advance=1, description=visible(os.path.basename(shard.source)))

        yield lambda todo: bar.update(task, total=todo), follow


def _ray(address: str | None, workers: int | None) -> Callable[[Parser, Options, int], Engine]:
    try:
        from multiplane.integrations.ray import RayEngine  # noqa: PLC0415 - an extra, and slow to import
    except ModuleNotFoundError:
        raise MissingExtraError("--engine ray needs Ray; install it with: pip install 'multiplane[ray]'") from None
    return partial(RayEngine, address=address, workers=workers)


def _beam(model: Model, name: str, chosen: Options, quiet: bool) -> int | None:
    """Returns the beam width to parse with; notes if it differs from the model's own."""
    beam: int | None = chosen["beam"]
    best: int | None = chosen["best"]
    if best is not None and best > (beam or model.beam):
        options.note(f"{name}: using a beam of {best}, the minimum for the {best} best trees", quiet)
        return best
    if beam is not None and (beam == 1) != (model.beam == 1):
        how, other = ("without", "with") if beam > 1 else ("with", "without")
        options.note(f"{name}: was trained {how} a beam; parsing {other} one is usually less accurate", quiet)
    return beam


def _check_scores(model: Model, chosen: Options) -> None:
    """Raises an error early if scores or k-best trees are requested, but the model does not support them."""
    if not chosen["scores"] and chosen["best"] is None:
        return
    with_evidence(model)
    if chosen["keep_predicates"]:
        option = "--scores" if chosen["scores"] else "--best"
        raise click.UsageError(f"{option} applies only to trees; drop --keep-predicates")
