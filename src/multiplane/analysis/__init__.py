"""Analysis of treebanks: coverage by structural classes, with certificates, and checks before training."""

from multiplane.analysis.check import Finding, LayerCounts, Report, check
from multiplane.analysis.coverage import PROPERTIES, Coverage, Witness, coverage, witnesses

__all__ = ["PROPERTIES", "Coverage", "Finding", "LayerCounts", "Report", "Witness", "check", "coverage", "witnesses"]
