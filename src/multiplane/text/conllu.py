"""From text to CoNLL-U: words, spaces and sentences, and no annotation yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

import regex

from multiplane.errors import TokenizerError
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.text.catalogue import tokenizer_of
from multiplane.text.tokenizer import Token, Tokenizer

_NO_TEXT = regex.compile(r"[\p{Z}\p{Cc}\p{Cs}\u200b\ufeff]")
"""Characters that separate words: spaces of all kinds and widths, control characters, halves of surrogate pairs."""

_INVISIBLE = regex.compile(r"[\u00ad\u2060]")
"""Marks within words that nobody sees: soft hyphens and word joiners."""

LONGEST_SENTENCE = 1_000
"""So many tokens without an end are cut: they are a list or a table, and a parser's memory grows with the sentence."""

_NO_FIELD = regex.compile(r"[\p{Zl}\p{Zp}\p{Cc}\p{Cs}]")
"""Characters that a field of CoNLL-U cannot hold, or that other programs take for the end of a line."""


def corpus_of_text(
    text: str, tokenizer: Tokenizer | str | None = None, name: str = "<text>", *, lines: bool = False
) -> Corpus:
    r"""The sentences of a text, without annotation.

    A blank line ends a sentence, and so do 1,000 tokens without another end; a line break is a space. With `lines`,
    every line is one sentence instead, however long. Soft hyphens are left out.

    >>> corpus = corpus_of_text("It's late.\nGo home!\n")
    >>> [sentence.text for sentence in corpus], corpus.column("form")
    (["It's late.", 'Go home!'], ['It', "'s", 'late', '.', 'Go', 'home', '!'])
    """
    return from_text("".join(rendered(text, tokenizer_of(tokenizer), lines=lines)).encode(), name=name)


def rendered(text: str, tokenizer: Tokenizer, *, lines: bool = False, sentences_before: int = 0) -> list[str]:
    r"""The sentences of a text, each as CoNLL-U.

    >>> from multiplane.text.catalogue import Spaces
    >>> rendered("Go", Spaces(), sentences_before=7)
    ['# sent_id = 8\n# text = Go\n1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n']
    """
    found = (
        (paragraph, tokens)
        for paragraph in _paragraphs(text, lines)
        for tokens in _sentences(paragraph, tokenizer, lines)
    )
    return [_sentence(*one, number) for number, one in enumerate(found, sentences_before + 1)]


def _paragraphs(text: str, lines: bool) -> Iterator[str]:
    """What stands between blank lines, or each line; spaces are its only whitespace."""
    cleaned = (_NO_TEXT.sub(" ", _INVISIBLE.sub("", line)).strip(" ") for line in text.splitlines())
    for is_text, group in groupby(cleaned, bool):
        if is_text and lines:
            yield from group
        elif is_text:
            yield " ".join(group)


def _sentences(paragraph: str, tokenizer: Tokenizer, lines: bool) -> Iterable[Sequence[Token]]:
    sentences = tokenizer.sentences(paragraph)
    if lines:
        return filter(None, [list(chain.from_iterable(sentences))])
    return (
        tokens[start : start + LONGEST_SENTENCE]
        for tokens in sentences
        for start in range(0, len(tokens), LONGEST_SENTENCE)
    )


def _sentence(paragraph: str, tokens: Sequence[Token], number: int) -> str:
    text = " ".join(paragraph[tokens[0].start : tokens[-1].end].split())
    rows = [f"# sent_id = {number}\n# text = {text}\n"]
    words = end = 0
    for token in tokens:
        _require_sound(token, paragraph, end)
        end = token.end
        space = "_" if paragraph[end : end + 1] in ("", " ") else "SpaceAfter=No"
        if token.words:
            rows.append(_row(f"{words + 1}-{words + len(token.words)}", token.form, space))
        for form in token.words or [token.form]:
            words += 1
            rows.append(_row(words, form, "_" if token.words else space))
    return "".join([*rows, "\n"])


def _row(number: object, form: str, misc: str) -> str:
    return f"{number}\t{form}" + "\t_" * 7 + f"\t{misc}\n"


def _require_sound(token: Token, paragraph: str, before: int) -> None:
    """Refuses what a tokenizer of somebody else's may get wrong and what would break the file."""
    if not before <= token.start < token.end <= len(paragraph):
        raise TokenizerError(
            f"the tokenizer gave {token}, which is not within the text behind character {before}; "
            "tokens lie in the paragraph one after another"
        )
    for form in (token.form, *token.words):
        if not (form.isalnum() or (form.strip() and not _NO_FIELD.search(form))):  # most are, and that is fast
            raise TokenizerError(f"the tokenizer gave the word {form!r}; words hold no tabs, line breaks or controls")
