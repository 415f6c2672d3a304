"""Marks arcs of a drawing: a certificate, or differences from another analysis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from multiplane.errors import GraphError
from multiplane.graphs import Arc
from multiplane.graphs.arcs import show
from multiplane.visual.layout import Arc as DrawnArc
from multiplane.visual.layout import Drawing, Mark

__all__ = ["compared", "highlighted"]


def highlighted(drawing: Drawing, arcs: Iterable[Arc]) -> Drawing:
    """Returns the drawing with these arcs in bold; an arc without a label means all arcs with these ends.

    >>> drawing = Drawing(("a", "b", "c"), planes=(((1, 2, "x"), (1, 3, "y")),))
    >>> highlighted(drawing, [(1, 3)]).marks
    (((1, 3, 'y'), 'highlight'),)
    """
    by_ends: dict[tuple[int, ...], list[DrawnArc]] = {}
    for arc in _arcs(drawing):
        for key in (arc[:2], arc[1::-1]) if drawing.undirected else (arc[:2],):
            by_ends.setdefault(key, []).append(arc)
    marks: dict[DrawnArc, Mark] = {}
    for wanted in arcs:
        found = [arc for arc in by_ends.get(wanted[:2], ()) if len(wanted) == 2 or arc[2] == wanted[2]]
        if not found:
            raise GraphError(f"cannot highlight the arc {show(wanted)}, which is not in the drawing")
        marks |= dict.fromkeys(found, "highlight")
    return _marked(drawing, marks)


def compared(drawing: Drawing, gold: Drawing) -> Drawing:
    """Returns the drawing with a mark on each arc that another drawing of the same words lacks, or labels otherwise.

    >>> gold = Drawing(("a", "b", "c"), planes=(((1, 2, "x"), (1, 3, "y")),))
    >>> compared(Drawing(("a", "b", "c"), planes=(((1, 2, "z"), (2, 3, "y")),)), gold).marks
    (((1, 2, 'z'), 'wrong-label'), ((2, 3, 'y'), 'wrong-head'))
    """
    if len(drawing.words) != len(gold.words):
        raise GraphError(
            f"cannot compare {len(drawing.words)} words with {len(gold.words)}; both analyses must have the same words"
        )
    right = set(_arcs(gold))
    ends = {arc[:2] for arc in right}
    marks: dict[DrawnArc, Mark] = {
        arc: "wrong-label" if arc[:2] in ends else "wrong-head" for arc in _arcs(drawing) if arc not in right
    }
    return _marked(drawing, marks)


def _arcs(drawing: Drawing) -> list[DrawnArc]:
    return [*((0, word, label) for word, label in drawing.roots), *(arc[1:] for arc in drawing.arcs)]


def _marked(drawing: Drawing, marks: dict[DrawnArc, Mark]) -> Drawing:
    return replace(drawing, marks=tuple({**dict(drawing.marks), **marks}.items()))
