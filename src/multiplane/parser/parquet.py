"""Parses Parquet files with a column of texts: adds a column of CoNLL-U."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from multiplane.errors import InputError, MissingExtraError
from multiplane.formats import writing
from multiplane.formats.stream import reason_of
from multiplane.parser.parser import Parser
from multiplane.parser.stream import Parsed

SUFFIX = ".parquet"
COLUMN = "text"
OUTPUT = "conllu"
_ROWS = 4096
TEXT_OPTIONS = ("beam", "predict", "scores", "tokenizer", "ranges")
_FOR_FILES = ("format", "lines", "keep_heads", "keep_predicates", "best")
"""Options of `Parser.parse_stream` that apply to texts in memory, and those that do not."""


def parsed_texts(
    parser: Parser, texts: Sequence[str | None], options: Mapping[str, Any], threads: int = 1
) -> tuple[list[str | None], Parsed]:
    r"""Returns the CoNLL-U of each text, None for None, and the number of sentences and words.

    >>> from multiplane import load
    >>> found, size = parsed_texts(load("en"), ["Go home!", None], {})
    >>> found[0].splitlines()[2][:6], found[1], size
    ('1\tGo\tg', None, Parsed(sentences=1, words=3))
    """
    corpora = parser.parse((text or "" for text in texts), threads=threads, **options)
    found: list[str | None] = []
    sentences = words = 0
    for text, corpus in zip(texts, corpora, strict=True):
        found.append(None if text is None else corpus.to_bytes().decode())
        sentences += len(corpus)
        words += corpus.words
    return found, Parsed(sentences, words)


def parse_parquet(
    parser: Parser,
    source: str,
    target: str,
    options: Mapping[str, Any],
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Parsed:
    """Parses the texts of a Parquet file into another one, in blocks of rows."""
    column = options.get("column") or COLUMN
    for name in _FOR_FILES:
        if options.get(name):
            raise InputError(
                f"{source}: is a Parquet file, whose texts have no {name.replace('_', ' ')}; drop this option"
            )
    chosen = {name: value for name, value in options.items() if name in TEXT_OPTIONS}
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ModuleNotFoundError:
        raise MissingExtraError(
            f"{source}: Parquet files need pyarrow; install it with: pip install 'multiplane[ray]'"
        ) from None
    sentences = words = rows = 0
    with _reading(source, pa), pq.ParquetFile(source) as file:
        schema = file.schema_arrow
        _check_columns(source, schema.names, column)
        with writing(target) as stream, pq.ParquetWriter(stream, schema.append(pa.field(OUTPUT, pa.string()))) as out:
            for batch in file.iter_batches(_ROWS):
                texts = batch.column(column).to_pylist()
                if any(not isinstance(text, str | None) for text in texts):
                    raise InputError(f"{source}: the column '{column}' is not text; name another with --column")
                found, size = parsed_texts(parser, texts, chosen, threads)
                out.write_batch(batch.append_column(OUTPUT, pa.array(found, pa.string())))
                sentences, words, rows = sentences + size.sentences, words + size.words, rows + len(texts)
                if progress is not None:
                    progress(rows)
    return Parsed(sentences, words)


def _check_columns(source: str, names: Sequence[str], column: str) -> None:
    if column not in names:
        raise InputError(
            f"{source}: has no column '{column}'; name the one that holds texts with --column: {', '.join(names)}"
        )
    if OUTPUT in names:
        raise InputError(f"{source}: already has a column '{OUTPUT}', which the output needs; rename it")


@contextmanager
def _reading(source: str, pa: Any) -> Iterator[None]:
    """Turns errors of a broken file into an `InputError`."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{source}: cannot be read: {reason_of(error)}; is the file complete?") from None
