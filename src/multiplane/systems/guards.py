"""Predicates on configurations that restrict transitions; combine them with `&`, `|` and `~`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from multiplane._native import Atom

NOTATION = {
    Atom.TOP_HAS_HEAD: "Hσ",
    Atom.FRONT_HAS_HEAD: "Hβ",
    Atom.CONNECTED: "i⇔*j",
    Atom.ARC_TOP_TO_FRONT: "i→j",
    Atom.ARC_FRONT_TO_TOP: "j→i",
    Atom.PATH_TOP_TO_FRONT: "i→*j",
    Atom.PATH_FRONT_TO_TOP: "j→*i",
    Atom.TOP_BEFORE_FRONT: "i<j",
    Atom.MAY_SWITCH: "switches<k-1",
}
"""How atoms are printed."""
NEGATED = {
    Atom.TOP_HAS_HEAD: "H̄σ",
    Atom.FRONT_HAS_HEAD: "H̄β",
    Atom.CONNECTED: "i⇎*j",
    Atom.ARC_TOP_TO_FRONT: "i↛j",
    Atom.ARC_FRONT_TO_TOP: "j↛i",
    Atom.PATH_TOP_TO_FRONT: "i↛*j",
    Atom.PATH_FRONT_TO_TOP: "j↛*i",
    Atom.TOP_BEFORE_FRONT: "i≥j",
    Atom.MAY_SWITCH: "switches≥k-1",
}
"""How their negations are printed."""
_MEANING = {
    (Atom.TOP_HAS_HEAD, False): "the top of the stack must not have a head",
    (Atom.TOP_HAS_HEAD, True): "the top of the stack must have a head",
    (Atom.FRONT_HAS_HEAD, False): "the front of the buffer must not have a head",
    (Atom.FRONT_HAS_HEAD, True): "the front of the buffer must have a head",
    (Atom.CONNECTED, False): "top and front must not be connected yet",
    (Atom.CONNECTED, True): "top and front must be connected",
    (Atom.ARC_TOP_TO_FRONT, False): "there must be no arc from the top to the front",
    (Atom.ARC_FRONT_TO_TOP, False): "there must be no arc from the front to the top",
    (Atom.PATH_TOP_TO_FRONT, False): "no directed path may lead from the top to the front",
    (Atom.PATH_FRONT_TO_TOP, False): "no directed path may lead from the front to the top",
    (Atom.TOP_BEFORE_FRONT, True): "the top must precede the front in the sentence",
    (Atom.MAY_SWITCH, True): "another transition must come first: every stack has just been passed",
}


@dataclass(frozen=True)
class Guard:
    """A predicate, stored as the set of combinations of its atoms' values for which it holds.

    >>> free = ~top_has_head & ~connected
    >>> str(free), str(~free)
    ('H̄σ ∧ i⇎*j', 'Hσ ∨ i⇔*j')
    """

    atoms: tuple[Atom, ...]
    holds_for: frozenset[tuple[bool, ...]]

    @staticmethod
    def of(atom: Atom) -> Guard:
        """Returns the guard that holds if the atom does."""
        return Guard((atom,), frozenset({(True,)}))

    def __invert__(self) -> Guard:
        return Guard(self.atoms, frozenset(set(product((False, True), repeat=len(self.atoms))) - self.holds_for))

    def __and__(self, other: Guard) -> Guard:
        return self._combine(other, lambda a, b: a and b)

    def __or__(self, other: Guard) -> Guard:
        return self._combine(other, lambda a, b: a or b)

    def __bool__(self) -> bool:
        raise TypeError("a guard has no truth value; combine guards with & | ~ instead of and, or, not")

    def _combine(self, other: Guard, how: Callable[[bool, bool], bool]) -> Guard:
        atoms = tuple(sorted({*self.atoms, *other.atoms}))

        def part(guard: Guard, values: tuple[bool, ...]) -> bool:
            return tuple(values[atoms.index(atom)] for atom in guard.atoms) in guard.holds_for

        rows = product((False, True), repeat=len(atoms))
        return Guard(atoms, frozenset(row for row in rows if how(part(self, row), part(other, row))))

    def table(self) -> list[bool]:
        """Returns the truth table for the native machine: the first atom is the lowest bit."""
        rows = product((False, True), repeat=len(self.atoms))
        return [row[::-1] in self.holds_for for row in rows]

    def implied(self) -> dict[Atom, bool]:
        """Returns the atoms whose value is known if the guard holds.

        >>> (~top_has_head & connected).implied() == {Atom.TOP_HAS_HEAD: False, Atom.CONNECTED: True}
        True
        """
        certain = {}
        for place, atom in enumerate(self.atoms):
            values = {row[place] for row in self.holds_for}
            if len(values) == 1:
                certain[atom] = values.pop()
        return certain

    def reason(self) -> str:
        """Describes the guard in words."""
        literals = self.implied()
        if len(self.holds_for) == 1:
            return " and ".join(_MEANING.get(literal, str(self)) for literal in literals.items())
        return f"{self} must hold"

    def __str__(self) -> str:
        def literal(atom: Atom, value: bool) -> str:
            return NOTATION[atom] if value else NEGATED[atom]

        if len(self.holds_for) == 1:
            (row,) = self.holds_for
            return " ∧ ".join(literal(*pair) for pair in zip(self.atoms, row, strict=True))
        fails_for = set(product((False, True), repeat=len(self.atoms))) - self.holds_for
        if len(fails_for) == 1:
            (row,) = fails_for
            return " ∨ ".join(literal(atom, not value) for atom, value in zip(self.atoms, row, strict=True))
        rows = (
            " ∧ ".join(literal(*pair) for pair in zip(self.atoms, row, strict=True)) for row in sorted(self.holds_for)
        )
        return " ∨ ".join(f"({row})" for row in rows) or "⊥"


top_has_head = Guard.of(Atom.TOP_HAS_HEAD)
front_has_head = Guard.of(Atom.FRONT_HAS_HEAD)
connected = Guard.of(Atom.CONNECTED)
arc_top_to_front = Guard.of(Atom.ARC_TOP_TO_FRONT)
arc_front_to_top = Guard.of(Atom.ARC_FRONT_TO_TOP)
path_top_to_front = Guard.of(Atom.PATH_TOP_TO_FRONT)
path_front_to_top = Guard.of(Atom.PATH_FRONT_TO_TOP)
top_before_front = Guard.of(Atom.TOP_BEFORE_FRONT)
may_switch = Guard.of(Atom.MAY_SWITCH)
