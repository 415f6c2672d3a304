"""Small treebanks with text, and tokenizers that learn them quickly."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import regex

import multiplane as mp
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.models import TokenizerModel

Gold = Sequence[tuple[str, Sequence[str], bool]]
"""The tokens of a sentence: the form, the words of a multiword token, and whether a space follows."""
SMALL: dict[str, Any] = {
    "units": 16,
    "word": 8,
    "chunk": 8,
    "part": 16,
    "ngrams": 512,
    "batch": 60,
    "learning_rate": 0.02,
    "input_dropout": 0.0,
    "dropout": 0.1,
    "word_dropout": 0.1,
    "hide": 0.05,
    "epochs": 12,
}
SEPARATORS = regex.compile(r"[\p{Z}\p{Cc}\p{Cs}\u200b\ufeff]")
REMOVED = regex.compile(r"[\u00ad\u2060\p{Bidi_Control}]")


def treebank(sentences: Iterable[Gold], *, paragraph: int = 4, text: bool = True, spaces: bool = True) -> Corpus:
    """A treebank with a paragraph every so many sentences; with text comments, with SpaceAfter=No, or without."""
    rows: list[str] = []
    for number, tokens in enumerate(sentences):
        if paragraph and number % paragraph == 0:
            rows.append("# newpar")
        if text:
            rows.append("# text = " + "".join(form + " " * spaced for form, _, spaced in tokens).strip())
        word = 0
        for form, words, spaced in tokens:
            misc = "_" if spaced or not spaces else "SpaceAfter=No"
            if words:
                rows.append(f"{word + 1}-{word + len(words)}\t{form}" + "\t_" * 7 + f"\t{misc}")
            for part in words or [form]:
                word += 1
                head = "0\troot" if word == 1 else "1\tdep"
                rows.append(f"{word}\t{part}\t_\t_\t_\t_\t{head}\t_\t{'_' if words else misc}")
        rows.append("")
    return from_text("\n".join(rows) + "\n")


def plain(words: str, end: str = ".", *, spaced: bool = True) -> Gold:
    """A sentence of words between spaces, and its end."""
    *first, last = [(word, (), True) for word in words.split()]
    return [*first, (last[0], (), False), (end, (), spaced)]


def spaceless(words: str, end: str = "。") -> Gold:
    """A sentence without any space."""
    return [(word, (), False) for word in [*words.split(), end]]


SUBJECTS, VERBS, OBJECTS = (
    ("山は", "水が", "人も", "犬は"),
    ("高い", "見る", "走った", "来ます"),
    ("本を", "手で", "空に"),
)
JAPANESE = [spaceless(f"{a} {b} {c}") for a, b, c in product(SUBJECTS, OBJECTS, VERBS)]
PEOPLE, THINGS = ("Ana", "Rui", "Eva", "Ivo"), ("carro", "livro", "gato", "barco")


def contracting(person: str, thing: str) -> list[Gold]:
    """`do` is always two words; `nos` is two words before a noun, and one before a verb."""
    end = (".", (), True)
    return [
        [(person, (), True), ("gosta", (), True), ("do", ("de", "o"), True), (thing, (), False), end],
        [
            (person, (), True),
            ("vive", (), True),
            ("nos", ("em", "os"), True),
            (thing + "s", (), False),
            (".", (), True),
        ],
        [(person, (), True), ("nos", (), True), ("viu", (), False), end],
    ]


PORTUGUESE = [gold for person, thing in product(PEOPLE, THINGS) for gold in contracting(person, thing)]


@cache
def english() -> mp.models.TokenizerModel:
    """A tokenizer that knows the sample treebank."""
    return mp.train_tokenizer(mp.sample(), **SMALL)


@cache
def japanese() -> mp.models.TokenizerModel:
    return mp.train_tokenizer(treebank(JAPANESE), **SMALL)


@cache
def portuguese() -> mp.models.TokenizerModel:
    return mp.train_tokenizer(treebank(PORTUGUESE), **SMALL)


def tokens_of(corpus: Corpus) -> list[list[str]]:
    """The rows of tokens: words and multiword ranges, without the words of these."""
    rows = []
    for sentence in corpus:
        last = 0
        for row in sentence.rows:
            first, _, end = row[0].partition("-")
            if int(first) > last:
                rows.append(row)
                last = int(end or first)
    return rows


def bare(text: str) -> str:
    """The characters of a text that words keep."""
    return REMOVED.sub("", SEPARATORS.sub("", text))


@cache
def with_patterns() -> TokenizerModel:
    """A tokenizer whose tokens are those of the patterns for English."""
    return replace(english(), tokens="english")
