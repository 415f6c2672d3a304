"""Converts a sentence to a drawing, with as few planes as possible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest
from typing import Literal, get_args

from multiplane.errors import GraphError, PlanarityUndecidedError
from multiplane.formats import Sentence
from multiplane.formats.fields import EMPTY
from multiplane.graphs import Arc, DependencyGraph, EnhancedGraph, Layer, graph_of
from multiplane.visual.direction import Direction
from multiplane.visual.layout import Arc as DrawnArc
from multiplane.visual.layout import Drawing
from multiplane.visual.marks import compared, highlighted

DrawnLayer = Literal[Layer, "both"]
DRAWN_LAYERS: tuple[DrawnLayer, ...] = (*get_args(Layer), "both")
"""The layers that can be drawn; `both` has syntax above the words, and semantics or enhanced dependencies below."""


Drawable = Sentence | DependencyGraph | Drawing
"""Values that can be drawn."""


def drawing_of(
    what: Drawable,
    *,
    layer: DrawnLayer = "syntax",
    undirected: bool = False,
    rtl: Direction = "auto",
    highlight: Iterable[Arc] = (),
    gold: Sentence | None = None,
    most: int | None = None,
) -> Drawing:
    r"""Returns the drawing of a sentence or graph; if `undirected`, without arrow heads.

    With ``layer="both"``, syntax is above the words and semantics below or, if the format has no predicates, enhanced
    dependencies. Predicates show their sense in place of a tag. The words of a graph are its numbers. Sentences in
    Arabic, Hebrew and other scripts that run from the right are drawn from the right; `rtl` overrides that.

    `highlight` makes arcs bold, for instance those of a certificate. With `gold`, another analysis of the same words,
    different heads and labels are marked. With `most`, at most this many words are drawn.

    >>> from multiplane.formats.reader import from_text
    >>> s = from_text("1\tGo\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\thome\t_\tADV\t_\t_\t1\tobl\t_\t_\n")[0]
    >>> drawing_of(s).planes
    (((1, 2, 'obl'),),)
    >>> from multiplane import sample
    >>> drawing_of(sample()[14], layer="both").layers
    ('syntax', 'enhanced')
    >>> drawing_of(s, highlight=[(1, 2)]).marks
    (((1, 2, 'obl'), 'highlight'),)
    >>> drawing_of(DependencyGraph(3, [(2, 1), (2, 3)]), most=2).title
    'the first 2 of 3 words'
    """
    if layer not in DRAWN_LAYERS:
        raise ValueError(f"unknown layer {layer!r}; use {', '.join(DRAWN_LAYERS)}")
    if rtl not in (True, False, "auto"):
        raise ValueError(f"rtl must be True, False or 'auto', not {rtl!r}")
    if isinstance(what, Sentence):
        drawing = _sentence(what, layer, undirected, most)
    elif not isinstance(what, DependencyGraph | Drawing):
        raise TypeError(f"cannot draw a value of type {type(what).__name__}; give sentences, graphs or drawings")
    elif layer != "syntax":
        raise GraphError(f"a graph has no layer '{layer}'; draw its sentence, or leave the layer out")
    elif isinstance(what, Drawing):
        drawing = replace(what, undirected=True) if undirected else what
    else:
        drawing = _graph(what, undirected, most)
    if rtl != "auto":
        drawing = replace(drawing, rtl=rtl)
    if gold is not None:
        drawing = compared(drawing, drawing_of(gold, layer=layer, undirected=undirected, most=most))
    return highlighted(drawing, highlight)


def _sentence(sentence: Sentence, layer: DrawnLayer, undirected: bool, most: int | None) -> Drawing:
    below: Layer = "semantics" if sentence.corpus.dialect.arguments else "enhanced"
    layers: tuple[Layer, ...] = ("syntax", below) if layer == "both" else (layer,)
    graphs = [_first(graph_of(sentence, name), most) for name in layers]
    planes = [_planes(graph) for graph in graphs]
    if layer == "both":  # the planes of the two layers take turns, so that each layer has its side of the words
        planes = [[plane for pair in zip_longest(*planes, fillvalue=()) for plane in pair]]
    tags = ["" if tag == EMPTY else tag for tag in sentence.upos[:most]]
    if "semantics" in layers:
        tags = _senses(sentence, graphs[-1], tags)
    return Drawing(
        words=tuple(sentence.forms[:most]),
        tags=tuple(tags),
        planes=tuple(planes[0]),
        roots=_roots(graphs[0]),
        title=_title(sentence.sent_id, len(sentence), most),
        undirected=undirected,
        layers=layers if layer == "both" else (),
    )


def _graph(graph: DependencyGraph, undirected: bool, most: int | None) -> Drawing:
    shown = _first(graph, most)
    words = graph.ids[:most] if isinstance(graph, EnhancedGraph) else map(str, range(1, shown.n + 1))
    loops = {arc[1]: f"itself: {_labelled(arc)[2]}" for arc in shown.loop_arcs}
    return Drawing(
        words=tuple(words),
        tags=tuple(loops.get(word, "") for word in range(1, shown.n + 1)) if loops else (),
        planes=tuple(_planes(shown)),
        roots=_roots(shown),
        title=_title("", graph.n, most),
        undirected=undirected,
    )


def _first(graph: DependencyGraph, most: int | None) -> DependencyGraph:
    """Returns the graph over the first words alone."""
    if most is None or graph.n <= most:
        return graph
    return DependencyGraph(most, (arc for arc in graph.arcs if max(arc[:2]) <= most), loops=graph.loops)


def _title(name: str, n: int, most: int | None) -> str:
    if most is None or n <= most:
        return name
    cut = f"the first {most:,} of {n:,} words"
    return f"{name}: {cut}" if name else cut


def _roots(graph: DependencyGraph) -> tuple[tuple[int, str], ...]:
    return tuple(_labelled(arc)[1:] for arc in graph.arcs if arc[0] == 0)


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
