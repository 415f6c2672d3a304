"""Instructions of calls, counted by Valgrind: unlike seconds, they are nearly the same in every run.

A script calls `instructions` with its own file and arguments; in the process that this starts under Valgrind, the
script runs every job with `counted`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

_CALL = "PyRun_StringFlags"
"""The function behind Python's `eval`; instructions within it are counted, call by call."""


def counted(work: Callable[[], object]) -> None:
    """Runs a job within the call that Valgrind counts."""
    eval("work()", {"work": work})


def instructions(script: Sequence[str], folder: Path, python: str = sys.executable) -> list[int]:
    """The instructions of every call of `eval` in a script: those of imports first, then those of `counted`."""
    out = folder / "callgrind"
    command = ["valgrind", "--quiet", "--tool=callgrind", "--combine-dumps=yes", f"--callgrind-out-file={out}"]
    command += [f"--toggle-collect={_CALL}", f"--dump-after={_CALL}"]
    # Sets have a fixed order, and no library starts threads.
    fixed = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([*command, python, *script], check=True, env=os.environ | fixed)
    pattern = rf"--dump-after={_CALL}$.*?^totals: (\d+)"
    return [int(total) for total in re.findall(pattern, out.read_text(), re.MULTILINE | re.DOTALL)]
