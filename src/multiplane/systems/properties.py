"""Properties derived from a system's declaration by S1's propositions 1 to 9, with reasons.

Each transition is executed symbolically, tracking for each symbol whether it has a head and which words may be
connected. Invariants of all configurations (say, that no word on the stack has a head) are found by assuming them and
dropping those that some transition does not preserve. If no proposition applies, a search for a counterexample can
still prove "no"; otherwise the property stays undecided.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from multiplane._native import Atom, Op
from multiplane._native import Configuration as NativeConfiguration
from multiplane.systems.elementary import ARCS, DIVISIBLE_OPS, Composition, Parameter, Step, op_name

if TYPE_CHECKING:
    from multiplane.graphs import DependencyGraph
    from multiplane.systems.system import TransitionSystem


@dataclass(frozen=True)
class Verdict:
    """Whether a property holds (None if undecided), and why."""

    holds: bool | None
    reason: str

    def __bool__(self) -> bool:
        return self.holds is True


class Properties(Mapping[str, Verdict]):
    """The verdicts by name.

    >>> from multiplane.systems import systems
    >>> print(systems["arc-eager"].properties())
    divisible, planar, single-head, no covered roots, robust, bounded, efficient, O(n) transitions, O(n) steps
    """

    def __init__(self, verdicts: dict[str, Verdict]) -> None:
        self._verdicts = verdicts

    def __getitem__(self, name: str) -> Verdict:
        return self._verdicts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._verdicts)

    def __len__(self) -> int:
        return len(self._verdicts)

    def __repr__(self) -> str:
        return f"<Properties {self}>"

    def __str__(self) -> str:
        return ", ".join(TITLES[name] for name, verdict in self._verdicts.items() if verdict)


TITLES = {
    "divisible": "divisible",
    "planar": "planar",
    "single_head": "single-head",
    "acyclic": "acyclic",
    "no_covered_roots": "no covered roots",
    "robust": "robust",
    "bounded": "bounded",
    "efficient": "efficient",
    "linear_transitions": "O(n) transitions",
    "linear_steps": "O(n) steps",
}


@dataclass
class _Effect:
    """The change in sizes that a transition causes (S1 §3.2.2): ΔA, Δn, Δβ, the latter for the parameter i = 0."""

    arcs: int = 0
    removed: int = 0
    buffer: int = 0
    buffer_per_i: int = 0
    steps: int = 0

    @classmethod
    def of(cls, transition: Composition) -> _Effect:
        effect = cls()
        for step in transition.steps:
            times, per_i = (-step.times.less, 1) if isinstance(step.times, Parameter) else (step.times, 0)
            effect.steps += times
            effect.arcs += times * (step.op in ARCS)
            effect.removed += times * (step.op is Op.REDUCE)
            sign = {Op.SHIFT: 1, Op.UNSHIFT: -1}.get(step.op, 0)
            effect.buffer += sign * times
            effect.buffer_per_i += sign * per_i
        return effect


# Symbolic execution.


@dataclass
class _Invariants:
    """Invariants of all configurations between transitions."""

    stack_headless: bool = True
    buffer_headless: bool = True
    unconnected: bool = True
    """No two words on the stack or in the buffer are connected."""


@dataclass
class _Findings:
    """The result of executing one transition symbolically."""

    second_head: list[str] = field(default_factory=list)
    maybe_connected: list[str] = field(default_factory=list)
    headless_reduced: list[str] = field(default_factory=list)
    stack_headless: bool = True
    buffer_headless: bool = True
    unconnected: bool = True


class _SymbolicRun:
    """Executes one transition on symbols that are created on first access.

    Two symbols that were created on different stacks may stand for the same word.
    """

    def __init__(self, transition: Composition, stacks: int, assumed: _Invariants) -> None:
        self.assumed = assumed
        self.stacks: list[list[str]] = [[] for _ in range(stacks)]
        self.active = 0
        self.buffer: list[str] = []
        self.elsewhere: list[str] = []
        """Symbols still on other stacks, or in Covington's second list."""
        self.made_on: dict[str, int] = {}
        self.headless: dict[str, bool | None] = {}
        self.linked: list[tuple[str, str]] = []
        self.found = _Findings()
        for step in transition.steps:
            times = 2 - step.times.less if isinstance(step.times, Parameter) else step.times  # i = 2 represents all i
            for _ in range(times):
                self.run(step)
        self.conclude()

    @property
    def stack(self) -> list[str]:
        return self.stacks[self.active]

    def top(self) -> str:
        if not self.stack:
            name = self.fresh("s", self.assumed.stack_headless)
            self.made_on[name] = self.active
            if any(self.may_be(name, other) and has is False for other, has in self.headless.items()):
                self.headless[name] = None
            self.stack.append(name)
        return self.stack[-1]

    def front(self) -> str:
        if not self.buffer:
            self.buffer.append(self.fresh("b", self.assumed.buffer_headless))
        return self.buffer[0]

    def fresh(self, kind: str, is_headless: bool) -> str:
        name = f"{kind}{len(self.headless)}"
        self.headless[name] = True if is_headless else None
        return name

    def may_be(self, one: str, other: str) -> bool:
        places = self.made_on.get(one), self.made_on.get(other)
        return one == other or (None not in places and places[0] != places[1])

    def run(self, step: Step) -> None:
        facts = step.guard.implied() if step.guard is not None else {}
        if Atom.TOP_HAS_HEAD in facts:
            self.headless[self.top()] = not facts[Atom.TOP_HAS_HEAD]
        if Atom.FRONT_HAS_HEAD in facts:
            self.headless[self.front()] = not facts[Atom.FRONT_HAS_HEAD]
        if step.op is Op.SHIFT:
            self.front()
            node = self.buffer.pop(0)
            for stack in self.stacks:
                stack.append(node)
        elif step.op is Op.UNSHIFT:
            self.buffer.insert(0, self.top())
            for stack in filter(None, self.stacks):
                stack.pop()
        elif step.op is Op.SWITCH:
            self.active = (self.active + 1) % len(self.stacks)
        elif step.op is Op.EXCHANGE:
            i, j = self.top(), self.front()
            self.stack[-1], self.buffer[0] = j, i
        elif step.op in (Op.REDUCE, Op.SKIP):
            self.remove(step.op)
        elif step.op in ARCS:
            self.link(step.op, apart=facts.get(Atom.CONNECTED) is False)

    def remove(self, op: Op) -> None:
        node = self.top()
        if self.headless[node] is not False:
            self.found.headless_reduced.append(node)
        self.stack.pop()
        if op is Op.SKIP or len(self.stacks) > 1:
            self.elsewhere.append(node)

    def link(self, op: Op, apart: bool) -> None:
        i, j = self.top(), self.front()
        dependent = i if op is Op.LEFT_ARC else j
        if self.headless[dependent] is not True:
            self.found.second_head.append(dependent)
        if not apart and not (self.assumed.unconnected and not self.are_linked(i, j)):
            self.found.maybe_connected.append(dependent)
        for other, has_none in self.headless.items():
            if has_none and self.may_be(other, dependent):
                self.headless[other] = None
        self.headless[dependent] = False
        self.linked += [(i, j), (j, i)]

    def are_linked(self, i: str, j: str) -> bool:
        """Whether arcs built by this transition may connect two words."""
        seen = [i]
        for node in seen:
            seen += [b for a, b in self.linked if self.may_be(a, node) and b not in seen]
        return any(self.may_be(node, j) for node in seen)

    def conclude(self) -> None:
        on_stacks = {*self.elsewhere}.union(*self.stacks)
        still_there = {*on_stacks, *self.buffer}
        self.found.stack_headless = all(self.headless[node] is True for node in on_stacks)
        self.found.buffer_headless = all(self.headless[node] is True for node in self.buffer)
        self.found.unconnected = not any({i, j} <= still_there for i, j in self.linked)


