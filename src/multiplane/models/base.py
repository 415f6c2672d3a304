"""Base class and checks shared by all kinds of models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import GraphError, ModelError, SentenceError
from multiplane.formats import Corpus, Dialect
from multiplane.formats.fields import FORBIDDEN
from multiplane.graphs import DependencyGraph
from multiplane.graphs.codecs import PLAIN, Codec, Decoder, Undirected, codec_of
from multiplane.models.calibration import Calibration, nearest
from multiplane.models.evidence import Evidence, certain_where_fixed
from multiplane.models.protocol import Contents, FixedArcs, GraphLayer, Tags, Trees
from multiplane.models.reading import Reading, with_own_lemmas
from multiplane.models.record import TrainingRecord
from multiplane.models.scored import ScoredDerivation, chosen_rows, options_of
from multiplane.models.toml import Table, taken_or
from multiplane.oracles.spec import has_dynamic_oracle
from multiplane.systems import Action, TransitionSystem

MOST_LABELS = 65_535
MOST_BEAM = 20_000
_CODECS = {"pseudo-projective": "pseudo_projective", "undirected": "reconstruction"}
"""The key in config.toml for each kind of codec."""


class NativeParser(Protocol):
    """A parser of the native core; the type of its column indices differs between parsers."""

    def parse(
        self,
        text: bytes,
        index: _native.Index,
        columns: Any,
        beam: int,
        /,
        fixed_heads: NDArray[np.int32] | None = None,
        fixed_labels: NDArray[np.int32] | None = None,
        first_forbidden: NDArray[np.int32] | None = None,
        forbidden: NDArray[np.int32] | None = None,
    ) -> tuple[Any, ...]:
        """Returns heads, label indices, whether fixed arcs were kept, scores, and tag indices if it predicts tags."""

    def evidence(
        self,
        text: bytes,
        index: _native.Index,
        columns: Any,
        beam: int,
        most: int,
        temperature: float,
        /,
        fixed_heads: NDArray[np.int32] | None = None,
        fixed_labels: NDArray[np.int32] | None = None,
        first_forbidden: NDArray[np.int32] | None = None,
        forbidden: NDArray[np.int32] | None = None,
    ) -> tuple[Any, ...]:
        """Returns the fields of `Evidence`."""

    def derivations(
        self, text: bytes, index: _native.Index, columns: Any, beam: int, /
    ) -> list[list[tuple[int, int, int]]]:
        """Returns transitions, their parameters, and labels."""

    def scored_derivation(
        self,
        text: bytes,
        index: _native.Index,
        columns: Any,
        beam: int,
        chosen: list[tuple[int, int, list[int]]],
        /,
    ) -> tuple[Any, ...]:
        """Returns the same for one sentence after a given prefix, with the legal transitions of every configuration."""


class TransitionModel(ABC):
    """A model that parses in the native core; subclasses are frozen dataclasses with these fields."""

    kind: ClassVar[str]
    scores_are_odds: ClassVar[bool] = False
    """Whether scores of the beam are log probabilities."""

    system: TransitionSystem
    labels: tuple[str, ...]
    """The vocabulary of labels, as the codec marks them."""
    root_label: str
    """The label of the root word, if the system has no artificial root."""
    beam: int
    codec: Codec
    record: TrainingRecord
    calibrations: tuple[Calibration, ...]

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the fields; the native parser is rebuilt."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        check_labels(self.labels, self.root_label)
        check_codec(self.system, self.codec)
        self._parser  # noqa: B018 - wrong weights are refused at once

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The columns of a treebank that it reads."""

    @property
    @abstractmethod
    def needs_tags(self) -> bool:
        """Whether it reads columns other than FORM."""

    @abstractmethod
    def contents(self) -> Contents:
        """Returns the contents of the model directory."""

    @property
    def graph_layer(self) -> GraphLayer | None:
        """The layer that it predicts in addition to trees, if any."""
        return None

    @property
    def graph_system(self) -> TransitionSystem | None:
        """The transition system of that layer."""
        return None

    def graph_derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[Action]]:
        """Raises `ModelError`: this model builds no graphs."""
        raise ModelError("this model predicts only trees, no graphs")

    @property
    def reads_trees(self) -> bool:
        """Whether it predicts graphs for the trees of the input."""
        return False

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The labels of trees: the vocabulary without the codec's marks."""
        return self._decoder.names

    @cached_property
    def _decoder(self) -> Decoder:
        return self.codec.decoder(self.labels, has_root=self.system.root is not None)

    @cached_property
    def _shown_labels(self) -> tuple[str, ...]:
        """The vocabulary as shown in derivations, without direction marks."""
        if not self.system.is_undirected:
            return self.labels
        return tuple(self.names[place] for place in self._decoder.plain.tolist())

    @cached_property
    def _program(self) -> _native.Program:
        return program_of(self.system, self.codec, self.labels)

    @cached_property
    def _parser(self) -> NativeParser:
        try:
            return self._native_parser()
        except (ValueError, TypeError) as error:
            raise ModelError(f"the weights do not fit the model: {str(error).splitlines()[0]}") from None

    @abstractmethod
    def _native_parser(self) -> NativeParser:
        """Returns the native parser; raises `ValueError` or `TypeError` if the weights do not fit."""

    @abstractmethod
    def _columns(self, dialect: Dialect) -> Any:
        """Returns the column indices that the native parser needs."""

    @property
    def predicted_columns(self) -> tuple[str, ...]:
        """The columns that it predicts in addition to trees."""
        return ()

    def _tagged(self, *predicted: Any) -> tuple[Tags, ...]:
        """Converts predicted tag indices to `Tags`."""
        return ()

    def _width(self, beam: int | None) -> int:
        return self.beam if beam is None else check_width(beam)

    def parse(
        self,
        corpus: Corpus,
        beam: int | None = None,
        fixed: FixedArcs | None = None,
        predicates: NDArray[np.int8] | None = None,
    ) -> Trees:
        """Returns the trees of all sentences, and predicted tags."""
        if predicates is not None:
            raise ModelError("this model predicts no predicates; drop --keep-predicates")
        if fixed is not None:
            check_constraints(self.system, self.codec, fixed)
        read = self._reading.read(corpus)
        heads, labels, complete, scores, *predicted = self._parsed(
            read, beam, **({} if fixed is None else self._native_fixed(fixed))
        )
        if fixed is not None and not complete.all():
            raise incomplete(corpus, int(complete.argmin()), self.system, fixed)
        tags = self._tagged(*predicted)
        if read is not corpus:
            tags = with_own_lemmas(tags, corpus, read)
        heads, labels = self._decoder.decode(corpus.lengths, heads, labels, None if fixed is None else fixed.heads)
        if fixed is not None and (lost := np.flatnonzero((fixed.heads >= 0) & (fixed.heads != heads))).size:
            sentence = int(np.searchsorted(np.cumsum(corpus.lengths), lost[0], side="right"))
            raise incomplete(corpus, sentence, self.system, fixed)
        return Trees(heads, labels, tags, scores)

    def _parsed(self, corpus: Corpus, beam: int | None, **fixed: NDArray[np.int32]) -> tuple[Any, ...]:
        """Returns the output of the native parser, before decoding."""
        columns, given = self._columns(corpus.dialect), self._given(corpus)
        return self._parser.parse(corpus._text, corpus._index, columns, self._width(beam), **fixed, **given)

    @cached_property
    def _reading(self) -> Reading:
        """How the model reads forms."""
        return Reading()

    def _given(self, corpus: Corpus) -> dict[str, Any]:
        """Returns further inputs of the native parser."""
        return {}

    def edges(self, corpus: Corpus, beam: int | None = None) -> Trees:
        """Returns the edges of an undirected parser before reconstruction, as trees directed away from the root."""
        if not self.system.is_undirected:
            raise ModelError(f"{self.system.name} builds directed arcs; only undirected parsers have edges")
        if self.system.root is None:
            return self.parse(corpus, beam)  # reconstruction only adds the arc from the root
        heads, labels, *_ = self._parsed(self._reading.read(corpus), beam)
        return Trees(heads, self._decoder.plain[labels])

    def _native_fixed(self, fixed: FixedArcs) -> dict[str, NDArray[np.int32]]:
        """Returns the constraints for the native parser. Labels of undirected edges are only known after decoding."""
        forbidden = fixed.forbidden
        found = {} if forbidden is None else {"first_forbidden": forbidden.first, "forbidden": forbidden.heads}
        if not has_dynamic_oracle(self.system):
            return found
        if self.system.is_undirected:
            return found | {"fixed_heads": fixed.heads}
        return found | {"fixed_heads": fixed.heads, "fixed_labels": fixed.labels}

    def calibration(self, beam: int | None = None) -> Calibration | None:
        """Returns the calibration for the nearest beam width; None if the model is not calibrated."""
        return nearest(self.calibrations, self._width(beam))

    def temperature(self, beam: int | None = None) -> float:
        """Returns the divisor that turns scores into log probabilities."""
        calibration = self.calibration(beam)
        return self._usual_temperature if calibration is None else calibration.temperature

    @property
    def _usual_temperature(self) -> float:
        return 1.0

    def evidence(
        self,
        corpus: Corpus,
        beam: int | None = None,
        fixed: FixedArcs | None = None,
        most: int = 1,
        temperature: float | None = None,
    ) -> Evidence:
        """Returns the evidence for the arcs of the best trees, at most k per sentence."""
        if fixed is not None:
            check_constraints(self.system, self.codec, fixed)
        columns, read = self._columns(corpus.dialect), self._reading.read(corpus)
        found = Evidence(
            *self._parser.evidence(
                read._text,
                read._index,
                columns,
                self._width(beam),
                most,
                temperature or self.temperature(beam),
                **({} if fixed is None else self._native_fixed(fixed)),
                **self._given(read),
            )
        )._replace(scores_heads=self.scores_heads)
        if fixed is not None and not found.complete.all():
            raise incomplete(corpus, int(found.complete.argmin()), self.system, fixed)
        return certain_where_fixed(found, corpus, fixed)

    def with_calibration(self, calibration: Calibration) -> Self:
        """Returns the model with a calibration for one beam width, which replaces an earlier one."""
        others = [each for each in self.calibrations if each.beam != calibration.beam]
        together = tuple(sorted((*others, calibration), key=lambda each: each.beam))
        return replace(self, calibrations=together)  # type: ignore[type-var]

    def derivations(self, corpus: Corpus, beam: int | None = None) -> list[list[Action]]:
        """Returns the transitions of all sentences; they build the tree before decoding."""
        return actions_of(self._sequences(corpus, beam), self.system, self._shown_labels)

    @property
    def scores_heads(self) -> bool:
        """Whether the model scores the heads of all words before it parses."""
        return False

    @property
    def scores_are_probabilities(self) -> bool:
        """Whether the scores of transitions are log probabilities."""
        return self.scores_are_odds and self.record.settings.get("loss") != "margin"

    def scored_derivation(
        self, corpus: Corpus, prefix: Sequence[str | Action] = (), beam: int | None = None
    ) -> ScoredDerivation:
        """Returns the derivation of one sentence after a prefix, with the legal transitions of every configuration."""
        read = self._reading.read(corpus)
        sequence, first, *options, complete = self._parser.scored_derivation(
            read._text,
            read._index,
            self._columns(corpus.dialect),
            self._width(beam),
            chosen_rows(prefix, self.system, int(corpus.lengths[0]), self._shown_labels),
            **self._given(read),
        )
        labels = self._shown_labels
        return ScoredDerivation(
            actions_of([sequence], self.system, labels)[0],
            options_of(self.system, labels, first, options, probable=self.scores_are_probabilities),
            complete,
        )

    def _sequences(self, corpus: Corpus, beam: int | None) -> list[list[tuple[int, int, int]]]:
        read, columns = self._reading.read(corpus), self._columns(corpus.dialect)
        given = self._given(read)
        return self._parser.derivations(read._text, read._index, columns, self._width(beam), **given)

    def graphs(self, corpus: Corpus, beam: int | None = None) -> list[DependencyGraph]:
        """Returns the graphs that the derivations build, with any number of heads per word, before decoding.

        The arcs of an undirected parser are its edges, with the smaller node as the head.
        """
        found = []
        for n, sequence in zip(corpus.lengths.tolist(), self._sequences(corpus, beam), strict=True):
            c = _native.Configuration(self._program, n)
            for step in sequence:
                c.apply(*step)
            found.append(
                DependencyGraph(n, [(head, word, self._shown_labels[label]) for head, word, label, _ in c.arcs])
            )
        return found

    def with_record(self, record: TrainingRecord) -> Self:
        """Returns the model with another training record."""
        return replace(self, record=record)  # type: ignore[type-var]


