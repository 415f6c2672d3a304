"""Settings by name, of the class for the task and the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from multiplane.errors import TrainingError
from multiplane.training.config import MODELS, Settings
from multiplane.training.joint_config import TASKS, JointLinearSettings, JointSettings
from multiplane.training.latent_config import latent_settings
from multiplane.training.neural_config import AnySettings, neural_settings, of_preset
from multiplane.training.settings import check_names


def settings_of(given: Mapping[str, Any]) -> AnySettings:
    """Returns settings by name, of the class for the task and the model.

    >>> settings_of({"beam": 4}).beam, settings_of({"model": "neural"}).beam
    (4, 1)
    >>> settings_of({"task": "joint"}).model, settings_of({"task": "joint", "model": "linear"}).semantics
    ('neural', 'swap-graph')
    >>> settings_of({"model": "latent"}).beam
    20
    """
    task = given.get("task", "joint" if given.get("model") == "latent" else "syntax")
    model = given.get("model", "linear" if task == "syntax" else "neural")
    if task not in TASKS:
        raise TrainingError(f"task must be one of {', '.join(TASKS)}, not {task!r}")
    if model not in MODELS:
        raise TrainingError(f"model must be one of {', '.join(MODELS)}, not {model!r}")
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
