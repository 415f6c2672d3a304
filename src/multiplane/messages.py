"""Wording shared by messages."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Formats a number with its noun.

    >>> counted(1, "word"), counted(2000, "word")
    ('1 word', '2,000 words')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
