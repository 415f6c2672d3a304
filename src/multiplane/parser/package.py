"""Packs a model into a wheel that `pip` installs and `load` finds by name."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zipfile
from pathlib import Path

from multiplane.data import FOLDER, GROUP, bundled_models
from multiplane.errors import InputError, ModelError
from multiplane.formats.stream import failing, name_beside
from multiplane.models import encoder, load_model
from multiplane.models.files import CARD, read_record

_NAME = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*", re.IGNORECASE)
_VERSION = re.compile(r"\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.dev\d+)?")
_TIME = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes

_MODULE = '''"""The multiplane model {name}: `multiplane.load("{name}")` loads it."""
'''
_METADATA = """Metadata-Version: 2.1
Name: {project}
Version: {version}
Summary: A model for multiplane, loaded with multiplane.load("{name}")
{licence}Requires-Python: >=3.11
Requires-Dist: multiplane{extra}>={multiplane}
Description-Content-Type: text/markdown

{card}"""
_WHEEL = """Wheel-Version: 1.0
Generator: multiplane
Root-Is-Purelib: true
Tag: py3-none-any
"""


def package_model(
    model: str | os.PathLike[str],
    folder: str | os.PathLike[str] = ".",
    *,
    name: str | None = None,
    version: str = "1.0",
) -> Path:
    """Writes a wheel with a model to a folder; returns its path.

    Once it is installed, `multiplane.load(name)` finds the model; by default, the name is that of the model's folder.

    >>> import tempfile
    >>> from multiplane.data import bundled_models
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     package_model(bundled_models()["en"], folder, name="en-copy").name
    'multiplane_model_en_copy-1.0-py3-none-any.whl'
    """
    source = Path(os.path.realpath(model))
    name = source.name if name is None else name
    _check(name, version)
    load_model(model)
    if not os.path.isdir(folder):
        raise InputError(f"{os.fspath(folder)}: cannot be written: there is no such folder")
    module = f"multiplane_model_{re.sub(r'[-_.]+', '_', name).lower()}"
    target = Path(folder, f"{module}-{version}-py3-none-any.whl")
    _write(target, _files(source, module, name, version), f"{module}-{version}.dist-info/RECORD")
    return target


def _check(name: str, version: str) -> None:
    if not _NAME.fullmatch(name):
        raise ModelError(
            f"'{name}' cannot be the name of a package; give one of ASCII letters, digits and hyphens (--name)"
        )
    if name in bundled_models():
        raise ModelError(
            f"'{name}' is a model of multiplane itself, which 'load' prefers; choose another name (--name)"
        )
    if not _VERSION.fullmatch(version):
        raise ModelError(f"'{version}' cannot be the version of a package; give one such as 1.0 or 2.1rc1")


def _files(source: Path, module: str, name: str, version: str) -> dict[str, bytes]:
    """Returns the contents of the wheel by path, without RECORD."""
    record = read_record(source)
    card = (source / CARD).read_text(encoding="utf-8") if (source / CARD).is_file() else ""
    licence = f"License: {' '.join(record.licence.split())}\n" if record.licence else ""
    metadata = _METADATA.format(
        project=module.replace("_", "-"),
        version=version,
        name=name,
        licence=licence,
        extra="[encoder]" if (source / encoder.FOLDER).is_dir() else "",
        multiplane=record.version,
        card=card,
    )
    about = f"{module}-{version}.dist-info"
    found = {f"{module}/__init__.py": _MODULE.format(name=name).encode()}
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        found[f"{module}/{FOLDER}/{path.relative_to(source).as_posix()}"] = path.read_bytes()
    return found | {
        f"{about}/METADATA": metadata.encode(),
        f"{about}/WHEEL": _WHEEL.encode(),
        f"{about}/entry_points.txt": f"[{GROUP}]\n{name} = {module}\n".encode(),
    }


def _write(target: Path, files: dict[str, bytes], record: str) -> None:
    """Writes a wheel; it appears under its name only once complete."""
    rows = [f"{path},sha256={_digest(content)},{len(content)}\n" for path, content in files.items()]
    listed = files | {record: "".join([*rows, f"{record},,\n"]).encode()}
    beside = name_beside(str(target))
    try:
        with failing(str(target)):
            with zipfile.ZipFile(beside, "x", zipfile.ZIP_DEFLATED) as archive:
                for path, content in listed.items():
                    entry = zipfile.ZipInfo(path, _TIME)
                    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                    archive.writestr(entry, content)
            os.replace(beside, target)
    finally:
        Path(beside).unlink(missing_ok=True)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
