"""Neural models: a BiLSTM over the words, and small layers that score transitions, labels, heads, tags and lemmas.

They are trained with torch but parse without it, unless they have a pretrained encoder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane._native import ChannelKind
from multiplane.errors import FeatureError, ModelError, TrainingError
from multiplane.features import FeatureModel, Node, node_tables, parse_node
from multiplane.formats import Corpus, Dialect
from multiplane.formats.fields import FORBIDDEN
from multiplane.formats.treebank import joined
from multiplane.graphs.codecs import PLAIN, Codec
from multiplane.models.architecture import CHOICES, LATER, Architecture, Look, other_stacks
from multiplane.models.base import TransitionModel, check_width, codec_in, labels_to_table
from multiplane.models.calibration import Calibration, calibrations_from, calibrations_to_table
from multiplane.models.encoder import Encoder, without
from multiplane.models.lemmas import CAPITALS, DICTIONARY, SCRIPTS, SUFFIXES, Lemmas
from multiplane.models.protocol import Contents, Tags
from multiplane.models.reading import Reading
from multiplane.models.record import TrainingRecord
from multiplane.models.systems import system_from_table, system_to_table
from multiplane.models.toml import Table, taken, taken_or
from multiplane.oracles.spec import oracle_spec
from multiplane.systems import TransitionSystem

CHANNELS: dict[str, tuple[str, ChannelKind]] = {
    "form": ("form", ChannelKind.LOWER),
    "vectors": ("form", ChannelKind.LOWER),
    "lemma": ("lemma", ChannelKind.WHOLE),
    "upos": ("upos", ChannelKind.WHOLE),
    "xpos": ("xpos", ChannelKind.WHOLE),
    "feats": ("feats", ChannelKind.BAG),
}
"""The input channels of a network: a column, and how to read it."""
CHARACTERS = "characters"
AFFIXES = "affixes"
TAGS = ("upos", "xpos", "feats")
"""The columns that are predicted by classification."""
LEMMA = "lemma"
PREDICTABLE = (*TAGS, LEMMA)
"""The columns that can be predicted."""
_TOGETHER = 500
"""The number of sentences that a pretrained encoder reads at a time."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The vocabularies of a network's inputs and outputs.

    >>> lexicon = Lexicon({"form": ("the",), "characters": ("e", "h", "t")}, {"upos": ("DET", "NOUN")})
    >>> lexicon.channels, lexicon.singles
    (('form',), ('form',))
    """

    given: dict[str, tuple[str, ...]]
    """The vocabularies of channels, in the order of `CHANNELS`, of characters and of affixes."""
    tags: dict[str, tuple[str, ...]]
    """The values of each predicted column."""
    lemmas: Lemmas | None = None
    """None if the network does not predict lemmas."""

    @property
    def predicted(self) -> tuple[str, ...]:
        """The columns that the network predicts."""
        return (*self.tags, *(() if self.lemmas is None else (LEMMA,)))

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that the network has."""
        return tuple(name for name in CHANNELS if name in self.given)

    @property
    def singles(self) -> tuple[str, ...]:
        """The channels with one index per word."""
        return tuple(name for name in self.channels if CHANNELS[name][1] is not ChannelKind.BAG)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the vocabularies."""
        return {"given": self.given, "tags": self.tags, "lemmas": self.lemmas}

    @cached_property
    def native(self) -> _native.Lexicon:
        """The native lexicon."""
        channels = [(CHANNELS[name][1], list(self.given[name])) for name in self.channels]
        characters, affixes = (list(self.given.get(name, ())) for name in (CHARACTERS, AFFIXES))
        return _native.Lexicon(channels, characters, affixes)

    def native_lemmas(self) -> _native.LemmaRules | None:
        """The native lemmatizer, which uses predicted or given UPOS and XPOS."""
        if self.lemmas is None:
            return None
        scripts, dictionary, suffixes, capitals = map(list, self.lemmas.to_vocabularies().values())
        upos, xpos = map(self._lemma_tags, ("upos", "xpos"))
        return _native.LemmaRules(scripts, dictionary, suffixes, capitals, upos, xpos)

    def _lemma_tags(self, column: str) -> _native.LemmaTags:
        tagger = list(self.tags).index(column) if column in self.tags else -1
        channel = self.channels.index(column) if column in self.channels and tagger < 0 else -1
        return _native.LemmaTags(list(self.tags.get(column, ())), tagger, channel)

    def columns(self, dialect: Dialect) -> list[int]:
        """Returns the column indices of the form and all channels in a format; -1 if it has no such column."""
        places = {name: place for place, name in enumerate(dialect.columns)}
        return [places.get(column, -1) for column in ("form", *(CHANNELS[name][0] for name in self.channels))]


class Tables(NamedTuple):
    """The outputs of a network for the words of a sentence."""

    governors: NDArray[np.float32]
    """For no word, the root and every word: its contribution to the hidden layer for labels, as a governor."""
    dependents: NDArray[np.float32]
    """The same as a dependent."""
    odds: NDArray[np.float32]
    """For every word, the probabilities of the root and every word as its head; empty if heads are not predicted."""
    tags: tuple[NDArray[np.float32], ...]
    """For each predicted column, the scores of all values for every word."""

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.dependents) - 2


@dataclass(frozen=True, eq=False)
class NeuralModel(TransitionModel):
    """A neural parser: a BiLSTM encodes the sentence, and small layers score transitions."""

    kind = "neural"
    scores_are_odds = True

    system: TransitionSystem
    shape: Architecture
    look: Look
    lexicon: Lexicon
    labels: tuple[str, ...]
    root_label: str
    weights: dict[str, NDArray[Any]] = field(repr=False)
    beam: int = 1
    exact: bool = False
    """Whether the BiLSTM computes with 32 bits, as in training; 16 bits are faster, with nearly the same results."""
    codec: Codec = PLAIN
    record: TrainingRecord = field(default_factory=TrainingRecord)
    calibrations: tuple[Calibration, ...] = ()
    encoder: Encoder | None = None
    """A pretrained transformer, whose word vectors are inputs of the BiLSTM."""

    def __post_init__(self) -> None:
        for column, values in self.lexicon.tags.items():
            if column not in TAGS or not values or any(map(FORBIDDEN.search, values)):
                raise ModelError(f"tags.{column}: not a vocabulary of tags")
        if not self.lexicon.channels or not self.lexicon.given.keys() <= {*CHANNELS, CHARACTERS, AFFIXES}:
            raise ModelError("the vocabularies are not those of a neural model")
        super().__post_init__()
        heights = {"label": len(self.labels)}
        heights |= {f"tagger.{place}": len(values) for place, values in enumerate(self.lexicon.tags.values())}
        for name, height in heights.items():
            if len(self.weights[name]) != height:
                what = f"'{name}' needs one row for each of its {height:,} names"
                raise ModelError(f"the weights do not fit the model: {what}")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that its channels read."""
        return tuple(dict.fromkeys(CHANNELS[name][0] for name in self.lexicon.channels))

    @property
    def needs_tags(self) -> bool:
        """Whether it was trained with tags or lemmas in the input."""
        return any(column != "form" for column in self.columns)

    @property
    def scores_heads(self) -> bool:
        """Whether the model scores the heads of all words before it parses."""
        return self.shape.arc > 0

    @property
    def predicted_columns(self) -> tuple[str, ...]:
        """The columns that it predicts in addition to trees."""
        return self.lexicon.predicted

    def _tagged(self, *predicted: Any) -> tuple[Tags, ...]:
        values, lemmas = predicted
        names = (*self.lexicon.tags.values(), *(() if self.lexicon.lemmas is None else (tuple(lemmas),)))
        return tuple(Tags(*row) for row in zip(self.predicted_columns, values, names, strict=True))

    def _columns(self, dialect: Dialect) -> list[int]:
        return self.lexicon.columns(dialect)

    @cached_property
    def _reading(self) -> Reading:
        """Forms are read in characters of the training data."""
        return Reading(self.lexicon.given.get(CHARACTERS, ()))

    def _given(self, corpus: Corpus) -> dict[str, Any]:
        """Returns the encoder's vectors of all words, if there is an encoder."""
        if self.encoder is None:
            return {}
        return {"given": self.encoder.rows(corpus.column("form"), corpus.lengths)}

    def _native_parser(self) -> _native.NeuralParser:
        return _native.NeuralParser(
            self._program,
            oracle_spec(self.system),
            self.lexicon.native,
            native_look(self.look, self.shape, self.system),
            as_floats(self.weights),
            self.shape.layers,
            self.shape.units,
            len(self.lexicon.tags),
            self.exact,
            self.labels.index(self.root_label),
            self.lexicon.native_lemmas(),
            0 if self.encoder is None else self.encoder.width,
        )

    def tables(self, corpus: Corpus) -> Iterator[Tables]:
        """Yields the outputs of the network for each sentence.

        >>> from multiplane import load, sample
        >>> tables = next(load("en").model.tables(sample()))
        >>> tables.words, tables.odds.shape, tables.odds.sum(axis=1).round(3).tolist()
        (6, (6, 7), [1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
        """
        corpus, parser, columns = self._reading.read(corpus), self._parser, self._columns(corpus.dialect)
        assert isinstance(parser, _native.NeuralParser)
        for begin in range(0, len(corpus), _TOGETHER):
            sentences = corpus[begin : begin + _TOGETHER]
            given, word = self._given(joined(sentences)), 0
            for sentence in sentences:
                alone, words = joined([sentence]), len(sentence)
                rows = {name: array[word : word + words] for name, array in given.items()}
                _, governors, dependents, odds, tags = parser.tables(alone._text, alone._index, columns, **rows)
                word += words
                yield Tables(
                    governors.reshape(words + 2, self.shape.label_hidden),
                    dependents.reshape(words + 2, self.shape.label_hidden),
                    odds.reshape(words if len(odds) else 0, words + 1),
                    tuple(
                        scores.reshape(words, len(names))
                        for scores, names in zip(tags, self.lexicon.tags.values(), strict=True)
                    ),
                )

    def contents(self) -> Contents:
        """Returns the contents of the model directory."""
        config: dict[str, Any] = {
            "beam": self.beam,
            "exact": self.exact,
            "system": system_to_table(self.system),
            "labels": labels_to_table(self.root_label, self.codec),
            "architecture": asdict(self.shape),
            "look": look_to_table(self.look),
            "calibration": calibrations_to_table(self.calibrations),
        }
        tags = {f"tags.{column}": values for column, values in self.lexicon.tags.items()}
        lemmas = {} if self.lexicon.lemmas is None else self.lexicon.lemmas.to_vocabularies()
        vocabularies = self.lexicon.given | tags | lemmas
        if self.encoder is None:
            return Contents(config, self.weights, self.labels, vocabularies)
        config["encoder"] = {"width": self.encoder.width}
        weights = self.weights | self.encoder.arrays()
        return Contents(config, weights, self.labels, vocabularies, self.encoder.files())

    @classmethod
    def from_contents(cls, contents: Contents, record: TrainingRecord) -> Self:
        """Restores a model from a model directory; checks all values."""
        return cls(**cls.fields_from(contents, record))

    @classmethod
    def fields_from(cls, contents: Contents, record: TrainingRecord) -> dict[str, Any]:
        """Restores the fields of a model from a model directory; checks all values."""
        config, labels = contents.config, taken(contents.config, "labels", dict)
        codec = codec_in(labels)
        vocabularies = dict(contents.vocabularies)
        lemmas = None
        if SCRIPTS in vocabularies:
            lemmas = Lemmas(*(vocabularies.pop(name, ()) for name in (SCRIPTS, DICTIONARY, SUFFIXES, CAPITALS)))
        tags = {name.removeprefix("tags."): vocabularies.pop(name) for name in list(vocabularies) if "." in name}
        encoder = Encoder.of(contents.files, contents.tensors) if contents.files else None
        weights = without(contents.tensors)
        for name, array in weights.items():
            if array.dtype not in ("int8", "float16", "float32"):
                raise ModelError(f"the weights '{name}' are {array.dtype}; expected: int8, float16 or float32")
        system, shape = system_from_table(taken(config, "system", dict)), _shape(taken(config, "architecture", dict))
        return {
            "system": system,
            "shape": shape,
            "look": _look(taken_or(config, "look", dict, None), shape, system),
            "lexicon": Lexicon(vocabularies, tags, lemmas),
            "labels": contents.labels,
            "root_label": taken(labels, "root", str),
            "weights": weights,
            "beam": check_width(taken(config, "beam", int)),
            "exact": taken(config, "exact", bool),
            "codec": codec,
            "record": record,
            "calibrations": calibrations_from(config),
            "encoder": encoder,
        }


