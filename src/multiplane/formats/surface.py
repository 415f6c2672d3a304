"""Positions of words in the text of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from multiplane.errors import FormatError
from multiplane.formats.misc import misc_value

if TYPE_CHECKING:
    from multiplane.formats.sentence import Line, Sentence


_TOKEN_RANGE = re.compile(r"(\d{1,18}):(\d{1,18})", re.ASCII)


class Surface(NamedTuple):
    """The text of a sentence and the positions of its words."""

    text: str
    spans: list[tuple[int, int]]
    """The start and end of each word."""


class _Unit(NamedTuple):
    """A token as it is in the text: a word, or a multiword token with its words."""

    first: int
    """The place of its first word, from 0."""
    form: str
    words: list[str]
    misc: str

    @property
    def spaced(self) -> bool:
        """Whether a space follows."""
        return misc_value(self.misc, "SpaceAfter") != "No"


def surface_of(sentence: Sentence) -> Surface:
    r"""Finds the words in the comment `text` or, without one, in the text rebuilt from forms and `SpaceAfter=No`.

    The words of a multiword token have their own positions if they spell it; otherwise each has that of the token.

    >>> from multiplane import sample
    >>> surface_of(sample()[2]).spans[:3]
    [(0, 1), (2, 10), (11, 14)]
    """
    given = sentence.text
    spans: list[tuple[int, int]] = []
    units = list(_units(sentence))
    text = _rebuilt(units) if given is None else given
    end = 0
    for unit in units:
        start = end + len(text[end:]) - len(text[end:].lstrip())
        if not text.startswith(unit.form, start):
            raise _not_found(sentence, unit, text[start : start + 20])
        end = start + len(unit.form)
        spans += _spans(unit, start)
    return Surface(text, spans)


def rebuilt_text(sentence: Sentence) -> str:
    r"""Returns the text of a sentence as its words and `SpaceAfter=No` in MISC tell it.

    >>> from multiplane import sample
    >>> rebuilt_text(sample()[0])
    'Bridge closes that linked two villages'
    """
    return _rebuilt(_units(sentence))


def matches_text(sentence: Sentence) -> bool:
    """Whether the comment `text` is the text that the words tell; True without such a comment.

    >>> from multiplane import sample
    >>> matches_text(sample()[1])
    True
    """
    return sentence.text is None or sentence.text.split() == rebuilt_text(sentence).split()


def spans_in_document(sentence: Sentence) -> list[tuple[int, int] | None]:
    r"""Returns where each word is in the whole text, by `TokenRange` in MISC; None without it.

    The words of a multiword token share its range as they share its place in the sentence; see `surface_of`.

    >>> from multiplane.text import corpus_of_text
    >>> spans_in_document(corpus_of_text("Go! I can't.", ranges=True)[1])
    [(4, 5), (6, 8), (8, 11), (11, 12)]
    """
    found: list[tuple[int, int] | None] = []
    for unit in _units(sentence):
        given = _TOKEN_RANGE.fullmatch(misc_value(unit.misc, "TokenRange") or "")
        if given is None:
            found += [None] * len(unit.words)
            continue
        start, end = map(int, given.groups())
        as_written = end - start == len(unit.form)  # else it has characters that were removed, such as soft hyphens
        found += _spans(unit, start) if as_written else [(start, end)] * len(unit.words)
    return found


def spaces_after(sentence: Sentence) -> list[bool]:
    """Returns for each word whether a space follows it; none follows a word within a multiword token."""
    found: list[bool] = []
    for unit in _units(sentence):
        found += [False] * (len(unit.words) - 1) + [unit.spaced]
    return found


def range_of_words(sentence: Sentence) -> dict[int, Line]:
    """Returns the multiword tokens that words belong to, by word number."""
    found = {}
    for line in sentence.ranges:
        first, last = map(int, line.id.split("-"))
        found.update(dict.fromkeys(range(first, last + 1), line))
    return found


def _rebuilt(units: Iterable[_Unit]) -> str:
    return "".join(unit.form + " " * unit.spaced for unit in units).rstrip(" ")


def _units(sentence: Sentence) -> Iterator[_Unit]:
    forms = sentence.forms
    columns = sentence.corpus.dialect.columns
    misc = sentence.misc if "misc" in columns else ["_"] * len(forms)
    ranges = range_of_words(sentence)
    place = 0
    while place < len(forms):
        line = ranges.get(place + 1)
        words, form, field = [forms[place]], forms[place], misc[place]
        if line is not None:
            words = forms[place : int(line.id.split("-")[1])]
            form, field = line.form, str(line.misc)
        yield _Unit(place, form, words, field)
        place += len(words)


def _spans(unit: _Unit, start: int) -> list[tuple[int, int]]:
    if "".join(unit.words) != unit.form:
        return [(start, start + len(unit.form))] * len(unit.words)
    ends = [start]
    for word in unit.words:
        ends.append(ends[-1] + len(word))
    return list(pairwise(ends))


def _not_found(sentence: Sentence, unit: _Unit, found: str) -> FormatError:
    what = f"word {unit.first + 1} '{unit.form}' does not match the comment 'text', which continues with '{found}'"
    return FormatError(
        f"{what}; correct one of them",
        file=sentence.corpus.name,
        line=sentence.line_of(unit.first + 1),
        sent_id=sentence.sent_id,
    )
