"""Shows a corpus to a model in characters that the model knows: composed ones, and the quotes it was trained on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from multiplane.formats import Corpus
from multiplane.formats.rewrite import NewColumn, with_columns
from multiplane.models.protocol import Tags

_ALIKE = {
    '"': "“«”»„'",
    "“": '«"„”»',
    "”": '»"“«',
    "„": '“«"',
    "«": '“"„',
    "»": '”"“',
    "‹": "«“‘\"'",
    "›": "»”’\"'",
    "'": "’‘ʼ",
    "’": "'ʼ᾽",
    "‘": "'’",
    **dict.fromkeys("ʼ᾽᾿´`′", "’'"),
    "-": "–—",
    "–": "—-―",
    "—": "–-―",
    **dict.fromkeys("‐‑‒―−", "-–—"),
}
"""Quotes, apostrophes and dashes, and those that can stand for them, the most similar first."""

_PAIRS = (("“", "”"), ("«", "»"), ("‹", "›"))
"""A closing quote without its opening one is used for something else, such as bullets."""


@dataclass(frozen=True, eq=False)
class Reading:
    """The characters that a model knows.

    >>> from multiplane.text import corpus_of_text
    >>> Reading("«»não").read(corpus_of_text('"Não" —')).column("form")
    ['«', 'Não', '«', '—']
    """

    known: Collection[str] = field(default=(), repr=False)
    """Empty if the model does not know characters: then no sign stands for another."""

    @cached_property
    def _known(self) -> set[str]:
        known = set(self.known)
        return known - {closing for opening, closing in _PAIRS if opening not in known}

    @cached_property
    def _table(self) -> dict[int, int]:
        """What stands for characters that the model does not know."""
        found = {
            sign: next((other for other in others if other in self._known), sign)
            for sign, others in _ALIKE.items()
            if self.known and sign not in self._known
        }
        return {ord(sign): ord(other) for sign, other in found.items() if sign != other}

    @cached_property
    def _signs(self) -> re.Pattern[bytes] | None:
        """Finds these characters."""
        signs = [re.escape(chr(sign).encode()) for sign in self._table]
        return re.compile(b"|".join(signs)) if signs else None

    def read(self, corpus: Corpus) -> Corpus:
        """Returns the corpus with forms as the model knows them; the same corpus if it knows all."""
        text = corpus._text
        if not (self._signs and self._signs.search(text)) and is_composed(text):
            return corpus
        forms = corpus.column("form")
        numbers = {form: number for number, form in enumerate(dict.fromkeys(forms))}
        changed = [self._read(form) for form in numbers]
        values = np.fromiter(map(numbers.__getitem__, forms), np.int32, len(forms))
        return with_columns(corpus, [NewColumn("form", values, changed)])

    def _read(self, form: str) -> str:
        """Returns a form as the model knows it; treebanks that are not composed teach marks as characters."""
        if self.known and self._known.issuperset(form):
            return form
        return unicodedata.normalize("NFC", form).translate(self._table)


def is_composed(text: bytes) -> bool:
    """Whether all characters of a UTF-8 text are composed (NFC). Bytes that are not UTF-8 are not characters.

    >>> is_composed("ação".encode()), is_composed(unicodedata.normalize("NFD", "ação").encode())
    (True, False)
    """
    return text.isascii() or unicodedata.is_normalized("NFC", text.decode(errors="replace"))


def with_own_lemmas(tags: Sequence[Tags], corpus: Corpus, read: Corpus) -> tuple[Tags, ...]:
    """Returns tags in which words that were read as others, and are their own lemmas, are those of the corpus."""
    return tuple(_own_lemmas(each, corpus, read) if each.column == "lemma" else each for each in tags)


def _own_lemmas(lemmas: Tags, corpus: Corpus, read: Corpus) -> Tags:
    names = {name: number for number, name in enumerate(lemmas.names)}
    values = lemmas.values.copy()
    for word, (form, seen) in enumerate(zip(corpus.column("form"), read.column("form"), strict=True)):
        if form != seen and lemmas.names[values[word]] == seen:
            values[word] = names.setdefault(form, len(names))
    return lemmas._replace(values=values, names=tuple(names))
