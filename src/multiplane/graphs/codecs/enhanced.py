"""Encodes enhanced graphs as basic trees with a template per word and a residual graph of arcs outside the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiplane.errors import GraphError
from multiplane.formats import LayerArcs
from multiplane.graphs.codecs.enhanced_cycles import GrowingGraph, Turn
from multiplane.graphs.codecs.enhanced_decoder import Decoder, EncodedGraphs, Knowledge, layer_of
from multiplane.graphs.codecs.enhanced_rules import ADDED, UPWARD, Example, Rule, key_of, learned, usual_suffix
from multiplane.graphs.codecs.enhanced_sources import BasicTrees, Tree
from multiplane.graphs.codecs.enhanced_templates import (
    ABSENT,
    KEPT,
    PATH,
    ROOT,
    USUAL,
    added_template,
    fits_label,
    kind_of,
    names_and_places,
    own_template,
    plain_template,
    relation_of,
    suffix_of,
)


@dataclass(frozen=True)
class EnhancedCodec:
    r"""Encodes enhanced graphs, and decodes a parser's predictions into valid graphs.

    >>> from multiplane.formats.reader import from_text
    >>> rows = ["1\tin\tin\t_\t_\t_\t2\tcase\t2:case\t_", "2\train\train\t_\t_\t_\t3\tobl\t3:obl:in\t_"]
    >>> rows += ["3\twait\twait\t_\t_\t_\t0\troot\t0:root\t_", "4\tand\tand\t_\t_\t_\t5\tcc\t5:cc\t_"]
    >>> rows += ["5\tsee\tsee\t_\t_\t_\t3\tconj\t3:conj:and\t_", ""]
    >>> corpus = from_text("\n".join(rows) + "\n")
    >>> trees = BasicTrees.of(corpus)
    >>> codec = EnhancedCodec.learned(trees, corpus.enhanced_arcs, least=1)
    >>> sorted((relation, *map(str, rule.sources)) for relation, rule in codec.known.rules.items())
    [('conj', 'self.cc'), ('obl', 'self.case')]
    >>> encoded = codec.encode(trees, corpus.enhanced_arcs)
    >>> encoded.names, len(encoded.residual.heads)
    (('=*',), 0)
    >>> codec.decode(trees, encoded).of(0)
    [(2, 1, 'case'), (3, 2, 'obl:in'), (0, 3, 'root'), (5, 4, 'cc'), (3, 5, 'conj:and')]
    """

    known: Knowledge
    """What was learned from the treebank."""

    @staticmethod
    def learned(trees: BasicTrees, arcs: LayerArcs, least: int = 3) -> EnhancedCodec:
        """Learns a codec from a treebank; patterns that fewer than `least` labels support are treated as exceptions.

        Raises `GraphError` if a basic relation cannot be written to DEPS.
        """
        relations = frozenset(trees.names)
        for name in trees.names:
            if PATH in name or not fits_label(name):
                raise GraphError(f"the relation {name!r} cannot be a label in DEPS: it contains '|', '>' or a space")
        sentences = list(_sentences(trees, arcs))
        examples: dict[str, list[Example]] = {}
        for tree, graph in sentences:
            for head, word, label in graph:
                if found := _example(tree, head, word, label, relations):
                    examples.setdefault(found[0], []).append(found[1])
        rules = {key: learned(examples[key], least) for key in sorted(examples)}
        known = Knowledge(
            {key: rule for key, rule in rules.items() if rule is not None}, frozenset(), frozenset(), relations
        )
        encoded = [(tree, *EnhancedCodec(known)._encoded(tree, graph)) for tree, graph in sentences]
        replacing = _replacing(((templates, residual) for _, templates, residual in encoded), least)
        turns: set[Turn] = set()
        for tree, _, residual in encoded:
            turns |= _turns(tree, residual, relations)
        return EnhancedCodec(known._replace(replacing=replacing, turns=frozenset(turns)))

    def encode(self, trees: BasicTrees, arcs: LayerArcs) -> EncodedGraphs:
        """Returns the templates and residual graphs of a treebank whose basic trees are given."""
        templates: list[str] = []
        residuals: list[tuple[int, int, str]] = []
        counts: list[int] = []
        lost = 0
        for tree, graph in _sentences(trees, arcs):
            words, residual = self._encoded(tree, graph)
            templates += words if graph else [""] * len(words)
            residuals += residual
            counts.append(len(residual))
            lost += sum(head == word for head, word, _ in graph)
        places = names_and_places([template for template in templates if template])
        numbers = np.array([places.get(template, -1) for template in templates], np.int32)
        return EncodedGraphs(numbers, tuple(places), layer_of(residuals, counts), lost)

    def decode(self, trees: BasicTrees, encoded: EncodedGraphs) -> LayerArcs:
        """Returns valid enhanced graphs for any prediction, sorted by dependent, then by head.

        Every word is reachable from the root, no word is its own head, and all cycles are of known kinds.
        """
        return Decoder(self.known, trees, encoded).decoded()

    def to_table(self) -> dict[str, Any]:
        """Returns the codec as plain values, for a model file."""
        return {
            "rules": {key: rule.to_table() for key, rule in self.known.rules.items()},
            "replacing": sorted(self.known.replacing),
            "turns": [list(turn) for turn in sorted(self.known.turns)],
            "relations": sorted(self.known.relations),
        }

    @staticmethod
    def from_table(table: Any) -> EnhancedCodec:
        """Restores a codec from `to_table`; raises `GraphError` for invalid values.

        >>> from multiplane.graphs.codecs.enhanced_sources import Source
        >>> rules = {"obl": Rule((Source("self", "case"),))}
        >>> turns = frozenset({Turn("nsubj", "acl:relcl")})
        >>> codec = EnhancedCodec(Knowledge(rules, frozenset({"ref"}), turns, frozenset({"nsubj", "obl"})))
        >>> EnhancedCodec.from_table(codec.to_table()) == codec
        True
        """
        if not isinstance(table, Mapping) or not isinstance(table.get("rules"), Mapping):
            raise GraphError("a codec of enhanced graphs needs rules")
        rules = {str(key): Rule.from_table(rule) for key, rule in table["rules"].items()}
        turns = table.get("turns")
        if not isinstance(turns, list) or not all(_is_texts(turn) and len(turn) == 2 for turn in turns):
            raise GraphError("the turns of cycles must be pairs of labels")
        for name in ("replacing", "relations"):
            if not _is_texts(table.get(name)):
                raise GraphError(f"'{name}' must be a list of labels")
        pairs = frozenset(Turn(*turn) for turn in turns)
        return EnhancedCodec(Knowledge(rules, frozenset(table["replacing"]), pairs, frozenset(table["relations"])))

    def _encoded(
        self, tree: Tree, graph: Iterable[tuple[int, int, str]]
    ) -> tuple[list[str], list[tuple[int, int, str]]]:
        """Returns the templates of a sentence, and its residual arcs."""
        own: list[list[str]] = [[] for _ in tree.heads]
        roots: list[list[str]] = [[] for _ in tree.heads]
        added: dict[tuple[int, int], list[str]] = {}
        for head, word, label in graph:
            if head == tree.heads[word]:
                own[word].append(self._own_template(tree, word, label))
            elif head == 0:
                roots[word].append(ROOT + label)
            elif head != word:
                added.setdefault((word, head), []).append(self._added_template(tree, head, word, label))
        residual = [(head, word, "|".join(added[word, head])) for word, head in sorted(added)]
        replaced = {word for _, word, template in residual if template in self.known.replacing}
        for word in range(1, len(own)):
            if not own[word]:
                own[word] = [USUAL if word in replaced else ABSENT]
            elif word in replaced:
                own[word].append(KEPT)
        return ["|".join(parts + more) for parts, more in zip(own[1:], roots[1:], strict=True)], residual

    def _own_template(self, tree: Tree, word: int, label: str) -> str:
        deprel = tree.deprels[word]
        suffix = suffix_of(label.rpartition(PATH)[2], deprel)
        if suffix is None:
            return plain_template(label)
        usual = usual_suffix(self.known.rules, tree, tree.heads[word], word, deprel) or ""
        return own_template(label, deprel, usual=usual == suffix)

    def _added_template(self, tree: Tree, head: int, word: int, label: str) -> str:
        rules = self.known.rules
        relation = relation_of(label, self.known.relations)
        if UPWARD + relation in rules or ADDED + relation in rules:
            usual = usual_suffix(rules, tree, head, word, relation) or ""
            if suffix_of(label.rpartition(PATH)[2], relation) == usual:
                return added_template(label, relation)
        return plain_template(label)


def _replacing(encoded: Iterable[tuple[Sequence[str], Sequence[tuple[int, int, str]]]], least: int) -> frozenset[str]:
    """Returns the templates of residual arcs to words that mostly have no basic arc."""
    counts: dict[str, Counter[bool]] = {}
    for templates, residual in encoded:
        for _, word, template in residual:
            counts.setdefault(template, Counter())[templates[word - 1].startswith(ABSENT)] += 1
    return frozenset(template for template, count in counts.items() if count[True] >= max(least, count[False] + 1))


def _turns(tree: Tree, residual: Iterable[tuple[int, int, str]], relations: frozenset[str]) -> set[Turn]:
    """Returns the turns of all cycles in a sentence."""
    turns = set()
    graph = None
    for head, word, template in residual:
        graph = graph or GrowingGraph(tree)
        kind = kind_of(template, relations)
        turns |= graph.turns(head, word, kind)
        graph.add(head, word, kind)
    return turns


def _sentences(trees: BasicTrees, arcs: LayerArcs) -> Iterator[tuple[Tree, list[tuple[int, int, str]]]]:
    """Yields the tree of every sentence, with the words in its basic arcs' labels, and its enhanced arcs.

    A sentence in which a word has no basic head counts as one without a graph.
    """
    if len(arcs.first) != len(trees.lengths) + 1:
        raise GraphError(f"graphs of {len(arcs.first) - 1:,} sentences for {len(trees.lengths):,} trees")
    end = 0
    for sentence, length in enumerate(trees.lengths.tolist()):
        start, end = end, end + length
        if (trees.heads[start:end] < 0).any():
            yield Tree([0] * length, [""] * length, [""] * length), []
            continue
        tree, graph = trees.sentence(start, end), arcs.of(sentence)
        absent = set(range(1, length + 1))
        for head, word, label in graph:
            if head == tree.heads[word]:
                tree.note_label(word, label)
                absent.discard(word)
        for head, word, _ in graph:
            if word in absent:
                tree.stands_for.setdefault(word, []).append(head)
        yield tree, graph


def _example(tree: Tree, head: int, word: int, label: str, relations: frozenset[str]) -> tuple[str, Example] | None:
    """Returns the key of the rule that an arc's label is an example for, and the example."""
    relation = tree.deprels[word] if head == tree.heads[word] else relation_of(label, relations)
    suffix = suffix_of(label.rpartition(PATH)[2], relation)
    if suffix is None or head == word:
        return None
    return key_of(tree, head, word, relation), Example(tree, head, word, relation, suffix)


def _is_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
