"""New corpora from the sentences of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from multiplane.errors import ColumnError
from multiplane.formats.dialects import DIALECTS

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


def collected(sentences: Iterable[Any], name: str) -> Corpus:
    """Returns a corpus of sentences in one format, which may be grouped in corpora and lists.

    >>> from multiplane import sample
    >>> collected([sample()[1], sample()[3:5]], "<sentences>")
    <Corpus <sentences>: 3 sentences, 56 words>
    """
    from multiplane.formats.corpus import indexed  # noqa: PLC0415 - which adds sentences

    found = list(sentences_in(sentences))
    dialect = found[0].corpus.dialect if found else DIALECTS["conllu"]
    if other := next((sentence for sentence in found if sentence.corpus.dialect != dialect), None):
        what = f"is {other.corpus.dialect.title}, and the first sentence {dialect.title}"
        raise ColumnError(f"{other.where}: {what}; convert the file first, so that all have one format")
    return indexed(dialect.headed(b"".join(sentence.to_bytes() for sentence in found)), dialect, name, "fail")


def sentences_in(given: Iterable[Any]) -> Iterator[Sentence]:
    """Yields sentences one by one: a sentence, those of a corpus, and those of an iterable of any of these.

    >>> from multiplane import sample
    >>> [sentence.sent_id for sentence in sentences_in([sample()[0], [sample()[4]], sample()[1:3]])]
    ['en-001', 'en-005', 'en-002', 'en-003']
    """
    from multiplane.formats.sentence import Sentence  # noqa: PLC0415 - which corpora gather

    if isinstance(given, Sentence):
        yield given
        return
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise TypeError(f"expected a Corpus, a Sentence, or an iterable of them, not {type(given).__name__}")
    for each in given:
        yield from sentences_in(each)


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
