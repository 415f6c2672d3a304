"""Synchronous derivations: a tree and a graph over one queue, word by word (S4 §3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from multiplane.errors import TransitionError
from multiplane.systems.configuration import Configuration
from multiplane.systems.system import TransitionSystem

Layer = Literal["syntax", "semantics"]


class Step(NamedTuple):
    """A transition of one of the layers; a semantic one that reads a word also says what the next word is."""

    layer: Layer
    transition: str
    sense: str | None = None
    """The sense of the next word if it is a predicate."""

    def __str__(self) -> str:
        sense = "" if self.sense is None else f" next={self.sense}"
        return f"{self.layer}: {self.transition}{sense}"


@dataclass(frozen=True)
class SynchronousSystem:
    """Any syntactic and any semantic system, coupled over one queue.

    A derivation is a sequence of chunks, two per word: syntactic transitions up to the one that reads the next word,
    then semantic ones up to the one that reads the same word. S4 calls the change of layers SWITCH, and the two
    transitions that read the word one SHIFT. A word that a transition moves back to the buffer has been read already,
    so systems with UNSHIFT or SWAP can stand on either side.

    >>> from multiplane.systems import systems
    >>> c = SynchronousSystem(systems["2-planar"], systems["swap-graph"]).initial(2)
    >>> c.layer, c.apply("SHIFT").layer, c.apply("SHIFT").apply("SHIFT", sense="go.01").layer
    ('syntax', 'semantics', 'syntax')
    """

    syntax: TransitionSystem
    semantics: TransitionSystem

    def initial(self, n: int, sense: str | None = None) -> SynchronousConfiguration:
        """Returns the initial configuration of n words; `sense` is that of the first word if it is a predicate."""
        predicates = {} if sense is None else {1: sense}
        return SynchronousConfiguration(self.syntax.initial(n), self.semantics.initial(n), n, n, predicates)

    def run(self, n: int, steps: list[Step], sense: str | None = None) -> SynchronousConfiguration:
        """Returns the configuration after some steps; raises `TransitionError` if one is not legal."""
        c = self.initial(n, sense)
        for step in steps:
            if step.layer != c.layer:
                raise TransitionError(f"{step} is not legal here: a transition of {c.layer} must come next")
            c = c.apply(step.transition, sense=step.sense)
        return c


@dataclass(frozen=True)
class SynchronousConfiguration:
    """A configuration of each layer over the same words. Immutable: `apply` returns a new one."""

    syntax: Configuration
    semantics: Configuration
    unread_by_syntax: int
    """The number of words that the layer has not read yet."""
    unread_by_semantics: int
    predicates: Mapping[int, str] = field(default_factory=dict)
    """The senses of the predicates found so far, by position."""

    @property
    def is_terminal(self) -> bool:
        """Whether both layers are at their end."""
        return self.syntax.is_terminal and self.semantics.is_terminal

    @property
    def layer(self) -> Layer:
        """The layer whose turn it is: semantics follows syntax word by word."""
        if self.syntax.is_terminal or self.semantics.is_terminal:
            return "semantics" if self.syntax.is_terminal else "syntax"
        return "semantics" if self.unread_by_syntax < self.unread_by_semantics else "syntax"

    def legal(self) -> list[str]:
        """Returns the names of the transitions that are legal in the layer whose turn it is, without labels."""
        return (self.syntax if self.layer == "syntax" else self.semantics).legal()

    def apply(self, transition: str, *, sense: str | None = None) -> SynchronousConfiguration:
        """Returns the configuration after a transition of the layer whose turn it is.

        `sense` makes the next word a predicate; only a semantic transition that reads a word can do that.
        """
        if self.layer == "syntax":
            if sense is not None:
                raise TransitionError(
                    f"{transition} is syntactic; only a semantic transition that reads a word can have a sense"
                )
            after = self.syntax.apply(transition)
            return replace(self, syntax=after, unread_by_syntax=_unread(after, self.unread_by_syntax))
        after = self.semantics.apply(transition)
        unread = _unread(after, self.unread_by_semantics)
        predicates = dict(self.predicates)
        if sense is not None:
            if unread in (self.unread_by_semantics, 0):
                raise TransitionError(f"{transition} has a sense, but does not read a next word")
            predicates[after.n - unread + 1] = sense
        return replace(self, semantics=after, unread_by_semantics=unread, predicates=predicates)


def _unread(c: Configuration, before: int) -> int:
    """Returns the number of words that have not been read, which never grows; an artificial root is no word."""
    waiting = len(c.buffer) - (c.system.root == "right")
    return min(before, max(waiting, 0))
