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


def read_vectors(path: str, words: set[str], most: int) -> tuple[tuple[str, ...], NDArray[np.float32]]:
    """The vectors of at most so many words, in small letters: those of `words` first, then the first of the file.

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
    return tuple(chosen), (table * (0.3 / max(float(table.std()), 1e-9))).astype(np.float32)


def _vectors(path: str) -> Iterator[Vector]:
    with ByteSource(path) as source:
        head = source.read(_PIECE)
        first, _, rest = head.partition(b"\n")
        sizes = first.split()
        if len(sizes) == 2 and all(size.isdigit() for size in sizes):
            count, width = map(int, sizes)
            if not 1 <= width <= 100_000:
                raise InputError(f"{source.name}:1: vectors of {width} numbers cannot be")
            if _is_binary(rest, width):
                yield from _binary(source, rest, count, width)
                return
            head = rest
            yield from _text(source, head, width, 2)
            return
        yield from _text(source, head, len(sizes) - 1, 1)


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
    parts = line.rstrip(b" \r\t").rsplit(b" ", width)
    try:
        vector = np.array([float(part) for part in parts[1:]], np.float32)
        if len(vector) != width or not np.isfinite(vector).all():
            raise ValueError
        return parts[0].decode(), vector
    except UnicodeDecodeError:
        return "\ufffd", vector  # a word that no text has
    except ValueError:
        raise InputError(f"{name}:{number}: not a word and {width} numbers") from None


def _binary(source: ByteSource, rest: bytes, count: int, width: int) -> Iterator[Vector]:
    buffer = rest
    for number in range(count):
        while (space := buffer.find(b" ")) < 0 or len(buffer) < space + 1 + 4 * width:
            piece = source.read(_PIECE)
            if not piece:
                raise InputError(f"{source.name}: ends after {number:,} of {count:,} vectors; is the file complete?")
            buffer += piece
        word, end = buffer[:space].lstrip(b"\n"), space + 1 + 4 * width
        vector = np.frombuffer(buffer[space + 1 : end], "<f4").astype(np.float32)
        buffer = buffer[end:]
        if np.isfinite(vector).all():
            yield word.decode(errors="replace"), vector
