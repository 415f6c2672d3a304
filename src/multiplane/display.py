"""How values are drawn, and how notebooks display them.

The package `visual` comes after all others, so none of them can import it. They use this module, which loads `visual`
on first use. This is the only import that goes against the order of the packages.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Literal, TypedDict, Unpack, overload

__all__ = ["DrawOptions", "Drawn", "Shown", "ShownAsPicture", "draw"]

Path = str | os.PathLike[str]


class DrawOptions(TypedDict, total=False):
    """The options of `draw`."""

    layer: Literal["syntax", "semantics", "enhanced", "both"]
    undirected: bool
    rtl: bool | Literal["auto"]
    highlight: Iterable[tuple[int, int] | tuple[int, int, str]]
    gold: Any
    interactive: bool
    scale: float


@overload
def draw(what: Any, path: None = None, **options: Unpack[DrawOptions]) -> str: ...
@overload
def draw(what: Any, path: Path, **options: Unpack[DrawOptions]) -> None: ...
def draw(what: Any, path: Path | None = None, **options: Unpack[DrawOptions]) -> str | None:
    """Draws one or several sentences or graphs to a file, or returns the drawing as text.

    The suffix of the file determines the format: `.svg`, `.png` and `.pdf` (which need the extras `png` and `pdf`),
    `.tex` for LaTeX, `.txt`. The options are:

    - `layer`: `syntax`, by default; `semantics`, `enhanced`, or `both`: syntax above the words, another layer below;
    - `undirected`: draws arcs without arrow heads;
    - `rtl`: whether the first word is on the right; by default, follows the script of most words;
    - `highlight`: arcs to draw in bold, such as those of a certificate;
    - `gold`: the same sentence, or sentences, in a gold standard; wrong heads and labels are marked;
    - `interactive`: for SVG in web pages, where words and arcs can be focused and colours follow the page;
    - `scale`: the number of pixels of PNG per unit, 2 by default.

    >>> from multiplane import sample
    >>> print(draw(sample()[0]), end="")
    en-001
    ┌───┬─► 1 Bridge    NOUN  2 nsubj
    │   └── 2 closes    VERB  0 root
    │   ┌─► 3 that      PRON  4 nsubj
    └─┬─┴─► 4 linked    VERB  1 acl:relcl
      │ ┌─► 5 two       NUM   6 nummod
      └─┴─► 6 villages  NOUN  4 obj
    """
    drawn: str | None = import_module("multiplane.visual.files").draw(what, path, **options)
    return drawn


class Drawn:
    """Something that can be drawn."""

    __slots__ = ()

    @overload
    def draw(self, path: None = None, **options: Unpack[DrawOptions]) -> str: ...
    @overload
    def draw(self, path: Path, **options: Unpack[DrawOptions]) -> None: ...
    def draw(self, path: Path | None = None, **options: Unpack[DrawOptions]) -> str | None:
        """Draws into an .svg, .png, .pdf, .tex or .txt file, or returns text; options as for `multiplane.draw`."""
        return draw(self, path, **options) if path is not None else draw(self, **options)


class ShownAsPicture(Drawn):
    """Something that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(import_module("multiplane.visual.notebook").picture(self))


class Shown:
    """Something that notebooks show as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(import_module("multiplane.visual.notebook").html(self))
