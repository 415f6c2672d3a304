"""Writing direction: whether a sentence runs from right to left, as in Arabic or Hebrew."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

__all__ = ["Direction", "has_rtl", "is_rtl", "isolated", "runs_from_right"]

Direction = bool | Literal["auto"]
"""True for right to left, False for left to right, or `auto`: the direction of most words."""

RIGHT_TO_LEFT = frozenset(("R", "AL"))
DISTURBING = RIGHT_TO_LEFT | {"AN"}
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
LONGEST = 200
"""Characters to look at; a word may have millions."""


def is_rtl(word: str) -> bool | None:
    """Returns whether a word is written from right to left; None if it has no letters with a direction.

    >>> is_rtl("שלום"), is_rtl("hello"), is_rtl("2026")
    (True, False, None)
    """
    for character in word[:LONGEST]:
        bidi_class = unicodedata.bidirectional(character)
        if bidi_class == "L":
            return False
        if bidi_class in RIGHT_TO_LEFT:
            return True
    return None


def runs_from_right(words: Iterable[str]) -> bool:
    """Returns whether more words are written from right to left than from left to right.

    >>> runs_from_right(["قرأت", "Python", "اليوم", "."]), runs_from_right(["."])
    (True, False)
    """
    found = [is_rtl(word) for word in words]
    return found.count(True) > found.count(False)


@lru_cache(maxsize=65536)
def has_rtl(text: str) -> bool:
    """Returns whether any character could change the order of those around it.

    >>> has_rtl("Hebrew שלום"), has_rtl("naïve")
    (True, False)
    """
    return not text.isascii() and any(unicodedata.bidirectional(c) in DISTURBING for c in text)


def isolated(text: str) -> str:
    r"""Isolates text so that it does not change the order of adjacent text.

    >>> isolated("naïve"), isolated("שלום")
    ('naïve', '\u2068שלום\u2069')
    """
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}" if has_rtl(text) else text
