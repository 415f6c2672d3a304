"""Converts a sentence to a drawing, with as few planes as possible."""

from __future__ import annotations

from itertools import zip_longest
from typing import Literal, get_args

from multiplane.errors import PlanarityUndecidedError
from multiplane.formats import Sentence
from multiplane.formats.fields import EMPTY
from multiplane.graphs import DependencyGraph, Layer, graph_of
from multiplane.graphs.arcs import Arc
from multiplane.visual.layout import Arc as DrawnArc
from multiplane.visual.layout import Drawing

DrawnLayer = Literal[Layer, "both"]
DRAWN_LAYERS: tuple[DrawnLayer, ...] = (*get_args(Layer), "both")
"""The layers that can be drawn; `both` has syntax above the words, and semantics or enhanced dependencies below."""


def drawing_of(sentence: Sentence, *, layer: DrawnLayer = "syntax", undirected: bool = False) -> Drawing:
    r"""Returns the drawing of a sentence; if `undirected`, without arrow heads.

    With ``layer="both"``, syntax is above the words and semantics below or, if the format has no predicates, enhanced
    dependencies. Predicates show their sense in place of a tag.

    >>> from multiplane.formats.reader import from_text
    >>> s = from_text("1\tGo\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\thome\t_\tADV\t_\t_\t1\tobl\t_\t_\n")[0]
    >>> drawing_of(s).planes
    (((1, 2, 'obl'),),)
    >>> from multiplane import sample
    >>> drawing_of(sample()[14], layer="both").layers
    ('syntax', 'enhanced')
    """
    below: Layer = "semantics" if sentence.corpus.dialect.arguments else "enhanced"
    layers: tuple[Layer, ...] = ("syntax", below) if layer == "both" else (layer,)
    graphs = [graph_of(sentence, name) for name in layers]
    planes = [_planes(graph) for graph in graphs]
    if layer == "both":  # the planes of the two layers take turns, so that each layer has its side of the words
        planes = [[plane for pair in zip_longest(*planes, fillvalue=()) for plane in pair]]
    tags = ["" if tag == EMPTY else tag for tag in sentence.upos]
    if "semantics" in layers:
        tags = _senses(sentence, graphs[-1], tags)
    return Drawing(
        words=tuple(sentence.forms),
        tags=tuple(tags),
        planes=tuple(planes[0]),
        roots=tuple((arc[1], _labelled(arc)[2]) for arc in graphs[0].arcs if arc[0] == 0),
        title=sentence.sent_id,
        undirected=undirected,
        layers=layers if layer == "both" else (),
    )


def _planes(graph: DependencyGraph) -> list[tuple[DrawnArc, ...]]:
    try:
        planes = graph.planes() or []
    except PlanarityUndecidedError:
        planes = [set(graph.word_arcs)]  # a picture with crossings is better than none
    return [tuple(sorted(map(_labelled, plane))) for plane in planes]


def _senses(sentence: Sentence, graph: DependencyGraph, tags: list[str]) -> list[str]:
    """Returns the tags with senses in place of those of predicates, and the roles that predicates play themselves."""
    shown = [sentence.predicates.get(word, EMPTY) for word in range(1, len(tags) + 1)]
    found = [tag if sense == EMPTY else sense for sense, tag in zip(shown, tags, strict=True)]
    for arc in graph.loop_arcs:
        found[arc[1] - 1] += f" (itself: {_labelled(arc)[2]})"
    return found


def _labelled(arc: Arc) -> DrawnArc:
    return (arc[0], arc[1], arc[2] if len(arc) > 2 else "")
