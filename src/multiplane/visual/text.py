"""Draws a dependency graph as text for a terminal, one word per line, so that long sentences stay readable."""

from itertools import groupby

import numpy as np
from rich.cells import cell_len

from multiplane.visual.direction import isolated
from multiplane.visual.layout import LONGEST_LABEL, LONGEST_TITLE, LONGEST_WORD, Drawing, Mark, printable

__all__ = ["text"]

# Arcs nested deeper than this are not drawn, only listed with their heads: a head with 20,000 dependents would need
# as many columns on as many lines.
DEEPEST = 60
ANSI = ("\x1b[94m", "\x1b[33m", "\x1b[32m", "\x1b[35m", "\x1b[36m", "\x1b[31m")
BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"

# The lines in a cell: to its left and right, up and down.
LEFT, RIGHT, UP, DOWN = 1, 2, 4, 8
LINES = {
    0: " ",
    LEFT | RIGHT: "─",
    UP | DOWN: "│",
    RIGHT | DOWN: "┌",
    RIGHT | UP: "└",
    LEFT | DOWN: "┐",
    LEFT | UP: "┘",
    LEFT | RIGHT | DOWN: "┬",
    LEFT | RIGHT | UP: "┴",
    RIGHT | UP | DOWN: "├",
    LEFT | UP | DOWN: "┤",
}
# As in a circuit diagram, lines that only cross look different from lines that meet.
CROSSING, MEETING = "┼", "╋"

MIRROR = str.maketrans("┌└├┐┘┤►◄", "┐┘┤┌└├◄►")
REMARKS: dict[Mark | None, str] = {
    None: "",
    "highlight": " ◆",
    "wrong-head": " (wrong head)",
    "wrong-label": " (wrong label)",
}

Cell = list[tuple[str, str]]  # pieces of text, each with its ANSI code or none


def text(drawing: Drawing, colour: bool = False) -> str:
    """Draws a graph as lines of text, with odd planes to the left of the words and even planes to the right.

    The columns in between are the number, the word, its tag, and its heads with the labels of the arcs. Undirected
    edges have no arrow heads, and each is listed at its later word, with the number of the earlier one. If the drawing
    has two layers, the first is on the left with its own column of heads, and the second on the right. If the sentence
    runs from right to left, so do the columns.

    >>> from dataclasses import replace
    >>> drawing = Drawing(
    ...     ("A", "hearing", "is", "scheduled", "on", "it"),
    ...     planes=(((2, 1, "det"), (4, 2, "nsubj"), (4, 3, "aux"), (5, 6, "obj")), ((2, 5, "nmod"),)),
    ...     roots=((4, "root"),),
    ... )
    >>> print(text(drawing), end="")
      ┌─► 1 A          2 det
    ┌─┴─► 2 hearing    4 nsubj ──┐
    │ ┌─► 3 is         4 aux     │
    └─┴── 4 scheduled  0 root    │
      ┌── 5 on         2 nmod  ◄─┘
      └─► 6 it         5 obj
    >>> print(text(replace(drawing, undirected=True)), end="")
      ┌── 1 A
    ┌─┴── 2 hearing    1 det                  ──┐
    │ ┌── 3 is                                  │
    └─┴── 4 scheduled  0 root, 2 nsubj, 3 aux   │
      ┌── 5 on         2 nmod                 ──┘
      └── 6 it         5 obj
    """
    n, rtl = len(drawing.words), drawing.from_right
    heads = [_padded(_heads(drawing, side), " ", rtl) for side in ((0, 1) if drawing.layers else (None,))]
    brackets = [_brackets(drawing, side) for side in (0, 1)]
    numbers: list[Cell] = [[(f"{number:{len(str(n))}}", "")] for number in range(1, n + 1)]
    words: list[Cell] = [[(isolated(printable(word, LONGEST_WORD)), "")] for word in drawing.words]
    tags: list[Cell] = [[(isolated(printable(tag, LONGEST_WORD)), DIM)] for tag in drawing.tags]
    if words == [[(str(number), "")] for number in range(1, n + 1)]:  # a graph without words
        texts = [_padded(numbers, "  ", rtl)]
    else:
        texts = [_padded(numbers, " ", rtl), _padded(words, "  ", rtl)]
    texts += [_padded(tags, "  ", rtl), *heads]
    if rtl:
        columns = [_mirrored(brackets[1]), *reversed(texts), _mirrored(brackets[0])]
    else:
        columns = [brackets[0], *texts, brackets[1]]
    rows = list(zip(*(column for column in columns if column), strict=True))
    lines = ["".join(_paint(cell, colour) for cell in row) for row in rows]
    if drawing.title:
        title = isolated(printable(drawing.title, LONGEST_TITLE))
        indent = sum(map(_columns, rows[0])) - cell_len(title) if rtl and rows else 0
        lines.insert(0, " " * indent + title)
    left = min((len(line) - len(line.lstrip(" ")) for line in lines), default=0) if rtl else 0
    return "".join(f"{line[left:].rstrip()}\n" for line in lines)


