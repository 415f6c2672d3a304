"""The type of an arc, and small helpers."""

from __future__ import annotations

import numpy as np

from multiplane.errors import GraphError

MOST_WORDS = 2**30 - 2
"""The native core numbers words, and as many contractions of them, with 32 bits."""

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


def checked_size(n: int) -> int:
    """Returns the number of words of a graph, or raises `GraphError`.

    >>> checked_size(3)
    3
    """
    if not isinstance(n, int | np.integer) or not 0 <= n <= MOST_WORDS:
        raise GraphError(f"a graph cannot have {n!r} words")
    return int(n)
