"""Scores of predicates and their arguments, as the scorers of CoNLL-2009 and CoNLL-2008 count them.

A predicate is an arc from a virtual root, labelled with its sense. An argument is an arc from its predicate, labelled
with its role; it is correct whatever the sense of the predicate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from multiplane.evaluation.crossing import crossing_tallies
from multiplane.evaluation.nodes import Arcs, Names, arcs_of, senses_of, words_of
from multiplane.evaluation.pair import Pair
from multiplane.evaluation.score import Macro, Score
from multiplane.evaluation.tally import Items, Tally, tally

_SUPPORT = "SU"


@dataclass(frozen=True)
class SemanticScorer:
    """What the scorer of a shared task compares; see `SCORERS`."""

    name: str
    sense: Callable[[str], str]
    """The part of a sense that is compared."""
    lists_roles: bool
    """Whether `A0|A1` in a field means two arguments with one role each."""
    skips_support: bool
    """Whether predicates with the sense `SU`, and arguments with this role, are left out."""

    def counts_sense(self, sense: str) -> bool:
        """Whether predicates with this sense count; a field without a sense, `_`, makes no predicate."""
        return sense != "_" and not (self.skips_support and self.sense(sense) == _SUPPORT)

    def counts_role(self, role: str) -> bool:
        """Whether arguments with this role count."""
        return not (self.skips_support and role == _SUPPORT)


def sense_2009(sense: str) -> str:
    """Returns what follows the dot, or the whole sense unless it has one dot; numbers are compared as numbers.

    >>> sense_2009("come.03"), sense_2009("walk.3"), sense_2009("v41jsB"), sense_2009("a.m.01")
    ('3', '3', 'v41jsB', 'a.m.01')
    """
    lemma, _, rest = sense.partition(".")
    compared = rest if lemma and rest and "." not in rest else sense
    return compared.lstrip("0") or "0" if re.fullmatch("[0-9]+", compared) else compared


def sense_2008(sense: str) -> str:
    """Returns what lies between the first dot and the next; nothing without a dot.

    >>> sense_2008("come.03"), sense_2008("come"), sense_2008("a.m.01")
    ('03', '', 'm')
    """
    return [*sense.split("."), ""][1]


SCORERS = {
    scorer.name: scorer
    for scorer in (
        SemanticScorer("conll09", sense_2009, lists_roles=True, skips_support=False),
        SemanticScorer("conll08", sense_2008, lists_roles=False, skips_support=True),
    )
}
"""`conll09` as eval09.pl, `conll08` as eval08.pl, the scorers of the two shared tasks."""


def scorer_of(name: str) -> SemanticScorer:
    """Returns a scorer by name."""
    if name not in SCORERS:
        raise ValueError(f"scorer must be one of {', '.join(map(repr, SCORERS))}, not {name!r}")
    return SCORERS[name]


def semantic_scores(pair: Pair, scorer: SemanticScorer) -> dict[str, Score]:
    """Returns the scores of the semantic layer, by name."""
    tallies = semantic_tallies(pair, scorer)
    exact = pair.same_sentences & tallies["Predicates"].perfect & tallies["Arguments"].perfect
    scores = {name: counts.score for name, counts in tallies.items()}
    return {**scores, "SEM": Score(len(pair.gold), len(pair.system), int(exact.sum()))}


def macro_scores(pair: Pair, semantic: dict[str, Score]) -> dict[str, Score]:
    """Returns the means of syntax and semantics; in syntax, both scorers count all words and full labels."""
    uas, las = pair.score(pair.same_head), pair.score(pair.attached(pair.labels))
    return {
        "Macro": Macro.of(las, semantic["Semantic"]),
        "Macro-unlabelled": Macro.of(uas, semantic["Semantic-unlabelled"]),
    }


def semantic_tallies(pair: Pair, scorer: SemanticScorer) -> dict[str, Tally]:
    """Counts predicates, arguments, propositions and crossing pairs in each sentence of the gold standard."""
    size = len(pair.gold)
    senses, roles = Names(), Names()
    gold, system = _frames(pair, scorer, senses, roles)
    counts: dict[str, Tally] = {}
    for suffix, names in (("", (len(senses), len(roles))), ("-unlabelled", (0, 0))):
        predicates = tally(gold.predicates.items(names[0]), system.predicates.items(names[0]), size)
        arguments = tally(gold.arguments.items(names[1]), system.arguments.items(names[1]), size)
        counts[f"Semantic{suffix}"] = predicates + arguments
        counts |= {f"Predicates{suffix}": predicates, f"Arguments{suffix}": arguments}
    counts["Propositions"] = _propositions(gold, system, len(senses), len(roles), size)
    return counts | crossing_tallies(gold.arguments, system.arguments, len(roles), size)


class _Frames(NamedTuple):
    """The predicates of one side and their arguments."""

    predicates: Arcs
    arguments: Arcs


def _frames(pair: Pair, scorer: SemanticScorer, senses: Names, roles: Names) -> list[_Frames]:
    """Returns the predicates and arguments that the scorer counts, of both sides."""
    frames = []
    for words, corpus in zip(words_of(pair), (pair.gold, pair.system), strict=True):
        given, arcs = corpus.predicates, corpus.semantic_arcs
        is_counted = np.array([scorer.counts_sense(name) for name in given.names], np.bool_)
        predicates = senses_of(words, given, senses, scorer.sense).where(is_counted[given.senses])
        is_counted = np.array([scorer.counts_role(name) for name in arcs.names], np.bool_)
        arguments = arcs_of(words, arcs, Names())
        kept = np.isin(arguments.heads, predicates.dependents) & is_counted[arcs.labels]
        frames.append(_Frames(predicates, _listed(arguments.where(kept), arcs.names, roles, scorer.lists_roles)))
    return frames


def _listed(arguments: Arcs, names: Sequence[str], roles: Names, lists_roles: bool) -> Arcs:
    """Returns an arc for each argument and role; a field may list several roles."""
    lists = [sorted(set(filter(None, name.split("|")))) if lists_roles else [name] for name in names]
    numbers = roles.numbers(role for listed in lists for role in listed)
    sizes = np.array([len(listed) for listed in lists], np.int64)
    starts = np.cumsum(sizes) - sizes
    repeats = sizes[arguments.labels]
    arc = np.repeat(np.arange(len(repeats)), repeats)
    place = np.arange(len(arc)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    return arguments.where(arc).relabelled(numbers[starts[arguments.labels[arc]] + place])


def _propositions(gold: _Frames, system: _Frames, senses: int, roles: int, sentences: int) -> Tally:
    """Counts predicates; one is correct if its sense is, and both sides have the same arguments."""
    is_common = np.isin(gold.arguments.items(roles).keys, system.arguments.items(roles).keys)
    common = gold.arguments.where(is_common)
    in_common, in_gold, in_system = (
        np.bincount(arcs.heads, minlength=arcs.nodes) for arcs in (common, gold.arguments, system.arguments)
    )
    same = (in_common == in_gold) & (in_common == in_system)
    items = system.predicates.items(senses)
    # A predicate of the system that has other arguments is equal to none.
    keys = np.where(same[system.predicates.dependents], items.keys, -1)
    return tally(gold.predicates.items(senses), Items(keys, items.sentences), sentences)
