"""Trains latent-variable parsers; the native core computes gradients and takes the steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import ModelError, TrainingError
from multiplane.formats import Corpus
from multiplane.models.latent import ARRAYS, TAG_COLUMNS, LatentLexicon, LatentModel, LatentShape
from multiplane.models.senses import Senses
from multiplane.oracles.spec import static_spec
from multiplane.systems import systems
from multiplane.training.data import TrainingData
from multiplane.training.joint_data import GraphData
from multiplane.training.latent_config import LatentSettings

CHUNK = 400
"""The number of sentences between checks for an interruption."""
_FIRST = 3
"""The first number of a known word, and of a frequent sense."""
_UNKNOWN = -2
"""The sense of a predicate that has none."""


class LatentLearner:
    """Learns the weights of a latent-variable parser, epoch by epoch."""

    def __init__(self, data: TrainingData, graphs: GraphData, settings: LatentSettings) -> None:
        if graphs.senses is None:
            raise TrainingError("a latent-variable parser learns predicates and their senses; the data has none")
        self._data, self._settings = data, settings
        lexicon, counts = lexicon_of(data.corpora, graphs.senses, graphs.sense_counts, settings.cutoff)
        system = systems[settings.semantics]
        self._shape = LatentShape(
            data.system,
            system,
            settings.look(data.system),
            lexicon,
            data.vocabulary,
            graphs.names,
            settings.units,
            settings.generative,
            settings.planarize == "head",
        )
        self._usable = data.usable
        self._native = _native.LatentLearner(
            self._shape.native,
            static_spec(data.system),
            static_spec(system, settings.strategy),
            self._first_weights(),
            *_hiding(lexicon, counts, settings.word_dropout),
        )
        self._add(graphs)

    def _first_weights(self) -> list[NDArray[np.float32]]:
        """Small random weights; decisions begin with equal odds."""
        random = np.random.default_rng([self._settings.seed, 0])
        units = self._settings.units
        spread = {"connections": (1 / units) ** 0.5, "features": 0.1, "decisions": 0.1}
        sizes = dict(zip(ARRAYS, self._shape.native.sizes, strict=True))
        return [random.normal(0, spread.get(name, 0.0), size).astype(np.float32) for name, size in sizes.items()]

    def _add(self, graphs: GraphData) -> None:
        has_no_sense = (graphs.predicates != 0) & (graphs.word_senses < 0)
        senses = np.where(has_no_sense, _UNKNOWN, graphs.word_senses).astype(np.int32)
        sentence = word = 0
        for corpus, heads, labels in zip(self._data.corpora, self._data.heads, self._data.labels, strict=True):
            first = graphs.first[sentence : sentence + len(corpus) + 1]
            arcs = slice(int(first[0]), int(first[-1]))
            self._native.add(
                corpus.lengths.astype(np.int32),
                self._shape.lexicon.numbers(corpus),
                heads,
                labels,
                senses[word : word + corpus.words],
                first - first[0],
                graphs.heads[arcs],
                graphs.dependents[arcs],
                graphs.roles[arcs],
            )
            sentence, word = sentence + len(corpus), word + corpus.words

    def epoch(self, number: int, advance: Callable[[int], None] = lambda sentences: None) -> tuple[float, float | None]:
        """Trains one epoch in random order; returns the percentage of wrong decisions.

        The order and random choices depend only on the seed and the number of the epoch.
        """
        settings = self._settings
        random = np.random.default_rng([settings.seed, number])
        order = random.permutation(self._usable)
        seed = int(random.integers(2**63))
        decisions = wrong = 0
        chunk = max(CHUNK // settings.batch, 1) * settings.batch
        total = settings.epochs_for(self._data.words) * len(order)
        for begin in range(0, len(order), chunk):
            part = order[begin : begin + chunk]
            done = (number - 1) * len(order) + begin
            loss, made, missed = self._native.train(
                part,
                seed=seed,
                batch=settings.batch,
                rate=settings.learning_rate * max(1 - done / max(total, 1), 0.01),
                decay=settings.weight_decay,
                clip=settings.clip,
                dropout=settings.dropout,
                feature_dropout=settings.feature_dropout,
                threads=settings.threads,
            )
            if not np.isfinite(loss):
                raise _diverged(settings.learning_rate)
            decisions, wrong = decisions + made, wrong + missed
            advance(len(part))
        return 100 * wrong / max(decisions, 1), None

    def model(self) -> LatentModel:
        """Returns the current model. Most weights are those of features, and 16 bits are enough for them."""
        weights: dict[str, NDArray[Any]] = dict(zip(ARRAYS, self._native.state()[1], strict=True))
        return self.model_of(weights | {"features": weights["features"].astype(np.float16)})

    def model_of(self, weights: dict[str, NDArray[Any]]) -> LatentModel:
        """Returns a model with stored weights."""
        kept = {name: weights[name] for name in ARRAYS}
        return LatentModel(self._shape, self._data.root_label, kept, self._settings.beam, self._data.codec)

    def state(self) -> dict[str, NDArray[Any]]:
        """Returns the state for resuming training."""
        steps, *groups = self._native.state()
        named = {
            f"{group}.{name}": array
            for group, arrays in zip(_GROUPS, groups, strict=True)
            for name, array in zip(ARRAYS, arrays, strict=True)
        }
        return {"steps": np.array([steps], np.float64)} | named

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Restores a state."""
        try:
            groups = [[state[f"{group}.{name}"] for name in ARRAYS] for group in _GROUPS]
            self._native.restore(int(state["steps"][0]), *groups)
        except (KeyError, IndexError, TypeError, ValueError):
            raise ModelError("the checkpoint does not fit this training run; start again without --resume") from None


