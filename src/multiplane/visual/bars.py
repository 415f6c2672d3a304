"""Horizontal bars in groups: the one kind of chart that tables here become."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from multiplane.errors import InputError, MissingExtraError
from multiplane.formats import writing


@dataclass(frozen=True)
class Series:
    """One bar in every group: how long it is, and what is written at its end."""

    label: str
    colour: str
    values: Sequence[float]
    texts: Sequence[str]


def draw_bars(
    path: str,
    groups: Sequence[str],
    series: Sequence[Series],
    *,
    x_label: str,
    x_limits: tuple[float, float],
    y_label: str = "",
    logarithmic: bool = False,
) -> None:
    """Draws grouped bars, the first group at the top, as .svg or .png; the same figures give the same bytes."""
    kind = os.path.splitext(path)[1].lower().lstrip(".")
    if kind not in ("svg", "png"):
        raise InputError(f"{path}: a chart is written as .svg or .png")
    try:
        import matplotlib  # noqa: PLC0415 - an extra
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("charts need matplotlib; install it with: pip install 'multiplane[plot]'") from None

    height = 0.8 / len(series)
    figure = Figure(figsize=(8, 1.2 + 0.15 * (len(series) + 1) * len(groups)), layout="constrained")
    axes = figure.subplots()
    for i, one in enumerate(series):
        places = [row + (i - (len(series) - 1) / 2) * height for row in range(len(groups))]
        bars = axes.barh(places, one.values, height=height, label=one.label, color=one.colour)
        axes.bar_label(bars, one.texts, padding=3, fontsize=7)
    if logarithmic:
        axes.set_xscale("log")
    axes.set_xlim(*x_limits)
    axes.set_yticks(range(len(groups)), [_printable(group) for group in groups], parse_math=False)
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=len(series), frameon=False, fontsize=8)
    with writing(path) as stream, warnings.catch_warnings(), matplotlib.rc_context({"svg.hashsalt": "multiplane"}):
        warnings.simplefilter("ignore")  # a character that no font has is drawn as a box; that is no news to a user
        figure.savefig(stream, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)


def _printable(name: str) -> str:
    r"""A name without characters that would break a picture.

    >>> _printable("a\x01b")
    'a\\x01b'
    """
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in name)