def program_of(system: TransitionSystem, codec: Codec, labels: Sequence[str]) -> _native.Program:
    """Returns the program of a parser: the system's, with the directions encoded in edge labels."""
    directions = codec.directions(labels)
    return system.program.with_label_directions(directions) if directions else system.program


def check_labels(labels: tuple[str, ...], root_label: str) -> None:
    """Raises `ModelError` if a label vocabulary is invalid."""
    if not 1 <= len(labels) <= MOST_LABELS:
        raise ModelError(f"a model has 1 to {MOST_LABELS:,} labels, not {len(labels):,}")
    if len(set(labels)) < len(labels):
        raise ModelError("duplicate label in the vocabulary")
    if wrong := next(filter(FORBIDDEN.search, labels), None):
        raise ModelError(f"the label {wrong!r} has a character that no field can contain")
    if root_label not in labels:
        raise ModelError(f"the root label '{root_label}' is not in the vocabulary")


def check_codec(system: TransitionSystem, codec: Codec) -> None:
    """Raises `ModelError` if a codec does not fit the system."""
    if system.is_undirected and not isinstance(codec, Undirected):
        raise ModelError(f"labels.reconstruction is missing, but {system.name} builds undirected edges")
    if isinstance(codec, Undirected) and not system.is_undirected:
        raise ModelError(f"labels.reconstruction is for undirected systems, but {system.name} builds directed arcs")
    if isinstance(codec, Undirected) and codec.name == "naive" and system.root is None:
        raise ModelError("naive reconstruction needs an artificial root, but this model has none")


