"""Rebuilds the raw text of a treebank, with the tokens and sentences in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from multiplane.formats import Corpus, Sentence

_STARTS = ("newdoc", "newpar")


class GoldToken(NamedTuple):
    """A token of a treebank."""

    form: str
    words: tuple[str, ...]
    """The words of a multiword token, or ()."""
    spaced: bool
    """Whether a space is behind it."""


@dataclass(frozen=True)
class GoldSentence:
    """A sentence of a treebank as its text has it."""

    tokens: tuple[GoldToken, ...]
    starts: bool
    """Whether a paragraph starts with it."""


class GoldText(NamedTuple):
    """A paragraph, and where tokens and sentences end in it, in code points."""

    text: str
    ends: list[int]
    """Of tokens."""
    multiword: list[bool]
    """For every token, whether it is a multiword token."""
    sentence_ends: list[int]


def gold_sentences(corpus: Corpus) -> list[GoldSentence]:
    """Returns the sentences of a treebank. Where it has no `text` comments, `SpaceAfter=No` tells where spaces are.

    >>> from multiplane import sample
    >>> [token.form for token in gold_sentences(sample())[0].tokens]
    ['Bridge', 'closes', 'that', 'linked', 'two', 'villages']
    """
    return [GoldSentence(tuple(_tokens(sentence)), _starts(sentence)) for sentence in corpus]


def has_spaces(sentences: Iterable[GoldSentence]) -> bool:
    """Whether a treebank says where there is no space."""
    return any(not token.spaced for sentence in sentences for token in sentence.tokens[:-1])


def _starts(sentence: Sentence) -> bool:
    return any(comment[1:].split(maxsplit=1)[0:1] in [[name] for name in _STARTS] for comment in sentence.comments)


def _tokens(sentence: Sentence) -> Iterator[GoldToken]:
    columns = sentence.corpus.dialect.columns
    misc = columns.index("misc") if "misc" in columns else None
    found: list[tuple[str, list[str], bool]] = []
    inside = 0
    for row in sentence.rows:
        spaced = misc is None or "SpaceAfter=No" not in row[misc].split("|")
        if "." in row[0]:
            continue
        if "-" in row[0]:
            first, last = row[0].split("-")
            inside = int(last) - int(first) + 1
            found.append((row[1], [], spaced))
        elif inside:
            found[-1][1].append(row[1])
            inside -= 1
        else:
            found.append((row[columns.index("form")], [], spaced))
    spaces = _spaces_in(sentence.text, [form for form, _, _ in found])
    for place, (form, words, spaced) in enumerate(found):
        yield GoldToken(form, tuple(words), spaced if spaces is None or place + 1 == len(found) else spaces[place])


def _spaces_in(text: str | None, forms: list[str]) -> list[bool] | None:
    """Returns whether a space is behind each token but the last; None if the text is not that of the tokens."""
    spaces: list[bool] = []
    at = 0
    for place, form in enumerate(forms):
        start = at
        while text is not None and text[at : at + 1].isspace() and not text.startswith(form, at):
            at += 1
        if text is None or not text.startswith(form, at):
            return None
        if place:
            spaces.append(at > start)
        at += len(form)
    return spaces


def gold_text(sentences: Iterable[GoldSentence]) -> GoldText:
    """Joins sentences to a paragraph, with a space between them unless the treebank says otherwise.

    >>> go, home = GoldToken("Go", (), True), GoldToken("home", (), False)
    >>> gold_text([GoldSentence((go, home), True), GoldSentence((home,), False)])
    GoldText(text='Go homehome', ends=[2, 7, 11], multiword=[False, False, False], sentence_ends=[7, 11])
    """
    parts: list[str] = []
    ends: list[int] = []
    multiword: list[bool] = []
    sentence_ends: list[int] = []
    at = 0
    for sentence in sentences:
        for token in sentence.tokens:
            parts.append(token.form + (" " if token.spaced else ""))
            ends.append(at + len(token.form))
            multiword.append(bool(token.words))
            at += len(parts[-1])
        sentence_ends += ends[-1:]
    return GoldText("".join(parts).rstrip(" "), ends, multiword, sentence_ends)


def paragraphs(sentences: Iterable[GoldSentence]) -> Iterator[list[GoldSentence]]:
    """Groups sentences by paragraph, as `newdoc` and `newpar` comments say."""
    group: list[GoldSentence] = []
    for sentence in sentences:
        if group and sentence.starts:
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group


def raw_text(corpus: Corpus) -> str:
    r"""Returns the raw text of a treebank: paragraphs with a blank line between them.

    >>> from multiplane import sample
    >>> raw_text(sample())[:60]
    'Bridge closes that linked two villages\n\nThe council shut the'
    """
    return "\n\n".join(gold_text(group).text for group in paragraphs(gold_sentences(corpus)))
