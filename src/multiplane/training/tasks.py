"""Settings by name, of the class for the task and the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from multiplane.errors import TrainingError
from multiplane.training.config import MODELS, Settings
from multiplane.training.joint_config import TASKS, JointLinearSettings, JointSettings
from multiplane.training.latent_config import LatentSettings, latent_settings
from multiplane.training.neural_config import AnySettings, NeuralSettings, names_of, neural_settings, of_preset
from multiplane.training.settings import check_names
from multiplane.training.tokenizer_config import OwnTokenizerSettings, TokenizerSettings


def settings_of(given: Mapping[str, Any], *, pipeline: bool = False) -> AnySettings:
    """Returns settings by name, of the class for the task and the model; `pipeline` says if they are for a pipeline.

    >>> settings_of({"beam": 4}).beam, settings_of({"model": "neural"}).beam
    (4, 1)
    >>> settings_of({"task": "joint"}).model, settings_of({"task": "joint", "model": "linear"}).semantics
    ('neural', 'swap-graph')
    >>> settings_of({"model": "latent"}).beam
    20
    >>> settings_of({"units": 32})
    Traceback (most recent call last):
    ...
    multiplane.errors.TrainingError: unknown setting 'units' of linear models; neural models have it: add --model neural
    """
    task = given.get("task", "joint" if given.get("model") == "latent" else "syntax")
    model = given.get("model", "linear" if task == "syntax" else "neural")
    if task not in TASKS:
        raise TrainingError(f"task must be one of {', '.join(TASKS)}, not {task!r}")
    if model not in MODELS:
        raise TrainingError(f"model must be one of {', '.join(MODELS)}, not {model!r}")
    _check_kind(given, task, model, pipeline)
    if model == "latent":
        if task != "joint":
            raise TrainingError(f"--model latent needs --task joint, not {task}")
        return latent_settings(given)
    if task != "syntax":
        if model == "neural":
            return of_preset(JointSettings, given)
        check_names(given, JointLinearSettings.stored)
        return JointLinearSettings(**given)
    given = {name: value for name, value in given.items() if name != "task"}
    if model == "neural":
        return neural_settings(given)
    check_names(given, Settings.stored)
    return Settings(**given)


class _Kind(NamedTuple):
    """What can be trained, how to ask for it, and its settings."""

    title: str
    option: tuple[str, str]
    names: Sequence[str]


def _kinds(task: str) -> list[_Kind]:
    """Returns what can be trained, beginning with the models for a task."""
    linear, neural = (Settings, NeuralSettings) if task == "syntax" else (JointLinearSettings, JointSettings)
    tokenizer = [each.name for each in fields(TokenizerSettings)]
    return [
        _Kind("linear models", ("model", "linear"), linear.stored),
        _Kind("neural models", ("model", "neural"), names_of(neural)),
        _Kind("joint models", ("task", "joint"), names_of(JointSettings)),
        _Kind("latent models", ("model", "latent"), LatentSettings.stored),
        _Kind("pipelines", ("pipeline", ""), [f"{OwnTokenizerSettings.prefix}{name}" for name in tokenizer]),
        _Kind("tokenizers", ("task", "tokenizer"), tokenizer),
    ]


def _check_kind(given: Mapping[str, Any], task: str, model: str, pipeline: bool) -> None:
    """Raises `TrainingError` for a setting that only something else has; typing errors are left to `check_names`."""
    kinds = _kinds(task)
    own = next(kind for kind in kinds if kind.option == ("model", model))
    for name in given:
        other = next((kind for kind in kinds if name in kind.names), None)
        if name in (*own.names, "task") or other is None:
            continue
        if pipeline:
            raise TrainingError(_of_no_pipeline(name, other.title))
        option, value = other.option
        how = f"{'use' if option in given else 'add'} --{option} {value}".rstrip()
        raise TrainingError(f"unknown setting '{name}' of {own.title}; {other.title} have it: {how}")


def _of_no_pipeline(name: str, others: str) -> str:
    """Says that a pipeline's parser does not have a setting of other models, though its tokenizer may."""
    if name in (each.name for each in fields(TokenizerSettings)):
        return f"unknown setting '{name}' of a pipeline's parser; for its tokenizer, write tokenizer_{name}, or drop it"
    return f"unknown setting '{name}' of pipelines; it applies only to {others}, so drop it"
