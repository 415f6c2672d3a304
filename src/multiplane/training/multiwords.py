"""Learns how multiword tokens are expanded: rules about beginnings and ends of forms, and exceptions to them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from multiplane import _native

_MOST_CONTEXT = 3
_LEAST_FORMS = 2
_LEAST_PRECISION = 0.5
_MOST_PLACES = 9

Expansions = dict[str, tuple[str, ...]]
"""Words by form, both in lower case."""


class Rule(NamedTuple):
    """A rule for forms with a given prefix and suffix around a stem: their words, one of which contains the stem."""

    prefix: str
    suffix: str
    place: int
    """Of the word with the stem."""
    before: str
    behind: str
    words: tuple[str, ...]
    """The other words."""

    def __str__(self) -> str:
        return "\t".join([self.prefix, self.suffix, str(self.place), self.before, self.behind, *self.words])

    def expand(self, form: str) -> tuple[str, ...]:
        """Returns the words of a form that the rule applies to.

        >>> Rule("", "'s", 0, "", "", ("'s",)).expand("dog's")
        ('dog', "'s")
        """
        stem = form[len(self.prefix) : len(form) - len(self.suffix)]
        words = list(self.words)
        words.insert(self.place, self.before + stem + self.behind)
        return tuple(words)


class Learned(NamedTuple):
    """The multiword tokens and rules that a tokenizer stores."""

    exceptions: tuple[str, ...]
    rules: tuple[str, ...]


def learn_multiwords(tokens: Iterable[tuple[str, tuple[str, ...]]]) -> Learned:
    r"""Learns from all occurrences of multiword tokens and their words.

    >>> learned = learn_multiwords([("Dog's", ("Dog", "'s")), ("cat's", ("cat", "'s")), ("du", ("de", "le"))])
    >>> learned.exceptions, [rule.split() for rule in learned.rules]
    (('du\tde\tle',), [["'s", '0', "'s"]])
    >>> _native.Multiwords(learned.exceptions, learned.rules).words("Du")
    ['De', 'le']
    """
    expansions = _usual(tokens)
    rules = _used(_ranked(_candidates(expansions), expansions), expansions)
    texts = tuple(map(str, rules))
    known = _native.Multiwords([], texts)
    exceptions = ("\t".join([form, *words]) for form, words in expansions.items() if tuple(known.words(form)) != words)
    return Learned(tuple(exceptions), texts)


def _usual(tokens: Iterable[tuple[str, tuple[str, ...]]]) -> Expansions:
    """The most frequent words of each form."""
    counts: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for form, words in tokens:
        if 2 <= len(words) <= _MOST_PLACES:
            counts[_native.lowered(form)][tuple(map(_native.lowered, words))] += 1
    return {form: min(found, key=lambda words: (-found[words], words)) for form, found in sorted(counts.items())}


def _candidates(expansions: Expansions) -> set[Rule]:
    """The rules that explain several forms."""
    support = Counter(rule for form, words in expansions.items() for rule in _rules(form, words))
    return {rule for rule, count in support.items() if count >= _LEAST_FORMS}


def _rules(form: str, words: tuple[str, ...]) -> Iterator[Rule]:
    """The rules that expand a form so: with a stem in any of the words, and with some of its letters as context."""
    for place, word in enumerate(words):
        length, start = _common(form, word)
        at = word.find(form[start : start + length])
        others = words[:place] + words[place + 1 :]
        for extra in range(min(_MOST_CONTEXT, length - 1) + 1):
            left, right = extra if start else 0, extra if start + length < len(form) else 0
            if left + right >= length or (extra and not left and not right):
                break
            prefix, suffix = form[: start + left], form[start + length - right :]
            yield Rule(prefix, suffix, place, word[: at + left], word[at + length - right :], others)


def _common(a: str, b: str) -> tuple[int, int]:
    """The length of the longest common substring, and where it starts in the first."""
    best = (0, 0)
    row = [0] * (len(b) + 1)
    for i, letter in enumerate(a):
        row = [0, *(row[j] + 1 if letter == other else 0 for j, other in enumerate(b))]
        longest = max(row)
        if longest > best[0]:
            best = (longest, i + 1 - longest)
    return best


class _Table:
    """Rules by beginning and end of forms."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules: defaultdict[tuple[str, str], list[Rule]] = defaultdict(list)
        for rule in rules:
            self._rules[rule.prefix, rule.suffix].append(rule)
        self._sizes = sorted({(len(prefix), len(suffix)) for prefix, suffix in self._rules})

    def matching(self, form: str) -> Iterator[Rule]:
        for left, right in self._sizes:
            if left + right < len(form):
                yield from self._rules.get((form[:left], form[len(form) - right :]), ())


def _ranked(rules: set[Rule], expansions: Expansions) -> list[Rule]:
    """Rules that are mostly right, the best first: the first one that fits a form will be used."""
    table = _Table(rules)
    matched: Counter[Rule] = Counter()
    right: Counter[Rule] = Counter()
    for form, words in expansions.items():
        for rule in table.matching(form):
            matched[rule] += 1
            right[rule] += rule.expand(form) == words
    good = [rule for rule in rules if right[rule] >= _LEAST_PRECISION * matched[rule]]
    return sorted(
        good,
        key=lambda rule: (-right[rule] / (matched[rule] + 1), -len(rule.prefix) - len(rule.suffix), rule),
    )


def _used(rules: list[Rule], expansions: Expansions) -> list[Rule]:
    """The rules that are the first to fit some form."""
    order = {rule: number for number, rule in enumerate(rules)}
    table = _Table(rules)
    used = {min(found, key=order.__getitem__) for form in expansions if (found := list(table.matching(form)))}
    return sorted(used, key=order.__getitem__)
