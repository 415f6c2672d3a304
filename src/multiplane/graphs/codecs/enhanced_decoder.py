"""Decodes templates and residual arcs into valid enhanced graphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import GraphError
from multiplane.formats import LayerArcs
from multiplane.graphs.codecs.enhanced_cycles import GrowingGraph, Turn, to_restore
from multiplane.graphs.codecs.enhanced_rules import Rules, usual_suffix
from multiplane.graphs.codecs.enhanced_sources import BasicTrees, Tree
from multiplane.graphs.codecs.enhanced_templates import (
    KEPT,
    ROOT,
    USUAL,
    Part,
    Template,
    joined,
    kind_of,
    names_and_places,
    root_fits,
)

_LOOK = -1
"""The label of a word that depends on more than its template and its relation, or that is missing."""


class EncodedGraphs(NamedTuple):
    """Enhanced graphs in the form that a parser learns and predicts, in addition to basic trees."""

    templates: NDArray[np.int32]
    """For each word, the index of its template in `names`; -1 if the sentence has no enhanced graph."""
    names: tuple[str, ...]
    """The templates, most frequent first."""
    residual: LayerArcs
    """The arcs between words that are not in the tree, at most one for each head and dependent; labels are templates.

    They are sorted by dependent, then by head; none starts at the root.
    """
    lost: int = 0
    """The number of arcs that could not be encoded: arcs from a word to itself through empty nodes."""


class Knowledge(NamedTuple):
    """What a codec learned from a treebank."""

    rules: Rules
    """The rule of each relation; keys of rules for arcs beside the tree start with `+`, or `^` if these go upwards."""
    replacing: frozenset[str]
    """The templates of residual arcs that replace the basic arc, such as `ref`."""
    turns: frozenset[Turn]
    """What cycles look like, in relations without words."""
    relations: frozenset[str]
    """The relations of basic arcs."""


class Decoder:
    """Decodes the graphs of all sentences; words whose templates do not depend on the tree are decoded in bulk."""

    def __init__(self, known: Knowledge, trees: BasicTrees, encoded: EncodedGraphs) -> None:
        _check(trees, encoded)
        self._known = known
        self._trees = trees
        self._residual = encoded.residual
        self._ends = np.cumsum(trees.lengths)
        self._templates = [*map(Template.read, encoded.names), Template.read(USUAL)]
        self._added = [_Added.read(name, known) for name in encoded.residual.names]
        self._places: dict[str, int] = {}
        # A word without a template, -1, has the last one.
        self._numbers = np.where(encoded.templates < 0, len(encoded.names), encoded.templates)
        self._labels = self._constant_labels()

    def decoded(self) -> LayerArcs:
        """Returns the graphs."""
        trees, ends = self._trees, self._ends
        rows = np.array(list(self._looked_up()), np.int64).reshape(-1, 4)
        at = np.flatnonzero(self._labels != _LOOK)
        sentence_of = np.repeat(np.arange(len(ends)), trees.lengths)
        positions = np.arange(len(trees.heads)) - np.repeat(ends - trees.lengths, trees.lengths) + 1
        sentences = np.concatenate([sentence_of[at], rows[:, 0]])
        heads = np.concatenate([trees.heads[at], rows[:, 1]])
        words = np.concatenate([positions[at], rows[:, 2]])
        labels = np.concatenate([self._labels[at], rows[:, 3]])
        order = np.lexsort((heads, words, sentences))
        first = np.concatenate([[0], np.cumsum(np.bincount(sentences, minlength=len(ends)))])
        heads, words, labels = (values[order].astype(np.int32) for values in (heads, words, labels))
        return LayerArcs(first, heads, words, labels, tuple(self._places))

    def _constant_labels(self) -> NDArray[np.int64]:
        """Returns the labels of the words whose template and relation say all, and `_LOOK` for the others."""
        names = self._trees.names
        codes, place = np.unique(self._numbers * np.int64(max(len(names), 1)) + self._trees.labels, return_inverse=True)
        labels = np.full(len(codes), _LOOK, np.int64)
        for number, code in enumerate(codes.tolist()):
            template, deprel = self._templates[code // len(names)], names[code % len(names)]
            part = template[0]
            needs_rule = part.usual and deprel in self._known.rules
            if len(template) == 1 and part.is_own and not part.path and not needs_rule:
                labels[number] = self._place(deprel + part.label)
        return labels[place]

    def _place(self, label: str) -> int:
        return self._places.setdefault(label, len(self._places))

    def _looked_up(self) -> Iterator[tuple[int, int, int, int]]:
        """Yields the sentence, head, dependent and label of all arcs that have no constant label."""
        look = np.flatnonzero(self._labels == _LOOK)
        bounds = np.searchsorted(look, np.concatenate([[0], self._ends])).tolist()
        first = self._residual.first.tolist()
        end = 0
        for sentence, length in enumerate(self._trees.lengths.tolist()):
            start, end = end, end + length
            words = (look[bounds[sentence] : bounds[sentence + 1]] - start + 1).tolist()
            if words or first[sentence] < first[sentence + 1]:
                for head, word, label in self._sentence(slice(start, end), words, self._given(sentence)):
                    yield sentence, head, word, self._place(label)

    def _given(self, sentence: int) -> dict[tuple[int, int], int]:
        """Returns the number of the template of every residual arc of a sentence, by dependent and head."""
        here = slice(*self._residual.first[sentence : sentence + 2].tolist())
        given: dict[tuple[int, int], int] = {}
        for head, word, label in zip(*(values[here].tolist() for values in self._residual[1:4]), strict=True):
            given.setdefault((word, head), label)
        return given

    def _sentence(
        self, words: slice, look: list[int], given: Mapping[tuple[int, int], int]
    ) -> Iterator[tuple[int, int, str]]:
        """Yields the arcs of a sentence to the words with no constant label, and those beside the tree."""
        tree = self._trees.sentence(words.start, words.stop)
        templates = {word: self._templates[self._numbers[words.start + word - 1]] for word in look}
        added = self._admitted(tree, given)
        absent = _absent(templates, added)
        for word in absent - templates.keys():
            self._labels[words.start + word - 1] = _LOOK
        own = {word: self._own_labels(tree, word, templates[word]) for word in look if word not in absent}
        arcs = [(0, word, label) for word in look for label in _root_labels(tree, word, templates[word])]
        if added:
            self._note_labels(tree, own, self._labels[words].tolist())
            for head, word, _ in added:
                if word in absent:
                    tree.stands_for.setdefault(word, []).append(head)
            arcs += [(*arc[:2], label) for arc in added for label in self._added_labels(tree, *arc)]
        if absent:
            kept = [(tree.heads[word], word) for word in range(1, len(tree.heads)) if word not in absent]
            for word in to_restore(tree, kept + [arc[:2] for arc in arcs]):
                own[word] = [self._usual(tree, tree.heads[word], word, tree.deprels[word])]
        yield from dict.fromkeys(arcs)
        yield from ((tree.heads[word], word, label) for word, labels in own.items() for label in labels)

    def _own_labels(self, tree: Tree, word: int, template: Template) -> list[str]:
        """Returns the labels of a basic arc."""
        head, deprel = tree.heads[word], tree.deprels[word]
        labels = []
        for part in template:
            if not part.start:
                label = self._label(tree, head, word, part)
                is_wrong = (part.path or not part.is_own) and not root_fits(head, label)
                labels.append(self._usual(tree, head, word, deprel) if is_wrong else label)
        return list(dict.fromkeys(labels))

    def _label(self, tree: Tree, head: int, word: int, part: Part) -> str:
        relation = tree.deprels[word] + part.label if part.is_own else part.label
        return part.path + (self._usual(tree, head, word, relation) if part.usual else relation)

    def _usual(self, tree: Tree, head: int, word: int, relation: str) -> str:
        return joined(relation, usual_suffix(self._known.rules, tree, head, word, relation) or "")

    def _note_labels(self, tree: Tree, own: Mapping[int, list[str]], constant: Sequence[int]) -> None:
        names = list(self._places)
        for word, place in enumerate(constant, 1):
            for label in own.get(word, ()) if place == _LOOK else (names[place],):
                tree.note_label(word, label)

    def _admitted(self, tree: Tree, given: Mapping[tuple[int, int], int]) -> list[tuple[int, int, _Added]]:
        """Returns the residual arcs of a sentence without those that close cycles unlike any seen."""
        admitted = []
        graph = GrowingGraph(tree) if given else None
        for (word, head), number in sorted(given.items()):
            template = self._added[number]
            if graph is None or head in (word, tree.heads[word]) or not template.fits(head):
                continue
            if graph.turns(head, word, template.kind) <= self._known.turns:
                graph.add(head, word, template.kind)
                admitted.append((head, word, template))
        return admitted

    def _added_labels(self, tree: Tree, head: int, word: int, template: _Added) -> list[str]:
        return list(dict.fromkeys(self._label(tree, head, word, part) for part in template.parts))


class _Added(NamedTuple):
    """The template of a residual arc."""

    parts: tuple[Part, ...]
    kind: str
    replaces: bool

    @staticmethod
    def read(text: str, known: Knowledge) -> _Added:
        parts = tuple(part for part in Template.read(text) if not part.start and not part.is_own)
        return _Added(parts, kind_of(text, known.relations), text in known.replacing)

    def fits(self, head: int) -> bool:
        return bool(self.parts) and all(root_fits(head, part.path + part.label) for part in self.parts)


def _absent(templates: Mapping[int, Template], added: Sequence[tuple[int, int, _Added]]) -> set[int]:
    """Returns the words without their basic arcs."""
    replaced = {word for _, word, template in added if template.replaces}
    for word, template in templates.items():
        starts = {part.start for part in template}
        if KEPT in starts:
            replaced.discard(word)
        if "" not in starts:
            replaced.add(word)
    return replaced


def _root_labels(tree: Tree, word: int, template: Template) -> list[str]:
    """Returns the labels of arcs from the root beside the basic arc."""
    if not tree.heads[word]:
        return []
    return list(dict.fromkeys(part.label for part in template if part.start == ROOT and root_fits(0, part.label)))


def layer_of(arcs: Sequence[tuple[int, int, str]], counts: Sequence[int]) -> LayerArcs:
    """Returns the arcs of all sentences as arrays, given how many each sentence has; frequent labels come first.

    >>> layer_of([(1, 2, "ref"), (3, 2, "nsubj"), (3, 1, "nsubj")], [1, 2]).names
    ('nsubj', 'ref')
    """
    places = names_and_places([label for _, _, label in arcs])
    heads, words, labels = (
        np.array(values, np.int32)
        for values in (
            [head for head, _, _ in arcs],
            [word for _, word, _ in arcs],
            [places[label] for _, _, label in arcs],
        )
    )
    return LayerArcs(np.cumsum([0, *counts], dtype=np.int64), heads, words, labels, tuple(places))


def _check(trees: BasicTrees, encoded: EncodedGraphs) -> None:
    """Raises `GraphError` unless templates and arcs fit the trees."""
    residual, words = encoded.residual, len(trees.heads)
    sizes = {len(trees.labels), len(trees.words), len(encoded.templates), int(trees.lengths.sum())}
    if sizes != {words}:
        raise GraphError("trees and templates have different numbers of words")
    if len(residual.first) != len(trees.lengths) + 1 or residual.first[-1] != len(residual.heads):
        raise GraphError("trees and residual graphs have different numbers of sentences")
    if words and not encoded.templates.max() < len(encoded.names):
        raise GraphError("a word has the number of a template that does not exist")
    longest = np.repeat(trees.lengths, np.diff(residual.first))
    for ends, least in ((residual.heads, 0), (residual.dependents, 1)):
        if np.any((ends < least) | (ends > longest)):
            raise GraphError("a residual arc is outside its sentence")
