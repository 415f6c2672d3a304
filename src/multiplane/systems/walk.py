"""Walks through the configurations of a derivation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from multiplane.errors import TransitionError
from multiplane.systems.configuration import Configuration
from multiplane.systems.system import Action, TransitionSystem


def walk(
    system: TransitionSystem, n: int, transitions: Iterable[str | Action]
) -> Iterator[tuple[Action, Configuration]]:
    """Yields each transition with the configuration that it leads to, starting from the initial one for n words.

    >>> from multiplane.systems import systems
    >>> for action, c in walk(systems["planar"], 2, ["SHIFT", "LEFT-ARC(nsubj)"]):
    ...     print(action, c)
    SHIFT <Configuration *[1] | [2] | []>
    LEFT-ARC(nsubj) <Configuration *[1] | [2] | [(2, 1)]>
    >>> list(walk(systems["planar"], 2, ["SHIFT", "SHIFT", "SHIFT"]))
    Traceback (most recent call last):
    ...
    multiplane.errors.TransitionError: step 3: SHIFT is not legal here: the buffer is empty; legal here: REDUCE
    """
    c = system.initial(n)
    for number, transition in enumerate(transitions, 1):
        try:
            action = system.action(str(transition))
            c = c.apply(action)
        except TransitionError as error:
            raise TransitionError(f"step {number}: {error}") from None
        yield action, c
