"""Modifiers and conjuncts that stand apart from their noun, at the end of its clause."""

from __future__ import annotations

from collections.abc import Sequence

from english_crossings.grammar import Core, Grammar, Sentence, set_off
from english_crossings.tree import Phrase, Word
from english_crossings.words import LEXICON, Verb, determiner, preposition, sconj, wh

TYPICAL = {
    "document": ("explain", "describe", "change"),
    "plan": ("explain", "change", "help"),
    "place": ("sell", "hire", "help"),
}
"""What things do, in a relative clause."""
PRESENT = ("present", "past", "perfect")


def modifier(grammar: Grammar, noun: Phrase, name: str) -> list[Word]:
    """A relative clause under the noun, a noun of the class `name`; its pronoun is its subject."""
    word = wh(grammar.pick(("who", "who", "that") if name == "person" else ("that", "that", "which")), "Rel")
    if name == "person":
        core = grammar.complete()
    elif name not in TYPICAL or grammar.chance(0.4):
        core = grammar.quality("thing")
    else:
        verb, head = grammar.verb("transitive", TYPICAL[name])
        core = Core(
            [head, *grammar.object(verb.governs).under(head, "obj")], head, verb, None, ("present", "past", "modal")
        )
    clause = grammar.finite(core, Phrase([], core.head, noun.agreement))
    return [word.under(core.head, "nsubj"), *clause.under(noun.head, "acl:relcl")]


def modified(grammar: Grammar, names: Sequence[str], determiners: Sequence[str]) -> tuple[Phrase, list[Word], str]:
    """A noun phrase, a relative clause under its noun, and the class of the noun."""
    name = grammar.pick(names)
    noun = grammar.noun_phrase([name], determiners)
    return noun, modifier(grammar, noun, name), name


def extraposed(grammar: Grammar) -> Sentence:
    """`A man came in who knew her` crosses, `a man who knew her came in` does not."""
    noun, tail, _ = modified(grammar, ("person", "person", "document", "plan"), ("a", "a", "no", "the"))
    verb, head = grammar.verb("appear")
    middle = [head, *grammar.particle(verb, head), *grammar.maybe_adjunct(head)]
    if grammar.chance(0.35):
        noun = Phrase(noun.words + tail, noun.head, noun.agreement)
        return grammar.finite(Core(middle, head, verb, None, PRESENT), noun, negative=False).words, head, "."
    return grammar.finite(Core(middle, head, verb, None, PRESENT), noun, negative=False).words + tail, head, "."


def after_adjunct(grammar: Grammar) -> Sentence:
    """`I met a woman today who …` crosses, `I met a woman in a shop that …` does not."""
    noun, tail, name = modified(grammar, ("person", "person", "document", "plan", "goods"), ("a",))
    names = ("meet", "hire", "call", "invite") if name == "person" else ("find", "get", "buy", "send", "see", "need")
    verb, head = grammar.verb("transitive", names)
    words = [head, *noun.under(head, "obj")]
    if grammar.chance(0.6):
        words += grammar.adjunct(head) + tail
    else:
        place, tail, _ = modified(grammar, ("place",), ("a", "the"))
        words += [
            preposition(grammar.pick(("in", "at", "near"))).under(place.head, "case"),
            *place.under(head, "obl"),
            *tail,
        ]
    return grammar.finite(Core(words, head, verb), grammar.subject()).words, head, "."


def existential(grammar: Grammar) -> Sentence:
    """`There is a shop here that …`: the adverb belongs to `is`."""
    noun, tail, _ = modified(grammar, ("person", "person", "place", "goods", "plan"), ("a", "a", "no"))
    head, there = grammar.there_is(noun)
    asked = grammar.chance(0.25)
    words = [*([head, there] if asked else [there, head]), *noun.under(head, "nsubj")]
    if grammar.chance(0.65):
        words += grammar.adjunct(head)
    return words + tail, head, "?" if asked else "."


def content(grammar: Grammar) -> Sentence:
    """`A rumor spread that …`"""
    form, base, third, past, participle, gerund = grammar.pick(LEXICON["relational"]["content"]).split()
    noun, verb = Word(form, form, "NOUN", "NN", "Number=Sing"), Verb(base, third, past, participle, gerund)
    phrase = grammar.described(noun, [] if form == "news" else [determiner(grammar.pick(("a", "the")))])
    head = Word(verb.base, verb.base, "VERB", "VB")
    clause = grammar.finite(grammar.complete(), grammar.subject())
    mark = sconj("whether" if form == "question" else "that").under(clause.head, "mark")
    tail = [mark, *clause.under(noun, "acl")]
    if grammar.chance(0.3):
        phrase, tail = Phrase(phrase.words + tail, noun), []
    core = Core([head], head, verb, None, PRESENT)
    return grammar.finite(core, phrase, negative=False).words + grammar.maybe_adjunct(head) + tail, head, "."


def afterthought(grammar: Grammar) -> Sentence:
    """`We need a lawyer here, not a friend` crosses, `we need a lawyer, not a friend` does not."""
    verb, head = grammar.verb("transitive")
    name = [grammar.pick([name for name in verb.governs if name in LEXICON["nouns"]] or ["plan"])]
    first = second = grammar.noun_phrase(name, ("the", "a", "my"))
    while first.head.lemma == second.head.lemma:
        second = grammar.noun_phrase(name, ("the", "a", "my"))
    between = grammar.maybe_adjunct(head, 0.65)
    link = grammar.weighted({"not": 3, "and": 2, "or": 1.5, "but not": 1})
    before: list[Word] = []
    for form in link.split():
        if form == "not":
            before.append(Word("not", "not", "PART", "RB", "Polarity=Neg").under(second.head, "advmod"))
        else:
            before.append(Word(form, form, "CCONJ", "CC").under(second.head, "cc"))
    tail = before + second.under(first.head, "conj")
    if "not" in link or grammar.chance(0.5):
        tail = set_off(tail, second.head)
    core = Core([head, *first.under(head, "obj"), *between, *tail], head, verb)
    return grammar.finite(core, grammar.subject()).words, head, "."
