"""Tells plain text from CoNLL files."""

from __future__ import annotations

import re
from codecs import BOM_UTF8

from multiplane.errors import InputError
from multiplane.formats import dialect_of
from multiplane.formats.dialects import COMPRESSIONS
from multiplane.formats.stream import ByteSource, path_of

_PEEK, _STEP = 1 << 16, 1 << 12
_NUMBER = re.compile(rb"\d+(?:[-.]\d+)?")
TEXT_SUFFIXES = (".txt", ".text")
_FEWEST_COLUMNS = 7
"""The smallest number of columns of a CoNLL format."""


def is_text(stream: ByteSource) -> bool:
    r"""Whether a source is plain text: by its suffix, else by its first line that is neither blank nor a comment.

    A line of a CoNLL file starts with a number and has several columns. Nothing is consumed.

    >>> import io
    >>> is_text(ByteSource(io.BytesIO(b"# A heading\n\nIt rains.\n")))
    True
    >>> is_text(ByteSource(io.BytesIO(b"# sent_id = 1\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n")))
    False
    """
    if _has_conll_suffix(stream):
        return False
    line, named_text = _first_line(stream), _has_text_suffix(stream)
    # Columns separated by spaces instead of tabs are a broken CoNLL file, which the reader reports; but in a .txt file,
    # a number and six words are the start of a text.
    columns = line.split(b"\t") if b"\t" in line or named_text else line.split()
    has_columns = len(columns) >= _FEWEST_COLUMNS and _NUMBER.fullmatch(columns[0].strip()) is not None
    return (bool(line) or named_text) and not has_columns


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


def _has_text_suffix(stream: ByteSource) -> bool:
    name = (path_of(stream.source) or "").lower()
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression)
    return name.endswith(TEXT_SUFFIXES)


def _has_conll_suffix(stream: ByteSource) -> bool:
    path = path_of(stream.source)
    if path in (None, "-"):
        return False
    try:
        dialect_of(path)
    except InputError:
        return False
    return True
