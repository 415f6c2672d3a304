"""Coverage of a treebank: the number of structures outside each class (S0 Table 1), with a certificate for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from multiplane.analysis import certificates
from multiplane.display import Shown
from multiplane.formats import Corpus, Sentence
from multiplane.formats.corpus import OnError, validate
from multiplane.formats.punctuation import punctuation_of
from multiplane.formats.treebank import is_annotated, joined, without_head
from multiplane.graphs import DependencyGraph, Measures, measure_heads
from multiplane.graphs.removal import without_words


@dataclass
class Coverage(Shown):
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


def not_k_planar(k: int) -> Callable[[Measures], NDArray[np.bool_]]:
    """Returns the test for graphs that are not k-planar."""

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


def coverage(corpora: Iterable[Corpus], *, on_error: OnError = "fail", punctuation: bool = True) -> Coverage:
    """Computes the coverage of a treebank, given as one corpus or as the blocks of a large file.

    Without `punctuation`, the words of `multiplane.formats.punctuation.punctuation_of` are removed first: their
    dependents attach to the nearest remaining ancestor. Sentences of punctuation only are left out.

    >>> from multiplane import sample
    >>> coverage([sample()]).nonplanar, coverage([sample()], punctuation=False).nonplanar
    (31, 21)
    """
    total = Coverage()
    for corpus in corpora:
        _, lengths, heads = _annotated(corpus, on_error, punctuation)
        total += coverage_of(measure_heads(lengths, heads), len(heads))
    return total


def coverage_of(m: Measures, tokens: int) -> Coverage:
    """Returns the coverage of measured structures with this number of words in total.

    >>> coverage_of(measure_heads(np.array([4]), np.array([3, 0, 2, 1], np.int32)), 4).nonprojective
    1
    """
    return Coverage(
        structures=len(m.planarity),
        tokens=tokens,
        **{prop.column: int(prop.holds(m).sum()) for prop in PROPERTIES.values()},
        np_arcs=int(m.np_arcs.sum()),
        gap_degree=int(m.gap_degree.max(initial=0)),
        arc_degree=int(m.arc_degree.max(initial=0)),
        undecided=int((m.planarity == 0).sum()),
    )


@dataclass(frozen=True)
class Witness:
    """A sentence outside a class, with a certificate."""

    file: str
    line: int
    sent_id: str
    certificate: str


def witnesses(
    corpora: Iterable[Corpus], name: str, *, on_error: OnError = "fail", punctuation: bool = True
) -> Iterator[Witness]:
    """Yields the sentences with one of the `PROPERTIES`, each with a certificate.

    Without `punctuation`, as for `coverage`, certificates number the remaining words.

    >>> from multiplane import sample
    >>> w = next(witnesses([sample()], "not-planar"))
    >>> w.sent_id, w.certificate
    ('en-003', '2 petition →nmod 7 decision crosses 4 circulated →punct 10 .')
    """
    chosen = PROPERTIES[name]
    for corpus in corpora:
        annotated, lengths, heads = _annotated(corpus, on_error, punctuation)
        for place in np.flatnonzero(chosen.holds(measure_heads(lengths, heads))):
            sentence = corpus[int(annotated[place])]
            shown = sentence if punctuation else _without_punctuation(sentence)
            yield Witness(corpus.name, sentence.line, sentence.sent_id, chosen.certificate(shown, shown.graph))


def _without_punctuation(sentence: Sentence) -> Sentence:
    corpus = joined([sentence])
    removed = punctuation_of(corpus)
    _, heads = without_words(corpus.lengths, corpus.heads, removed)
    forms, deprels = (
        [value for value, gone in zip(values, removed, strict=True) if not gone]
        for values in (sentence.forms, sentence.deprels)
    )
    return Corpus.from_columns(forms=[forms], heads=[heads.tolist()], deprels=[deprels])[0]


def _annotated(
    corpus: Corpus, on_error: OnError, punctuation: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Returns the indices, lengths and heads of the sentences whose words all have heads."""
    validate(on_error)
    whole = is_annotated(corpus)
    if not whole.all() and on_error == "fail":
        raise without_head(corpus[int(np.argmin(whole))])
    chosen = whole[corpus.sentence_of]
    numbers, lengths, heads = np.flatnonzero(whole), corpus.lengths[whole], corpus.heads[chosen]
    if punctuation:
        return numbers, lengths, heads
    lengths, heads = without_words(lengths, heads, punctuation_of(corpus)[chosen])
    return numbers[lengths > 0], lengths[lengths > 0], heads


PROPERTIES = {
    "non-projective": Property("nonprojective", lambda m: m.nonprojective, certificates.nonprojective),
    "not-planar": Property("nonplanar", not_k_planar(1), certificates.nonplanar),
    "not-2-planar": Property("non2planar", not_k_planar(2), certificates.not_2_planar),
    "not-3-planar": Property("non3planar", not_k_planar(3), certificates.needs_more_than(3)),
    "not-4-planar": Property("non4planar", not_k_planar(4), certificates.needs_more_than(4)),
    "ill-nested": Property("illnested", lambda m: m.ill_nested, certificates.ill_nested),
}
"""The properties that put a structure outside a class, by their names on the command line."""
