"""The catalogue: declarations of all systems from the papers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import combinations

from multiplane.display import Shown
from multiplane.errors import TransitionSystemError, UnknownSystemError
from multiplane.systems.elementary import (
    DROP,
    EXCHANGE,
    LEFT_ARC,
    REDUCE,
    RESTORE,
    RIGHT_ARC,
    SHIFT,
    SKIP,
    SWITCH,
    UNSHIFT,
    Composition,
    I,
)
from multiplane.systems.guards import (
    arc_front_to_top,
    arc_top_to_front,
    connected,
    front_has_head,
    may_switch,
    path_front_to_top,
    path_top_to_front,
    top_before_front,
    top_has_head,
)
from multiplane.systems.system import MOST_STACKS, TransitionSystem

CONSTRAINTS = ("single-head", "acyclic", "no-covered-roots")
"""The constraints of the planar family (S1 §3.3.2); the first two give the forest version, the default."""
FOREST = ("single-head", "acyclic")

SWAP = UNSHIFT >> EXCHANGE.where(top_before_front)
"""Nivre (2009): (σ|i|j, β) → (σ|j, i|β), if i precedes j."""
SWAP_TOPS = UNSHIFT >> EXCHANGE >> SHIFT
"""S4: (σ|i|j, β) → (σ|j|i, β)."""
SAME_TOPS = UNSHIFT >> SHIFT
"""Changes nothing, but is only defined if all stacks have the same top."""


def planar_arcs(constraints: tuple[str, ...]) -> tuple[Composition, Composition]:
    """Returns LEFT-ARC and RIGHT-ARC of the planar family under constraints (S1 §3.3.2, §5.1.2)."""
    left, right = LEFT_ARC, RIGHT_ARC
    if "single-head" in constraints:
        left, right = left.where(~top_has_head), right.where(~front_has_head)
    if "acyclic" in constraints:
        if "single-head" in constraints:
            left, right = left.where(~connected), right.where(~connected)
        else:
            left, right = left.where(~path_top_to_front), right.where(~path_front_to_top)
    return left, right


def planar(constraints: tuple[str, ...] = FOREST) -> TransitionSystem:
    """Returns the planar system (S0 §4, S1 §3.3) under any of the `CONSTRAINTS`.

    >>> print(planar(()).transitions["LEFT-ARC"])
    LEFT-ARC
    """
    left, right = planar_arcs(constraints)
    return TransitionSystem(
        "planar" + _suffix(constraints),
        SHIFT=SHIFT,
        REDUCE=REDUCE.where(top_has_head) if "no-covered-roots" in constraints else REDUCE,
        LEFT_ARC=left,
        RIGHT_ARC=right,
        oracle="planar",
        loss=_loss(constraints),
        features="planar",
        about="Gómez-Rodríguez and Nivre (2010, 2013)",
    )


def k_planar(k: int, constraints: tuple[str, ...] = FOREST) -> TransitionSystem:
    """Returns the system with k stacks (S1 §5): SHIFT works on all stacks, the other transitions on the active one.

    >>> k_planar(3).stacks
    3
    """
    if k == 1:
        return planar(constraints)
    if "no-covered-roots" in constraints:
        raise TransitionSystemError("no-covered-roots has no counterpart for more than one stack")
    left, right = planar_arcs(constraints)
    return TransitionSystem(
        f"{k}-planar" + _suffix(constraints),
        SHIFT=SHIFT,
        REDUCE=REDUCE,
        LEFT_ARC=left,
        RIGHT_ARC=right,
        SWITCH=SWITCH.where(may_switch),
        stacks=k,
        oracle="planar",
        loss=_loss(constraints),
        features=f"{k}-planar",
        about="Gómez-Rodríguez and Nivre (2010, 2013)",
    )


def k_planar_folded(k: int, constraints: tuple[str, ...] = FOREST) -> TransitionSystem:
    """Returns k-planar with SWITCH folded into the transition that follows it.

    >>> print(k_planar_folded(2).transitions["SWITCH-REDUCE"])
    SWITCH;REDUCE
    """
    transitions = {"SHIFT": SHIFT, **_on_a_stack(constraints)}
    for ahead in range(1, k):
        prefix = "SWITCH-" * ahead
        transitions |= {f"{prefix}{name}": SWITCH**ahead >> t for name, t in _on_a_stack(constraints).items()}
    return _variant("folded", k, constraints, transitions)


def k_planar_direct(k: int, constraints: tuple[str, ...] = FOREST) -> TransitionSystem:
    """Returns k-planar with a separate transition per stack instead of SWITCH.

    >>> print(k_planar_direct(2).transitions["REDUCE-2"])
    SWITCH;REDUCE;SWITCH
    """
    transitions = {"SHIFT": SHIFT, **_on_a_stack(constraints), **_on_further_stacks(k, constraints)}
    return _variant("direct", k, constraints, transitions)


def k_planar_joint(k: int, constraints: tuple[str, ...] = FOREST) -> TransitionSystem:
    """Returns k-planar-direct with a transition that removes a word from all stacks.

    >>> print(k_planar_joint(2).transitions["REDUCE-ALL"])
    UNSHIFT;SHIFT;REDUCE;SWITCH;REDUCE;SWITCH
    """
    transitions = {"SHIFT": SHIFT, "REDUCE-ALL": SAME_TOPS >> _reduce_all(k), **_on_a_stack(constraints)}
    return _variant("joint", k, constraints, transitions | _on_further_stacks(k, constraints))


def k_planar_eager(k: int, constraints: tuple[str, ...] = FOREST) -> TransitionSystem:
    """Returns k-planar-direct with the transition that usually follows an arc folded into it, as in arc-eager.

    A word that gets its head from the right usually leaves all stacks; one that gets it from the left is usually
    shifted. Plain arcs cover all other cases, so that nothing is lost.

    >>> print(k_planar_eager(2).transitions["RIGHT-SHIFT"])
    RIGHT-ARC|(H̄β ∧ i⇎*j);SHIFT
    """
    left, right = planar_arcs(constraints)
    transitions = {
        "SHIFT": SHIFT,
        "REDUCE-ALL": SAME_TOPS >> _reduce_all(k),
        "LEFT-REDUCE": SAME_TOPS >> left >> _reduce_all(k),
        "RIGHT-SHIFT": right >> SHIFT,
        **_on_a_stack(constraints),
    }
    return _variant("eager", k, constraints, transitions | _on_further_stacks(k, constraints))


def _on_a_stack(constraints: tuple[str, ...]) -> dict[str, Composition]:
    """Returns the transitions of k-planar on one stack."""
    left, right = planar_arcs(constraints)
    return {"REDUCE": REDUCE, "LEFT-ARC": left, "RIGHT-ARC": right}


def _on_further_stacks(k: int, constraints: tuple[str, ...]) -> dict[str, Composition]:
    """Returns the same transitions on each other stack, starting from and returning to the first."""
    return {
        f"{name}-{ahead + 1}": SWITCH**ahead >> transition >> SWITCH ** (k - ahead)
        for ahead in range(1, k)
        for name, transition in _on_a_stack(constraints).items()
    }


def _reduce_all(k: int) -> Composition:
    """Removes the top of every stack; the active stack stays active."""
    return reduce(Composition.__rshift__, [REDUCE >> SWITCH] * k)


def _variant(name: str, k: int, constraints: tuple[str, ...], transitions: dict[str, Composition]) -> TransitionSystem:
    if k == 1 or "no-covered-roots" in constraints:
        raise TransitionSystemError(f"k-planar-{name} needs at least 2 stacks and cannot have no-covered-roots")
    return TransitionSystem(
        f"{k}-planar-{name}" + _suffix(constraints),
        transitions,
        stacks=k,
        oracle="planar",
        loss=_loss(constraints),
        features=f"{k}-planar",
        about="2-planar without SWITCH" if k == 2 else "",
    )


def _loss(constraints: tuple[str, ...]) -> str | None:
    """S2's loss is for forests; the loss of the other versions is derived."""
    return "planar" if set(constraints) == set(FOREST) else None


