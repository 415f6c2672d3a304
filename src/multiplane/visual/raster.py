"""Turns SVG images into PNG and PDF, with the fonts of the system."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from multiplane.errors import InputError, MissingExtraError, MissingFontError
from multiplane.visual.fonts import check_fonts, font_files

__all__ = ["pdf", "png"]

MOST_PIXELS = 100_000_000
PAGE = b'#set page(width: auto, height: auto, margin: 0pt)\n#image(bytes(sys.inputs.image), format: "svg")\n'


def png(image: str, size: tuple[float, float], texts: Iterable[str], scale: float = 2.0) -> bytes:
    """Returns an SVG image of this size as PNG, with `scale` pixels per unit; `texts` are the words in it."""
    if not (math.isfinite(scale) and scale > 0):
        raise InputError(f"cannot draw with scale {scale}; give a positive number, such as 2")
    width, height = (math.ceil(scale * length) for length in size)
    if width * height > MOST_PIXELS:
        raise InputError(
            f"the image would have {width:,} × {height:,} pixels; use a smaller scale, fewer sentences, or .svg"
        )
    if min(size) * scale < 1:
        raise InputError(f"the image would have no pixels; use a larger scale than {scale}")
    texts = set(texts)
    try:
        check_fonts(texts, _png)
    except MissingFontError:  # other fonts may be where only the renderer knows
        check_fonts(texts, lambda probe: _png(probe, all_fonts=True))
        return _png(image, scale, all_fonts=True)
    return _png(image, scale)


def pdf(image: str, texts: Iterable[str]) -> bytes:
    """Returns an SVG image as PDF, with one page; `texts` are the words in it."""
    check_fonts(texts, lambda probe: _typeset(probe, "png"))
    return _typeset(image, "pdf")


def _png(image: str, scale: float = 1.0, all_fonts: bool = False) -> bytes:
    try:
        import resvg_py  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("PNG images need resvg-py; install it with: pip install 'multiplane[png]'") from None
    try:
        drawn = resvg_py.svg_to_bytes(
            svg_string=image, zoom=scale, font_files=font_files(), skip_system_fonts=not all_fonts
        )
    except ValueError as error:
        raise InputError(f"cannot draw the image: {error}; draw an .svg file instead") from None
    return bytes(drawn)


def _typeset(image: str, form: Literal["pdf", "png"]) -> bytes:
    try:
        import typst  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError("PDF files need typst; install it with: pip install 'multiplane[pdf]'") from None
    # Without a fixed time, equal drawings would give different files.
    try:
        return bytes(typst.compile(PAGE, format=form, sys_inputs={"image": image}, timestamp=0))
    except typst.TypstError as error:
        raise InputError(f"cannot draw the image: {error.message}; draw an .svg file instead") from None
