"""The geometry of a drawing, shared by the renderers.

Odd planes (the 1st, 3rd …) are drawn above the words and even planes below. An arc is a flat arch: a leg on its head, a
horizontal bar, and a leg with the arrow head on its dependent; an undirected edge has no arrow head. Three rules keep a
drawing readable:

- a bar is one *level* beyond every earlier bar over the same words, so bars on one level never overlap;
- every arc has its own *port* at each of its words, ordered so that arcs of one plane never touch;
- words are spaced so that every bar is longer than its label, and a level is higher than a label.

So labels never overlap, and lines only cross for arcs of different planes on the same side, or arcs that do cross.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len

from multiplane.display import ShownAsPicture
from multiplane.errors import HIDDEN
from multiplane.visual.direction import Direction, runs_from_right

__all__ = [
    "Box",
    "Drawing",
    "Layout",
    "Mark",
    "PlacedArc",
    "PlacedRoot",
    "PlacedWord",
    "lay_out",
    "levels",
    "printable",
]

# Sizes are in SVG's user units, that is, pixels at 100 %.
WORD_SIZE, TAG_SIZE, LABEL_SIZE = 16.0, 10.0, 11.0  # font sizes
LEVEL = 22.0  # from one bar to the next
FIRST_LEVEL = 27.0  # from the words to the nearest bar, with room for an arrow head and half a label
LABEL_HEIGHT = 15.0
LABEL_PADDING = 3.0  # left and right of a label's text, inside its box
CORNER = 7.0  # radius of an arch's corners
STRAIGHT = 2.0  # the visible part of a bar on both sides of its label
PORT = 10.0  # from one port to the next
WORD_GAP = 16.0
MARGIN = 16.0
LINE = 24.0  # height of the title and of the legend
LEGEND_STEP = 92.0  # from one plane to the next in the legend
LONGEST_WORD, LONGEST_LABEL, LONGEST_TITLE = 40, 40, 120  # in columns; longer texts end in an ellipsis

Arc = tuple[int, int, str]  # head, dependent, label
Mark = Literal["highlight", "wrong-head", "wrong-label"]
"""Why an arc is marked: part of a proof, or different from another analysis."""


@dataclass(frozen=True)
class Drawing(ShownAsPicture):
    """The words, tags and arcs of each plane to draw; words are numbered from 1.

    A word may have several heads, and two words several arcs. `roots` are the words whose head is 0, with their labels.
    If `undirected`, arcs are edges, drawn without arrow heads and stored with the left word first. `layers` names the
    graphs above and below the words, if there are two: the planes of the first are the 1st, 3rd …, those of the second
    the 2nd, 4th …. `rtl` sets the writing direction; `auto` follows most of the words. `marks` highlights arcs; those
    from the root have head 0.

    >>> Drawing(("I", "sleep"), ("PRON", "VERB"), (((2, 1, "nsubj"),),), ((2, "root"),)).arcs
    [(0, 2, 1, 'nsubj')]
    """

    words: tuple[str, ...]
    tags: tuple[str, ...] = ()
    planes: tuple[tuple[Arc, ...], ...] = ()
    roots: tuple[tuple[int, str], ...] = ()
    title: str = ""
    undirected: bool = False
    layers: tuple[str, ...] = ()
    rtl: Direction = "auto"
    marks: tuple[tuple[Arc, Mark], ...] = ()

    def __post_init__(self) -> None:
        n = len(self.words)
        if self.tags and len(self.tags) != n:
            raise ValueError(f"{len(self.tags)} tags for {n} words; give one for each word, or none")
        for plane, head, dependent, _ in self.arcs:
            if not (1 <= head <= n and 1 <= dependent <= n) or head == dependent:
                kind, line = ("edge", "–") if self.undirected else ("arc", "→")
                raise ValueError(
                    f"plane {plane + 1}: cannot draw the {kind} {head} {line} {dependent}; it must join two different "
                    f"words from 1 to {n}, and {kind}s from 0 belong in `roots`"
                )
        for word, _ in self.roots:
            if not 1 <= word <= n:
                raise ValueError(f"cannot draw the root {word}; words are numbered from 1 to {n}")
        if self.undirected:
            ordered = (((min(h, d), max(h, d), label) for h, d, label in plane) for plane in self.planes)
            object.__setattr__(self, "planes", tuple(map(tuple, ordered)))
            marks = (((min(h, d), max(h, d), label), mark) for (h, d, label), mark in self.marks)
            object.__setattr__(self, "marks", tuple(marks))
        self._check_marks()

    def _check_marks(self) -> None:
        drawn = {arc[1:] for arc in self.arcs} | {(0, *root) for root in self.roots} if self.marks else set()
        for (head, dependent, label), mark in self.marks:
            if mark not in get_args(Mark):
                raise ValueError(f"unknown mark {mark!r}; use {', '.join(get_args(Mark))}")
            if (head, dependent, label) not in drawn:
                raise ValueError(f"cannot mark the arc {head} → {dependent} ({label}), which is not in the drawing")

    @property
    def from_right(self) -> bool:
        """Whether the first word is on the right.

        >>> Drawing(("שלום", "עולם")).from_right, Drawing(("שלום", "עולם"), rtl=False).from_right
        (True, False)
        """
        return runs_from_right(self.words) if self.rtl == "auto" else self.rtl

    def name_of(self, plane: int) -> str:
        """Returns the name of a plane, given its index, for the legend.

        >>> Drawing(()).name_of(1), Drawing((), layers=("syntax", "semantics")).name_of(3)
        ('plane 2', 'semantics 2')
        """
        if not self.layers:
            return f"plane {plane + 1}"
        layer = self.layers[plane % 2]
        return f"{layer} {plane // 2 + 1}" if plane > 1 else layer

    @property
    def arcs(self) -> list[tuple[int, int, int, str]]:
        """All arcs by plane: the index of the plane, head, dependent, label."""
        return [(plane, *arc) for plane, arcs in enumerate(self.planes) for arc in arcs]


class Box(NamedTuple):
    """A rectangle; y grows downwards, as in SVG."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def centre(self) -> float:
        """The horizontal centre."""
        return (self.left + self.right) / 2

    def mirrored(self, width: float) -> "Box":
        """Returns the mirror image in a drawing of this width.

        >>> Box(0, 0, 30, 10).mirrored(100)
        Box(left=70, top=0, right=100, bottom=10)
        """
        return Box(width - self.right, self.top, width - self.left, self.bottom)