def check_width(beam: int) -> int:
    """Returns a beam width; raises `ModelError` if it is out of range.

    >>> check_width(8)
    8
    """
    if not 1 <= beam <= MOST_BEAM:
        raise ModelError(f"the beam is out of range: {beam}")
    return beam


def check_can_keep_heads(system: TransitionSystem, codec: Codec) -> None:
    """Raises `ModelError` if a parser cannot keep given heads."""
    if not codec.keeps_heads:
        raise ModelError(
            f"a {codec.kind} model cannot keep heads, because decoding may change them; "
            f"train one without --{codec.kind}"
        )
    if not has_dynamic_oracle(system):
        raise ModelError(
            f"{system.name} has no dynamic oracle, so its parsers cannot keep heads; "
            "train one with 2-planar, planar, arc-eager, arc-hybrid or covington"
        )


def check_constraints(system: TransitionSystem, codec: Codec, fixed: FixedArcs) -> None:
    """Raises `ModelError` if a parser cannot meet constraints of this kind."""
    if fixed.forbidden is None or bool((fixed.heads >= 0).any()):
        check_can_keep_heads(system, codec)
    if fixed.forbidden is None:
        return
    if system.is_undirected:
        raise ModelError(
            f"{system.name} builds undirected edges, so its parsers cannot avoid arcs; "
            "train one with 2-planar, planar, arc-eager, arc-hybrid or covington"
        )
    if not codec.keeps_heads:
        raise ModelError(
            f"a {codec.kind} model cannot avoid arcs, because decoding may change heads; "
            f"train one without --{codec.kind}"
        )


