"""Whether words are English, so that the tokenizer for English is a good choice."""

from __future__ import annotations

from collections.abc import Sequence

_FEWEST = 500
"""With fewer words, nothing is said."""
_SHARE = 0.005
"""Between 4 % in English and less than 0.05 % in treebanks of other languages."""


def is_english(forms: Sequence[str]) -> bool | None:
    """Whether words are English, at least in part: by how often *the* is among them; None if they are too few to tell.

    >>> from multiplane import sample
    >>> is_english(sample().column("form")), is_english(["der", "Hund"] * 300), is_english(["the", "dog"])
    (True, False, None)
    """
    if len(forms) < _FEWEST:
        return None
    return sum(form.lower() == "the" for form in forms) >= _SHARE * len(forms)
