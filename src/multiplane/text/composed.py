"""Splits decomposed text as if it were composed, and writes it as it was given.

Tokenizers and models are trained on composed characters (NFC), so they must see these; but the output must have the
characters and places of the input.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from multiplane.text.characters import SEPARATOR

_RANGE = re.compile(r"TokenRange=(\d+):(\d+)$")


class Composed(NamedTuple):
    r"""A text in composed characters (NFC): for each of these, what was given for it, and where.

    >>> Composed.of("e\u0301a", 10)
    Composed(text='\xe9a', pieces=['e\u0301', 'a'], starts=[10, 12], ends=[12, 13])
    """

    text: str
    pieces: list[str]
    starts: list[int]
    ends: list[int]

    @staticmethod
    def of(text: str, at: int) -> Composed:
        """Composes a text that begins at a place in the input."""
        composed: list[str] = []
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for cluster in _clusters(text):
            letters = unicodedata.normalize("NFC", cluster)
            composed.append(letters)
            single = len(letters) == len(cluster)
            pieces += cluster if single else [cluster, *[""] * (len(letters) - 1)]
            starts += [at + place if single else at for place in range(len(letters))]
            ends += [at + place + 1 if single else at + len(cluster) for place in range(len(letters))]
            at += len(cluster)
        return Composed("".join(composed), pieces, starts, ends)

    def restored(self, rows: list[str], ranges: bool) -> str:
        """Returns the lines of a sentence with the characters and places of the text as given."""
        places = [tuple(map(int, found.groups())) if (found := _RANGE.search(row)) else None for row in rows]
        tokens = [place for place in places if place]
        heading, _, text = rows[1].partition(" = ")
        restored = [rows[0], f"{heading} = {''.join(self._written(text, tokens[0][0], tokens[-1][1]))}"]
        inside: list[str] = []  # what is left of a multiword token that its words spell out
        for line, (row, place) in enumerate(zip(rows[2:], places[2:], strict=True), 3):
            number, form, *between, misc = row.split("\t")
            if place:
                written = self._written(form, *place)
                misc = self._placed(misc, place, ranges)
                first, _, last = number.partition("-")
                words = rows[line : line + int(last) - int(first) + 1] if last else []
                inside = written if form == "".join(word.split("\t", 2)[1] for word in words) else []
            else:
                written, inside = (inside[: len(form)], inside[len(form) :]) if inside else ([form], [])
            restored.append("\t".join((number, "".join(written), *between, misc)))
        return "\n".join(restored)

    def _written(self, form: str, start: int, end: int) -> list[str]:
        """Returns what was given for each character of a form; its places may have other, invisible characters."""
        found: list[str] = []
        for place in range(start, end):
            wanted = form[len(found) : len(found) + 1]
            if wanted == self.text[place]:
                found.append(self.pieces[place])
            elif wanted == " " and SEPARATOR.match(self.text[place]):
                found.append(" ")
        return found if len(found) == len(form) else list(form)

    def _placed(self, misc: str, place: tuple[int, ...], ranges: bool) -> str:
        kept = [] if misc.startswith("TokenRange") else [misc.partition("|")[0]]
        if ranges:
            kept.append(f"TokenRange={self.starts[place[0]]}:{self.ends[place[1] - 1]}")
        return "|".join(kept) or "_"


def _clusters(text: str) -> list[str]:
    r"""Splits a text into letters with all that they can be composed with.

    >>> [len(cluster) for cluster in _clusters("e\u0301 a\u0302")]
    [2, 1, 2]
    """
    found: list[str] = []
    for letter in text:
        if found and not letter.isascii() and not found[-1].isspace() and _continues(found[-1], letter):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _continues(cluster: str, letter: str) -> bool:
    """Whether a letter is a mark of those before it, or can be composed with them."""
    if unicodedata.combining(letter):
        return True
    together, alone = (unicodedata.normalize("NFC", each) for each in (cluster + letter, letter))
    return not together.endswith(alone)
