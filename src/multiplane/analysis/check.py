"""Checks a treebank before training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from multiplane.analysis.coverage import Coverage, coverage
from multiplane.errors import FormatError
from multiplane.formats import UNKNOWN_HEAD, Corpus
from multiplane.formats.fields import EMPTY
from multiplane.formats.surface import matches_text
from multiplane.formats.treebank import is_annotated, roots_of


@dataclass
class Finding:
    """One kind of problem, how often it occurs, and the first examples."""

    what: str
    advice: str
    count: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, example: str, most: int = 5) -> None:
        """Counts an occurrence and keeps the first few as examples."""
        self.count += 1
        if len(self.examples) < most:
            self.examples.append(example)


@dataclass
class LayerCounts:
    """The sizes of the layers other than the tree."""

    predicates: int = 0
    arguments: int = 0
    enhanced: int = 0
    """Enhanced dependencies, before empty nodes are collapsed."""
    empty_nodes: int = 0

    def add(self, corpus: Corpus) -> list[FormatError]:
        """Counts the layers of a corpus; returns their errors."""
        mistakes: list[FormatError] = []
        if corpus.dialect.arguments is not None:
            semantics = corpus.semantic_layer
            mistakes += semantics.problems.errors
            self.predicates += len(semantics.predicates.words)
            self.arguments += int((semantics.arcs.heads > 0).sum())
        if "deps" in corpus.dialect.columns:
            enhanced = corpus.enhanced_layer
            mistakes += enhanced.problems.errors
            self.enhanced += len(enhanced.arcs.heads)
            self.empty_nodes += int((enhanced.node_minors > 0).sum())
        return mistakes


@dataclass
class Report:
    """The findings in one file."""

    file: str
    errors: list[FormatError]
    warnings: list[Finding]
    labels: Counter[str]
    coverage: Coverage
    """Over the sentences whose words all have heads."""
    sentences: int = 0
    words: int = 0
    layers: LayerCounts = field(default_factory=LayerCounts)
    """The sizes of other layers."""


def check(blocks: Iterable[Corpus], file: str) -> Report:
    r"""Finds errors and obstacles to training in corpora read with ``on_error="skip"``.

    >>> from multiplane.formats.reader import from_text
    >>> two_roots = "1\tA\t_\t_\t_\t_\t0\troot\t_\t_\n2\tB\t_\t_\t_\t_\t0\troot\t_\t_\n"
    >>> report = check([from_text(two_roots)], "a.conllu")
    >>> report.errors, [(w.what, w.count) for w in report.warnings]
    ([], [('sentences with several roots', 1)])
    """
    errors: list[FormatError] = []
    labels: Counter[str] = Counter()
    first_with: dict[str, str] = {}
    ids: set[str] = set()
    total = Coverage()
    layers = LayerCounts()
    sentences = words = 0
    no_heads = Finding("sentences with words without a head", "parse or remove them")
    several_roots = Finding("sentences with several roots", "single-root parsers cannot learn these trees")
    misfits = Finding(
        "sentences with a label that does not match its head", "in UD the label is 'root' if and only if the head is 0"
    )
    empty_fields = Finding("sentences with empty fields", "write _ for a missing value")
    duplicates = Finding("duplicate sent_ids", "give every sentence a unique one")
    other_texts = Finding(
        "sentences whose words do not match their text",
        "correct the comment 'text', the forms, or SpaceAfter=No in MISC",
    )
    own_heads = Finding(
        "words that are their own enhanced head", "UD allows none; collapsed empty nodes can cause them"
    )
    rare = Finding("labels that occur once", "possibly typos; a parser cannot learn a label from one example")

    for corpus in blocks:
        errors += sorted([*corpus.problems, *layers.add(corpus)], key=lambda error: error.line)
        sentences, words = sentences + len(corpus), words + corpus.words
        total += coverage([corpus], on_error="skip")
        heads = corpus.heads
        deprels = corpus.column("deprel") if "deprel" in corpus.dialect.columns else [EMPTY] * corpus.words
        sentence_of = corpus.sentence_of
        for number in _own_heads(corpus):
            own_heads.add(corpus[number].where)
        for number in np.flatnonzero(roots_of(corpus) > 1).tolist():
            several_roots.add(corpus[number].where)
        for number in np.flatnonzero(~is_annotated(corpus)).tolist() if "head" in corpus.dialect.columns else ():
            no_heads.add(corpus[number].where)
        misfit = set()
        for number, head, label in zip(sentence_of.tolist(), heads.tolist(), deprels, strict=True):
            if head == UNKNOWN_HEAD:
                continue
            labels[label] += 1
            if label not in first_with:
                first_with[label] = corpus[number].sent_id
            if corpus.dialect.name == "conllu" and (head == 0) != (label.partition(":")[0] == "root"):
                misfit.add(number)
        for number in sorted(misfit):
            misfits.add(corpus[number].where)
        for sentence in corpus:
            if any("" in row for row in sentence.rows):
                empty_fields.add(sentence.where)
            if not matches_text(sentence):
                other_texts.add(sentence.where)
            if sentence.sent_id in ids:
                duplicates.add(sentence.where)
            ids.add(sentence.sent_id)

    for label, count in sorted(labels.items()):
        if count == 1:
            rare.add(f"{label} ({first_with[label]})", most=20)
    findings = [no_heads, several_roots, misfits, empty_fields, other_texts, duplicates, own_heads, rare]
    warnings = [finding for finding in findings if finding.count]
    return Report(file, errors, warnings, labels, total, sentences, words, layers)


def _own_heads(corpus: Corpus) -> list[int]:
    """Returns the index of the sentence of each enhanced arc from a node to itself."""
    if "deps" not in corpus.dialect.columns:
        return []
    arcs = corpus.enhanced_layer.arcs
    sentences = np.repeat(np.arange(len(corpus)), np.diff(arcs.first))
    return [int(number) for number in sentences[arcs.heads == arcs.dependents]]