@dataclass(frozen=True)
class PlacedWord:
    """A word as shown, and its extent, which contains the text, the tag and all legs at the word."""

    text: str
    tag: str
    box: Box


@dataclass(frozen=True)
class PlacedArc:
    """An arch: legs at `head_x` and `dependent_x` from `foot` to `bar`, with `label_box` on the bar."""

    plane: int
    head: int
    dependent: int
    label: str
    level: int
    head_x: float
    dependent_x: float
    foot: float
    bar: float
    label_box: Box
    mark: Mark | None = None


@dataclass(frozen=True)
class PlacedRoot:
    """A vertical arrow, or line, at `x`, from its label down to `foot`."""

    word: int
    label: str
    x: float
    foot: float
    label_box: Box
    mark: Mark | None = None


@dataclass(frozen=True)
class Layout:
    """A drawing with all coordinates, ready for a renderer."""

    width: float
    height: float
    title: str
    baseline: float
    tag_baseline: float
    words: tuple[PlacedWord, ...]
    arcs: tuple[PlacedArc, ...]
    roots: tuple[PlacedRoot, ...]
    legend: tuple[int, ...]  # the planes to explain; empty if there is only one
    legend_names: tuple[str, ...]
    undirected: bool
    rtl: bool = False

    @property
    def label_boxes(self) -> Iterator[Box]:
        """The boxes of all labels, including those of roots."""
        yield from (arc.label_box for arc in self.arcs)
        yield from (root.label_box for root in self.roots)


def printable(text: str, columns: int) -> str:
    r"""Makes text safe to print on one line: normalizes whitespace, replaces unsafe characters by �, truncates with ….

    Control characters are illegal in XML and dangerous on a terminal; bidirectional overrides would affect other words.
    Joiners stay, because Persian and Hindi words and emoji need them.

    >>> printable("naïve\n\x1b[31m text", 40), printable("dependency", 6)
    ('naïve �[31m text', 'depen…')
    """
    # A word may have a million characters, most of them combining marks.
    short = text[: 4 * columns]
    clean = "".join("\ufffd" if _is_forbidden(character) else character for character in " ".join(short.split()))
    used, fitting = 0, 0
    for position, character in enumerate(clean):
        used += _columns(character)
        if used < columns:
            fitting = position + 1
    return clean if used <= columns and len(short) == len(text) else clean[:fitting] + "…"


def _is_forbidden(character: str) -> bool:
    return HIDDEN.match(character) is not None or "\ud800" <= character <= "\udfff" or character in "\ufffe\uffff"


