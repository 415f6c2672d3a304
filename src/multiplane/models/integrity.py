"""Checks that a stored file is safe to read and undamaged."""

from __future__ import annotations

import hashlib
import os
import stat
from typing import IO

from multiplane.errors import ModelError
from multiplane.formats.stream import reason_of

DIGEST_SIZE = 32
"""The size of a digest in bytes."""
_CHUNK = 1 << 20


def check_file(path: str | os.PathLike[str], most: int) -> None:
    """Raises `ModelError` unless this is a regular file of at most `most` bytes: others may block or never end.

    >>> check_file("/dev/zero", most=1_000)
    Traceback (most recent call last):
    ...
    multiplane.errors.ModelError: /dev/zero: is not a regular file; copy the model again
    """
    name = os.fspath(path)
    try:
        found = os.stat(path)
    except (OSError, ValueError) as error:
        raise ModelError(f"{name}: cannot be read: {reason_of(error)}") from None
    if not stat.S_ISREG(found.st_mode):
        raise ModelError(f"{name}: is not a regular file; copy the model again")
    if found.st_size > most:
        raise ModelError(f"{name}: has {found.st_size:,} bytes, but at most {most:,} are allowed; copy the model again")


def read_text(path: str | os.PathLike[str], most: int) -> str:
    """Returns the text of a file of at most `most` bytes; raises `ModelError` if it cannot be read."""
    check_file(path, most)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError:
        raise ModelError(f"{os.fspath(path)}: not valid UTF-8") from None
    except OSError as error:
        raise ModelError(f"{os.fspath(path)}: cannot be read: {reason_of(error)}") from None


def digest_of(file: IO[bytes], size: int) -> bytes:
    """Returns the BLAKE2b digest of the next `size` bytes.

    >>> import io
    >>> digest_of(io.BytesIO(b"abc"), 2).hex()[:16], digest_of(io.BytesIO(b"ab"), 2).hex()[:16]
    ('f65a5e77ff5e2690', 'f65a5e77ff5e2690')
    """
    digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
    while size > 0 and (chunk := file.read(min(size, _CHUNK))):
        digest.update(chunk)
        size -= len(chunk)
    return digest.digest()


def file_digest(path: str | os.PathLike[str]) -> str:
    """Returns the BLAKE2b digest of a file, in hexadecimal."""
    try:
        with open(path, "rb") as file:
            return digest_of(file, os.fstat(file.fileno()).st_size).hex()
    except OSError as error:
        raise ModelError(f"{os.fspath(path)}: cannot be read: {reason_of(error)}") from None
