"""Analysis of treebanks: coverage by structural classes, with certificates, and checks before training."""

from multiplane.analysis.check import Finding, LayerCounts, Report, check
from multiplane.analysis.coverage import PROPERTIES, Coverage, Witness, coverage, witnesses
from multiplane.analysis.graphs import GRAPH_PROPERTIES, GraphCoverage, graph_coverage, graph_witnesses

__all__ = [
    "GRAPH_PROPERTIES",
    "PROPERTIES",
    "Coverage",
    "Finding",
    "GraphCoverage",
    "LayerCounts",
    "Report",
    "Witness",
    "check",
    "coverage",
    "graph_coverage",
    "graph_witnesses",
    "witnesses",
]
