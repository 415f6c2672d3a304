"""The layers in addition to the tree: predicates with arguments, and enhanced dependencies, as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import FormatError, LayerError

if TYPE_CHECKING:
    from multiplane.formats.corpus import Corpus
    from multiplane.formats.dialects import Arguments
    from multiplane.formats.sentence import Sentence

TOP = "TOP"
"""The label of the arcs from 0 to the tops of a semantic graph."""


class LayerArcs(NamedTuple):
    r"""The arcs of one layer, concatenated over sentences.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("1\tGo\t_\t_\t_\t_\t0\troot\t0:root\t_\n2\thome\t_\t_\t_\t_\t1\tobl\t1:obl\t_\n\n")
    >>> arcs = corpus.enhanced_arcs
    >>> arcs.first.tolist(), arcs.heads.tolist(), arcs.dependents.tolist(), arcs.labels.tolist(), arcs.names
    ([0, 2], [0, 1], [1, 2], [0, 1], ('root', 'obl'))
    >>> arcs.of(0)
    [(0, 1, 'root'), (1, 2, 'obl')]
    """

    first: NDArray[np.int64]
    """The arcs of sentence i are `first[i]` to `first[i + 1]`."""
    heads: NDArray[np.int32]
    """Positions in the sentence, from 1; 0 for the root."""
    dependents: NDArray[np.int32]
    labels: NDArray[np.int32]
    """Indices into `names`."""
    names: tuple[str, ...]
    """The distinct labels."""

    @staticmethod
    def joined(layers: Sequence[LayerArcs]) -> LayerArcs:
        """Concatenates the arcs of several corpora.

        >>> one = LayerArcs(np.array([0, 1]), *(np.array([n], np.int32) for n in (0, 1, 0)), ("root",))
        >>> both = LayerArcs.joined([one, one._replace(names=("obj",))])
        >>> both.first.tolist(), both.names, both.of(1)
        ([0, 1, 2], ('root', 'obj'), [(0, 1, 'obj')])
        """
        names = tuple(dict.fromkeys(name for layer in layers for name in layer.names))
        place = {name: number for number, name in enumerate(names)}
        numbers = [np.array([place[name] for name in layer.names], np.int32) for layer in layers]
        counts = np.concatenate([np.zeros(1, np.int64), *(np.diff(layer.first) for layer in layers)])
        heads = np.concatenate([layer.heads for layer in layers])
        dependents = np.concatenate([layer.dependents for layer in layers])
        labels = [number[layer.labels] for number, layer in zip(numbers, layers, strict=True)]
        return LayerArcs(np.cumsum(counts), heads, dependents, np.concatenate(labels), names)

    def of(self, sentence: int) -> list[tuple[int, int, str]]:
        """Returns the arcs of one sentence, given its index, in the form that `DependencyGraph` accepts."""
        here = slice(*self.first[sentence : sentence + 2].tolist())
        ends = zip(self.heads[here].tolist(), self.dependents[here].tolist(), self.labels[here].tolist(), strict=True)
        return [(head, dependent, self.names[label]) for head, dependent, label in ends]


class Predicates(NamedTuple):
    r"""The predicates, concatenated over sentences.

    >>> from multiplane.formats.reader import from_text
    >>> row = "1\tGo\tgo\tgo\tVB\tVB\t_\t_\t0\t0\troot\troot\tY\tgo.01\t_\n"
    >>> predicates = from_text(row, "conll09").predicates
    >>> predicates.first.tolist(), predicates.words.tolist(), predicates.senses.tolist(), predicates.names
    ([0, 1], [1], [0], ('go.01',))
    """

    first: NDArray[np.int64]
    """The predicates of sentence i are `first[i]` to `first[i + 1]`."""
    words: NDArray[np.int32]
    """Positions in the sentence, from 1, in ascending order."""
    senses: NDArray[np.int32]
    """Indices into `names`."""
    names: tuple[str, ...]
    """The distinct senses; `_` stands for none."""


class Problems(NamedTuple):
    """The errors in a layer, and the number of each error's sentence in the file."""

    errors: tuple[FormatError, ...]
    sentences: tuple[int, ...]

    def raise_first(self, sentence: Sentence | None) -> None:
        """Raises the first error, or the first one in a given sentence."""
        for error, number in zip(*self, strict=True):
            if sentence is None or number == sentence.number_in_file:
                raise error


