"""Comparatives and results: what follows "than", "as", "that" or "to" belongs to a word before the noun."""

from __future__ import annotations

from collections.abc import Sequence

from english_crossings.grammar import Clause, Core, Grammar, Sentence
from english_crossings.phrases import PERSON
from english_crossings.tree import Phrase, Word
from english_crossings.words import (
    DO,
    LEXICON,
    PLURAL,
    THINGS,
    THIRD,
    adjective,
    adverb,
    auxiliary,
    determiner,
    preposition,
    sconj,
)


def quantity(grammar: Grammar, word: Word, before: list[Word], classes: Sequence[str]) -> Phrase:
    """`more books`, `so many problems`, `as much money`; `word` is the adjective, `before` its adverb."""
    if word.form == "much" or (word.form in {"more", "enough"} and grammar.chance(0.4)):
        noun = grammar.mass(grammar.pick(tuple(LEXICON["mass"])))
    else:
        noun = grammar.noun(grammar.pick(classes), plural=True)
    for adverb_before in before:
        adverb_before.under(word, "advmod")
    return Phrase([*before, word.under(noun, "amod"), noun], noun, PLURAL if noun.xpos == "NNS" else THIRD)


def around(grammar: Grammar, noun: Phrase, tail: list[Word]) -> Sentence:
    """A clause with the noun as its object or subject, perhaps an adjunct, then the tail."""
    if grammar.chance(0.2):
        head, there = grammar.there_is(noun)
        return [there, head, *noun.under(head, "nsubj"), *grammar.maybe_adjunct(head, 0.5), *tail], head, "."
    if grammar.chance(0.25) and noun.agreement == PLURAL:
        verb, head = grammar.verb("appear")
        core = Core([head, *grammar.particle(verb, head)], head, verb, None, ("present", "past", "perfect"))
        return [*grammar.finite(core, noun, negative=False).words, *grammar.maybe_adjunct(head, 0.4), *tail], head, "."
    verb, head = grammar.verb_for(noun.head)
    core = Core([head, *noun.under(head, "obj"), *grammar.maybe_adjunct(head, 0.4), *tail], head, verb)
    return grammar.finite(core, grammar.subject()).words, head, "."


def short_clause(grammar: Grammar) -> Clause:
    """What follows "than" or "as": "she expected", "we did"."""
    subject = grammar.subject()
    if grammar.chance(0.4):
        head = auxiliary(DO, "VBD", subject.agreement)
        return Clause([*subject.under(head, "nsubj"), head], head)
    verb, head = grammar.verb("bridge", ("think", "expect", "hope", "say", "admit"))
    return grammar.finite(Core([head], head, verb, None, ("past", "perfect")), subject, negative=False)


def comparative(grammar: Grammar) -> Sentence:
    """`They sold more tickets this year than we expected`"""
    if grammar.chance(0.6):
        word = adjective("more", degree="Cmp")
        word.lemma = "more"
        noun = quantity(grammar, word, [], ("goods", "document", "person", "plan", "food"))
    else:
        form, lemma = grammar.pick(LEXICON["adjectives"]["comparative"]).split()
        word = adjective(form, lemma, "Cmp")
        plural = grammar.chance(0.3)
        head = grammar.noun(grammar.pick(("goods", "plan", "food", "place")), plural)
        noun = grammar.described(head, [determiner("some" if plural else "a"), word])
    if grammar.chance(0.4):
        other = grammar.pick((grammar.name(), grammar.noun_phrase(PERSON, ("the", "my"))))
        tail = [preposition("than").under(other.head, "case"), *other.under(word, "obl")]
    else:
        clause = short_clause(grammar)
        tail = [sconj("than").under(clause.head, "mark"), *clause.under(word, "advcl")]
    return around(grammar, noun, tail)


def equative(grammar: Grammar) -> Sentence:
    """`We sold as many tickets as you did`; `the same car as Anna` is a phrase of its noun."""
    kind = grammar.weighted({"as": 4, "same clause": 2, "same noun": 3})
    if kind == "as":
        word = adjective(grammar.pick(("many", "much")))
        noun = quantity(grammar, word, [adverb("as")], ("goods", "document", "person", "food"))
        if grammar.chance(0.25):
            possible = adjective("possible").under(word, "advcl")
            return around(grammar, noun, [sconj("as").under(possible, "mark"), possible])
    else:
        word = adjective("same")
        noun = grammar.described(grammar.noun(grammar.pick(THINGS), grammar.chance(0.3)), [determiner("the"), word])
    if kind == "same noun":
        other = grammar.pick((grammar.name(), grammar.noun_phrase(PERSON, ("the", "my"))))
        phrase = [*noun.words, preposition("as").under(other.head, "case"), *other.under(noun.head, "nmod")]
        return around(grammar, Phrase(phrase, noun.head, noun.agreement), [])
    clause = short_clause(grammar)
    return around(grammar, noun, [sconj("as").under(clause.head, "mark"), *clause.under(word, "advcl")])


def result(grammar: Grammar) -> Sentence:
    """`There were so many guests that …` crosses; `she was so tired that …` does not."""
    clause = grammar.finite(grammar.complete(), grammar.subject())
    that = [sconj("that").under(clause.head, "mark")] if grammar.chance(0.8) else []
    if grammar.chance(0.55):
        word = adjective(grammar.pick(("many", "much")))
        noun = quantity(grammar, word, [adverb("so")], ("goods", "document", "person", "food", "plan"))
        return around(grammar, noun, that + clause.under(word, "advcl"))
    head = adjective(grammar.pick(LEXICON["adjectives"]["person"]))
    core = Core([adverb("so").under(head, "advmod"), head, *that, *clause.under(head, "advcl")], head, None)
    return grammar.finite(core, grammar.subject(), negative=False).words, head, "."


def enough(grammar: Grammar) -> Sentence:
    """`We have enough money to pay the driver`"""
    word = adjective(grammar.pick(("enough", "enough", "sufficient")))
    noun = quantity(grammar, word, [], ("goods", "document", "person", "food"))
    clause = grammar.infinitive(grammar.pick((grammar.transitive, grammar.prepositional))())
    return around(grammar, noun, clause.under(word, "advcl"))
