"""Reads, writes and converts treebank files without losing a byte."""

from multiplane.formats.convert import Lost, convert
from multiplane.formats.corpus import UNKNOWN_HEAD, Corpus, Sentence
from multiplane.formats.dialects import DIALECTS, Dialect, dialect_of
from multiplane.formats.reader import iterate, read, read_conllu, read_conllx
from multiplane.formats.stream import Source, Target, writing
from multiplane.formats.treebank import Treebank, as_corpus, unannotated
from multiplane.formats.writer import write, write_conllu, write_conllx

__all__ = [
    "DIALECTS",
    "UNKNOWN_HEAD",
    "Corpus",
    "Dialect",
    "Lost",
    "Sentence",
    "Source",
    "Target",
    "Treebank",
    "as_corpus",
    "convert",
    "dialect_of",
    "iterate",
    "read",
    "read_conllu",
    "read_conllx",
    "unannotated",
    "write",
    "write_conllu",
    "write_conllx",
    "writing",
]
