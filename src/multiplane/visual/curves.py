"""Line charts, such as scores by epoch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from multiplane.visual.figures import new_figure, printable, save_figure

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999")


@dataclass(frozen=True)
class Curve:
    """One line, with one marked point."""

    label: str
    x: Sequence[int]
    y: Sequence[float]
    marked: int


def draw_curves(path: str, curves: Sequence[Curve], *, x_label: str, y_label: str) -> None:
    """Draws curves as .svg or .png; the same data gives the same bytes."""
    figure, axes = new_figure(path, (6, 4))
    for i, curve in enumerate(curves):
        colour = _COLOURS[i % len(_COLOURS)]
        axes.plot(curve.x, curve.y, marker="o", markersize=3, linewidth=1.2, color=colour, label=printable(curve.label))
        for x, y in zip(curve.x, curve.y, strict=True):
            if x == curve.marked:
                axes.annotate(f"{y:.2f}", (x, y), textcoords="offset points", xytext=(0, 6), ha="center", fontsize=7)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.margins(y=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=min(len(curves), 4), frameon=False, fontsize=8)
    save_figure(figure, path)