def _suffix(constraints: tuple[str, ...]) -> str:
    """Returns the suffix that distinguishes a version from the default, the forest version."""
    unknown = set(constraints) - set(CONSTRAINTS)
    if unknown:
        raise TransitionSystemError(f"unknown constraint {sorted(unknown)[0]!r}; known: {', '.join(CONSTRAINTS)}")
    if set(constraints) == set(FOREST):
        return ""
    chosen = [constraint for constraint in CONSTRAINTS if constraint in constraints]
    return f"[{','.join(chosen)}]"


_DECLARATIONS = (
    TransitionSystem(
        "arc-standard",
        SHIFT=SHIFT,
        LEFT_ARC=LEFT_ARC >> REDUCE,
        RIGHT_ARC=RIGHT_ARC >> SHIFT >> REDUCE >> UNSHIFT,
        oracle="bottom-up",
        features="arc-standard",
        about="Nivre (2008)",
    ),
    TransitionSystem(
        "arc-standard-stack",
        SHIFT=SHIFT,
        LEFT_ARC=UNSHIFT >> LEFT_ARC >> REDUCE >> SHIFT,
        RIGHT_ARC=UNSHIFT >> RIGHT_ARC >> SHIFT >> REDUCE,
        oracle="bottom-up",
        features="arc-standard-stack",
        about="Nivre (2004), arcs between the two topmost words of the stack",
    ),
    TransitionSystem(
        "arc-eager",
        SHIFT=SHIFT,
        REDUCE=REDUCE.where(top_has_head),
        LEFT_ARC=LEFT_ARC.where(~top_has_head) >> REDUCE,
        RIGHT_ARC=RIGHT_ARC >> SHIFT,
        oracle="planar",
        loss="arc-eager",
        features="arc-eager",
        about="Nivre (2003)",
    ),
    TransitionSystem(
        "arc-hybrid",
        SHIFT=SHIFT,
        LEFT_ARC=LEFT_ARC >> REDUCE,
        RIGHT_ARC=UNSHIFT >> RIGHT_ARC >> SHIFT >> REDUCE,
        oracle="bottom-up",
        loss="arc-hybrid",
        features="arc-hybrid",
        about="Kuhlmann, Gómez-Rodríguez and Satta (2011)",
    ),
    TransitionSystem(
        "easy-first",
        SHIFT=SHIFT,
        ATTACH_RIGHT=SHIFT**I >> RIGHT_ARC >> SHIFT >> REDUCE >> UNSHIFT**I,
        ATTACH_LEFT=SHIFT**I >> LEFT_ARC >> REDUCE >> UNSHIFT ** (I - 1),
        oracle="bottom-up",
        features="easy-first",
        about="Goldberg and Elhadad (2010)",
    ),
    TransitionSystem(
        "arc-standard-dag",
        SHIFT=SHIFT,
        LEFT_REDUCE=LEFT_ARC >> REDUCE,
        RIGHT_REDUCE=RIGHT_ARC >> SHIFT >> REDUCE >> UNSHIFT,
        LEFT_ATTACH=LEFT_ARC.where(~arc_top_to_front),
        RIGHT_ATTACH=RIGHT_ARC.where(~arc_front_to_top) >> UNSHIFT,
        oracle="search",
        features="planar",
        about="Sagae and Tsujii (2008)",
    ),
    TransitionSystem(
        "arc-eager-dag",
        SHIFT=SHIFT,
        REDUCE=REDUCE.where(top_has_head),
        LEFT_ARC=LEFT_ARC.where(~arc_top_to_front),
        RIGHT_ARC=RIGHT_ARC.where(~arc_front_to_top),
        oracle="planar",
        features="planar",
        about="Sagae and Tsujii (2008)",
    ),
    *(planar(chosen) for size in (2, 0, 1, 3) for chosen in combinations(CONSTRAINTS, size)),
    k_planar(2),
    k_planar(2, ()),
    k_planar(3),
    k_planar_folded(2),
    k_planar_direct(2),
    k_planar_joint(2),
    k_planar_eager(2),
    TransitionSystem(
        "swap",
        SHIFT=SHIFT,
        LEFT_ARC=UNSHIFT >> LEFT_ARC >> REDUCE >> SHIFT,
        RIGHT_ARC=UNSHIFT >> RIGHT_ARC >> SHIFT >> REDUCE,
        SWAP=SWAP,
        oracle="swap-lazy",
        features="swap",
        about="Nivre (2009), Nivre, Kuhlmann and Hall (2009)",
    ),
    TransitionSystem(
        "arc-hybrid-swap",
        SHIFT=SHIFT,
        LEFT_ARC=LEFT_ARC >> REDUCE,
        RIGHT_ARC=UNSHIFT >> RIGHT_ARC >> SHIFT >> REDUCE,
        SWAP=EXCHANGE.where(top_before_front) >> UNSHIFT,
        oracle="arc-hybrid-swap",
        loss="arc-hybrid-swap",
        features="arc-hybrid-swap",
        about="de Lhoneux, Stymne and Nivre (2017)",
    ),
    TransitionSystem(
        "attardi",
        SHIFT=SHIFT,
        LEFT_ARC=LEFT_ARC >> REDUCE,
        RIGHT_ARC=RIGHT_ARC >> SHIFT >> REDUCE >> UNSHIFT,
        LEFT_ARC_2=SWAP_TOPS >> LEFT_ARC >> REDUCE,
        RIGHT_ARC_2=SWAP_TOPS >> RIGHT_ARC >> SHIFT >> REDUCE >> SWAP_TOPS >> UNSHIFT,
        oracle="bottom-up",
        features="attardi",
        about="Attardi (2006), degree 2",
    ),
    TransitionSystem(
        "covington",
        SHIFT=RESTORE >> SHIFT,
        NO_ARC=SKIP,
        LEFT_ARC=LEFT_ARC.where(~top_has_head & ~connected) >> SKIP,
        RIGHT_ARC=RIGHT_ARC.where(~front_has_head & ~connected) >> SKIP,
        oracle="planar",
        loss="covington",
        features="covington",
        about="Covington (2001), as in Nivre (2008)",
    ),
    TransitionSystem(
        "covington-projective",
        SHIFT=RESTORE >> SHIFT,
        NO_ARC=SKIP.where(top_has_head),
        LEFT_ARC=LEFT_ARC.where(~top_has_head & ~connected) >> REDUCE >> DROP,
        RIGHT_ARC=RIGHT_ARC.where(~front_has_head & ~connected) >> DROP >> SHIFT,
        oracle="planar",
        features="covington-projective",
        about="Covington (2001), as in Nivre (2008)",
    ),
    TransitionSystem(
        "swap-graph",
        SHIFT=SHIFT,
        REDUCE=REDUCE,
        LEFT_ARC=LEFT_ARC,
        RIGHT_ARC=RIGHT_ARC,
        SWAP=SWAP_TOPS,
        oracle="exhaustive",
        features="planar",
        about="Titov, Henderson, Merlo and Musillo (2009)",
    ),
)


