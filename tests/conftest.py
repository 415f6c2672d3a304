"""What the tests share: the command line, run in this process or in one of its own, and one small parser."""

import io
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import multiplane as mp
from multiplane.cli import main
from multiplane.data import sample_path
from small_parsers import trained

# Machines are slow at times, and a slow example proves nothing.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# A shell starts what runs in the background with Ctrl-C ignored, and programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass
class Outcome:
    code: int
    out: str
    err: str
    raw: bytes
    """Standard output as bytes."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Runs the command line in this process, through `main`, so that failures end as they do for a user."""

    def call(*arguments: object, stdin: bytes = b"") -> Outcome:
        out, err = io.BytesIO(), io.BytesIO()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["multiplane", *map(str, arguments)])
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            patch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="utf-8", newline="\n"))
            patch.setattr(sys, "stderr", io.TextIOWrapper(err, encoding="utf-8", newline="\n"))
            with pytest.raises(SystemExit) as exit_:
                main()
            sys.stdout.flush()
            sys.stderr.flush()
            raw = out.getvalue()
            return Outcome(int(exit_.value.code or 0), raw.decode(), err.getvalue().decode(), raw)

    return call


@pytest.fixture
def process() -> Callable[..., Outcome]:
    """Runs the command line in a process of its own."""

    def call(*arguments: object, **options: Any) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "multiplane", *map(str, arguments)],
            check=False,
            timeout=300,  # ends a hang; a busy machine may take long to import matplotlib
            **({"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options),
        )
        raw = done.stdout or b""
        return Outcome(done.returncode, raw.decode(), (done.stderr or b"").decode(), raw)

    return call


@pytest.fixture
def sample() -> Path:
    return sample_path()


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A 2-planar parser, trained on the sample for a moment."""
    path = tmp_path_factory.mktemp("model") / "m"
    trained(mp.sample(), epochs=2).save(path)
    return path


@pytest.fixture(scope="session")
def parser(model: Path) -> mp.Parser:
    return mp.load(model)
