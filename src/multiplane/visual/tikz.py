r"""Draws a dependency graph as LaTeX, for the package tikz-dependency.

By default, the package derives an arc's height from its length and puts words side by side, so that long labels
overlap. So the output specifies the layout explicitly, as distances between words and options of edges.
"""

import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from multiplane.visual.layout import WORD_SIZE, Drawing, Layout, PlacedArc, PlacedWord, lay_out
from multiplane.visual.svg import COLOURS, DASHES

__all__ = ["escaped", "tikz"]

POINTS = 10 / WORD_SIZE  # the size of a layout unit, with words in the usual 10 pt

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\symbol{38}",  # not \&, which separates the words
    "#": r"\#",
    "^": r"\textasciicircum{}",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "%": r"\%",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": "-{}",  # two of these, or two commas, would form a ligature
    ",": ",{}",
    "…": r"\dots{}",
    "\ufffd": "?",  # pdfLaTeX stops at this one
}

PREAMBLE = r"""\documentclass[border=6pt]{standalone}
\usepackage{iftex}
% pdfLaTeX sets Latin script; for others use XeLaTeX or LuaLaTeX and choose a font with \setmainfont.
\ifPDFTeX\usepackage[T1]{fontenc}\usepackage{lmodern}\else\usepackage{fontspec}\fi
\usepackage{tikz-dependency}
\begin{document}"""


def tikz(drawing: Drawing, standalone: bool = True) -> str:
    r"""Draws a graph as a LaTeX document or, if not `standalone`, as a picture to include in another document.

    >>> picture = tikz(Drawing(("I", "sleep"), planes=(((2, 1, "nsubj"),),), roots=((2, "root"),)), standalone=False)
    >>> print(picture, end="")  # doctest: +ELLIPSIS
    {\definecolor{plane1}{HTML}{0069A8}
    \depstyle{plane 1}{edge style={plane1...
    \begin{dependency}[edge horizontal padding=0pt, edge slant=0pt, label style={draw=none, inner sep=2pt}]
    \begin{deptext}...
    |[minimum width=6.2pt]| {I}
    \&[23.4pt] |[minimum width=28pt]| {sleep}
    \\
    \end{deptext}
    \deproot[edge height=35.6pt]{2}{root}
    \depedge[plane 1, edge height=16.9pt, edge start x offset=-6.2pt, edge end x offset=0pt]{2}{1}{nsubj}
    \end{dependency}}
    """
    layout = lay_out(drawing)
    lines = list(_picture(layout)) if layout.words else []
    if standalone:
        title = [f"% {unicodedata.normalize('NFC', layout.title)}"] if layout.title else []
        lines = [*title, PREAMBLE, *lines, r"\end{document}"]
    return "".join(f"{line}\n" for line in lines)


def escaped(text: str) -> str:
    r"""Escapes a text for LaTeX.

    >>> print(escaped("50 % of R&D_x"))
    50 \% of R\symbol{38}D\_x
    """
    # In composed form, because pdfLaTeX supports é but not combining accents.
    return "".join(SPECIAL.get(character, character) for character in unicodedata.normalize("NFC", text))


def _picture(layout: Layout) -> Iterator[str]:
    planes = sorted({arc.plane for arc in layout.arcs})
    definitions = [line for plane in planes for line in _style(plane, layout.undirected)]
    no_arrow = ", edge style={-}" if layout.undirected else ""
    # The braces keep the definitions local; a document may contain many pictures.
    yield "{" + ("\n".join(definitions) or "%")
    yield r"\begin{dependency}[edge horizontal padding=0pt, edge slant=0pt, label style={draw=none, inner sep=2pt}]"
    yield r"\begin{deptext}[row 2/.style={nodes={text=black!60, font=\scriptsize}}]"
    # Each text is in braces, because [ and | are special at the start of a cell.
    yield _cell(layout.words[0])
    for previous, word in pairwise(layout.words):
        yield rf"\&[{_points(word.box.left - previous.box.right)}] {_cell(word)}"
    yield r"\\"
    if any(word.tag for word in layout.words):
        yield r" \& ".join(f"{{{escaped(word.tag)}}}" for word in layout.words) + r" \\"
    yield r"\end{deptext}"
    centres = [word.box.centre for word in layout.words]
    for root in layout.roots:
        height = root.foot - (root.label_box.top + root.label_box.bottom) / 2 + WORD_SIZE / 2
        options = f"edge height={_points(height)}{no_arrow}{_hidden(root.label)}"
        yield rf"\deproot[{options}]{{{root.word}}}{{{escaped(root.label)}}}"
    for arc in layout.arcs:
        yield rf"\depedge[{_options(arc, centres)}]{{{arc.head}}}{{{arc.dependent}}}{{{escaped(arc.label)}}}"
    yield r"\end{dependency}}"


def _cell(word: PlacedWord) -> str:
    return f"|[minimum width={_points(word.box.right - word.box.left)}]| {{{escaped(word.text)}}}"


def _style(plane: int, undirected: bool) -> Iterator[str]:
    name, colour = f"plane{plane + 1}", COLOURS[plane % len(COLOURS)]
    dash = DASHES[plane // 2 % len(DASHES)].split()
    lengths = [f"{'off' if position % 2 else 'on'} {_points(float(length))}" for position, length in enumerate(dash)]
    dashes = f", dash pattern={' '.join(lengths)}" if lengths else ""
    no_arrow = ", -" if undirected else ""
    below = "edge below, " if plane % 2 else ""
    yield rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:].upper()}}}"
    yield (
        rf"\depstyle{{plane {plane + 1}}}{{{below}edge style={{{name}, semithick{dashes}{no_arrow}}}, "
        rf"label style={{text={name}}}, rounded corners=4pt}}"
    )


def _options(arc: PlacedArc, centres: list[float]) -> str:
    slide = arc.label_box.centre - (arc.head_x + arc.dependent_x) / 2
    label_style = f", label style={{xshift={_points(slide)}}}" if abs(slide) > 1 else ""
    return (
        f"plane {arc.plane + 1}, edge height={_points(abs(arc.foot - arc.bar))}, "
        f"edge start x offset={_points(arc.head_x - centres[arc.head - 1])}, "
        f"edge end x offset={_points(arc.dependent_x - centres[arc.dependent - 1])}{label_style}{_hidden(arc.label)}"
    )


def _hidden(label: str) -> str:
    return "" if label else ", hide label"


def _points(length: float) -> str:
    return f"{POINTS * length:.1f}".removesuffix(".0").replace("-0.0", "0") + "pt"
