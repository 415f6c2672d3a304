"""Averaged perceptrons of trees and graphs, trained together in synchronous derivations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import TrainingError
from multiplane.models import LinearWeights
from multiplane.models.base import MOST_LABELS
from multiplane.models.joint_linear import JointLinearModel, LinearLayer, weights_in
from multiplane.models.linear import attributes_in, native_features
from multiplane.oracles.spec import oracle_spec, static_spec
from multiplane.systems import systems
from multiplane.training.data import TrainingData
from multiplane.training.joint_config import JointLinearSettings
from multiplane.training.joint_data import GraphData
from multiplane.training.perceptron import CHUNK, is_dynamic, restore_learner, state_of

_PARTS = ("syntax", "semantics", "predicates")


class JointPerceptron:
    """Learns the weights of a joint linear model, epoch by epoch.

    >>> from multiplane import sample
    >>> from multiplane.training.data import prepare
    >>> from multiplane.training.joint_data import semantic_data
    >>> settings, corpus = JointLinearSettings(), sample("conll09")
    >>> learner = JointPerceptron(prepare([corpus], settings), semantic_data([corpus]), settings)
    >>> errors = [learner.epoch(number)[0] for number in (1, 2, 3)]
    >>> errors[2] < errors[0]
    True
    """

    def __init__(self, data: TrainingData, graphs: GraphData, settings: JointLinearSettings) -> None:
        assert graphs.senses is not None
        for what, names in (("roles", graphs.names), ("senses", graphs.senses.names)):
            if len(names) > MOST_LABELS:
                raise TrainingError(f"too many {what}: {len(names):,}; a model can have at most {MOST_LABELS:,}")
        self._data, self._graphs, self._settings = data, graphs, settings
        self._dynamic = is_dynamic(data, settings)
        self._prune = settings.prune_for(data.words)
        self._features = settings.feature_model(data.system)
        self._compiled = self._features.compile()
        system = systems[settings.semantics]
        self._layer = LinearLayer(
            system,
            *settings.graph_features(system),
            graphs.names,
            graphs.senses,
            lifted=settings.planarize == "head",
            reads_trees=settings.task == "semantics",
        )
        trees, (arcs, words) = self._compiled, self._layer.compiled
        order = static_spec(system, settings.strategy)
        bits = settings.bits
        learned = (
            _native.LearnedLayer(
                data.program, native_features(trees, bits), oracle_spec(data.system), len(data.vocabulary)
            ),
            _native.LearnedLayer(self._layer.program, native_features(arcs, bits), order, len(graphs.names)),
            _native.LearnedPredicates(native_features(words, bits), self._layer.senses.native, self._layer.sense_count),
        )
        self._native = _native.JointPerceptron(*learned)
        self._learners = dict(zip(_PARTS, (part.learner for part in learned), strict=True))
        self._add_sentences()

    def _add_sentences(self) -> None:
        data, graphs = self._data, self._graphs
        parts = (self._compiled, *self._layer.compiled)
        sentence = word = 0
        for corpus, heads, labels in zip(data.corpora, data.heads, data.labels, strict=True):
            place = {name: place for place, name in enumerate(corpus.dialect.columns)}
            first = graphs.first[sentence : sentence + len(corpus) + 1]
            arcs, words = slice(int(first[0]), int(first[-1])), slice(word, word + corpus.words)
            self._native.add(
                corpus._text,
                corpus._index,
                _native.AttributeTables(*(attributes_in(part, corpus.dialect) for part in parts)),
                place.get("lemma", -1),
                place["form"],
                heads,
                labels,
                first - first[0],
                graphs.heads[arcs],
                graphs.dependents[arcs],
                graphs.roles[arcs],
                graphs.predicates[words],
                graphs.word_senses[words].astype(np.int32),
            )
            sentence, word = sentence + len(corpus), word + corpus.words

    def epoch(self, number: int, advance: Callable[[int], None] = lambda sentences: None) -> tuple[float, float | None]:
        """Trains one epoch in random order; returns the percentages of wrong transitions and labels of both layers.

        The order and random choices depend only on the seed and the number of the epoch.
        """
        settings = self._settings
        random = np.random.default_rng([settings.seed, number])
        order = random.permutation(self._data.usable)
        seed = int(random.integers(2**63))
        counts = np.zeros((len(_PARTS), 4), np.int64)
        for begin in range(0, len(order), CHUNK):
            chunk = order[begin : begin + CHUNK]
            counts += self._native.train(
                chunk,
                seed=seed,
                trees_given=settings.task == "semantics",
                dynamic=self._dynamic,
                exploration=settings.exploration if self._dynamic and number >= settings.explore_from else 0.0,
                margin=settings.margin,
                label_margin=settings.label_margin,
                regularized=settings.regularized,
                dropout=settings.dropout,
            )
            advance(len(chunk))
        steps, wrong, arcs, wrong_labels = counts[:2].sum(axis=0).tolist()
        return 100 * wrong / max(steps, 1), 100 * wrong_labels / arcs if arcs else None

    def model(self) -> JointLinearModel:
        """Returns the current model, with averaged weights."""
        frozen = (LinearWeights(*learner.freeze(self._prune)).in_order() for learner in self._learners.values())
        return self._model(*frozen)

    def model_of(self, weights: dict[str, NDArray[Any]]) -> JointLinearModel:
        """Returns a model with stored weights."""
        return self._model(*weights_in(weights).values())

    def _model(self, trees: LinearWeights, graphs: LinearWeights, predicates: LinearWeights) -> JointLinearModel:
        data = self._data
        return JointLinearModel(
            data.system,
            self._features,
            data.vocabulary,
            data.root_label,
            trees,
            self._settings.bits,
            codec=data.codec,
            semantics=self._layer,
            graph_weights=graphs,
            predicate_weights=predicates,
        )

    def state(self) -> dict[str, NDArray[Any]]:
        """Returns the state for resuming training."""
        found: dict[str, NDArray[Any]] = {}
        for part, learner in self._learners.items():
            found |= {f"{part}.{name}": array for name, array in state_of(learner).items()}
        return found

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Restores a state."""
        for part, learner in self._learners.items():
            prefix = f"{part}."
            restore_learner(
                learner, {name.removeprefix(prefix): array for name, array in state.items() if name.startswith(prefix)}
            )
