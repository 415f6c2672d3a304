"""Runs the examples of a page: its blocks of Python and of shell commands, in order, in one folder and one session.

It needs nothing but the standard library, so that any environment can run it:
`python tests/examples.py README.md FOLDER [--base]`. With `--base`, blocks after the comment `<!-- needs an extra -->`
are left out.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDS_EXTRA = "<!-- needs an extra -->\n"


class Block(NamedTuple):
    language: str
    text: str
    line: int
    """Of its first line in the page."""
    needs_extra: bool


def blocks(page: str) -> Iterator[Block]:
    for found in BLOCK.finditer(page):
        marked = page.endswith(NEEDS_EXTRA, 0, found.start())
        yield Block(found[1], found[2], page.count("\n", 0, found.start()) + 2, marked)


def commands(block: Block) -> Iterator[tuple[int, str, str]]:
    """The commands of a console block, with their lines and the output that should follow."""
    lines = block.text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    assert starts[:1] == [0], f"line {block.line}: a console block begins with a command"
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield block.line + start, lines[start][2:].rstrip("\n"), "".join(lines[start + 1 : end])


class Shell:
    """A shell session that finds the commands of the system and `multiplane`, and nothing else."""

    _END = "-- end of the output --"

    def __init__(self, folder: Path, programs: Path) -> None:
        (programs / "multiplane").symlink_to(Path(sys.executable).parent / "multiplane")
        self._process = subprocess.Popen(
            ["bash"],
            cwd=folder,
            env=os.environ | {"PATH": f"{programs}{os.pathsep}{os.defpath}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self) -> "Shell":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, command: str) -> tuple[str, int]:
        """What a command prints, and its exit code."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(
            f"set -o pipefail\n{{ {command}\n}} </dev/null\ncode=$?; echo; echo {self._END} $code\n"
        )
        self._process.stdin.flush()
        lines = []
        while (line := self._process.stdout.readline()) and not line.startswith(self._END):
            lines.append(line)
        assert line, f"the session ended with: {command}"
        return "".join(lines)[:-1], int(line.removeprefix(self._END))


def run_console(block: Block, shell: Shell, must_succeed: bool) -> list[str]:
    """Runs the commands of a block; what differs, or fails where nothing may."""
    failures = []
    for line, command, expected in commands(block):
        actual, code = shell.run(command)
        if not doctest.OutputChecker().check_output(expected, actual, doctest.ELLIPSIS):
            failures.append(f"line {line}: $ {command}\nexpected:\n{expected}\ngot:\n{actual}")
        elif code and must_succeed:
            failures.append(f"line {line}: $ {command}\nended with exit code {code}")
    return failures


def run_python(block: Block, names: dict[str, object], folder: Path) -> list[str]:
    """Runs a block of Python, as a doctest where it has prompts; what differs."""
    with contextlib.chdir(folder):
        if ">>>" not in block.text:
            exec(compile(block.text, f"<line {block.line}>", "exec"), names)
            return []
        test = doctest.DocTestParser().get_doctest(block.text, {}, "page", "page", block.line - 1)
        test.globs = names  # shared by all blocks of a page
        out = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        runner.run(test, out=out.write, clear_globs=False)
        return [out.getvalue()] if runner.summarize(verbose=False).failed else []


def failures_of(page: str, folder: Path, must_succeed: bool = False, base: bool = False) -> list[str]:
    """Runs all examples of a page; with `base`, those that need no extra."""
    names: dict[str, object] = {}
    failures = []
    with tempfile.TemporaryDirectory() as programs, Shell(folder, Path(programs)) as shell:
        for block in blocks(page):
            if base and block.needs_extra:
                continue
            if block.language == "console":
                failures += run_console(block, shell, must_succeed)
            elif block.language == "python":
                failures += run_python(block, names, folder)
    return failures


if __name__ == "__main__":
    found = failures_of(
        Path(sys.argv[1]).read_text(encoding="utf-8"), Path(sys.argv[2]), must_succeed=True, base="--base" in sys.argv
    )
    sys.exit("\n".join(found) if found else 0)
