"""Coverage of a treebank: the number of structures outside each class (S0 Table 1), with a certificate for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from multiplane.formats import Corpus, Sentence
from multiplane.formats.corpus import OnError, validate
from multiplane.formats.treebank import is_annotated, without_head
from multiplane.graphs import DependencyGraph, Measures, measure_heads
from multiplane.graphs.arcs import Arc, span


@dataclass
class Coverage:
    """The number of structures outside each class; `+` combines files.

    >>> from multiplane import sample
    >>> c = coverage([sample()])
    >>> c.structures, c.nonprojective, c.nonplanar, c.non2planar, c.illnested
    (65, 35, 31, 3, 3)
    """

    structures: int = 0
    tokens: int = 0
    nonprojective: int = 0
    nonplanar: int = 0
    non2planar: int = 0
    non3planar: int = 0
    non4planar: int = 0
    illnested: int = 0
    np_arcs: int = 0
    gap_degree: int = 0
    """The maximum over all structures, like `arc_degree`."""
    arc_degree: int = 0
    undecided: int = 0
    """Structures that are not 2-planar, but whose exact number of planes would take too long to find."""

    def __add__(self, other: Coverage) -> Coverage:
        def join(name: str) -> int:
            a, b = int(getattr(self, name)), int(getattr(other, name))
            return max(a, b) if name.endswith("_degree") else a + b

        return Coverage(**{field.name: join(field.name) for field in fields(self)})

    def percent(self, name: str) -> float:
        """Returns a count as a percentage of the structures or, for `np_arcs`, of the tokens.

        >>> Coverage(structures=8, nonprojective=2).percent("nonprojective")
        25.0
        """
        whole = self.tokens if name == "np_arcs" else self.structures
        return 100 * float(getattr(self, name)) / whole if whole else 0.0


def _not_k_planar(k: int) -> Callable[[Measures], NDArray[np.bool_]]:
    def outside(m: Measures) -> NDArray[np.bool_]:
        # Undecided (0) is known to be more than 2.
        return np.asarray((m.planarity > k) | ((m.planarity == 0) & (k <= 2)))

    return outside


@dataclass(frozen=True)
class Property:
    """A property that puts a structure outside a class."""

    column: str
    holds: Callable[[Measures], NDArray[np.bool_]]
    certificate: Callable[[Sentence, DependencyGraph], str]


def coverage(corpora: Iterable[Corpus], *, on_error: OnError = "fail") -> Coverage:
    """Computes the coverage of a treebank, given as one corpus or as the blocks of a large file."""
    total = Coverage()
    for corpus in corpora:
        _, lengths, heads = _annotated(corpus, on_error)
        m = measure_heads(lengths, heads)
        total += Coverage(
            structures=len(lengths),
            tokens=len(heads),
            **{prop.column: int(prop.holds(m).sum()) for prop in PROPERTIES.values()},
            np_arcs=int(m.np_arcs.sum()),
            gap_degree=int(m.gap_degree.max(initial=0)),
            arc_degree=int(m.arc_degree.max(initial=0)),
            undecided=int((m.planarity == 0).sum()),
        )
    return total


@dataclass(frozen=True)
class Witness:
    """A sentence outside a class, with a certificate."""

    file: str
    line: int
    sent_id: str
    certificate: str


def witnesses(corpora: Iterable[Corpus], name: str, *, on_error: OnError = "fail") -> Iterator[Witness]:
    """Yields the sentences with one of the `PROPERTIES`, each with a certificate.

    >>> from multiplane import sample
    >>> w = next(witnesses([sample()], "not-planar"))
    >>> w.sent_id, w.certificate
    ('en-003', '2 petition →nmod 7 decision crosses 4 circulated →punct 10 .')
    """
    chosen = PROPERTIES[name]
    for corpus in corpora:
        annotated, lengths, heads = _annotated(corpus, on_error)
        for place in np.flatnonzero(chosen.holds(measure_heads(lengths, heads))):
            sentence = corpus[int(annotated[place])]
            yield Witness(corpus.name, sentence.line, sentence.sent_id, chosen.certificate(sentence, sentence.graph))


def _annotated(corpus: Corpus, on_error: OnError) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Returns the indices, lengths and heads of the sentences whose words all have heads."""
    validate(on_error)
    whole = is_annotated(corpus)
    if not whole.all() and on_error == "fail":
        raise without_head(corpus[int(np.argmin(whole))])
    return np.flatnonzero(whole), corpus.lengths[whole], corpus.heads[whole[corpus.sentence_of]]


# Certificates as text.


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


def _nonprojective(sentence: Sentence, graph: DependencyGraph) -> str:
    arc = graph.nonprojective_arcs()[0]
    left, right = span(arc)
    heads = sentence.heads

    def dominated(word: int) -> bool:
        while word not in (0, arc[0]):
            word = heads[word - 1]
        return word == arc[0]

    foreign = next(word for word in range(left + 1, right) if not dominated(word))
    return f"{show_arc(sentence, arc)} spans {foreign} {sentence.forms[foreign - 1]}, which {arc[0]} does not dominate"


def _nonplanar(sentence: Sentence, graph: DependencyGraph) -> str:
    crossing = graph.crossing()
    assert crossing is not None
    return " crosses ".join(show_arc(sentence, arc) for arc in crossing)


def _not_2_planar(sentence: Sentence, graph: DependencyGraph) -> str:
    cycle = graph.odd_cycle()
    assert cycle is not None
    return f"odd cycle of {len(cycle)} crossings: " + " × ".join(show_arc(sentence, arc) for arc in [*cycle, cycle[0]])


def _needs_more_than(k: int) -> Callable[[Sentence, DependencyGraph], str]:
    def certificate(sentence: Sentence, graph: DependencyGraph) -> str:
        arcs = graph.obstruction(k)
        assert arcs is not None
        return f"does not fit in {k} planes: " + ", ".join(show_arc(sentence, arc) for arc in arcs)

    return certificate


def _ill_nested(sentence: Sentence, graph: DependencyGraph) -> str:
    found = graph.ill_nesting()
    assert found is not None
    r1, r2, *between = found
    forms = sentence.forms
    places = " < ".join(f"{word} {forms[word - 1]}" for word in between)
    return f"the subtrees of {r1} {forms[r1 - 1]} and {r2} {forms[r2 - 1]} interleave: {places}"


PROPERTIES = {
    "non-projective": Property("nonprojective", lambda m: m.nonprojective, _nonprojective),
    "not-planar": Property("nonplanar", _not_k_planar(1), _nonplanar),
    "not-2-planar": Property("non2planar", _not_k_planar(2), _not_2_planar),
    "not-3-planar": Property("non3planar", _not_k_planar(3), _needs_more_than(3)),
    "not-4-planar": Property("non4planar", _not_k_planar(4), _needs_more_than(4)),
    "ill-nested": Property("illnested", lambda m: m.ill_nested, _ill_nested),
}
"""The properties that put a structure outside a class, by their names on the command line."""
