"""Draws dependency graphs with separate planes, as SVG, as text for a terminal, or as TikZ for LaTeX."""

from multiplane.visual.layout import Drawing
from multiplane.visual.marks import compared, highlighted
from multiplane.visual.sentence import DRAWN_LAYERS, DrawnLayer, drawing_of
from multiplane.visual.svg import svg
from multiplane.visual.text import text
from multiplane.visual.tikz import tikz

__all__ = ["DRAWN_LAYERS", "Drawing", "DrawnLayer", "compared", "drawing_of", "highlighted", "svg", "text", "tikz"]
