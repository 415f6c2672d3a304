"""Pseudo-projective trees (Nivre and Nilsson 2005): lifts arcs until a tree is projective, and undoes it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import Literal, NamedTuple, get_args

from multiplane.errors import GraphError

Encoding = Literal["baseline", "head", "path", "head+path"]
"""What the labels of a lifted tree encode: nothing, the label of the syntactic head, the path to it, or both."""

ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)

LIFTED = "↑"
"""Follows the label of a lifted word; with HEAD, the label of its syntactic head follows."""
ON_PATH = "↓"
"""Ends the label of a word on the path of a lifted word."""

_SPECIAL = re.compile(rf"[\\{LIFTED}{ON_PATH}]")
_TOKEN = re.compile(rf"\\[\\{LIFTED}{ON_PATH}]|.", re.DOTALL)


def projectivize(
    heads: Sequence[int], labels: Sequence[str], encoding: Encoding = "head"
) -> tuple[list[int], list[str]]:
    """Lifts arcs until the tree is projective; returns its heads and labels. Several roots (0) are allowed.

    While there are non-projective arcs, lifts the shortest one (the leftmost on ties) by one step: the head of its head
    becomes its head. Marks in the labels tell how to undo this: `nsubj↑xcomp` is a subject that belongs to an xcomp,
    `xcomp↓` a word on the path of a lifted word. Marks that occur in the given labels are escaped with a backslash.

    >>> projectivize([3, 0, 2, 1], ["obj", "root", "xcomp", "det"])
    ([2, 0, 2, 2], ['obj↑xcomp', 'root', 'xcomp', 'det↑obj'])
    >>> projectivize([3, 0, 2, 1], ["obj", "root", "xcomp", "det"], "path")
    ([2, 0, 2, 2], ['obj↑↓', 'root', 'xcomp↓', 'det↑'])
    """
    tree = _Tree(heads, labels, encoding)
    lifted = list(tree.heads)
    on_path: set[int] = set()
    if not tree.is_projective():
        lifting = _Lifting(tree)
        lifting.run()
        lifted, on_path = lifting.heads, lifting.on_path
    if encoding == "baseline":
        return lifted[1:], list(labels)
    return lifted[1:], [
        encoded(
            labels[word - 1],
            labels[head - 1] if lifted[word] != head else None,
            word in on_path,
            encoding,
        )
        for word, head in enumerate(heads, 1)
    ]


def deprojectivize(heads: Sequence[int], labels: Sequence[str], encoding: Encoding) -> tuple[list[int], list[str]]:
    """Undoes `projectivize`: returns the heads and labels of the original tree, without marks.

    Top-down and left to right, each lifted word moves to the first match of a breadth-first search below its head,
    excluding its own dependents:

    - head: a word with the encoded label;
    - path: a word at the end of a path of marked words;
    - head+path: a word with the encoded label on a path of marked words, or else as with head.

    Without a match, the word stays. So the result is a tree, whatever the marks.

    >>> deprojectivize([2, 0, 2, 2], ["obj↑xcomp", "root", "xcomp", "det↑obj"], "head")
    ([3, 0, 2, 1], ['obj', 'root', 'xcomp', 'det'])
    >>> deprojectivize([2, 0, 2], ["obj↑xcomp", "root", "advcl"], "head")
    ([2, 0, 2], ['obj', 'root', 'advcl'])
    """
    tree = _Tree(heads, labels, encoding)
    if encoding == "baseline":
        return list(heads), list(labels)
    marks = [decoded(""), *map(decoded, labels)]
    if any(mark.lifted_from is not None for mark in marks):
        _Lowering(tree, marks, encoding).run()
    return tree.heads[1:], [mark.label for mark in marks[1:]]


class Mark(NamedTuple):
    """A decoded label."""

    label: str
    lifted_from: str | None
    """The label of the syntactic head (empty with PATH), for a lifted word, else None."""
    on_path: bool


def encoded(label: str, lifted_from: str | None, on_path: bool, encoding: Encoding) -> str:
    r"""Encodes a label and what is to be known for undoing a lift.

    >>> encoded("obj", "xcomp", True, "head+path"), encoded("a↑b", None, False, "head")
    ('obj↑xcomp↓', 'a\\↑b')
    """
    text = _escaped(label)
    if lifted_from is not None:
        text += LIFTED + (_escaped(lifted_from) if encoding != "path" else "")
    return text + ON_PATH if on_path and encoding != "head" else text


def _escaped(label: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", label)


@lru_cache(maxsize=4096)
def decoded(label: str) -> Mark:
    """Decodes a label of a lifted tree.

    >>> decoded("obj↑xcomp↓")
    Mark(label='obj', lifted_from='xcomp', on_path=True)
    """
    if not _SPECIAL.search(label):
        return Mark(label, None, False)
    tokens = _TOKEN.findall(label)
    on_path = tokens[-1] == ON_PATH
    if on_path:
        tokens.pop()
    end = tokens.index(LIFTED) if LIFTED in tokens else len(tokens)
    label, lifted_from = ("".join(token[-1] for token in part) for part in (tokens[:end], tokens[end + 1 :]))
    return Mark(label, lifted_from if end < len(tokens) else None, on_path)


class _Tree:
    """A tree below the artificial root 0, with the dependents of each word in order."""

    def __init__(self, heads: Sequence[int], labels: Sequence[str], encoding: Encoding) -> None:
        if encoding not in ENCODINGS:
            raise GraphError(f"unknown encoding {encoding!r}; known encodings: {', '.join(ENCODINGS)}")
        self.n = len(heads)
        if len(labels) != self.n:
            raise GraphError(f"{self.n} heads but {len(labels)} labels; give one of each for every word")
        self.heads = [-1, *map(int, heads)]
        self.dependents: list[list[int]] = [[] for _ in self.heads]
        for word in range(1, self.n + 1):
            head = self.heads[word]
            if not 0 <= head <= self.n:
                raise GraphError(f"head {head} of word {word} is outside 0..{self.n}; give 0 for a root")
            self.dependents[head].append(word)
        self.order = list(self._top_down())
        if len(self.order) <= self.n:
            word = min(set(range(self.n + 1)) - set(self.order))
            raise GraphError(f"word {word} is in a cycle, or below one; only trees can be lifted")

    def _top_down(self) -> Iterator[int]:
        """Yields the words in preorder, without those in cycles."""
        todo = [0]
        while todo:
            word = todo.pop()
            yield word
            todo += self.dependents[word]

    def is_projective(self) -> bool:
        """Whether every projection is an interval; sets `first`, `last` and `size` of all projections."""
        self.first, self.last, self.size = list(range(self.n + 1)), list(range(self.n + 1)), [1] * (self.n + 1)
        first, last, size = self.first, self.last, self.size
        for word in reversed(self.order[1:]):
            head = self.heads[word]
            size[head] += size[word]
            first[head] = min(first[head], first[word])
            last[head] = max(last[head], last[word])
        return all(last[word] - first[word] + 1 == size[word] for word in self.order)


class _Lifting:
    """Lifts arcs one step at a time.

    When a word k is lifted from its head j, only j ceases to dominate any words. So it suffices to store, for each
    word, how far to either side it dominates everything, which decides whether an arc from it is projective. Only arcs
    from j can become non-projective, and only the lifted arc can become projective.
    """

    def __init__(self, tree: _Tree) -> None:
        self.heads = list(tree.heads)
        self.dependents = tree.dependents
        self.on_path: set[int] = set()
        self._projections: dict[int, int] = {}
        self._set_limits(tree)
        self._waiting = [
            (abs(head - word), min(head, word), word)
            for word, head in enumerate(self.heads)
            if word and not self._is_projective(head, word)
        ]
        heapify(self._waiting)

    def _set_limits(self, tree: _Tree) -> None:
        """Finds the nearest words to the left and right of each word that it does not dominate."""
        self._left = [first - 1 for first in tree.first]
        self._right = [last + 1 for last in tree.last]
        entered = [0] * (tree.n + 1)
        for time, word in enumerate(tree.order):
            entered[word] = time
        for word in reversed(tree.order):
            if tree.last[word] - tree.first[word] + 1 == tree.size[word]:
                continue
            dominated = range(entered[word], entered[word] + tree.size[word])
            # Words between a dominated word and its own limit are dominated too.
            at = word + 1
            while at <= tree.n and entered[at] in dominated:
                at = self._right[at]
            self._right[word] = at
            at = word - 1
            while at > 0 and entered[at] in dominated:
                at = self._left[at]
            self._left[word] = at

    def _is_projective(self, head: int, word: int) -> bool:
        return self._left[head] < word < self._right[head]

    def run(self) -> None:
        """Lifts until the tree is projective."""
        while self._waiting:
            self._lift(heappop(self._waiting)[2])

    def _lift(self, word: int) -> None:
        old = self.heads[word]
        new = self.heads[old]
        self.heads[word] = new
        self.on_path.add(old)
        del self.dependents[old][bisect_left(self.dependents[old], word)]
        insort(self.dependents[new], word)
        self._narrow(old, self._projection(word))
        if not self._is_projective(new, word):
            self._wait(new, word)

    def _wait(self, head: int, word: int) -> None:
        heappush(self._waiting, (abs(head - word), min(head, word), word))

    def _narrow(self, head: int, lost: int) -> None:
        """Removes words from a projection; arcs across them cease to be projective."""
        if head in self._projections:
            self._projections[head] &= ~lost
        dependents = self.dependents[head]
        if after := lost >> head:
            nearest = head + (after & -after).bit_length() - 1
            if nearest < self._right[head]:
                begin, end = bisect_right(dependents, nearest), bisect_left(dependents, self._right[head])
                self._right[head] = nearest
                for word in dependents[begin:end]:
                    self._wait(head, word)
        if before := lost ^ (after << head):
            nearest = before.bit_length() - 1
            if nearest > self._left[head]:
                begin, end = bisect_right(dependents, self._left[head]), bisect_left(dependents, nearest)
                self._left[head] = nearest
                for word in dependents[begin:end]:
                    self._wait(head, word)

    def _projection(self, word: int) -> int:
        """Returns the words that a word dominates, including itself, as a bit set."""
        known = self._projections
        if word in known:
            return known[word]
        todo = [word]
        while todo:
            at = todo[-1]
            if missing := [dependent for dependent in self.dependents[at] if dependent not in known]:
                todo += missing
            else:
                bits = 1 << at
                for dependent in self.dependents[at]:
                    bits |= known[dependent]
                known[at] = bits
                todo.pop()
        return known[word]


class _Lowering:
    """Moves lifted words back down, top-down, so that the words above are already in place for each search."""

    def __init__(self, tree: _Tree, marks: Sequence[Mark], encoding: Encoding) -> None:
        self.heads = tree.heads
        self.dependents = tree.dependents
        self._encoding = encoding
        self._labels = [mark.label for mark in marks]
        self._known = set(self._labels[1:])
        self._on_path = [mark.on_path for mark in marks]
        self._waiting = {word: mark.lifted_from for word, mark in enumerate(marks) if mark.lifted_from is not None}

    def run(self) -> None:
        """Moves every lifted word once."""
        reached = [0]
        for head in reached:
            for word in tuple(self.dependents[head]):
                if word in self._waiting:
                    self._lower(word, self._waiting.pop(word))
            if not self._waiting:
                return
            reached += self.dependents[head]

    def _lower(self, word: int, lifted_from: str) -> None:
        found = self._syntactic_head(word, lifted_from)
        if found is not None:
            dependents = self.dependents[self.heads[word]]
            del dependents[bisect_left(dependents, word)]
            insort(self.dependents[found], word)
            self.heads[word] = found

    def _syntactic_head(self, word: int, label: str) -> int | None:
        if self._encoding == "path":
            return next(filter(self._ends_path, self._path_below(word)), None)
        if label not in self._known:
            return None
        if self._encoding == "head+path":
            for at in self._path_below(word):
                if self._labels[at] == label:
                    return at
        return next((at for at in self._below(word) if self._labels[at] == label), None)

    def _ends_path(self, word: int) -> bool:
        return not any(self._on_path[dependent] for dependent in self.dependents[word])

    def _path_below(self, word: int) -> Iterator[int]:
        """Yields, breadth-first, the words on paths of marked words below a word's head, without the word itself."""
        reached = [self.heads[word]]
        for head in reached:
            for at in self.dependents[head]:
                if self._on_path[at] and at != word:
                    yield at
                    reached.append(at)

    def _below(self, word: int) -> Iterator[int]:
        """Yields, breadth-first, the words below a word's head, without the word's own subtree."""
        reached = [self.heads[word]]
        for head in reached:
            for at in self.dependents[head]:
                if at != word:
                    yield at
                    reached.append(at)