def labels_to_table(root_label: str, codec: Codec) -> Table:
    """Returns the table of labels for config.toml.

    >>> labels_to_table("root", codec_of("head"))
    {'root': 'root', 'pseudo_projective': 'head', 'reconstruction': None}
    """
    return {"root": root_label, **{key: codec.name if kind == codec.kind else None for kind, key in _CODECS.items()}}


def codec_in(labels: Table) -> Codec:
    """Returns the codec named in a stored table of labels."""
    if all(labels.get(key) is not None for key in _CODECS.values()):
        raise ModelError(f"labels: only one of {' and '.join(_CODECS.values())} can be given")
    for kind, key in _CODECS.items():
        name = taken_or(labels, key, str, None)
        if name is None:
            continue
        try:
            codec = codec_of(name)
        except GraphError as error:
            raise ModelError(f"labels.{key}: {error}") from None
        if codec.kind != kind:
            raise ModelError(f"labels.{key}: {name} is {codec.kind}")
        return codec
    return PLAIN


def incomplete(corpus: Corpus, number: int, system: TransitionSystem, fixed: FixedArcs) -> SentenceError:
    """Returns the error for a sentence for which no tree was found that meets its constraints."""
    where = corpus[number].where
    if fixed.forbidden is None:
        return SentenceError(
            f"{where}: cannot keep all given heads: {system.title} found no tree that has them; change some, or write _"
        )
    start = int(corpus.lengths[:number].sum())
    allowed = [_allowed_heads(fixed, start, word, len(corpus[number])) for word in range(1, len(corpus[number]) + 1)]
    stuck = [word for word, heads in enumerate(allowed, 1) if not heads]
    if stuck:
        why = f"the constraints contradict each other: no head is allowed for word {stuck[0]}"
    elif not any(0 in heads for heads in allowed):
        why = "the constraints contradict each other: no word may be the root"
    else:  # there may be one, as the search is not exhaustive in longer sentences
        why = f"{system.title} found no tree with the given heads and without forbidden arcs"
    return SentenceError(f"{where}: {why}; change the given heads, or forbid fewer arcs")


def _allowed_heads(fixed: FixedArcs, start: int, word: int, n: int) -> set[int]:
    assert fixed.forbidden is not None
    first, last = fixed.forbidden.first[start + word - 1 : start + word + 1]
    given = int(fixed.heads[start + word - 1])
    heads = set(range(n + 1)) - {word} if given < 0 else {given}
    return heads - set(fixed.forbidden.heads[first:last].tolist())


def actions_of(
    sequences: Sequence[Sequence[tuple[int, int, int]]], system: TransitionSystem, labels: tuple[str, ...]
) -> list[list[Action]]:
    """Converts transition indices, parameters and label indices (or -1) to actions.

    >>> from multiplane.systems import systems
    >>> [str(action) for action in actions_of([[(0, 0, -1), (2, 0, 1)]], systems["planar"], ("det", "obj"))[0]]
    ['SHIFT', 'LEFT-ARC(obj)']
    """
    names = system.names
    return [
        [
            Action(number, names[number], parameter, None if label < 0 else labels[label])
            for number, parameter, label in sequence
        ]
        for sequence in sequences
    ]
