"""The pieces of the sentences: noun phrases, and clauses with a gap that a question word or relative pronoun fills.

A clause is made in two steps. A *core* is a verb or predicate with what follows it, as in "tell her about __". It then
becomes a finite clause with a subject, or an infinitive, and this may be the complement of another core: "you want to
tell her about __". The gap is handed upwards, so the filler lands under the inner verb, far away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from english_crossings.phrases import PERSON, Phrases
from english_crossings.tree import Phrase, Word
from english_crossings.words import (
    BE,
    CLITICS,
    DO,
    HAVE,
    LEXICON,
    MODALS,
    NEVER_SHORT,
    PLURAL,
    SHORT,
    THIRD,
    Verb,
    adjective,
    adverb,
    auxiliary,
    comma,
    inflect,
    modal,
    preposition,
    to,
    verbs,
)

Sentence = tuple[list[Word], Word, str]
"""Words without the final mark, their root, and the mark that fits."""
STATES = {"like", "need", "know", "belong", "believe", "want", "have", "love", "prefer", "agree", "see"}
"""Verbs that we do not put into the progressive."""
KINDS = {
    "present": 5,
    "past": 5,
    "progressive": 2,
    "past progressive": 1,
    "perfect": 2,
    "modal": 4,
}


@dataclass(frozen=True)
class Gap:
    """Where a filler goes: its head, its relation, the preposition left behind, and the classes of nouns that fit."""

    site: Word
    relation: str
    classes: tuple[str, ...]
    stranded: Word | None = None
    plural: bool | None = None
    """What the verb demands of a subject; None if it demands nothing."""


@dataclass(frozen=True)
class Core:
    """A verb, or a predicate without its copula (`verb` is None), and what follows."""

    words: list[Word]
    head: Word
    verb: Verb | None
    gap: Gap | None = None
    kinds: tuple[str, ...] = tuple(KINDS)


@dataclass(frozen=True)
class Clause:
    """Words, their head, and the gap, if any."""

    words: list[Word]
    head: Word
    gap: Gap | None = None

    def under(self, head: Word, deprel: str) -> list[Word]:
        """Hangs the clause under `head`, and returns its words."""
        self.head.under(head, deprel)
        return self.words

    def filled(self, filler: Phrase) -> list[Word]:
        """The filler, then the clause; the preposition left behind belongs to the filler."""
        assert self.gap
        filler.head.under(self.gap.site, self.gap.relation)
        if self.gap.stranded:
            self.gap.stranded.under(filler.head, "case")
        return filler.words + self.words

    def unfilled(self) -> list[Word]:
        """The clause alone, as in "the man you talked to": the preposition stands for what it governs."""
        assert self.gap
        if self.gap.stranded:
            self.gap.stranded.under(self.gap.site, self.gap.relation).misc.append("Promoted=Yes")
        return self.words


class Grammar(Phrases):
    """Draws cores and clauses at random, and sentences of them."""

    # Cores

    def verb(self, kind: str, names: Sequence[str] = ()) -> tuple[Verb, Word]:
        """A verb of a list of the lexicon, perhaps one of some names, and its word."""
        verb = self.pick([verb for verb in verbs(kind) if not names or verb.base in names])
        return verb, Word(verb.base, verb.base, "VERB", "VB", "VerbForm=Inf")

    def verb_for(self, noun: Word) -> tuple[Verb, Word]:
        """A verb that takes the noun as its object, and its word."""
        classes = {name for name, nouns in LEXICON["nouns"].items() for line in nouns if noun.lemma == line.split()[0]}
        classes |= {name for name, nouns in LEXICON["mass"].items() if noun.lemma in nouns}
        fitting = [verb for verb in verbs("transitive") if classes & set(verb.governs)]
        verb = self.pick(fitting or verbs("transitive"))
        return verb, Word(verb.base, verb.base, "VERB", "VB", "VerbForm=Inf")

    def particle(self, verb: Verb, head: Word) -> list[Word]:
        """The particle of a verb such as "show up"."""
        return [Word(form, form, "ADP", "RP").under(head, "compound:prt") for form in verb.governs]

    def there_is(self, noun: Phrase) -> tuple[Word, Word]:
        """The verb of "there is" and its "there"."""
        head = auxiliary(BE, self.pick(("VBP", "VBD")), noun.agreement)
        head.upos = "VERB"
        return head, Word("there", "there", "PRON", "EX").under(head, "expl")

    def transitive(self) -> Core:
        """As in "buy a car"."""
        verb, head = self.verb("transitive")
        return Core([head, *self.object(verb.governs).under(head, "obj")], head, verb)

    def prepositional(self) -> Core:
        """As in "look for a car"."""
        verb, head = self.verb("prepositional")
        form, *classes = verb.governs
        phrase = self.object(classes)
        return Core([head, preposition(form).under(phrase.head, "case"), *phrase.under(head, "obl")], head, verb)

    def intransitive(self) -> Core:
        """As in "arrive"."""
        verb, head = self.verb("intransitive")
        return Core([head], head, verb)

    def quality(self, kind: str) -> Core:
        """An adjective as a predicate."""
        head = adjective(self.pick(LEXICON["adjectives"][kind]))
        words = [adverb(self.pick(("very", "really", "too", "so"))).under(head, "advmod")] if self.chance(0.2) else []
        return Core([*words, head], head, None)

    def complete(self) -> Core:
        """A core without a gap, of a person."""
        kinds: dict[Callable[[], Core], float] = {
            self.transitive: 4,
            self.prepositional: 2,
            self.intransitive: 1,
            lambda: self.quality("person"): 1,
        }
        core = self.weighted(kinds)()
        return replace(core, words=core.words + self.maybe_adjunct(core.head))

    def object_gap(self) -> Core:
        """As in "buy __"."""
        verb, head = self.verb("transitive")
        return Core([head], head, verb, Gap(head, "obj", verb.governs))

    def preposition_gap(self) -> Core:
        """As in "look for __"."""
        verb, head = self.verb("prepositional")
        form, *classes = verb.governs
        stranded = preposition(form)
        return Core([head, stranded], head, verb, Gap(head, "obl", tuple(classes), stranded))

    def adjective_gap(self) -> Core:
        """As in "aware of __"."""
        form, governed, *classes = self.pick(LEXICON["adjectives"]["prepositional"]).split()
        head, stranded = adjective(form), preposition(governed)
        return Core([head, stranded], head, None, Gap(head, "obl", tuple(classes), stranded))

    def relational_gap(self) -> Core:
        """As in "have problems with __"; the gap is below the noun."""
        form, governed, *classes = self.pick(LEXICON["relational"]["nouns"]).split()
        head, stranded = Word("have", "have", "VERB", "VB", "VerbForm=Inf"), preposition(governed)
        plural = form.endswith("s") and form != "access"
        number = "Plur" if plural else "Sing"
        noun = Word(form, form[:-1] if plural else form, "NOUN", "NNS" if plural else "NN", f"Number={number}")
        noun.under(head, "obj")
        return Core([head, noun, stranded], head, HAVE, Gap(noun, "nmod", tuple(classes), stranded))

    def simple_gap(self) -> Core:
        """A core with a gap in its own clause."""
        make = self.weighted(
            {self.object_gap: 10, self.preposition_gap: 8, self.adjective_gap: 1.5, self.relational_gap: 1}
        )
        core = make()
        return replace(core, words=core.words + self.maybe_adjunct(core.head, 0.2))

    def subject_gap(self) -> Clause:
        """A finite clause without its subject, the complement of "think": "__ is broken"."""
        people, plural = self.chance(0.5), self.chance(0.2)
        core = self.complete() if people else self.quality("thing")
        clause = self.finite(core, Phrase([], core.head, PLURAL if plural else THIRD))
        classes = PERSON if people else ("goods", "document", "plan", "place")
        return replace(clause, gap=Gap(core.head, "nsubj", classes, plural=plural))

    def bridge(self, clause: Clause, mark: bool = True) -> Core:
        """A verb with a clause as its complement: "think she likes __"."""
        that = [Word("that", "that", "SCONJ", "IN").under(clause.head, "mark")] if mark and self.chance(0.15) else []
        if self.chance(0.06):
            head = passive("told", "tell")
            return Core([head, *that, *clause.under(head, "ccomp")], head, None, clause.gap, ("past",))
        verb, head = self.verb("bridge")
        return Core([head, *that, *clause.under(head, "ccomp")], head, verb, clause.gap, ("present", "past"))

    def control(self, clause: Clause) -> Core:
        """A verb or adjective with an infinitive: "want to buy __", "be able to find __"."""
        kind = self.weighted({"verb": 6, "adjective": 1, "object": 1.5, "supposed": 0.6})
        if kind == "adjective":
            head = adjective(self.pick(LEXICON["adjectives"]["control"]))
            return Core([head, *clause.under(head, "xcomp")], head, None, clause.gap)
        if kind == "object":
            verb, head = self.verb("object_control")
            other = self.object(PERSON).under(head, "iobj" if verb.base in {"ask", "tell", "allow"} else "obj")
            return Core([head, *other, *clause.under(head, "xcomp")], head, verb, clause.gap)
        if kind == "supposed":
            head = passive("supposed", "suppose")
            return Core([head, *clause.under(head, "xcomp")], head, None, clause.gap)
        verb, head = self.verb("control")
        kinds = tuple(KINDS)
        if verb.base == "go":
            kinds = ("progressive", "past progressive")
        return Core([head, *clause.under(head, "xcomp")], head, verb, clause.gap, kinds)

    def deep_gap(self, depth: int, control: bool = True) -> Core:
        """A core with a gap in a clause `depth` complements below; `control` says whether an infinitive may follow."""
        if depth == 0:
            return self.simple_gap()
        if control and self.chance(0.5):
            return self.control(self.infinitive(self.deep_gap(depth - 1, control=False)))
        if depth == 1 and self.chance(0.4):
            return self.bridge(self.subject_gap(), mark=False)
        return self.bridge(self.finite(self.deep_gap(depth - 1), self.subject()))

    def plain(self, depth: int) -> Core:
        """A core without a gap, below `depth` verbs."""
        if depth == 0:
            return self.complete()
        if depth == 1 and self.chance(0.5):
            return self.control(self.infinitive(self.complete()))
        return self.bridge(self.finite(self.plain(depth - 1), self.subject()))

    # Clauses

    def infinitive(self, core: Core) -> Clause:
        """As in "to buy __"."""
        relation = "aux:pass" if "Voice=Pass" in core.head.feats else "cop"
        copula = [] if core.verb else [auxiliary(BE, "VB").under(core.head, relation)]
        return Clause([to().under(core.head, "mark"), *copula, *core.words], core.head, core.gap)

    def finite(self, core: Core, subject: Phrase, inverted: bool = False, negative: bool | None = None) -> Clause:
        """The clause with its subject; `inverted` as in a question."""
        negative = self.chance(0.02 if inverted else 0.1) if negative is None else negative
        suffix = ":pass" if "Voice=Pass" in core.head.feats else ""
        operators = self.cluster(core, subject.agreement, inverted or negative)
        for word in operators:
            word.under(core.head, "aux")
        if not core.verb:
            operators[-1].deprel = "aux:pass" if suffix else "cop"
        first, rest = operators[:1], operators[1:]
        before = subject.under(core.head, "nsubj" + suffix) if subject.words else []
        if negative:
            first = first + self.negation(core.head, first[0], full=inverted)
        early = self.early_adverb(core.head) if core.words and not negative and self.chance(0.08) else []
        words = [*first, *before, *rest] if inverted else [*before, *first, *rest]
        if not inverted and first and len(before) == 1 and rest + core.words:
            self.contract(before[0], first)
        return Clause([*words, *early, *core.words], core.head, core.gap)

    def cluster(self, core: Core, agreement: str, support: bool) -> list[Word]:
        """The auxiliaries, and the copula of a predicate; the verb gets its form."""
        kind = self.weighted({kind: KINDS[kind] for kind in core.kinds})
        verb = core.verb
        if verb and verb.base in STATES and "progressive" in kind:
            kind = "past"
        if not verb:
            return self.copula(kind, agreement)
        tense = "VBD" if kind.startswith("past") else "VBP"
        if kind in {"present", "past"}:
            inflect(core.head, verb, "VB" if support else tense, agreement)
            return [auxiliary(DO, tense, agreement)] if support else []
        if kind == "modal":
            return [modal(self.pick(MODALS))]
        if kind == "perfect":
            inflect(core.head, verb, "VBN")
            return [auxiliary(HAVE, "VBP", agreement)]
        inflect(core.head, verb, "VBG")
        return [auxiliary(BE, tense, agreement)]

    def copula(self, kind: str, agreement: str) -> list[Word]:
        """Forms of "be", perhaps after a modal."""
        if kind == "modal":
            return [modal(self.pick(("will", "would", "could", "might"))), auxiliary(BE, "VB")]
        return [auxiliary(BE, "VBD" if kind.startswith("past") else "VBP", agreement)]

    def negation(self, head: Word, operator: Word, full: bool) -> list[Word]:
        """The word "not" or "n't" after the operator; a question has only "n't", which moves with it."""
        if operator.form not in NEVER_SHORT and (full or self.chance(0.75)):
            operator.form = SHORT.get(operator.form, operator.form)
            return [Word("n't", "not", "PART", "RB", "Polarity=Neg", joint="-").under(head, "advmod")]
        return [Word("not", "not", "PART", "RB", "Polarity=Neg").under(head, "advmod")] if not full else []

    def contract(self, subject: Word, first: list[Word]) -> None:
        """Makes "I'm" of "I am", with some probability, unless "n't" follows."""
        operator = first[0]
        if subject.xpos == "PRP" and operator.form in CLITICS and len(first) == 1 and self.chance(0.4):
            operator.form, operator.joint = CLITICS[operator.form], "-"


def passive(form: str, lemma: str) -> Word:
    return Word(form, lemma, "VERB", "VBN", "Tense=Past|VerbForm=Part|Voice=Pass")


def set_off(words: list[Word], head: Word) -> list[Word]:
    """A comma under the head, then the words."""
    return [comma().under(head, "punct"), *words]
