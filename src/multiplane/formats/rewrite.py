"""Replaces columns of a corpus, such as trees or tags, and leaves every other byte unchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import GraphError, LayerError
from multiplane.formats.corpus import UNKNOWN_HEAD, Corpus, OnError, indexed
from multiplane.formats.fields import FORBIDDEN, FORBIDDEN_ADVICE
from multiplane.formats.layers import TOP, LayerArcs, Predicates, arguments_of, enhanced_column, semantic_columns
from multiplane.messages import counted

# What names of a layer cannot be: an argument column and CoNLL-2008's senses use _ for none, and DEPS separates by |.
_NONE = re.compile("^_$")
_BAR = re.compile(r"\|")


def with_trees(corpus: Corpus, heads: Sequence[int] | NDArray[np.integer], deprels: Sequence[str]) -> Corpus:
    r"""Returns the corpus with these heads and labels, concatenated over sentences.

    Only HEAD and DEPREL change: comments, ranges, empty nodes, other columns, line ends and a byte order mark are
    preserved. `UNKNOWN_HEAD` is written as `_`.

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
    r"""Returns the text of a corpus with new fields; ignores columns to fill that its format lacks.

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
    return read_again(corpus, _replaced(corpus, columns))


def with_semantics(corpus: Corpus, predicates: Predicates, arcs: LayerArcs) -> Corpus:
    r"""Returns the corpus with these predicates and arguments; see `rewritten_semantics`.

    >>> from multiplane.formats.reader import from_text
    >>> row = "1\tGo\tgo\tgo\tVB\tVB\t_\t_\t0\t0\troot\troot\t_\t_\n"
    >>> corpus = from_text(row, "conll09")
    >>> one, zero = np.array([1], np.int32), np.zeros(1, np.int32)
    >>> first = np.array([0, 1], np.int64)
    >>> predicates, arcs = Predicates(first, one, zero, ("go.01",)), LayerArcs(first, one, one, zero, ("A0",))
    >>> new = with_semantics(corpus, predicates, arcs)
    >>> new[0].predicates, new[0].semantics.arcs
    ({1: 'go.01'}, ((1, 1, 'A0'),))
    """
    return read_again(corpus, _with_semantics(corpus, predicates, arcs))


def rewritten_semantics(corpus: Corpus, predicates: Predicates, arcs: LayerArcs) -> bytes:
    """Returns the text of a corpus with these predicates, senses and arguments.

    Replaces the columns that mark predicates, their senses and all argument columns, one for each predicate in order of
    position; all other bytes are unchanged. Raises `GraphError` for predicates and arcs that the columns cannot
    represent.
    """
    return corpus.without_broken(_with_semantics(corpus, predicates, arcs))


def with_enhanced(corpus: Corpus, arcs: LayerArcs) -> Corpus:
    r"""Returns the corpus with these enhanced dependencies; see `rewritten_enhanced`.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n")
    >>> zero = np.zeros(1, np.int32)
    >>> with_enhanced(corpus, LayerArcs(np.array([0, 1]), zero, zero + 1, zero, ("root",)))[0].deps
    ['0:root']
    """
    return read_again(corpus, _with_enhanced(corpus, arcs))


def rewritten_enhanced(corpus: Corpus, arcs: LayerArcs) -> bytes:
    """Returns the text of a corpus with these enhanced dependencies, sorted by head, in DEPS.

    DEPS of empty nodes and all other bytes are unchanged. A word without arcs gets `_`.
    """
    return corpus.without_broken(_with_enhanced(corpus, arcs))


def _replaced(corpus: Corpus, columns: Sequence[NewColumn]) -> bytes:
    places = {name: place for place, name in enumerate(corpus.dialect.columns)}
    rows = {}
    for name, values, texts, fill in columns:
        if name not in places and not fill:
            raise LayerError(
                f"{corpus.name}: {corpus.dialect.title} has no column '{name}'; it has {', '.join(places)}"
            )
        if name in rows:
            raise ValueError(f"the column '{name}' is given twice")
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


def read_again(corpus: Corpus, text: bytes) -> Corpus:
    """Indexes the new text of a corpus; raises an error for a broken sentence that was not broken before."""
    on_error: OnError = "skip" if corpus.problems else "fail"
    new = indexed(text, corpus.dialect, corpus.name, on_error, corpus._lines_before, corpus._sentences_before)
    known = {problem.line for problem in corpus.problems}
    for problem in new.problems:
        if problem.line not in known:
            raise problem
    return new


def _with_semantics(corpus: Corpus, predicates: Predicates, arcs: LayerArcs) -> bytes:
    columns = semantic_columns(corpus)
    _check_predicates(corpus, predicates)
    _check_arcs(corpus, arcs, _NONE)
    _check_roles(corpus, predicates, arcs)
    return _native.rewrite_semantics(corpus._text, corpus._index, columns, _row(predicates), _row(arcs))


def _with_enhanced(corpus: Corpus, arcs: LayerArcs) -> bytes:
    column = enhanced_column(corpus)
    _check_arcs(corpus, arcs, _BAR)
    order = np.lexsort((arcs.heads, arcs.dependents, _sentences(arcs.first)))
    sorted_arcs = LayerArcs(arcs.first, arcs.heads[order], arcs.dependents[order], arcs.labels[order], arcs.names)
    return _native.rewrite_deps(corpus._text, corpus._index, column, _row(sorted_arcs))


def _row(layer: Predicates | LayerArcs) -> Any:
    """Converts a layer to the arguments of the native core."""
    first, *numbers, names = layer
    kinds = (np.ascontiguousarray(values, np.int32) for values in numbers)
    return (np.ascontiguousarray(first, np.int64), *kinds, list(names))


def _sentences(first: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the index of the sentence of each predicate or arc."""
    return np.repeat(np.arange(len(first) - 1), np.diff(first))


