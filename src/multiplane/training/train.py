"""Trains a model on treebanks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from multiplane.errors import MissingExtraError
from multiplane.formats import Corpus, as_corpus
from multiplane.models import Model
from multiplane.models.record import TrainingRecord
from multiplane.models.tags import were_tagged
from multiplane.text.language import is_english
from multiplane.training.calibrate import calibrate, is_enough
from multiplane.training.checkpoint import Checkpoint, remove_checkpoint
from multiplane.training.config import Settings
from multiplane.training.data import Note, TrainingData, check_trees, fingerprint, prepare
from multiplane.training.joint_config import JointLinearSettings, JointSettings
from multiplane.training.joint_data import enhanced_data, semantic_data
from multiplane.training.joint_perceptron import JointPerceptron
from multiplane.training.latent import LatentLearner
from multiplane.training.latent_config import LatentSettings
from multiplane.training.loop import Learner, Outcome, Reporter, run
from multiplane.training.neural_config import AnySettings, NeuralSettings
from multiplane.training.perceptron import Perceptron
from multiplane.training.scoring import Development
from multiplane.training.svm import fit


@dataclass(frozen=True, eq=False)
class Task:
    """The input of a trainer."""

    data: TrainingData
    dev: Development | None
    settings: AnySettings
    checkpoint: Checkpoint | None
    resume: bool
    reporter: Reporter


Trainer = Callable[[Task], Outcome[Model]]


def train_perceptron(task: Task) -> Outcome[Model]:
    """Trains an averaged perceptron."""
    assert isinstance(task.settings, Settings)
    learner: Learner[Model]
    if isinstance(task.settings, JointLinearSettings):
        graphs = semantic_data(task.data.corpora, task.reporter.note, task.settings.planarize)
        learner = JointPerceptron(task.data, graphs, task.settings)
    else:
        learner = Perceptron(task.data, task.settings)
    return run(learner, task.settings, task.dev, task.checkpoint, task.reporter, task.resume)


@contextmanager
def needing_torch() -> Iterator[None]:
    """Says what to install if torch is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise MissingExtraError(
            "neural models are trained with torch; install it with: pip install 'multiplane[train]'"
        ) from None


def train_network(task: Task) -> Outcome[Model]:
    """Trains a neural network."""
    with needing_torch():
        from multiplane.training.neural import NeuralLearner  # noqa: PLC0415 - needs torch

    assert isinstance(task.settings, NeuralSettings)
    learner: Learner[Model]
    if isinstance(task.settings, JointSettings):
        from multiplane.training.joint import JointLearner  # noqa: PLC0415 - needs torch

        corpora, note = task.data.corpora, task.reporter.note
        enhanced = task.settings.task == "enhanced"
        graphs = enhanced_data(corpora, note) if enhanced else semantic_data(corpora, note, task.settings.planarize)
        learner = JointLearner(task.data, graphs, task.settings)
    else:
        learner = NeuralLearner(task.data, task.settings)
    return run(learner, task.settings, task.dev, task.checkpoint, task.reporter, task.resume)


def train_latent(task: Task) -> Outcome[Model]:
    """Trains a latent-variable model."""
    assert isinstance(task.settings, LatentSettings)
    graphs = semantic_data(task.data.corpora, task.reporter.note, task.settings.planarize)
    learner = LatentLearner(task.data, graphs, task.settings)
    return run(learner, task.settings, task.dev, task.checkpoint, task.reporter, task.resume)


def train_svm(task: Task) -> Outcome[Model]:
    """Trains support vector machines, in one step and so without checkpoints."""
    assert isinstance(task.settings, Settings)
    return fit(task.data, task.settings, task.dev, task.reporter)


TRAINERS: dict[str, Trainer] = {
    "perceptron": train_perceptron,
    "liblinear": train_svm,
    "libsvm": train_svm,
    "network": train_network,
    "latent": train_latent,
}
"""The trainers, by learner."""


def train_model(
    train: Sequence[Corpus],
    dev: Corpus | None = None,
    settings: AnySettings | None = None,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    licence: str | None = None,
    reporter: Reporter | None = None,
) -> tuple[Model, bool]:
    """Trains a model on one or more treebanks; returns it, and whether training was interrupted.

    With a checkpoint folder, stores every epoch; `resume` continues from there as if never interrupted.

    >>> from multiplane import sample
    >>> model, interrupted = train_model([sample()], settings=Settings(epochs=1))
    >>> model.record.words, interrupted
    (714, False)
    """
    settings, reporter = settings or Settings(), reporter or Reporter()
    data = _prepared(train, settings, reporter.note)
    words = sum(corpus.words for corpus in train)
    settings = settings.for_words(words)
    development = None if dev is None else Development(dev)
    stored = None
    if checkpoint is not None:
        texts = [corpus.to_bytes() for corpus in (*data.corpora, *([] if dev is None else [dev]))]
        used = fingerprint(settings.about(data.system), *texts)
        stored = Checkpoint(checkpoint, settings.to_table(), used)
        if not resume:
            forget(stored, reporter)
    outcome = TRAINERS[settings.learner](Task(data, development, settings, stored, resume, reporter))
    record = TrainingRecord(
        settings=settings.to_table(),
        train=tuple(os.path.basename(corpus.name) for corpus in train),
        dev=None if dev is None else os.path.basename(dev.name),
        sentences=sum(map(len, train)),
        words=words,
        tagged=were_tagged(train, outcome.model),
        english=is_english([form for corpus in train for form in corpus.column("form")]),
        licence=licence,
        history=outcome.history,
        best=outcome.best,
    )
    model = outcome.model.with_record(record)
    if dev is not None and model.graph_layer is None and is_enough(dev):
        model = calibrate(model, dev)
    return model, outcome.interrupted


def _prepared(train: Sequence[Corpus], settings: AnySettings, note: Note = lambda text: None) -> TrainingData:
    """Reads the silver treebanks of the settings, and prepares them with the others."""
    silver = [as_corpus(path) for path in settings.silver] if isinstance(settings, NeuralSettings) else []
    if silver:
        check_trees(silver, "silver")
    return prepare(train, settings, note, silver)


def check_training(train: Sequence[Corpus], dev: Corpus | None, settings: NeuralSettings) -> None:
    """Raises the errors that training a neural parser would begin with, for a caller with other work to do before.

    >>> from multiplane import sample
    >>> check_training([sample()], None, NeuralSettings(system="arc-eagle"))
    Traceback (most recent call last):
    ...
    multiplane.errors.UnknownSystemError: unknown system 'arc-eagle'; did you mean arc-eager?
    """
    with needing_torch():
        from multiplane.training.neural import check_parts  # noqa: PLC0415 - needs torch

    data = _prepared(train, settings)
    if dev is not None:
        check_trees([dev], "development")
    check_parts(data, settings)


def forget(checkpoint: Checkpoint, reporter: Reporter) -> None:
    """Removes the checkpoint of an earlier run, and says so."""
    if checkpoint.exists:
        reporter.note(
            f"{checkpoint.folder}: removed the checkpoint of an earlier run; --resume would have continued from it"
        )
        remove_checkpoint(checkpoint.folder)
