"""Wording that messages of all rooms share."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "word"), counted(2000, "word")
    ('1 word', '2,000 words')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
