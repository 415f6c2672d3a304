"""Confidence scores in files: `Score` in MISC for words, and a comment `# score` for sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import FormatError
from multiplane.formats.corpus import Corpus
from multiplane.formats.misc import misc_value, with_misc_value
from multiplane.formats.sentence import Sentence

KEY = "Score"
_PROBABILITY = re.compile(r"(0(\.\d+)?|1(\.0+)?)\Z")


def word_scores(corpus: Corpus) -> NDArray[np.float64]:
    r"""Returns `Score` in MISC for all words; NaN if missing.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\tScore=0.97\n2\t!\t_\t_\t_\t_\t1\tpunct\t_\t_\n")
    >>> word_scores(corpus).tolist()
    [0.97, nan]
    """
    return np.array([math.nan if p is None else p for sentence in corpus for p in sentence.scores], np.float64)


def probability(sentence: Sentence, word: int, field: str, name: str) -> float | None:
    """Returns a probability from an attribute in MISC, or None; raises `FormatError` for other values."""
    value = misc_value(field, name)
    if value is None:
        return None
    if not _PROBABILITY.match(value):
        raise FormatError(
            f"{name}={value} in MISC is not a probability; give a number from 0 to 1",
            file=sentence.corpus.name,
            line=sentence.line_of(word),
            sent_id=sentence.sent_id,
        )
    return float(value)


def with_scores(fields: Sequence[str], scores: NDArray[np.floating]) -> list[str]:
    """Returns MISC fields with new scores appended.

    >>> with_scores(["_", "SpaceAfter=No", "Score=0.2|X=1"], np.array([0.97, 1, 0.12345]))
    ['Score=0.970', 'SpaceAfter=No|Score=1.000', 'X=1|Score=0.123']
    """
    return [with_misc_value(field, KEY, f"{score:.3f}") for field, score in zip(fields, scores.tolist(), strict=True)]
