"""The shape of a neural parser: what it looks at, and how wide its layers are."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, NamedTuple

from multiplane.errors import FeatureError, TrainingError
from multiplane.features import VIEWS, FeatureModel, Node
from multiplane.systems import TransitionSystem

Activation = Literal["relu", "tanh"]
View = Literal["default", "fast", "s2"]

_WIDEST = 4096


class Look(NamedTuple):
    """Where a network looks in a configuration."""

    slots: tuple[Node, ...]
    """The words whose vectors the hidden layer sees; their order is that of the weights."""
    focus: tuple[Node, ...]
    """The words whose heads and dependents to come it sees too."""

    def features(self, system: TransitionSystem) -> int:
        """How many numbers the hidden layer sees beside words.

        For every word of the focus the probabilities of heads among them, of a root, of a head to come, and how many
        dependents are to come; and of stacks that can be active for long, which one is.

        >>> from multiplane.systems import systems
        >>> [Look((), ()).features(systems[name]) for name in ("planar", "2-planar", "2-planar-eager")]
        [0, 1, 0]
        """
        focus = len(self.focus)
        return focus * (focus + 2) + other_stacks(system)


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """Widths of the layers of a network; 0 drops a part.

    >>> Architecture().units
    200
    >>> Architecture(units=0)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: units is a whole number from 1 to 4096, not 0
    """

    word: int = 100
    """The embedding of a word in lower case."""
    characters: int = 100
    """The vector made from the characters of a word."""
    character: int = 32
    """The embedding of one character."""
    lemma: int = 64
    """The embedding of a lemma that is given."""
    tag: int = 32
    """Each of the embeddings of UPOS, XPOS and FEATS that are given."""
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
    """Which of the `Slots` of a feature model the layer from which transitions are scored sees."""

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

    def look(self, features: FeatureModel) -> Look:
        """Where a network of this shape looks: the slots of its view, and the focus if it guesses heads.

        >>> [str(node) for node in Architecture(arc=0).look(FeatureModel.load("planar")).slots[:3]]
        ['stack[0]', 'stack[1]', 'stack[2]']
        """
        slots, focus = getattr(features.slots, self.view), features.slots.focus
        if not slots:
            raise FeatureError(
                f"{features.name}: slots.{self.view}: empty; a neural parser needs at least one slot, such as stack[0]"
            )
        if self.arc and not focus:
            raise FeatureError(
                f"{features.name}: slots.focus: empty; a neural parser that guesses heads needs at least one word; "
                "without guesses (arc=0) it needs none"
            )
        return Look(slots, focus if self.arc else ())


def other_stacks(system: TransitionSystem) -> int:
    """How many stacks beside the first can be active between two transitions.

    While stacks hold the same words they look the same, but arcs of the first plane are not for the second.

    >>> from multiplane.systems import systems
    >>> other_stacks(systems["3-planar"]), other_stacks(systems["3-planar-direct"])
    (2, 0)
    """
    return system.stacks - 1 if system.changes_stack else 0


CHOICES: dict[str, tuple[str, ...]] = {"activation": ("relu", "tanh"), "view": VIEWS}
"""The settings that are one of a few words."""
_NEEDED = ("word", "layers", "units", "hidden", "label_hidden")
