"""Where the words in enhanced labels come from: `obl:in` takes its second part from the `case` child of the word."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import GraphError
from multiplane.formats import Corpus
from multiplane.formats.fields import EMPTY
from multiplane.graphs.codecs.enhanced_templates import suffix_of

FIXED, CONJUNCT = "fixed", "conj"
"""The relations of UD that hold multiword function words together, and conjuncts."""
OWN, ITSELF = "=", "."
"""Relations of sources that are no children: what follows the relation in the node's enhanced label; the node."""


class BasicTrees(NamedTuple):
    r"""The basic trees of all sentences, concatenated, and the words that enhanced labels can contain.

    >>> from multiplane.formats.reader import from_text
    >>> trees = BasicTrees.of(from_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n2\tHome\t_\t_\t_\t_\t1\tobl\t_\t_\n"))
    >>> trees.heads.tolist(), trees.labels.tolist(), trees.names, trees.words
    ([0, 1], [0, 1], ('root', 'obl'), ['go', 'home'])
    """

    lengths: NDArray[np.int64]
    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    """Indices into `names`."""
    names: tuple[str, ...]
    words: Sequence[str]
    """The lemma of each word, or its form if it has none, in lower case."""

    @staticmethod
    def of(*corpora: Corpus) -> BasicTrees:
        """Returns the trees of one or more corpora."""
        deprels = [deprel for corpus in corpora for deprel in corpus.column("deprel")]
        place = {name: number for number, name in enumerate(dict.fromkeys(deprels))}
        labels = np.fromiter(map(place.__getitem__, deprels), np.int32, len(deprels))
        lengths = np.concatenate([corpus.lengths for corpus in corpora])
        heads = np.concatenate([corpus.heads for corpus in corpora])
        words = [word for corpus in corpora for word in label_words(corpus)]
        return BasicTrees(lengths, heads, labels, tuple(place), words)

    def sentence(self, start: int, end: int) -> Tree:
        """Returns the tree of the words from `start` to `end`."""
        names = self.names
        deprels = [names[label] for label in self.labels[start:end].tolist()]
        return Tree(self.heads[start:end].tolist(), deprels, self.words[start:end])


def label_words(corpus: Corpus) -> list[str]:
    r"""Returns the text of each word in labels: its lemma, or its form if it has none, in lower case.

    >>> from multiplane.formats.reader import from_text
    >>> label_words(from_text("1\tAuf\tauf\t_\t_\t_\t0\troot\t_\t_\n2\tDem\t_\t_\t_\t_\t1\tdet\t_\t_\n"))
    ['auf', 'dem']
    """
    forms = corpus.column("form")
    lemmas = corpus.column("lemma") if "lemma" in corpus.dialect.columns else [EMPTY] * len(forms)
    return [(form if lemma == EMPTY else lemma).lower() for lemma, form in zip(lemmas, forms, strict=True)]


class Tree:
    """A basic tree with everything that sources look at; words are numbered from 1, and 0 is the root.

    >>> tree = Tree([3, 1, 4, 0], ["case", "fixed", "obl", "root"], ["because", "of", "rain", "stay"])
    >>> tree.children[3], tree.phrase(1), tree.is_above(4, 1)
    ([1], 'because_of', True)
    """

    __slots__ = ("children", "deprels", "heads", "stands_for", "suffixes", "words")

    def __init__(self, heads: Sequence[int], deprels: Sequence[str], words: Sequence[str]) -> None:
        self.heads = [0, *heads]
        self.deprels = ["", *deprels]
        self.words = ["", *words]
        self.children: list[list[int]] = [[] for _ in self.heads]
        for word in range(1, len(self.heads)):
            if not 0 <= self.heads[word] < len(self.heads):
                raise GraphError(f"word {word} has no head in the sentence; enhanced graphs need a basic tree")
            self.children[self.heads[word]].append(word)
        self.suffixes: dict[int, str] = {}
        """What follows the relation in the enhanced labels of basic arcs, once these are known."""
        self.stands_for: dict[int, list[int]] = {}
        """For words without their basic arcs, such as relative pronouns, their heads beside the tree."""

    def note_label(self, word: int, label: str) -> None:
        """Remembers the enhanced label of a basic arc, for sources that look at it."""
        if (suffix := suffix_of(label, self.deprels[word])) is not None:
            self.suffixes[word] = suffix

    def phrase(self, word: int) -> str:
        """Returns a word with those that are fixed to it, joined by `_`."""
        fixed = [self.words[child] for child in self.children[word] if self.deprels[child] == FIXED]
        return "_".join([self.words[word], *fixed])

    def is_above(self, upper: int, lower: int) -> bool:
        """Whether `upper` is an ancestor of `lower` in the tree."""
        for _ in range(len(self.heads)):
            lower = self.heads[lower]
            if lower in (upper, 0):
                break
        return lower == upper


