"""Other trees for the same words: new HEAD and DEPREL fields, every other byte as it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import GraphError
from multiplane.formats.corpus import UNKNOWN_HEAD, Corpus, OnError, indexed
from multiplane.formats.fields import FORBIDDEN, FORBIDDEN_ADVICE
from multiplane.messages import counted


def with_trees(corpus: Corpus, heads: Sequence[int] | NDArray[np.integer], deprels: Sequence[str]) -> Corpus:
    r"""A corpus with these heads and labels, given for all words of all sentences one after another.

    Only the HEAD and DEPREL fields that differ are written anew: comments, ranges, empty nodes, other columns, line
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
    old_deprels = corpus.column("deprel")
    other_deprels = np.fromiter((a != b for a, b in zip(deprels, old_deprels, strict=True)), np.bool_, corpus.words)
    changed = np.flatnonzero((new_heads != corpus.heads) | other_deprels)
    return _read_again(corpus, b"".join(_pieces(corpus, changed, new_heads, deprels)))


Filled = tuple[str, NDArray[np.int32], Sequence[str]]
"""A column to fill where it is empty: its name, and for every word the place of its text among these."""


def rewritten(
    corpus: Corpus,
    heads: NDArray[np.int32],
    labels: NDArray[np.int32],
    names: Sequence[str],
    filled: Sequence[Filled] = (),
) -> bytes:
    r"""The text of a corpus with these heads and labels, given as places in `names`: `with_trees` for whole treebanks.

    Other columns are filled where they hold `_`, and only there. Fast, and without checks: the caller knows that every
    head is in its sentence and every label can be written.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n")
    >>> rewritten(corpus, np.array([0], np.int32), np.array([1], np.int32), ["dep", "root"])
    b'1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n'
    """
    return corpus.without_broken(_replaced(corpus, heads, labels, names, filled))


def with_labels(
    corpus: Corpus,
    heads: NDArray[np.int32],
    labels: NDArray[np.int32],
    names: Sequence[str],
    filled: Sequence[Filled] = (),
) -> Corpus:
    r"""The corpus that `rewritten` gives the text of.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n")
    >>> with_labels(corpus, np.array([0], np.int32), np.array([1], np.int32), ["dep", "root"])[0].deprels
    ['root']
    """
    return _read_again(corpus, _replaced(corpus, heads, labels, names, filled))


def _replaced(
    corpus: Corpus,
    heads: NDArray[np.int32],
    labels: NDArray[np.int32],
    names: Sequence[str],
    filled: Sequence[Filled],
) -> bytes:
    columns = corpus.dialect.columns
    others = [(columns.index(name), values, list(texts)) for name, values, texts in filled if name in columns]
    deprels = (columns.index("deprel"), labels, list(names))
    return _native.rewrite(corpus._text, corpus._index, columns.index("head"), heads, deprels, others)


def _checked_heads(corpus: Corpus, heads: Sequence[int] | NDArray[np.integer]) -> NDArray[np.int64]:
    given = np.asarray(heads)
    if given.size and given.dtype.kind not in "iu":
        raise GraphError(f"heads are whole numbers, not {given.dtype}")
    wrong = np.flatnonzero((given < UNKNOWN_HEAD) | (given > np.repeat(corpus.lengths, corpus.lengths)))
    if wrong.size:
        raise GraphError(f"{_where(corpus, int(wrong[0]))}: head {given[wrong[0]]} is outside the sentence")
    return given.astype(np.int64)


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


def _pieces(
    corpus: Corpus, words: NDArray[np.intp], heads: NDArray[np.int64], deprels: Sequence[str]
) -> Iterator[bytes]:
    """The text of the corpus with the fields of these words replaced, piece by piece."""
    text, index = corpus._text, corpus._index
    lines = (np.repeat(index.start, corpus.lengths) + index.word)[words]
    tabs = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\t"))
    first_tab = np.searchsorted(tabs, lines)

    def ends(column: str) -> tuple[list[int], list[int]]:
        after = first_tab + corpus.dialect.columns.index(column)
        return (tabs[after - 1] + 1).tolist(), tabs[after].tolist()

    at = 0
    fields = zip(words.tolist(), heads[words].tolist(), *ends("head"), *ends("deprel"), strict=True)
    for word, head, head_start, head_end, deprel_start, deprel_end in fields:
        yield text[at:head_start]
        yield b"_" if head == UNKNOWN_HEAD else b"%d" % head
        yield text[head_end:deprel_start]
        yield deprels[word].encode()
        at = deprel_end
    yield text[at:]


def _read_again(corpus: Corpus, text: bytes) -> Corpus:
    """The corpus with another text; sentences that were broken before may be so again, but no others."""
    on_error: OnError = "skip" if corpus.problems else "fail"
    new = indexed(text, corpus.dialect, corpus.name, on_error, corpus._lines_before, corpus._sentences_before)
    known = {problem.line for problem in corpus.problems}
    for problem in new.problems:
        if problem.line not in known:
            raise problem
    return new
