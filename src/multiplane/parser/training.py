"""The public training interface."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from multiplane.formats import Treebank, as_corpus
from multiplane.parser.parser import Parser, model_folder
from multiplane.parser.pipeline import pipeline_settings, with_raw_scores
from multiplane.parser.tokenizers import corpora_of


def named_teachers(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Resolves the names of teachers in settings to folders, as `load` does.

    >>> named_teachers({"teacher": "some/folder", "seed": 7})
    {'teacher': ('some/folder',), 'seed': 7}
    """
    if "teacher" not in settings:
        return dict(settings)
    given = settings["teacher"]
    several = [given] if isinstance(given, str | os.PathLike) else given
    return {**settings, "teacher": tuple(map(model_folder, several))}


def train(
    train: Treebank | Sequence[Treebank],
    dev: Treebank | None = None,
    *,
    pipeline: bool = False,
    licence: str | None = None,
    **settings: Any,
) -> Parser:
    """Trains a parser; for the settings see `multiplane.training.Settings`.

    Treebanks are corpora, sentences, or paths of files; `train` may be a list of treebanks. With `dev`, keeps the best
    epoch and stops early when scores no longer improve. With `pipeline`, learns everything from raw text to trees: a
    tokenizer, and a neural parser that predicts tags and lemmas.

    >>> from multiplane import sample
    >>> parser = train(sample(), sample(), epochs=2, seed=7)
    >>> parser.model.record.chosen.las > 50
    True
    """
    from multiplane.training.tasks import settings_of  # noqa: PLC0415 - only needed for training
    from multiplane.training.train import check_training, train_model  # noqa: PLC0415
    from multiplane.training.train_tokenizer import train_tokenizer_model  # noqa: PLC0415

    settings = named_teachers(settings)
    treebanks, development = corpora_of(train), None if dev is None else as_corpus(dev)
    if not pipeline:
        model, interrupted = train_model(treebanks, development, settings_of(settings), licence=licence)
        if interrupted:
            raise KeyboardInterrupt
        return Parser(model)
    chosen, for_tokenizer = pipeline_settings(settings)
    check_training(treebanks, development, chosen)
    tokenizer, interrupted = train_tokenizer_model(treebanks, development, for_tokenizer, licence=licence)
    if not interrupted:
        model, interrupted = train_model(treebanks, development, chosen, licence=licence)
    if interrupted:
        raise KeyboardInterrupt
    parser = Parser(model, tokenizer)
    return parser if development is None else with_raw_scores(parser, development)
