"""The record of a model's training, for its card and learning curve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from multiplane.errors import ModelError
from multiplane.models.toml import Table, taken, taken_or
from multiplane.version import __version__

Setting = bool | int | float | str
_SHARES = (
    *("error", "label_error", "uas", "las", "upos", "semantic_f1", "elas", "words", "tokens", "sentences"),
    *("xpos", "feats", "lemma", "np_precision", "np_recall", "las_full"),
)
"""The fields of an epoch that are percentages, in order."""


@dataclass(frozen=True)
class Epoch:
    """One pass over the training data. Times are not recorded, so that the same training gives the same model."""

    number: int
    error: float
    """The percentage of wrong transitions; with a beam, of wrong sentences."""
    label_error: float | None = None
    """The percentage of gold arcs with a wrong label; None with a beam."""
    uas: float | None = None
    """UAS on the development data, over all words."""
    las: float | None = None
    """LAS on the development data: all words, labels without subtypes; None in records of older versions."""
    upos: float | None = None
    """UPOS accuracy on the development data, if the model predicts UPOS."""
    semantic_f1: float | None = None
    """Labelled F1 of predicates and arguments on the development data, if the model predicts them."""
    elas: float | None = None
    """ELAS on the development data, if the model predicts enhanced graphs."""
    words: float | None = None
    """F1 of words on the raw text of the development data, for a tokenizer."""
    tokens: float | None = None
    """F1 of tokens, for a tokenizer."""
    sentences: float | None = None
    """F1 of sentences, for a tokenizer."""
    xpos: float | None = None
    """XPOS accuracy on the development data, if the model predicts XPOS; likewise for the next two."""
    feats: float | None = None
    lemma: float | None = None
    np_precision: float | None = None
    """Labelled precision on non-projective arcs of the development data; None if it has no such arcs."""
    np_recall: float | None = None
    """Labelled recall on them."""
    las_full: float | None = None
    """LAS with full labels."""

    @property
    def quality(self) -> float | None:
        """The score that selects the best epoch.

        This is LAS or, for a joint model, the mean of LAS and semantic F1 or ELAS; for a tokenizer, the mean of words
        and sentences. In records of older versions, it is LAS-full instead of LAS.

        >>> Epoch(1, 9.5, las=80.0).quality, Epoch(1, 9.5, las=80.0, semantic_f1=70.0).quality
        (80.0, 75.0)
        """
        shares = (
            self.las_full if self.las is None else self.las,
            self.semantic_f1,
            self.elas,
            self.words,
            self.sentences,
        )
        known = [share for share in shares if share is not None]
        return sum(known) / len(known) if known else None


@dataclass(frozen=True)
class TrainingRecord:
    """A model's training data, settings and scores.

    >>> record = TrainingRecord(history=(Epoch(1, 9.5, 8.0, 80.0, 75.0), Epoch(2, 5.0, 4.0, 82.0, 78.5)), best=2)
    >>> record.chosen.las
    78.5
    """

    settings: Mapping[str, Setting] = field(default_factory=dict)
    train: tuple[str, ...] = ()
    """The names of the training files, without folders."""
    dev: str | None = None
    sentences: int = 0
    words: int = 0
    tagged: bool | None = None
    """Whether every sentence had tags that the model reads; None if it reads none, or if this was not recorded."""
    english: bool | None = None
    """Whether the training data is English, at least in part; None if unknown."""
    licence: str | None = None
    """The licence of the training data, if given."""
    history: tuple[Epoch, ...] = ()
    best: int = 0
    """The number of the epoch that the model comes from."""
    raw: Mapping[str, float] = field(default_factory=dict)
    """F1 scores on the raw text of the development data, by name, for a model with its own tokenizer."""
    version: str = __version__

    @property
    def chosen(self) -> Epoch | None:
        """The epoch that the model comes from."""
        return next((epoch for epoch in self.history if epoch.number == self.best), None)

    def to_table(self) -> Table:
        """Returns the record as a table for config.toml, with the history by columns.

        >>> TrainingRecord(train=("a.conllu",), history=(Epoch(1, 9.5, 8.0),), best=1).to_table()["history"]
        {'epoch': [1], 'error': [9.5], 'label_error': [8.0]}
        """
        rows = {"epoch": [epoch.number for epoch in self.history]}
        rows |= {name: [getattr(epoch, name) for epoch in self.history] for name in _SHARES}
        return {
            "train": list(self.train),
            "dev": self.dev,
            "licence": self.licence,
            "sentences": self.sentences,
            "words": self.words,
            "tagged": self.tagged,
            "english": self.english,
            "best": self.best,
            "settings": dict(self.settings),
            "raw": dict(self.raw) or None,
            "history": {name: values for name, values in rows.items() if None not in values},
        }

    @staticmethod
    def from_table(table: Table, version: str) -> TrainingRecord:
        """Restores a record from the result of `to_table`.

        >>> record = TrainingRecord(train=("a.conllu",), history=(Epoch(1, 9.5, 8.0),), best=1)
        >>> TrainingRecord.from_table(record.to_table(), record.version) == record
        True
        """
        history: Table = taken_or(table, "history", dict, {})
        raw: Table = taken_or(table, "raw", dict, {})
        numbers = _column(history, "epoch", int)
        columns = [_column(_renamed(history), name, float) for name in _SHARES]
        if any(len(column) != len(numbers) for column in columns if column or column is columns[0]):
            raise ModelError("training.history: columns of different lengths")
        unknown = [None] * len(numbers)
        rows = zip(numbers, *(column or unknown for column in columns), strict=True)
        return TrainingRecord(
            settings=taken_or(table, "settings", dict, {}),
            train=tuple(_column(table, "train", str)),
            dev=taken_or(table, "dev", str, None),
            sentences=taken_or(table, "sentences", int, 0),
            words=taken_or(table, "words", int, 0),
            tagged=taken_or(table, "tagged", bool, None),
            english=taken_or(table, "english", bool, None),
            licence=taken_or(table, "licence", str, None),
            history=tuple(Epoch(*row) for row in rows),
            best=taken_or(table, "best", int, 0),
            raw={name: taken(raw, name, float) for name in raw},
            version=version,
        )


def epoch_of(fields: Table) -> Epoch:
    """Restores an epoch from its fields.

    >>> epoch_of({"number": 1, "error": 9.5, "las": 80.0}).las_full
    80.0
    """
    return Epoch(**_renamed(fields))


def _renamed(fields: Table) -> Table:
    """Older versions stored LAS-full under the name `las`."""
    if "las" not in fields or "las_full" in fields:
        return fields
    return {"las_full" if name == "las" else name: value for name, value in fields.items()}


def _column(table: Table, name: str, kind: type) -> list[Any]:
    values = taken_or(table, name, list, [])
    if not all(isinstance(value, (int, float) if kind is float else kind) for value in values):
        raise ModelError(f"{name}: has a value of the wrong type")
    return [float(value) for value in values] if kind is float else values
