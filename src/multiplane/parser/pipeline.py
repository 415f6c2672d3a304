"""Pipelines: a parser with its own tokenizer, both learned from one treebank, and scored on raw text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from multiplane.errors import TrainingError
from multiplane.evaluation import evaluate
from multiplane.formats import Corpus
from multiplane.parser.parser import Parser
from multiplane.text import raw_text

if TYPE_CHECKING:
    from multiplane.training.neural_config import NeuralSettings
    from multiplane.training.tokenizer_config import TokenizerSettings

RAW_SCORES = {"Words": None, "Sentences": None, "UPOS": "upos", "XPOS": "xpos", "UFeats": "feats"}
RAW_SCORES |= {"Lemmas": "lemma", "UAS": None, "LAS": None}
"""The scores of a pipeline on raw text, as the CoNLL 2018 scorer names them, and the columns that they need."""


def pipeline_settings(given: Mapping[str, Any]) -> tuple[NeuralSettings, TokenizerSettings]:
    """Returns the settings of a pipeline's parser and tokenizer; names of the latter have the prefix `tokenizer_`.

    >>> parser, tokenizer = pipeline_settings({"seed": 7, "tokenizer_units": 32})
    >>> parser.tags, tokenizer.seed, tokenizer.units
    ('predicted', 7, 32)
    >>> pipeline_settings({"tags": "given"})
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: a pipeline predicts tags and lemmas, because text has none; drop --tags given
    """
    from multiplane.training.neural_config import NeuralSettings  # noqa: PLC0415 - only needed for training
    from multiplane.training.tasks import settings_of  # noqa: PLC0415
    from multiplane.training.tokenizer_config import OwnTokenizerSettings, tokenizer_settings  # noqa: PLC0415

    prefix = OwnTokenizerSettings.prefix
    own = {name: value for name, value in given.items() if not name.startswith(prefix)}
    if own.get("model", "neural") != "neural" or own.get("task", "syntax") != "syntax":
        raise TrainingError("a pipeline uses a neural parser of trees; drop --model and --task")
    if own.get("predict") is not None:
        raise TrainingError("a pipeline predicts all tags and lemmas, because text has none; drop --predict")
    settings = settings_of({"model": "neural", "tags": "predicted"} | own, pipeline=True)
    assert type(settings) is NeuralSettings
    if settings.tags != "predicted":
        raise TrainingError("a pipeline predicts tags and lemmas, because text has none; drop --tags given")
    others = {name.removeprefix(prefix): value for name, value in given.items() if name.startswith(prefix)}
    shared = {"seed": settings.seed, "threads": settings.threads}
    return settings, tokenizer_settings(shared | others, OwnTokenizerSettings)


def raw_scores(parser: Parser, dev: Corpus) -> dict[str, float]:
    """Returns the scores of a parser on the raw text of a treebank, for the columns that it predicts.

    >>> from multiplane import load, sample
    >>> scores = raw_scores(load("en"), sample())
    >>> list(scores)
    ['Words', 'Sentences', 'UPOS', 'XPOS', 'UFeats', 'Lemmas', 'UAS', 'LAS']
    """
    scores = evaluate(dev, parser.parse(raw_text(dev)))
    known = (None, *parser.model.predicted_columns)
    return {name: round(scores[name].f1, 4) for name, column in RAW_SCORES.items() if column in known}


def with_raw_scores(parser: Parser, dev: Corpus) -> Parser:
    """Returns the parser with its scores on the raw text of a treebank in its record."""
    record = replace(parser.model.record, raw=raw_scores(parser, dev))
    return Parser(parser.model.with_record(record), parser.tokenizer)
