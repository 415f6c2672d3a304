"""Shared by all charts: creating and saving a figure."""

from __future__ import annotations

import os
import warnings
from typing import Any

from multiplane.errors import InputError, MissingExtraError
from multiplane.formats import writing


def new_figure(path: str, size: tuple[float, float]) -> tuple[Any, Any]:
    """Returns a figure of this size in inches and its axes, for a .svg or .png file."""
    _kind(path)
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("charts need matplotlib; install it with: pip install 'multiplane[plot]'") from None
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots()


def save_figure(figure: Any, path: str) -> None:
    """Writes a figure; the same figure gives the same bytes."""
    import matplotlib  # noqa: PLC0415 - an extra

    kind = _kind(path)
    with writing(path) as stream, warnings.catch_warnings(), matplotlib.rc_context({"svg.hashsalt": "multiplane"}):
        warnings.simplefilter("ignore")  # about characters that no font has, which are drawn as boxes
        figure.savefig(stream, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)


def _kind(path: str) -> str:
    kind = os.path.splitext(path)[1].lower().lstrip(".")
    if kind not in ("svg", "png"):
        raise InputError(f"{path}: charts must end in .svg or .png")
    return kind


def printable(name: str) -> str:
    r"""Escapes characters that would break a picture.

    >>> printable("a\x01b")
    'a\\x01b'
    """
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in name)
