"""The content of interactive SVG images: a group for every word, root and arc."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from multiplane.visual.crossing import crossing_arcs
from multiplane.visual.layout import LABEL_SIZE, TAG_SIZE, WORD_SIZE, Drawing, Layout, Mark, PlacedArc, PlacedRoot
from multiplane.visual.paint import Palette, Pen
from multiplane.visual.shapes import (
    arc_path,
    arc_tip,
    label_of,
    number,
    rectangle,
    root_path,
    root_tip,
    text_at,
)

__all__ = ["groups"]

HIT_WIDTH = 9  # of the invisible lines that make arcs easy to point at


def groups(drawing: Drawing, layout: Layout, palette: Palette) -> Iterator[str]:
    """Draws all words, roots and arcs.

    Higher arcs come before lower ones, and roots first of all: only their legs can run through the labels of others.
    """
    words = [f"{position} {word.text}" for position, word in enumerate(layout.words, 1)]
    yield from (_root(root, words, layout.undirected, palette) for root in layout.roots)
    arcs = sorted(
        zip(layout.arcs, crossing_arcs(drawing), strict=True),
        key=lambda pair: (-pair[0].level, pair[0].dependent, pair[0].head),
    )
    yield from (_arc(arc, crosses, words, layout.undirected, palette) for arc, crosses in arcs)
    yield from (_word(position, layout, palette) for position in range(1, len(words) + 1))


def _arc(arc: PlacedArc, crosses: bool, words: list[str], undirected: bool, palette: Palette) -> str:
    kind = "edge" if undirected else "arc"
    classes = f"{kind} plane-{arc.plane + 1}{_class_of(arc.mark)}{' crossing' if crosses else ''}"
    left, right = sorted((arc.head, arc.dependent))
    line = "–" if undirected else "→" if arc.head == left else "←"
    data = (
        f'data-head="{arc.head}" data-dependent="{arc.dependent}" data-label="{escape(arc.label)}" '
        f'data-plane="{arc.plane}"'
    )
    name = f"{arc.label or kind}: {words[left - 1]} {line} {words[right - 1]}"
    parts = _line(arc_path(arc, undirected)) + arc_tip(arc, undirected, palette) + _label(arc, palette)
    return _line_group(classes, data, name, arc.mark, palette.pen(arc.plane, arc.mark), parts)


def _root(root: PlacedRoot, words: list[str], undirected: bool, palette: Palette) -> str:
    data = f'data-dependent="{root.word}" data-label="{escape(root.label)}"'
    name = f"{root.label or 'root'}: {words[root.word - 1]}"
    parts = _line(root_path(root, undirected)) + root_tip(root, undirected, palette) + _label(root, palette)
    return _line_group(f"root{_class_of(root.mark)}", data, name, root.mark, palette.pen(None, root.mark), parts)


def _line_group(classes: str, data: str, name: str, mark: Mark | None, pen: Pen, parts: str) -> str:
    remark = f" ({mark.replace('-', ' ')})" if mark else ""
    return f'<g class="{classes}" {data} {_button(name + remark)} fill="none" {pen.attributes}>{parts}</g>'


def _word(position: int, layout: Layout, palette: Palette) -> str:
    word = layout.words[position - 1]
    x = word.box.centre
    parts = rectangle(word.box, "transparent", ' class="hit"')
    parts += text_at("form", x, layout.baseline, word.text, f' font-size="{number(WORD_SIZE)}" fill="{palette.ink}"')
    if word.tag:
        style = f' font-size="{number(TAG_SIZE)}" fill="{palette.grey}"'
        parts += text_at("tag", x, layout.tag_baseline, word.tag, style)
    name = f"{position} {word.text}" + (f", {word.tag}" if word.tag else "")
    return f'<g class="word" data-word="{position}" {_button(name)}>{parts}</g>'


def _line(path: str) -> str:
    hit = f'<path class="hit" d="{path}" stroke="transparent" stroke-width="{HIT_WIDTH}" stroke-dasharray="none"/>'
    return f'{hit}<path class="line" d="{path}"/>'


def _label(placed: PlacedArc | PlacedRoot, palette: Palette) -> str:
    label = label_of(placed, palette)
    return f'<g stroke="none" font-size="{number(LABEL_SIZE)}">{label}</g>' if label else ""


def _button(name: str) -> str:
    return f'tabindex="0" role="button" aria-label="{escape(name)}"'


def _class_of(mark: Mark | None) -> str:
    return f" {mark}" if mark else ""