_columns = lru_cache(maxsize=4096)(cell_len)  # the number of terminal columns of a character: 0, 1 or 2


@lru_cache(maxsize=4096)
def _em(character: str) -> float:
    """Estimates a character's width in ems, on the wide side, because the reader's font is unknown."""
    columns = _columns(character)
    if columns != 1:
        return columns * 0.52
    if character in " .,:;'`|!ijlIftr()[]{}/\\-":
        return 0.4
    if character in "mwMW@%—…œæŒÆ":
        return 0.95
    return 0.72 if character.isupper() or not character.isascii() else 0.6


@lru_cache(maxsize=65536)
def _width(text: str, size: float) -> float:
    return size * sum(map(_em, text))


def levels(spans: Sequence[tuple[int, int]], ceiling: NDArray[np.intp]) -> list[int]:
    """Puts each span one level above the `ceiling` of its gaps, shorter spans first, and raises `ceiling`.

    Gap i is between words i and i + 1. Spans on the same level share no gap, and nested spans are below.

    >>> levels([(1, 4), (1, 2), (2, 3)], np.zeros(5, dtype=np.intp))
    [2, 1, 1]
    """
    result = [0] * len(spans)
    for index in sorted(range(len(spans)), key=lambda i: (spans[i][1] - spans[i][0], spans[i])):
        left, right = spans[index]
        gaps = ceiling[left:right]
        result[index] = level = int(gaps.max()) + 1
        gaps[:] = level
    return result


class _Ports:
    """The positions of legs relative to the centres of words, on one side of the words."""

    def __init__(self) -> None:
        self._legs: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)  # direction, order, arc or root
        self.offset: dict[tuple[int, int], float] = {}  # of an arc, by its index, at a word
        self.root_offset: dict[int, float] = {}  # of a root, by its index, at its word
        self.extent: defaultdict[int, float] = defaultdict(float)  # of all legs at a word, around its centre

    def add_arc(self, index: int, left: int, right: int, level: int) -> None:
        # At its right word an arch goes left, and the lower it is, the further left its leg must be to pass under
        # the others; at its left word it is the reverse.
        self._legs[right].append((-1, level, index))
        self._legs[left].append((1, -level, index))

    def add_root(self, index: int, word: int) -> None:
        self._legs[word].append((0, index, index))

    def settle(self) -> None:
        for word, legs in self._legs.items():
            legs.sort()
            # The arrow of a root is at the centre of its word; otherwise all legs together are centred.
            middle = [position for position, (direction, *_) in enumerate(legs) if direction == 0] or [0, len(legs) - 1]
            first = -PORT * (middle[0] + middle[-1]) / 2
            for position, (direction, _, index) in enumerate(legs):
                if direction == 0:
                    self.root_offset[index] = first + PORT * position
                else:
                    self.offset[index, word] = first + PORT * position
            self.extent[word] = PORT + 2 * max(-first, first + PORT * (len(legs) - 1))


class _Texts(NamedTuple):
    """All texts of a drawing as shown; `labels` are in the order of its arcs."""

    words: list[str]
    tags: list[str]
    labels: list[str]
    root_labels: list[str]


