"""Slices of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from multiplane import _native
from multiplane.errors import FormatError
from multiplane.formats.corpus import Corpus, indexed

if TYPE_CHECKING:
    from multiplane.formats.editing import Draft

Content = tuple[bytes, _native.Index]


class Part(Corpus):
    """Some sentences of a corpus, as a corpus: a view, which shares all edits with the whole.

    >>> from multiplane import sample
    >>> corpus = sample()
    >>> part = corpus[2:4]
    >>> part
    <Corpus ...sample.conllu: 2 sentences, 30 words>
    >>> part[0].where == corpus[2].where
    True
    >>> part[0][0].lemma = "new"
    >>> corpus[2].lemmas[0], corpus.column("lemma") == [*corpus[:2].column("lemma"), *corpus[2:].column("lemma")]
    ('new', True)
    """

    def __init__(self, whole: Corpus, numbers: range) -> None:
        self.name = whole.name
        self.dialect = whole.dialect
        self._whole = whole
        self._numbers = numbers
        self._layers = {}
        self._read: tuple[Content, Corpus] | None = None
        """The stored content of the whole, and the corpus of this part that was made from it."""

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def _own(self) -> Corpus:
        """What is stored of this part; edits of the whole are stored from time to time, and then it is read again."""
        stored = self._whole._content
        if self._read is None or self._read[0] is not stored:
            self._read = stored, _cut(self._whole, self._numbers)
        return self._read[1]

    # What a corpus stores is that of the part; what is edited is that of the whole.

    @property
    def _content(self) -> Content:  # type: ignore[override]
        return self._own._content

    @property
    def problems(self) -> tuple[FormatError, ...]:  # type: ignore[override]
        """Why sentences between these were skipped, with ``on_error="skip"``."""
        return self._own.problems

    @property
    def _lines_before(self) -> int:  # type: ignore[override]
        return self._own._lines_before

    @property
    def _edition(self) -> int:  # type: ignore[override]
        return self._whole._edition

    def _draft_of(self, number: int) -> Draft | None:
        return self._whole._draft_of(self._numbers[number])

    def _new_draft(self, number: int) -> Draft:
        return self._whole._new_draft(self._numbers[number])

    def _settle(self) -> None:
        self._whole._settle()

    def _was_edited(self) -> None:
        self._whole._was_edited()

    def _identity(self, number: int) -> tuple[int, int]:
        return self._whole._identity(self._numbers[number])

    def _part(self, item: slice) -> Corpus:
        return Part(self._whole, self._numbers[item])


def _cut(corpus: Corpus, numbers: range) -> Corpus:
    """Returns a corpus of stored sentences: a piece of the file if they follow each other, else one after another."""
    text, index = corpus._content
    lines, sentences = corpus._lines_before, corpus._sentences_before
    if numbers and numbers[0] > 0:
        lines, sentences = int(index.line[numbers[0]]) - 1, int(index.ordinal[numbers[0]]) - 1
    if not numbers or numbers.step != 1:
        piece = b"".join(corpus[number]._stored_bytes for number in numbers)
        return indexed(piece, corpus.dialect, corpus.name, "fail", lines, sentences)
    start = int(index.start[numbers.start]) if numbers.start else 0
    end = int(index.start[numbers.stop]) if numbers.stop < len(index) else len(text)
    return indexed(text[start:end], corpus.dialect, corpus.name, "skip", lines, sentences)
