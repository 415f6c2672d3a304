"""Settings by name, of the class for the task and the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from multiplane.errors import TrainingError
from multiplane.training.config import MODELS, Settings
from multiplane.training.joint_config import TASKS, JointSettings
from multiplane.training.neural_config import AnySettings, neural_settings, of_preset
from multiplane.training.settings import check_names


def settings_of(given: Mapping[str, Any]) -> AnySettings:
    """Returns settings by name, of the class for the task and the model.

    >>> settings_of({"beam": 4}).beam, settings_of({"model": "neural"}).beam
    (4, 1)
    >>> settings_of({"task": "joint", "model": "neural"}).semantics
    'swap-graph'
    """
    task, model = given.get("task", "syntax"), given.get("model", "linear")
    if task not in TASKS:
        raise TrainingError(f"task must be one of {', '.join(TASKS)}, not {task!r}")
    if model not in MODELS:
        raise TrainingError(f"model must be one of {', '.join(MODELS)}, not {model!r}")
    if task != "syntax":
        if model != "neural":
            raise TrainingError(f"--task {task} needs --model neural, not {model}")
        return of_preset(JointSettings, given)
    given = {name: value for name, value in given.items() if name != "task"}
    if model == "neural":
        return neural_settings(given)
    check_names(given, Settings.stored)
    return Settings(**given)
