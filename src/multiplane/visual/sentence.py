"""Converts a sentence to a drawing, with as few planes as possible."""

from __future__ import annotations

from multiplane.errors import PlanarityUndecidedError
from multiplane.formats import Sentence
from multiplane.graphs.arcs import Arc
from multiplane.visual.layout import Drawing


def drawing_of(sentence: Sentence, *, undirected: bool = False) -> Drawing:
    r"""Returns the drawing of a sentence; if `undirected`, without arrow heads.

    >>> from multiplane.formats.reader import from_text
    >>> s = from_text("1\tGo\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\thome\t_\tADV\t_\t_\t1\tobl\t_\t_\n")[0]
    >>> drawing_of(s).planes
    (((1, 2, 'obl'),),)
    """
    graph = sentence.graph
    try:
        planes = graph.planes() or []
    except PlanarityUndecidedError:
        planes = [set(graph.word_arcs)]  # a picture with crossings is better than none
    tags = sentence.upos
    return Drawing(
        words=tuple(sentence.forms),
        tags=tuple("" if tag == "_" else tag for tag in tags),
        planes=tuple(tuple(sorted(map(_labelled, plane))) for plane in planes),
        roots=tuple((arc[1], _labelled(arc)[2]) for arc in graph.arcs if arc[0] == 0),
        title=sentence.sent_id,
        undirected=undirected,
    )


def _labelled(arc: Arc) -> tuple[int, int, str]:
    return (arc[0], arc[1], arc[2] if len(arc) > 2 else "")
