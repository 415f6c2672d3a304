"""Collects Portuguese text without annotation, for teachers to parse and a student to learn from (see pt_model.py).

    python benchmarks/portuguese_text.py PACKAGES TEXT

PACKAGES is a folder with packages of Debian 12 as they were downloaded, by name: the translated campaigns of the game
Battle for Wesnoth, wesnoth-1.16-* (dialogues, GPL or CC BY-SA), fortunes-br (jokes and quotations, GPL),
debian-handbook and debian-edu-doc-pt-br (manuals, GPL or CC BY-SA), and the help of LibreOffice, libreoffice-help-pt-br
(MPL), GIMP, gimp-help-pt-br (GFDL), and GNOME, gnome-user-docs (CC BY-SA). Needs dpkg-deb.
"""

from __future__ import annotations

import gettext
import random
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from package_text import handbook, plain, quotations, read, unpacked, write_text

PORTUGUESE = re.compile(r"\b(?:de|que|o|os|uma?|do|da|em|para|com|não|se|é)\b", re.I)
ENGLISH = re.compile(r"\b(?:the|of|and|is|you)\b", re.I)
HELP = ("libreoffice-help-pt-br/**/text/**/*.html", "gimp-help-pt-br/**/*.html", "debian-edu-doc-pt-br/**/*.html")
HELP += ("gnome-user-docs/usr/share/help/pt_BR/**/*.page",)
OF_HELP = 10_000
"""Paragraphs of the help pages, of which there are many, all alike."""
SHORTEST = 4
"""Words of a paragraph; shorter ones are headings and names of menus."""


def dialogues(folder: Path) -> Iterator[str]:
    """Yields the translations of the game, both European and Brazilian."""
    for path in sorted(folder.glob("wesnoth*/**/locale/pt*/LC_MESSAGES/*.mo")):
        with path.open("rb") as file:
            # There is no public way to list messages.
            messages: dict[object, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        for message in list(messages.values())[1:]:  # the first is about the file
            for block in re.split(r"\n\s*\n", plain(message)):
                if "$" not in block:
                    yield block


def help_pages(folder: Path) -> Iterator[str]:
    pages = (read(path) for pattern in HELP for path in sorted(folder.glob(pattern)))
    found = list(
        in_portuguese(plain(text) for page in pages for text in re.findall(r"<p\b[^>]*>(.*?)</p>", page, re.S))
    )
    random.Random(1).shuffle(found)
    yield from found[:OF_HELP]


def is_portuguese(text: str) -> bool:
    """Whether a paragraph is long enough, and translated."""
    return len(text.split()) >= SHORTEST and bool(PORTUGUESE.search(text)) and not ENGLISH.search(text)


def in_portuguese(texts: Iterable[str]) -> Iterator[str]:
    return filter(is_portuguese, texts)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with unpacked(Path(sys.argv[1])) as folder:
        jokes = (text for path in sorted(folder.glob("fortunes-br/**/brasil")) for text in quotations(path))
        sources = [dialogues(folder), jokes, handbook(folder, "pt-BR"), help_pages(folder)]
        write_text(map(in_portuguese, sources), Path(sys.argv[2]))


if __name__ == "__main__":
    main()
