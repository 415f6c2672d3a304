"""The colours and lines of SVG images."""

from __future__ import annotations

from dataclasses import dataclass

from multiplane.visual.layout import Mark

__all__ = ["COLOURS", "DASHES", "WRONG", "WRONG_DASHES", "Palette", "Pen"]

# The colour-blind-safe hues of Okabe and Ito, darkened so that text is readable on white (a contrast of at least 4.5
# to 1).
COLOURS = ("#0069a8", "#bf4a00", "#00795a", "#a8447c", "#8a6100", "#2d7296")
# Planes on the same side also differ in their dashes, so that colour is never the only cue.
DASHES = ("", "7 3", "2 3", "9 3 2 3")
INK, GREY, PAPER = "#222222", "#6b6b6b", "#ffffff"
WRONG, WRONG_DASHES = "#c8001e", "4 3"  # of arcs that are not in the gold standard


@dataclass(frozen=True)
class Pen:
    """How to draw a line.

    >>> Pen("red", 3, "4 3").attributes
    'stroke="red" stroke-width="3" stroke-dasharray="4 3"'
    """

    colour: str
    width: float = 1.4
    dashes: str = ""

    @property
    def attributes(self) -> str:
        """The pen as attributes of SVG."""
        dashes = f' stroke-dasharray="{self.dashes}"' if self.dashes else ""
        return f'stroke="{self.colour}" stroke-width="{self.width:g}"{dashes}'


@dataclass(frozen=True)
class Palette:
    """Fixed colours or, if `themed`, custom properties of the page with the fixed colours as fallbacks.

    >>> Palette().plane(0), Palette(themed=True).plane(0)
    ('#0069a8', 'var(--plane-1, #0069a8)')
    """

    themed: bool = False

    def plane(self, plane: int) -> str:
        """Returns the colour of a plane, given its index."""
        index = plane % len(COLOURS)
        return self._named(f"plane-{index + 1}", COLOURS[index])

    @property
    def ink(self) -> str:
        """The colour of words and roots."""
        return self._named("ink", INK)

    @property
    def grey(self) -> str:
        """The colour of titles and tags."""
        return self._named("grey", GREY)

    @property
    def paper(self) -> str:
        """The colour of the background."""
        return self._named("paper", PAPER)

    @property
    def wrong(self) -> str:
        """The colour of heads and labels that are wrong."""
        return self._named("wrong", WRONG)

    def pen(self, plane: int | None, mark: Mark | None = None) -> Pen:
        """Returns the pen for an arc of a plane, or for a root (None)."""
        if mark == "wrong-head":
            return Pen(self.wrong, 2, WRONG_DASHES)
        colour = self.ink if plane is None else self.plane(plane)
        dashes = "" if plane is None else DASHES[plane // 2 % len(DASHES)]
        return Pen(colour, 3, dashes) if mark == "highlight" else Pen(colour, dashes=dashes)

    def _named(self, name: str, colour: str) -> str:
        return f"var(--{name}, {colour})" if self.themed else colour
