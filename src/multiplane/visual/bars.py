"""Grouped horizontal bar charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from multiplane.visual.figures import new_figure, printable, save_figure


@dataclass(frozen=True)
class Series:
    """One bar per group: lengths, and the texts at their ends."""

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
    """Draws grouped bars, the first group at the top, as .svg or .png; the same data gives the same bytes."""
    height = 0.8 / len(series)
    figure, axes = new_figure(path, (8, 1.2 + 0.15 * (len(series) + 1) * len(groups)))
    for i, one in enumerate(series):
        places = [row + (i - (len(series) - 1) / 2) * height for row in range(len(groups))]
        bars = axes.barh(places, one.values, height=height, label=one.label, color=one.colour)
        axes.bar_label(bars, one.texts, padding=3, fontsize=7)
    if logarithmic:
        axes.set_xscale("log")
    axes.set_xlim(*x_limits)
    axes.set_yticks(range(len(groups)), [printable(group) for group in groups], parse_math=False)
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=len(series), frameon=False, fontsize=8)
    save_figure(figure, path)
