"""Latent-variable models: the incremental sigmoid belief network of S4, in its feed-forward approximation.

Before every decision of a synchronous derivation, there is a vector of latent units. Its mean depends on the means of
the vectors of structurally related earlier decisions and on observed features; every decision is a softmax over the
legal transitions. Models are trained and run in the native core.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import ModelError, TransitionSystemError
from multiplane.formats import Corpus, Dialect
from multiplane.formats.layers import LayerArcs
from multiplane.graphs import DependencyGraph
from multiplane.graphs.codecs import PLAIN, Codec, Decoder
from multiplane.graphs.codecs.planarized import deplanarize_layer
from multiplane.models.base import actions_of, check_codec, check_labels, check_width, codec_in, labels_to_table
from multiplane.models.joint_parsing import JointAction, semantic_actions
from multiplane.models.latent_look import CHANNELS, LatentLook
from multiplane.models.protocol import Contents, FixedArcs, GraphLayer, Graphs, Trees
from multiplane.models.record import TrainingRecord
from multiplane.models.scored import ScoredDerivation
from multiplane.models.senses import Senses, predicates_of
from multiplane.models.systems import check_graph_system, graph_system_from_table, system_from_table, system_to_table
from multiplane.models.toml import taken
from multiplane.systems import Action, TransitionSystem

ARRAYS = ("bias", "connections", "features", "decisions", "offsets")
"""The names of the weights, in the order of the native core."""
TAG_COLUMNS = ("xpos", "upos")
_RESERVED = 3
"""Reserved indices of a channel: no node, the root, an unknown word."""


@dataclass(frozen=True, eq=False)
class LatentLexicon:
    """The vocabularies of a model.

    A word is stored as tag, tab, form; rare words with the same tag and suffix share a class, after two tabs.
    """

    words: tuple[str, ...]
    """Sorted by tag."""
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    feats: tuple[str, ...]
    senses: Senses
    frequent: NDArray[np.int32] = field(repr=False)
    """For each sense, its feature index; rare senses share one."""
    tag_column: str = "xpos"

    def __post_init__(self) -> None:
        if self.tag_column not in TAG_COLUMNS:
            raise ModelError(f"tags: expected {' or '.join(TAG_COLUMNS)}, not '{self.tag_column}'")
        places = [self._tag_places.get(word.partition("\t")[0], -1) for word in self.words]
        if any(place < 0 for place in places) or sorted(places) != places:
            raise ModelError("words: not sorted by tag")
        if self.frequent.dtype != np.int32 or self.frequent.shape != (len(self.senses.names),):
            raise ModelError("the weights do not fit the model: 'frequent' needs one number per sense")

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the vocabularies; the native tables are rebuilt."""
        return {name: value for name, value in self.__dict__.items() if name in self.__dataclass_fields__}

    @cached_property
    def _tag_places(self) -> dict[str, int]:
        return {tag: place for place, tag in enumerate(self.tags)}

    @cached_property
    def native(self) -> _native.LatentLexicon:
        """The native lexicon."""
        fields = [list(texts) for texts in (self.tags, self.lemmas, self.feats)]
        return _native.LatentLexicon(list(self.words), fields, list(self.senses.of_lemma))

    @property
    def channels(self) -> list[int]:
        """The size of each channel."""
        return [_RESERVED + len(texts) for texts in (self.words, self.tags, self.lemmas, self.feats)]

    @property
    def classes(self) -> list[int]:
        """The offsets of each tag's words."""
        counts = np.bincount([self._tag_places[word.partition("\t")[0]] for word in self.words], None, len(self.tags))
        return [0, *np.cumsum(counts).tolist()]

    def columns(self, dialect: Dialect) -> list[int]:
        """Returns the columns of form, tag, lemma, features, and lemma again for senses; -1 if the format has none."""
        places = {name: place for place, name in enumerate(dialect.columns)}
        return [places.get(name, -1) for name in ("form", self.tag_column, "lemma", "feats", "lemma")]

    def numbers(self, corpus: Corpus) -> NDArray[np.int32]:
        """Returns the vocabulary indices of all words of a corpus, row by row."""
        return self.native.numbers(corpus._text, corpus._index, self.columns(corpus.dialect))