_GROUPS = ("weights", "first", "second")


def lexicon_of(
    corpora: Sequence[Corpus], senses: Senses, uses: NDArray[np.int64], cutoff: int
) -> tuple[LatentLexicon, Counter[str]]:
    """Returns the vocabularies of treebanks, and how often every word of it occurs; `uses` counts senses."""
    tag_column = _tag_column(corpora)
    columns = [(corpus.column("form"), corpus.column(tag_column)) for corpus in corpora]
    pairs = Counter(pair for forms, tags in columns for pair in zip(forms, tags, strict=True))
    known = tuple(sorted({tag for _, tag in pairs}))
    counts: Counter[str] = Counter()
    for (form, tag), count in pairs.items():
        counts[_native.LatentLexicon.keys(form, tag)[0]] += count
    words: Counter[str] = Counter({word: count for word, count in counts.items() if count >= cutoff})
    words += _classes(pairs, words, cutoff)
    place = {tag: number for number, tag in enumerate(known)}
    ordered = tuple(sorted(words, key=lambda word: (place[word.partition("\t")[0]], word)))
    numbers = np.where(uses >= cutoff, _FIRST - 1 + np.cumsum(uses >= cutoff), _FIRST - 1).astype(np.int32)
    fields = [_frequent(corpora, column, cutoff) for column in ("lemma", "feats")]
    return LatentLexicon(ordered, known, fields[0], fields[1], senses, numbers, tag_column), words


def _classes(pairs: Counter[tuple[str, str]], words: Counter[str], cutoff: int) -> Counter[str]:
    """The classes of rare words: by the longest ending that is frequent enough; and one for every tag."""
    rare = {pair: _native.LatentLexicon.keys(*pair)[1:] for pair in pairs}
    rare = {pair: keys for pair, keys in rare.items() if _native.LatentLexicon.keys(*pair)[0] not in words}
    endings: Counter[str] = Counter()
    for pair, keys in rare.items():
        for key in keys:
            endings[key] += pairs[pair]
    kept = {key for key, count in endings.items() if count >= cutoff}
    classes: Counter[str] = Counter({f"{tag}\t\t": 1 for _, tag in pairs})
    for pair, keys in rare.items():
        classes[next((key for key in keys if key in kept), keys[-1])] += pairs[pair]
    return classes


def _frequent(corpora: Sequence[Corpus], column: str, cutoff: int) -> tuple[str, ...]:
    counts = Counter(text for corpus in corpora if column in corpus.dialect.columns for text in corpus.column(column))
    return tuple(sorted(text for text, count in counts.items() if count >= cutoff))


def _tag_column(corpora: Sequence[Corpus]) -> str:
    """The column with the finer tags."""
    values = {column: len({tag for corpus in corpora for tag in set(corpus.column(column))}) for column in TAG_COLUMNS}
    return max(TAG_COLUMNS, key=lambda column: values[column])


def _hiding(lexicon: LatentLexicon, counts: Counter[str], rate: float) -> tuple[list[float], list[int]]:
    """How often every word is hidden, and the class that it is shown as."""
    place = {word: _FIRST + number for number, word in enumerate(lexicon.words)}
    chances, instead = [0.0] * _FIRST, list(range(_FIRST))
    for word, number in place.items():
        tag, _, form = word.partition("\t")
        keys = [] if form.startswith("\t") else _native.LatentLexicon.keys(form, tag)[1:]
        chances.append(rate / (rate + counts[word]) if keys and rate else 0.0)
        instead.append(next((place[key] for key in keys if key in place), number))
    return chances, instead


def _diverged(rate: float) -> TrainingError:
    return TrainingError(
        "training diverged: the loss is no longer finite; "
        f"choose a learning rate below {rate:g} (--set learning-rate={rate / 2:g})"
    )
