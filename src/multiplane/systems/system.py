"""Transition systems as values: declared, inspected, and compiled to a table for the native machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Literal

from multiplane import _native
from multiplane._native import Atom, Op
from multiplane.display import Shown
from multiplane.errors import TransitionError, TransitionSystemError
from multiplane.systems.elementary import ARCS, DIVISIBLE_OPS, Composition, Parameter
from multiplane.systems.guards import Guard

if TYPE_CHECKING:
    from multiplane.systems.configuration import Configuration
    from multiplane.systems.properties import Properties

Root = Literal["left", "right"] | None
_MOST_WORDS = 10_000_000
MOST_STACKS = 60
_ONE_STACK_OPS = frozenset({Op.EXCHANGE, Op.SKIP, Op.RESTORE, Op.DROP})
_ROOTS: dict[Root, _native.Root] = {None: _native.Root.NONE, "left": _native.Root.LEFT, "right": _native.Root.RIGHT}


@dataclass(frozen=True)
class Action:
    """A transition with its parameter and label, written for example `LEFT-ARC(nsubj)`."""

    number: int
    name: str
    parameter: int = 0
    label: str | None = None

    def __str__(self) -> str:
        inside = [str(self.parameter)] if self.parameter else []
        inside += [self.label] if self.label is not None else []
        return f"{self.name}({','.join(inside)})" if inside else self.name


class TransitionSystem(Shown):
    """A transition system: named compositions of elementary transitions, over one or more stacks.

    >>> from multiplane.systems import LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, top_has_head
    >>> arc_eager = TransitionSystem(
    ...     "my-arc-eager",
    ...     SHIFT=SHIFT,
    ...     REDUCE=REDUCE.where(top_has_head),
    ...     LEFT_ARC=LEFT_ARC.where(~top_has_head) >> REDUCE,
    ...     RIGHT_ARC=RIGHT_ARC >> SHIFT,
    ... )
    >>> arc_eager
    <TransitionSystem my-arc-eager: SHIFT · REDUCE · LEFT-ARC · RIGHT-ARC>
    >>> arc_eager.initial(2).apply("SHIFT").apply("RIGHT-ARC(obj)").arcs
    {(1, 2, 'obj')}
    """

    def __init__(
        self,
        name: str,
        transitions: Mapping[str, Composition] | None = None,
        /,
        *,
        stacks: int = 1,
        oracle: str | None = None,
        loss: str | None = None,
        features: str | None = None,
        about: str = "",
        **more: Composition,
    ) -> None:
        if not 1 <= stacks <= MOST_STACKS:
            raise TransitionSystemError(f"{name}: a system has 1 to {MOST_STACKS} stacks, not {stacks}")
        declared = {**(transitions or {}), **more}
        if not declared:
            raise TransitionSystemError(f"{name}: a system needs at least one transition")
        for key, transition in declared.items():
            if not isinstance(transition, Composition):
                raise TransitionSystemError(f"{name}: {key} is not a composition of elementary transitions")
            if set(key) & set("(), "):
                raise TransitionSystemError(
                    f"{name}: a transition's name cannot have brackets, commas or spaces: {key!r}"
                )
        if len({key.replace("_", "-") for key in declared}) < len(declared):
            raise TransitionSystemError(f"{name}: two transitions have the same name")
        if stacks > 1 and any(step.op in _ONE_STACK_OPS for t in declared.values() for step in t.steps):
            raise TransitionSystemError(f"{name}: EXCHANGE, SKIP, RESTORE and DROP are for systems with one stack")
        if len({step.op is Op.ARC for t in declared.values() for step in t.steps if step.op in ARCS}) > 1:
            raise TransitionSystemError(f"{name}: ARC builds undirected edges; use either ARC or directed arcs")
        self.name = name
        self.transitions: dict[str, Composition] = {key.replace("_", "-"): value for key, value in declared.items()}
        """The transitions by name, in the order declared."""
        self.stacks = stacks
        self.oracle = oracle
        """The strategy of the static oracle, one of `multiplane.oracles.STRATEGIES`; derived if None."""
        self.loss = loss
        """The loss of the dynamic oracle, one of `multiplane.oracles.LOSSES`; derived, if possible, if None."""
        self.features = features
        """The templates and slots: the name of a bundled feature model, a path ending in .toml, or the TOML itself."""
        self.about = about
        """The source of the system, in one line."""
        self.root: Root = None
        """The position of the artificial root, if there is one."""
        self.only_trees = False
        """Whether every output is a tree."""
        self.single_root = False

    def __repr__(self) -> str:
        return f"<TransitionSystem {self.title}: {' · '.join(self.transitions)}>"

    def __iter__(self) -> Iterator[str]:
        return iter(self.transitions)

    def trees(self, root: Root = None, *, single_root: bool = True) -> TransitionSystem:
        """Restricts the system to well-formed trees: after every transition, one must still be reachable.

        Without an artificial root, exactly one word has no head. With one, at the left or right, the root is a node of
        the configuration, every word gets a head, and `single_root` allows only one word below the root.

        >>> from multiplane.systems import systems
        >>> c = systems["planar"].trees().initial(2).apply("SHIFT")
        >>> c.legal()  # no REDUCE, which would leave word 1 alone, and no SHIFT before the two words are linked
        ['LEFT-ARC', 'RIGHT-ARC']
        """
        if root not in _ROOTS:
            raise TransitionSystemError(f"{self.name}: root must be 'left', 'right' or None, not {root!r}")
        if root is None and not single_root:
            raise TransitionSystemError(f"{self.name}: several roots need an artificial root, left or right")
        properties = self.properties()
        for needed in ("acyclic",) if self.is_undirected else ("single_head", "acyclic"):
            verdict = properties[needed]
            if verdict.holds is False:
                raise TransitionSystemError(f"{self.name} cannot be restricted to trees: {verdict.reason}")
        other = self._changed(self.name, self.transitions)
        other.root, other.only_trees, other.single_root = root, True, single_root
        other._check_trees()
        return other

    def undirected(self) -> TransitionSystem:
        """Returns the undirected variant (S3): LEFT-ARC and RIGHT-ARC collapse into ARC, which builds an edge.

        Edges form no cycles if arcs did not, but a word may have any number of them. `multiplane.reconstruct` turns
        them into trees. Raises `TransitionSystemError` if two arcs differ in more than direction, as in arc-eager.

        >>> from multiplane.systems import systems
        >>> systems["planar"].undirected()
        <TransitionSystem undirected-planar: SHIFT · REDUCE · ARC>
        >>> print(systems["covington"].undirected().transitions["ARC"])
        ARC|i⇎*j;SKIP
        >>> systems["arc-eager"].undirected()
        Traceback (most recent call last):
        ...
        multiplane.errors.TransitionSystemError: arc-eager has no undirected variant: LEFT-ARC and RIGHT-ARC differ in \
