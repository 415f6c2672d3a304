"""Rules for the words in enhanced labels, learned from a treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from multiplane.errors import GraphError
from multiplane.graphs.codecs.enhanced_sources import Source, Tree, as_suffix, candidates
from multiplane.graphs.codecs.enhanced_templates import fits_label

ADDED, UPWARD = "+", "^"
"""The keys of rules start so if they are for arcs beside the tree: to a word that is not above its head, or is."""
_MOST_SOURCES = 6
"""Longer lists only fit single sentences."""


class Example(NamedTuple):
    """An arc, and what follows the relation in its enhanced label: `in` for `obl:in`, nothing for `obl`."""

    tree: Tree
    head: int
    word: int
    relation: str
    suffix: str


@dataclass(frozen=True)
class Rule:
    """The suffix of enhanced labels of one relation: from the first source with a value, as spelled in the treebank.

    >>> tree = Tree([2, 3, 0], ["case", "obl", "root"], ["w/", "rain", "stay"])
    >>> Rule((Source("self", "mark"), Source("self", "case")), {"w/": "with"}).suffix(tree, 3, 2, "obl")
    'with'
    """

    sources: tuple[Source, ...]
    spellings: Mapping[str, str] = field(default_factory=dict)
    """Words that labels contain in another form; empty for those that they never contain."""

    def suffix(self, tree: Tree, head: int, word: int, relation: str) -> str:
        """Returns what follows the relation in the label of an arc."""
        for source in self.sources:
            value = source.value(tree, head, word, relation)
            if value is not None:
                spelled = self.spellings.get(value)
                return as_suffix(value) if spelled is None else spelled
        return ""

    def to_table(self) -> dict[str, Any]:
        """Returns the rule as plain values."""
        return {"sources": list(map(str, self.sources)), "spellings": dict(self.spellings)}

    @staticmethod
    def from_table(table: Any) -> Rule:
        """Restores a rule from `to_table`; raises `GraphError` for invalid values.

        >>> rule = Rule((Source("self", "case"),), {"&": "and"})
        >>> Rule.from_table(rule.to_table()) == rule
        True
        """
        sources, spellings = (
            (table.get("sources"), table.get("spellings")) if isinstance(table, Mapping) else (None, None)
        )
        if not isinstance(sources, list) or not isinstance(spellings, Mapping):
            raise GraphError("a rule for enhanced labels needs sources and spellings")
        if not all(isinstance(text, str) for text in (*sources, *spellings, *spellings.values())):
            raise GraphError("the sources and spellings of a rule must be texts")
        if wrong := [text for text in spellings.values() if not fits_label(text)]:
            raise GraphError(f"{wrong[0]!r} cannot be part of a label")
        return Rule(tuple(map(Source.read, sources)), dict(spellings))


Rules = Mapping[str, Rule]
"""The rule of each relation; for arcs beside the tree, keys start with `ADDED` or `UPWARD`."""


def key_of(tree: Tree, head: int, word: int, relation: str) -> str:
    """Returns the key of the rule for an arc.

    >>> tree = Tree([0, 1, 2], ["root", "obj", "acl:relcl"], ["see", "dog", "bark"])
    >>> [key_of(tree, *arc) for arc in ((1, 2, "obj"), (3, 2, "nsubj"), (1, 3, "obj"))]
    ['obj', '^nsubj', '+obj']
    """
    if head == tree.heads[word]:
        return relation
    return (UPWARD if tree.is_above(word, head) else ADDED) + relation


def usual_suffix(rules: Rules, tree: Tree, head: int, word: int, relation: str) -> str | None:
    """Returns what the rule of a relation adds to the label of an arc; None if there is no rule."""
    rule = rules.get(key_of(tree, head, word, relation))
    return None if rule is None else rule.suffix(tree, head, word, relation)


def learned(examples: Sequence[Example], least: int) -> Rule | None:
    """Returns the rule that explains most labels of a relation, or None if none explains `least` more than no rule.

    Adds the source that gains most as long as it gains `least`, then spellings that occur that often.

    >>> trees = [Tree([2, 3, 0], ["case", "obl", "root"], [word, "rain", "stay"]) for word in ("in", "in", "w/", "w/")]
    >>> suffixes = ["in", "in", "with", "with"]
    >>> found = learned([Example(tree, 3, 2, "obl", suffix) for tree, suffix in zip(trees, suffixes)], least=2)
    >>> list(map(str, found.sources)), found.spellings
    (['self.case'], {'w/': 'with'})
    """
    if sum(1 for example in examples if example.suffix) < least:
        return None
    left = [(example.suffix, dict(candidates(*example[:4]))) for example in examples]
    sources: list[Source] = []
    pairs: list[tuple[str, str]] = []
    while len(sources) < _MOST_SOURCES:
        best = _best(left, least)
        if best is None:
            break
        sources.append(best)
        pairs += [(values[best], suffix) for suffix, values in left if best in values]
        left = [(suffix, values) for suffix, values in left if best not in values]
    return Rule(tuple(sources), _spellings(pairs, least)) if sources else None


def _best(left: Iterable[tuple[str, Mapping[Source, str]]], least: int) -> Source | None:
    """Returns the source that explains most labels, less those that it spoils; the first of equals."""
    gains: Counter[Source] = Counter()
    for suffix, values in left:
        for source, value in values.items():
            gains[source] += (as_suffix(value) == suffix) - (not suffix)
    best = max(gains, key=lambda source: gains[source], default=None)
    return None if best is None or gains[best] < least else best


def _spellings(pairs: Iterable[tuple[str, str]], least: int) -> dict[str, str]:
    """Returns the words that labels mostly have in another form."""
    counts: dict[str, Counter[str]] = {}
    for value, suffix in pairs:
        counts.setdefault(value, Counter())[suffix] += 1
    usual = {value: max(suffixes.items(), key=lambda item: item[1]) for value, suffixes in counts.items()}
    return {
        value: suffix
        for value, (suffix, count) in sorted(usual.items())
        if value and suffix != as_suffix(value) and count >= least and count > counts[value][as_suffix(value)]
    }
