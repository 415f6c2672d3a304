"""Draws dependency graphs as self-contained SVG images, without scripts, style sheets or embedded fonts.

An image is static or *interactive*. A static image looks the same everywhere. In an interactive one, every arc, root
and word is a group that a page can style, focus and listen to, and colours follow the page's custom properties.
"""

from collections.abc import Iterator, Sequence
from html import escape

from multiplane.visual.interactive import groups
from multiplane.visual.layout import (
    LABEL_SIZE,
    LEGEND_STEP,
    LINE,
    LONGEST_TITLE,
    MARGIN,
    TAG_SIZE,
    WORD_SIZE,
    Drawing,
    Layout,
    PlacedArc,
    PlacedRoot,
    lay_out,
    printable,
)
from multiplane.visual.paint import COLOURS, Palette
from multiplane.visual.shapes import arc_path, arc_tip, label_of, number, root_path, root_tip, text_at

__all__ = ["COLOURS", "FONTS", "sheet_size", "svg"]

FONTS = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif"
SHEET_GAP = 8.0  # between two drawings on one sheet


def svg(*drawings: Drawing, interactive: bool = False) -> str:
    """Draws a graph, or several one below the other, as a complete SVG document.

    Each arc is an element of class `arc` with attributes `data-head`, `data-dependent` and `data-plane`. If the drawing
    is undirected, each edge is one of class `edge` with `data-ends`, the left word first, and `data-plane`.

    >>> image = svg(Drawing(("I", "sleep"), planes=(((2, 1, "nsubj"),),), roots=((2, "root"),)))
    >>> image.count('class="arc"'), image.count('class="root"')
    (1, 1)

    In an `interactive` image, arcs, roots and words are groups that can be focused and have names for screen readers.
    Their classes are `arc` (or `edge`), `root` and `word`; arcs also have `plane-K`, counted from 1, and `crossing` if
    they cross another arc. `data-plane` is an index and counts from 0. Colours are the custom properties `--plane-K`,
    `--ink`, `--grey`, `--paper` and `--wrong`, with the static colours as fallbacks.

    >>> image = svg(Drawing(("I", "sleep"), planes=(((2, 1, "nsubj"),),)), interactive=True)
    >>> print(image[image.index('<g class="arc') :].split(" fill=")[0])  # doctest: +NORMALIZE_WHITESPACE
    <g class="arc plane-1" data-head="2" data-dependent="1" data-label="nsubj" data-plane="0" tabindex="0"
    role="button" aria-label="nsubj: 1 I ← 2 sleep"
    """
    layouts = [lay_out(drawing) for drawing in drawings]
    if len(drawings) == 1:
        lines = list(_image(drawings[0], layouts[0], interactive))
    else:
        lines = list(_sheet(drawings, layouts, interactive))
    return "\n".join(lines) + "\n"


def sheet_size(layouts: Sequence[Layout]) -> tuple[float, float]:
    """Returns the width and height of the image of one or several drawings.

    >>> sheet_size([lay_out(Drawing(("a",)))] * 3) > sheet_size([lay_out(Drawing(("a",)))])
    True
    """
    width = max((layout.width for layout in layouts), default=2 * MARGIN)
    return width, sum(layout.height + SHEET_GAP for layout in layouts) - SHEET_GAP if layouts else 2 * MARGIN


def _sheet(drawings: Sequence[Drawing], layouts: Sequence[Layout], interactive: bool) -> Iterator[str]:
    palette = Palette(themed=interactive)
    size = sheet_size(layouts)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {_extent(*size)} role="group">'
    yield f'<rect width="100%" height="100%" rx="6" fill="{palette.paper}"/>'
    y = 0.0
    for drawing, layout in zip(drawings, layouts, strict=True):
        x = size[0] - layout.width if layout.rtl else 0.0
        yield from _image(drawing, layout, interactive, f' x="{number(x)}" y="{number(y)}"')
        y += layout.height + SHEET_GAP
    yield "</svg>"


def _image(drawing: Drawing, layout: Layout, interactive: bool, place: str = "") -> Iterator[str]:
    role = f'role="group" aria-label="{escape(_name(layout))}"' if interactive else 'role="img"'
    # Otherwise a page that runs from right to left would turn around where texts start and end.
    direction = ' direction="ltr"' if interactive or layout.rtl else ""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg"{place} {_extent(layout.width, layout.height)} '
        f'{role} font-family="{FONTS}" text-anchor="middle"{direction}>'
    )
    yield from _content(drawing, layout, interactive)
    yield "</svg>"


def _extent(width: float, height: float) -> str:
    w, h = number(width), number(height)
    return f'width="{w}" height="{h}" viewBox="0 0 {w} {h}"'


