"""The commands in the documentation of the server work."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from multiplane.data import sample_path
from server.conftest import serving

PAGE = Path(__file__).parents[2] / "docs" / "serve.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_examples_with_curl_are_answered(tmp_path: Path) -> None:
    shutil.copy(sample_path(), tmp_path / "sample.conllu")
    commands = re.findall(r"^curl .*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) >= 6
    with serving("--quiet") as (_, address):
        for command in commands:
            asked = command.replace("curl ", "curl --silent --show-error --fail ", 1)
            asked = asked.replace("http://127.0.0.1:8000", address)
            done = subprocess.run(asked, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{command}\n{done.stderr}"
            assert done.stdout.startswith(("{", "["))
