"""The wheel as users install it: into clean environments, without the sources, a compiler, an index or a network."""

import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Iterator
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

import pytest
from filelock import FileLock
from packaging.requirements import Requirement
from packaging.tags import sys_tags

ROOT = Path(__file__).resolve().parent.parent.parent
TAG = f"cp{sys.version_info.major}{sys.version_info.minor}"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))} | {
    "PIP_CONFIG_FILE": os.devnull
}
"""Where pip knows no index and no folder of wheels but those on its command line."""
INSTALLERS = {"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"}
"""Files of an installed package that its wheel does not have, or has with other contents."""


def call(*command: object, **options: object) -> str:
    """Runs a command that must succeed, and returns what it printed."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, **({"env": ENVIRONMENT} | options)
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def needed(found: Distribution, extra: str = "") -> Iterator[str]:
    """The names of all packages that a package needs, directly or not."""
    for line in found.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement.name
            for wanted in ("", *requirement.extras):
                yield from needed(distribution(requirement.name), wanted)


def pack(name: str, folder: Path) -> None:
    """Makes a wheel of a package that is installed here."""
    files = [
        file
        for file in distribution(name).files or ()
        if file.parts[0] != ".." and file.suffix != ".pyc" and file.name not in INSTALLERS
    ]
    about = next(file.parent for file in files if file.name == "METADATA")
    tags = set(re.findall(r"^Tag: (.+)$", (distribution(name).read_text("WHEEL") or ""), re.MULTILINE))
    tag = next(str(tag) for tag in sys_tags() if str(tag) in tags)
    with zipfile.ZipFile(
        folder / f"{about.name.removesuffix('.dist-info')}-{tag}.whl", "w", zipfile.ZIP_DEFLATED
    ) as archive:
        for file in files:
            archive.write(file.locate(), file.as_posix())
        archive.writestr((about / "RECORD").as_posix(), "".join(f"{file.as_posix()},,\n" for file in files))


def install(folder: Path, requirement: str, wheels: Path) -> Path:
    """Installs a package into an environment, and returns the environment's Python."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, symlinks=True)
    index = ["--no-index", "--no-cache-dir", "--only-binary", ":all:", "--find-links", wheels]
    call(*PIP, "--python", python, "install", "--no-compile", *index, requirement)
    return python


def metadata(wheel: Path) -> Distribution:
    name, version = wheel.name.split("-")[:2]
    return PathDistribution(zipfile.Path(wheel, f"{name}-{version}.dist-info/"))


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Fills a folder once for all processes that run tests."""
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent

    def filled(name: str, fill: Callable[[Path], object]) -> Path:
        folder = root / name
        with FileLock(root / f"{name}.lock"):
            if not (root / f"{name}.done").exists():
                folder.mkdir(exist_ok=True)
                fill(folder)
                (root / f"{name}.done").touch()
        return folder

    return filled


@pytest.fixture(scope="session")
def wheel(once: Callable[..., Path]) -> Path:
    """The wheel: what `make` compiled, packaged; or a file that exists, to test what is released."""
    if given := os.environ.get("MULTIPLANE_WHEEL"):
        return Path(given).resolve()
    if not any(ROOT.glob(f"build/{TAG}-*/build.ninja")):
        pytest.skip("nothing to package: `make` compiles the native core into build/")

    def build(folder: Path) -> None:
        options = ["--no-deps", "--no-index", "--no-build-isolation"]
        call(*PIP, "wheel", *options, "--wheel-dir", folder, ROOT, env=os.environ)

    return next(once("wheel", build).glob("*.whl"))


@pytest.fixture(scope="session")
def base_wheels(wheel: Path, once: Callable[..., Path]) -> Path:
    """A folder with the wheels of a base installation: the package and all that it needs without extras."""

    def fill(folder: Path) -> None:
        (folder / wheel.name).hardlink_to(wheel)
        for name in set(needed(metadata(wheel))):
            pack(name, folder)

    return once("base-wheels", fill)


@pytest.fixture(scope="session")
def python(base_wheels: Path, once: Callable[..., Path]) -> Path:
    """The Python of an environment with a base installation."""
    folder = once("base", lambda folder: install(folder, "multiplane", base_wheels))
    return folder / "bin" / "python"


@pytest.fixture(scope="session")
def server_python(wheel: Path, python: Path, once: Callable[..., Path]) -> Path:
    """The Python of an environment that has the extra `server`, too."""

    def fill(folder: Path) -> None:
        wheels = folder / "wheels"
        wheels.mkdir()
        for name in set(needed(metadata(wheel), "server")) - set(needed(metadata(wheel))):
            pack(name, wheels)
        venv.create(folder, symlinks=True)
        # The base installation is large, and need not be copied.
        base, site = (next(place.glob("lib/*/site-packages")) for place in (python.parent.parent, folder))
        (site / "base.pth").write_text(f"{base}\n")
        install(folder, "multiplane[server]", wheels)

    return once("server", fill) / "bin" / "python"
