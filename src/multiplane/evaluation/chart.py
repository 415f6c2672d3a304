"""A chart of attachment scores by group."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence

from multiplane.errors import InputError, MissingExtraError
from multiplane.evaluation.breakdown import Group
from multiplane.formats import writing

_BARS = (("recall", "#0072B2"), ("precision", "#D55E00"))


def plot_groups(groups: Sequence[Group], title: str, path: str) -> None:
    """Draws labelled recall and precision of each group that the gold standard has, as .svg or .png."""
    kind = os.path.splitext(path)[1].lower().lstrip(".")
    if kind not in ("svg", "png"):
        raise InputError(f"{path}: a chart is written as .svg or .png")
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("charts need matplotlib; install it with: pip install 'multiplane[plot]'") from None

    groups = [group for group in groups if group.las.gold] or groups[-1:]
    figure = Figure(figsize=(8, 1.2 + 0.4 * len(groups)), layout="constrained")
    axes = figure.subplots()
    for i, (name, colour) in enumerate(_BARS):
        places = [row + (i - 0.5) * 0.4 for row in range(len(groups))]
        values = [getattr(group.las, name) for group in groups]
        bars = axes.barh(places, values, height=0.4, label=name, color=colour)
        axes.bar_label(bars, [f"{value:.1f}" for value in values], padding=3, fontsize=7)
    axes.set_yticks(range(len(groups)), [f"{group.name} ({group.las.gold:,})" for group in groups], parse_math=False)
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.set_xlim(0, 108)
    axes.set_xlabel("labelled attachments, %")
    axes.set_ylabel(f"{title} (gold words)")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=len(_BARS), frameon=False, fontsize=8)
    with writing(path) as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a character that no font has is drawn as a box; that is no news to a user
        # Without a date, the same figures give the same bytes.
        figure.savefig(stream, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
