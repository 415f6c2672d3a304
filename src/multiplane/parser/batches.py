"""Parses batches, one by one or in several threads, with the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby, pairwise
from typing import Any, NamedTuple

import numpy as np

from multiplane.errors import ModelError, MultiplaneError
from multiplane.formats import DIALECTS, Corpus, Sentence
from multiplane.formats.columns import text_of_columns
from multiplane.formats.corpus import indexed
from multiplane.formats.editing import spliced
from multiplane.formats.reader import from_text
from multiplane.formats.rewrite import read_again
from multiplane.formats.treebank import joined
from multiplane.models import Model
from multiplane.parser.fixed import checked_arcs
from multiplane.parser.inputs import Batch, batches
from multiplane.parser.results import How, best_trees, parsed_corpus
from multiplane.parser.stream import in_order
from multiplane.text import Tokenizer, corpus_of_text
from multiplane.text.conllu import rendered

Parsed = Corpus | list[list[Sentence]]
"""A corpus or, with `best`, the trees of each of its sentences."""


class Texts(NamedTuple):
    """How to tokenize texts."""

    tokenizer: Callable[[], Tokenizer]
    """Called only if there is a text."""
    lines: bool
    """Whether every line is a sentence."""
    ranges: bool
    required: bool
    """Whether only texts are allowed, because options for texts are given."""


@dataclass(frozen=True)
class Parsing:
    """How to parse items of all kinds."""

    model: Model
    how: How
    texts: Texts
    threads: int
    size: int
    """The number of sentences in a batch."""

    def text(self, text: str) -> Parsed:
        """Parses a text."""
        self._check_for_texts()
        lines, ranges = self.texts.lines, self.texts.ranges
        return self._corpus(corpus_of_text(text, self.texts.tokenizer(), lines=lines, ranges=ranges))

    def sentence(self, sentence: Sentence) -> Any:
        """Parses a sentence; forbidden arcs are those of this sentence alone."""
        self._check_for_words()
        forbidden = self.how.forbidden
        how = self.how if forbidden is None else replace(self.how, forbidden=checked_arcs([forbidden]))
        return self._whole(joined([sentence]), how)[0]

    def corpus(self, corpus: Corpus) -> Parsed:
        """Parses a corpus, in several threads if it has more than one batch."""
        self._check_for_words()
        if self.how.forbidden is None:
            return self._corpus(corpus)
        how = replace(self.how, forbidden=checked_arcs(self.how.forbidden))
        return replace(self, how=how)._corpus(corpus)

    def items(self, items: Iterable[object]) -> Iterator[Any]:
        """Parses items lazily and yields a result for each."""
        alone = replace(self, threads=1)
        return chain.from_iterable(in_order(alone._batch, batches(items, self.size), self.threads))

    def _corpus(self, corpus: Corpus) -> Parsed:
        # Comments cannot be written beside broken sentences, so that these would be left out of only some results.
        in_pieces = self.threads > 1 and len(corpus) > self.size and not (self.how.scores and corpus.problems)
        forbidden = self.how.forbidden
        if not in_pieces or (forbidden is not None and len(forbidden) != len(corpus)):
            return self._whole(corpus, self.how)
        corpus._settle()  # before threads read it
        starts = range(0, len(corpus), self.size)
        try:
            pieces: list[Any] = list(in_order(partial(self._piece, corpus), starts, self.threads))
        except MultiplaneError:
            return self._whole(corpus, self.how)  # raises the same error, with the place in the whole corpus
        sentences = list(chain.from_iterable(pieces))
        return _united(corpus, sentences) if self.how.best is None else sentences

    def _whole(self, corpus: Corpus, how: How) -> Parsed:
        if how.best is not None:
            return best_trees(self.model, corpus, how)
        return parsed_corpus(self.model, corpus, how)

    def _piece(self, corpus: Corpus, start: int) -> Parsed:
        piece = slice(start, start + self.size)
        how = self.how if self.how.forbidden is None else replace(self.how, forbidden=self.how.forbidden[piece])
        return self._whole(joined([corpus[number] for number in range(len(corpus))[piece]]), how)

    def _batch(self, batch: Batch) -> Iterable[Any]:
        if batch.kind == "texts":
            return self._texts(batch.items)
        self._check_for_words()
        if batch.kind == "corpora":
            return [self.corpus(corpus) for corpus in batch.items]
        if batch.kind == "words":
            return self._words(batch)
        groups = groupby(batch.items, key=lambda sentence: sentence.corpus.dialect)
        return [each for _, group in groups for each in self._whole(joined(list(group)), self.how)]

    def _words(self, batch: Batch) -> Parsed:
        require_no_tags(self.model)
        dialect = DIALECTS["conllu"]
        text = text_of_columns(dialect, {"form": batch.items})
        return self._whole(indexed(text, dialect, "<words>", "fail", 0, batch.first), self.how)

    def _texts(self, texts: list[str]) -> list[Any]:
        """Parses texts together, which is faster for short ones; results are the same as for each text alone."""
        if self.how.best is not None or len(texts) == 1:
            return [self.text(text) for text in texts]
        self._check_for_texts()
        tokenizer = self.texts.tokenizer()
        lines, ranges = self.texts.lines, self.texts.ranges
        split = [rendered(text, tokenizer, lines=lines, ranges=ranges) for text in texts]
        parsed = parsed_corpus(self.model, from_text(b"".join(text for text, _ in split)), self.how)
        starts = [*parsed._index.start.tolist(), len(parsed._text)]
        ends = np.cumsum([0, *(count for _, count in split)]).tolist()
        return [from_text(parsed._text[starts[first] : starts[last]]) for first, last in pairwise(ends)]

    def _check_for_texts(self) -> None:
        require_no_tags(self.model)
        if self.how.keep_heads or self.how.forbidden is not None:
            raise ValueError("plain text has no words or heads yet; pass a Sentence or a Corpus")

    def _check_for_words(self) -> None:
        if self.texts.required:
            raise ValueError(
                "tokenizer, lines and ranges apply only to text; a Sentence or a Corpus is already split into words"
            )


def require_no_tags(model: Model) -> None:
    """Raises `ModelError` if a model needs tags, which texts and words do not have."""
    if model.needs_tags:
        raise ModelError(
            "this model needs POS tags, which plain text does not have; pass a tagged Sentence or Corpus, "
            "or use a neural model trained with --tags predicted"
        )


def _united(corpus: Corpus, sentences: list[Sentence]) -> Corpus:
    """Returns a corpus with parsed sentences in the place of its own."""
    new = {number: _as_stored(corpus[number], sentence) for number, sentence in enumerate(sentences)}
    return read_again(corpus, spliced(corpus, new))


def _as_stored(old: Sentence, new: Sentence) -> bytes:
    """Returns the bytes of a parsed sentence, without a line end if that was the unfinished last line of a file."""
    before = old._bytes
    if before.endswith(b"\n"):
        return new._bytes
    return new._bytes.rstrip(b"\r\n") + (b"\r" if before.endswith(b"\r") else b"")
