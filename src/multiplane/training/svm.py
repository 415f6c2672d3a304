"""Trains support vector machines with LIBLINEAR or LIBSVM on the decisions of a static oracle."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from multiplane import _native
from multiplane.errors import TrainingError
from multiplane.features import Compiled
from multiplane.models import Epoch, KernelModel, LinearModel, Model
from multiplane.models.linear import attributes_in, native_features
from multiplane.models.svm import with_splits
from multiplane.oracles.spec import oracle_spec
from multiplane.training.config import Settings
from multiplane.training.data import TrainingData
from multiplane.training.instances import Errors, Instances
from multiplane.training.liblinear import train_liblinear
from multiplane.training.libsvm import train_libsvm
from multiplane.training.loop import Outcome, Reporter
from multiplane.training.scoring import Development


def fit(data: TrainingData, settings: Settings, dev: Development | None, reporter: Reporter) -> Outcome[Model]:
    """Trains a model in one step and scores it on the development data. It is always greedy."""
    _check(data, settings)
    began = time.monotonic()
    reporter.begin(1)
    model, errors = (fit_liblinear if settings.learner == "liblinear" else fit_libsvm)(data, settings)
    reporter.advance(sum(map(len, data.corpora)))
    if dev is not None:
        dev.report(model, reporter.note)
    scores = {} if dev is None else dev.score(model)._asdict()
    known = {name: round(share, 4) for name, share in scores.items() if share is not None}
    epoch = Epoch(1, round(100 * errors.transition, 4), round(100 * errors.label, 4), **known)
    reporter.end(epoch, time.monotonic() - began, is_best=True)
    return Outcome(model, (epoch,), 1, interrupted=False)


def fit_liblinear(data: TrainingData, settings: Settings) -> tuple[LinearModel, Errors]:
    """Trains a linear model.

    >>> from multiplane import sample
    >>> from multiplane.training.data import prepare
    >>> settings = Settings(learner="liblinear")
    >>> fit_liblinear(prepare([sample()], settings), settings)[0].kind
    'linear'
    """
    features = settings.feature_model(data.system)
    found = instances(data, features.compile(), settings.bits)
    weights, errors = train_liblinear(
        found, len(data.system.transitions), len(data.vocabulary), seed=settings.seed, **_costs(settings)
    )
    return LinearModel(weights=weights, **_common(data, settings)), errors


def fit_libsvm(data: TrainingData, settings: Settings) -> tuple[KernelModel, Errors]:
    """Trains a model with a polynomial kernel, split by feature values if the settings say so."""
    features = settings.feature_model(data.system)
    compiled, splits = with_splits(features, settings.split, settings.label_split, data.system)
    weights, errors = train_libsvm(
        instances(data, compiled, settings.bits),
        instances(data, splits, settings.bits),
        split_threshold=settings.split_threshold,
        **_costs(settings),
    )
    common = _common(data, settings)
    return KernelModel(weights=weights, split=settings.split, label_split=settings.label_split, **common), errors


def instances(data: TrainingData, compiled: Compiled, bits: int) -> Instances:
    """Returns the decisions of the static oracle on all usable sentences."""
    features, oracle = native_features(compiled, bits), oracle_spec(data.system)
    parts, before = [], 0
    for corpus, heads, labels in zip(data.corpora, data.heads, data.labels, strict=True):
        numbers = data.usable[(data.usable >= before) & (data.usable < before + len(corpus))] - before
        attributes = attributes_in(compiled, corpus.dialect)
        parts.append(
            Instances(
                *_native.instances(
                    data.program,
                    features,
                    oracle,
                    corpus._text,
                    corpus._index,
                    attributes,
                    heads,
                    labels,
                    np.ascontiguousarray(numbers),
                )
            )
        )
        before += len(corpus)
    return Instances.joined(parts)


def _check(data: TrainingData, settings: Settings) -> None:
    if any(transition.parametrized for transition in data.system.transitions.values()):
        raise TrainingError(
            f"{data.system.name} has one transition per word, which {settings.learner} cannot learn; use the perceptron"
        )
    if settings.oracle == "dynamic":
        raise TrainingError(f"{settings.learner} uses the static oracle; drop the oracle setting, or set it to static")
    if settings.learner == "liblinear" and (settings.split or settings.label_split):
        raise TrainingError("liblinear does not split its data; drop split and label_split, or use libsvm")


def _common(data: TrainingData, settings: Settings) -> dict[str, Any]:
    return {
        "system": data.system,
        "features": settings.feature_model(data.system),
        "labels": data.vocabulary,
        "root_label": data.root_label,
        "bits": settings.bits,
        "beam": 1,
        "codec": data.codec,
    }


def _costs(settings: Settings) -> dict[str, Any]:
    costs = {"cost": settings.cost, "label_cost": settings.label_cost}
    return {name: value for name, value in costs.items() if value is not None}
