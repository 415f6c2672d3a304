"""Opens inputs and outputs: a path, `-` for standard input and output, or an open stream.

Compressed inputs are recognised by suffix or content, compressed outputs by suffix.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
import secrets
import stat
import sys
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, cast

from multiplane.errors import InputError
from multiplane.formats.dialects import (
    COMPRESSIONS,
    OTHER_COMPRESSIONS,
    Dialect,
    dialect_by_suffix,
    refuse_other_compression,
)

Source = str | os.PathLike[str] | IO[Any]
Target = str | os.PathLike[str] | IO[Any]

# A truncated gzip member raises EOFError, and a corrupt one may raise zlib.error.
_READ_ERRORS = (OSError, EOFError, lzma.LZMAError, zlib.error)


def name_of(source: Source) -> str:
    """Returns the name of a source for messages.

    >>> name_of("-"), name_of("a/b.conllu")
    ('<stdin>', 'a/b.conllu')
    """
    if isinstance(source, str | os.PathLike):
        return "<stdin>" if os.fspath(source) == "-" else os.fspath(source)
    return str(getattr(source, "name", "<stream>"))


def path_of(source: Source) -> str | None:
    """Returns the path of a source, or None."""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) and not name.startswith("<") else None


def reason_of(error: BaseException) -> str:
    """Returns the system's error message without its error number.

    >>> reason_of(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error).rstrip(".").lower() or type(error).__name__


_MAGIC: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\x00": lzma.open}
"""How compressed files begin, and what opens them."""
_NOT_SUPPORTED = {b"BZh%d1AY&SY" % level: ".bz2" for level in range(1, 10)}
_NOT_SUPPORTED |= {b"\x28\xb5\x2f\xfd": ".zst", b"PK\x03\x04": ".zip"}
"""How files begin that other programs unpack, and how they usually end."""
_BYTE_ORDER_MARKS = {BOM_UTF32_LE: "UTF-32", BOM_UTF32_BE: "UTF-32", BOM_UTF16_LE: "UTF-16", BOM_UTF16_BE: "UTF-16"}
"""How texts in other encodings begin; the longer ones first, as one begins with another."""


def _check_beginning(name: str, first: bytes) -> None:
    r"""Raises `InputError` for a known kind of file that cannot be read; none of them is UTF-8.

    >>> _check_beginning("a.txt", "Go".encode("utf-16"))
    Traceback (most recent call last):
    ...
    multiplane.errors.InputError: a.txt: is encoded in UTF-16; save it as UTF-8, or convert it: iconv -f UTF-16 -t UTF-8
    """
    for magic, suffix in _NOT_SUPPORTED.items():
        if first.startswith(magic):
            raise InputError(
                f"{name}: is compressed with {OTHER_COMPRESSIONS[suffix]}, which is not supported; unpack it, or use "
                "gzip or xz"
            )
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if first.startswith(mark):
            raise InputError(
                f"{name}: is encoded in {encoding}; save it as UTF-8, or convert it: iconv -f {encoding} -t UTF-8"
            )


def _unpacking(raw: IO[Any], opener: Callable[..., Any]) -> IO[Any]:
    return cast("IO[Any]", opener(raw, "rb"))


class _Rejoined:
    """A stream whose first bytes have been read already."""

    def __init__(self, first: bytes, rest: IO[Any]) -> None:
        self._first, self._rest = first, rest

    def read(self, size: int = -1) -> bytes:
        first = self._first if size < 0 else self._first[:size]
        self._first = self._first[len(first) :]
        if len(first) == size:
            return first
        rest: bytes = self._rest.read(size if size < 0 else size - len(first))
        return first + rest if first else rest


