"""Writes a model's predictions into a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import ModelError
from multiplane.formats import Corpus, Dialect, Sentence
from multiplane.formats.comments import with_comments
from multiplane.formats.empty_nodes import rewritten_enhanced_layer, with_enhanced_layer
from multiplane.formats.rewrite import (
    NewColumn,
    rewritten,
    rewritten_semantics,
    with_columns,
    with_semantics,
)
from multiplane.formats.scores import with_scores
from multiplane.models import Model, Trees
from multiplane.models.confidence import parse_best, parse_scored, with_evidence
from multiplane.models.protocol import Graphs
from multiplane.models.tags import check_predicted, check_tags
from multiplane.parser.fixed import Arcs, Constraints, forbidding, given_constraints
from multiplane.parser.inputs import require_positive_or_none
from multiplane.parser.wider import searched


@dataclass(frozen=True)
class How:
    """How to parse; raises `ValueError` for a beam or number of trees that is not a positive integer."""

    beam: int | None = None
    """The beam width; None for the model's own."""
    keep_heads: bool = False
    """Whether to keep heads and labels of the input."""
    keep_predicates: bool = False
    """Whether to keep the predicates of the input and predict only their senses and arguments."""
    predict: tuple[str, ...] | None = None
    """The columns of tags and lemmas to replace; None to fill in those that are `_`."""
    forbidden: Sequence[Arcs] | None = None
    """The forbidden arcs of each sentence."""
    scores: bool = False
    """Whether to add confidence scores."""
    best: int | None = None
    """The number of trees per sentence; None for the best one only, without rank."""

    def __post_init__(self) -> None:
        require_positive_or_none(beam=self.beam, best=self.best)


def parsed_corpus(model: Model, corpus: Corpus, how: How) -> Corpus:
    """Returns a corpus with predicted trees, and graphs if the model predicts graphs.

    >>> from multiplane import load, sample
    >>> len(parsed_corpus(load("en").model, sample(), How()))
    65
    """
    columns, graphs, comments = _predicted(model, corpus, how)
    parsed = with_columns(corpus, columns)
    if comments:
        parsed = with_comments(parsed, comments)
    if graphs is None:
        return parsed
    if graphs.predicates is None:
        return with_enhanced_layer(parsed, graphs.arcs)
    return with_semantics(parsed, graphs.predicates, graphs.arcs)


def parsed_text(model: Model, corpus: Corpus, how: How) -> bytes:
    """Like `parsed_corpus`, but returns the text."""
    if how.best is not None:
        return b"".join(map(_ended, chain.from_iterable(best_trees(model, corpus, how))))
    if how.scores:
        return parsed_corpus(model, corpus, how).to_bytes()
    columns, graphs, _ = _predicted(model, corpus, how)
    if graphs is None:
        return rewritten(corpus, columns)
    parsed = with_columns(corpus, columns)
    if graphs.predicates is None:
        return rewritten_enhanced_layer(parsed, graphs.arcs)
    return rewritten_semantics(parsed, graphs.predicates, graphs.arcs)


def check_format(model: Model, dialect: Dialect) -> None:
    """Raises `ModelError` if a format cannot represent a model's predictions."""
    if model.graph_layer is None:
        return
    enhanced = model.graph_layer == "enhanced"
    if not ("deps" in dialect.columns if enhanced else dialect.arguments):
        what, suffix = ("enhanced graphs", "conllu") if enhanced else ("predicates and arguments", "conll09")
        raise ModelError(
            f"this model predicts {what}, but {dialect.title} has no columns for them; "
            f"convert the file first: multiplane convert FILE -o FILE.{suffix}"
        )


def best_trees(model: Model, corpus: Corpus, how: How) -> list[list[Sentence]]:
    """Returns the best trees of each sentence as sentences of their own, the best first.

    Comments give the rank and the score; from the second rank on, the rank is part of the `sent_id`.

    >>> from multiplane import load, sample
    >>> [sentence.sent_id for sentence in best_trees(load("en").model, sample(), How(best=2))[0]]
    ['en-001', 'en-001~2']
    """
    assert how.best is not None
    check_tags(corpus, model)
    constraints = _constraints(model, corpus, how)
    best, fixed = how.best, None if constraints is None else constraints.fixed
    ranks = searched(
        model, corpus, how.beam, fixed, lambda part, beam, fixed: parse_best(model, part, best, beam, fixed)
    )
    found: list[list[Sentence]] = [[] for _ in range(len(corpus))]
    for rank, trees in enumerate(ranks, 1):
        parsed = with_columns(corpus, _columns(model, corpus, constraints, trees, how))
        comments = [_about(*each, rank) for each in zip(corpus, trees.tree_confidences.tolist(), strict=True)]
        for row, sentence, score in zip(found, with_comments(parsed, comments), trees.tree_confidences, strict=True):
            if rank == 1 or score > 0:
                row.append(sentence)
    return found


