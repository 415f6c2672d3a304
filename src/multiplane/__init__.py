"""multiplane: dependency parsing beyond projectivity.

Parse text with a bundled model, and walk through the words:

>>> import multiplane as mp
>>> parser = mp.load("en")
>>> corpus = parser.parse("She left the house. He stayed.")
>>> sentence = corpus[0]
>>> [(token.form, token.deprel, token.head_id) for token in sentence][:2]
[('She', 'nsubj', 2), ('left', 'root', 0)]
>>> sentence[1].children
[<Token 1 She: nsubj of 2 left>, <Token 4 house: obj of 2 left>, <Token 5 .: punct of 2 left>]
>>> sentence.is_projective
True

Treebanks: `read` and `write` keep every byte, whatever the format; `read_conllu`, `read_conllx`, `write_conllu` and
`write_conllx` ignore the file's suffix. `sample` is a small treebank that comes with the package. A `Corpus` is a
sequence of `Sentence`, which is a sequence of `Token`; all can be edited, exported (`to_dict`, `to_pandas`, ...), and
drawn with `draw`.

>>> treebank = mp.sample()
>>> treebank[30].planarity, len(treebank.filter(lambda sentence: not sentence.is_planar))
(2, 31)

Parsers: `load` and `train` return a `Parser`; `evaluate` returns the `Scores` of its trees, and `compare` tests whether
two parsers differ significantly. `load_tokenizer` and `train_tokenizer` are for your own tokenizers.

Theory: `DependencyGraph` decides planarity and other properties exactly, with certificates; `systems` are the
transition systems of the literature, `oracle` derives graphs and computes the cost of transitions, `reconstruct` turns
undirected edges into trees.

All errors caused by bad input derive from `MultiplaneError`. `multiplane --help` lists the shell commands.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from multiplane.data import sample
from multiplane.display import draw
from multiplane.errors import (
    ColumnError,
    FormatError,
    GraphError,
    InputError,
    ModelError,
    MultiplaneError,
    SentenceError,
    TrainingError,
    TransitionError,
    TransitionSystemError,
)
from multiplane.formats import (
    Corpus,
    Sentence,
    Token,
    read,
    read_conllu,
    read_conllx,
    write,
    write_conllu,
    write_conllx,
)
from multiplane.graphs import DependencyGraph, reconstruct
from multiplane.systems import systems
from multiplane.version import __version__

if TYPE_CHECKING:
    from multiplane.evaluation import Scores, compare, evaluate
    from multiplane.oracles import oracle
    from multiplane.parser import Parser, load, load_tokenizer, train, train_tokenizer
else:
    # Commands that need no parser start much faster without importing its rooms.
    _LATER = {
        "evaluation": ("Scores", "compare", "evaluate"),
        "oracles": ("oracle",),
        "parser": ("Parser", "load", "load_tokenizer", "train", "train_tokenizer"),
        **dict.fromkeys(("analysis", "features", "models", "text", "training", "visual"), ()),
    }

    def __getattr__(name: str) -> Any:
        """Imports names and packages on first use."""
        if name in _LATER:
            return _import_module(f"multiplane.{name}")
        for room, names in _LATER.items():
            if name in names:
                return globals().setdefault(name, getattr(_import_module(f"multiplane.{room}"), name))
        raise AttributeError(f"module 'multiplane' has no attribute '{name}'")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


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
    "SentenceError",
    "Token",
    "TrainingError",
    "TransitionError",
    "TransitionSystemError",
    "__version__",
    "compare",
    "draw",
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
