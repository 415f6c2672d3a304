"""multiplane: dependency parsing beyond projectivity."""

from multiplane.data import sample
from multiplane.errors import (
    ColumnError,
    FormatError,
    GraphError,
    InputError,
    ModelError,
    MultiplaneError,
    TrainingError,
    TransitionError,
    TransitionSystemError,
)
from multiplane.evaluation import Scores, compare, evaluate
from multiplane.formats import Corpus, Sentence, read, read_conllu, read_conllx, write, write_conllu, write_conllx
from multiplane.graphs import DependencyGraph, reconstruct
from multiplane.oracles import oracle
from multiplane.parser import Parser, load, load_tokenizer, train, train_tokenizer
from multiplane.systems import systems
from multiplane.version import __version__

__all__ = [
    "ColumnError",
    "Corpus",
    "DependencyGraph",
    "FormatError",
    "GraphError",
    "InputError",
    "ModelError",
    "MultiplaneError",
    "Parser",
    "Scores",
    "Sentence",
    "TrainingError",
    "TransitionError",
    "TransitionSystemError",
    "__version__",
    "compare",
    "evaluate",
    "load",
    "load_tokenizer",
    "oracle",
    "read",
    "read_conllu",
    "read_conllx",
    "reconstruct",
    "sample",
    "systems",
    "train",
    "train_tokenizer",
    "write",
    "write_conllu",
    "write_conllx",
]
