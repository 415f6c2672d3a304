"""multiplane: dependency parsing beyond projectivity."""

from multiplane.data import sample
from multiplane.errors import (
    FormatError,
    GraphError,
    InputError,
    MultiplaneError,
    TransitionError,
    TransitionSystemError,
)
from multiplane.evaluation import Scores, compare, evaluate
from multiplane.formats import Corpus, Sentence, read, read_conllu, read_conllx, write, write_conllu, write_conllx
from multiplane.graphs import DependencyGraph
from multiplane.oracles import oracle
from multiplane.systems import systems

__version__ = "0.1.0"

__all__ = [
    "Corpus",
    "DependencyGraph",
    "FormatError",
    "GraphError",
    "InputError",
    "MultiplaneError",
    "Scores",
    "Sentence",
    "TransitionError",
    "TransitionSystemError",
    "compare",
    "evaluate",
    "oracle",
    "read",
    "read_conllu",
    "read_conllx",
    "sample",
    "systems",
    "write",
    "write_conllu",
    "write_conllx",
]
