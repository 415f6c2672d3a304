"""System fonts: which ones to prefer, and which scripts they lack."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape

from multiplane.errors import MissingFontError
from multiplane.visual.svg import FONTS

__all__ = ["check_fonts", "font_files"]

SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")
UNUSUAL = (
    *("bold", "italic", "oblique", "light", "thin", "black", "medium", "heavy"),
    *("condensed", "narrow", "expanded", "mono", "serif", "math", "display", "emoji", "symbol"),
)
SCRIPT = re.compile(r".*?(?= (?:CAPITAL|SMALL|LETTER|SIGN|SYLLABLE|UNIFIED|letter)\b)|\S+")
"""The beginning of a letter's name."""
NAMES = {"CJK": "Chinese characters", "NKO": "N'Ko"}
UNASSIGNED = "\U0003fffd"
"""A character that no font has: all missing characters look like it."""


@lru_cache(maxsize=1)
def font_files() -> list[str]:
    """Returns the font files of the system, plain sans-serif ones first.

    A renderer takes a missing letter from the first font that has it, even if that is bold or italic.
    """
    found = [
        os.path.join(folder, name)
        for root in _folders()
        for folder, _, names in os.walk(root)
        for name in names
        if name.lower().endswith(SUFFIXES)
    ]
    return sorted(found, key=_oddity)


def check_fonts(texts: Iterable[str], draw: Callable[[str], bytes]) -> None:
    """Raises `MissingFontError` if no font has the letters of a text; compares images returned by `draw`."""
    missing: dict[str, str] = {}
    blank = None
    for (script, _), letter in _samples(texts).items():
        blank = draw(_probe(UNASSIGNED)) if blank is None else blank
        if script not in missing and draw(_probe(letter)) == blank:
            missing[script] = letter
    if missing:
        names = " or ".join(f"{NAMES.get(script, script.title())} ({one})" for script, one in missing.items())
        raise MissingFontError(f"no installed font has {names}; install one, such as Noto Sans, or draw an .svg file")


def _samples(texts: Iterable[str]) -> dict[tuple[str, int], str]:
    """Returns a letter of each script, and of each of its blocks, because fonts often have only the basic ones."""
    found: dict[tuple[str, int], str] = {}
    for letter in sorted({letter for text in texts for letter in text}):
        if unicodedata.category(letter).startswith("L"):
            script = SCRIPT.match(unicodedata.name(letter, "unknown letter"))[0]  # type: ignore[index]
            block = 0 if script in ("CJK", "HANGUL") else ord(letter) >> 8
            found.setdefault((script, block), letter)
    return found


def _probe(letter: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" font-family="{FONTS}">'
        f'<text x="5" y="25" font-size="20">{escape(letter)}</text></svg>'
    )


def _oddity(path: str) -> tuple[int, str]:
    name = os.path.basename(path).lower()
    return sum(word in name for word in UNUSUAL), name


def _folders() -> list[str]:
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", home)
        return [
            os.path.join(os.environ.get("WINDIR", r"C:\Windows"), "Fonts"),
            os.path.join(local, "Microsoft", "Windows", "Fonts"),
        ]
    if sys.platform == "darwin":
        return ["/System/Library/Fonts", "/Library/Fonts", os.path.join(home, "Library", "Fonts")]
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return [
        *(os.path.join(folder, "fonts") for folder in [*shared.split(":"), data] if folder),
        os.path.join(home, ".fonts"),
    ]
