"""Learning from trained models: what they think about heads, labels and tags, besides the gold answers.

A teacher says how likely each answer is, so a student also learns which wrong answers are nearly right. The student is
an ordinary model, and can be much smaller than its teachers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from multiplane.errors import ModelError, TrainingError
from multiplane.models import Model, load_model
from multiplane.models.neural import Lexicon, NeuralModel, Tables, as_floats
from multiplane.training.data import TrainingData, fingerprint
from multiplane.training.neural_config import NeuralSettings

KEPT = 8
"""The most likely answers that are kept for each word; the others rarely matter."""

Odds = NDArray[np.float32]


class Targets(NamedTuple):
    """The most likely answers to one question, for all words; all have probability 0 where teachers say nothing."""

    answers: NDArray[np.int32]
    odds: NDArray[np.float16]

    @staticmethod
    def empty(words: int) -> Targets:
        """Returns targets that say nothing.

        >>> Targets.empty(2).odds.sum()
        np.float16(0.0)
        """
        return Targets(np.zeros((words, KEPT), np.int32), np.zeros((words, KEPT), np.float16))

    def keep(self, first: int, odds: Odds) -> None:
        """Keeps the most likely answers of the words from `first` on.

        >>> targets = Targets.empty(1)
        >>> targets.keep(0, np.array([[0.125, 0.0, 0.875]], np.float32))
        >>> targets.answers[0, :3].tolist(), targets.odds[0, :3].tolist()
        ([2, 0, 0], [0.875, 0.125, 0.0])
        """
        best = np.argsort(-odds, axis=1, kind="stable")[:, :KEPT]
        shares = np.take_along_axis(odds, best, axis=1)
        with np.errstate(invalid="ignore"):
            shares = np.nan_to_num(shares / shares.sum(axis=1, keepdims=True))
        shares = shares.astype(np.float16)
        rows, columns = slice(first, first + len(odds)), slice(0, best.shape[1])
        self.odds[rows, columns] = shares
        self.answers[rows, columns] = np.where(shares > 0, best, 0)  # an answer that is possible in any case


class Lessons(NamedTuple):
    """What teachers think about the training data."""

    heads: Targets
    labels: Targets
    """Of the gold arcs."""
    tags: list[Targets | None]
    """Of the columns that the student predicts; None where no teacher does."""

    @property
    def fingerprint(self) -> str:
        """A digest of everything: a run can only be resumed with the same teachers."""
        known = [self.heads, self.labels, *(tags for tags in self.tags if tags is not None)]
        return fingerprint(*(array.tobytes() for targets in known for array in targets))


def loss_of(
    scores: Tensor, gold: Tensor, targets: Targets, words: NDArray[np.int64], settings: NeuralSettings
) -> Tensor:
    """Returns the loss of answers: for the gold ones and, with the teachers' weight, for what they think."""
    weight, temperature = settings.teaching
    answers = torch.from_numpy(targets.answers[words].astype(np.int64))
    odds = torch.from_numpy(targets.odds[words].astype(np.float32))
    logs = functional.log_softmax(scores / temperature, dim=1).gather(1, answers)
    # The gradient of the softened loss is smaller by the square of the temperature.
    taught = -(odds * logs).sum(1) * temperature**2
    share = weight * (odds.sum(1) > 0)
    return ((1 - share) * functional.cross_entropy(scores, gold, reduction="none") + share * taught).sum()


def lessons_of(data: TrainingData, lexicon: Lexicon, settings: NeuralSettings) -> Lessons:
    """Asks teachers about all words of the training data; the answers of several are averaged."""
    teachers = [_teacher(path, data, lexicon, settings) for path in settings.teacher]
    lessons = Lessons(
        Targets.empty(data.words),
        Targets.empty(data.words),
        [Targets.empty(data.words) if any(t.predicts(c) for t in teachers) else None for c in lexicon.tags],
    )
    word = 0
    for corpus, heads in zip(data.corpora, data.heads, strict=True):
        asked = [teacher.model.tables(corpus) for teacher in teachers]
        start = 0
        for tables in zip(*asked, strict=True):
            length = tables[0].words
            end = start + length
            each = list(zip(teachers, tables, strict=True))
            lessons.heads.keep(word, _mean([teacher.heads(table) for teacher, table in each]))
            lessons.labels.keep(word, _mean([teacher.labels(table, heads[start:end]) for teacher, table in each]))
            for column, targets in zip(lexicon.tags, lessons.tags, strict=True):
                if targets is not None:
                    known = [(teacher, table) for teacher, table in each if teacher.predicts(column)]
                    targets.keep(word, _mean([teacher.tags(table, column) for teacher, table in known]))
            start, word = end, word + length
    return lessons


