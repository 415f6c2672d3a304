"""Elementary transitions and their algebra: composition `>>`, restriction `.where(…)`, repetition `**`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from multiplane._native import Op
from multiplane.errors import TransitionSystemError
from multiplane.systems.guards import Guard


def op_name(op: Op) -> str:
    """Returns the name of an elementary transition, as written in papers.

    >>> op_name(Op.LEFT_ARC)
    'LEFT-ARC'
    """
    return op.name.replace("_", "-")


ARCS: Final = frozenset({Op.LEFT_ARC, Op.RIGHT_ARC, Op.ARC})
"""The elementary transitions that add an arc."""
DIVISIBLE_OPS: Final = frozenset({Op.SHIFT, Op.UNSHIFT, Op.REDUCE, *ARCS, Op.SWITCH})
"""S1's elementary transitions, SWITCH for several stacks, and S3's undirected ARC; systems with any others are not
divisible."""


@dataclass(frozen=True)
class Parameter:
    """The `i` of a family of transitions, such as easy-first's ATTACH-LEFT(i)."""

    less: int = 0

    def __sub__(self, less: int) -> Parameter:
        return Parameter(self.less + less)

    def __str__(self) -> str:
        return "i" if not self.less else f"i-{self.less}"


_MOST_TIMES = 100

I: Final = Parameter()  # noqa: E741 - the paper's letter


@dataclass(frozen=True)
class Step:
    """One elementary transition within a composition."""

    op: Op
    guard: Guard | None = None
    times: int | Parameter = 1

    def __str__(self) -> str:
        power = "" if self.times == 1 else f"^{self.times}"
        return f"{op_name(self.op)}{power}" + (f"|{_bracketed(self.guard)}" if self.guard is not None else "")


def _bracketed(guard: Guard) -> str:
    text = str(guard)
    return f"({text})" if " " in text else text


@dataclass(frozen=True)
class Composition:
    """A transition: a sequence of elementary transitions, each optionally restricted.

    >>> from multiplane.systems.guards import top_has_head
    >>> str(LEFT_ARC.where(~top_has_head) >> REDUCE)
    'LEFT-ARC|H̄σ;REDUCE'
    >>> str(SHIFT ** I >> LEFT_ARC >> REDUCE >> UNSHIFT ** (I - 1))
    'SHIFT^i;LEFT-ARC;REDUCE;UNSHIFT^i-1'
    """

    steps: tuple[Step, ...]

    def __rshift__(self, other: Composition) -> Composition:
        return Composition(self.steps + other.steps)

    def where(self, guard: Guard) -> Composition:
        """Restricts the transition to configurations in which the guard holds at its start."""
        first, *rest = self.steps
        if first.times != 1:  # the guard applies to the first repetition only
            first, rest = replace(first, times=1), [replace(first, times=first.times - 1), *rest]
        joined = guard if first.guard is None else first.guard & guard
        return Composition((replace(first, guard=joined), *rest))

    def __pow__(self, times: int | Parameter) -> Composition:
        """Repeats an elementary transition."""
        if len(self.steps) != 1 or self.steps[0].times != 1:
            raise TransitionSystemError(f"only an elementary transition can be repeated, not {self}")
        if isinstance(times, int) and not 1 <= times <= _MOST_TIMES:
            raise TransitionSystemError(f"{self} can be repeated from 1 to {_MOST_TIMES} times, not {times}")
        return Composition((replace(self.steps[0], times=times),))

    @property
    def parametrized(self) -> bool:
        """Whether it is a family of transitions, one per i."""
        return any(isinstance(step.times, Parameter) for step in self.steps)

    @property
    def builds_arc(self) -> bool:
        """Whether it adds an arc, and so has a label."""
        return any(step.op in ARCS for step in self.steps)

    def __str__(self) -> str:
        return ";".join(map(str, self.steps))


def _elementary(op: Op) -> Composition:
    return Composition((Step(op),))


SHIFT: Final = _elementary(Op.SHIFT)
"""(σ, j|β) → (σ|j, β), on every stack."""
UNSHIFT: Final = _elementary(Op.UNSHIFT)
"""(σ|i, β) → (σ, i|β); with several stacks, i must be the top of all."""
REDUCE: Final = _elementary(Op.REDUCE)
"""(σ|i, β) → (σ, β), on the active stack."""
LEFT_ARC: Final = _elementary(Op.LEFT_ARC)
"""Adds (j, i)."""
RIGHT_ARC: Final = _elementary(Op.RIGHT_ARC)
"""Adds (i, j)."""
ARC: Final = _elementary(Op.ARC)
"""Adds the undirected edge {i, j} (S3)."""
SWITCH: Final = _elementary(Op.SWITCH)
"""Activates the next stack."""
EXCHANGE: Final = _elementary(Op.EXCHANGE)
"""(σ|i, j|β) → (σ|j, i|β). Not divisible; used in the swap systems and Attardi's."""
SKIP: Final = _elementary(Op.SKIP)
"""(λ1|i, λ2) → (λ1, i|λ2): Covington's second list. Not divisible."""
RESTORE: Final = _elementary(Op.RESTORE)
"""(λ1, λ2) → (λ1·λ2, []). Not divisible."""
DROP: Final = _elementary(Op.DROP)
"""(λ1, λ2) → (λ1, []). Not divisible."""
