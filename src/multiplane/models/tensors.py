"""Arrays in safetensors files, which contain no code; the same arrays give the same bytes.

The safetensors library reads the files, since it does not trust them. They are written here, because the library's
writer creates files that only their owner can read, and does not report a full disk as such.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from multiplane.errors import ModelError
from multiplane.formats.stream import reason_of
from multiplane.models.integrity import DIGEST_SIZE, check_file, digest_of

Arrays = dict[str, NDArray[Any]]
_CODES = {"int8": "I8", "uint64": "U64", "uint16": "U16", "int16": "I16", "int32": "I32"}
_CODES |= {"float16": "F16", "float32": "F32", "float64": "F64"}
_READABLE = {*_CODES.values(), "I64", "U32", "U8", "BOOL"}
_SEAL = "seal"
MOST_TENSOR_BYTES = 1 << 34
"""The maximum size of a file."""


def write_tensors(
    arrays: Mapping[str, NDArray[Any]], file: IO[bytes], about: str = "", *, sealed: bool = False
) -> None:
    """Writes arrays, the widest types first for alignment; `about` is stored as metadata.

    A sealed file ends with an array that contains the digest of everything before it.

    >>> import io
    >>> from safetensors.numpy import load
    >>> file = io.BytesIO()
    >>> write_tensors({"weights": np.array([1, -2], np.int16)}, file)
    >>> load(file.getvalue())
    {'weights': array([ 1, -2], dtype=int16)}
    """
    digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
    for piece in _pieces(arrays, about, sealed):
        file.write(piece)
        if sealed:
            digest.update(piece)
    if sealed:
        file.write(digest.digest())


def _pieces(arrays: Mapping[str, NDArray[Any]], about: str, sealed: bool) -> Iterator[bytes | memoryview]:
    """Yields the bytes of a file, without its seal."""
    names = sorted(arrays, key=lambda name: (-arrays[name].dtype.itemsize, name))
    header: dict[str, Any] = {"__metadata__": {"about": about}} if about else {}
    end = 0
    for name in names:
        begin, end = end, end + arrays[name].nbytes
        header[name] = {
            "dtype": _CODES[arrays[name].dtype.name],
            "shape": list(arrays[name].shape),
            "data_offsets": [begin, end],
        }
    if sealed:
        header[_SEAL] = {"dtype": "U8", "shape": [DIGEST_SIZE], "data_offsets": [end, end + DIGEST_SIZE]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    yield len(text).to_bytes(8, "little") + text
    for name in names:
        if arrays[name].size:  # an empty array cannot be cast
            yield np.ascontiguousarray(arrays[name]).data.cast("B")


def read_tensors(path: str | os.PathLike[str], *, sealed: bool = False) -> tuple[Arrays, str]:
    """Returns the arrays of a file and its `about` text; raises `ModelError` if the file is invalid."""
    check_file(path, MOST_TENSOR_BYTES)
    if sealed:
        _check_seal(path)
    try:
        with safe_open(path, framework="np") as file:
            arrays = {name: _array(file, name, path) for name in file.keys() if not (sealed and name == _SEAL)}  # noqa: SIM118
            return arrays, (file.metadata() or {}).get("about", "")
    except SafetensorError as error:
        reason = str(error).removeprefix("Error while deserializing header: ")
        raise ModelError(f"{os.fspath(path)}: not a valid safetensors file: {reason}; copy or train it again") from None
    except (OSError, ValueError, TypeError) as error:
        raise ModelError(f"{os.fspath(path)}: cannot be read: {reason_of(error)}") from None


def _array(file: Any, name: str, path: str | os.PathLike[str]) -> NDArray[Any]:
    dtype = file.get_slice(name).get_dtype()
    if dtype not in _READABLE:  # NumPy has no such type
        raise ModelError(
            f"{os.fspath(path)}: the weights {name!r} have type {dtype}, which no model uses; train it again"
        )
    array: NDArray[Any] = file.get_tensor(name)
    return array


def _check_seal(path: str | os.PathLike[str]) -> None:
    """Raises `ModelError` if a file does not end with the digest of everything before it."""
    try:
        with open(path, "rb") as file:
            digest = digest_of(file, os.fstat(file.fileno()).st_size - DIGEST_SIZE)
            found = file.read()
    except OSError as error:
        raise ModelError(f"{os.fspath(path)}: cannot be read: {reason_of(error)}") from None
    if found != digest:
        raise ModelError(f"{os.fspath(path)}: is damaged: its digest is wrong; start again without --resume")
