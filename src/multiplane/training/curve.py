"""Learning curves: how scores rose, epoch by epoch, of one model or several."""

from __future__ import annotations

import os
from collections.abc import Sequence

from multiplane.errors import TrainingError
from multiplane.models.files import read_record
from multiplane.visual.curves import Curve, draw_curves


def plot_curve(models: Sequence[str | os.PathLike[str]], path: str) -> None:
    """Draws the LAS on the development data (or else the training errors) of models against epochs, as .svg or .png."""
    records = {os.fspath(model): read_record(model) for model in models}
    scored = all(record.history and record.history[0].las is not None for record in records.values())
    curves = []
    for name, record in records.items():
        if not record.history:
            raise TrainingError(f"{name}: has no learning curve")
        values = [epoch.las if scored and epoch.las is not None else epoch.error for epoch in record.history]
        label = os.path.basename(os.path.normpath(name))
        curves.append(Curve(label, [epoch.number for epoch in record.history], values, record.best))
    draw_curves(path, curves, x_label="epoch", y_label="LAS on the development data, %" if scored else "wrong, %")
