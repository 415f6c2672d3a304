"""Reads text in pieces, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from multiplane.errors import InputError
from multiplane.formats.reader import Block
from multiplane.formats.stream import ByteSource, Source
from multiplane.text.catalogue import tokenizer_of
from multiplane.text.conllu import rendered
from multiplane.text.tokenizer import Tokenizer

BLOCK = 1 << 16
LONGEST = 1 << 20
"""A longer paragraph, in bytes, is split after a sentence if possible, else after a line, a word or a character."""

_BLANK_LINE = (b"\n\n", b"\n\r\n")
_LINE = (b"\n",)
_IN_PARAGRAPH = ((b". ", b"! ", b"? ", b".\n", b"!\n", b"?\n"), _LINE, (b" ", b"\t"))


def text_blocks(
    source: Source,
    tokenizer: Tokenizer | str | None = None,
    size: int = BLOCK,
    progress: Callable[[int], None] | None = None,
    *,
    lines: bool = False,
    ranges: bool = False,
) -> Iterator[Block]:
    r"""Yields the sentences of a text file as blocks of CoNLL-U, each from about `size` bytes; at least one block.

    Sentence numbers continue across blocks. `progress` is called with the number of bytes read from disk so far. See
    `corpus_of_text` for what ends a sentence, and for `ranges`.

    >>> import io
    >>> [block.text[:13] for block in text_blocks(io.BytesIO(b"One.\n\nTwo.\n\nThree."), size=7)]
    [b'# sent_id = 1', b'# sent_id = 2', b'# sent_id = 3']
    """
    if size < 1:
        raise ValueError(f"size must be a positive number of bytes, not {size}")
    chosen = tokenizer_of(tokenizer)
    lines_before = sentences_before = characters = 0
    with ByteSource(source) as stream:
        for text in _pieces(stream, size, progress, _LINE if lines else _BLANK_LINE):
            conllu, sentences = rendered(
                text, chosen, lines=lines, ranges=ranges, sentences=sentences_before, characters=characters
            )
            characters += len(text)
            if sentences:
                yield Block(conllu, stream.name, lines_before, sentences_before)
                lines_before += conllu.count(b"\n")
                sentences_before += sentences
        if not sentences_before:
            yield Block(b"", stream.name, 0)


def _pieces(
    stream: ByteSource, size: int, progress: Callable[[int], None] | None, ends: tuple[bytes, ...]
) -> Iterator[str]:
    """Yields the text, split after one of the `ends` where possible."""
    buffer = bytearray()
    line = 1
    while data := stream.read(size):
        if progress is not None:
            progress(stream.position())
        buffer += data
        if cut := _cut(buffer, ends):
            piece = bytes(buffer[:cut])
            del buffer[:cut]
            yield _decoded(piece, stream.name, line)
            line += piece.count(b"\n")
    yield _decoded(bytes(buffer), stream.name, line)


def _cut(buffer: bytearray, ends: tuple[bytes, ...]) -> int:
    """Returns where to split, or 0 to read on."""
    if cut := _behind_last(buffer, ends):
        return cut
    if len(buffer) <= LONGEST:
        return 0
    cuts = (_behind_last(buffer, marks) for marks in _IN_PARAGRAPH)
    return next(filter(None, cuts), _last_character(buffer))


def _behind_last(buffer: bytearray, marks: tuple[bytes, ...]) -> int:
    return max((place + len(mark) for mark in marks if (place := buffer.rfind(mark)) >= 0), default=0)


def _last_character(buffer: bytearray) -> int:
    """Returns the start of the last character, which may be incomplete."""
    begins = (len(buffer) - back for back in range(1, 5) if buffer[-back] & 0xC0 != 0x80)
    return next(begins, len(buffer))


def _decoded(piece: bytes, name: str, first_line: int) -> str:
    try:
        return piece.decode()
    except UnicodeDecodeError as error:
        line = first_line + piece.count(b"\n", 0, error.start)
        what = f"invalid UTF-8 (byte 0x{piece[error.start]:02X}); save the file as UTF-8"
        raise InputError(f"{name}:{line}: {what}") from None
