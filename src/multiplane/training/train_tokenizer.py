"""Trains a tokenizer on treebanks, with checkpoints."""

from __future__ import annotations

import os
from collections.abc import Sequence

from multiplane.formats import Corpus
from multiplane.models.record import TrainingRecord
from multiplane.models.tokenizer import TokenizerModel
from multiplane.training.checkpoint import Checkpoint
from multiplane.training.data import fingerprint
from multiplane.training.loop import Reporter, run
from multiplane.training.tokenizer_config import TokenizerSettings
from multiplane.training.tokenizer_data import prepare
from multiplane.training.tokenizer_scoring import TokenizerDevelopment
from multiplane.training.train import forget, needing_torch


def train_tokenizer_model(
    train: Sequence[Corpus],
    dev: Corpus | None = None,
    settings: TokenizerSettings | None = None,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    licence: str | None = None,
    reporter: Reporter | None = None,
) -> tuple[TokenizerModel, bool]:
    """Trains a tokenizer on one or more treebanks; returns it, and whether training was interrupted.

    With a checkpoint folder, stores every epoch; `resume` continues from there as if never interrupted.

    >>> from multiplane import sample
    >>> model, interrupted = train_tokenizer_model([sample()], settings=TokenizerSettings(epochs=1))
    >>> model.record.words, interrupted
    (714, False)
    """
    with needing_torch():
        from multiplane.training.tokenizer import TokenizerLearner  # noqa: PLC0415 - needs torch

    reporter = reporter or Reporter()
    words = sum(corpus.words for corpus in train)
    settings = (settings or TokenizerSettings()).for_words(words)
    data = prepare(train, settings, reporter.note)
    development = None if dev is None else TokenizerDevelopment(dev)
    stored = None
    if checkpoint is not None:
        texts = [corpus.to_bytes() for corpus in (*train, *([] if dev is None else [dev]))]
        stored = Checkpoint(checkpoint, settings.to_table(), fingerprint(*texts), settings.prefix)
        if not resume:
            forget(stored, reporter)
    outcome = run(TokenizerLearner(data, settings), settings, development, stored, reporter, resume)
    record = TrainingRecord(
        settings=settings.to_table(),
        train=tuple(os.path.basename(corpus.name) for corpus in train),
        dev=None if dev is None else os.path.basename(dev.name),
        sentences=sum(map(len, train)),
        words=words,
        licence=licence,
        history=outcome.history,
        best=outcome.best,
    )
    return outcome.model.with_record(record), outcome.interrupted
