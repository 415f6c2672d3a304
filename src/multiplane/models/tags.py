"""Checks of tags that a model reads or predicts: a parser trained with tags is useless without them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from multiplane.errors import ModelError, SentenceError
from multiplane.formats import Corpus, Sentence
from multiplane.models.protocol import Model

_TAGS = ("upos", "xpos", "feats")
_EMPTY = {"_"}


def were_tagged(corpora: Iterable[Corpus], model: Model) -> bool | None:
    """Whether every sentence of the training data has a tag that the model reads; None if it reads no tags.

    >>> from multiplane import sample, train
    >>> were_tagged([sample()], train(sample(), epochs=1).model)
    True
    """
    tags = _tags_of(model)
    return all(_first_untagged(corpus, tags) is None for corpus in corpora) if tags else None


def columns_in(names: str | Iterable[str]) -> tuple[str, ...]:
    """Returns the columns of a list, or of a text with commas between them; the text `none` is an empty list.

    >>> columns_in("upos, lemma"), columns_in("none"), columns_in(["upos"])
    (('upos', 'lemma'), (), ('upos',))
    """
    if not isinstance(names, str):
        return tuple(names)
    return () if names == "none" else tuple(name.strip() for name in names.split(","))


def check_predicted(columns: Sequence[str], model: Model) -> None:
    """Raises `ModelError` for a column that the model does not predict."""
    known = model.predicted_columns
    for column in columns:
        if column not in known:
            advice = f"it predicts {', '.join(known)}" if known else "it predicts none; train one with --predict"
            raise ModelError(f"this model cannot predict the column '{column}'; {advice}")


def check_tags(corpus: Corpus, model: Model) -> None:
    """Raises `SentenceError` for a sentence without tags, if the model was trained on tagged sentences only."""
    if not model.record.tagged:
        return
    tags = _tags_of(model)
    sentence = _first_untagged(corpus, tags)
    if sentence is not None:
        raise SentenceError(
            f"{sentence.where}: has no tags, but this model needs them ({', '.join(tags)}); "
            "tag the file first, or use a neural model trained with --tags predicted"
        )


def _tags_of(model: Model) -> tuple[str, ...]:
    """Returns the tags that a model reads; only lemmas if it predicts all tags. Senses do without lemmas."""
    tags = tuple(column for column in _TAGS if column in model.columns)
    return tags or (("lemma",) if "lemma" in model.columns and model.graph_layer != "semantics" else ())


def _first_untagged(corpus: Corpus, tags: Sequence[str]) -> Sentence | None:
    """Returns the first sentence whose words have none of these tags, or None."""
    index, columns = corpus._index, [column for column in corpus.dialect.columns if column in tags]
    untagged = re.compile(rb"\t".join(b"_" if column in tags else rb"[^\t]*" for column in corpus.dialect.columns))
    first_words = index.start + index.word[index.first_word[:-1]]
    for number, offset in enumerate(first_words.tolist()):  # the first word decides nearly all cases
        if untagged.match(corpus._text, offset) and all(_EMPTY.issuperset(corpus[number].column(c)) for c in columns):
            return corpus[number]
    return None
