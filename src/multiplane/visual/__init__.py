"""Draw dependency graphs, each plane's arcs apart: as SVG, as text for a terminal, as TikZ for LaTeX."""

from multiplane.visual.layout import Drawing
from multiplane.visual.svg import svg
from multiplane.visual.text import text
from multiplane.visual.tikz import tikz

__all__ = ["Drawing", "svg", "text", "tikz"]
