"""What a neural parser learns about lemmas before its weights: edit scripts, a dictionary, suffixes and capitals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.formats import Corpus
from multiplane.formats.fields import EMPTY
from multiplane.models.lemmas import Lemmas, edit_script

NO_SCRIPT = -100
"""What PyTorch's losses ignore: a word without lemma, or one whose script is too rare to learn."""
_LEAST = 2
"""Scripts that occur less often are of single irregular words, which are in the dictionary."""
_LEAST_WORDS = 2
"""Suffixes of fewer words are left out: they would be most of the table."""
_SHARE = 0.9
"""The dictionary has a lemma if it has this share of the occurrences of its form with a tag; without one, the network
chooses."""


_CAPITALIZED = 10
"""Tags with fewer capitalized forms say nothing about the case of their lemmas."""
_CERTAIN = 0.97
"""The share of forms with the same tags whose lemmas have the same case that makes it the usual one."""


def learn_lemmas(corpora: Sequence[Corpus], with_upos: bool, with_xpos: bool = False) -> Lemmas:
    r"""Returns what treebanks tell about lemmas, the most frequent scripts first.

    The dictionary and the suffixes tell forms with different UPOS apart if the model will know UPOS; likewise the
    capitals, and XPOS.

    >>> from multiplane import sample
    >>> lemmas = learn_lemmas([sample()], with_upos=True)
    >>> lemmas.scripts[0], "Prices\tNOUN\tprice" in lemmas.dictionary
    ('lower\t0+\t0+', True)
    """
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    scripts: Counter[str] = Counter()
    for (form, tag, lemma), count in Counter(_words(corpora, with_upos)).items():
        if is_lemma(form, lemma):
            counts[form, tag][lemma] += count
            scripts[edit_script(form, lemma)] += count
    ranked = sorted(scripts.items(), key=lambda item: (-item[1], item[0]))
    kept = tuple(script for script, count in ranked if count >= _LEAST) or tuple(scripts)
    words = {word: _usual(lemmas) for word, lemmas in counts.items()}
    dictionary = tuple(sorted(f"{form}\t{tag}\t{lemma}" for (form, tag), lemma in words.items()))
    return Lemmas(kept, dictionary, _suffixes(words, kept), _capitals(corpora, with_upos, with_xpos))


def script_numbers(corpora: Sequence[Corpus], lemmas: Lemmas) -> NDArray[np.int64]:
    """Returns the number of the script of each word.

    >>> from multiplane import sample
    >>> script_numbers([sample()], learn_lemmas([sample()], with_upos=True))[:6].tolist()
    [0, 1, 0, 3, 0, 1]
    """
    place = {script: number for number, script in enumerate(lemmas.scripts)}
    known: dict[tuple[str, str], int] = {}
    numbers = []
    for form, _, lemma in _words(corpora, with_upos=False):
        if (form, lemma) not in known:
            script = edit_script(form, lemma) if is_lemma(form, lemma) else None
            known[form, lemma] = NO_SCRIPT if script is None else place.get(script, NO_SCRIPT)
        numbers.append(known[form, lemma])
    return np.array(numbers, np.int64)


def is_lemma(form: str, lemma: str) -> bool:
    """Whether a word has a lemma: `_` is one only of itself.

    >>> is_lemma("mice", "mouse"), is_lemma("mice", "_"), is_lemma("_", "_")
    (True, False, True)
    """
    return lemma != EMPTY or form == EMPTY


def _words(corpora: Sequence[Corpus], with_upos: bool) -> Iterator[tuple[str, str, str]]:
    """Yields the form, the UPOS or nothing, and the lemma of each word."""
    return zip(_column(corpora, "form"), _column(corpora, "upos", with_upos), _column(corpora, "lemma"), strict=True)


def _column(corpora: Sequence[Corpus], name: str, is_known: bool = True) -> Iterator[str]:
    """Yields the values of a column; nothing for each word if the model does not know them."""
    for corpus in corpora:
        yield from corpus.column(name) if is_known else [""] * corpus.words


def _suffixes(words: Mapping[tuple[str, str], str], scripts: Sequence[str]) -> tuple[str, ...]:
    """Returns how many words have which script, for each suffix, tag and place of capitals.

    Each word counts once: frequent words are often irregular, and unknown ones are rare.
    """
    place = {script: number for number, script in enumerate(scripts)}
    counts: dict[tuple[str, str, str], Counter[int]] = defaultdict(Counter)
    for (form, tag), lemma in words.items():
        number = place.get(edit_script(form, lemma)) if lemma else None
        if number is not None:
            capitals, suffixes = _native.suffixes(form)
            for suffix in suffixes:
                counts[suffix, tag, capitals][number] += 1
    return tuple(
        "\t".join((*key, *(f"{number}:{count}" for number, count in sorted(found.items()))))
        for key, found in sorted(counts.items())
        if found.total() >= _LEAST_WORDS
    )


def _capitals(corpora: Sequence[Corpus], with_upos: bool, with_xpos: bool) -> tuple[str, ...]:
    """Returns the tags with which nearly all lemmas of capitalized forms are capitalized, or nearly none."""
    xpos_of_words = _column(corpora, "xpos", with_xpos)
    counts: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    for (form, upos, lemma), xpos in set(zip(_words(corpora, with_upos), xpos_of_words, strict=True)):
        if is_lemma(form, lemma) and lemma[0].isalpha() and _native.suffixes(form)[0] == "first":
            counts[upos, xpos][_native.lowered(lemma[0]) != lemma[0]] += 1
    rows = []
    for tags, found in sorted(counts.items()):
        usual, count = found.most_common(1)[0]
        if found.total() >= _CAPITALIZED and count >= _CERTAIN * found.total():
            rows.append("\t".join((*tags, "upper" if usual else "lower")))
    return tuple(rows)


def _usual(lemmas: Counter[str]) -> str:
    """Returns the most frequent lemma; an empty text if others are too frequent."""
    lemma = min(lemmas, key=lambda lemma: (-lemmas[lemma], lemma))
    return lemma if lemmas[lemma] >= _SHARE * lemmas.total() else ""
