"""Evaluation of parser output: scores, breakdowns and significance tests."""

from multiplane.evaluation.alignment import Alignment, align
from multiplane.evaluation.attachment import CONVENTIONS, Convention, Scores, evaluate
from multiplane.evaluation.breakdown import GROUPINGS, Group, breakdown
from multiplane.evaluation.score import Score
from multiplane.evaluation.semantic import crossing_pairs
from multiplane.evaluation.significance import Comparison, Contrast, bootstrap, compare, mcnemar, shuffling

__all__ = [
    "CONVENTIONS",
    "GROUPINGS",
    "Alignment",
    "Comparison",
    "Contrast",
    "Convention",
    "Group",
    "Score",
    "Scores",
    "align",
    "bootstrap",
    "breakdown",
    "compare",
    "crossing_pairs",
    "evaluate",
    "mcnemar",
    "shuffling",
]
