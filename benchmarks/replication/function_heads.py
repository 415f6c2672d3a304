"""Turns the content heads of Universal Dependencies into function heads, and back.

    python benchmarks/replication/function_heads.py TREEBANK...     # how much of a treebank is converted

In UD, function words depend on content words: in *she has slept*, *has* is an `aux` of *slept*. In other schemes, among
them those of most CoNLL-X treebanks, it is the other way round. `to_function_heads` makes the function word the head:
it takes over the head and label of its content word, which becomes its complement, `comp:aux`. Words that stand beyond
the function word move to it too, as *she* does; otherwise their arcs would cross. A content word with several function
words gets a chain of them, from the inside out: determiner, case, copula, auxiliaries, mark.

`to_content_heads` is the inverse. A function word with dependents of its own that could not be told from those moved to
it stays as it is, and so does a sentence that conversion and back would change, so every tree survives the round trip.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "peers"))

from multiplane.formats import Corpus
from multiplane.formats.rewrite import with_trees

ORDER = ("det", "case", "cop", "aux", "auxpass", "mark")
"""The labels of function words, without subtypes, from the inside of a phrase to its outside."""
KEPT = ("fixed", "mwe", "flat", "name", "goeswith", "compound")
"""Labels of the parts of a word that consists of several; they never move."""
COMPLEMENT = "comp:"


class Tree(NamedTuple):
    """Heads and labels; place 0 stands for the root."""

    heads: list[int]
    labels: list[str]

    def dependents(self, word: int) -> list[int]:
        """The dependents of a word, from left to right."""
        return [other for other, head in enumerate(self.heads) if head == word]


class Converted(NamedTuple):
    """A converted treebank, and how much of it was converted."""

    corpus: Corpus
    function_words: int
    reversed: int
    """The function words that became heads."""
    unchanged: int
    """The sentences left as they were because the way back would not have led to them."""


def _base(label: str) -> str:
    return label.partition(":")[0]


def _moves(tree: Tree, word: int, content: int, function: int) -> bool:
    """Whether a dependent of one of the two words belongs to the phrase, and so to its head, whichever that is."""
    if _base(tree.labels[word]) in KEPT:
        return False
    is_beyond = word < function < content or content < function < word
    return is_beyond or _base(tree.labels[word]) in ORDER


def _exchange(tree: Tree, old: int, new: int, label: str) -> None:
    """Makes `new`, a dependent of `old`, the head of the phrase; `old` gets the label."""
    tree.heads[new], tree.labels[new] = tree.heads[old], tree.labels[old]
    tree.heads[old], tree.labels[old] = new, label


def _reverse(tree: Tree, function: int) -> bool:
    """Makes a function word the head of its content word, unless its own dependents would be lost among the others."""
    content = tree.heads[function]
    if any(_moves(tree, word, content, function) for word in tree.dependents(function)):
        return False
    moved = [word for word in tree.dependents(content) if word != function and _moves(tree, word, content, function)]
    _exchange(tree, content, function, COMPLEMENT + tree.labels[function])
    for word in moved:
        tree.heads[word] = function
    return True


def _restore(tree: Tree, content: int) -> None:
    """Makes a function word depend on its complement again."""
    function = tree.heads[content]
    moved = [word for word in tree.dependents(function) if word != content and _moves(tree, word, content, function)]
    _exchange(tree, function, content, tree.labels[content].removeprefix(COMPLEMENT))
    for word in moved:
        tree.heads[word] = content


def function_heads(tree: Tree) -> tuple[Tree, int]:
    """The tree with function heads, and the number of function words that became heads.

    >>> she_has_slept = Tree([-1, 3, 3, 0], ["", "nsubj", "aux", "root"])
    >>> function_heads(she_has_slept)
    (Tree(heads=[-1, 2, 0, 2], labels=['', 'nsubj', 'root', 'comp:aux']), 1)
    """
    new = Tree(list(tree.heads), list(tree.labels))
    words = [word for word in range(1, len(tree.heads)) if _is_function_word(tree, word)]
    # By the old tree: in the new one, a function word may already depend on another.
    words.sort(key=lambda word: (ORDER.index(_base(tree.labels[word])), abs(word - tree.heads[word]), word))
    done = sum(_reverse(new, word) for word in words)
    return new, done


def content_heads(tree: Tree) -> Tree:
    """The inverse of `function_heads`; a parser's output may have complements anywhere, so any tree will do.

    >>> content_heads(Tree([-1, 2, 0, 2], ["", "nsubj", "root", "comp:aux"]))
    Tree(heads=[-1, 3, 3, 0], labels=['', 'nsubj', 'aux', 'root'])
    """
    new = Tree(list(tree.heads), list(tree.labels))
    # The outermost function word first: until it is gone, the next one has a head that is not its own.
    for word in sorted(range(1, len(new.heads)), key=lambda word: _depth(tree, word)):
        if new.labels[word].startswith(COMPLEMENT) and new.heads[word] > 0:
            _restore(new, word)
    return new


def _is_function_word(tree: Tree, word: int) -> bool:
    return tree.heads[word] > 0 and _base(tree.labels[word]) in ORDER


def _depth(tree: Tree, word: int) -> int:
    depth = 0
    while word > 0:
        word, depth = tree.heads[word], depth + 1
    return depth


def _trees(corpus: Corpus) -> list[Tree]:
    heads, labels = corpus.heads.tolist(), corpus.column("deprel")
    ends = np.cumsum(corpus.lengths).tolist()
    return [
        Tree([-1, *heads[end - size : end]], ["", *labels[end - size : end]])
        for end, size in zip(ends, corpus.lengths.tolist(), strict=True)
    ]


def _with(corpus: Corpus, trees: list[Tree]) -> Corpus:
    heads = [head for tree in trees for head in tree.heads[1:]]
    return with_trees(corpus, heads, [label for tree in trees for label in tree.labels[1:]])


def to_function_heads(corpus: Corpus) -> Converted:
    """Converts a treebank with content heads; `to_content_heads` restores every tree."""
    trees, total, done, unchanged = [], 0, 0, 0
    for tree in _trees(corpus):
        new, count = function_heads(tree)
        total += sum(_is_function_word(tree, word) for word in range(1, len(tree.heads)))
        if content_heads(new) != tree:
            new, count, unchanged = tree, 0, unchanged + 1
        trees.append(new)
        done += count
    return Converted(_with(corpus, trees), total, done, unchanged)


def to_content_heads(corpus: Corpus) -> Corpus:
    """Converts a treebank back, or the output of a parser trained on a converted one."""
    return _with(corpus, [content_heads(tree) for tree in _trees(corpus)])


def main(treebank: Callable[[str, str], Corpus]) -> None:
    for name in sys.argv[1:]:
        for part in ("train", "dev"):
            found = to_function_heads(treebank(name, part))
            print(
                f"{name} {part}: {found.reversed:,} of {found.function_words:,} function words became heads; "
                f"{found.unchanged:,} of {len(found.corpus):,} sentences left unchanged"
            )


if __name__ == "__main__":
    from common import treebank

    main(treebank)
