"""Writes a model's predictions into a corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import ModelError
from multiplane.formats import Corpus, Dialect
from multiplane.formats.empty_nodes import rewritten_enhanced_layer, with_enhanced_layer
from multiplane.formats.rewrite import (
    NewColumn,
    rewritten,
    rewritten_semantics,
    with_columns,
    with_semantics,
)
from multiplane.models import Model, Trees
from multiplane.models.protocol import Graphs
from multiplane.models.tags import check_predicted, check_tags
from multiplane.parser.fixed import parse_fixed


@dataclass(frozen=True)
class How:
    """How to parse."""

    beam: int | None = None
    """The beam width; None for the model's own."""
    keep_heads: bool = False
    """Whether heads and labels of the input are kept."""
    keep_predicates: bool = False
    """Whether the predicates of the input are kept, and only their senses and arguments predicted."""
    predict: tuple[str, ...] | None = None
    """The columns of tags and lemmas to replace; None to fill in those that are `_`."""


def parsed_corpus(model: Model, corpus: Corpus, how: How) -> Corpus:
    """Returns a corpus with predicted trees, and graphs if the model predicts graphs.

    >>> from multiplane import load, sample
    >>> len(parsed_corpus(load("en").model, sample(), How()))
    65
    """
    columns, graphs = _predicted(model, corpus, how)
    parsed = with_columns(corpus, columns)
    if graphs is None:
        return parsed
    if graphs.predicates is None:
        return with_enhanced_layer(parsed, graphs.arcs)
    return with_semantics(parsed, graphs.predicates, graphs.arcs)


def parsed_text(model: Model, corpus: Corpus, how: How) -> bytes:
    """Like `parsed_corpus`, but returns the text."""
    columns, graphs = _predicted(model, corpus, how)
    if graphs is None:
        return rewritten(corpus, columns)
    parsed = with_columns(corpus, columns)
    if graphs.predicates is None:
        return rewritten_enhanced_layer(parsed, graphs.arcs)
    return rewritten_semantics(parsed, graphs.predicates, graphs.arcs)


def check_format(model: Model, dialect: Dialect) -> None:
    """Raises `ModelError` if a format cannot hold what a model predicts."""
    if model.graph_layer is None:
        return
    enhanced = model.graph_layer == "enhanced"
    if not ("deps" in dialect.columns if enhanced else dialect.arguments):
        what, suffix = ("enhanced graphs", "conllu") if enhanced else ("predicates and arguments", "conll09")
        raise ModelError(
            f"this model predicts {what}, and {dialect.title} has no columns for them; "
            f"convert the file first: multiplane convert FILE -o FILE.{suffix}"
        )


def _predicted(model: Model, corpus: Corpus, how: How) -> tuple[list[NewColumn], Graphs | None]:
    """Returns columns that replace heads and labels and replace or fill in tags, and graphs.

    Raises `ModelError` for a sentence without tags if the model was trained with tags.
    """
    check_format(model, corpus.dialect)
    check_predicted(how.predict or (), model)
    check_tags(corpus, model)
    trees, names = (
        parse_fixed(model, corpus, how.beam) if how.keep_heads else (_parsed(model, corpus, how), model.names)
    )
    columns = [
        NewColumn(each.column, each.values, each.names, fill=how.predict is None)
        for each in trees.tags
        if how.predict is None or each.column in how.predict
    ]
    if not model.reads_trees:
        columns = [NewColumn("head", trees.heads), NewColumn("deprel", trees.labels, names), *columns]
    return columns, trees.graphs


def _parsed(model: Model, corpus: Corpus, how: How) -> Trees:
    if not how.keep_predicates:
        return model.parse(corpus, how.beam)
    if model.graph_layer != "semantics":
        raise ModelError("this model predicts no predicates; drop --keep-predicates")
    return model.parse(corpus, how.beam, predicates=given_predicates(corpus))


def given_predicates(corpus: Corpus) -> NDArray[np.int8]:
    """Returns for every word whether it is a predicate."""
    given, predicates = np.zeros(corpus.words, np.int8), corpus.predicates
    starts = np.cumsum(corpus.lengths, dtype=np.int64) - corpus.lengths
    given[np.repeat(starts, np.diff(predicates.first)) + predicates.words - 1] = 1
    return given
