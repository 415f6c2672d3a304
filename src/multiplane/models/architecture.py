"""The architecture of a neural parser: its inputs and the widths of its layers."""

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
    """The nodes of a configuration that a network reads."""

    slots: tuple[Node, ...]
    """The words whose vectors are inputs of the hidden layer, in the order of the weights."""
    focus: tuple[Node, ...]
    """The words whose predicted heads and dependents are inputs too."""

    def features(self, system: TransitionSystem) -> int:
        """Returns the number of further inputs of the hidden layer, besides word vectors.

        For every word of the focus: the probabilities of heads within the focus, of being a root and of a head still to
        come, and the expected number of dependents still to come. Also the active stack, if that can change.

        >>> from multiplane.systems import systems
        >>> [Look((), ()).features(systems[name]) for name in ("planar", "2-planar", "2-planar-eager")]
        [0, 1, 0]
        """
        focus = len(self.focus)
        return focus * (focus + 2) + other_stacks(system)


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """The widths of a network's layers; 0 omits a part.

    >>> Architecture().units
    200
    >>> Architecture(units=0)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: units must be an integer from 1 to 4096, not 0
    """

    word: int = 100
    """The embedding of a lower-cased word."""
    characters: int = 100
    """The vector computed from a word's characters."""
    character: int = 32
    """The embedding of a character."""
    affixes: int = 100
    """The sum of the embeddings of a word's prefixes and suffixes; by default 0 in training with tags in the input."""
    lemma: int = 64
    """The embedding of a lemma, if given in the input."""
    tag: int = 32
    """The embeddings of UPOS, XPOS and FEATS, if given in the input."""
    layers: int = 2
    """The number of BiLSTM layers."""
    units: int = 200
    """The BiLSTM units in each direction."""
    projection: int = 128
    """The layer between the BiLSTM and the slots; 0 for none."""
    hidden: int = 128
    """The hidden layer of the transition classifier."""
    label_hidden: int = 100
    """The hidden layer of the label classifier."""
    arc: int = 100
    """The layers that predict heads for all words at once."""
    tag_hidden: int = 128
    """The layer through which predicted tags depend on the word itself, besides the BiLSTM."""
    activation: Activation = "relu"
    """The activation of the hidden layer of the transition classifier."""

    view: View = "default"
    """The view of the feature model's `Slots` that the transition classifier uses."""

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise TrainingError(f"{name} must be one of {', '.join(allowed)}, not {getattr(self, name)!r}")
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in CHOICES:
                continue
            least = int(field.name in _NEEDED)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _WIDEST:
                raise TrainingError(f"{field.name} must be an integer from {least} to {_WIDEST}, not {value!r}")
        if self.characters and not self.character:
            raise TrainingError("characters need embeddings; give character a width, or set characters to 0 too")

    def look(self, features: FeatureModel) -> Look:
        """Returns the nodes that a network reads: the slots of its view, and the focus if it predicts heads.

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
                f"{features.name}: slots.focus: empty; a neural parser that predicts heads needs at least one word; "
                "add one, or set arc=0"
            )
        return Look(slots, focus if self.arc else ())


def other_stacks(system: TransitionSystem) -> int:
    """Returns how many stacks besides the first can be active between two transitions.

    Stacks with the same words look the same, so the network needs to know which plane is active.

    >>> from multiplane.systems import systems
    >>> other_stacks(systems["3-planar"]), other_stacks(systems["3-planar-direct"])
    (2, 0)
    """
    return system.stacks - 1 if system.changes_stack else 0


CHOICES: dict[str, tuple[str, ...]] = {"activation": ("relu", "tanh"), "view": VIEWS}
"""The settings with a fixed set of values."""
LATER: dict[str, int] = {"affixes": 0, "tag_hidden": 0}
"""Widths that models of earlier versions do not have."""
_NEEDED = ("word", "layers", "units", "hidden", "label_hidden")