@dataclass(frozen=True, eq=False)
class LatentShape:
    """A model without its weights."""

    system: TransitionSystem
    """The transition system of trees."""
    graph_system: TransitionSystem
    look: LatentLook
    lexicon: LatentLexicon
    labels: tuple[str, ...]
    roles: tuple[str, ...]
    units: int = 80
    generative: bool = False
    """Whether tags and words are predicted."""
    lifted: bool = False
    """Whether arcs were lifted for training, with marks in the labels; parsing undoes this."""

    def __post_init__(self) -> None:
        check_labels(self.roles, self.roles[0] if self.roles else "")
        try:
            check_graph_system(self.graph_system)
        except TransitionSystemError as error:
            raise ModelError(f"semantics: {error}") from None
        self.look.check(self.system, self.graph_system)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the fields; the native shape is rebuilt."""
        return {name: value for name, value in self.__dict__.items() if name in self.__dataclass_fields__}

    @cached_property
    def graph_program(self) -> _native.Program:
        """The system of graphs as the native core runs it."""
        return self.graph_system.program.parsing_graphs()

    @cached_property
    def native(self) -> _native.LatentShape:
        """The shape in the native core; raises `ValueError` if it is inconsistent."""
        candidates = list(self.lexicon.senses.of_lemma.values())
        return _native.LatentShape(
            self.system.program,
            self.graph_program,
            self.look.rows(),
            self.lexicon.channels,
            (len(self.labels), len(self.roles)),
            self.lexicon.frequent.tolist(),
            [0, *np.cumsum([len(senses) for senses in candidates], dtype=int).tolist()],
            list(chain.from_iterable(candidates)),
            self.lexicon.classes,
            self.units,
            self.generative,
        )


@dataclass(frozen=True, eq=False)
class LatentModel:
    """A synchronous parser of trees and graphs."""

    kind = "latent"

    shape: LatentShape
    root_label: str
    weights: dict[str, NDArray[Any]] = field(repr=False)
    beam: int = 20
    codec: Codec = PLAIN
    record: TrainingRecord = field(default_factory=TrainingRecord)

    def __post_init__(self) -> None:
        check_labels(self.shape.labels, self.root_label)
        check_codec(self.system, self.codec)
        self._parser  # noqa: B018 - wrong weights are refused at once

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the fields; the native parser is rebuilt."""
        return {name: value for name, value in self.__dict__.items() if name in self.__dataclass_fields__}

    @property
    def system(self) -> TransitionSystem:
        """The transition system of trees."""
        return self.shape.system

    @property
    def graph_layer(self) -> GraphLayer | None:
        """The layer that it predicts in addition to trees."""
        return "semantics"

    @property
    def graph_system(self) -> TransitionSystem | None:
        """The transition system of graphs."""
        return self.shape.graph_system

    def graph_derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[Action]]:
        """Returns the transitions that build the graphs."""
        return semantic_actions(self.joint_derivations(corpus, beam))

    @property
    def reads_trees(self) -> bool:
        """False: the model predicts trees."""
        return False

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The labels of trees."""
        return self._decoder.names

    @cached_property
    def _decoder(self) -> Decoder:
        return self.codec.decoder(self.shape.labels, has_root=self.system.root is not None)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads."""
        return ("form", self.shape.lexicon.tag_column, "lemma", "feats")

    @property
    def predicted_columns(self) -> tuple[str, ...]:
        """Empty: the model predicts no tags."""
        return ()

    @property
    def needs_tags(self) -> bool:
        """True: the model reads tags."""
        return True

    @cached_property
    def _parser(self) -> _native.LatentParser:
        try:
            arrays = [np.ascontiguousarray(self.weights[name], np.float32) for name in ARRAYS]
            if not all(np.isfinite(array).all() for array in arrays):
                raise ValueError("a number is not finite")
            return _native.LatentParser(self.shape.native, arrays)
        except KeyError as error:
            raise ModelError(f"the weights do not fit the model: {error} is missing") from None
        except (ValueError, TypeError) as error:
            raise ModelError(f"the weights do not fit the model: {str(error).splitlines()[0]}") from None

    def parse(
        self,
        corpus: Corpus,
        beam: int | None = None,
        fixed: FixedArcs | None = None,
        predicates: NDArray[np.int8] | None = None,
    ) -> Trees:
        """Returns trees and graphs; predicates may be given: 1, 0, or -1 (unknown) for each word."""
        if fixed is not None:
            raise ModelError("a latent-variable model cannot keep heads; drop --keep-heads")
        width = self.beam if beam is None else check_width(beam)
        lengths = corpus.lengths.astype(np.int32)
        numbers = self.shape.lexicon.numbers(corpus)
        heads, labels, senses, counts, *arcs, scores = self._parser.parse(lengths, numbers, width, predicates)
        governors, dependents, roles = arcs
        labels = np.where(labels < 0, self.shape.labels.index(self.root_label), labels).astype(np.int32)
        heads, labels = self._decoder.decode(corpus.lengths, heads, labels, None)
        first = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        is_predicate = senses != -1
        predicates_found = predicates_of(corpus, is_predicate, senses, self.shape.lexicon.senses)
        layer = LayerArcs(first, governors, dependents, roles, self.shape.roles)
        if self.shape.lifted:
            layer = deplanarize_layer(corpus.lengths, layer, is_predicate)
        graphs = Graphs(predicates_found, layer)
        return Trees(heads, labels, (), scores, graphs)

    def derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[Action]]:
        """Returns the syntactic transitions of all sentences; they build the tree before decoding."""
        steps = self._steps(corpus, beam)
        rows = [[(t, 0, label) for kind, t, label in sequence if kind == 0] for sequence in steps]
        return actions_of(rows, self.system, self.shape.labels)

    def scored_derivation(
        self, corpus: Corpus, prefix: Sequence[str | Action] = (), beam: int | None = None
    ) -> ScoredDerivation:
        """Raises `ModelError`: the search interleaves both layers, so one layer alone has no scores."""
        raise ModelError(
            "a latent-variable model decides on trees and graphs together, so it cannot score the steps of one layer; "
            "show them without scores"
        )

    def joint_derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[JointAction]]:
        """Returns the transitions of both layers, which build trees and graphs."""
        layers = (("syntax", self.system, self.shape.labels), ("semantics", self.shape.graph_system, self.shape.roles))
        found = []
        for sequence in self._steps(corpus, beam):
            steps = [(layers[kind], (t, 0, label)) for kind, t, label in sequence if kind < len(layers)]
            found.append(
                [JointAction(name, actions_of([[row]], of, labels)[0][0]) for (name, of, labels), row in steps]
            )
        return found

    def _steps(self, corpus: Corpus, beam: int | None) -> list[list[tuple[int, int, int]]]:
        width = self.beam if beam is None else check_width(beam)
        return self._parser.derivations(corpus.lengths.astype(np.int32), self.shape.lexicon.numbers(corpus), width)

    def graphs(self, corpus: Corpus, beam: int | None = None) -> list[DependencyGraph]:
        """Returns the graphs."""
        found = self.parse(corpus, beam).graphs
        assert found is not None
        return [DependencyGraph(n, found.arcs.of(i)) for i, n in enumerate(corpus.lengths.tolist())]

    def edges(self, corpus: Corpus, beam: int | None = None) -> Trees:
        """Raises `ModelError`: the model builds directed arcs."""
        raise ModelError(f"{self.system.name} builds directed arcs; only undirected parsers have edges")

    def with_record(self, record: TrainingRecord) -> Self:
        """Returns the model with another training record."""
        return replace(self, record=record)

    def contents(self) -> Contents:
        """Returns the contents of the model directory."""
        shape, lexicon = self.shape, self.shape.lexicon
        config: dict[str, Any] = {
            "beam": self.beam,
            "units": shape.units,
            "generative": shape.generative,
            "tags": lexicon.tag_column,
            "usual_sense": lexicon.senses.usual,
            "system": system_to_table(shape.system),
            "semantics": {"system": system_to_table(shape.graph_system), "lifted": shape.lifted},
            "labels": labels_to_table(self.root_label, self.codec),
            "look": shape.look.to_table(),
        }
        vocabularies = {"roles": shape.roles} | {name: getattr(lexicon, name) for name in _VOCABULARIES}
        tensors: dict[str, NDArray[Any]] = self.weights | {"frequent": lexicon.frequent}
        return Contents(config, tensors, shape.labels, vocabularies | lexicon.senses.to_vocabularies())

    @classmethod
    def from_contents(cls, contents: Contents, record: TrainingRecord) -> Self:
        """Restores a model from a model directory; checks all values."""
        config, texts = contents.config, contents.vocabularies
        labels, semantics = taken(config, "labels", dict), taken(config, "semantics", dict)
        if missing := {"roles", "senses", "senses.lemmas", *_VOCABULARIES} - texts.keys():
            raise ModelError(f"the vocabulary has no '{min(missing)}'")
        weights = dict(contents.tensors)
        for name, array in weights.items():
            if array.dtype not in (("int32",) if name == "frequent" else ("float16", "float32")):
                raise ModelError(f"the weights '{name}' are {array.dtype}; expected: int32, float16 or float32")
        if "frequent" not in weights:
            raise ModelError("the weights do not fit the model: 'frequent' is missing")
        senses = Senses.from_vocabularies(texts["senses"], texts["senses.lemmas"], taken(config, "usual_sense", str))
        lexicon = LatentLexicon(
            texts["words"],
            texts["tags"],
            texts["lemmas"],
            texts["feats"],
            senses,
            weights.pop("frequent"),
            taken(config, "tags", str),
        )
        shape = LatentShape(
            system_from_table(taken(config, "system", dict)),
            graph_system_from_table(taken(semantics, "system", dict)),
            LatentLook.from_table(taken(config, "look", dict)),
            lexicon,
            contents.labels,
            texts["roles"],
            taken(config, "units", int),
            taken(config, "generative", bool),
            taken(semantics, "lifted", bool),
        )
        beam = check_width(taken(config, "beam", int))
        return cls(shape, taken(labels, "root", str), weights, beam, codec_in(labels), record)


_VOCABULARIES = ("words", "tags", "lemmas", "feats")
assert len(CHANNELS) == len(_VOCABULARIES)
