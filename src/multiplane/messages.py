"""Wording shared by messages."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Formats a number with its noun.

    >>> counted(1, "word"), counted(2000, "word")
    ('1 word', '2,000 words')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def duration(seconds: float) -> str:
    """Formats a length of time with the precision that matters.

    >>> duration(4.24), duration(75), duration(3_000), duration(12_000)
    ('4.2 s', '75 s', '50 min', '3 h 20 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
