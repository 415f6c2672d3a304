"""Detects English, so that the English tokenizer is used only where it fits."""

from __future__ import annotations

from collections.abc import Sequence

_FEWEST = 500
"""The minimum number of words for a decision."""
_SHARE = 0.005
"""Between 4 % in English and less than 0.05 % in treebanks of other languages."""


def is_english(forms: Sequence[str]) -> bool | None:
    """Whether words are English, at least in part, by the frequency of *the*; None if there are too few words.

    >>> from multiplane import sample
    >>> is_english(sample().column("form")), is_english(["der", "Hund"] * 300), is_english(["the", "dog"])
    (True, False, None)
    """
    if len(forms) < _FEWEST:
        return None
    return sum(form.lower() == "the" for form in forms) >= _SHARE * len(forms)
