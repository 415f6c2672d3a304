"""Charts of results of analysis, evaluation and training."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from multiplane.analysis import Coverage, GraphCoverage
from multiplane.errors import TrainingError
from multiplane.evaluation.breakdown import Group
from multiplane.models.files import read_record
from multiplane.visual.bars import Series, draw_bars
from multiplane.visual.curves import Curve, draw_curves

_CLASSES = (
    ("non-projective", "nonprojective", "#999999"),
    ("not planar", "nonplanar", "#0072B2"),
    ("ill-nested", "illnested", "#009E73"),
    ("not 2-planar", "non2planar", "#D55E00"),
    ("not 3-planar", "non3planar", "#CC79A7"),
)
_GRAPH_CLASSES = (
    ("multi-headed", "multiheaded", "#999999"),
    ("not planar", "nonplanar", "#0072B2"),
    ("disconnected", "disconnected", "#009E73"),
    ("not 2-planar", "non2planar", "#D55E00"),
    ("not 3-planar", "non3planar", "#CC79A7"),
)
_BARS = (("recall", "#0072B2"), ("precision", "#D55E00"))


def plot_coverage(table: Mapping[str, Coverage | GraphCoverage], path: str) -> None:
    """Draws the share of structures outside each class, one group of bars per file, as .svg or .png.

    The scale is logarithmic, because shares range from two thirds to one in ten thousand.
    """
    least = min((100 / row.structures for row in table.values() if row.structures), default=1.0)
    series = []
    is_layer = any(isinstance(row, GraphCoverage) for row in table.values())
    for label, column, colour in _GRAPH_CLASSES if is_layer else _CLASSES:
        shares = [row.percent(column) for row in table.values()]
        texts = [f"{share:.2g} %" if share else "0" for share in shares]
        series.append(Series(label, colour, [max(share, least / 2) for share in shares], texts))
    draw_bars(
        path,
        [_short(file) for file in table],
        series,
        x_label="structures outside the class, % (logarithmic)",
        x_limits=(least / 2, 400),
        logarithmic=True,
    )


def plot_groups(groups: Sequence[Group], title: str, path: str) -> None:
    """Draws labelled recall and precision of each group in the gold standard, as .svg or .png."""
    groups = [group for group in groups if group.las.gold] or groups[-1:]
    series = []
    for name, colour in _BARS:
        values = [getattr(group.las, name) for group in groups]
        series.append(Series(name, colour, values, [f"{value:.1f}" for value in values]))
    draw_bars(
        path,
        [f"{group.name} ({group.las.gold:,})" for group in groups],
        series,
        x_label="labelled attachments, %",
        x_limits=(0, 108),
        y_label=f"{title} (gold words)",
    )


_MEASURES = {
    "las": "LAS on the development data, %",
    "las_full": "LAS-full on the development data, %",
    "error": "wrong, %",
}


def plot_curve(models: Sequence[str | os.PathLike[str]], path: str) -> None:
    """Draws models' LAS on the development data, or else training errors, by epoch, as .svg or .png."""
    records = {os.fspath(model): read_record(model) for model in models}
    measure = next(
        (
            measure
            for measure in ("las", "las_full")  # records of older versions have only the latter
            if all(record.history and getattr(record.history[0], measure) is not None for record in records.values())
        ),
        "error",
    )
    curves = []
    for name, record in records.items():
        if not record.history:
            raise TrainingError(f"{name}: has no learning curve")
        values = [getattr(epoch, measure) for epoch in record.history]
        label = os.path.basename(os.path.normpath(name))
        curves.append(Curve(label, [epoch.number for epoch in record.history], values, record.best))
    draw_curves(path, curves, x_label="epoch", y_label=_MEASURES[measure])


def _short(file: str) -> str:
    """Returns the last folder and the file name, because treebanks are often all named dev.conllu.

    >>> _short("treebanks/ud/en_ewt/dev.conllu.xz")
    'en_ewt/dev.conllu.xz'
    """
    return "/".join(file.split("/")[-2:])
