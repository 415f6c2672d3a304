"""Arcs, as everyone writes them."""

from __future__ import annotations

Arc = tuple[int, int] | tuple[int, int, str]
"""`(head, dependent)` or `(head, dependent, label)`; words from 1, head 0 for the artificial root."""


def span(arc: Arc) -> tuple[int, int]:
    """The first and the last word of an arc.

    >>> span((4, 2))
    (2, 4)
    """
    return (arc[0], arc[1]) if arc[0] < arc[1] else (arc[1], arc[0])


def show(arc: Arc) -> str:
    """An arc as messages print it.

    >>> show((4, 2)), show((2, 4, "obj"))
    ('4→2', '2→4')
    """
    return f"{arc[0]}→{arc[1]}"
