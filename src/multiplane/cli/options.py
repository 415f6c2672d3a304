"""Shared by the verbs: options, tables, progress, finding a sentence."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from multiplane.cli import tables
from multiplane.errors import FormatError, InputError, visible
from multiplane.formats import DIALECTS, Corpus, Sentence, iterate
from multiplane.graphs import LAYERS

if TYPE_CHECKING:
    from rich.progress import Progress

files = click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
output_format = click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "tsv", "json"]),
    default="text",
    help="Output format.",
)
input_format = click.option(
    "--from",
    "input_format",
    type=click.Choice(list(DIALECTS)),
    help="Format of the input; by default, taken from its suffix.",
)
layer = click.option(
    "--layer",
    type=click.Choice(LAYERS),
    default="syntax",
    help="Trees, by default; or graphs: predicates with their arguments, or enhanced dependencies.",
)
on_error = click.option(
    "--on-error",
    type=click.Choice(["fail", "skip"]),
    default="fail",
    help="What to do with a broken sentence: stop, or skip it.",
)
quiet = click.option("-q", "--quiet", is_flag=True, help="Suppress the progress bar and notes.")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], form: str) -> None:
    """Prints rows as TSV or JSON."""
    if form == "json":
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        for row in [columns, *rows]:
            click.echo("\t".join(tsv_field(value) for value in row))


def print_json(value: object) -> None:
    """Prints a value as JSON."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def tsv_field(value: object) -> str:
    """Formats a value for TSV: floats with two decimals, no tabs or line breaks."""
    text = f"{value:.2f}" if isinstance(value, float) else str(value)
    return text.replace("\t", " ").replace("\r", " ").replace("\n", " ")


def print_text(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, labels: int = 1, text: Sequence[str] = ()
) -> None:
    """Prints a table as text, fitted to the terminal; for the parameters see `multiplane.cli.tables.text_table`."""
    click.echo(tables.text_table(columns, rows, labels=labels, text=text, width=tables.terminal_width()))


def has_colour() -> bool:
    """Whether standard output is a terminal that shows colours, and nobody objects (https://no-color.org).

    >>> has_colour()  # in a test, it is not a terminal
    False
    """
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def say(line: str, *, err: bool = False) -> None:
    """Prints one line; text from an untrusted file cannot control the terminal."""
    click.echo(visible(line), err=err)


def note(message: str, quiet: bool) -> None:
    """Prints a message to standard error unless `quiet`."""
    if not quiet:
        say(message, err=True)


def each_once(files: Sequence[str], quiet: bool) -> list[str]:
    """Returns the files, each once, and says which of them were given several times.

    >>> each_once(["a", "b"], quiet=False)
    ['a', 'b']
    """
    for file, times in Counter(files).items():
        if times > 1:
            note(f"{file}: is given {'twice' if times == 2 else f'{times} times'}, but counted once", quiet)
    return list(dict.fromkeys(files))


@contextmanager
def progress_over(paths: Sequence[str], quiet: bool) -> Iterator[Callable[[str], Callable[[int], None] | None]]:
    """Yields a function that returns, for each file, a callback for the position read so far.

    It updates a progress bar with rate and time left, only on a terminal and for large input.
    """
    sizes = {path: os.path.getsize(path) for path in paths if os.path.isfile(path)}
    if quiet or not sys.stderr.isatty() or sum(sizes.values()) < 4_000_000:
        yield lambda path: None
        return
    from rich.console import Console  # noqa: PLC0415 - slow to import, only for terminals
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    done = 0
    with bar:
        task = bar.add_task("", total=sum(sizes.values()))

        def follow(path: str) -> Callable[[int], None]:
            nonlocal done
            before, done = done, done + sizes.get(path, 0)
            name = visible(os.path.basename(path))
            return lambda position: bar.update(task, description=name, completed=before + position)

        yield follow


def counting_bar(noun: str) -> Progress:
    """Returns a progress bar that counts sentences or other things, with rate and time left."""
    from rich.console import Console  # noqa: PLC0415 - slow to import, only for terminals
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text  # noqa: PLC0415

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} {noun}s/s" if task.speed else "")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def find_sentence(file: str, wanted: str, input_format: str | None) -> Sentence:
    """Returns the sentence with this sent_id, or else with this number; ignores other broken sentences."""
    return find_sentences(iterate(file, input_format, on_error="skip"), [wanted])[0]


def find_sentences(corpora: Iterable[Corpus], wanted: Sequence[str]) -> list[Sentence]:
    """Returns the sentences with these sent_ids, or else with these numbers, from a file read with ``on_error="skip"``.

    >>> from multiplane import sample
    >>> [sentence.sent_id for sentence in find_sentences([sample()], ["nl-001", "2"])]
    ['nl-001', 'en-002']
    """
    by_id: dict[str, Sentence | FormatError] = {}
    by_number: dict[str, Sentence | FormatError] = {}
    missing = set(wanted)
    for corpus in corpora:
        for number, found in _numbered(corpus):
            if found.sent_id in missing:
                by_id[found.sent_id] = found
                missing.remove(found.sent_id)
            if str(number) in missing:
                by_number.setdefault(str(number), found)
            if not missing:
                break
        if not missing:
            break
    for name in wanted:
        if name not in by_id and name not in by_number:
            if corpus.sentences_read == 0:
                raise InputError(f"{corpus.name}: the file has no sentences")
            many = corpus.sentences_read
            raise InputError(f"{corpus.name}: no sentence '{name}'; give a sent_id, or a number from 1 to {many}")
    return [_whole(by_id[name] if name in by_id else by_number[name]) for name in wanted]


def _numbered(corpus: Corpus) -> Iterator[tuple[int, Sentence | FormatError]]:
    """Yields the sentences, or the errors in broken ones, with their numbers in the file."""
    yield from ((sentence.number_in_file, sentence) for sentence in corpus)
    yield from zip(corpus.problem_numbers, corpus.problems, strict=True)


def _whole(found: Sentence | FormatError) -> Sentence:
    if isinstance(found, FormatError):
        raise found
    return found