def _name(layout: Layout) -> str:
    return layout.title or printable(" ".join(word.text for word in layout.words[:LONGEST_TITLE]), LONGEST_TITLE)


def _content(drawing: Drawing, layout: Layout, interactive: bool) -> Iterator[str]:
    palette = Palette(themed=interactive)
    if not interactive:  # a browser would show it wherever the pointer rests
        yield f"<title>{escape(_name(layout))}</title>"
    yield f'<rect width="100%" height="100%" rx="6" fill="{palette.paper}"/>'
    if layout.title:
        yield _title(layout, palette)
    yield from groups(drawing, layout, palette) if interactive else _by_kind(drawing, layout, palette)
    if layout.legend:
        yield from _legend(layout, palette)


def _title(layout: Layout, palette: Palette) -> str:
    x, anchor = (layout.width - MARGIN, "end") if layout.rtl else (MARGIN, "start")
    return (
        f'<text class="title" x="{number(x)}" y="{number(MARGIN + LABEL_SIZE)}" text-anchor="{anchor}" '
        f'font-size="{number(LABEL_SIZE + 2)}" fill="{palette.grey}">{escape(layout.title)}</text>'
    )


def _by_kind(drawing: Drawing, layout: Layout, palette: Palette) -> Iterator[str]:
    """Draws the content of a static image: lines, labels, words and tags.

    Lines come before labels, so that no line runs through a label; outer planes come before inner ones.
    """
    yield f'<g fill="none" {palette.pen(None).attributes}>'
    yield from (_root_line(root, layout.undirected, palette) for root in layout.roots)
    yield "</g>"
    for plane in reversed(range(len(drawing.planes))):
        arcs = [arc for arc in layout.arcs if arc.plane == plane]
        if arcs:
            yield f'<g fill="none" {palette.pen(plane).attributes}>'
            yield from (_arch(arc, layout.undirected, palette) for arc in arcs)
            yield "</g>"
    yield f'<g font-size="{number(LABEL_SIZE)}">'
    placed: list[PlacedArc | PlacedRoot] = [*layout.arcs, *layout.roots]
    yield from (label_of(one, palette) for one in placed if one.label)
    yield "</g>"
    yield f'<g font-size="{number(WORD_SIZE)}" fill="{palette.ink}">'
    for word in layout.words:
        yield text_at("word", word.box.centre, layout.baseline, word.text)
    yield "</g>"
    if any(word.tag for word in layout.words):
        yield f'<g font-size="{number(TAG_SIZE)}" fill="{palette.grey}">'
        for word in layout.words:
            if word.tag:
                yield text_at("tag", word.box.centre, layout.tag_baseline, word.tag)
        yield "</g>"


def _arch(arc: PlacedArc, undirected: bool, palette: Palette) -> str:
    style = f" {palette.pen(arc.plane, arc.mark).attributes}" if arc.mark else ""
    if undirected:
        name = f'class="edge" data-ends="{arc.head} {arc.dependent}"'
    else:
        name = f'class="arc" data-head="{arc.head}" data-dependent="{arc.dependent}"'
    path = f'<path d="{arc_path(arc, undirected)}"/>'
    return f'<g {name} data-plane="{arc.plane + 1}"{style}>{path}{arc_tip(arc, undirected, palette)}</g>'


def _root_line(root: PlacedRoot, undirected: bool, palette: Palette) -> str:
    style = f" {palette.pen(None, root.mark).attributes}" if root.mark else ""
    name = f'data-ends="0 {root.word}"' if undirected else f'data-dependent="{root.word}"'
    path = f'<path d="{root_path(root, undirected)}"/>'
    return f'<g class="root" {name}{style}>{path}{root_tip(root, undirected, palette)}</g>'


def _legend(layout: Layout, palette: Palette) -> Iterator[str]:
    y = layout.height - MARGIN - LINE / 4
    first = layout.width - MARGIN - LEGEND_STEP * len(layout.legend) if layout.rtl else MARGIN
    yield f'<g font-size="{number(LABEL_SIZE)}" text-anchor="start">'
    for position, (plane, name) in enumerate(zip(layout.legend, layout.legend_names, strict=True)):
        x = first + LEGEND_STEP * position
        pen = palette.pen(plane)
        dashes = f' stroke-dasharray="{pen.dashes}"' if pen.dashes else ""
        yield f'<path d="M{number(x)} {number(y)}h24" stroke="{pen.colour}" stroke-width="1.8"{dashes}/>'
        yield text_at("legend", x + 30, y + 0.35 * LABEL_SIZE, name, f' fill="{pen.colour}"')
    yield "</g>"
