"""Shared by the comparisons with other parsers: treebanks, a cache outside the repository, measured runs.

Only the standard library is imported at the top, so that `udpipe.py` and the like also run where multiplane is not
installed.
"""

from __future__ import annotations

import argparse
import inspect
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiplane.formats import Corpus

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT.parent / "shared" / "data"

CORE = ("en_ewt", "pt_bosque", "nl_lassysmall-r1.4", "eu_bdt-r1.4", "danish_ddt", "ancient_greek_agdt")
"""The treebanks of the accuracy figures."""


def number(value: float | None, digits: int = 2) -> str:
    """A figure for a table."""
    return "–" if value is None else f"{value:.{digits}f}"


class Failed(Exception):  # noqa: N818 - an external program failed, not this one
    """A program failed or took too long."""


@dataclass(frozen=True)
class Usage:
    """Resources used by one run of a program."""

    wall: float
    cpu: float
    peak: int
    """Peak memory in bytes; at least that of this process, which Linux includes."""


def run(command: Sequence[str], *, log: IO[Any] | int = subprocess.DEVNULL, limit: int | None = None) -> Usage:
    """Runs a program and measures it; the limit is in seconds of CPU time."""

    def restrict() -> None:
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=restrict)  # noqa: PLW1509 - no threads
    try:
        _, status, used = os.wait4(process.pid, 0)
    except BaseException:
        process.kill()
        process.wait()
        raise
    wall, cpu = time.perf_counter() - start, used.ru_utime + used.ru_stime
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode < 0 and limit and cpu > limit - 1:
        raise Failed(f"took more than {limit} seconds of CPU time")
    if process.returncode:
        raise Failed(f"{Path(command[0]).name} ended with {process.returncode}")
    unit = 1 if platform.system() == "Darwin" else 1024
    return Usage(wall, cpu, used.ru_maxrss * unit)


@dataclass(frozen=True)
class Peer:
    """A third-party package, and the script next to this file that runs it in a separate process."""

    package: str
    script: str
    variable: str
    """Environment variable that names the Python with the package, if it is not this one."""

    def python(self) -> str:
        """The interpreter with the package."""
        return os.environ.get(self.variable) or sys.executable

    def version(self) -> str | None:
        """The version of the package, if it is installed."""
        code = f"from importlib.metadata import version; import {self.package}; print(version({self.package!r}))"
        done = subprocess.run([self.python(), "-c", code], check=False, capture_output=True, text=True)
        return done.stdout.strip() or None

    def command(self, *arguments: str) -> list[str]:
        """The command that runs the script."""
        return [self.python(), self.script, *arguments]


Rows = list[list[str]]
"""The columns of the words of a sentence."""


def read_rows(path: Path) -> Iterator[Rows]:
    """The sentences of a CoNLL-U file, for peers that cannot read it: without comments, ranges and empty nodes."""
    for sentence in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in sentence.split("\n")]
        if words := [row for row in rows if row[0].isdigit()]:
            yield words


def write_rows(path: Path, sentences: Iterable[Rows]) -> None:
    """Writes sentences as CoNLL-U."""
    with open(path, "w", encoding="utf-8") as file:
        for rows in sentences:
            file.write("\n".join("\t".join(row) for row in rows) + "\n\n")


def cache(*parts: str) -> Path:
    """A folder for downloads and trained models, outside the repository."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base, "multiplane-benchmarks", *parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def treebank(name: str, part: str) -> Corpus:
    """The train or dev part of a treebank of ../shared/data."""
    from multiplane.formats import read

    files = sorted(file for kind in ("ud", "conllx") for file in (DATA / kind / name).glob(f"{part}.conll*"))
    if not files:
        raise FileNotFoundError(f"needs {name} in ../shared/data, which was not found")
    return read(files[0])


def run_verb(about: str | None, verbs: dict[str, Callable[..., None]]) -> None:
    """Runs one of a script's commands, whose arguments are all paths."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="verb", required=True)
    for verb, function in verbs.items():
        command = commands.add_parser(verb)
        for name in inspect.signature(function).parameters:
            command.add_argument(name, type=Path)
    chosen = vars(parser.parse_args())
    verbs[chosen.pop("verb")](**chosen)


def machine() -> str:
    """The processor, its number of cores, and the version of Python."""
    kind = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            kind = next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{kind}, {os.cpu_count()} cores, Python {platform.python_version()}"
