"""The types that a user's program sees in the installed package, by both checkers."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import user_program
from release.conftest import ENVIRONMENT

pytestmark = pytest.mark.measures

CHECKERS = {
    "mypy": ("--strict", "--python-executable"),
    "pyright": ("--warnings", "--pythonpath"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the program alone."""
    shutil.copy(user_program.__file__, tmp_path)
    return tmp_path


def check(checker: str, folder: Path, python: Path) -> subprocess.CompletedProcess[str]:
    """Checks the program against what is installed for a Python; nothing is downloaded."""
    if find_spec(checker) is None:
        pytest.skip(f"needs {checker}")
    command = [sys.executable, "-m", checker, *CHECKERS[checker], str(python), "user_program.py"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=600, env=ENVIRONMENT
    )


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_program_has_the_types_that_it_declares(checker: str, folder: Path, python: Path) -> None:
    done = check(checker, folder, python)
    assert done.returncode == 0, done.stdout + done.stderr
    program = folder / "user_program.py"
    program.write_text(program.read_text() + '\nwrong: int = mp.load("en").parse("She left.")\n')
    done = check(checker, folder, python)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Corpus" in done.stdout
