"""The parts of SVG images: arches, arrow heads, labels and texts."""

from __future__ import annotations

from html import escape

from multiplane.visual.direction import has_rtl, is_rtl
from multiplane.visual.layout import CORNER, LABEL_SIZE, Box, Mark, PlacedArc, PlacedRoot
from multiplane.visual.paint import Palette

__all__ = ["arc_path", "arc_tip", "arrow_head", "label_of", "number", "rectangle", "root_path", "root_tip", "text_at"]

ARROW_LENGTH, ARROW_WIDTH = 6.5, 6.5


def arc_path(arc: PlacedArc, undirected: bool) -> str:
    """Returns the path of an arch, which ends inside its arrow head."""
    forward = 1 if arc.dependent_x > arc.head_x else -1
    down = _down(arc)
    corner = min(CORNER, abs(arc.dependent_x - arc.head_x) / 2)
    head_x, dependent_x, bar = number(arc.head_x), number(arc.dependent_x), number(arc.bar)
    shoulder = number(arc.bar + down * corner)
    end = arc.foot if undirected else arc.foot - down * (ARROW_LENGTH - 1)
    return (
        f"M{head_x} {number(arc.foot)}V{shoulder}Q{head_x} {bar} {number(arc.head_x + forward * corner)} {bar}"
        f"H{number(arc.dependent_x - forward * corner)}Q{dependent_x} {bar} {dependent_x} {shoulder}"
        f"V{number(end)}"
    )


def arc_tip(arc: PlacedArc, undirected: bool, palette: Palette) -> str:
    """Returns the arrow head of an arch; edges have none."""
    colour = palette.pen(arc.plane, arc.mark).colour
    return "" if undirected else arrow_head(arc.dependent_x, arc.foot, _down(arc), colour)


def root_path(root: PlacedRoot, undirected: bool) -> str:
    """Returns the path from a root's label to its word."""
    end = root.foot if undirected else root.foot - ARROW_LENGTH + 1
    return f"M{number(root.x)} {number(root.label_box.bottom)}V{number(end)}"


def root_tip(root: PlacedRoot, undirected: bool, palette: Palette) -> str:
    """Returns the arrow head of a root; edges have none."""
    return "" if undirected else arrow_head(root.x, root.foot, 1, palette.pen(None, root.mark).colour)


def arrow_head(x: float, tip: float, down: int, colour: str) -> str:
    """Returns an arrow head that points down, or up if `down` is -1."""
    # Not an SVG marker: markers have ids, and those of two images on one page would clash.
    half = number(ARROW_WIDTH / 2)
    return (
        f'<path d="M{number(x)} {number(tip)}l-{half} {number(-down * ARROW_LENGTH)}h{number(ARROW_WIDTH)}z" '
        f'fill="{colour}" stroke="none"/>'
    )


def label_of(placed: PlacedArc | PlacedRoot, palette: Palette) -> str:
    """Returns the label of an arc or root on its background, or nothing if it has none."""
    if not placed.label:
        return ""
    box, mark = placed.label_box, placed.mark
    colour = palette.pen(placed.plane if isinstance(placed, PlacedArc) else None, mark).colour
    middle = (box.top + box.bottom) / 2 + 0.35 * LABEL_SIZE  # from the centre of the letters to their baseline
    frame = f' stroke="{palette.wrong}" stroke-width="1.2" stroke-dasharray="2 2"' if mark == "wrong-label" else ""
    style = f' fill="{palette.wrong if mark == "wrong-label" else colour}"{_weight(mark)}'
    return rectangle(box, palette.paper, frame) + text_at("label", box.centre, middle, placed.label, style)


def rectangle(box: Box, colour: str, more: str = "") -> str:
    """Returns a filled rectangle with round corners."""
    return (
        f'<rect x="{number(box.left)}" y="{number(box.top)}" width="{number(box.right - box.left)}" '
        f'height="{number(box.bottom - box.top)}" rx="3" fill="{colour}"{more}/>'
    )


def text_at(kind: str, x: float, y: float, content: str, more: str = "") -> str:
    """Returns a line of text, centred at x; its direction stays its own."""
    direction = ""
    if has_rtl(content):
        direction = f' direction="{"rtl" if is_rtl(content) else "ltr"}" unicode-bidi="isolate"'
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}"{more}{direction}>{escape(content)}</text>'


def number(value: float) -> str:
    """Formats with one decimal, finer than a screen's pixels, and without an exponent.

    >>> number(3.0), number(1234567.25)
    ('3', '1234567.2')
    """
    return f"{value:.1f}".removesuffix(".0")


def _down(arc: PlacedArc) -> int:
    """Returns the direction from the bar to the words."""
    return 1 if arc.foot > arc.bar else -1


def _weight(mark: Mark | None) -> str:
    return ' font-weight="bold"' if mark == "highlight" else ""