class ByteSource:
    """Reads bytes from a source; every failure becomes an `InputError` with its name."""

    def __init__(self, source: Source) -> None:
        self.source, self.name = source, name_of(source)
        self._ahead = b""
        self._raw: IO[Any]  # the file on disk, possibly compressed; its position is the progress
        self._compressed = False
        self._unseen = False
        """Whether the first bytes are yet to tell if it is compressed."""
        self._named_compressed = False
        self._close = False
        if not isinstance(source, str | os.PathLike):
            self._raw = self._file = source
            return
        path = os.fspath(source)
        if path == "-":
            if sys.stdin is None:
                raise InputError(f"{self.name}: cannot be read: standard input is closed")
            self._raw = self._file = sys.stdin.buffer
            self._unseen = True
            return
        if os.path.isdir(path):
            raise InputError(f"{path}: is a directory; name the treebank files in it")
        try:
            self._raw = self._file = open(path, "rb")  # noqa: SIM115 - closed by __exit__
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: cannot be read: {reason_of(error)}") from None
        self._close = True
        if path.lower().endswith(COMPRESSIONS):
            self._compressed = self._named_compressed = True
            self._file = _unpacking(self._raw, gzip.open if path.lower().endswith(".gz") else lzma.open)
        else:
            self._unseen = True

    def peek(self, size: int) -> bytes:
        """Returns up to `size` bytes without consuming them; a later call may return more."""
        if len(self._ahead) < size:
            self._ahead += self._read(size - len(self._ahead))
        return self._ahead[:size]

    def read(self, size: int = -1) -> bytes:
        """Reads at most `size` bytes, or all; returns none at the end."""
        ahead, self._ahead = self._ahead, b""
        if size < 0:
            return ahead + self._read(size)
        if ahead:
            self._ahead = ahead[size:]
            return ahead[:size]
        return self._read(size)

    def _read(self, size: int) -> bytes:
        try:
            if self._unseen:
                self._look()
            data = self._file.read(size)
            if self._named_compressed and not data and self.position() == 0:  # gzip takes no bytes for an empty text
                raise EOFError("compressed file is empty")
        except _READ_ERRORS as error:
            hint = "; is the file complete?" if self._compressed else ""
            raise InputError(f"{self.name}: cannot be read: {reason_of(error)}{hint}") from None
        except UnicodeDecodeError as error:  # from a text stream
            raise InputError(f"{self.name}: cannot be read: {error}; open it in binary mode") from None
        # A lone surrogate from a text stream becomes invalid UTF-8, which the reader reports with its line.
        return data.encode(errors="surrogatepass") if isinstance(data, str) else bytes(data)

    def _look(self) -> None:
        """Decompresses gzip and xz input without a suffix, recognised by its first bytes, which are not UTF-8."""
        self._unseen = False
        first = self._raw.read(max(map(len, (*_MAGIC, *_NOT_SUPPORTED))))
        _check_beginning(self.name, first)
        self._file = cast("IO[Any]", _Rejoined(first, self._raw))
        for magic, opener in _MAGIC.items():
            if first.startswith(magic):
                self._compressed = True
                self._file = _unpacking(self._file, opener)

    def tell(self) -> int:
        """Returns the position, so that a source can be read as an open stream."""
        return self.position()

    def position(self) -> int:
        """Returns the number of bytes read from disk, or 0 if unknown."""
        try:
            return self._raw.tell()
        except (OSError, AttributeError, ValueError):
            return 0

    def __enter__(self) -> ByteSource:
        return self

    def __exit__(self, *_: object) -> None:
        if self._close:
            self._raw.close()


@contextmanager
def writing(target: Target) -> Iterator[IO[bytes]]:
    """Opens a binary stream to a target. A file appears under its name only when complete; symlinks are preserved."""
    if not isinstance(target, str | os.PathLike):
        yield _binary(target)
        return
    path = os.fspath(target)
    if path == "-":
        # The command line discards messages if standard output is closed, but must not discard a file.
        if sys.__stdout__ is None and getattr(sys.stdout, "name", os.devnull) == os.devnull:
            raise InputError("<stdout>: cannot be written: standard output is closed")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if _is_device(path):
        with failing(path), open(path, "ab") as file:
            yield file
        return
    refuse_other_compression(path)
    real = os.path.realpath(path)
    beside = name_beside(real)  # known before the file exists, so that an interruption cannot leave it behind
    try:
        with failing(path):
            with _compressing(path, open(beside, "xb")) as file:
                yield file
            os.chmod(beside, _mode(real))
            os.replace(beside, real)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def refuse_own_output(source: Source, target: Target, *, in_place: bool = False) -> None:
    """Raises `InputError` if the target is the file being read, by whatever name.

    Gold trees would be lost, or, if the output is appended, the file grow forever. With `in_place`, a path is allowed,
    because the output replaces it only at the end.
    """
    if in_place and isinstance(target, str | os.PathLike) and not (os.fspath(target) == "-" or _is_device(target)):
        return
    identity = _identity(source, sys.stdin)
    if identity is not None and identity == _identity(target, sys.stdout):
        hint = ", or -o, which replaces it at the end" if in_place else ""
        raise InputError(f"{name_of(source)}: would be overwritten by its own output; choose another file{hint}")


