"""Other fields for the same words: trees, tags or any other column, every other byte as it was."""

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
    r"""A corpus with these heads and labels, given for all words of all sentences one after another.

    Only HEAD and DEPREL are written anew: comments, ranges, empty nodes, other columns, line
    ends and a byte order mark stay as they are. `UNKNOWN_HEAD` is written as `_`.

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
    """New fields of a column, for all words of all sentences one after another."""

    name: str
    values: NDArray[np.int32]
    """Places in `texts`; or, without these, heads, of which a negative one is written as `_`."""
    texts: Sequence[str] | None = None
    fill: bool = False
    """Leave what is there already, and fill only where there is `_`."""


def rewritten(corpus: Corpus, columns: Sequence[NewColumn]) -> bytes:
    r"""The text of a corpus with new fields; columns to fill that its format does not have are left out.

    Fast, and without checks of what is written: the caller knows that every head is in its sentence, and that every
    text can stand in a field.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n")
    >>> head, zero = NewColumn("head", np.array([0], np.int32)), np.zeros(1, np.int32)
    >>> rewritten(corpus, [head, NewColumn("deprel", zero, ["root"]), NewColumn("misc", zero, ["X=1"], fill=True)])
    b'1\tGo\t_\t_\t_\t_\t0\troot\t_\tX=1\n'
    """
    return corpus.without_broken(_replaced(corpus, columns))


def with_columns(corpus: Corpus, columns: Sequence[NewColumn]) -> Corpus:
    r"""The corpus that `rewritten` gives the text of.

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
            raise ValueError(f"the column '{name}' is given twice, or {corpus.dialect.title} has none of that name")
        if name in places:
            rows[name] = (places[name], values, None if texts is None else list(texts), fill)
    return _native.rewrite(corpus._text, corpus._index, list(rows.values()))


def _checked_heads(corpus: Corpus, heads: Sequence[int] | NDArray[np.integer]) -> NDArray[np.int32]:
    given = np.asarray(heads)
    if given.size and given.dtype.kind not in "iu":
        raise GraphError(f"heads are whole numbers, not {given.dtype}")
    wrong = np.flatnonzero((given < UNKNOWN_HEAD) | (given > np.repeat(corpus.lengths, corpus.lengths)))
    if wrong.size:
        raise GraphError(f"{_where(corpus, int(wrong[0]))}: head {given[wrong[0]]} is outside the sentence")
    return given.astype(np.int32)


def _check_labels(corpus: Corpus, deprels: Sequence[str]) -> None:
    wrong = {label for label in set(deprels) if FORBIDDEN.search(label)}
    if wrong:
        word = next(word for word, label in enumerate(deprels) if label in wrong)
        what = f"label {deprels[word]!r} holds a character that no field can hold"
        raise GraphError(f"{_where(corpus, word)}: {what}; {FORBIDDEN_ADVICE}")


def _where(corpus: Corpus, word: int) -> str:
    """The place of a word of the corpus, counted from 0, as messages name it."""
    first = corpus._index.first_word
    sentence = corpus[int(np.searchsorted(first, word, side="right")) - 1]
    number = word - int(first[sentence.number]) + 1
    return f"{corpus.name}:{sentence.line_of(number)}: {sentence.sent_id}: word {number}"


def _read_again(corpus: Corpus, text: bytes) -> Corpus:
    """The corpus with another text; sentences that were broken before may be so again, but no others."""
    on_error: OnError = "skip" if corpus.problems else "fail"
    new = indexed(text, corpus.dialect, corpus.name, on_error, corpus._lines_before, corpus._sentences_before)
    known = {problem.line for problem in corpus.problems}
    for problem in new.problems:
        if problem.line not in known:
            raise problem
    return new
