"""Replaces columns of a corpus, such as trees or tags, and leaves every other byte unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import GraphError
from multiplane.formats.corpus import UNKNOWN_HEAD, Corpus, OnError, indexed
from multiplane.formats.fields import FORBIDDEN, FORBIDDEN_ADVICE
from multiplane.messages import counted


def with_trees(corpus: Corpus, heads: Sequence[int] | NDArray[np.integer], deprels: Sequence[str]) -> Corpus:
    r"""Returns the corpus with these heads and labels, concatenated over sentences.

    Only HEAD and DEPREL change: comments, ranges, empty nodes, other columns, line ends and a byte order mark stay as
    they are. `UNKNOWN_HEAD` is written as `_`.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("# go\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n2\thome\t_\t_\t_\t_\t1\tobl\t_\tX=1\n\n")
    >>> print(with_trees(corpus, [2, 0], ["dep", "root"]).to_bytes().decode().replace("\t", " ").strip())
    # go
    1 Go _ _ _ _ 2 dep _ _
    2 home _ _ _ _ 0 root _ X=1
    """
    for given, kind in ((heads, "head"), (deprels, "label")):
        if len(given) != corpus.words:
            raise GraphError(f"{counted(len(given), kind)} for {counted(corpus.words, 'word')}; give one for each")
    new_heads = _checked_heads(corpus, heads)
    _check_labels(corpus, deprels)
    place = {label: number for number, label in enumerate(dict.fromkeys(deprels))}
    labels = np.fromiter(map(place.__getitem__, deprels), np.int32, corpus.words)
    return with_columns(corpus, [NewColumn("head", new_heads), NewColumn("deprel", labels, list(place))])


class NewColumn(NamedTuple):
    """New fields of a column, concatenated over sentences."""

    name: str
    values: NDArray[np.int32]
    """Indices into `texts` or, if that is None, heads; a negative head is written as `_`."""
    texts: Sequence[str] | None = None
    fill: bool = False
    """Whether to replace only `_` and keep existing values."""


def rewritten(corpus: Corpus, columns: Sequence[NewColumn]) -> bytes:
    r"""Returns the text of a corpus with new fields; skips columns to fill that its format lacks.

    Fast and unchecked: the caller guarantees that every head is within its sentence and every text is a valid field.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n")
    >>> head, zero = NewColumn("head", np.array([0], np.int32)), np.zeros(1, np.int32)
    >>> rewritten(corpus, [head, NewColumn("deprel", zero, ["root"]), NewColumn("misc", zero, ["X=1"], fill=True)])
    b'1\tGo\t_\t_\t_\t_\t0\troot\t_\tX=1\n'
    """
    return corpus.without_broken(_replaced(corpus, columns))


def with_columns(corpus: Corpus, columns: Sequence[NewColumn]) -> Corpus:
    r"""Like `rewritten`, but returns a corpus.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("1\tGo\t_\t_\t_\t_\t0\t_\t_\t_\n")
    >>> with_columns(corpus, [NewColumn("deprel", np.array([0], np.int32), ["root"])])[0].deprels
    ['root']
    """
    return _read_again(corpus, _replaced(corpus, columns))


def _replaced(corpus: Corpus, columns: Sequence[NewColumn]) -> bytes:
    places = {name: place for place, name in enumerate(corpus.dialect.columns)}
    rows = {}
    for name, values, texts, fill in columns:
        if name in rows or (name not in places and not fill):
            raise ValueError(f"the column '{name}' is given twice or does not exist in {corpus.dialect.title}")
        if name in places:
            rows[name] = (places[name], values, None if texts is None else list(texts), fill)
    return _native.rewrite(corpus._text, corpus._index, list(rows.values()))


def _checked_heads(corpus: Corpus, heads: Sequence[int] | NDArray[np.integer]) -> NDArray[np.int32]:
    given = np.asarray(heads)
    if given.size and given.dtype.kind not in "iu":
        raise GraphError(f"heads must be integers, not {given.dtype}")
    wrong = np.flatnonzero((given < UNKNOWN_HEAD) | (given > np.repeat(corpus.lengths, corpus.lengths)))
    if wrong.size:
        raise GraphError(f"{_where(corpus, int(wrong[0]))}: head {given[wrong[0]]} is outside the sentence")
    return given.astype(np.int32)


def _check_labels(corpus: Corpus, deprels: Sequence[str]) -> None:
    wrong = {label for label in set(deprels) if FORBIDDEN.search(label)}
    if wrong:
        word = next(word for word, label in enumerate(deprels) if label in wrong)
        what = f"label {deprels[word]!r} has a character that no field can contain"
        raise GraphError(f"{_where(corpus, word)}: {what}; {FORBIDDEN_ADVICE}")


def _where(corpus: Corpus, word: int) -> str:
    """Returns the location of a word for messages; `word` is its index in the corpus."""
    first = corpus._index.first_word
    sentence = corpus[int(np.searchsorted(first, word, side="right")) - 1]
    number = word - int(first[sentence.number]) + 1
    return f"{corpus.name}:{sentence.line_of(number)}: {sentence.sent_id}: word {number}"


def _read_again(corpus: Corpus, text: bytes) -> Corpus:
    """Indexes the new text of a corpus; raises an error for a broken sentence that was not broken before."""
    on_error: OnError = "skip" if corpus.problems else "fail"
    new = indexed(text, corpus.dialect, corpus.name, on_error, corpus._lines_before, corpus._sentences_before)
    known = {problem.line for problem in corpus.problems}
    for problem in new.problems:
        if problem.line not in known:
            raise problem
    return new