class Semantics(NamedTuple):
    """The semantic layer of a corpus; empty for sentences with errors."""

    predicates: Predicates
    arcs: LayerArcs
    problems: Problems

    def checked(self, sentence: Sentence | None = None) -> Semantics:
        """Returns the layer; raises `FormatError` for the first mistake in the corpus or in one sentence."""
        self.problems.raise_first(sentence)
        return self


class Enhanced(NamedTuple):
    """The enhanced layer of a corpus; empty for sentences with errors."""

    first_node: NDArray[np.int64]
    node_words: NDArray[np.int32]
    """The position of a word, or of the word before an empty node."""
    node_minors: NDArray[np.int32]
    """0 for a word; 1 for the empty node 5.1."""
    arcs: LayerArcs
    """Arcs between nodes, which are numbered from 1 in each sentence."""
    collapsed: LayerArcs
    """Arcs between words; a path through empty nodes is one arc."""
    problems: Problems

    def checked(self, sentence: Sentence | None = None) -> Enhanced:
        """Returns the layer; raises `FormatError` for the first mistake in the corpus or in one sentence."""
        self.problems.raise_first(sentence)
        return self

    def ids_of(self, sentence: int) -> list[str]:
        """Returns the IDs of a sentence's nodes, such as 5 and 5.1."""
        here = slice(*self.first_node[sentence : sentence + 2].tolist())
        nodes = zip(self.node_words[here].tolist(), self.node_minors[here].tolist(), strict=True)
        return [f"{word}.{minor}" if minor else str(word) for word, minor in nodes]


def semantics_of(corpus: Corpus) -> Semantics:
    """Reads the predicates and arguments of a corpus; errors are reported, not raised.

    >>> from multiplane import Corpus
    >>> semantics_of(Corpus.from_columns(forms=[["Go"]]))
    Traceback (most recent call last):
    multiplane.errors.LayerError: <columns>: CoNLL-U has no predicates and arguments; use CoNLL-2008, CoNLL-2009 or SDP
    """
    columns = semantic_columns(corpus)
    predicates, arcs, problems = _native.read_semantics(corpus._text, corpus._index, columns)
    first, words, senses, names = predicates
    return Semantics(Predicates(first, words, senses, tuple(names)), _arcs(arcs), _problems(corpus, problems))


def enhanced_of(corpus: Corpus) -> Enhanced:
    """Reads the enhanced dependencies of a corpus; errors are reported, not raised.

    >>> from multiplane import sample
    >>> enhanced_of(sample()).problems.errors
    ()
    """
    first, words, minors, arcs, collapsed, problems = _native.read_enhanced(
        corpus._text, corpus._index, enhanced_column(corpus)
    )
    return Enhanced(first, words, minors, _arcs(arcs), _arcs(collapsed), _problems(corpus, problems))


def semantic_columns(corpus: Corpus) -> _native.SemanticColumns:
    """Returns the columns of a corpus's predicates; raises `LayerError` if its format has none."""
    arguments = arguments_of(corpus)
    place = {name: place for place, name in enumerate(corpus.dialect.columns)}
    return _native.SemanticColumns(
        sense=place[arguments.sense],
        mark=place.get(arguments.mark or "", -1),
        yes=arguments.yes,
        no=arguments.no,
        top=place.get(arguments.top or "", -1),
        senses_anywhere=arguments.senses_anywhere,
        arguments=len(corpus.dialect.columns),
    )


def arguments_of(corpus: Corpus) -> Arguments:
    """Returns the columns of predicates and arguments; raises `LayerError` if the format has none."""
    if corpus.dialect.arguments is None:
        what = f"{corpus.name}: {corpus.dialect.title} has no predicates and arguments"
        raise LayerError(f"{what}; use CoNLL-2008, CoNLL-2009 or SDP")
    return corpus.dialect.arguments


def enhanced_column(corpus: Corpus) -> int:
    """Returns the place of DEPS; raises `LayerError` if the format has no such column."""
    if "deps" not in corpus.dialect.columns:
        raise LayerError(f"{corpus.name}: {corpus.dialect.title} has no enhanced dependencies; use CoNLL-U")
    return corpus.dialect.columns.index("deps")


def _arcs(
    row: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], list[str]],
) -> LayerArcs:
    first, heads, dependents, labels, names = row
    return LayerArcs(first, heads, dependents, labels, tuple(names))


def _problems(corpus: Corpus, rows: Iterable[tuple[int, int, str, str]]) -> Problems:
    found = [
        (FormatError(what, file=corpus.name, line=line, sent_id=sent_id or f"sentence {number}"), number)
        for line, number, sent_id, what in rows
    ]
    return Problems(tuple(error for error, _ in found), tuple(number for _, number in found))