def _heads(drawing: Drawing, side: int | None) -> list[Cell]:
    """Lists the heads of each word, with labels: those of the arcs on one side, or all of them."""
    incoming: list[list[tuple[int, str, str]]] = [[] for _ in range(len(drawing.words) + 1)]  # head, label, ANSI code
    marks = dict(drawing.marks)

    def shown(head: int, dependent: int, label: str) -> str:
        return isolated(printable(label, LONGEST_LABEL)) + REMARKS[marks.get((head, dependent, label))]

    for word, label in drawing.roots if side != 1 else ():
        incoming[word].append((0, shown(0, word, label), BOLD))
    for plane, head, dependent, label in drawing.arcs:
        if side is None or plane % 2 == side:
            incoming[dependent].append((head, shown(head, dependent, label), _code(plane)))
    digits = len(str(max((head for arcs in incoming for head, *_ in arcs), default=0)))
    heads: list[Cell] = []
    for arcs in incoming[1:]:
        heads.append([])
        for head, label, code in sorted(arcs, key=lambda arc: arc[0]):
            number = f", {head}" if heads[-1] else f"{head:{digits}}"
            heads[-1].append((f"{number} {label}".rstrip(), code))
    return heads


def _brackets(drawing: Drawing, side: int) -> list[Cell]:
    """Draws the arcs to the left (side 0) or right (side 1) of each word."""
    # Column 0 contains the arrow heads; counting outwards from there, the vertical lines of level k are in column 2k.
    arcs = [
        (2 * level, plane, head - 1, dependent - 1)
        for level, plane, head, dependent in _levels(drawing, side)
        if level <= DEEPEST
    ]
    if not arcs:
        return []
    width = max(column for column, *_ in arcs) + 1
    marks = [[0] * width for _ in drawing.words]
    codes = [[""] * width for _ in drawing.words]
    corners = set()
    arrows = {}
    # Outer arcs first: if arcs share a word's line, the inner one determines the colour.
    for column, plane, head, dependent in sorted(arcs, reverse=True):
        top, bottom = min(head, dependent), max(head, dependent)
        for row in range(top, bottom + 1):
            marks[row][column] |= (UP if row > top else 0) | (DOWN if row < bottom else 0)
            codes[row][column] = _code(plane)
        for row in (top, bottom):
            corners.add((row, column))
            marks[row][column] |= LEFT if side else RIGHT
            for nearer in range(column):
                marks[row][nearer] |= LEFT | RIGHT
                codes[row][nearer] = codes[row][nearer] if marks[row][nearer] & (UP | DOWN) else _code(plane)
        arrows[dependent] = _code(plane)

    result: list[Cell] = []
    for row in range(len(drawing.words)):
        cells = [
            (LINES.get(mark) or (MEETING if (row, column) in corners else CROSSING), codes[row][column])
            for column, mark in enumerate(marks[row])
        ]
        if row in arrows and not drawing.undirected:
            cells[0] = "◄" if side else "►", arrows[row]
        result.append(cells if side else [*reversed(cells), (" ", "")])
    return result


def _levels(drawing: Drawing, side: int) -> list[tuple[int, int, int, int]]:
    """Returns the nesting level, plane, head and dependent of each arc on one side.

    Arcs on one level share no gap between words, as in the other renderers. They may meet end to end, but not where
    one comes in and the other goes out: `┌─►`, `├─►`, `└──` means one head with two dependents, never a chain.
    Undirected edges never meet: nothing would tell which two of `┌──`, `├──`, `└──` are linked.
    """
    n = len(drawing.words)
    gaps = np.zeros(n + 1, dtype=np.intp)
    going_out, coming_in = [
        [set[int]() for _ in range(n + 1)] for _ in range(2)
    ]  # the levels of such arcs at each word
    if drawing.undirected:
        going_out = coming_in
    result = []
    for plane in range(side, len(drawing.planes), 2):
        spans = [(abs(h - d), min(h, d), h, d) for h, d, _ in drawing.planes[plane]]
        for length, left, head, dependent in sorted(spans):
            span = gaps[left : left + length]
            level = int(span.max()) + 1
            while level in coming_in[head] or level in going_out[dependent]:
                level += 1
            span[:] = level
            going_out[head].add(level)
            coming_in[dependent].add(level)
            result.append((level, plane, head, dependent))
    return result


def _padded(cells: list[Cell], gap: str, rtl: bool) -> list[Cell]:
    """Pads a column to its width on the terminal, on the right or, if `rtl`, left; drops a column without content."""
    widths = list(map(_columns, cells))
    widest = max(widths, default=0)
    if not widest:
        return []
    padding = [(" " * (widest - width) + gap, "") for width in widths]
    return [[space, *cell] if rtl else [*cell, space] for cell, space in zip(cells, padding, strict=True)]


def _columns(cell: Cell) -> int:
    return sum(cell_len(piece) for piece, _ in cell)


def _mirrored(column: list[Cell]) -> list[Cell]:
    """Returns the mirror image of a column of brackets."""
    return [[(piece.translate(MIRROR), code) for piece, code in reversed(cell)] for cell in column]


def _paint(cell: Cell, colour: bool) -> str:
    pieces = []
    for code, run in groupby(cell, key=lambda piece: piece[1]):
        content = "".join(piece for piece, _ in run)
        pieces.append(f"{code}{content}{PLAIN}" if colour and code and content.strip() else content)
    return "".join(pieces)


def _code(plane: int) -> str:
    return ANSI[plane % len(ANSI)]
