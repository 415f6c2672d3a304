"""Draws a dependency graph as a self-contained SVG image, without scripts, style sheets or embedded fonts."""

from collections.abc import Iterator
from html import escape

from multiplane.visual.layout import (
    CORNER,
    LABEL_SIZE,
    LEGEND_STEP,
    LINE,
    LONGEST_TITLE,
    MARGIN,
    TAG_SIZE,
    WORD_SIZE,
    Box,
    Drawing,
    Layout,
    PlacedArc,
    PlacedRoot,
    lay_out,
    printable,
)

__all__ = ["COLOURS", "svg"]

# The colour-blind-safe hues of Okabe and Ito, darkened so that text is readable on white (a contrast of at least 4.5
# to 1).
COLOURS = ("#0069a8", "#bf4a00", "#00795a", "#a8447c", "#8a6100", "#2d7296")
# Planes on the same side also differ in their dashes, so that colour is never the only cue.
DASHES = ("", "7 3", "2 3", "9 3 2 3")
INK, GREY, PAPER = "#222222", "#6b6b6b", "#ffffff"
ARROW_LENGTH, ARROW_WIDTH = 6.5, 6.5
FONTS = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif"


def svg(drawing: Drawing) -> str:
    """Draws a graph as a complete SVG document.

    Each arc is an element of class `arc` with attributes `data-head`, `data-dependent` and `data-plane`. If the drawing
    is undirected, each edge is one of class `edge` with `data-ends`, the left word first, and `data-plane`.

    >>> image = svg(Drawing(("I", "sleep"), planes=(((2, 1, "nsubj"),),), roots=((2, "root"),)))
    >>> image.count('class="arc"'), image.count('class="root"')
    (1, 1)
    """
    return "\n".join(_lines(drawing, lay_out(drawing))) + "\n"


