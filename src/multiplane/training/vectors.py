"""Pretrained word vectors from files: text as word2vec, GloVe and fastText write it, or word2vec's binary form."""

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
"""What fastText's own files begin with."""


def read_vectors(path: str, words: set[str], most: int) -> tuple[tuple[str, ...], NDArray[np.float32]]:
    """The vectors of at most `most` words, in lower case: those of `words` first, then the first of the file.

    Where forms differ in case only, the first of the file counts, which is mostly the more frequent one. Vectors
    are scaled so that their numbers vary about as much as those that training starts from.
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
        raise InputError(f"{name_of(path)}: no word vectors in it")
    table = np.stack(list(chosen.values()))
    spread = float(table.std(dtype=np.float64))
    if spread == 0:
        raise InputError(f"{name_of(path)}: all numbers are the same, so that they tell nothing of words")
    return tuple(chosen), (table * np.float64(0.3 / spread)).astype(np.float32)


def _vectors(path: str) -> Iterator[Vector]:
    with ByteSource(path) as source:
        head = source.read(_PIECE)
        if head.startswith(_FASTTEXT_MODEL):
            raise InputError(f"{source.name}: a model of fastText; give its file of vectors, which ends in .vec")
        first, _, rest = head.partition(b"\n")
        sizes = first.split()
        if len(sizes) == 2 and all(size.isdigit() for size in sizes):
            count, width = map(int, sizes)
            if not 1 <= width <= 100_000:
                raise InputError(f"{source.name}:1: vectors of {width} numbers cannot be")
            found = _binary(source, rest, width) if _is_binary(rest, width) else _text(source, rest, width, 2)
            yield from _all(found, count, source.name)
            return
        yield from _text(source, head, len(sizes) - 1, 1)


def _all(vectors: Iterator[Vector], count: int, name: str) -> Iterator[Vector]:
    """As many as a file says that it has; it may be cut where one would not see it, as between two lines."""
    found = 0
    for vector in islice(vectors, count):
        found += 1
        yield vector
    if found < count:
        raise InputError(f"{name}: ends after {found:,} of {count:,} vectors; is the file complete?")


def _is_binary(rest: bytes, width: int) -> bool:
    """Whether the first word is followed by something else than numbers as text."""
    line = rest.partition(b"\n")[0].split()
    try:
        return len([float(number) for number in line[-width:]]) < width
    except ValueError:
        return True


def _text(source: ByteSource, head: bytes, width: int, first_line: int) -> Iterator[Vector]:
    if width < 1:
        raise InputError(f"{source.name}:1: no word with a vector; a line is a word and its numbers")
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
    parts = line.rsplit(None, width)  # from the right, since words of some files have spaces in them
    try:
        with np.errstate(over="ignore"):
            vector = np.array([float(part) for part in parts[1:]], np.float32)
        if len(vector) != width or not np.isfinite(vector).all():
            raise ValueError
        return parts[0].decode(), vector
    except UnicodeDecodeError:
        return "\ufffd", vector  # a word that no text has
    except ValueError:
        raise InputError(f"{name}:{number}: not a word and {width} numbers") from None


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
        # One that cannot be used still counts as one of those that the file says it has.
        yield (word, vector) if np.isfinite(vector).all() else ("\ufffd", np.zeros(width, np.float32))
