"""The type of an arc, and small helpers."""

from __future__ import annotations

Arc = tuple[int, int] | tuple[int, int, str]
"""`(head, dependent)` or `(head, dependent, label)`; words from 1, head 0 for the artificial root."""


def span(arc: Arc) -> tuple[int, int]:
    """Returns the first and last word of an arc.

    >>> span((4, 2))
    (2, 4)
    """
    return (arc[0], arc[1]) if arc[0] < arc[1] else (arc[1], arc[0])


def show(arc: Arc) -> str:
    """Formats an arc for messages.

    >>> show((4, 2)), show((2, 4, "obj"))
    ('4→2', '2→4')
    """
    return f"{arc[0]}→{arc[1]}"