def refuse_other_suffix(source: Source, target: Target, dialect: Dialect) -> None:
    """Raises `InputError` if the target's suffix names another format than the one that will be written.

    It would be read in the wrong format. A name that is wrong for the source, too, is the user's choice.

    >>> from multiplane.formats.dialects import DIALECTS
    >>> refuse_other_suffix("a.txt", "a.conll", DIALECTS["conllu"])
    Traceback (most recent call last):
    ...
    multiplane.errors.InputError: a.conll: the suffix means CoNLL-X, but the trees are in CoNLL-U; write a .conllu ...
    """
    named = dialect_by_suffix(path_of(target))
    if named not in (None, dialect, dialect_by_suffix(path_of(source))):
        raise InputError(
            f"{name_of(target)}: the suffix means {named.title}, but the trees are in {dialect.title}; "
            f"write a {dialect.suffixes[0]} file, then convert it with 'multiplane convert'"
        )


def _identity(place: Source | Target, standard: IO[Any] | None) -> tuple[int, int] | None:
    """Returns the device and inode of a regular file, else None; `standard` is the stream that `-` stands for."""
    try:
        if isinstance(place, str | os.PathLike) and os.fspath(place) != "-":
            found = os.stat(place)
        else:
            stream: Any = standard if isinstance(place, str | os.PathLike) else place
            found = os.fstat(stream.fileno())
    except (OSError, ValueError, AttributeError):  # no such file, or not a file
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def name_beside(path: str) -> str:
    """Returns an unused name in the same folder."""
    return os.path.join(os.path.dirname(path), f".multiplane-{secrets.token_hex(8)}.tmp")


@contextmanager
def failing(path: str) -> Iterator[None]:
    """Turns an error while writing `path` into an `InputError`."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {reason_of(error)}") from None


@contextmanager
def _compressing(path: str, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    with raw:
        if path.lower().endswith(".gz"):
            # Without file name and time, equal content gives equal bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as file:
                yield cast("IO[bytes]", file)
        elif path.lower().endswith(".xz"):
            with lzma.open(raw, "wb") as xz:
                yield cast("IO[bytes]", xz)
        else:
            yield raw


def _is_device(path: str | os.PathLike[str]) -> bool:
    """Whether a path must not be replaced by a file: a device, a pipe or an open descriptor.

    Directories count too: opening them fails.
    """
    return os.fspath(path).startswith(("/dev/std", "/dev/fd/", "/proc/")) or (
        os.path.exists(path) and not os.path.isfile(path)
    )


def _mode(path: str) -> int:
    """Returns the permissions of a file, or those of a new one."""
    if os.path.exists(path):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _binary(stream: IO[Any]) -> IO[bytes]:
    """Returns a stream that accepts bytes, even if the given one accepts text."""
    if isinstance(stream, io.TextIOWrapper):
        stream.flush()
        return cast("IO[bytes]", stream.buffer)
    if isinstance(stream, io.TextIOBase):
        return cast("IO[bytes]", _Decoding(stream))
    return stream


class _Decoding:
    def __init__(self, stream: io.TextIOBase) -> None:
        self._stream = stream

    def write(self, data: bytes) -> int:
        self._stream.write(data.decode())
        return len(data)
