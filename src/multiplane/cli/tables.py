"""Tables as text that fits the terminal.

Text that goes to a file or a pipe is complete: no name is shortened, no heading broken, whatever the terminal. On a
terminal, the first of these layouts that fits its width is chosen: the whole table; headings broken at spaces and
hyphens; shorter file names; text in cells broken into lines; a table for each file; rows and columns exchanged, if
there are few rows; groups of columns, one below the other.
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from operator import itemgetter

from multiplane.errors import visible

WIDTH = 120
"""The maximum width of paragraphs."""
_NARROWEST_NAME = 20
_NARROWEST_TEXT = 12
"""The width to which text is reduced before a table is laid out differently; names of files are wider."""
_GAP = "  "
_TREEBANK = re.compile(r"(\.(conll\w*|sdp|txt))?(\.(gz|xz))?$", re.IGNORECASE)

Row = Sequence[str]


def terminal_width() -> int | None:
    """Returns the width of the terminal that shows the output; None if the output goes to a file or a pipe."""
    return max(shutil.get_terminal_size().columns, 2 * _NARROWEST_NAME) if sys.stdout.isatty() else None


def paragraph_width() -> int:
    """Returns the width of paragraphs of text."""
    return min(terminal_width() or WIDTH, WIDTH)


def text_table(
    columns: Row, rows: Sequence[Row], *, labels: int = 1, text: Sequence[str] = (), width: int | None = None
) -> str:
    """Formats rows under headings, safe to print, in at most `width` columns of a terminal if that is given.

    The first `labels` columns say what a row is about: they are aligned left, and repeated in every part of a table
    that is too wide; a column `file` has names that can be shortened. Columns whose headings are in `text` are aligned
    left, too, all others right. An empty row is an empty line.

    >>> print(text_table(["file", "words"], [["a.conllu", "7"], ["b", "12"]]))
    file      words
    a.conllu      7
    b            12
    >>> print(text_table(["file", "words", "sentences", "arcs"], [["a.conllu", "7", "1", "6"]], width=20))
    file       a.conllu
    words             7
    sentences         1
    arcs              6
    """
    left = frozenset(range(labels)) | {place for place, name in enumerate(columns) if name in text}
    table = _Table([list(columns), *([visible(cell) for cell in row] for row in rows)], labels, left)
    if width is None:
        return str(table)
    for layout in _layouts(table, width):
        if layout.width <= width:
            return str(layout)
    if labels > 1 and columns[0] == "file" and all(rows):
        return "\n\n".join(
            f"{_cut(visible(file), width)}\n"
            + text_table(columns[1:], [row[1:] for row in found], labels=labels - 1, text=text, width=width)
            for file, found in groupby(rows, key=itemgetter(0))
        )
    if (exchanged := _exchanged(table, width)) is not None:
        return str(exchanged)
    return "\n\n".join(str(part) for part in _parts(table, width))


def display_width(text: str) -> int:
    r"""Returns the number of terminal cells of a text.

    >>> display_width("ab"), display_width("日本"), display_width("e\u0301")
    (2, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def shortened(names: Sequence[str], width: int) -> list[str]:
    """Shortens file names to a width, as far as they stay distinct: what they have in common goes first.

    >>> shortened(["ud/en_ewt/dev.conllu", "ud/de_gsd/dev.conllu"], 18), shortened(["ud/de_gsd/dev.conllu"], 18)
    (['en_ewt/dev.conllu', 'de_gsd/dev.conllu'], ['de_gsd/dev.conllu'])
    >>> shortened(["ud/en_ewt/dev.conllu", "ud/de_gsd/dev.conllu", "TOTAL"], 10)
    ['en_ewt/dev', 'de_gsd/dev', 'TOTAL']
    >>> shortened(["ud/en_ewt/dev.conllu", "ud/de_gsd/dev.conllu"], 6), shortened(["de_gsd-ud-dev.conllu"], 12)
    (['en_ewt', 'de_gsd'], ['de_gsd…d-dev'])
    >>> shortened(["one/dev.conllu", "two/dev.txt"], 3)
    ['o…v', 't…v']
    """
    distinct = len(set(names))
    best: list[str] = list(names)
    for level in _levels(names):
        if len(set(level)) == distinct:
            best = level
        if max(map(display_width, best)) <= width:
            return best
    while len(set(cut := [_cut(name, width) for name in best])) < distinct:
        width += 1
    return cut


def _levels(names: Sequence[str]) -> Iterator[list[str]]:
    """Yields shorter and shorter names; TOTAL is no file."""
    paths = [[name] if name == "TOTAL" else name.split("/") for name in names]
    files = [path for path in paths if path != ["TOTAL"]]
    folders = (path[:-1] for path in files)
    common = len(list(takewhile(lambda parts: len(set(parts)) == 1, zip(*folders, strict=False))))
    shared = range(common + 1) if len(files) > 1 else range(max(common, 1))
    for dropped in shared:
        yield ["/".join(path[dropped:] or path) for path in paths]
    left = [path[shared[-1] :] or path for path in paths]
    yield (found := _without_suffixes(["/".join(path) for path in left]))
    if (
        len(files) > 1
        and len({path[-1] for path in files}) == 1
        and all(len(path) > 1 for path in left if path != ["TOTAL"])
    ):
        yield ["/".join(path[:-1] or path) for path in left]
    else:
        yield [name.rpartition("/")[2] for name in found]


def _without_suffixes(names: Sequence[str]) -> list[str]:
    return [_TREEBANK.sub("", name) or name for name in names]


def _cut(text: str, width: int) -> str:
    """Removes the middle of a text, so that its beginning and its end stay."""
    if display_width(text) <= width:
        return text
    start, end = (width - 1) - (width - 1) // 2, (width - 1) // 2
    while display_width(cut := f"{text[:start]}…{text[len(text) - end :]}") > width and start:
        start, end = start - 1, max(end - 1, 0)
    return cut


@dataclass(frozen=True)
class _Table:
    """Cells, the headings first; a cell may have several lines. An empty row is an empty line."""

    rows: list[list[str]]
    labels: int
    left: frozenset[int]
    """The columns that are aligned left."""

    @property
    def full(self) -> list[list[str]]:
        return [row for row in self.rows if row]

    def column(self, place: int) -> list[str]:
        return [row[place] for row in self.full]

    @property
    def widths(self) -> list[int]:
        return [
            max(display_width(line) for cell in column for line in cell.split("\n"))
            for column in zip(*self.full, strict=True)
        ]

    @property
    def width(self) -> int:
        return sum(self.widths) + len(_GAP) * (len(self.widths) - 1)

    def with_column(self, place: int, cells: Sequence[str]) -> _Table:
        found = iter(cells)
        return replace(self, rows=[[*row[:place], next(found), *row[place + 1 :]] if row else [] for row in self.rows])

    def part(self, places: Sequence[int]) -> _Table:
        return _Table(
            [[row[place] for place in places] if row else [] for row in self.rows],
            self.labels,
            frozenset(number for number, place in enumerate(places) if place in self.left),
        )

    def __str__(self) -> str:
        widths = self.widths
        return "\n".join(
            line for number, row in enumerate(self.rows) for line in self._lines(row, widths, is_heading=number == 0)
        )

    def _lines(self, row: list[str], widths: list[int], is_heading: bool) -> Iterator[str]:
        if not row:
            yield ""
            return
        cells = [cell.split("\n") for cell in row]
        height = max(map(len, cells))
        # Headings stand on their columns; everything else hangs from the first line.
        cells = [
            [*[""] * (height - len(cell)), *cell] if is_heading else [*cell, *[""] * (height - len(cell))]
            for cell in cells
        ]
        for line in zip(*cells, strict=True):
            room = [" " * (width - display_width(piece)) for piece, width in zip(line, widths, strict=True)]
            yield _GAP.join(
                piece + space if place in self.left else space + piece
                for place, (piece, space) in enumerate(zip(line, room, strict=True))
            ).rstrip()


def _layouts(table: _Table, width: int) -> Iterator[_Table]:
    """Yields ways to lay out a table as a whole, the best first."""
    yield table
    narrow = _with_broken_headings(table)
    yield narrow
    yield (narrow := _with_short_names(narrow, width))
    yield _with_broken_text(narrow, width)


def _with_broken_headings(table: _Table) -> _Table:
    """Breaks headings into lines where that makes their columns narrower."""
    rows = [list(table.rows[0]), *table.rows[1:]]
    for place, heading in enumerate(table.rows[0]):
        cells = table.column(place)[1:] or [""]
        room = max(*(display_width(line) for cell in cells for line in cell.split("\n")), 1)
        rows[0][place] = "\n".join(_wrapped(heading, room, "-/"))
    return replace(table, rows=rows)


def _wrapped(text: str, width: int, marks: str = ",") -> list[str]:
    """Breaks a text at spaces and behind marks, into lines as wide as its longest part at least.

    >>> _wrapped("non-planar", 6, "-/"), _wrapped("switches/tree", 4, "-/"), _wrapped("RIGHT-ARC 1, SHIFT 0", 12)
    (['non-', 'planar'], ['switches/', 'tree'], ['RIGHT-ARC 1,', 'SHIFT 0'])
    """
    pieces = [piece for piece in re.split(rf"(?<=[{re.escape(marks)}])(?=\w)|(?<= )(?=\S)", text) if piece]
    width = max([width, *(display_width(piece.rstrip()) for piece in pieces)])
    lines: list[str] = []
    for piece in pieces:
        if lines and display_width(lines[-1] + piece.rstrip()) <= width:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.rstrip() for line in lines] or [""]


