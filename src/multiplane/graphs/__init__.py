"""Dependency graphs: predicates with certificates, planes, measures, branchings, and all or random structures."""

from multiplane.graphs.arcs import Arc
from multiplane.graphs.branching import minimum_branching
from multiplane.graphs.enhanced import EnhancedGraph
from multiplane.graphs.enumerate import all_forests, all_graphs, all_trees
from multiplane.graphs.graph import DependencyGraph
from multiplane.graphs.layers import LAYERS, Layer, graph_of
from multiplane.graphs.measures import Measures, measure, measure_heads
from multiplane.graphs.nonprojective import nonprojective_words
from multiplane.graphs.random import random_graph, random_tree
from multiplane.graphs.reconstruct import reconstruct

__all__ = [
    "LAYERS",
    "Arc",
    "DependencyGraph",
    "EnhancedGraph",
    "Layer",
    "Measures",
    "all_forests",
    "all_graphs",
    "all_trees",
    "graph_of",
    "measure",
    "measure_heads",
    "minimum_branching",
    "nonprojective_words",
    "random_graph",
    "random_tree",
    "reconstruct",
]
