r"""Draws a dependency graph as LaTeX, for the package tikz-dependency.

By default, the package derives an arc's height from its length and puts words side by side, so that long labels
overlap. So the output specifies the layout explicitly, as distances between words and options of edges.
"""

import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from multiplane.visual.direction import has_rtl
from multiplane.visual.layout import WORD_SIZE, Drawing, Layout, Mark, PlacedArc, PlacedRoot, PlacedWord, lay_out
from multiplane.visual.paint import COLOURS, DASHES, WRONG, WRONG_DASHES

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

# For LuaTeX, else XeTeX. Macros with parameters would fail inside the arguments of others.
RTL = (
    r"\def\rtlbegin{\ifdefined\textdir\textdir TRT\else\TeXXeTstate=1\beginR\fi}"
    r"\def\rtlend{\ifdefined\textdir\else\endR\fi}"
)

PREAMBLE = r"""\usepackage{iftex}
% pdfLaTeX sets Latin script; for others use XeLaTeX or LuaLaTeX and choose a font with \setmainfont.
\ifPDFTeX\usepackage[T1]{fontenc}\usepackage{lmodern}\else\usepackage{fontspec}\fi
\usepackage{tikz-dependency}
\begin{document}"""


def tikz(*drawings: Drawing, standalone: bool = True) -> str:
    r"""Draws a graph, or several one below the other, as a LaTeX document.

    If not `standalone`, draws pictures to include in another document.

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
    layouts = [lay_out(drawing) for drawing in drawings]
    if len(layouts) == 1:
        title = _comment(layouts[0])
        lines = list(_picture(layouts[0])) if layouts[0].words else []
    else:
        title, lines = [], [line for layout in layouts for line in _titled(layout)]
    if standalone:
        width = ", varwidth=\\maxdimen" if len(layouts) > 1 else ""
        start = rf"\documentclass[border=6pt{width}]{{standalone}}"
        lines = [*title, start, PREAMBLE, *lines, r"\end{document}"]
    return "".join(f"{line}\n" for line in lines)


def _comment(layout: Layout) -> list[str]:
    return [f"% {unicodedata.normalize('NFC', layout.title)}"] if layout.title else []


def _titled(layout: Layout) -> Iterator[str]:
    """Yields a picture of a sheet, below its title."""
    if layout.title:
        yield rf"\noindent{{\small {escaped(layout.title)}}}\par"
    if layout.words:
        yield r"\noindent"
        yield from _picture(layout)
    yield r"\par\bigskip"


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
    if any(arc.mark for arc in layout.arcs) or any(root.mark for root in layout.roots):
        definitions.append(rf"\definecolor{{wrong}}{{HTML}}{{{WRONG[1:].upper()}}}")
    if any(has_rtl(text) for word in layout.words for text in (word.text, word.tag)):
        definitions.append(RTL)
    # Columns are counted from the left, even if words are not.
    words = layout.words[::-1] if layout.rtl else layout.words
    # The braces keep the definitions local; a document may contain many pictures.
    yield "{" + ("\n".join(definitions) or "%")
    yield r"\begin{dependency}[edge horizontal padding=0pt, edge slant=0pt, label style={draw=none, inner sep=2pt}]"
    yield r"\begin{deptext}[row 2/.style={nodes={text=black!60, font=\scriptsize}}]"
    # Each text is in braces, because [ and | are special at the start of a cell.
    yield _cell(words[0])
    for previous, word in pairwise(words):
        yield rf"\&[{_points(word.box.left - previous.box.right)}] {_cell(word)}"
    yield r"\\"
    if any(word.tag for word in words):
        yield r" \& ".join(f"{{{_directed(word.tag)}}}" for word in words) + r" \\"
    yield r"\end{deptext}"
    yield from (_root(root, layout) for root in layout.roots)
    yield from (_edge(arc, layout) for arc in layout.arcs)
    yield r"\end{dependency}}"


def _root(root: PlacedRoot, layout: Layout) -> str:
    height = root.foot - (root.label_box.top + root.label_box.bottom) / 2 + WORD_SIZE / 2
    no_arrow = ", edge style={-}" if layout.undirected else ""
    options = f"edge height={_points(height)}{no_arrow}{_hidden(root.label)}{_mark(root.mark)}"
    return rf"\deproot[{options}]{{{_column(root.word, layout)}}}{{{escaped(root.label)}}}"


def _edge(arc: PlacedArc, layout: Layout) -> str:
    ends = f"{{{_column(arc.head, layout)}}}{{{_column(arc.dependent, layout)}}}"
    return rf"\depedge[{_options(arc, layout)}]{ends}{{{escaped(arc.label)}}}"


def _column(word: int, layout: Layout) -> int:
    return len(layout.words) + 1 - word if layout.rtl else word


def _cell(word: PlacedWord) -> str:
    return f"|[minimum width={_points(word.box.right - word.box.left)}]| {{{_directed(word.text)}}}"


def _directed(text: str) -> str:
    return rf"\rtlbegin {escaped(text)}\rtlend{{}}" if has_rtl(text) else escaped(text)


def _style(plane: int, undirected: bool) -> Iterator[str]:
    name, colour = f"plane{plane + 1}", COLOURS[plane % len(COLOURS)]
    dash = DASHES[plane // 2 % len(DASHES)]
    dashes = f", {_dashes(dash)}" if dash else ""
    no_arrow = ", -" if undirected else ""
    below = "edge below, " if plane % 2 else ""
    yield rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:].upper()}}}"
    yield (
        rf"\depstyle{{plane {plane + 1}}}{{{below}edge style={{{name}, semithick{dashes}{no_arrow}}}, "
        rf"label style={{text={name}}}, rounded corners=4pt}}"
    )


def _options(arc: PlacedArc, layout: Layout) -> str:
    slide = arc.label_box.centre - (arc.head_x + arc.dependent_x) / 2
    label_style = f", label style={{xshift={_points(slide)}}}" if abs(slide) > 1 else ""
    head, dependent = (layout.words[word - 1].box.centre for word in (arc.head, arc.dependent))
    return (
        f"plane {arc.plane + 1}, edge height={_points(abs(arc.foot - arc.bar))}, "
        f"edge start x offset={_points(arc.head_x - head)}, "
        f"edge end x offset={_points(arc.dependent_x - dependent)}{label_style}{_hidden(arc.label)}{_mark(arc.mark)}"
    )


def _mark(mark: Mark | None) -> str:
    if mark == "highlight":
        return ", edge style={very thick}, label style={font=\\bfseries\\scriptsize}"
    if mark == "wrong-head":
        return f", edge style={{wrong, thick, {_dashes(WRONG_DASHES)}}}, label style={{text=wrong}}"
    return ", label style={text=wrong, draw=wrong, densely dotted}" if mark == "wrong-label" else ""


def _dashes(dashes: str) -> str:
    lengths = enumerate(dashes.split())
    return "dash pattern=" + " ".join(
        f"{'off' if position % 2 else 'on'} {_points(float(length))}" for position, length in lengths
    )


def _hidden(label: str) -> str:
    return "" if label else ", hide label"


def _points(length: float) -> str:
    return f"{POINTS * length:.1f}".removesuffix(".0").replace("-0.0", "0") + "pt"
