"""New corpora from the sentences of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from multiplane.errors import ColumnError

if TYPE_CHECKING:
    from multiplane.formats.corpus import Corpus
    from multiplane.formats.sentence import Sentence


def gathered(sentences: Iterable[Sentence], like: Corpus) -> Corpus:
    """Returns a corpus of these sentences with the name and the format of another one.

    >>> from multiplane import sample
    >>> len(gathered(sample()[3:5], sample()))
    2
    """
    from multiplane.formats.corpus import indexed  # noqa: PLC0415 - which filters sentences

    text = like.dialect.headed(b"".join(sentence.to_bytes() for sentence in sentences))
    return indexed(text, like.dialect, like.name, "fail")


def mapped(corpus: Corpus, function: Callable[[Sentence], Sentence]) -> Corpus:
    """Applies a function to a copy of each sentence; returns a corpus of the results."""
    return gathered((_applied(function, sentence, corpus) for sentence in corpus), corpus)


def _applied(function: Callable[[Sentence], Sentence], sentence: Sentence, corpus: Corpus) -> Sentence:
    new = function(sentence.copy())
    if not isinstance(new, type(sentence)):
        what = f"the function returned {type(new).__name__} for this sentence"
        raise TypeError(f"{sentence.where}: {what}; return a Sentence, and drop sentences with filter")
    if new.corpus.dialect != corpus.dialect:
        what = f"the function returned {new.corpus.dialect.title}, not {corpus.dialect.title}"
        raise ColumnError(f"{sentence.where}: {what}; return sentences in one format")
    return new