def _check_sizes(corpus: Corpus, layer: Predicates | LayerArcs, kind: str) -> None:
    first, *numbers, names = layer
    if len(first) != len(corpus) + 1:
        raise GraphError(f"{kind} of {counted(len(first) - 1, 'sentence')} for a corpus of {len(corpus):,}")
    if first[0] != 0 or np.any(np.diff(first) < 0) or any(len(values) != first[-1] for values in numbers):
        raise GraphError(f"the arrays of {kind} have different sizes")
    places = numbers[-1]
    if len(places) and not 0 <= places.min() <= places.max() < len(names):
        raise GraphError(f"{kind} have a number without a name")


def _refuse_first(corpus: Corpus, wrong: NDArray[np.bool_], sentence: NDArray[np.int64], what: Any) -> None:
    """Raises `GraphError` for the first wrong predicate or arc; `what` describes it."""
    for place in np.flatnonzero(wrong)[:1].tolist():
        raise GraphError(f"{corpus[int(sentence[place])].where}: {what(place)}")


def _check_names(corpus: Corpus, layer: Predicates | LayerArcs, kind: str, forbidden: re.Pattern[str]) -> None:
    bad = np.array(
        [not name or FORBIDDEN.search(name) is not None or forbidden.search(name) is not None for name in layer.names],
        np.bool_,
    )
    places = layer[-2]
    if bad.any():

        def what(place: int) -> str:
            return f"{kind} {layer.names[places[place]]!r} cannot be written; give another"

        _refuse_first(corpus, bad[places], _sentences(layer.first), what)


def _check_predicates(corpus: Corpus, predicates: Predicates) -> None:
    _check_sizes(corpus, predicates, "predicates")
    must_have_sense = arguments_of(corpus).mark is None
    _check_names(corpus, predicates, "sense", _NONE if must_have_sense else FORBIDDEN)
    sentence, words = _sentences(predicates.first), predicates.words
    wrong = (words < 1) | (words > corpus.lengths[sentence])
    _refuse_first(corpus, wrong, sentence, lambda place: f"predicate {words[place]} is outside the sentence")
    unordered = np.zeros(len(words), np.bool_)
    unordered[1:] = (sentence[1:] == sentence[:-1]) & (words[1:] <= words[:-1])
    _refuse_first(corpus, unordered, sentence, lambda place: f"predicate {words[place]} is out of order or given twice")


def _check_arcs(corpus: Corpus, arcs: LayerArcs, forbidden: re.Pattern[str]) -> None:
    _check_sizes(corpus, arcs, "arcs")
    _check_names(corpus, arcs, "label", forbidden)
    sentence = _sentences(arcs.first)
    length = corpus.lengths[sentence]
    wrong = (arcs.heads < 0) | (arcs.heads > length) | (arcs.dependents < 1) | (arcs.dependents > length)
    _refuse_first(corpus, wrong, sentence, lambda place: f"arc {_shown(arcs, place)} is outside the sentence")


def _check_roles(corpus: Corpus, predicates: Predicates, arcs: LayerArcs) -> None:
    """Checks that arcs leave predicates or, for tops, 0, and that no two of them share a cell."""
    width = int(corpus.lengths.max(initial=0)) + 1
    sentence = _sentences(arcs.first)
    known = _sentences(predicates.first) * width + predicates.words
    is_top = arcs.heads == 0
    stray = ~is_top & ~np.isin(sentence * width + arcs.heads, known)
    _refuse_first(corpus, stray, sentence, lambda place: f"arc {_shown(arcs, place)} does not leave a predicate")
    tops = np.array([name == TOP for name in arcs.names], np.bool_)[arcs.labels] if len(arcs.names) else is_top
    misfit = is_top & ~tops if arguments_of(corpus).top else is_top
    _refuse_first(corpus, misfit, sentence, lambda place: f"arc {_shown(arcs, place)} from the root has no column")
    _, first, place_of = np.unique(
        (sentence * width + arcs.heads) * width + arcs.dependents, return_index=True, return_inverse=True
    )
    twice = first[place_of] != np.arange(len(sentence))
    _refuse_first(corpus, twice, sentence, lambda place: f"arc {_shown(arcs, place)} is given twice")


def _shown(arcs: LayerArcs, place: int) -> str:
    return f"{arcs.heads[place]}→{arcs.dependents[place]} ({arcs.names[arcs.labels[place]]})"