def _mean(odds: Sequence[Odds]) -> Odds:
    return odds[0] if len(odds) == 1 else np.mean(odds, axis=0, dtype=np.float32)


class _Teacher:
    """A model that is asked, in the student's terms."""

    def __init__(self, model: NeuralModel, data: TrainingData, lexicon: Lexicon, temperature: float) -> None:
        self.model, self._temperature = model, temperature
        weights = as_floats({name: array for name, array in model.weights.items() if name.startswith("label")})
        self._label, self._bias = weights["label"], weights["label.bias"]
        self._labels = _places(data.vocabulary, model.labels, "label")
        columns = list(model.lexicon.tags)
        self._tags = {
            column: (columns.index(column), _places(names, model.lexicon.tags[column], column))
            for column, names in lexicon.tags.items()
            if column in columns
        }
        self._rootless = data.system.root is None

    def predicts(self, column: str) -> bool:
        return column in self._tags

    def heads(self, tables: Tables) -> Odds:
        if not len(tables.odds):  # the sentence is too long
            return np.zeros((tables.words, 1), np.float32)
        odds = tables.odds ** np.float32(1 / self._temperature)
        found: Odds = odds / odds.sum(axis=1, keepdims=True)
        return found

    def labels(self, tables: Tables, heads: NDArray[np.int32]) -> Odds:
        hidden = np.maximum(tables.governors[heads + 1] + tables.dependents[2:], 0)
        odds = self._softmax((hidden @ self._label.T + self._bias)[:, self._labels])
        if self._rootless:
            odds[heads == 0] = 0  # these have no arc to label
        return odds

    def tags(self, tables: Tables, column: str) -> Odds:
        place, names = self._tags[column]
        return self._softmax(tables.tags[place][:, names])

    def _softmax(self, scores: Odds) -> Odds:
        powers = np.exp((scores - scores.max(axis=1, keepdims=True)) / np.float32(self._temperature))
        found: Odds = powers / powers.sum(axis=1, keepdims=True)
        return found


def _places(names: Sequence[str], known: Sequence[str], what: str) -> NDArray[np.int64]:
    """Returns where the student's names are among the teacher's."""
    place = {name: number for number, name in enumerate(known)}
    if other := next((name for name in names if name not in place), None):
        raise TrainingError(
            f"does not know the {what} '{other}' of the training data; a teacher must have been trained on a treebank "
            "with the same labels and tags"
        )
    return np.array([place[name] for name in names], np.int64)


def check_teachers(data: TrainingData, settings: NeuralSettings) -> None:
    """Raises `TrainingError` if a teacher cannot teach trees like those of the training data.

    >>> from multiplane import sample
    >>> from multiplane.data import bundled_models
    >>> from multiplane.training.data import prepare
    >>> settings = NeuralSettings(teacher=str(bundled_models()["grc"]))
    >>> check_teachers(prepare([sample()], settings), settings)
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: teacher .../grc: ...
    """
    for path in settings.teacher:
        _loaded(path, data)


def _teacher(path: str, data: TrainingData, lexicon: Lexicon, settings: NeuralSettings) -> _Teacher:
    model = _loaded(path, data)
    with _naming(path):
        return _Teacher(model, data, lexicon, settings.teaching[1])


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Names the teacher in errors."""
    try:
        yield
    except (TrainingError, ModelError) as error:
        raise TrainingError(f"teacher {path}: {error}") from None


def _loaded(path: str, data: TrainingData) -> NeuralModel:
    model = load_model(path)
    with _naming(path):
        return _checked(model, data)


def _checked(model: Model, data: TrainingData) -> NeuralModel:
    """Returns a model that can teach; raises `TrainingError` for others."""
    if not isinstance(model, NeuralModel) or not model.look.focus:
        raise TrainingError("does not predict the heads of all words at once; use a neural model with the setting arc")
    if model.system.is_undirected or data.system.is_undirected:
        raise TrainingError("undirected parsers neither teach nor learn from a teacher")
    if (model.system.root is None) != (data.system.root is None):
        raise TrainingError(
            f"has {_root(model.system.root)}, but the student {_root(data.system.root)}; "
            "train both with the same --root"
        )
    if (model.codec.kind, model.codec.name) != (data.codec.kind, data.codec.name):
        raise TrainingError("encodes trees differently; train both with the same --pseudo-projective")
    _places(data.vocabulary, model.labels, "label")
    return model


def _root(root: str | None) -> str:
    return "no artificial root" if root is None else "an artificial root"
