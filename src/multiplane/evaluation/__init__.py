"""Evaluation of parser output: scores, breakdowns and significance tests."""

from multiplane.evaluation.alignment import Alignment, align
from multiplane.evaluation.attachment import CONVENTIONS, Convention
from multiplane.evaluation.breakdown import GROUPINGS, Group, breakdown
from multiplane.evaluation.crossing import crossing_pairs
from multiplane.evaluation.layers import LAYERS, evaluate
from multiplane.evaluation.reliability import Bin, Reliability, reliability
from multiplane.evaluation.score import Macro, Score
from multiplane.evaluation.scores import Scores
from multiplane.evaluation.semantic import SCORERS, SemanticScorer
from multiplane.evaluation.significance import Comparison, Contrast, bootstrap, compare, mcnemar, shuffling

__all__ = [
    "CONVENTIONS",
    "GROUPINGS",
    "LAYERS",
    "SCORERS",
    "Alignment",
    "Bin",
    "Comparison",
    "Contrast",
    "Convention",
    "Group",
    "Macro",
    "Reliability",
    "Score",
    "Scores",
    "SemanticScorer",
    "align",
    "bootstrap",
    "breakdown",
    "compare",
    "crossing_pairs",
    "evaluate",
    "mcnemar",
    "reliability",
    "shuffling",
]