class Source(NamedTuple):
    """The source of a word in a label: the first or last child of a node with some relation.

    >>> Source("self", "case"), Source.read("first.mark.last")
    (Source(node='self', relation='case', last=False), Source(node='first', relation='mark', last=True))
    """

    node: str
    """A name in `nodes_of`."""
    relation: str
    last: bool = False

    def __str__(self) -> str:
        return f"{self.node}.{self.relation}" + ".last" * self.last

    @staticmethod
    def read(text: str) -> Source:
        """Parses a source; raises `GraphError` if the text is invalid."""
        node, _, rest = text.partition(".")
        relation = rest.removesuffix(".last")
        if node not in NODES or not relation:
            raise GraphError(f"'{text}' is not the source of a label")
        return Source(node, relation, rest != relation)

    def value(self, tree: Tree, head: int, word: int, relation: str) -> str | None:
        """Returns the word that the source provides for the arc from `head` to `word` with this relation, or None.

        >>> tree = Tree([3, 1, 4, 0], ["case", "fixed", "obl", "root"], ["because", "of", "rain", "stay"])
        >>> Source("self", "case").value(tree, 4, 3, "obl"), Source("self", "mark").value(tree, 4, 3, "obl")
        ('because_of', None)
        """
        node = NODES[self.node](tree, head, word, relation)
        if not node:
            return None
        if self.relation == OWN:
            return tree.suffixes.get(node) if tree.deprels[node] == relation else None
        if self.relation == ITSELF:
            return tree.phrase(node)
        children, deprels = tree.children[node], tree.deprels
        for child in reversed(children) if self.last else children:
            if deprels[child] == self.relation:
                return tree.phrase(child)
        return None


def _siblings(tree: Tree, word: int) -> list[int]:
    relation = tree.deprels[word]
    return [child for child in tree.children[tree.heads[word]] if tree.deprels[child] == relation]


def _next(tree: Tree, head: int, word: int, relation: str) -> int:
    """The next sibling with the same relation."""
    return next((sibling for sibling in _siblings(tree, word) if sibling > word), 0)


def _previous(tree: Tree, head: int, word: int, relation: str) -> int:
    return next((sibling for sibling in reversed(_siblings(tree, word)) if sibling < word), 0)


def _last(tree: Tree, head: int, word: int, relation: str) -> int:
    """The last sibling with the same relation: in `A, B and C`, only C has the conjunction."""
    last = _siblings(tree, word)[-1]
    return last if last != word else 0


def _first_conjunct(tree: Tree, head: int, word: int, relation: str) -> int:
    """The first conjunct of the coordination that the word is in, unless it is that itself."""
    first = word
    for _ in range(len(tree.heads)):
        if tree.deprels[first] != CONJUNCT:
            break
        first = tree.heads[first]
    return first if first != word else 0


def _same(tree: Tree, head: int, word: int, relation: str) -> int:
    """The first child of the arc's head with the same relation."""
    return next((child for child in tree.children[head] if tree.deprels[child] == relation and child != word), 0)


def _stand_in(tree: Tree, head: int, word: int, relation: str) -> int:
    """The child of the arc's head that stands for the word, such as a relative pronoun or a stranded preposition."""
    if not tree.stands_for:
        return 0
    return next((child for child in tree.children[head] if word in tree.stands_for.get(child, ())), 0)


NODES = {
    "self": lambda tree, head, word, relation: word,
    "first": _first_conjunct,
    "stand-in": _stand_in,
    "head": lambda tree, head, word, relation: tree.heads[word],
    "governor": lambda tree, head, word, relation: head,
    "same": _same,
    "next": _next,
    "last": _last,
    "previous": _previous,
}
"""The nodes that sources start from, given the tree, the arc's head and dependent, and its relation; 0 for none."""


def candidates(tree: Tree, head: int, word: int, relation: str) -> Iterator[tuple[Source, str]]:
    """Yields all sources that say something about an arc, and what they say.

    >>> tree = Tree([2, 3, 0], ["case", "obl", "root"], ["in", "rain", "stay"])
    >>> [(str(source), word) for source, word in candidates(tree, 3, 2, "obl")]
    [('self.case', 'in'), ('self.case.last', 'in'), ('head.obl', 'rain'), ('head.obl.last', 'rain')]
    """
    seen = set()
    for name, of in NODES.items():
        node = of(tree, head, word, relation)
        if not node or (node in seen and name in ("governor", "head")):
            continue
        seen.add(node)
        if node in tree.suffixes and tree.deprels[node] == relation and head != tree.heads[word]:
            yield Source(name, OWN), tree.suffixes[node]
        if name == "stand-in":
            yield Source(name, ITSELF), tree.phrase(node)
        for child_relation in dict.fromkeys(tree.deprels[child] for child in tree.children[node]):
            if "." in child_relation or child_relation == OWN:
                continue  # could not be told from other sources when stored
            for last in (False, True):
                source = Source(name, child_relation, last)
                value = source.value(tree, head, word, relation)
                if value is not None:
                    yield source, value


@lru_cache(maxsize=65536)
def as_suffix(word: str) -> str:
    """Returns a word if a label may contain it, as UD allows only letters there, and otherwise nothing.

    >>> as_suffix("because_of"), as_suffix("&")
    ('because_of', '')
    """
    fits = all(letter.isalpha() or letter == "_" or unicodedata.category(letter)[0] == "M" for letter in word)
    return word if fits and word == word.strip("_") else ""
