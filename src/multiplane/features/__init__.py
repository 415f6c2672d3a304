"""Features: the language of addresses and values, and feature models written in it."""

from multiplane._native import AtomKind, AttributeKind, NodeOp
from multiplane.features.addresses import (
    ATTRIBUTES,
    COLUMNS,
    Attribute,
    Node,
    Template,
    Value,
    parse_node,
    parse_template,
)
from multiplane.features.model import VIEWS, Compiled, FeatureModel, Part, Slots, node_tables, shipped_models

__all__ = [
    "ATTRIBUTES",
    "COLUMNS",
    "VIEWS",
    "AtomKind",
    "Attribute",
    "AttributeKind",
    "Compiled",
    "FeatureModel",
    "Node",
    "NodeOp",
    "Part",
    "Slots",
    "Template",
    "Value",
    "node_tables",
    "parse_node",
    "parse_template",
    "shipped_models",
]
