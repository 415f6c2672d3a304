"""Noun phrases and adjuncts, drawn at random."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from english_crossings.tree import Phrase, Word
from english_crossings.words import (
    IT,
    LEXICON,
    PLURAL,
    PRONOUNS,
    THIRD,
    adjective,
    adverb,
    determiner,
    personal,
    possessive,
    preposition,
)

T = TypeVar("T")
PERSON = ("person",)
RELATIONS = {"DT": "det", "PRP$": "nmod:poss", "JJ": "amod", "JJR": "amod"}
"""How what stands before a noun hangs from it, by tag."""


class Phrases:
    """Draws noun phrases and adjuncts at random.

    >>> Phrases(1).name().head.form == Phrases(1).name().head.form
    True
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self.random.choice(options)

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random.random() < probability

    def weighted(self, options: dict[T, float]) -> T:
        """One of the options, drawn by weight."""
        return self.random.choices(list(options), list(options.values()))[0]

    def noun(self, name: str, plural: bool) -> Word:
        """A noun of a class."""
        form = self.pick(LEXICON["nouns"][name]).split()
        return Word(form[plural], form[0], "NOUN", "NNS" if plural else "NN", f"Number={'Plur' if plural else 'Sing'}")

    def mass(self, name: str) -> Word:
        """A noun without a plural."""
        form = self.pick(LEXICON["mass"][name])
        return Word(form, form, "NOUN", "NN", "Number=Sing")

    def name(self, kind: str = "person") -> Phrase:
        """A name."""
        form = self.pick(LEXICON["names"][kind])
        word = Word(form, form, "PROPN", "NNP", "Number=Sing")
        return Phrase([word], word)

    def described(self, head: Word, before: Sequence[Word], name: str = "") -> Phrase:
        """A noun with words before it, among them perhaps an adjective."""
        words = list(before)
        if name and self.chance(0.2):
            kind = "before_person" if name == "person" else "before_thing"
            words.append(adjective(self.pick(LEXICON["adjectives"][kind])))
        for word in words:
            word.under(head, RELATIONS[word.xpos])
        if words and words[0].form in {"a", "an"}:
            following = (words[1] if len(words) > 1 else head).form
            words[0].form = "an" if following[0] in "aeio" or following.startswith(("ug", "um")) else "a"
        return Phrase([*words, head], head, PLURAL if head.xpos == "NNS" else THIRD)

    def noun_phrase(
        self,
        classes: Sequence[str],
        determiners: Sequence[str] = ("the", "a", "my", "this"),
        plural: bool | None = None,
    ) -> Phrase:
        """A noun of one of the classes with a determiner."""
        name = self.pick([name for name in classes if name in LEXICON["nouns"]] or ["plan"])
        plural = self.chance(0.25) if plural is None else plural
        form = self.pick(determiners)
        if form == "my":
            first = possessive(self.pick(PRONOUNS))
        elif plural:
            first = determiner({"a": "some", "this": "these", "every": "the"}.get(form, form))
        else:
            first = determiner(form)
        return self.described(self.noun(name, plural), [first], name)

    def subject(self, asked: bool = False) -> Phrase:
        """Who does something; in a question, seldom the speaker."""
        kind = self.weighted({"pronoun": 6, "name": 2, "noun": 3})
        if kind == "pronoun":
            return personal(self.pick((PRONOUNS[1], *PRONOUNS[1:4], PRONOUNS[5]) if asked else PRONOUNS))
        return self.name() if kind == "name" else self.noun_phrase(PERSON, ("the", "my", "my"))

    def object(self, classes: Sequence[str]) -> Phrase:
        """A pronoun, a name or a noun phrase."""
        if "it" in classes or self.chance(0.15):
            return personal(self.pick((PRONOUNS[2], PRONOUNS[3], PRONOUNS[5])) if "person" in classes else IT, "Acc")
        return self.name() if "person" in classes and self.chance(0.3) else self.noun_phrase(classes)

    def adjunct(self, head: Word) -> list[Word]:
        """An adverb, a day or a prepositional phrase under the head."""
        kind = self.weighted({"adverb": 3, "day": 2, "phrase": 4, "place": 1})
        if kind == "adverb":
            return [adverb(self.pick(LEXICON["adjuncts"]["adverbs"])).under(head, "advmod")]
        if kind == "day":
            form = self.pick(LEXICON["adjuncts"]["days"])
            return [Word(form, form, "NOUN", "NN", "Number=Sing").under(head, "obl:unmarked")]
        if kind == "place":
            place = self.name("place")
            return [preposition("in").under(place.head, "case"), *place.under(head, "obl")]
        return fixed_phrase(self.pick(LEXICON["adjuncts"]["phrases"])).under(head, "obl")

    def early_adverb(self, head: Word) -> list[Word]:
        """An adverb that stands before the verb."""
        return [adverb(self.pick(LEXICON["adjuncts"]["early"])).under(head, "advmod")]

    def maybe_adjunct(self, head: Word, probability: float = 0.25) -> list[Word]:
        """An adjunct, with this probability."""
        return self.adjunct(head) if self.chance(probability) else []


def fixed_phrase(text: str) -> Phrase:
    """A prepositional phrase of the lexicon: "in the morning"."""
    first, *middle, last = text.split()
    head = Word(last, last, "NOUN", "NN", "Number=Sing")
    words = []
    for form in middle:
        if form in {"my", "her"}:
            words.append(possessive(PRONOUNS[0] if form == "my" else PRONOUNS[3]))
        elif form == "first":
            words.append(Word(form, form, "ADJ", "JJ", "Degree=Pos|NumForm=Word|NumType=Ord"))
        else:
            words.append(determiner(form))
    for word in words:
        word.under(head, RELATIONS[word.xpos])
    return Phrase([preposition(first).under(head, "case"), *words, head], head)