def _fixpoint(system: TransitionSystem) -> tuple[_Invariants, dict[str, _Findings]]:
    invariants = _Invariants()
    while True:
        runs = {
            name: _SymbolicRun(transition, system.stacks, invariants).found
            for name, transition in system.transitions.items()
        }
        kept = _Invariants(
            *(
                getattr(invariants, name) and all(getattr(run, name) for run in runs.values())
                for name in ("stack_headless", "buffer_headless", "unconnected")
            )
        )
        if kept == invariants:
            return invariants, runs
        invariants = kept


def keeps_roots(system: TransitionSystem) -> bool:
    """Whether only words with a head are ever removed, so that roots stay on the stack.

    >>> from multiplane.systems import systems
    >>> keeps_roots(systems["arc-eager"]), keeps_roots(systems["planar"])
    (True, False)
    """
    return not any(run.headless_reduced for run in _fixpoint(system)[1].values())


def removes_dependents(system: TransitionSystem) -> bool:
    """Whether a word is removed when it gets its head, so that trees grow bottom-up.

    >>> from multiplane.systems import systems
    >>> removes_dependents(systems["arc-standard"]), removes_dependents(systems["arc-eager"])
    (True, False)
    """
    invariants, _ = _fixpoint(system)
    return invariants.stack_headless and invariants.buffer_headless


