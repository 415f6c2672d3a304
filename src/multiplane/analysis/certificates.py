"""Formats certificates: the arcs and words that prove that a graph lacks a property."""

from __future__ import annotations

from collections.abc import Callable

from multiplane.formats import Sentence
from multiplane.graphs import DependencyGraph
from multiplane.graphs.arcs import Arc, span


def show_arc(sentence: Sentence, arc: Arc) -> str:
    r"""Formats an arc with its words.

    >>> from multiplane.formats.reader import from_text
    >>> s = from_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n2\thome\t_\t_\t_\t_\t1\tobl\t_\t_\n")[0]
    >>> show_arc(s, (1, 2, "obl"))
    '1 Go →obl 2 home'
    """
    words = ["ROOT", *sentence.forms]
    label = arc[2] if len(arc) > 2 else ""
    return f"{arc[0]} {words[arc[0]]} →{label} {arc[1]} {words[arc[1]]}"


def nonprojective(sentence: Sentence, graph: DependencyGraph) -> str:
    """Names an arc, and a word in its span that its head does not dominate."""
    arc = graph.nonprojective_arcs()[0]
    left, right = span(arc)
    heads = sentence.heads

    def dominated(word: int) -> bool:
        while word not in (0, arc[0]):
            word = heads[word - 1]
        return word == arc[0]

    foreign = next(word for word in range(left + 1, right) if not dominated(word))
    return f"{show_arc(sentence, arc)} spans {foreign} {sentence.forms[foreign - 1]}, which {arc[0]} does not dominate"


def nonplanar(sentence: Sentence, graph: DependencyGraph) -> str:
    """Names two arcs that cross."""
    crossing = graph.crossing()
    assert crossing is not None
    return " crosses ".join(show_arc(sentence, arc) for arc in crossing)


def not_2_planar(sentence: Sentence, graph: DependencyGraph) -> str:
    """Names an odd cycle of crossings."""
    cycle = graph.odd_cycle()
    assert cycle is not None
    return f"odd cycle of {len(cycle)} crossings: " + " × ".join(show_arc(sentence, arc) for arc in [*cycle, cycle[0]])


def needs_more_than(k: int) -> Callable[[Sentence, DependencyGraph], str]:
    """Names arcs that do not fit in k planes."""

    def certificate(sentence: Sentence, graph: DependencyGraph) -> str:
        arcs = graph.obstruction(k)
        assert arcs is not None
        return f"does not fit in {k} planes: " + ", ".join(show_arc(sentence, arc) for arc in arcs)

    return certificate


def ill_nested(sentence: Sentence, graph: DependencyGraph) -> str:
    """Names two subtrees that interleave."""
    found = graph.ill_nesting()
    assert found is not None
    r1, r2, *between = found
    forms = sentence.forms
    places = " < ".join(f"{word} {forms[word - 1]}" for word in between)
    return f"the subtrees of {r1} {forms[r1 - 1]} and {r2} {forms[r2 - 1]} interleave: {places}"


def multi_headed(sentence: Sentence, graph: DependencyGraph) -> str:
    """Names a word with several heads."""
    arcs = graph.second_head()
    assert arcs is not None
    return " and ".join(show_arc(sentence, arc) for arc in arcs)


def cyclic(sentence: Sentence, graph: DependencyGraph) -> str:
    """Names the words of a cycle."""
    words = graph.cycle()
    assert words is not None
    return "cycle: " + " → ".join(f"{word} {sentence.forms[word - 1]}" for word in [*words, words[0]])


def disconnected(sentence: Sentence, graph: DependencyGraph) -> str:
    """Names two arcs that no others connect."""
    part = {word: number for number, words in enumerate(graph.components()) for word in words}
    first = graph.word_arcs[0]
    other = next(arc for arc in graph.word_arcs if part[arc[0]] != part[first[0]])
    return f"nothing connects {show_arc(sentence, first)} and {show_arc(sentence, other)}"
