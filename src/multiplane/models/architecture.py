"""The shape of a neural parser: what it looks at, and how wide its layers are."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from multiplane.errors import TrainingError
from multiplane.systems import TransitionSystem

Activation = Literal["relu", "tanh"]
View = Literal["default", "fast", "s2"]

_ENDS = ("ldep(stack[0])", "rdep(stack[0])", "ldep(buffer[0])")
_STACKS = ("stack[0]", "stack[1]", "stack[2]", "inactive[0]", "inactive[1]")
SLOTS: dict[str, tuple[str, ...]] = {
    "default": (*_STACKS, "buffer[0]", *_ENDS, "buffer[1]", "head(stack[0])"),
    "fast": ("stack[0]", "stack[1]", "inactive[0]", "buffer[0]", *_ENDS, "buffer[1]", "head(stack[0])"),
    "s2": (*_STACKS, "buffer[0]", *_ENDS, *(f"{end}({node})" for node in _STACKS[1:] for end in ("ldep", "rdep"))),
}
"""Words of a configuration; those on a second stack only where a system has one."""
_WIDEST = 4096


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """Widths of the layers of a network; 0 leaves a part out.

    >>> Architecture().units
    200
    >>> Architecture(units=0)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: units is a whole number from 1 to 4096, not 0
    """

    word: int = 100
    """The embedding of a word in small letters."""
    characters: int = 100
    """What is made of the characters of a word."""
    character: int = 32
    """The embedding of one character."""
    lemma: int = 64
    """The embedding of a lemma that is given."""
    tag: int = 32
    """The embeddings of UPOS, of XPOS, and of FEATS that are given: so much for each."""
    layers: int = 2
    """Of the BiLSTM."""
    units: int = 200
    """Of the BiLSTM, in each direction."""
    projection: int = 128
    """Between the BiLSTM and the slots; 0 for none."""
    hidden: int = 128
    """The layer from which transitions are scored."""
    label_hidden: int = 100
    """The layer from which labels are scored."""
    arc: int = 100
    """The layers from which heads are guessed for all words at once."""
    activation: Activation = "relu"
    """Of the layer from which transitions are scored."""

    view: View = "default"
    """Which words the layer from which transitions are scored sees; see `SLOTS`."""

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise TrainingError(f"{name} is one of {', '.join(allowed)}, not {getattr(self, name)!r}")
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in CHOICES:
                continue
            least = int(field.name in _NEEDED)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _WIDEST:
                raise TrainingError(f"{field.name} is a whole number from {least} to {_WIDEST}, not {value!r}")
        if self.characters and not self.character:
            raise TrainingError("characters need embeddings: give character a width, or set characters to 0 too")

    def slots(self, system: TransitionSystem) -> tuple[str, ...]:
        """The addresses of the words that the hidden layer sees.

        >>> from multiplane.systems import systems
        >>> Architecture().slots(systems["planar"])[:3]
        ('stack[0]', 'stack[1]', 'stack[2]')
        """
        found = SLOTS[self.view]
        return found if system.stacks > 1 else tuple(address for address in found if "inactive" not in address)

    def focus(self, system: TransitionSystem) -> tuple[str, ...]:
        """The addresses of the words whose heads and dependents to come are looked at."""
        if not self.arc:
            return ()
        return ("stack[0]", "stack[1]", *(["inactive[0]"] if system.stacks > 1 else []), "buffer[0]")

    def features(self, system: TransitionSystem) -> int:
        """How many numbers the hidden layer sees beside words.

        For every word of the focus the probabilities of heads among them, of a root, of a head to come, and how many
        dependents are to come; and of stacks that can be active for long, which one is.

        >>> from multiplane.systems import systems
        >>> [Architecture(arc=0).features(systems[name]) for name in ("planar", "2-planar", "2-planar-eager")]
        [0, 1, 0]
        """
        focus = len(self.focus(system))
        return focus * (focus + 2) + other_stacks(system)


def other_stacks(system: TransitionSystem) -> int:
    """How many stacks beside the first can be active between two transitions.

    While stacks hold the same words they look the same, but arcs of the first plane are not for the second.

    >>> from multiplane.systems import systems
    >>> other_stacks(systems["3-planar"]), other_stacks(systems["3-planar-direct"])
    (2, 0)
    """
    return system.stacks - 1 if system.changes_stack else 0


CHOICES: dict[str, tuple[str, ...]] = {"activation": ("relu", "tanh"), "view": tuple(SLOTS)}
"""What is one of a few words."""
_NEEDED = ("word", "layers", "units", "hidden", "label_hidden")
