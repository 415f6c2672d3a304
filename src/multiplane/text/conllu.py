"""Converts text to CoNLL-U with words, spaces and sentences, but no annotation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from multiplane.errors import TokenizerError
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.text.catalogue import tokenizer_of
from multiplane.text.tokenizer import Renderer, Token, Tokenizer

_LINE_ENDS = r"\u2028\u2029"  # Zl, Zp
_SPACES = r" \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"  # Zs
_CONTROLS = r"\x00-\x1f\x7f-\x9f\ud800-\udfff"  # Cc, Cs

_NO_TEXT = re.compile(rf"[{_SPACES}{_LINE_ENDS}{_CONTROLS}\u200b\ufeff]")
"""Characters that separate words: spaces of all kinds and widths, control characters, halves of surrogate pairs."""

_INVISIBLE = re.compile(r"[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]")
"""Invisible marks within words: soft hyphens, word joiners, and controls of the direction of text."""

_PARAGRAPH_ENDS = ("\f", "\u2029")
"""What ends a paragraph without a blank line."""

LONGEST_SENTENCE = 1_000
"""Longer sentences, probably lists or tables, are split after this many tokens: parser memory grows with length."""

_NO_FIELD = re.compile(f"[{_LINE_ENDS}{_CONTROLS}]")
"""Characters that a CoNLL-U field cannot contain, or that other programs treat as line ends."""


def corpus_of_text(
    text: str,
    tokenizer: Tokenizer | str | None = None,
    name: str = "<text>",
    *,
    lines: bool = False,
    ranges: bool = False,
) -> Corpus:
    r"""Splits a text into sentences and words, without annotation.

    A sentence ends at a blank line, or after 1,000 tokens at the latest; a line break is a space. With `lines`, every
    line is one sentence instead, however long. Soft hyphens and marks of direction are removed. With `ranges`, MISC has
    the position of each token in the text, in code points.

    >>> corpus = corpus_of_text("It's late.\nGo home!\n")
    >>> [sentence.text for sentence in corpus], corpus.column("form")
    (["It's late.", 'Go home!'], ['It', "'s", 'late', '.', 'Go', 'home', '!'])
    >>> corpus_of_text("Go,\nJo", ranges=True).column("misc")
    ['SpaceAfter=No|TokenRange=0:2', 'TokenRange=2:3', 'TokenRange=4:6']
    """
    return from_text(rendered(text, tokenizer_of(tokenizer), lines=lines, ranges=ranges)[0], name=name)


def rendered(
    text: str,
    tokenizer: Tokenizer,
    *,
    lines: bool = False,
    ranges: bool = False,
    sentences: int = 0,
    characters: int = 0,
) -> tuple[bytes, int]:
    r"""Returns the sentences of a text as CoNLL-U, and their number.

    `sentences` and `characters` are the numbers of sentences and characters before this text. A tokenizer
    sees composed characters (NFC); the result has those that were given.

    >>> from multiplane.text.catalogue import Spaces
    >>> rendered("Go", Spaces(), sentences=7)
    (b'# sent_id = 8\n# text = Go\n1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n', 1)
    """
    if not unicodedata.is_normalized("NFC", text):
        return _rendered_composed(text, tokenizer, lines, ranges, sentences, characters)
    if isinstance(tokenizer, Renderer):
        return tokenizer.conllu(text, lines=lines, ranges=ranges, sentences=sentences, characters=characters)
    found = (
        (paragraph, tokens)
        for paragraph in _paragraphs(text, lines, characters if ranges else None)
        for tokens in _sentences(paragraph.text, tokenizer, lines)
    )
    rows = [_sentence(*one, number) for number, one in enumerate(found, sentences + 1)]
    return "".join(rows).encode(), len(rows)


def _rendered_composed(
    text: str, tokenizer: Tokenizer, lines: bool, ranges: bool, sentences: int, characters: int
) -> tuple[bytes, int]:
    """Splits a text in composed characters, and writes it in those that were given."""
    given = _Given.of(text, characters)
    found, count = rendered(given.composed, tokenizer, lines=lines, ranges=True, sentences=sentences)
    blocks = found.decode().split("\n\n")[:-1]
    return "".join(given.restored(block.split("\n"), ranges) + "\n\n" for block in blocks).encode(), count


class _Given(NamedTuple):
    """A text that is not composed: for each character of the composed text, what was given for it, and where."""

    composed: str
    pieces: list[str]
    starts: list[int]
    ends: list[int]

    @staticmethod
    def of(text: str, at: int) -> _Given:
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
        return _Given("".join(composed), pieces, starts, ends)

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
            if wanted == self.composed[place]:
                found.append(self.pieces[place])
            elif wanted == " " and _NO_TEXT.match(self.composed[place]):
                found.append(" ")
        return found if len(found) == len(form) else list(form)

    def _placed(self, misc: str, place: tuple[int, ...], ranges: bool) -> str:
        kept = [] if misc.startswith("TokenRange") else [misc.partition("|")[0]]
        if ranges:
            kept.append(f"TokenRange={self.starts[place[0]]}:{self.ends[place[1] - 1]}")
        return "|".join(kept) or "_"


_RANGE = re.compile(r"TokenRange=(\d+):(\d+)$")


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


class _Paragraph(NamedTuple):
    """Text with spaces as the only whitespace."""

    text: str
    places: list[int] | None = None
    """The position of each character in the input, if needed."""


def _paragraphs(text: str, lines: bool, before: int | None) -> Iterator[_Paragraph]:
    """Yields the text between blank lines, or each line; `before` is the number of characters before the text."""
    cleaned = _with_places(text, before) if before is not None else map(_Paragraph, _clean(text))
    for is_text, group in groupby(cleaned, lambda line: bool(line.text)):
        if is_text and lines:
            yield from group
        elif is_text:
            yield _joined(list(group))


def _clean(text: str) -> Iterator[str]:
    """Yields the lines of a text, and an empty one behind the end of a paragraph."""
    for line in text.splitlines(keepends=True):
        yield _spaced(line).strip(" ")
        if line.endswith(_PARAGRAPH_ENDS):
            yield ""


def _spaced(line: str) -> str:
    return _NO_TEXT.sub(" ", _INVISIBLE.sub("", line))


def _with_places(text: str, at: int) -> Iterator[_Paragraph]:
    for line in text.splitlines(keepends=True):
        places = [at + place for place, letter in enumerate(line) if not _INVISIBLE.match(letter)]
        spaced = _spaced(line)
        first = len(spaced) - len(spaced.lstrip(" "))
        kept = spaced.strip(" ")
        yield _Paragraph(kept, places[first : first + len(kept)])
        if line.endswith(_PARAGRAPH_ENDS):
            yield _Paragraph("", [])
        at += len(line)


def _joined(lines: list[_Paragraph]) -> _Paragraph:
    text = " ".join(line.text for line in lines)
    if lines[0].places is None:
        return _Paragraph(text)
    places = chain.from_iterable([*(line.places or ()), -1] for line in lines)
    return _Paragraph(text, list(places))


def _sentences(paragraph: str, tokenizer: Tokenizer, lines: bool) -> Iterable[Sequence[Token]]:
    sentences = tokenizer.sentences(paragraph)
    if lines:
        return filter(None, [list(chain.from_iterable(sentences))])
    return (
        tokens[start : start + LONGEST_SENTENCE]
        for tokens in sentences
        for start in range(0, len(tokens), LONGEST_SENTENCE)
    )


def _sentence(found: _Paragraph, tokens: Sequence[Token], number: int) -> str:
    paragraph, places = found
    text = " ".join(paragraph[tokens[0].start : tokens[-1].end].split())
    rows = [f"# sent_id = {number}\n# text = {text}\n"]
    words = end = 0
    for token in tokens:
        _require_sound(token, paragraph, end)
        end = token.end
        misc = [] if paragraph[end : end + 1] in ("", " ") else ["SpaceAfter=No"]
        if places is not None:
            misc.append(f"TokenRange={places[token.start]}:{places[end - 1] + 1}")
        space = "|".join(misc) or "_"
        if token.words:
            rows.append(_row(f"{words + 1}-{words + len(token.words)}", token.form, space))
        for form in token.words or [token.form]:
            words += 1
            rows.append(_row(words, form, "_" if token.words else space))
    return "".join([*rows, "\n"])


def _row(number: object, form: str, misc: str) -> str:
    return f"{number}\t{form}" + "\t_" * 7 + f"\t{misc}\n"


def _require_sound(token: Token, paragraph: str, before: int) -> None:
    """Raises `TokenizerError` if a custom tokenizer returns a token that would break the file."""
    if not before <= token.start < token.end <= len(paragraph):
        raise TokenizerError(
            f"the tokenizer returned {token}, which is not within the text after character {before}; "
            "tokens must follow each other within the paragraph"
        )
    for form in (token.form, *token.words):
        if not (form.isalnum() or (form.strip() and not _NO_FIELD.search(form))):  # isalnum is the fast, common case
            raise TokenizerError(
                f"the tokenizer returned the word {form!r}; words cannot contain line breaks or control characters"
            )
