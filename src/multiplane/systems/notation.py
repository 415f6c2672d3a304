"""Reads transitions from the notation in which they are printed; nothing is executed.

A transition is printed as `LEFT-ARC|(H̄σ ∧ i⇎*j);REDUCE`: elementary transitions, each with an exponent if it is
repeated and with a guard if it is restricted. A guard is an atom, a conjunction, a disjunction, or a disjunction of
conjunctions in brackets.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import and_, or_

from multiplane._native import Op
from multiplane.errors import TransitionSystemError
from multiplane.systems.elementary import Composition, I, Parameter, Step, op_name
from multiplane.systems.guards import NEGATED, NOTATION, Guard, top_has_head

_OPS = {op_name(op): op for op in Op.__members__.values()}
_LITERALS = {text: Guard.of(atom) for atom, text in NOTATION.items()}
_LITERALS |= {text: ~Guard.of(atom) for atom, text in NEGATED.items()}
_STEP = re.compile(r"(?P<op>[A-Z-]+)(?:\^(?P<times>\d{1,3}|i(?:-\d{1,3})?))?(?:\|(?P<guard>.+))?")


def composition_of(text: str) -> Composition:
    """Returns the transition that is printed like this; raises `TransitionSystemError` if there is none.

    >>> from multiplane.systems import systems
    >>> composition_of("LEFT-ARC|(H̄σ ∧ i⇎*j)") == systems["planar"].transitions["LEFT-ARC"]
    True
    >>> composition_of("import os")
    Traceback (most recent call last):
    ...
    multiplane.errors.TransitionSystemError: 'import os' is not a composition of elementary transitions
    """
    try:
        found = reduce(Composition.__rshift__, map(_step, text.split(";")))
    except KeyError:
        found = None
    if found is None or str(found) != text:  # so that nothing is read as something else
        raise TransitionSystemError(f"{text!r} is not a composition of elementary transitions")
    return found


def _step(text: str) -> Composition:
    match = _STEP.fullmatch(text)
    if match is None or match["op"] not in _OPS:
        raise KeyError(text)
    guard = None if match["guard"] is None else _guard(match["guard"])
    repeated = Composition((Step(_OPS[match["op"]]),)) ** _times(match["times"] or "1")
    return Composition((Step(repeated.steps[0].op, guard, repeated.steps[0].times),))


def _times(text: str) -> int | Parameter:
    if not text.startswith("i"):
        return int(text)
    return I - int(text[2:] or 0)


def _guard(text: str) -> Guard:
    if text == "⊥":
        return top_has_head & ~top_has_head
    terms = text[1:-1].split(" ∨ ") if " " in text else [text]
    return reduce(or_, (reduce(and_, map(_LITERALS.__getitem__, _unbracketed(term).split(" ∧ "))) for term in terms))


def _unbracketed(text: str) -> str:
    return text[1:-1] if text.startswith("(") else text