def _about(sentence: Sentence, score: float, rank: int) -> dict[str, str | None]:
    """Returns the comments of a tree: its rank and score; only the first tree keeps document and paragraph marks."""
    about: dict[str, str | None] = {"parse": str(rank), "score": _shown(score)}
    if rank == 1:
        return about
    if sentence.has_sent_id:
        about["sent_id"] = f"{sentence.sent_id}~{rank}"
    return about | dict.fromkeys(("newdoc", "newdoc id", "newpar", "newpar id"))


def _predicted(
    model: Model, corpus: Corpus, how: How
) -> tuple[list[NewColumn], Graphs | None, list[dict[str, str]] | None]:
    """Returns the new columns for heads, labels and tags, the graphs, and comments with scores.

    Raises `ModelError` for a sentence without tags if the model was trained with tags.
    """
    if how.scores:
        with_evidence(model)
    check_format(model, corpus.dialect)
    check_predicted(how.predict or (), model)
    check_tags(corpus, model)
    constraints = _constraints(model, corpus, how)
    trees = _parsed(model, corpus, how, constraints)
    comments = [{"score": _shown(score)} for score in trees.tree_confidences] if how.scores else None
    return _columns(model, corpus, constraints, trees, how), trees.graphs, comments


def _columns(model: Model, corpus: Corpus, constraints: Constraints | None, trees: Trees, how: How) -> list[NewColumn]:
    names = model.names if constraints is None else constraints.names
    if constraints is not None:
        trees = constraints.kept(trees)
    columns = [
        NewColumn(each.column, each.values, each.names, fill=how.predict is None)
        for each in trees.tags
        if how.predict is None or each.column in how.predict
    ]
    if not model.reads_trees:
        columns = [NewColumn("head", trees.heads), NewColumn("deprel", trees.labels, names), *columns]
    if how.scores:
        texts = with_scores(corpus.column("misc"), trees.confidences)
        columns.append(NewColumn("misc", np.arange(len(texts), dtype=np.int32), texts))
    return columns


def _constraints(model: Model, corpus: Corpus, how: How) -> Constraints | None:
    """Returns the constraints on trees; also checks that the format can represent scores."""
    if how.scores and "misc" not in corpus.dialect.columns:
        raise ModelError(
            f"scores are written to MISC, which {corpus.dialect.title} does not have; "
            "convert the file first: multiplane convert FILE -o FILE.conllu"
        )
    given = given_constraints(model, corpus) if how.keep_heads else None
    return given if how.forbidden is None else forbidding(model, corpus, how.forbidden, given)


def _parsed(model: Model, corpus: Corpus, how: How, constraints: Constraints | None) -> Trees:
    fixed = None if constraints is None else constraints.fixed
    if fixed is not None or how.scores or not how.keep_predicates:
        parse = partial(parse_scored, model) if how.scores else model.parse
        return searched(model, corpus, how.beam, fixed, lambda *given: [parse(*given)])[0]
    if model.graph_layer != "semantics":
        raise ModelError("this model predicts no predicates; drop --keep-predicates")
    return model.parse(corpus, how.beam, predicates=given_predicates(corpus))


def _shown(score: float) -> str:
    return f"{score:.4g}"


def _ended(sentence: Sentence) -> bytes:
    """Returns the text of a sentence with a blank line at its end."""
    text = sentence.to_bytes()
    return text if text.endswith((b"\n\n", b"\n\r\n")) else text.rstrip(b"\r\n") + b"\n\n"


def given_predicates(corpus: Corpus) -> NDArray[np.int8]:
    """Returns for every word whether it is a predicate."""
    given, predicates = np.zeros(corpus.words, np.int8), corpus.predicates
    starts = np.cumsum(corpus.lengths, dtype=np.int64) - corpus.lengths
    given[np.repeat(starts, np.diff(predicates.first)) + predicates.words - 1] = 1
    return given