# The propositions.


class _Samples:
    """The graphs of many random derivations for four words, each once; derived as they are asked for."""

    def __init__(self, system: TransitionSystem) -> None:
        self._found: dict[tuple[tuple[int, int], ...], DependencyGraph] = {}
        self._rest = self._derived(system)

    def __iter__(self) -> Iterator[DependencyGraph]:
        return chain(tuple(self._found.values()), self._rest)  # which, unlike "yield from", leaves the rest open

    def _derived(self, system: TransitionSystem) -> Iterator[DependencyGraph]:
        from multiplane.graphs import DependencyGraph  # noqa: PLC0415 - systems come after graphs

        rng = random.Random(0)
        for _ in range(2000):
            c = NativeConfiguration(system.program, 4)
            for _ in range(40):
                legal = c.legal()
                if not legal or (c.is_terminal and rng.random() < 0.5):
                    break
                c.apply(*rng.choice(legal), -1)
            arcs = tuple(sorted((head, dependent) for head, dependent, *_ in c.arcs))
            if c.is_terminal and arcs not in self._found:
                self._found[arcs] = DependencyGraph(4, arcs)
                yield self._found[arcs]


def _crossing(graph: DependencyGraph) -> bool:
    return not graph.is_planar()


def _two_heads(graph: DependencyGraph) -> bool:
    return not graph.is_single_head()


def _cyclic(graph: DependencyGraph) -> bool:
    return not graph.is_acyclic()


def _has_undirected_cycle(graph: DependencyGraph) -> bool:
    from multiplane.graphs.properties import closing_arc  # noqa: PLC0415 - systems come after graphs

    return closing_arc(graph) is not None


def _covered(graph: DependencyGraph) -> bool:
    return graph.has_covered_roots()


_NO_HEADS = Verdict(False, "S3: edges have no direction, so words have no heads")


def _link(system: TransitionSystem) -> str:
    return "edge" if system.is_undirected else "arc"


def _undecided(samples: _Samples, why_not: str, broken: Callable[[DependencyGraph], bool]) -> Verdict:
    graph = next(filter(broken, samples), None)
    if graph is not None:
        return Verdict(False, f"{why_not}; it derives {sorted(graph.arcs)}")
    return Verdict(None, f"{why_not}, so that no proposition applies; no counterexample with four words was found")


