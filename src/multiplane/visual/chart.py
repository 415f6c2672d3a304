"""Charts, for people who would rather look than read."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping

from multiplane.analysis.coverage import Coverage
from multiplane.errors import InputError, MissingExtraError
from multiplane.formats import writing

_CLASSES = (
    ("non-projective", "nonprojective", "#999999"),
    ("not planar", "nonplanar", "#0072B2"),
    ("ill-nested", "illnested", "#009E73"),
    ("not 2-planar", "non2planar", "#D55E00"),
    ("not 3-planar", "non3planar", "#CC79A7"),
)


def plot_coverage(table: Mapping[str, Coverage], path: str) -> None:
    """Draws the share of structures outside each class, one group of bars a file, as .svg or .png.

    The scale is logarithmic: the interesting shares run from two thirds to one in ten thousand.
    """
    kind = os.path.splitext(path)[1].lower().lstrip(".")
    if kind not in ("svg", "png"):
        raise InputError(f"{path}: a chart is written as .svg or .png")
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("charts need matplotlib; install it with: pip install 'multiplane[plot]'") from None

    files = list(table)
    least = min((100 / row.structures for row in table.values() if row.structures), default=1.0)
    bar = 0.8 / len(_CLASSES)
    figure = Figure(figsize=(8, 1.2 + 0.75 * len(files)), layout="constrained")
    axes = figure.subplots()
    for i, (label, column, colour) in enumerate(_CLASSES):
        places = [row + (i - (len(_CLASSES) - 1) / 2) * bar for row in range(len(files))]
        shares = [table[file].percent(column) for file in files]
        bars = axes.barh(places, [max(share, least / 2) for share in shares], height=bar, label=label, color=colour)
        axes.bar_label(bars, [f"{share:.2g} %" if share else "0" for share in shares], padding=3, fontsize=7)
    axes.set_xscale("log")
    axes.set_xlim(least / 2, 400)
    axes.set_yticks(range(len(files)), [_short(file) for file in files], parse_math=False)
    axes.set_ylim(len(files) - 0.5, -0.5)
    axes.set_xlabel("structures outside the class, % (logarithmic)")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=len(_CLASSES), frameon=False, fontsize=8)
    with writing(path) as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a character that no font has is drawn as a box; that is no news to a user
        # Without a date, the same figures give the same bytes.
        figure.savefig(stream, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)


def _short(file: str) -> str:
    r"""The last folder and the name: treebanks are often all called dev.conllu.

    >>> _short("treebanks/ud/en_ewt/dev.conllu.xz"), _short("a\x01b")
    ('en_ewt/dev.conllu.xz', 'a\\x01b')
    """
    name = "/".join(file.split("/")[-2:])
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in name)
