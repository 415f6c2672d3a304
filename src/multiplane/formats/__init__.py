"""Reads, writes and converts treebank files without losing a byte."""

from multiplane.formats.convert import Lost, convert
from multiplane.formats.corpus import UNKNOWN_HEAD, Corpus, Sentence
from multiplane.formats.dialects import DIALECTS, Dialect, dialect_of
from multiplane.formats.empty_nodes import with_enhanced_layer
from multiplane.formats.layers import LayerArcs, Predicates
from multiplane.formats.reader import iterate, read, read_conllu, read_conllx
from multiplane.formats.rewrite import with_enhanced, with_semantics, with_trees
from multiplane.formats.stream import Source, Target, writing
from multiplane.formats.token import Token
from multiplane.formats.treebank import Treebank, as_corpus, unannotated
from multiplane.formats.writer import write, write_conllu, write_conllx

__all__ = [
    "DIALECTS",
    "UNKNOWN_HEAD",
    "Corpus",
    "Dialect",
    "LayerArcs",
    "Lost",
    "Predicates",
    "Sentence",
    "Source",
    "Target",
    "Token",
    "Treebank",
    "as_corpus",
    "convert",
    "dialect_of",
    "iterate",
    "read",
    "read_conllu",
    "read_conllx",
    "unannotated",
    "with_enhanced",
    "with_enhanced_layer",
    "with_semantics",
    "with_trees",
    "write",
    "write_conllu",
    "write_conllx",
    "writing",
]
