"""Latent-variable models with random weights, and random sentences for them."""

from __future__ import annotations

import numpy as np

from latent_reference import Gold, Model, loss_of
from multiplane import _native
from multiplane.models.latent_look import default_look
from multiplane.oracles.spec import static_spec
from multiplane.systems import systems

UNITS = 8
CHANNEL_SIZES = [3 + 7, 3 + 3, 3 + 4, 3 + 2]
WORDS_OF_TAG = [2, 4, 1]
LABELS = (3, 4)
SENSE_NUMBERS = [3, 4, 2, 5, 6]
CANDIDATES = [[0, 1], [2], [3, 4, 0]]

SYNTAX = {
    "2-planar-eager": systems["2-planar-eager"].trees(),
    "arc-eager": systems["arc-eager"].trees("right"),
    "arc-standard": systems["arc-standard-stack"].trees("left"),
}
SEMANTICS = {
    "last-resort": (systems["swap-graph"], "last-resort"),
    "exhaustive": (systems["swap-graph"], "exhaustive"),
    "planar": (systems["planar[]"], "planar"),
    "2-planar": (systems["2-planar[]"], "planar"),
}


def random_tree(random: np.random.Generator, n: int) -> list[int]:
    order = random.permutation(n) + 1
    heads = [0] * n
    for place, word in enumerate(order.tolist()):
        heads[word - 1] = int(random.choice(order[:place])) if place else 0
    return heads


class Case:
    """A model with random weights, and random sentences."""

    def __init__(
        self,
        syntax: str,
        semantics: str,
        generative: bool,
        seed: int,
        sizes: list[int],
        labels: tuple[int, int] = LABELS,
    ) -> None:
        self.random = random = np.random.default_rng(seed)
        self.labels = labels
        tree, (graph, strategy) = SYNTAX[syntax], SEMANTICS[semantics]
        self.systems, self.specs = (tree, graph), (static_spec(tree), static_spec(graph, strategy))
        look = default_look(generative, tree.stacks)
        self.model = Model(
            self.systems, dict(look.connections), dict(look.features), CHANNEL_SIZES, labels, SENSE_NUMBERS,
            CANDIDATES, WORDS_OF_TAG, UNITS, generative,
        )  # fmt: skip
        first = np.cumsum([0, *map(len, CANDIDATES)]).tolist()
        self.shape = _native.LatentShape(
            tree.program, graph.program.parsing_graphs(), look.rows(), CHANNEL_SIZES, labels, SENSE_NUMBERS, first,
            [sense for senses in CANDIDATES for sense in senses], np.cumsum([0, *WORDS_OF_TAG]).tolist(), UNITS,
            generative,
        )  # fmt: skip
        self.weights = [random.normal(0, 0.3, size).astype(np.float32) for size in self.shape.sizes]
        self.learner = _native.LatentLearner(
            self.shape, *self.specs, self.weights, [0.0] * CHANNEL_SIZES[0], list(range(CHANNEL_SIZES[0]))
        )
        self.golds = [self.sentence(n) for n in sizes]

    def sentence(self, n: int) -> Gold:
        random = self.random
        heads, labels = random_tree(random, n), random.integers(self.labels[0], size=n).tolist()
        tags = random.integers(len(WORDS_OF_TAG), size=n)
        numbers, senses = [], []
        for tag in tags.tolist():
            form = sum(WORDS_OF_TAG[:tag]) + int(random.integers(WORDS_OF_TAG[tag]))
            lemma = int(random.integers(-1, len(CANDIDATES)))
            rest = [int(random.integers(2, size)) for size in CHANNEL_SIZES[2:]]
            numbers.append([form + 3, tag + 3, *rest, lemma])
            sense = int(random.choice(CANDIDATES[lemma])) if lemma >= 0 else -2
            senses.append(sense if random.random() < 0.5 else -1)
        predicates = [word for word in range(1, n + 1) if senses[word - 1] != -1]
        arcs = sorted(
            {(w, int(random.choice(predicates))) for w in random.integers(1, n + 1, size=n + 1).tolist() if predicates}
        )
        arcs = [(word, predicate) for word, predicate in arcs if word != predicate]
        roles = random.integers(self.labels[1], size=len(arcs)).astype(np.int32)
        layers = (
            (heads, list(range(1, n + 1)), labels),
            ([head for _, head in arcs], [word for word, _ in arcs], roles.tolist()),
        )
        self.learner.add(
            np.array([n], np.int32), np.array(numbers, np.int32).reshape(-1), np.array(heads, np.int32),
            np.array(labels, np.int32), np.array(senses, np.int32), np.array([0, len(arcs)], np.int64),
            *(np.array(column, np.int32) for column in layers[1]),
        )  # fmt: skip
        derivations = []
        for system, spec, columns in zip(self.systems, self.specs, layers, strict=True):
            arrays = [np.array(column, np.int32) for column in columns]
            sequence = _native.derive_graph(system.program, spec, n, *arrays).sequence
            names = list(system.transitions)
            derivations.append([(names[transition], label) for transition, _, label in sequence])
        return Gold(numbers, senses, (derivations[0], derivations[1]))

    def loss(self, weights: list[np.ndarray]) -> float:
        wide = [array.astype(np.float64) for array in weights]
        return sum(loss_of(self.model, gold, wide) for gold in self.golds)

    def native(self) -> tuple[float, list[np.ndarray]]:
        return self.learner.gradient(np.arange(len(self.golds)))
