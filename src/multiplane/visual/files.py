"""Draws sentences and graphs to files; the suffix determines the format."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from multiplane.errors import GraphError, InputError
from multiplane.formats import Sentence, writing
from multiplane.graphs import Arc, DependencyGraph
from multiplane.messages import counted
from multiplane.visual import raster
from multiplane.visual.direction import Direction
from multiplane.visual.layout import Drawing, lay_out
from multiplane.visual.sentence import Drawable, DrawnLayer, drawing_of
from multiplane.visual.svg import sheet_size, svg
from multiplane.visual.text import text
from multiplane.visual.tikz import tikz

__all__ = ["SUFFIXES", "draw", "drawings_of", "rendered", "suffix_of"]

SUFFIXES = (".svg", ".png", ".pdf", ".tex", ".txt")


def draw(
    what: Drawable | Iterable[Drawable],
    path: str | os.PathLike[str] | None = None,
    *,
    layer: DrawnLayer = "syntax",
    undirected: bool = False,
    rtl: Direction = "auto",
    highlight: Iterable[Arc] = (),
    gold: Sentence | Iterable[Sentence] | None = None,
    interactive: bool = False,
    scale: float = 2.0,
) -> str | None:
    """Draws a sentence or graph, or several on one sheet; see `multiplane.draw`."""
    suffix = ".txt" if path is None else suffix_of(path)
    drawings = list(drawings_of(what, layer=layer, undirected=undirected, rtl=rtl, highlight=highlight, gold=gold))
    content = rendered(drawings, suffix, interactive=interactive, scale=scale)
    if path is None:
        return content.decode()
    with writing(path) as stream:
        stream.write(content)
    return None


def suffix_of(path: str | os.PathLike[str]) -> str:
    """Returns the suffix of a file to draw, in lower case.

    >>> suffix_of("tree.SVG")
    '.svg'
    """
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{os.fspath(path)}: cannot draw such a file; its name must end in {', '.join(SUFFIXES)}")
    return suffix


def drawings_of(
    what: Drawable | Iterable[Drawable],
    *,
    layer: DrawnLayer = "syntax",
    undirected: bool = False,
    rtl: Direction = "auto",
    highlight: Iterable[Arc] = (),
    gold: Sentence | Iterable[Sentence] | None = None,
) -> Iterator[Drawing]:
    """Yields the drawings of one or several sentences or graphs, with their gold standards, if any."""
    highlight = list(highlight)
    if highlight and not isinstance(what, Sentence | DependencyGraph | Drawing):
        raise GraphError("only the arcs of a single sentence or graph can be highlighted")
    several: list[Drawable] = [what] if isinstance(what, Sentence | DependencyGraph | Drawing) else list(what)
    golds: list[Sentence | None] = [None] * len(several)
    if gold is not None:
        golds = [gold] if isinstance(gold, Sentence) else list(gold)
    if len(golds) != len(several):
        raise GraphError(f"{counted(len(golds), 'gold sentence')} for {counted(len(several), 'drawing')}")
    for one, its_gold in zip(several, golds, strict=True):
        yield drawing_of(one, layer=layer, undirected=undirected, rtl=rtl, highlight=highlight, gold=its_gold)


def rendered(
    drawings: Sequence[Drawing], suffix: str, *, interactive: bool = False, scale: float = 2.0, colour: bool = False
) -> bytes:
    r"""Returns one drawing, or several on one sheet, as the content of a file with this suffix.

    >>> rendered([Drawing(("Go",), roots=((1, "root"),))], ".txt")
    b'1 Go  0 root\n'
    """
    if suffix == ".txt":
        return "\n".join(text(drawing, colour) for drawing in drawings).encode()
    if suffix == ".tex":
        return tikz(*drawings).encode()
    image = svg(*drawings, interactive=interactive and suffix == ".svg")
    if suffix == ".svg":
        return image.encode()
    layouts = [lay_out(drawing) for drawing in drawings]
    words = {word.text for layout in layouts for word in layout.words}
    return raster.pdf(image, words) if suffix == ".pdf" else raster.png(image, sheet_size(layouts), words, scale)