more than direction (LEFT-ARC|H̄σ;REDUCE and RIGHT-ARC;SHIFT)
        """
        from multiplane.systems.undirected import undirected_transitions  # noqa: PLC0415 - variants are of systems

        if self.is_undirected:
            return self
        variant = self._changed(f"undirected-{self.name}", undirected_transitions(self))
        variant.features = None  # those of the directed system look at heads and dependents
        variant.about = f"S3: undirected variant of {self.name}"
        return variant.trees(self.root, single_root=self.single_root) if self.only_trees else variant

    def _changed(self, name: str, transitions: Mapping[str, Composition]) -> TransitionSystem:
        """Returns an unrestricted system with another name and transitions, and otherwise the same declaration."""
        return TransitionSystem(
            name,
            transitions,
            stacks=self.stacks,
            oracle=self.oracle,
            loss=self.loss,
            features=self.features,
            about=self.about,
        )

    def _check_trees(self) -> None:
        """Checks on all configurations for a few words that a tree can always be completed.

        The lookahead guard is proved for the catalogue's systems; a user's system may break its assumptions.
        """
        for n in (1, 2, 3) if self.stacks == 1 else (1, 2) if self.stacks == 2 else (1,):
            try:
                space = _native.StateSpace(_native.Configuration(self.program, n), 200_000)
            except ValueError:
                return  # too many stacks for an exhaustive check; the family is proved for fewer
            if len(space.stuck()) or not space.terminal().any():
                raise TransitionSystemError(f"{self.name} cannot be restricted to trees: with {n} words it gets stuck")

    def __getstate__(self) -> dict[str, object]:
        """Pickles the declaration; unpickling recompiles the native program."""
        return {key: value for key, value in self.__dict__.items() if key not in ("program", "_properties", "names")}

    def same_declaration(self, other: TransitionSystem) -> bool:
        """Whether two systems have the same transitions, stacks and restriction to trees, ignoring their names."""
        return self._declaration == other._declaration

    @property
    def _declaration(self) -> tuple[object, ...]:
        return (tuple(self.transitions.items()), self.stacks, self.root, self.only_trees, self.single_root)

    @property
    def title(self) -> str:
        """The name, with the restriction to trees if there is one.

        >>> from multiplane.systems import systems
        >>> systems["2-planar"].trees("left").title
        '2-planar.trees(left, single root)'
        """
        if not self.only_trees:
            return self.name
        return f"{self.name}.trees({self.root or 'no root'}, {'single root' if self.single_root else 'several roots'})"

    # Execution.

    def initial(self, n: int) -> Configuration:
        """Returns the initial configuration for n words.

        >>> from multiplane.systems import systems
        >>> systems["planar"].initial(3).buffer
        [1, 2, 3]
        """
        from multiplane.systems.configuration import Configuration  # noqa: PLC0415 - configurations are of systems

        try:
            n = index(n)
        except TypeError:
            n = -1
        if not 0 <= n * self.stacks <= _MOST_WORDS:
            most = f"{_MOST_WORDS // self.stacks:,}"
            raise TransitionSystemError(f"{self.name}: the number of words must be an integer from 0 to {most}")
        return Configuration(self, _native.Configuration(self.program, n))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the transitions, in the native machine's order."""
        return tuple(self.transitions)

    def action(self, text: str) -> Action:
        """Parses a transition such as `LEFT-ARC(nsubj)` or `ATTACH-LEFT(2,nsubj)`.

        >>> from multiplane.systems import systems
        >>> systems["arc-eager"].action("LEFT-ARC(nsubj)")
        Action(number=2, name='LEFT-ARC', parameter=0, label='nsubj')
        """
        name, bracket, rest = text.partition("(")
        if name not in self.transitions or (bracket and not rest.endswith(")")):
            raise TransitionError(f"'{text}' is not a transition of {self.name}; it has {', '.join(self.transitions)}")
        inside: str | None = rest[:-1] if bracket else None
        transition = self.transitions[name]
        parameter = 0
        if transition.parametrized:
            number, comma, after = (inside or "").partition(",")
            if not re.fullmatch("[1-9][0-9]{0,8}", number):
                raise TransitionError(f"'{text}': {name} needs a positive number, as in {name}(1)")
            parameter, inside = int(number), after if comma else None
        if inside is not None and not transition.builds_arc:
            raise TransitionError(f"'{text}': {name} builds no arc, so it takes no label")
        return Action(self.names.index(name), name, parameter, inside)

    @cached_property
    def program(self) -> _native.Program:
        """The table of opcodes and guards that the native machine runs."""
        from multiplane.systems.properties import keeps_roots  # noqa: PLC0415 - properties are of systems

        guards: list[Guard] = []
        rows = []
        for transition in self.transitions.values():
            steps = []
            for step in transition.steps:
                if step.guard is not None and step.guard not in guards:
                    guards.append(step.guard)
                place = -1 if step.guard is None else guards.index(step.guard)
                times = -1 - step.times.less if isinstance(step.times, Parameter) else step.times
                steps.append(_native.Step(step.op, place, times))
            rows.append(_native.Transition(steps, transition.parametrized))
        return _native.Program(
            stacks=self.stacks,
            guards=[_native.Guard(list(guard.atoms), guard.table()) for guard in guards],
            transitions=rows,
            root=_ROOTS[self.root],
            trees=self.only_trees,
            single_root=self.single_root,
            arcs_on_stack=any(map(_builds_arc_on_stack, self.transitions.values())),
            left_arcs_on_stack=any(
                _builds_arc_on_stack(t) and any(step.op in (Op.LEFT_ARC, Op.ARC) for step in t.steps)
                for t in self.transitions.values()
            ),
            keeps_roots=keeps_roots(self),
            stack_is_final=self.stack_is_final,
            track_components=self.only_trees
            or self.is_undirected
            or any(Atom.CONNECTED in guard.atoms for guard in guards),
        )

    # Properties derived from the declaration.

    @property
    def is_divisible(self) -> bool:
        """Whether all transitions are compositions of restricted elementary transitions (S1, Definition 7)."""
        return all(step.op in DIVISIBLE_OPS for t in self.transitions.values() for step in t.steps)

    @property
    def is_undirected(self) -> bool:
        """Whether arcs are edges without direction.

        >>> from multiplane.systems import systems
        >>> systems["planar"].is_undirected, systems["undirected-planar"].is_undirected
        (False, True)
        """
        return any(step.op is Op.ARC for t in self.transitions.values() for step in t.steps)

    @property
    def stack_is_final(self) -> bool:
        """Whether no transition depends on earlier stack contents, as in easy-first."""
        return all(_lowest(t, Op.UNSHIFT, Op.SHIFT) >= 0 for t in self.transitions.values())

    @property
    def builds_arcs_on_stack(self) -> bool:
        """Whether all arcs link the two topmost words of the stack, so that they do not need the buffer.

        >>> from multiplane.systems import systems
        >>> systems["swap"].builds_arcs_on_stack, systems["arc-hybrid"].builds_arcs_on_stack
        (True, False)
        """
        return all(_builds_arc_on_stack(t) for t in self.transitions.values() if t.builds_arc)

    @property
    def changes_stack(self) -> bool:
        """Whether a transition can change the active stack.

        >>> from multiplane.systems import systems
        >>> systems["2-planar"].changes_stack, systems["2-planar-eager"].changes_stack
        (True, False)
        """
        return any(
            sum(step.times if isinstance(step.times, int) else 1 for step in t.steps if step.op is Op.SWITCH)
            % self.stacks
            for t in self.transitions.values()
        )

    def properties(self) -> Properties:
        """Returns the properties that S1's propositions give for this system, with reasons."""
        return self._properties

    @cached_property
    def _properties(self) -> Properties:
        from multiplane.systems.properties import derive  # noqa: PLC0415 - properties are of systems

        return derive(self)


def _builds_arc_on_stack(transition: Composition) -> bool:
    """Whether it builds an arc even if the buffer is empty, because it unshifts first."""
    return transition.builds_arc and _lowest(transition, Op.SHIFT, Op.UNSHIFT) >= 0


def _lowest(transition: Composition, takes: Op, gives: Op) -> int:
    """Returns a transition's balance on the initially empty buffer (or stack); negative if it cannot run on that.

    Arcs and exchanges need one node there, but do not remove it.
    """
    balance = 0
    for step in transition.steps:
        times = 1 - step.times.less if isinstance(step.times, Parameter) else step.times  # i = 1
        uses = step.op in ARCS or step.op is Op.EXCHANGE or (gives is Op.SHIFT and step.op is Op.SKIP)
        if (uses and balance < 1) or (step.op is takes and balance < times):
            return -1
        if gives is Op.SHIFT and step.op is Op.REDUCE:
            if balance < 1:
                return -1
            balance -= 1
        if step.op is gives:
            balance += times
        elif step.op is takes:
            balance -= times
    return balance