_UNDIRECTED = "undirected-"
_DECLARATIONS += tuple(
    system.undirected()
    for system in _DECLARATIONS
    if system.name in ("planar", "2-planar", "2-planar-eager", "covington")
)

_VARIANTS = {
    None: k_planar,
    "folded": k_planar_folded,
    "direct": k_planar_direct,
    "joint": k_planar_joint,
    "eager": k_planar_eager,
}


class Catalogue(Shown, Mapping[str, TransitionSystem]):
    """The systems by name, including `k-planar` for any k, undirected variants, and those that users register.

    >>> list(systems["undirected-4-planar"])
    ['SHIFT', 'REDUCE', 'ARC', 'SWITCH']

    >>> systems["5-planar"].stacks
    5
    >>> systems["covigton"]
    Traceback (most recent call last):
    ...
    multiplane.errors.UnknownSystemError: unknown system 'covigton'; did you mean covington?
    """

    def __init__(self, declarations: tuple[TransitionSystem, ...]) -> None:
        self._systems = {system.name: system for system in declarations}
        self._generated: dict[str, TransitionSystem] = {}

    def __getitem__(self, name: str | TransitionSystem) -> TransitionSystem:
        if isinstance(name, TransitionSystem):
            return name
        if name in self._systems:
            return self._systems[name]
        if str(name).startswith(_UNDIRECTED):
            return self._undirected(str(name))
        if match := re.fullmatch(r"(?:([1-9]\d*)-)?planar(?:-(folded|direct|joint|eager))?(?:\[(.*)\])?", str(name)):
            k, variant, constraints = match.groups()
            if len(k or "") > len(str(MOST_STACKS)) or int(k or 1) > MOST_STACKS:
                raise TransitionSystemError(f"'{name[:80]}': k-planar is for 1 to {MOST_STACKS} stacks")
            chosen = FOREST if constraints is None else tuple(filter(None, constraints.split(",")))
            system = _VARIANTS[variant](int(k or 1), chosen)
            return self._systems.get(system.name) or self._generated.setdefault(system.name, system)
        from difflib import get_close_matches  # noqa: PLC0415 - only for the message

        close = get_close_matches(str(name), self._systems)
        hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(self._systems)}, and k-planar for any k"
        raise UnknownSystemError(f"unknown system '{name}'; {hint}")

    def _undirected(self, name: str) -> TransitionSystem:
        directed = name.removeprefix(_UNDIRECTED)
        try:
            if directed.startswith(_UNDIRECTED) and directed not in self._systems:
                raise UnknownSystemError  # a prefix, however often, is no name
            system = self[directed].undirected()
        except UnknownSystemError:
            from difflib import get_close_matches  # noqa: PLC0415 - only for the message

            known = [known.removeprefix(_UNDIRECTED) for known in self._systems if known.startswith(_UNDIRECTED)]
            close = get_close_matches(directed, known, 1) or known
            hint = ", ".join(_UNDIRECTED + name for name in close)
            hint = f"did you mean {hint}?" if len(close) == 1 else f"known: {hint}, and {_UNDIRECTED}k-planar for any k"
            raise UnknownSystemError(f"unknown system '{name}'; {hint}") from None
        return self._generated.setdefault(name, system)

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and self[name] is not None
        except TransitionSystemError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self._systems)

    def __len__(self) -> int:
        return len(self._systems)

    def twin(self, system: TransitionSystem) -> TransitionSystem | None:
        """Returns the catalogue's system with the same compositions, regardless of transition names, or None.

        >>> from multiplane.systems import REDUCE
        >>> mine = TransitionSystem("mine", NEXT=SHIFT, POP=REDUCE, A=LEFT_ARC, B=RIGHT_ARC)
        >>> systems.twin(mine).name
        'planar[]'
        """
        family: list[TransitionSystem] = []
        if system.stacks > 1:
            family = [variant(system.stacks, FOREST) for variant in _VARIANTS.values()]
            family = [variant.undirected() for variant in family] if system.is_undirected else family
        compositions = list(system.transitions.values())
        for known in (*self._systems.values(), *family):
            if known.stacks == system.stacks and list(known.transitions.values()) == compositions:
                return known
        return None

    def register(self, system: TransitionSystem) -> TransitionSystem:
        """Adds a system, so that it is available by name everywhere.

        >>> mine = Catalogue(()).register(TransitionSystem("mine", SHIFT=SHIFT))
        >>> mine.name
        'mine'
        """
        if not isinstance(system, TransitionSystem):
            raise TransitionSystemError(f"{system!r} is not a transition system")
        if system.name in self:
            raise TransitionSystemError(f"a system '{system.name}' already exists; choose another name")
        self._systems[system.name] = system
        return system


systems = Catalogue(_DECLARATIONS)
"""All systems, by name."""