def derive(system: TransitionSystem) -> Properties:
    """Applies the propositions to a declaration.

    >>> from multiplane.systems import systems
    >>> systems["planar"].properties()["single_head"].reason
    'Proposition 2: every arc goes to a word that is known to have no head'
    """
    invariants, runs = _fixpoint(system)
    samples = _Samples(system)
    effects = {name: _Effect.of(transition) for name, transition in system.transitions.items()}
    verdicts: dict[str, Verdict] = {}

    others = sorted({op_name(s.op) for t in system.transitions.values() for s in t.steps if s.op not in DIVISIBLE_OPS})
    verdicts["divisible"] = (
        Verdict(True, "every transition is a composition of restricted elementary transitions")
        if system.is_divisible
        else Verdict(False, f"{' and '.join(others)} cannot be composed from S1's elementary transitions")
    )
    if not system.is_divisible:
        verdicts["planar"] = _undecided(samples, "it is not divisible", _crossing)
    elif system.stacks > 1:
        verdicts["planar"] = Verdict(
            False, f"{_link(system)}s built on different stacks may cross; each of the {system.stacks} planes is planar"
        )
    else:
        verdicts["planar"] = Verdict(True, "Proposition 4: it is divisible and has one stack")

    def universal(name: str, attribute: str, yes: str, no: str, broken: Callable[[DependencyGraph], bool]) -> None:
        at_fault = [transition for transition, run in runs.items() if getattr(run, attribute)]
        verdicts[name] = (
            Verdict(True, yes) if not at_fault else _undecided(samples, f"{', '.join(at_fault)} {no}", broken)
        )

    if system.is_undirected:
        verdicts["single_head"] = _NO_HEADS
    else:
        universal(
            "single_head",
            "second_head",
            "Proposition 2: every arc goes to a word that is known to have no head" + _why(invariants),
            "may give a word a second head",
            _two_heads,
        )
    arcs = [step for t in system.transitions.values() for step in t.steps if step.op in ARCS]
    if any(run.maybe_connected for run in runs.values()) and all(map(_excludes_cycle, arcs)):
        verdicts["acyclic"] = Verdict(True, "every arc is restricted to words without a directed path back")
    else:
        universal(
            "acyclic",
            "maybe_connected",
            f"Proposition 3: every {_link(system)} links words that are known not to be connected"
            + (": no two words on the stack or in the buffer ever are" if invariants.unconnected else ""),
            "may link words that are already connected",
            _has_undirected_cycle if system.is_undirected else _cyclic,
        )
    if system.is_undirected:
        verdicts["no_covered_roots"] = _NO_HEADS
    elif system.is_divisible and system.stacks == 1:
        universal(
            "no_covered_roots",
            "headless_reduced",
            "Proposition 1: only words with a head are reduced",
            "may reduce a word without a head",
            _covered,
        )
    else:
        verdicts["no_covered_roots"] = _undecided(samples, "it is not divisible with one stack", _covered)

    _termination(system, effects, verdicts)
    return Properties(verdicts)


def _excludes_cycle(step: Step) -> bool:
    path_back = Atom.PATH_TOP_TO_FRONT if step.op is Op.LEFT_ARC else Atom.PATH_FRONT_TO_TOP
    return step.guard is not None and step.guard.implied().get(path_back) is False


def _why(invariants: _Invariants) -> str:
    places = [
        name
        for name, held in (("on the stack", invariants.stack_headless), ("in the buffer", invariants.buffer_headless))
        if held
    ]
    return f" (no word {' or '.join(places)} ever has one)" if places else ""


