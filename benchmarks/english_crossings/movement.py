"""Questions and relative clauses: a word stands before the clause, and its head is far inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from english_crossings.grammar import Core, Grammar, Sentence, set_off
from english_crossings.phrases import PERSON
from english_crossings.tree import Phrase, Word
from english_crossings.words import (
    HAVE,
    IT,
    LEXICON,
    PLURAL,
    PRONOUNS,
    THINGS,
    THIRD,
    adjective,
    adverb,
    comma,
    determiner,
    personal,
    preposition,
    wh,
)


def question_phrase(grammar: Grammar, classes: Sequence[str], plural: bool | None = None) -> Phrase:
    """What asks for something of one of the classes: "who", "which car", "how many books", "what else"."""
    word = wh("who" if "person" in classes and grammar.chance(0.7 if len(classes) > 1 else 1) else "what")
    nouns = [name for name in classes if name in LEXICON["nouns"]]
    kind = grammar.weighted({"plain": 11, "noun": 4, "count": 1.5, "else": 1, "sort": 0.7})
    if plural:
        kind = grammar.pick(("noun", "count"))
    elif kind == "count" and plural is False:
        kind = "plain"
    plural = grammar.chance(0.25) if plural is None else plural
    if kind == "plain" or (kind != "else" and not nouns):
        return Phrase([word], word)
    if kind == "else":
        return Phrase([word, adverb("else").under(word, "advmod")], word)
    noun = grammar.noun(grammar.pick(nouns), kind == "count" or (plural and kind == "noun"))
    if kind == "sort":
        head = Word("kind", "kind", "NOUN", "NN", "Number=Sing")
        of = preposition("of").under(noun, "case")
        return Phrase([asking("what").under(head, "det"), head, of, noun.under(head, "nmod")], head)
    agreement = PLURAL if noun.xpos == "NNS" else THIRD
    if kind == "noun":
        return Phrase([asking(grammar.pick(("which", "what"))).under(noun, "det"), noun], noun, agreement)
    many = adjective("many").under(noun, "amod")
    return Phrase([wh("how").under(many, "advmod"), many, noun], noun, agreement)


def asking(form: str) -> Word:
    return Word(form, form, "DET", "WDT", "PronType=Int")


def relative_pronoun(grammar: Grammar, person: bool, set_apart: bool) -> Phrase:
    """`who`, `which` or `that`; after a comma, not `that`."""
    options = {"who": 3, "that": 4, "whom": 1} if person else {"which": 4, "that": 5}
    form = grammar.weighted({form: weight for form, weight in options.items() if form != "that" or not set_apart})
    word = wh(form, "Rel")
    return Phrase([word], word)


def gapped(grammar: Grammar) -> Core:
    return grammar.deep_gap(grammar.weighted({0: 4, 1: 7, 2: 1}))


def question(grammar: Grammar) -> Sentence:
    """`What do you think she bought?`"""
    clause = grammar.finite(gapped(grammar), grammar.subject(asked=True), inverted=True)
    assert clause.gap
    return clause.filled(question_phrase(grammar, clause.gap.classes, clause.gap.plural)), clause.head, "?"


def subject_question(grammar: Grammar) -> Sentence:
    """`Who thinks that she likes him?`: nothing crosses."""
    person = grammar.chance(0.7)
    if person and grammar.chance(0.5):
        core = grammar.bridge(grammar.finite(grammar.complete(), grammar.subject()))
    else:
        core = grammar.complete() if person else grammar.quality("thing")
    filler = question_phrase(grammar, PERSON if person else THINGS)
    clause = grammar.finite(core, Phrase([], core.head, filler.agreement))
    suffix = ":pass" if "Voice=Pass" in core.head.feats else ""
    return [*filler.under(core.head, "nsubj" + suffix), *clause.words], core.head, "?"


def where_question(grammar: Grammar) -> Sentence:
    """`When did he say he would call?`; `why` asks about the saying, so nothing crosses."""
    inner = grammar.finite(grammar.complete(), grammar.subject())
    core = grammar.bridge(inner)
    word = wh(grammar.pick(("when", "where", "how", "why")))
    word.under(core.head if word.form == "why" else inner.head, "advmod")
    return [word, *grammar.finite(core, grammar.subject(asked=True), inverted=True).words], core.head, "?"


def predicate_question(grammar: Grammar) -> Sentence:
    """`How old do you think he is?` crosses; `How old is he?` does not."""
    if grammar.chance(0.6):
        head = adjective(grammar.pick(LEXICON["adjectives"]["degree"]))
        filler = [wh("how").under(head, "advmod"), head]
    else:
        head = wh(grammar.pick(("what", "who", "where")))
        filler = [head]
    if grammar.chance(0.5):
        subject = personal(grammar.pick((*PRONOUNS[2:], IT)))
    else:
        subject = grammar.noun_phrase(PERSON if head.form == "who" else THINGS, ("the", "my", "this"))
    asked = grammar.chance(0.3)
    clause = grammar.finite(Core([], head, None), subject, inverted=asked, negative=False)
    if asked:
        return filler + clause.words, head, "?"
    core = grammar.bridge(clause, mark=False)
    return filler + grammar.finite(core, grammar.subject(asked=True), inverted=True).words, core.head, "?"


def indirect_question(grammar: Grammar) -> Sentence:
    """`I wonder what he is looking for`; or with an infinitive, `who to talk to`."""
    bare = grammar.chance(0.12)
    core = grammar.simple_gap() if bare else gapped(grammar)
    assert core.gap
    inner = grammar.infinitive(core) if bare else grammar.finite(core, grammar.subject())
    words = inner.filled(question_phrase(grammar, core.gap.classes, core.gap.plural))
    return ask(grammar, words, inner.head)


def ask(grammar: Grammar, words: list[Word], inner: Word) -> Sentence:
    """A clause that governs an indirect question."""
    kind = grammar.weighted({"wonder": 5, "sure": 1.5, "idea": 1, "let": 1.5, "do you": 2})
    if kind == "let":
        head, me = Word("let", "let", "VERB", "VB", "Mood=Imp|VerbForm=Fin"), personal(PRONOUNS[0], "Acc")
        know = Word("know", "know", "VERB", "VB", "VerbForm=Inf").under(head, "xcomp")
        please = [Word("please", "please", "INTJ", "UH").under(head, "discourse")] if grammar.chance(0.5) else []
        inner.under(know, "ccomp")
        return [*please, head, *me.under(head, "obj"), know, *words], head, "."
    if kind == "sure":
        head = adjective(grammar.pick(("sure", "certain")))
        core = Core([head, *words], head, None)
    elif kind == "idea":
        head = Word("have", "have", "VERB", "VB")
        idea = Word("idea", "idea", "NOUN", "NN", "Number=Sing").under(head, "obj")
        core = Core([head, determiner("no").under(idea, "det"), idea, *words], head, HAVE, None, ("present", "past"))
    else:
        verb, head = grammar.verb("wonder")
        core = Core([head, *words], head, verb, None, ("present", "past"))
    inner.under(head, "ccomp")
    asked = kind == "do you"
    negative = {"sure": True, "idea": False, "do you": False}.get(kind)
    outer = grammar.finite(core, grammar.subject(), inverted=asked, negative=negative)
    return outer.words, head, "?" if asked else "."


def relative(grammar: Grammar) -> Sentence:
    """`Here is the book that I told you about`; without a pronoun, nothing crosses."""
    core = gapped(grammar)
    assert core.gap
    clause = grammar.finite(core, grammar.subject())
    name = grammar.pick([name for name in core.gap.classes if name in LEXICON["nouns"]] or ["plan"])
    noun = antecedent(grammar, name, core.gap.plural)
    set_apart = noun.head.upos == "NOUN" and grammar.chance(0.15)
    if core.gap.relation != "nsubj" and not set_apart and grammar.chance(0.22):
        words = clause.unfilled()
    else:
        words = clause.filled(relative_pronoun(grammar, name == "person", set_apart))
    clause.head.under(noun.head, "acl:relcl")
    if set_apart:
        words = set_off(words, clause.head)
    return host(grammar, Phrase(noun.words + words, noun.head, noun.agreement), name)


def antecedent(grammar: Grammar, name: str, plural: bool | None) -> Phrase:
    """What a relative clause modifies: a noun phrase, or a pronoun such as "everything"."""
    if not plural and grammar.chance(0.15):
        form = grammar.pick(
            ("someone", "anyone", "everyone") if name == "person" else ("something", "anything", "everything")
        )
        word = Word(form, form, "PRON", "NN", f"Number=Sing|PronType={'Tot' if form.startswith('every') else 'Ind'}")
        return Phrase([word], word)
    return grammar.noun_phrase([name], ("the", "a", "the", "every"), plural)


def host(grammar: Grammar, noun: Phrase, name: str) -> Sentence:
    """A sentence around a noun phrase: "This is …", "She found …", "… was strange", "Is there … ?"."""
    first = noun.words[0].form
    definite = first in {"the", "every", "everything", "everyone", "what"}
    kind = grammar.weighted({"this": 3 * (first != "every"), "object": 4, "subject": 2.5, "there": 2 * (not definite)})
    plural = noun.agreement == PLURAL
    if kind == "this":
        form = "these" if plural else grammar.pick(("this", "that"))
        feats = f"Number={'Plur' if plural else 'Sing'}|PronType=Dem"
        this = Word(form, "this" if plural else form, "PRON", "DT", feats)
        clause = grammar.finite(
            Core(noun.words, noun.head, None, None, ("present", "past")), Phrase([this], this, noun.agreement)
        )
        return clause.words, noun.head, "."
    if kind == "there":
        head, there = grammar.there_is(noun)
        asked = grammar.chance(0.4)
        words = [head, there] if asked else [there, head]
        return [*words, *noun.under(head, "nsubj")], head, "?" if asked else "."
    if kind == "object":
        verb, head = grammar.verb_for(noun.head)
        clause = grammar.finite(Core([head, *noun.under(head, "obj")], head, verb), grammar.subject())
        return clause.words, head, "."
    core = grammar.complete() if name == "person" else grammar.quality("thing")
    commas = [word for word in noun.words if word.form == ","]
    closing = [comma().under(commas[0].head, "punct")] if commas and commas[0].head else []
    return grammar.finite(core, replace(noun, words=noun.words + closing)).words, core.head, "."


def free_relative(grammar: Grammar) -> Sentence:
    """`That is what I was looking for`: `what` is the head, and nothing crosses."""
    core = gapped(grammar)
    while core.gap and (core.gap.relation == "nsubj" or core.gap.classes == PERSON):
        core = gapped(grammar)
    clause = grammar.finite(core, grammar.subject())
    what = wh("what", "Rel")
    words = [what, *clause.unfilled()]
    clause.head.under(what, "acl:relcl")
    return host(grammar, Phrase(words, what), "plan")


def parenthetical(grammar: Grammar) -> Sentence:
    """`the car, which I think is safe` crosses; `the car, which, I think, is safe` does not."""
    noun = grammar.noun_phrase(THINGS, ("the", "my", "this"))
    which, core = wh("which", "Rel"), grammar.quality("thing")
    inner = grammar.finite(core, Phrase([], core.head, noun.agreement))
    which.under(core.head, "nsubj")
    verb, head = grammar.verb("bridge")
    aside = grammar.finite(Core([head], head, verb, None, ("present", "past")), grammar.subject(), negative=False)
    if grammar.chance(0.5):
        core.head.under(head, "ccomp")
        top, words = head, [which, *aside.words, *inner.words]
    else:
        head.under(core.head, "parataxis")
        top, words = core.head, [which, *set_off(aside.words, head), *set_off(inner.words, head)]
    top.under(noun.head, "acl:relcl")
    return host(grammar, Phrase(noun.words + set_off(words, top), noun.head, noun.agreement), "plan")
