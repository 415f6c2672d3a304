"""Trained tokenizers: loading, training, and use by folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from multiplane.errors import UnknownTokenizerError
from multiplane.formats import Corpus, Sentence, Treebank, as_corpus
from multiplane.models import TokenizerModel, files
from multiplane.text import TOKENIZERS, Tokenizer, tokenizer_of


def load_tokenizer(path: str | os.PathLike[str]) -> TokenizerModel:
    """Loads a trained tokenizer from its folder, or from that of a pipeline.

    >>> load_tokenizer("no-such-folder")
    Traceback (most recent call last):
    ...
    multiplane.errors.ModelError: no-such-folder: no such model; give the folder that 'multiplane train' wrote
    """
    return files.load_tokenizer(path)


def chosen_tokenizer(tokenizer: Tokenizer | str | os.PathLike[str] | None) -> Tokenizer:
    """Returns the tokenizer with this name or folder; None means the default one. Tokenizers are returned as is.

    >>> chosen_tokenizer("englsh")
    Traceback (most recent call last):
    ...
    multiplane.errors.UnknownTokenizerError: unknown tokenizer 'englsh'; known: english, spaces, and folders of ...
    """
    if not isinstance(tokenizer, str | os.PathLike) or tokenizer in TOKENIZERS:
        return tokenizer_of(tokenizer)
    if os.path.isdir(tokenizer):
        return load_tokenizer(tokenizer)
    name = os.fspath(tokenizer)
    raise UnknownTokenizerError(
        f"unknown tokenizer '{name}'; known: {', '.join(TOKENIZERS)}, and folders of trained tokenizers and pipelines"
    )


def train_tokenizer(
    train: Treebank | Sequence[Treebank],
    dev: Treebank | None = None,
    *,
    licence: str | None = None,
    **settings: Any,
) -> TokenizerModel:
    """Trains a tokenizer; for the settings see `multiplane.training.tokenizer_config.TokenizerSettings`.

    Treebanks are corpora, sentences, or paths of files; `train` may be a list of treebanks. With `dev`, keeps the best
    epoch.

    >>> from multiplane import sample
    >>> tokenizer = train_tokenizer(sample(), epochs=2, units=8)
    >>> [sentence[0].form for sentence in tokenizer.sentences("Go home.")][0]
    'Go'
    """
    from multiplane.training.tokenizer_config import tokenizer_settings  # noqa: PLC0415 - only needed for training
    from multiplane.training.train_tokenizer import train_tokenizer_model  # noqa: PLC0415

    development = None if dev is None else as_corpus(dev)
    model, interrupted = train_tokenizer_model(
        corpora_of(train), development, tokenizer_settings(settings), licence=licence
    )
    if interrupted:
        raise KeyboardInterrupt
    return model


def corpora_of(treebanks: Treebank | Sequence[Treebank]) -> list[Corpus]:
    """Returns one or several treebanks as a list."""
    if isinstance(treebanks, list | tuple) and not all(isinstance(part, Sentence) for part in treebanks):
        return [as_corpus(part) for part in treebanks]
    return [as_corpus(treebanks)]  # type: ignore[arg-type]