_LARGE = 1 << 16
"""Smaller layers are not worth compressing."""


def in_bytes(name: str, array: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Quantizes a layer to 8 bits; returns it with the scale of each row.

    >>> in_bytes("a", np.array([[0.5, -1, 0.25], [2, 0, -4]], np.float32))["a"].tolist()
    [[64, -127, 32], [64, 0, -127]]
    """
    scale = np.maximum(np.abs(array).max(axis=1, initial=0.0), 1e-9) / np.float32(127)
    return {name: np.round(array / scale[:, None]).astype(np.int8), f"{name}.scale": scale}


def compressed(weights: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Returns weights with large layers in 8 bits; the others keep 16.

    >>> small = compressed({"slots": np.ones((1000, 100), np.float16), "label": np.ones((10, 100), np.float16)})
    >>> [(name, array.dtype.name) for name, array in small.items()]
    [('slots', 'int8'), ('slots.scale', 'float32'), ('label', 'float16')]
    """
    found: dict[str, NDArray[Any]] = {}
    for name, array in weights.items():
        large = array.ndim == 2 and array.dtype == np.float16 and array.size >= _LARGE
        found |= in_bytes(name, array.astype(np.float32)) if large else {name: array}
    return found


def is_finite(array: NDArray[Any]) -> bool:
    """Whether all numbers are finite.

    >>> is_finite(np.array([1, np.nan], np.float16))
    False
    """
    return bool(np.isfinite(array.sum(dtype=np.float64)))  # which it is only if all are; faster than to look at each


def as_floats(weights: dict[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """Returns weights in 32 bits; raises `ValueError` if one is not finite."""
    found = {}
    for name, array in weights.items():
        scale = weights.get(f"{name}.scale", np.ones(1, np.float32))
        if scale.shape not in ((1,), array.shape[:1]):  # older models have one scale for all rows
            raise ValueError(f"'{name}.scale' does not have one number for each row")
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused below
            found[name] = np.ascontiguousarray(array, np.float32) * scale.reshape(-1, *[1] * (array.ndim - 1))
            finite = is_finite(found[name])
        if not finite:
            raise ValueError(f"'{name}' has a number that is not finite")
    return found


def native_look(look: Look, shape: Architecture, system: TransitionSystem) -> _native.NeuralLook:
    """Returns the nodes that a network reads, for the native core.

    >>> from multiplane.systems import systems
    >>> look = Architecture().look(FeatureModel.load("2-planar"))
    >>> type(native_look(look, Architecture(), systems["2-planar"])).__name__
    'NeuralLook'
    """
    nodes, places = node_tables((*look.slots, *look.focus))
    count = len(look.slots)
    return _native.NeuralLook(nodes, places[:count], places[count:], other_stacks(system), shape.activation == "relu")


def _look(table: Table | None, shape: Architecture, system: TransitionSystem) -> Look:
    """Restores the nodes that a network reads. Old models do not store them and use fixed slots."""
    if table is None:
        return shape.look(FeatureModel.load("2-planar" if system.stacks > 1 else "planar"))
    return look_from_table(table, system)


def look_to_table(look: Look) -> Table:
    """Returns the nodes that a network reads as a table for config.toml."""
    return {name: list(map(str, nodes)) for name, nodes in look._asdict().items()}


def look_from_table(table: Table, system: TransitionSystem) -> Look:
    """Restores the nodes that a network reads; checks that they fit the system."""
    return Look(_nodes(table, "slots", system), _nodes(table, "focus", system))


def _nodes(table: Table, key: str, system: TransitionSystem) -> tuple[Node, ...]:
    addresses = taken(table, key, list)
    if not all(isinstance(address, str) for address in addresses):
        raise ModelError(f"look.{key}: expected a list of addresses")
    try:
        nodes = tuple(parse_node(address, label=False) for address in addresses)
    except FeatureError as error:
        raise ModelError(f"look.{key}: {error}") from None
    for node in nodes:
        if node.stacks > system.stacks:
            raise ModelError(
                f"look.{key}: {node} needs {node.stacks} stacks or more; {system.name} has {system.stacks}"
            )
        if not node.fits(undirected=system.is_undirected):
            kind = "undirected edges" if system.is_undirected else "directed arcs"
            raise ModelError(f"look.{key}: {node} does not apply to {system.name}, which builds {kind}")
    return nodes


def _shape(table: Table) -> Architecture:
    names = [each.name for each in fields(Architecture)]
    values: dict[str, Any] = {name: taken(LATER | table, name, str if name in CHOICES else int) for name in names}
    try:
        return Architecture(**values)
    except TrainingError as error:
        raise ModelError(f"architecture: {error}") from None
