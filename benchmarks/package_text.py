"""Shared by the scripts that collect text from packages of Debian: unpacking, plain text, different paragraphs."""

from __future__ import annotations

import html
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

LONGEST = 4000
"""Characters of a paragraph; longer ones are tables or lists."""


@contextmanager
def unpacked(packages: Path) -> Iterator[Path]:
    """Unpacks all Debian packages of a folder, each to a folder with its name. Needs dpkg-deb."""
    with tempfile.TemporaryDirectory() as name:
        for package in sorted(packages.glob("*.deb")):
            target = Path(name) / package.name.split("_")[0]
            subprocess.run(["dpkg-deb", "-x", package, target], check=True)
        yield Path(name)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def plain(markup: str) -> str:
    return re.sub(r"<[^>]+>", "", markup)


def quotations(path: Path) -> Iterator[str]:
    """Yields the paragraphs of a file of fortunes, without the names of authors, and without drawings."""
    if path.suffix in (".dat", ".u8") or path.is_symlink():
        return
    for item in read(path).split("\n%\n"):
        said = re.sub(r"\n\s*-- .*", "", item, flags=re.S)
        if not re.search(r"[|\\/_=+#*^]{3}", said):
            yield from re.split(r"\n\s*\n|\n(?=\t)", said)


def handbook(folder: Path, language: str) -> Iterator[str]:
    """Yields the paragraphs of the Debian handbook."""
    for path in sorted(folder.glob(f"debian-handbook/**/html/{language}/*.html")):
        for paragraph in re.findall(r'<div class="para">(.*?)</div>', read(path), re.S):
            if len(plain(paragraph).split()) > 5:
                yield plain(paragraph)


def write_text(sources: Iterable[Iterable[str]], target: Path) -> None:
    """Writes the different paragraphs of all sources, with a blank line between them."""
    found: dict[str, None] = {}
    for text in (html.unescape(text) for source in sources for text in source):
        paragraph = " ".join(text.split())
        if 0 < len(paragraph) < LONGEST:
            found.setdefault(paragraph)
    target.write_text("\n\n".join(found) + "\n", encoding="utf-8")
    print(f"{len(found):,} paragraphs, {sum(len(text.split()) for text in found):,} words between spaces")