def _termination(system: TransitionSystem, effects: dict[str, _Effect], verdicts: dict[str, Verdict]) -> None:
    """Propositions 5 to 9."""
    plain_shift = any(str(t) == "SHIFT" for t in system.transitions.values())
    restored_shift = any(str(t) == "RESTORE;SHIFT" for t in system.transitions.values())
    if plain_shift:
        verdicts["robust"] = Verdict(True, "Proposition 5: SHIFT is among the transitions, without restriction")
    elif restored_shift:
        verdicts["robust"] = Verdict(True, "RESTORE;SHIFT is always defined while the buffer is not empty")
    else:
        verdicts["robust"] = Verdict(None, "SHIFT is not among the transitions, so that Proposition 5 does not apply")

    idle, ordered, skipping = [], [], []
    for name, transition in system.transitions.items():
        effect = effects[name]
        ops = {step.op for step in transition.steps}
        progress = effect.arcs > 0 or effect.removed > 0 or (effect.buffer > 0 and effect.buffer_per_i == 0)
        if progress:
            continue
        guards = [step.guard for step in transition.steps if step.guard is not None]
        if ops == {Op.SWITCH} and any(guard.implied().get(Atom.MAY_SWITCH) for guard in guards):
            continue
        if Op.EXCHANGE in ops and any(guard.implied().get(Atom.TOP_BEFORE_FRONT) for guard in guards):
            ordered.append(name)
        elif ops == {Op.SKIP}:
            skipping.append(name)
        else:
            idle.append(name)
    extra = f"; at most {system.stacks - 1} SWITCH in a row" if _switches(system) else ""
    extra += f"; {', '.join(ordered)} swaps any two words at most once" if ordered else ""
    extra += f"; {', '.join(skipping)} shortens the list, which only SHIFT restores" if skipping else ""
    if idle:
        verdicts["bounded"] = Verdict(
            False if any(Op.EXCHANGE in {s.op for s in system.transitions[name].steps} for name in idle) else None,
            f"{', '.join(idle)} adds no arc, removes no word and does not shorten the buffer, so it can be repeated",
        )
    else:
        verdicts["bounded"] = Verdict(
            True,
            f"Proposition 6: every transition adds an {_link(system)}, removes a word or shortens the buffer{extra}",
        )

    both = bool(verdicts["robust"]) and bool(verdicts["bounded"])
    verdicts["efficient"] = Verdict(
        True if both else verdicts["bounded"].holds and None,
        "Definition 13: robust and bounded" if both else "it is not both robust and bounded",
    )
    growth = max(-effect.buffer for effect in effects.values())
    linear = both and not ordered and not skipping and all(effect.buffer_per_i == 0 for effect in effects.values())
    verdicts["linear_transitions"] = Verdict(
        True if linear else (False if ordered or skipping else None),
        f"Proposition 8: efficient, and no transition lengthens the buffer by more than {max(growth, 0)}"
        if linear
        else f"Proposition 7 at most: O(n²), because of {', '.join(ordered + skipping)}"
        if ordered or skipping
        else "it is not efficient",
    )
    constant = not any(transition.parametrized for transition in system.transitions.values())
    verdicts["linear_steps"] = Verdict(
        True if linear and constant else (False if linear else verdicts["linear_transitions"].holds),
        f"Proposition 9: no transition has more elementary steps than {max(e.steps for e in effects.values())}"
        if linear and constant
        else "a transition may have as many elementary steps as there are words"
        if linear
        else verdicts["linear_transitions"].reason,
    )


def _switches(system: TransitionSystem) -> bool:
    """Whether a transition only switches stacks."""
    return any(all(step.op is Op.SWITCH for step in t.steps) for t in system.transitions.values())


def longest(system: TransitionSystem, n: int) -> int | None:
    """Returns the maximum length of a derivation for n words, or None if S1's argument gives no bound.

    There are at most n arcs if words have one head, n - 1 in a forest, and 4n - 6 per plane otherwise (Lemma 4), half
    of that without directions; every stack loses each word once; the buffer has n words and may grow back by a constant
    per transition; SWITCH, if it is a transition by itself, may come between any two others.

    >>> from multiplane.systems import systems
    >>> longest(systems["2-planar[]"], 10)  # S1, Proposition 11: 2(n + 2n + 8n - 12) + 1
    197
    """
    properties = system.properties()
    if not properties["linear_transitions"]:
        return None
    arcs = system.stacks * max(4 * n - 6, 0) // (2 if system.is_undirected else 1)
    if properties["single_head"] or (system.is_undirected and properties["acyclic"]):
        arcs = max(n - bool(properties["acyclic"]), 0)
    growth = max(0, *(-_Effect.of(transition).buffer for transition in system.transitions.values()))
    reduces = any(step.op is Op.REDUCE for t in system.transitions.values() for step in t.steps)
    others = arcs + system.stacks * n * reduces
    total = others + n + growth * others
    if _switches(system):
        total = system.stacks * total + system.stacks - 1
    return total
