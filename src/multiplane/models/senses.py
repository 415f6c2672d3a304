"""The senses that predicates can have, by lemma."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import ModelError
from multiplane.formats import Corpus
from multiplane.formats.fields import EMPTY, FORBIDDEN
from multiplane.formats.layers import Predicates

_NO_SENSE = "01"
"""The default suffix."""


@dataclass(frozen=True, eq=False)
class Senses:
    """The senses seen in training, by lemma, and the usual suffix for other lemmas.

    >>> senses = Senses.seen([("go", "go.01"), ("go", "go.02"), ("come", "come.01")])
    >>> senses.names, senses.of_lemma["go"], senses.of_unknown("walk", "walked")
    (('come.01', 'go.01', 'go.02'), (1, 2), 'walk.01')
    """

    names: tuple[str, ...]
    of_lemma: dict[str, tuple[int, ...]]
    """Indices into `names`."""
    usual: str
    """The most frequent suffix, the part after the last dot."""

    def __post_init__(self) -> None:
        if any(map(FORBIDDEN.search, (*self.names, *self.of_lemma, self.usual))) or "" in (*self.names, self.usual):
            raise ModelError("senses: a sense is empty or has a character that no field can contain")
        if any(not 0 <= sense < len(self.names) for senses in self.of_lemma.values() for sense in senses):
            raise ModelError("senses: a lemma has a sense that is not in the vocabulary")

    @staticmethod
    def seen(pairs: Iterable[tuple[str, str]]) -> Senses:
        """Collects the senses of predicates, given as pairs of lemma and sense."""
        counts = Counter(pairs)
        names = tuple(sorted({sense for _, sense in counts}))
        place = {sense: number for number, sense in enumerate(names)}
        of_lemma: dict[str, list[int]] = defaultdict(list)
        suffixes: Counter[str] = Counter()
        for (lemma, sense), count in sorted(counts.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
            of_lemma[lemma].append(place[sense])
            suffixes[suffix_of(sense)] += count
        usual = min(suffixes, key=lambda suffix: (-suffixes[suffix], suffix), default=_NO_SENSE)
        return Senses(names, {lemma: tuple(senses) for lemma, senses in of_lemma.items()}, usual)

    @cached_property
    def native(self) -> _native.SenseInventory:
        """The senses as the native core looks them up."""
        sizes = [len(senses) for senses in self.of_lemma.values()]
        flat = [sense for senses in self.of_lemma.values() for sense in senses]
        return _native.SenseInventory(list(self.of_lemma), [0, *np.cumsum(sizes, dtype=int).tolist()], flat)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the senses; the native table is rebuilt."""
        return {"names": self.names, "of_lemma": self.of_lemma, "usual": self.usual}

    def of_unknown(self, lemma: str, form: str) -> str:
        """Returns the sense of a predicate whose lemma was not seen in training."""
        return f"{lemma_of(lemma, form)}.{self.usual}"

    def to_vocabularies(self) -> dict[str, tuple[str, ...]]:
        r"""Returns the senses as vocabularies to store.

        >>> Senses.seen([("go", "go.02"), ("go", "go.01")]).to_vocabularies()
        {'senses': ('go.01', 'go.02'), 'senses.lemmas': ('go\t0 1',)}
        """
        rows = (f"{lemma}\t{' '.join(map(str, senses))}" for lemma, senses in self.of_lemma.items())
        return {"senses": self.names, "senses.lemmas": tuple(rows)}

    @staticmethod
    def from_vocabularies(names: tuple[str, ...], rows: tuple[str, ...], usual: str) -> Senses:
        """Restores senses from the result of `to_vocabularies`; checks all values."""
        of_lemma = {}
        for row in rows:
            lemma, _, numbers = row.partition("\t")
            if not all(number.isascii() and number.isdigit() for number in numbers.split(" ")):
                raise ModelError(f"senses.lemmas: '{row[:40]}' is not a lemma with the numbers of its senses")
            of_lemma[lemma] = tuple(map(int, numbers.split(" ")))
        return Senses(names, of_lemma, usual)


def suffix_of(sense: str) -> str:
    """Returns what follows the last dot of a sense.

    >>> suffix_of("look_up.05"), suffix_of("_")
    ('05', '_')
    """
    return sense.rpartition(".")[2]


def lemma_of(lemma: str, form: str) -> str:
    """Returns the lemma of a word, or its form in lower case if it has none."""
    return _native.lowered(form) if lemma == EMPTY else lemma


def lemmas_of(corpus: Corpus, words: NDArray[np.integer[Any]]) -> list[str]:
    """Returns the lemmas of some words, given by their indices in the corpus."""
    lemmas, forms = corpus.column("lemma"), corpus.column("form")
    return [lemma_of(lemmas[word], forms[word]) for word in words.tolist()]


def predicates_of(corpus: Corpus, is_predicate: NDArray[Any], numbers: NDArray[np.int32], senses: Senses) -> Predicates:
    """Returns the predicates of a corpus, from a predicate flag and a sense index for each word.

    Negative indices mark lemmas not seen in training; they get their own senses.
    """
    words = np.flatnonzero(is_predicate)
    starts = np.concatenate([[0], np.cumsum(corpus.lengths, dtype=np.int64)])
    places = words - np.repeat(starts[:-1], corpus.lengths)[words] + 1
    named, names = _with_unknown(corpus, words, numbers[words], senses)
    return Predicates(np.searchsorted(words, starts), places.astype(np.int32), named, names)


def _with_unknown(
    corpus: Corpus, words: NDArray[np.int64], numbers: NDArray[np.int32], senses: Senses
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Returns the senses of predicates as indices into names; unseen lemmas get their own senses."""
    unknown = np.flatnonzero(numbers < 0)
    if not unknown.size:
        return numbers, senses.names
    forms = corpus.column("form")
    lemmas = corpus.column("lemma") if "lemma" in corpus.dialect.columns else ["_"] * len(forms)
    texts = [senses.of_unknown(lemmas[word], forms[word]) for word in words[unknown].tolist()]
    names = tuple(dict.fromkeys(chain(senses.names, texts)))
    place = {name: number for number, name in enumerate(names)}
    numbers = numbers.copy()
    numbers[unknown] = [place[text] for text in texts]
    return numbers, names