def lay_out(drawing: Drawing) -> Layout:
    """Computes all coordinates of a drawing.

    >>> layout = lay_out(Drawing(("I", "sleep"), planes=(((2, 1, "nsubj"),),), roots=((2, "root"),)))
    >>> [(arc.head, arc.dependent, arc.level) for arc in layout.arcs], layout.roots[0].x == layout.words[1].box.centre
    ([(2, 1, 1)], True)
    """
    texts = _Texts(
        words=[printable(word, LONGEST_WORD) for word in drawing.words],
        tags=[printable(tag, LONGEST_WORD) for tag in drawing.tags] or [""] * len(drawing.words),
        labels=[printable(label, LONGEST_LABEL) for *_, label in drawing.arcs],
        root_labels=[printable(label, LONGEST_LABEL) for _, label in drawing.roots],
    )
    level_of, *highest = _levels_by_side(drawing)
    ports = _ports(drawing, level_of)
    extents = [
        max(_width(text, WORD_SIZE), _width(tag, TAG_SIZE), ports[0].extent[word], ports[1].extent[word])
        for word, (text, tag) in enumerate(zip(texts.words, texts.tags, strict=True), 1)
    ]
    centres = _centres(drawing, texts, ports, extents)

    # From top to bottom: title, roots' labels, odd planes, words, tags, even planes, legend.
    title = printable(drawing.title, LONGEST_TITLE)
    marks = dict(drawing.marks)
    rows = _root_rows(drawing)
    root_foot = MARGIN + (LINE if title else 0.0) + LEVEL * (max(rows) + 1 if rows else 0)
    upper_foot = root_foot + (_rise(highest[0]) + LABEL_HEIGHT / 2 if highest[0] else FIRST_LEVEL if rows else 0.0)
    baseline = upper_foot + 3 + WORD_SIZE
    tag_baseline = baseline + (TAG_SIZE + 5 if any(texts.tags) else 0.0)
    lower_foot = tag_baseline + (5 if any(texts.tags) else 8)
    bottom = lower_foot + (_rise(highest[1]) + LABEL_HEIGHT / 2 if highest[1] else 0.0)

    words = tuple(
        PlacedWord(text, tag, Box(x - extent / 2, upper_foot, x + extent / 2, lower_foot))
        for text, tag, x, extent in zip(texts.words, texts.tags, centres[1:], extents, strict=True)
    )
    roots = []
    for index, (root, label, row) in enumerate(zip(drawing.roots, texts.root_labels, rows, strict=True)):
        x, half = centres[root[0]] + ports[0].root_offset[index], _label_width(label) / 2
        top = root_foot - LEVEL * (row + 1)
        box = Box(x - half, top, x + half, top + LABEL_HEIGHT)
        roots.append(PlacedRoot(root[0], label, x, upper_foot, box, marks.get((0, *root))))
    arcs = _place_arcs(drawing, texts.labels, level_of, ports, centres, feet=(upper_foot, lower_foot), roots=roots)
    legend = tuple(plane for plane, found in enumerate(drawing.planes) if found) if any(drawing.planes[1:]) else ()
    right_edges = [MARGIN + _width(title, LABEL_SIZE + 2), MARGIN + LEGEND_STEP * len(legend)]
    right_edges += [word.box.right for word in words[-1:]] + [root.label_box.right for root in roots]
    layout = Layout(
        width=max(right_edges) + MARGIN,
        height=bottom + (LINE if legend else 0.0) + MARGIN,
        title=title,
        baseline=baseline,
        tag_baseline=tag_baseline,
        words=words,
        arcs=tuple(arcs),
        roots=tuple(roots),
        legend=legend,
        legend_names=tuple(map(drawing.name_of, legend)),
        undirected=drawing.undirected,
    )
    return _mirrored(layout) if drawing.from_right else layout


def _mirrored(layout: Layout) -> Layout:
    """Returns the mirrored layout, with the first word on the right."""
    width = layout.width
    return replace(
        layout,
        rtl=True,
        words=tuple(replace(word, box=word.box.mirrored(width)) for word in layout.words),
        arcs=tuple(
            replace(
                arc,
                head_x=width - arc.head_x,
                dependent_x=width - arc.dependent_x,
                label_box=arc.label_box.mirrored(width),
            )
            for arc in layout.arcs
        ),
        roots=tuple(replace(root, x=width - root.x, label_box=root.label_box.mirrored(width)) for root in layout.roots),
    )


def _rise(level: int) -> float:
    return FIRST_LEVEL + LEVEL * (level - 1)


def _label_width(label: str) -> float:
    return _width(label, LABEL_SIZE) + 2 * LABEL_PADDING if label else 0.0


def _levels_by_side(drawing: Drawing) -> tuple[list[int], int, int]:
    """Returns the level of each arc, and the highest level above and below the words.

    A later plane is outside the earlier ones on its side, but only as far as its arcs require.
    """
    ceilings = [np.zeros(len(drawing.words) + 1, dtype=np.intp) for _ in range(2)]
    found: list[int] = []
    for plane, arcs in enumerate(drawing.planes):
        found += levels(
            [(min(head, dependent), max(head, dependent)) for head, dependent, _ in arcs], ceilings[plane % 2]
        )
    return found, int(ceilings[0].max()), int(ceilings[1].max())


def _ports(drawing: Drawing, level_of: Sequence[int]) -> tuple[_Ports, _Ports]:
    ports = _Ports(), _Ports()
    for index, (plane, head, dependent, _) in enumerate(drawing.arcs):
        ports[plane % 2].add_arc(index, min(head, dependent), max(head, dependent), level_of[index])
    for index, (word, _) in enumerate(drawing.roots):
        ports[0].add_root(index, word)
    for side in ports:
        side.settle()
    return ports


