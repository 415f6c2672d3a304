"""Configurations: a view of the native machine's state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from multiplane import _native
from multiplane._native import Op
from multiplane.errors import TransitionError
from multiplane.systems.elementary import op_name

if TYPE_CHECKING:
    from multiplane.systems.system import Action, TransitionSystem


_NO_ARC = "an arc needs a word on the active stack, one in the buffer and a word as dependent, and must not exist yet"
_UNDEFINED = {
    Op.SHIFT: "the buffer is empty",
    Op.UNSHIFT: "the stack is empty, or the stacks have different tops",
    Op.REDUCE: "the active stack is empty",
    Op.SKIP: "the list is empty",
    Op.LEFT_ARC: _NO_ARC,
    Op.RIGHT_ARC: _NO_ARC,
    Op.ARC: "an edge needs a word on the active stack and another node in the buffer, and must not exist yet",
    Op.EXCHANGE: "it needs a word on the stack and one in the buffer",
    Op.SWITCH: "there is only one stack",
}


class Configuration:
    """A state of a transition system: stacks, buffer and arcs. Immutable: `apply` returns a new one.

    >>> from multiplane.systems import systems
    >>> c = systems["2-planar"].initial(3).apply("SHIFT")
    >>> c.stacks, c.active, c.buffer, c.arcs
    ([[1], [1]], 0, [2, 3], set())
    >>> c.legal()
    ['SHIFT', 'REDUCE', 'LEFT-ARC', 'RIGHT-ARC', 'SWITCH']
    """

    __slots__ = ("_labels", "_native", "system")

    def __init__(self, system: TransitionSystem, native: _native.Configuration, labels: tuple[str, ...] = ()) -> None:
        self.system = system
        self._native = native
        self._labels = labels
        """The labels that the native core refers to by index."""

    @property
    def n(self) -> int:
        """The number of words."""
        return self._native.n

    @property
    def stacks(self) -> list[list[int]]:
        """The stacks, each from bottom to top."""
        return self._native.stacks

    @property
    def active(self) -> int:
        """The index of the active stack, on which transitions work."""
        return self._native.active

    @property
    def buffer(self) -> list[int]:
        """The buffer, front first."""
        return self._native.buffer

    @property
    def aside(self) -> list[int]:
        """Covington's second list, from left to right."""
        return self._native.aside

    @property
    def arcs(self) -> set[tuple[int, int, str | None]]:
        """The arcs built so far: head, dependent, label. An undirected edge has its smaller node first."""
        return {arc for arc, _ in self._placed_arcs()}

    def built(self, since: int = 0) -> list[tuple[int, int, str | None]]:
        """Returns the arcs in the order in which they were built, from one of them on.

        >>> from multiplane.systems import systems
        >>> c = systems["planar"].initial(3).apply("SHIFT").apply("RIGHT-ARC").apply("SHIFT").apply("RIGHT-ARC")
        >>> c.built(), c.built(since=1)
        ([(1, 2, None), (2, 3, None)], [(2, 3, None)])
        """
        return [arc for arc, _ in self._placed_arcs(since)]

    @property
    def planes(self) -> list[set[tuple[int, int, str | None]]]:
        """The arcs by the stack that was active when they were built."""
        planes: list[set[tuple[int, int, str | None]]] = [set() for _ in range(self.system.stacks)]
        for arc, plane in self._placed_arcs():
            planes[plane].add(arc)
        return planes

    def _placed_arcs(self, since: int = 0) -> Iterator[tuple[tuple[int, int, str | None], int]]:
        """Yields the arcs from one of them on, each with the index of its plane."""
        for head, dependent, label, plane in self._native.arcs[since:]:
            yield (head, dependent, None if label < 0 else self._labels[label]), plane

    @property
    def is_terminal(self) -> bool:
        """Whether the buffer is empty and, if the system only builds trees, the tree is complete."""
        return self._native.is_terminal

    def actions(self) -> list[Action]:
        """Returns the legal transitions, without labels."""
        from multiplane.systems.system import Action  # noqa: PLC0415

        names = self.system.names
        return [Action(number, names[number], parameter) for number, parameter in self._native.legal()]

    def legal(self) -> list[str]:
        """Returns the names of the legal transitions, without labels."""
        return [str(action) for action in self.actions()]

    def apply(self, transition: str | Action) -> Configuration:
        """Returns the configuration after a transition, such as `SHIFT` or `LEFT-ARC(nsubj)`.

        >>> from multiplane.systems import systems
        >>> systems["planar"].initial(2).apply("REDUCE")
        Traceback (most recent call last):
        ...
        multiplane.errors.TransitionError: REDUCE is not legal here: the active stack is empty; legal here: SHIFT
        """
        action = self.system.action(str(transition))  # an Action of another system may have other numbers
        after, labels, number = self._native.copy(), self._labels, -1
        if action.label is not None:
            labels = labels if action.label in labels else (*labels, action.label)
            number = labels.index(action.label)
        refusal, step = after.apply(action.number, action.parameter, number)
        if refusal is not _native.Refusal.NONE:
            raise TransitionError(self._explain(action, refusal, step))
        return Configuration(self.system, after, labels)

    def _explain(self, action: Action, refusal: _native.Refusal, step_number: int) -> str:
        steps = self.system.transitions[action.name].steps
        if refusal is _native.Refusal.TREE:
            why = "no well-formed tree would be reachable any more"
        else:
            step = steps[step_number]
            why = (
                _UNDEFINED[step.op]
                if refusal is _native.Refusal.UNDEFINED or step.guard is None
                else step.guard.reason()
            )
            if len(steps) > 1:
                why = f"at its {op_name(step.op)}, {why}"
        legal = ", ".join(self.legal()) or f"nothing: the configuration is {'final' if self.is_terminal else 'stuck'}"
        return f"{action} is not legal here: {why}; legal here: {legal}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Configuration):
            return NotImplemented
        return self.system.same_declaration(other.system) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        native = self._native
        return (
            native.n,
            tuple(map(tuple, native.stacks)),
            native.active,
            native.switches,
            tuple(native.buffer),
            tuple(native.aside),
            frozenset(self._placed_arcs()),
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.system, self.n, self._native.state(), self._labels)

    def __repr__(self) -> str:
        stacks = " ".join(f"{'*' if i == self.active else ''}{stack}" for i, stack in enumerate(self.stacks))
        return f"<Configuration {stacks} | {self.buffer} | {sorted((h, d) for h, d, _ in self.arcs)}>"


def _restored(system: TransitionSystem, n: int, state: bytes, labels: tuple[str, ...]) -> Configuration:
    """Restores a pickled configuration."""
    return Configuration(system, _native.Configuration.restored(system.program, n, state), labels)
