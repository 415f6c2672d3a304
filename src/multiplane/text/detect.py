"""Detects whether a file is plain text, or which CoNLL format it has."""

from __future__ import annotations

import re
from codecs import BOM_UTF8

from multiplane.formats import DIALECTS, Dialect, dialect_of
from multiplane.formats.dialects import COMPRESSIONS, dialect_by_suffix
from multiplane.formats.stream import ByteSource, path_of

_PEEK, _STEP = 1 << 16, 1 << 12
_NUMBER = re.compile(rb"\d+(?:[-.]\d+)?")
TEXT_SUFFIXES = (".txt", ".text")
_FEWEST_COLUMNS = 7
"""The smallest number of columns of a CoNLL format."""


def is_text(stream: ByteSource) -> bool:
    r"""Whether a source is plain text, by its suffix or else its first line that is neither blank nor a comment.

    A line of a CoNLL file starts with a number and has several columns, separated by tabs; what has no such line is
    text, even if all its lines start with #. Nothing is consumed.

    >>> import io
    >>> is_text(ByteSource(io.BytesIO(b"# A heading\n\n3 people went to the big house.\n")))
    True
    >>> is_text(ByteSource(io.BytesIO(b"#hashtag is cool\n")))
    True
    >>> is_text(ByteSource(io.BytesIO(b"# sent_id = 1\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n")))
    False
    """
    if _has_conll_suffix(stream):
        return False
    line, named_text = _first_line(stream), has_text_suffix(path_of(stream.source))
    if named_text:
        return b"\t" not in line or not _is_row(line)
    if not line:  # comments may go on behind what was looked at; a file with so many is hardly text
        return len(stream.peek(_PEEK)) < _PEEK
    return not _is_row(line)


def is_blank(stream: ByteSource) -> bool:
    r"""Whether a source has nothing but whitespace, and no suffix of a CoNLL file. Nothing is consumed.

    >>> import io
    >>> is_blank(ByteSource(io.BytesIO(b" \n"))), is_blank(ByteSource(io.BytesIO(b" \n.")))
    (True, False)
    """
    if _has_conll_suffix(stream):
        return False
    beginning = stream.peek(_PEEK)
    return len(beginning) < _PEEK and not beginning.removeprefix(BOM_UTF8).strip()


def conll_dialect(stream: ByteSource, format: str | None = None) -> Dialect:  # noqa: A002
    r"""Returns the format of a CoNLL file: the given one, or by suffix, or by content. Nothing is consumed.

    CoNLL-2008 and CoNLL-2009 are recognised by their number of columns; ten columns, or none, mean CoNLL-U.

    >>> import io
    >>> conll_dialect(ByteSource(io.BytesIO(b"#SDP 2015\n#22\n1\tGo\tgo\tVB\t+\t+\tgo.01\n"))).name
    'sdp'
    """
    if format is not None or _has_conll_suffix(stream):
        return dialect_of(path_of(stream.source), format)
    return DIALECTS[format_in(stream.peek(_STEP), _first_line(stream))]


def format_in(beginning: bytes, row: bytes) -> str:
    r"""Returns the name of the format of a text with this beginning and first row; CoNLL-U if undecided.

    >>> format_in(b"", b"1\tGo" + 12 * b"\t_")
    'conll09'
    """
    columns = row.count(b"\t") + 1
    if beginning.removeprefix(BOM_UTF8).startswith(b"#SDP"):
        return "sdp"
    return "conll09" if columns >= 14 else "conll08" if columns >= 11 else "conllu"


def _is_row(line: bytes) -> bool:
    """Whether a line has the columns of a word.

    A row with spaces instead of tabs counts as a broken row, which the reader reports; unlike text that starts with a
    number, it has a column without a value.
    """
    columns = line.split(b"\t") if b"\t" in line else line.split()
    broken = b"\t" not in line and b"_" not in columns
    return len(columns) >= _FEWEST_COLUMNS and not broken and _NUMBER.fullmatch(columns[0].strip()) is not None


def _first_line(stream: ByteSource) -> bytes:
    """Returns the first line that is neither blank nor a comment, as far as it is among the first 64 KiB."""
    line, seen = b"", 0
    while seen < _PEEK and not line.endswith(b"\n"):
        beginning = stream.peek(seen + _STEP)
        if len(beginning) == seen:  # the end of the file
            break
        seen = len(beginning)
        lines = beginning.removeprefix(BOM_UTF8).splitlines(keepends=True)
        line = next((line for line in lines if line.strip() and not line.startswith(b"#")), b"")
    return line


def has_text_suffix(path: str | None) -> bool:
    """Whether the suffix of a file says that it is plain text.

    >>> has_text_suffix("Book.TXT.gz"), has_text_suffix("dev.conllu"), has_text_suffix("-")
    (True, False, False)
    """
    name = (path or "").lower()
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression)
    return name.endswith(TEXT_SUFFIXES)


def _has_conll_suffix(stream: ByteSource) -> bool:
    return dialect_by_suffix(path_of(stream.source)) is not None