def _centres(drawing: Drawing, texts: _Texts, ports: Sequence[_Ports], extents: Sequence[float]) -> list[float]:
    """Returns the x of each word's centre (the first entry is unused), as far left as the labels allow."""
    nearest: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)  # minimum distances to words on the left
    for index, (plane, head, dependent, _) in enumerate(drawing.arcs):
        left, right = min(head, dependent), max(head, dependent)
        offset = ports[plane % 2].offset
        shortest = 2 * (CORNER + STRAIGHT) + _label_width(texts.labels[index])
        nearest[right].append((left, offset[index, left] - offset[index, right] + shortest))
    # How far the labels of a word's roots extend to its left and right.
    reach: defaultdict[int, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    for index, ((word, _), label) in enumerate(zip(drawing.roots, texts.root_labels, strict=True)):
        x, half = ports[0].root_offset[index], _label_width(label) / 2
        reach[word] = max(reach[word][0], half - x), max(reach[word][1], half + x)
    for left, right in pairwise(sorted(reach)):
        nearest[right].append((left, reach[left][1] + 2 * LABEL_PADDING + reach[right][0]))

    centres = [0.0]
    for word, extent in enumerate(extents, 1):
        first = MARGIN + max(extent / 2, reach[word][0])
        beside = centres[-1] + (extents[word - 2] + extent) / 2 + WORD_GAP if word > 1 else 0.0
        centres.append(max([first, beside, *(centres[left] + distance for left, distance in nearest[word])]))
    return centres


def _root_rows(drawing: Drawing) -> list[int]:
    """Returns the row of each root's label: a word's second root is one row above the first."""
    seen: Counter[int] = Counter()
    rows = []
    for word, _ in drawing.roots:
        rows.append(seen[word])
        seen[word] += 1
    return rows


def _place_arcs(
    drawing: Drawing,
    labels: Sequence[str],
    level_of: Sequence[int],
    ports: Sequence[_Ports],
    centres: Sequence[float],
    *,
    feet: Sequence[float],
    roots: Sequence[PlacedRoot],
) -> Iterator[PlacedArc]:
    legs: tuple[list[tuple[float, int]], list[tuple[float, int]]] = ([], [])
    legs[0].extend((root.x, max(level_of, default=0) + 1) for root in roots)
    xs = []
    for index, (plane, head, dependent, _) in enumerate(drawing.arcs):
        offset = ports[plane % 2].offset
        xs.append((centres[head] + offset[index, head], centres[dependent] + offset[index, dependent]))
        legs[plane % 2].extend((x, level_of[index]) for x in xs[-1])
    crossing = _CrossingLegs(legs[0]), _CrossingLegs(legs[1])
    marks = dict(drawing.marks)
    for (plane, head, dependent, name), label, level, ends in zip(drawing.arcs, labels, level_of, xs, strict=True):
        foot = feet[plane % 2]
        bar = foot + _rise(level) if plane % 2 else foot - _rise(level)
        half = _label_width(label) / 2
        x = crossing[plane % 2].free_place(level, min(ends) + CORNER, max(ends) - CORNER, half)
        label_box = Box(x - half, bar - LABEL_HEIGHT / 2, x + half, bar + LABEL_HEIGHT / 2)
        mark = marks.get((head, dependent, name))
        yield PlacedArc(plane, head, dependent, label, level, *ends, foot, bar, label_box, mark)


class _CrossingLegs:
    """The legs on one side of the words, for placing labels where they hide no leg that crosses their bar."""

    def __init__(self, legs: Iterable[tuple[float, int]]) -> None:
        ordered = sorted(legs)
        self._xs = np.array([x for x, _ in ordered], dtype=np.float64)
        self._levels = np.array([level for _, level in ordered], dtype=np.intp)

    def free_place(self, level: int, left: float, right: float, half: float) -> float:
        """Returns the free x nearest to the bar's centre for a label of width `2 * half`."""
        here = slice(*self._xs.searchsorted([left, right]).tolist())
        crossing = self._xs[here][self._levels[here] > level]
        if not crossing.size:
            return (left + right) / 2
        # The label's centre can be anywhere on the bar except near a crossing leg: one interval before each leg, and
        # one after the last.
        clear = half + 3 * STRAIGHT
        first = np.concatenate(([left + half], np.maximum(crossing + clear, left + half)))
        last = np.concatenate((np.minimum(crossing - clear, right - half), [right - half]))
        free = first <= last
        nearest = np.clip((left + right) / 2, first[free], last[free])
        distances = np.abs(nearest - (left + right) / 2)
        return float(nearest[distances.argmin()]) if distances.size else (left + right) / 2