def _with_short_names(table: _Table, width: int) -> _Table:
    """Shortens the names of files to the room that the other columns leave."""
    if table.rows[0][0] != "file":
        return table
    heading, *names = table.column(0)
    room = width - (table.width - table.widths[0])
    return table.with_column(0, [heading, *shortened(names, max(room, _NARROWEST_NAME))])


def _with_broken_text(table: _Table, width: int) -> _Table:
    """Breaks the text in cells into lines: the widest columns first, and none below a minimal width."""
    places = [place for place in table.left if table.rows[0][place] != "file"]
    widths = table.widths
    excess = table.width - width
    while excess > 0 and places:
        widest = max(places, key=lambda place: widths[place])
        if widths[widest] <= _NARROWEST_TEXT:
            break
        widths[widest] -= 1
        excess -= 1
    for place in places:
        if widths[place] < table.widths[place]:
            cells = ["\n".join(_wrapped(cell, widths[place])) for cell in table.column(place)]
            table = table.with_column(place, cells)
    return table


def _exchanged(table: _Table, width: int) -> _Table | None:
    """Exchanges rows and columns, if there are few rows and the table fits then."""
    if len(table.rows) > len(table.rows[0]) or not all(table.rows):
        return None
    if table.rows[0][0] == "file":
        heading, *names = table.column(0)
        room = (width - max(map(display_width, table.rows[0]))) // max(len(names), 1) - len(_GAP)
        table = table.with_column(0, [heading, *shortened(names, max(room, _NARROWEST_TEXT))])
    exchanged = _Table([list(column) for column in zip(*table.rows, strict=True)], 1, frozenset([0]))
    return exchanged if exchanged.width <= width else None


