"""The lexicon: closed classes here, open classes in lexicon.toml; tags and features as in UD English-EWT 2.16."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from english_crossings.tree import Phrase, Word

LEXICON: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8")
)
THIRD = "Number=Sing|Person=3"
PLURAL = "Number=Plur|Person=3"
THINGS = ("document", "goods", "food", "plan", "place", "animal", "event")


class Pronoun(NamedTuple):
    """A personal pronoun: its forms, its features, and what a verb shows."""

    nominative: str
    accusative: str
    possessive: str
    feats: str
    agreement: str


PRONOUNS = (
    Pronoun("I", "me", "my", "Number=Sing|Person=1", "Number=Sing|Person=1"),
    Pronoun("you", "you", "your", "Person=2", "Number=Sing|Person=2"),
    Pronoun("he", "him", "his", "Gender=Masc|Number=Sing|Person=3", THIRD),
    Pronoun("she", "her", "her", "Gender=Fem|Number=Sing|Person=3", THIRD),
    Pronoun("we", "us", "our", "Number=Plur|Person=1", "Number=Plur|Person=1"),
    Pronoun("they", "them", "their", "Number=Plur|Person=3", PLURAL),
)
IT = Pronoun("it", "it", "its", "Gender=Neut|Number=Sing|Person=3", THIRD)


def personal(pronoun: Pronoun, case: str = "Nom") -> Phrase:
    """The pronoun as a subject (`Nom`) or an object (`Acc`)."""
    form = pronoun.nominative if case == "Nom" else pronoun.accusative
    word = Word(form, pronoun.nominative, "PRON", "PRP", f"Case={case}|{pronoun.feats}|PronType=Prs")
    return Phrase([word], word, pronoun.agreement)


def possessive(pronoun: Pronoun) -> Word:
    form = pronoun.possessive
    return Word(form, form, "PRON", "PRP$", f"Case=Gen|{pronoun.feats}|Poss=Yes|PronType=Prs")


@dataclass(frozen=True)
class Verb:
    """The five forms of a verb, and what it governs: a preposition or particle, and classes of nouns."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str
    governs: tuple[str, ...] = ()


def verbs(kind: str) -> list[Verb]:
    """The verbs of a list in the lexicon.

    >>> verbs("appear")[0].past
    'arrived'
    """
    return [_verb(line) for line in LEXICON["verbs"][kind]]


def _verb(line: str) -> Verb:
    forms, _, governed = line.partition("|")
    base, third, past, participle, gerund = forms.split()
    return Verb(base, third, past, participle, gerund, tuple(governed.split()))


FORMS: dict[str, tuple[str, str]] = {
    "VB": ("base", "VerbForm=Inf"),
    "VBG": ("gerund", "Tense=Pres|VerbForm=Part"),
    "VBN": ("participle", "Tense=Past|VerbForm=Part"),
}


def inflect(word: Word, verb: Verb, xpos: str, agreement: str = "") -> Word:
    """Gives the word the form of the verb for a tag; `VBP` becomes `VBZ` for a third person singular."""
    if xpos in FORMS:
        name, word.feats = FORMS[xpos]
        word.form = getattr(verb, name)
    else:
        xpos = "VBZ" if xpos == "VBP" and agreement == THIRD else xpos
        word.form = {"VBP": verb.base, "VBZ": verb.third, "VBD": verb.past}[xpos]
        word.feats = f"Mood=Ind|{agreement}|Tense={'Past' if xpos == 'VBD' else 'Pres'}|VerbForm=Fin"
    word.xpos = xpos
    return word


BE = Verb("be", "is", "was", "been", "being")
HAVE = Verb("have", "has", "had", "had", "having")
DO = Verb("do", "does", "did", "done", "doing")
MODALS = ("will", "would", "can", "could", "should", "might", "must")


def auxiliary(verb: Verb, xpos: str, agreement: str = "") -> Word:
    word = inflect(Word("", verb.base, "AUX", ""), verb, xpos, agreement)
    if verb is BE and word.xpos in {"VBP", "VBD"}:
        word.form = _be(word.xpos, agreement)
    return word


def _be(xpos: str, agreement: str) -> str:
    if xpos == "VBD":
        return "was" if agreement in {THIRD, "Number=Sing|Person=1"} else "were"
    return "am" if agreement == "Number=Sing|Person=1" else "are"


def modal(form: str) -> Word:
    return Word(form, form, "AUX", "MD", "VerbForm=Fin")


CLITICS = {"am": "'m", "are": "'re", "is": "'s", "will": "'ll", "have": "'ve", "has": "'s", "would": "'d"}
SHORT = {"can": "ca", "will": "wo"}
NEVER_SHORT = {"am", "might", "must"}


def preposition(form: str) -> Word:
    return Word(form, form, "ADP", "IN")


def sconj(form: str) -> Word:
    return Word(form, form, "SCONJ", "IN")


def to() -> Word:
    return Word("to", "to", "PART", "TO")


def comma() -> Word:
    return Word(",", ",", "PUNCT", ",", joint="")


def article(form: str) -> Word:
    kind = "Def" if form == "the" else "Ind"
    return Word(form, "a" if form == "an" else form, "DET", "DT", f"Definite={kind}|PronType=Art")


def determiner(form: str) -> Word:
    """An article or another determiner."""
    if form in {"the", "a", "an"}:
        return article(form)
    feats = {
        "this": "Number=Sing|PronType=Dem",
        "that": "Number=Sing|PronType=Dem",
        "these": "Number=Plur|PronType=Dem",
        "some": "PronType=Ind",
        "any": "PronType=Ind",
        "no": "PronType=Neg",
        "every": "PronType=Tot",
    }
    return Word(form, "this" if form == "these" else form, "DET", "DT", feats[form])


def adjective(form: str, lemma: str = "", degree: str = "Pos") -> Word:
    return Word(form, lemma or form, "ADJ", {"Pos": "JJ", "Cmp": "JJR"}[degree], f"Degree={degree}")


def adverb(form: str) -> Word:
    if form == "later":
        return Word(form, "late", "ADV", "RBR", "Degree=Cmp")
    return Word(form, form, "ADV", "RB", ADVERB_FEATS.get(form, "_"))


ADVERB_FEATS = {
    **dict.fromkeys(("now", "then", "here", "there"), "PronType=Dem"),
    "soon": "Degree=Pos",
    "first": "NumForm=Word|NumType=Ord",
    "never": "PronType=Neg",
    "always": "PronType=Tot",
}


def wh(form: str, kind: str = "Int") -> Word:
    """A question word, or a relative one (`Rel`)."""
    upos, xpos = WH[form]
    return Word(form, form, upos, xpos, f"PronType={kind}")


WH = {
    **dict.fromkeys(("who", "whom", "what"), ("PRON", "WP")),
    **dict.fromkeys(("which", "that"), ("PRON", "WDT")),
    **dict.fromkeys(("how", "when", "where", "why"), ("ADV", "WRB")),
}
