"""Converts text to CoNLL-U with words, spaces and sentences, but no annotation."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from multiplane.errors import TokenizerError
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.text.catalogue import tokenizer_of
from multiplane.text.characters import INVISIBLE, NO_FIELD, PARAGRAPH_ENDS, SEPARATOR
from multiplane.text.composed import Composed
from multiplane.text.tokenizer import Renderer, Token, Tokenizer

LONGEST_SENTENCE = 1_000
"""Longer sentences, probably lists or tables, are split after this many tokens: parser memory grows with length."""


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
    given = Composed.of(text, characters)
    found, count = rendered(given.text, tokenizer, lines=lines, ranges=True, sentences=sentences)
    blocks = found.decode().split("\n\n")[:-1]
    return "".join(given.restored(block.split("\n"), ranges) + "\n\n" for block in blocks).encode(), count


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
        if line.endswith(PARAGRAPH_ENDS):
            yield ""


def _spaced(line: str) -> str:
    return SEPARATOR.sub(" ", INVISIBLE.sub("", line))


def _with_places(text: str, at: int) -> Iterator[_Paragraph]:
    for line in text.splitlines(keepends=True):
        places = [at + place for place, letter in enumerate(line) if not INVISIBLE.match(letter)]
        spaced = _spaced(line)
        first = len(spaced) - len(spaced.lstrip(" "))
        kept = spaced.strip(" ")
        yield _Paragraph(kept, places[first : first + len(kept)])
        if line.endswith(PARAGRAPH_ENDS):
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
        if not (form.isalnum() or (form.strip() and not NO_FIELD.search(form))):  # isalnum is the fast, common case
            raise TokenizerError(
                f"the tokenizer returned the word {form!r}; words cannot contain line breaks or control characters"
            )
