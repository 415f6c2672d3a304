"""Characters with a special role in raw text."""

from __future__ import annotations

import re

_LINE_ENDS = r"\u2028\u2029"  # Zl, Zp
_SPACES = r" \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"  # Zs
_CONTROLS = r"\x00-\x1f\x7f-\x9f\ud800-\udfff"  # Cc, Cs

SEPARATOR = re.compile(rf"[{_SPACES}{_LINE_ENDS}{_CONTROLS}\u200b\ufeff]")
"""Characters that separate words: spaces of all kinds and widths, control characters, halves of surrogate pairs."""

INVISIBLE = re.compile(r"[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]")
"""Invisible marks within words: soft hyphens, word joiners, and controls of the direction of text."""

PARAGRAPH_ENDS = ("\f", "\u2029")
"""What ends a paragraph without a blank line."""

NO_FIELD = re.compile(f"[{_LINE_ENDS}{_CONTROLS}]")
"""Characters that a CoNLL-U field cannot contain, or that other programs treat as line ends."""
