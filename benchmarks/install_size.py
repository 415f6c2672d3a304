"""What a base installation downloads and occupies, package by package, in MB (a million bytes).

    python benchmarks/install_size.py [WHEEL]

Downloads the wheel's dependencies from the package index and installs all into an empty folder. Byte code, pip and the
interpreter do not count. WHEEL is a file, or the name of another package on the index, such as spacy. Without WHEEL:
the one that `make wheel` built.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def pip(*arguments: object) -> None:
    """Runs pip."""
    subprocess.run([sys.executable, "-m", "pip", "--quiet", *map(str, arguments)], check=True)


def measured(wheel: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Bytes to download by file, and bytes installed by package."""
    with tempfile.TemporaryDirectory() as folder:
        files, site = Path(folder, "files"), Path(folder, "site")
        pip("download", "--only-binary", ":all:", "--dest", files, wheel)
        pip("install", "--no-index", "--find-links", files, "--no-compile", "--target", site, wheel)
        installed = {
            found.name: sum(path.stat().st_size for file in found.files or () if (path := file.locate()).exists())
            for found in distributions(path=[str(site)])
        }
        return {path.name: path.stat().st_size for path in files.iterdir()}, installed


def main() -> None:
    wheel = Path(sys.argv[1]) if len(sys.argv) > 1 else next((ROOT / "dist").glob("*.whl"))
    for title, sizes in zip(("download", "installed"), measured(wheel), strict=True):
        print(f"{title}: {sum(sizes.values()) / 1e6:.1f} MB")
        for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
            print(f"  {size / 1e6:6.1f} {name}")


if __name__ == "__main__":
    main()
