"""Constraints: heads and labels that are given, and arcs that are forbidden."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import FormatError, ModelError
from multiplane.formats import UNKNOWN_HEAD, Corpus
from multiplane.formats.misc import misc_value
from multiplane.models import FixedArcs, Model, Trees
from multiplane.models.protocol import ForbiddenHeads

KEY = "NotHead"
"""The attribute in MISC that lists the heads a word must not have."""
_NUMBERS = re.compile(r"\d{1,9}(,\d{1,9})*\Z")
_NONE = -1
_ADVICE = "give (head, dependent) for each arc, in a list for a Sentence, and in a list of such lists for a Corpus"

Arcs = Iterable[tuple[int, int]]
"""`(head, dependent)`; words from 1, head 0 for the root."""


class Constraints(NamedTuple):
    """Constraints on a corpus."""

    fixed: FixedArcs
    labels: NDArray[np.int32]
    """Given labels, as indices into `names`; -1 for none."""
    names: Sequence[str]
    """The labels of the model and the given ones."""

    def kept(self, trees: Trees) -> Trees:
        """Returns the trees with all given labels, including those unknown to the model."""
        return trees._replace(labels=np.where(self.labels == _NONE, trees.labels, self.labels))


def given_constraints(model: Model, corpus: Corpus) -> Constraints:
    """Returns the constraints of a corpus: every HEAD and DEPREL that is not `_`, and `NotHead` in MISC.

    Labels unknown to the model are kept too: the model chooses a label, which is then replaced.
    """
    wanted = corpus.column("deprel")
    names = list(model.names)
    place = {name: number for number, name in enumerate(names)}
    for label in wanted:
        if label != "_" and label not in place:
            place[label] = len(names)
            names.append(label)
    labels = np.fromiter((_NONE if label == "_" else place[label] for label in wanted), np.int32, len(wanted))
    known = np.where(labels < len(model.names), labels, _NONE)
    heads = np.where(corpus.heads == UNKNOWN_HEAD, _NONE, corpus.heads)
    forbidden = _forbidden(model, corpus, _heads_in_misc(corpus))
    return Constraints(FixedArcs(heads, known, forbidden, labels != _NONE), labels, names)


def checked_arcs(given: object) -> list[list[tuple[int, int]]]:
    """Returns the forbidden arcs of each sentence; raises `ValueError` if they are anything but pairs of numbers.

    >>> checked_arcs([[(2, 1)], []])
    [[(2, 1)], []]
    >>> checked_arcs([[(1,)]])
    Traceback (most recent call last):
    ...
    ValueError: the forbidden arc (1,) is not a pair of numbers; give (head, dependent) ...
    """
    return [[_checked_arc(arc) for arc in _listed(arcs)] for arcs in _listed(given)]


def _listed(given: object) -> list[object]:
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise ValueError(f"forbidden arcs are {given!r}; {_ADVICE}")
    return list(given)


def _checked_arc(arc: object) -> tuple[int, int]:
    pair = list(arc) if isinstance(arc, Iterable) else []
    if len(pair) != 2 or not all(isinstance(word, int | np.integer) for word in pair):
        raise ValueError(f"the forbidden arc {arc!r} is not a pair of numbers; {_ADVICE}")
    return int(pair[0]), int(pair[1])


def forbidding(model: Model, corpus: Corpus, arcs: Sequence[Arcs], given: Constraints | None) -> Constraints | None:
    """Returns the constraints with forbidden arcs, a list for each sentence; None if there are no constraints."""
    if len(arcs) != len(corpus):
        raise ValueError(f"{len(arcs):,} lists of forbidden arcs for {len(corpus):,} sentences; give one for each")
    heads: list[set[int]] = [set() for _ in range(corpus.words)] if given is None else _heads_in_misc(corpus)
    starts = np.cumsum(corpus.lengths) - corpus.lengths
    for number, some in enumerate(arcs):
        n = len(corpus[number])
        for head, dependent in some:
            if not (0 <= head <= n and 1 <= dependent <= n):
                raise ValueError(
                    f"{corpus[number].where}: the forbidden arc {head}→{dependent} is outside the sentence"
                )
            heads[int(starts[number]) + dependent - 1].add(head)
    forbidden = _forbidden(model, corpus, heads)
    if given is not None:
        return given._replace(fixed=given.fixed._replace(forbidden=forbidden))
    if forbidden is None:
        return None
    nothing = np.full(corpus.words, _NONE, np.int32)
    return Constraints(FixedArcs(nothing, nothing, forbidden), nothing, model.names)


def _forbidden(model: Model, corpus: Corpus, heads: list[set[int]]) -> ForbiddenHeads | None:
    if not any(heads):
        return None
    if model.graph_layer is not None:
        raise ModelError(
            f"a {model.kind} model cannot avoid arcs; train a parser that predicts only trees, with --task syntax"
        )
    first = np.append(0, np.cumsum([len(some) for some in heads])).astype(np.int32)
    return ForbiddenHeads(first, np.array([head for some in heads for head in sorted(some)], np.int32))


def _heads_in_misc(corpus: Corpus) -> list[set[int]]:
    """Returns the heads that each word must not have."""
    if "misc" not in corpus.dialect.columns:
        return [set() for _ in range(corpus.words)]
    values = [misc_value(field, KEY) for field in corpus.column("misc")]
    found: list[set[int]] = [set() for _ in values]
    for place, value in enumerate(values):
        if value is None:
            continue
        found[place] = set(map(int, value.split(","))) if _NUMBERS.match(value) else {-1}
        sentence = corpus[int(corpus.sentence_of[place])]
        if any(not 0 <= head <= len(sentence) for head in found[place]):
            word = place - int(corpus._index.first_word[sentence.number]) + 1
            what = f"{KEY}={value} in MISC is not a list of heads; give numbers from 0 to {len(sentence)}"
            raise FormatError(
                f"{what}, separated by commas", file=corpus.name, line=sentence.line_of(word), sent_id=sentence.sent_id
            )
    return found