def _lines(drawing: Drawing, layout: Layout) -> Iterator[str]:
    width, height = _number(layout.width), _number(layout.height)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" font-family="{FONTS}" text-anchor="middle">'
    )
    sentence = printable(" ".join(word.text for word in layout.words[:LONGEST_TITLE]), LONGEST_TITLE)
    yield f"<title>{escape(layout.title or sentence)}</title>"
    yield f'<rect width="100%" height="100%" rx="6" fill="{PAPER}"/>'
    if layout.title:
        yield (
            f'<text class="title" x="{_number(MARGIN)}" y="{_number(MARGIN + LABEL_SIZE)}" text-anchor="start" '
            f'font-size="{_number(LABEL_SIZE + 2)}" fill="{GREY}">{escape(layout.title)}</text>'
        )
    # Lines come before labels, so that no line runs through a label; outer planes come before inner ones.
    yield f'<g fill="none" stroke="{INK}" stroke-width="1.4">'
    yield from (_root_line(root, layout.undirected) for root in layout.roots)
    yield "</g>"
    for plane in reversed(range(len(drawing.planes))):
        arcs = [arc for arc in layout.arcs if arc.plane == plane]
        if arcs:
            dash = DASHES[plane // 2 % len(DASHES)]
            dashes = f' stroke-dasharray="{dash}"' if dash else ""
            yield f'<g fill="none" stroke="{_colour(plane)}" stroke-width="1.4"{dashes}>'
            yield from (_arch(arc, layout.undirected) for arc in arcs)
            yield "</g>"
    yield f'<g font-size="{_number(LABEL_SIZE)}">'
    yield from (_label(arc.label, arc.label_box, _colour(arc.plane)) for arc in layout.arcs if arc.label)
    yield from (_label(root.label, root.label_box, INK) for root in layout.roots if root.label)
    yield "</g>"
    yield f'<g font-size="{_number(WORD_SIZE)}" fill="{INK}">'
    for word in layout.words:
        yield _text("word", word.box.centre, layout.baseline, word.text)
    yield "</g>"
    if any(word.tag for word in layout.words):
        yield f'<g font-size="{_number(TAG_SIZE)}" fill="{GREY}">'
        for word in layout.words:
            if word.tag:
                yield _text("tag", word.box.centre, layout.tag_baseline, word.tag)
        yield "</g>"
    if layout.legend:
        yield from _legend(layout)
    yield "</svg>"


def _arch(arc: PlacedArc, undirected: bool) -> str:
    forward = 1 if arc.dependent_x > arc.head_x else -1
    down = 1 if arc.foot > arc.bar else -1  # from the bar to the words
    corner = min(CORNER, abs(arc.dependent_x - arc.head_x) / 2)
    head_x, dependent_x, bar = _number(arc.head_x), _number(arc.dependent_x), _number(arc.bar)
    shoulder = _number(arc.bar + down * corner)
    end = arc.foot if undirected else arc.foot - down * (ARROW_LENGTH - 1)
    path = (
        f"M{head_x} {_number(arc.foot)}V{shoulder}Q{head_x} {bar} {_number(arc.head_x + forward * corner)} {bar}"
        f"H{_number(arc.dependent_x - forward * corner)}Q{dependent_x} {bar} {dependent_x} {shoulder}"
        f"V{_number(end)}"
    )
    if undirected:
        ends = f"{arc.head} {arc.dependent}"
        return f'<g class="edge" data-ends="{ends}" data-plane="{arc.plane + 1}"><path d="{path}"/></g>'
    return (
        f'<g class="arc" data-head="{arc.head}" data-dependent="{arc.dependent}" data-plane="{arc.plane + 1}">'
        f'<path d="{path}"/>{_arrow_head(arc.dependent_x, arc.foot, down, _colour(arc.plane))}</g>'
    )


def _root_line(root: PlacedRoot, undirected: bool) -> str:
    start = f"M{_number(root.x)} {_number(root.label_box.bottom)}"
    if undirected:
        return f'<g class="root" data-ends="0 {root.word}"><path d="{start}V{_number(root.foot)}"/></g>'
    return (
        f'<g class="root" data-dependent="{root.word}"><path d="{start}'
        f'V{_number(root.foot - ARROW_LENGTH + 1)}"/>{_arrow_head(root.x, root.foot, 1, INK)}</g>'
    )


def _arrow_head(x: float, tip: float, down: int, colour: str) -> str:
    # Not an SVG marker: markers have ids, and those of two images on one page would clash.
    half = _number(ARROW_WIDTH / 2)
    return (
        f'<path d="M{_number(x)} {_number(tip)}l-{half} {_number(-down * ARROW_LENGTH)}h{_number(ARROW_WIDTH)}z" '
        f'fill="{colour}" stroke="none"/>'
    )


def _label(label: str, box: Box, colour: str) -> str:
    rectangle = (
        f'<rect x="{_number(box.left)}" y="{_number(box.top)}" width="{_number(box.right - box.left)}" '
        f'height="{_number(box.bottom - box.top)}" rx="3" fill="{PAPER}"/>'
    )
    middle = (box.top + box.bottom) / 2 + 0.35 * LABEL_SIZE  # from the centre of the letters to their baseline
    return rectangle + _text("label", box.centre, middle, label, f' fill="{colour}"')


def _legend(layout: Layout) -> Iterator[str]:
    y = layout.height - MARGIN - LINE / 4
    yield f'<g font-size="{_number(LABEL_SIZE)}" text-anchor="start">'
    for position, (plane, name) in enumerate(zip(layout.legend, layout.legend_names, strict=True)):
        x = MARGIN + LEGEND_STEP * position
        dash = DASHES[plane // 2 % len(DASHES)]
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        yield f'<path d="M{_number(x)} {_number(y)}h24" stroke="{_colour(plane)}" stroke-width="1.8"{dashes}/>'
        middle = y + 0.35 * LABEL_SIZE
        yield _text("legend", x + 30, middle, name, f' fill="{_colour(plane)}"')
    yield "</g>"


def _text(kind: str, x: float, y: float, content: str, more: str = "") -> str:
    return f'<text class="{kind}" x="{_number(x)}" y="{_number(y)}"{more}>{escape(content)}</text>'


def _colour(plane: int) -> str:
    return COLOURS[plane % len(COLOURS)]


def _number(value: float) -> str:
    """Formats with one decimal, finer than a screen's pixels, and without an exponent."""
    return f"{value:.1f}".removesuffix(".0")
