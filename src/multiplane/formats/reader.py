"""Reads treebanks, whole or in blocks with constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from multiplane.formats.corpus import Corpus, OnError, indexed
from multiplane.formats.dialects import DIALECTS, Dialect, dialect_of
from multiplane.formats.stream import ByteSource, Source, path_of

BLOCK = 1 << 22


def read(source: Source, format: str | Dialect | None = None, *, on_error: OnError = "fail") -> Corpus:  # noqa: A002
    r"""Reads a treebank; the format is the given one, or determined by suffix.

    With ``on_error="skip"``, skips broken sentences and collects their errors in `Corpus.problems`.

    >>> import io
    >>> corpus = read(io.BytesIO(b"1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"), "conllu")
    >>> corpus[0].forms
    ['Go']
    """
    with ByteSource(source) as stream:
        dialect = dialect_of(path_of(source), format)
        return indexed(stream.read(), dialect, stream.name, on_error)


def read_conllu(source: Source, *, on_error: OnError = "fail") -> Corpus:
    """Reads a CoNLL-U file, whatever its name."""
    return read(source, "conllu", on_error=on_error)


def read_conllx(source: Source, *, on_error: OnError = "fail") -> Corpus:
    """Reads a CoNLL-X file, whatever its name."""
    return read(source, "conllx", on_error=on_error)


def iterate(
    source: Source,
    format: str | Dialect | None = None,  # noqa: A002
    *,
    on_error: OnError = "fail",
    block: int = BLOCK,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Corpus]:
    r"""Reads a treebank as a sequence of corpora of about `block` bytes each, split between sentences.

    Memory use does not depend on file size. `progress` is called with the number of bytes read from disk so far.

    >>> import io
    >>> text = b"1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n" * 100
    >>> sum(len(corpus) for corpus in iterate(io.BytesIO(text), "conllu", block=256))
    100
    """
    dialect = None
    sentences = 0
    for piece in blocks(source, block, progress):
        dialect = dialect or dialect_of(path_of(source), format)
        corpus = corpus_of(piece._replace(sentences_before=sentences), dialect, on_error)
        sentences = corpus.sentences_read
        yield corpus


class Block(NamedTuple):
    """The text of some whole sentences of a file, and their position in it."""

    text: bytes
    name: str
    """The name of the file."""
    lines_before: int
    sentences_before: int = 0
    """Used only in messages; 0 if unknown."""


def blocks(source: Source, size: int, progress: Callable[[int], None] | None = None) -> Iterator[Block]:
    r"""Splits a file between sentences into blocks of about `size` bytes; yields at least one, even for an empty file.

    >>> import io
    >>> text = b"1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n" * 100
    >>> [(len(block.text), block.lines_before) for block in blocks(io.BytesIO(text), 1024)]
    [(1000, 0), (1025, 80), (475, 162)]
    """
    if size < 1:
        raise ValueError(f"block must be a positive number of bytes, not {size}")
    with ByteSource(source) as stream:
        lines = 0
        buffer = bytearray()
        while data := stream.read(size):
            if progress is not None:
                progress(stream.position())
            unsearched = max(0, len(buffer) - 2)  # a blank line may span two reads
            buffer += data
            if cut := _end_of_sentence(buffer, unsearched):
                block = Block(bytes(buffer[:cut]), stream.name, lines)
                del buffer[:cut]
                lines += block.text.count(b"\n")
                yield block
        if buffer or lines == 0:
            yield Block(bytes(buffer), stream.name, lines)


def corpus_of(block: Block, dialect: Dialect, on_error: OnError) -> Corpus:
    r"""Reads a block.

    >>> len(corpus_of(Block(b"1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n", "<text>", 0), DIALECTS["conllu"], "fail"))
    1
    """
    return indexed(block.text, dialect, block.name, on_error, block.lines_before, block.sentences_before)


def _end_of_sentence(data: bytearray, start: int) -> int:
    """Returns the end of the last complete sentence after `start`, or 0."""
    unix, dos = data.rfind(b"\n\n", start), data.rfind(b"\n\r\n", start)
    return max(unix + 2 if unix >= 0 else 0, dos + 3 if dos >= 0 else 0)


def from_text(text: bytes | str, format: str = "conllu", name: str = "<text>") -> Corpus:  # noqa: A002
    r"""Reads a treebank from a string.

    >>> len(from_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_"))
    1
    """
    return indexed(text.encode() if isinstance(text, str) else text, DIALECTS[format], name, "fail")
