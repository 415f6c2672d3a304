"""Reads pretrained word vectors: the text formats of word2vec, GloVe and fastText, or word2vec's binary format."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import InputError
from multiplane.formats.stream import ByteSource, name_of

Vector = tuple[str, NDArray[np.float32]]
_PIECE = 1 << 20
_FASTTEXT_MODEL = (793712314).to_bytes(4, "little")
"""The magic number of fastText model files."""


def read_vectors(path: str, words: set[str], most: int) -> tuple[tuple[str, ...], NDArray[np.float32]]:
    """Reads the vectors of at most `most` lower-cased words: those in `words` first, then the first in the file.

    If forms differ only in case, the first in the file counts, which is usually the most frequent one. Vectors are
    scaled to the variance of randomly initialized embeddings.
    """
    wanted: dict[str, NDArray[np.float32]] = {}
    others: dict[str, NDArray[np.float32]] = {}
    for word, vector in _vectors(path):
        small = _native.lowered(word)
        kept = wanted if small in words else others
        if small not in kept and (kept is wanted or len(others) < most):
            kept[small] = vector
    chosen = dict(islice((wanted | others).items(), most))
    if not chosen:
        raise InputError(f"{name_of(path)}: contains no word vectors")
    table = np.stack(list(chosen.values()))
    spread = float(table.std(dtype=np.float64))
    if spread == 0:
        raise InputError(f"{name_of(path)}: all numbers are the same; use another file")
    return tuple(chosen), (table * np.float64(0.3 / spread)).astype(np.float32)


def check_vectors(path: str) -> None:
    """Raises `InputError` if a file does not begin with a word vector; the rest is not read.

    >>> check_vectors("no-such-file.txt")
    Traceback (most recent call last):
    ...
    multiplane.errors.InputError: no-such-file.txt: cannot be read: no such file or directory
    """
    next(_vectors(path), None)


def _vectors(path: str) -> Iterator[Vector]:
    with ByteSource(path) as source:
        head = source.read(_PIECE)
        if head.startswith(_FASTTEXT_MODEL):
            raise InputError(f"{source.name}: is a fastText model; use its vector file, which ends in .vec")
        first, _, rest = head.partition(b"\n")
        sizes = first.split()
        if len(sizes) == 2 and all(size.isdigit() for size in sizes):
            count, width = map(int, sizes)
            if not 1 <= width <= 100_000:
                raise InputError(f"{source.name}:1: invalid vector size {width}")
            found = _binary(source, rest, width) if _is_binary(rest, width) else _text(source, rest, width, 2)
            yield from _all(found, count, source.name)
            return
        yield from _text(source, head, len(sizes) - 1, 1)


def _all(vectors: Iterator[Vector], count: int, name: str) -> Iterator[Vector]:
    """Yields the declared number of vectors; detects a file that was cut off between two lines."""
    found = 0
    for vector in islice(vectors, count):
        found += 1
        yield vector
    if found < count:
        raise InputError(f"{name}: ends after {found:,} of {count:,} vectors; is the file complete?")


def _is_binary(rest: bytes, width: int) -> bool:
    """Whether the first word is not followed by numbers as text."""
    line = rest.partition(b"\n")[0].split()
    try:
        return len([float(number) for number in line[-width:]]) < width
    except ValueError:
        return True


def _text(source: ByteSource, head: bytes, width: int, first_line: int) -> Iterator[Vector]:
    if width < 1:
        raise InputError(f"{source.name}:1: no vector; each line needs a word and its numbers")
    left, number = head, first_line
    while True:
        piece = source.read(_PIECE)
        *lines, left = (left + piece).split(b"\n") if piece else [*left.split(b"\n"), b""]
        for line in lines:
            if line.strip():
                yield _parsed(line, width, source.name, number)
            number += 1
        if not piece:
            return


def _parsed(line: bytes, width: int, name: str, number: int) -> Vector:
    parts = line.rsplit(None, width)  # from the right, because words may contain spaces in some files
    try:
        with np.errstate(over="ignore"):
            vector = np.array([float(part) for part in parts[1:]], np.float32)
        if len(vector) != width or not np.isfinite(vector).all():
            raise ValueError
        return parts[0].decode(), vector
    except UnicodeDecodeError:
        return "\ufffd", vector  # a word that does not occur in texts
    except ValueError:
        raise InputError(f"{name}:{number}: expected a word and {width} numbers") from None


def _binary(source: ByteSource, rest: bytes, width: int) -> Iterator[Vector]:
    buffer, place = rest, 0
    while True:
        while (space := buffer.find(b" ", place)) < 0 or len(buffer) < space + 1 + 4 * width:
            piece = source.read(_PIECE)
            if not piece:
                return
            buffer, place = buffer[place:] + piece, 0
        vector = np.frombuffer(buffer, "<f4", width, space + 1).astype(np.float32)
        word = buffer[place:space].lstrip(b"\n").decode(errors="replace")
        place = space + 1 + 4 * width
        # An unusable vector still counts towards the declared number.
        yield (word, vector) if np.isfinite(vector).all() else ("\ufffd", np.zeros(width, np.float32))
