"""Models in packages of their own: made by `multiplane package`, found by their entry points."""

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.parser import package_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    mp.train(mp.sample(), epochs=1, system="planar", licence="CC0\nof the sample").save(folder)
    return folder


def loads(name: str, site: Path) -> subprocess.CompletedProcess[str]:
    """What a new process says that has the wheel's contents on its path."""
    code = f"import sys; sys.path.append({str(site)!r}); import multiplane as mp; print(mp.load({name!r}))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_an_installed_package_is_found_by_name_without_running_its_code(model: Path, tmp_path: Path):
    wheel = package_model(model, tmp_path, name="Old-French", version="2.1rc1")
    assert wheel.name == "multiplane_model_old_french-2.1rc1-py3-none-any.whl"
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    (site / "multiplane_model_old_french" / "__init__.py").write_text("raise SystemExit('this code ran')")
    done = loads("Old-French", site)
    assert (done.stdout, done.stderr) == ("<Parser planar.trees(no root, single root): 42 labels>\n", "")
    assert "or a name: Old-French, en" in loads("Old-Norse", site).stderr


def test_the_wheel_lists_its_files_and_the_licence(model: Path, tmp_path: Path):
    archive = zipfile.ZipFile(package_model(model, tmp_path))
    about = "multiplane_model_tiny-1.0.dist-info"
    listed = [row.split(",")[0] for row in archive.read(f"{about}/RECORD").decode().splitlines()]
    assert listed == archive.namelist()
    assert {f"multiplane_model_tiny/model/{name}" for name in ("config.toml", "weights.safetensors")} < set(listed)
    assert "License: CC0 of the sample\n" in archive.read(f"{about}/METADATA").decode()


def test_the_same_model_gives_the_same_bytes(model: Path, tmp_path: Path):
    (tmp_path / "again").mkdir()
    one, two = package_model(model, tmp_path), package_model(model, tmp_path / "again")
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(("name", "version"), [("a b", "1"), ("", "1"), ("ä", "1"), ("a", "one"), ("a", "1.0;x")])
def test_names_and_versions_that_pip_refuses_are_refused(model: Path, tmp_path: Path, name: str, version: str):
    with pytest.raises(mp.ModelError, match="cannot be the"):
        package_model(model, tmp_path, name=name, version=version)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", mp.data.bundled_models())
def test_names_that_would_load_a_bundled_model_are_refused(model: Path, tmp_path: Path, name: str):
    with pytest.raises(mp.ModelError, match=f"'{name}' is a model of multiplane itself.*choose another name"):
        package_model(model, tmp_path, name=name)
    with pytest.raises(mp.ModelError, match="choose another name"):
        package_model(mp.data.bundled_models()[name], tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_command_packs_only_sound_models(run: Callable[..., Any], model: Path, tmp_path: Path):
    done = run("package", model, "-o", tmp_path)
    assert (done.code, done.out) == (0, f"{tmp_path}/multiplane_model_tiny-1.0-py3-none-any.whl\n")
    assert "pip install" in done.err
    for wrong in (tmp_path, "no-such-model"):
        done = run("package", wrong, "-o", tmp_path)
        assert done.code == 1
        assert "model" in done.err
