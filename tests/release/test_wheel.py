"""The wheel holds what it needs, and nothing else; it installs, parses and serves in a clean environment."""

import json
import os
import re
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import pytest

import multiplane as mp
from release.conftest import ENVIRONMENT, ROOT, call, metadata

pytestmark = pytest.mark.measures

MOST_TO_DOWNLOAD = 60_000_000

OFFLINE = """
import socket, sys
def refuse(*_): raise OSError("no network here")
socket.socket.connect = socket.getaddrinfo = refuse
import multiplane as mp
assert mp.__file__.startswith(sys.prefix), mp.__file__
for name in ("en", "pt"):
    print(*mp.load(name).parse("A casa.")[0].forms)
print(*mp.load("en").parse("The dog sleeps.")[0].heads)
"""


@pytest.fixture(scope="module")
def tracked() -> set[str]:
    """The files under version control, and those that will be."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs the list of files under version control")
    listed = call(
        "git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT, env=os.environ
    ).splitlines()
    return {name for name in listed if (ROOT / name).exists()}


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path, tracked: set[str]) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    native = [name for name in names if name.endswith((".so", ".pyd"))]
    assert len(native) == 1
    assert names - set(native) - {"multiplane/_native.pyi"} == {
        name.removeprefix("src/") for name in tracked if name.startswith("src/")
    }
    # Some of what a program notices late that it lacks:
    some = {"py.typed", "_native.pyi", "data/sample.conllu", "data/models/en/weights.safetensors"}
    some |= {"server/static/index.html", "server/static/js/main.js", "features/defaults/2-planar.toml"}
    assert {f"multiplane/{name}" for name in some} <= names


def test_the_source_distribution_is_the_repository(tracked: set[str], tmp_path: Path) -> None:
    build = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    call(sys.executable, "-c", build, tmp_path, cwd=ROOT)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    assert names - {"PKG-INFO"} == tracked


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    found = metadata(wheel).metadata
    assert found["Name"] == "multiplane"
    assert found["Version"] == mp.__version__
    assert found["License-Expression"] == "MIT"
    assert any(name.endswith("licenses/LICENSE") for name in zipfile.ZipFile(wheel).namelist())


def test_a_base_installation_downloads_less_than_60_mb(base_wheels: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in base_wheels.iterdir()}
    assert not any(re.match("torch|scipy|matplotlib|starlette", name) for name in sizes), sorted(sizes)
    assert sum(sizes.values()) < MOST_TO_DOWNLOAD, sizes


def test_it_parses_without_a_compiler_and_a_network(python: Path, tmp_path: Path) -> None:
    bare = {"PATH": str(python.parent)}
    printed = call(python, "-I", "-c", OFFLINE, cwd=tmp_path, env=bare)
    assert printed == "A casa .\nA casa .\n2 3 0 3\n"
    (tmp_path / "a.txt").write_text("The dog sleeps.\n")
    parsed = call(python.parent / "multiplane", "parse", "-m", "en", "a.txt", cwd=tmp_path, env=bare)
    assert re.search(r"^2\tdog\t\S+\tNOUN\t", parsed, re.MULTILINE)


def test_without_an_extra_its_command_names_it(python: Path) -> None:
    done = subprocess.run(
        [python.parent / "multiplane", "serve"], capture_output=True, text=True, check=False, env=ENVIRONMENT
    )
    assert done.returncode == 1
    assert "multiplane[server]" in done.stderr
    assert "Traceback" not in done.stderr


def test_it_serves(server_python: Path, tmp_path: Path) -> None:
    command = [server_python, "-I", "-m", "multiplane", "serve", "en", "--port", "0"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address.startswith("http://"), process.stderr and process.stderr.read()
            body = json.dumps({"text": "The dog sleeps."}).encode()
            with urllib.request.urlopen(f"{address}/api/parse", body, timeout=60) as answer:
                assert json.loads(answer.read())["model"] == "en"
            with urllib.request.urlopen(f"{address}/", timeout=60) as answer:
                page = answer.read().decode()
            for path in re.findall(r'(?:src|href)="([^":]+\.(?:js|css|svg))"', page):
                with urllib.request.urlopen(f"{address}/{path.lstrip('/')}", timeout=60) as answer:
                    assert answer.status == 200
        finally:
            process.terminate()


def test_the_readme_works_in_a_base_installation(python: Path, tmp_path: Path) -> None:
    call(python, ROOT / "tests" / "examples.py", ROOT / "README.md", tmp_path, "--base", cwd=tmp_path)
