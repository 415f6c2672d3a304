"""Arrays in safetensors files: no code in them, and the same arrays give the same bytes.

Files are read by the library, which checks what strangers give it. They are written here: the library's writer gives
files to their owner alone, and tells a full disk from nothing else.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from multiplane.errors import ModelError
from multiplane.formats.stream import reason_of

Arrays = dict[str, NDArray[Any]]
_CODES = {"int8": "I8", "uint64": "U64", "uint16": "U16", "int16": "I16", "int32": "I32"}
_CODES |= {"float16": "F16", "float32": "F32", "float64": "F64"}


def write_tensors(arrays: Mapping[str, NDArray[Any]], file: IO[bytes], about: str = "") -> None:
    """Writes arrays, the widest numbers first so that all are aligned; `about` is a text that goes with them.

    >>> import io
    >>> from safetensors.numpy import load
    >>> file = io.BytesIO()
    >>> write_tensors({"weights": np.array([1, -2], np.int16)}, file)
    >>> load(file.getvalue())
    {'weights': array([ 1, -2], dtype=int16)}
    """
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
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write(len(text).to_bytes(8, "little") + text)
    for name in names:
        if arrays[name].size:  # there is no view of nothing
            file.write(np.ascontiguousarray(arrays[name]).data.cast("B"))


def read_tensors(path: str | os.PathLike[str]) -> tuple[Arrays, str]:
    """The arrays of a file, and the text that goes with them; a `ModelError` says what is wrong with the file."""
    try:
        with safe_open(path, framework="np") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, (file.metadata() or {}).get("about", "")  # noqa: SIM118
    except SafetensorError as error:
        reason = str(error).removeprefix("Error while deserializing header: ")
        raise ModelError(f"{os.fspath(path)}: not a whole safetensors file: {reason}; copy or train it again") from None
    except (OSError, ValueError, TypeError) as error:
        raise ModelError(f"{os.fspath(path)}: cannot be read: {reason_of(error)}") from None