def _parts(table: _Table, width: int) -> list[_Table]:
    """Returns groups of columns, as few as possible, each with the labels; labels are as wide as they can be then."""
    table = _with_broken_headings(table)
    narrower = (_with_narrow_labels(table, each) for each in (width // 2, 2 * width // 5, _NARROWEST_NAME))
    return min((_groups(each, width) for each in (table, *narrower)), key=len)


def _groups(table: _Table, width: int) -> list[_Table]:
    labels = list(range(table.labels))
    groups: list[_Table] = []
    chosen: list[int] = []
    for place in range(table.labels, len(table.rows[0])):
        longer = _with_broken_text(table.part([*labels, *chosen, place]), width)
        if chosen and longer.width > width:
            chosen = []
            longer = _with_broken_text(table.part([*labels, place]), width)
        groups[len(groups) - bool(chosen) :] = [longer]
        chosen.append(place)
    return groups


def _with_narrow_labels(table: _Table, width: int) -> _Table:
    """Reduces the width of all labels together."""
    labels = table.part(range(table.labels))
    labels = _with_broken_text(_with_short_names(labels, width), width)
    for place in range(table.labels):
        table = table.with_column(place, labels.column(place))
    return table


def paragraph(text: str, indent: str = "", first: str | None = None) -> list[str]:
    """Breaks a text into the lines of a paragraph; `first` begins the first line instead of `indent`."""
    return textwrap.wrap(
        text,
        paragraph_width(),
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
