"""What editors and `help` show to users: types, and texts worth reading."""

import pydoc
import subprocess
import sys
import types
from importlib.resources import files
from pathlib import Path

import pytest

import multiplane as mp
import user_program

SLOT = types.MemberDescriptorType
ROOT = Path(__file__).parent.parent
PROGRAM = Path(user_program.__file__)


def test_a_program_has_the_types_that_it_declares():
    # In the project's folder, so that what `make types` found out is not found out again.
    command = [sys.executable, "-m", "mypy", "--strict", str(PROGRAM)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_program_runs():
    user_program.main()


def test_the_package_says_that_it_has_types():
    assert (files("multiplane") / "py.typed").is_file()


def test_help_names_all_that_is_public():
    text = mp.__doc__
    errors = {name for name in mp.__all__ if name.endswith("Error")}
    assert [name for name in mp.__all__ if name not in errors | {"__version__"} and f"`{name}`" not in text] == []
    assert "`MultiplaneError`" in text


@pytest.mark.parametrize("thing", [mp.Parser, mp.Corpus, mp.Sentence, mp.Token])
def test_help_explains_every_method_and_gives_an_example(thing: type):
    page = pydoc.plain(pydoc.render_doc(thing))
    assert ">>>" in page
    own = [name for cls in thing.__mro__ if cls.__module__.startswith("multiplane") for name in vars(cls)]
    members = {name: getattr(thing, name) for name in own if not name.startswith("_")}
    assert [name for name, member in members.items() if not isinstance(member, SLOT) and not member.__doc__] == []
