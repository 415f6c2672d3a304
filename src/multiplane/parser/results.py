"""Converts a model's predictions to columns."""

from __future__ import annotations

from multiplane.formats import Corpus
from multiplane.formats.rewrite import NewColumn
from multiplane.models import Model
from multiplane.models.tags import check_tags
from multiplane.parser.fixed import parse_fixed


def parsed_columns(model: Model, corpus: Corpus, beam: int | None, keep_heads: bool) -> list[NewColumn]:
    """Returns columns that replace heads and labels and fill in missing tags.

    Raises `ModelError` for a sentence without tags if the model was trained with tags.

    >>> from multiplane import load, sample
    >>> [(column.name, column.fill) for column in parsed_columns(load("en").model, sample(), None, False)[:3]]
    [('head', False), ('deprel', False), ('upos', True)]
    """
    check_tags(corpus, model)
    trees, names = parse_fixed(model, corpus, beam) if keep_heads else (model.parse(corpus, beam), model.names)
    tags = (NewColumn(each.column, each.values, each.names, fill=True) for each in trees.tags)
    return [NewColumn("head", trees.heads), NewColumn("deprel", trees.labels, names), *tags]
