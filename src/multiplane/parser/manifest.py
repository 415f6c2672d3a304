"""The manifest of a folder of parsed shards, so that a second run skips finished ones."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from multiplane.errors import InputError
from multiplane.formats.stream import failing, writing

MANIFEST = "manifest.jsonl"
_LEFT_BEHIND = ".multiplane-*.tmp"


@dataclass(frozen=True)
class Entry:
    """A finished shard: its input and its output."""

    output: str
    """The path of the file in the folder."""
    input: str
    size: int
    modified: int
    """The modification time of the input, in nanoseconds."""
    settings: str
    """A digest of the model and all options that change the output."""
    bytes: int
    """The size of the output."""
    sentences: int
    words: int


class Manifest:
    """The finished shards of a folder, by the names of their outputs.

    During a run, each finished shard is appended, so that nothing is lost if the run is killed. At the end, the file is
    rewritten in order of names: the same shards give the same bytes.
    """

    def __init__(self, folder: Path, journal: IO[bytes]) -> None:
        self._folder = folder
        self._journal = journal
        self._entries = {entry.output: entry for entry in _entries(folder / MANIFEST)}

    def has(self, output: str, source: str, settings: str) -> bool:
        """Whether an output is finished and up to date with its input and settings."""
        entry = self._entries.get(output)
        if entry is None or entry.settings != settings or (entry.size, entry.modified) != state_of(source):
            return False
        with suppress(OSError):
            return os.path.getsize(self._folder / output) == entry.bytes
        return False

    def forget(self, output: str) -> None:
        """Removes outdated outputs, so that they are not mistaken for new ones."""
        if self._entries.pop(output, None) is not None:
            with suppress(FileNotFoundError):
                os.unlink(self._folder / output)

    def add(self, entry: Entry) -> None:
        """Records a finished shard."""
        self._entries[entry.output] = entry
        with failing(os.fspath(self._folder / MANIFEST)):
            self._journal.write(_line(entry))
            self._journal.flush()

    def close(self) -> None:
        """Writes all entries in order, if that changes anything."""
        path = self._folder / MANIFEST
        text = b"".join(_line(self._entries[name]) for name in sorted(self._entries))
        if path.read_bytes() != text:
            with writing(path) as stream:
                stream.write(text)


@contextmanager
def open_manifest(folder: str | os.PathLike[str]) -> Iterator[Manifest]:
    """Opens the manifest of a folder, which is created if needed; only one run can hold it at a time."""
    path = Path(folder)
    with failing(os.fspath(folder)):
        path.mkdir(parents=True, exist_ok=True)
        with _locked(path), open(path / MANIFEST, "ab") as journal:
            _tidy(path)
            manifest = Manifest(path, journal)
            try:
                yield manifest
            finally:
                manifest.close()
                _tidy(path)


def state_of(source: str) -> tuple[int, int]:
    """Returns the size and modification time of a file; -1 if it cannot be read.

    >>> state_of("no-such-file")
    (-1, -1)
    """
    try:
        found = os.stat(source)
    except OSError:
        return -1, -1
    return found.st_size, found.st_mtime_ns


def _tidy(folder: Path) -> None:
    """Removes partial files left by killed runs and workers."""
    for file in folder.rglob(_LEFT_BEHIND):
        file.unlink(missing_ok=True)


def _line(entry: Entry) -> bytes:
    return json.dumps(asdict(entry), ensure_ascii=False).encode() + b"\n"


def _entries(path: Path) -> Iterator[Entry]:
    """Yields the entries of a manifest; later lines replace earlier ones, and a truncated line is ignored."""
    for line in path.read_bytes().splitlines():
        with suppress(ValueError, TypeError):
            yield Entry(**json.loads(line))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder, if the operating system supports locks."""
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ModuleNotFoundError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{folder}: another run is writing to this folder; wait for it, or choose another folder"
            ) from None
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(handle)
