"""The loss of a latent-variable model by its definition, one state after another: slow, obvious and in 64 bits.

Shares nothing with the native core but the order of the weights.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from multiplane.systems import Configuration, TransitionSystem

KINDS = ("syntax", "semantics", "predicate")
CHANNELS = ("word", "tag", "lemma", "feats")


@dataclass
class Model:
    """What a model knows, as plain lists."""

    systems: tuple[TransitionSystem, TransitionSystem]
    connections: dict[str, list[str]]
    features: dict[str, list[str]]
    channels: list[int]
    labels: tuple[int, int]
    sense_numbers: list[int]
    candidates: list[list[int]]
    """By lemma."""
    words_of_tag: list[int]
    """How many words each tag has."""
    units: int
    generative: bool


@dataclass
class Gold:
    """A sentence: (channels + 1) numbers for each word, its sense or -1, and the two derivations, with labels."""

    numbers: list[list[int]]
    senses: list[int]
    derivations: tuple[list[tuple[str, int]], list[tuple[str, int]]]


class Layer:
    """A configuration, with the labels of arcs and the transitions taken so far."""

    def __init__(self, system: TransitionSystem, n: int) -> None:
        self.c: Configuration = system.initial(n)
        self.taken: list[str] = []
        self.labels: dict[tuple[int, int], int] = {}
        self.read = 0

    @property
    def front(self) -> int | None:
        return self.c.buffer[0] if self.c.buffer else None

    @property
    def stack(self) -> list[int]:
        return list(self.c.stacks[self.c.active])

    @property
    def top(self) -> int | None:
        return self.stack[-1] if self.stack else None

    def take(self, name: str, label: int, n: int) -> None:
        before = {arc[:2] for arc in self.c.arcs}
        self.c = self.c.apply(name)
        self.taken.append(name)
        for arc in {arc[:2] for arc in self.c.arcs} - before:
            self.labels[arc] = max(label, 0)
        self.read = max(self.read, n - sum(word > 0 for word in self.c.buffer))


class Derivation:
    """Both layers, and in which latent state a word was last at the front or on top."""

    def __init__(self, model: Model, gold: Gold) -> None:
        self.model, self.gold, self.n = model, gold, len(gold.numbers)
        self.layers = [Layer(system, self.n) for system in model.systems]
        self.senses: dict[int, int] = {}
        self.states: list[tuple[str, int | None, int | None]] = []

    @property
    def front(self) -> int:
        return min(layer.read for layer in self.layers) + 1

    @property
    def kind(self) -> str | None:
        """The kind of the next state; None at the end."""
        if self.front <= self.n and self.front not in self.senses:
            return "predicate"
        syntax, semantics = (layer.c.is_terminal for layer in self.layers)
        if syntax and semantics:
            return None
        if syntax or semantics:
            return "semantics" if syntax else "syntax"
        return "semantics" if self.layers[0].read > self.layers[1].read else "syntax"

    def layer(self, kind: str) -> Layer:
        return self.layers[kind != "syntax"]

    def node(self, kind: str, address: str) -> int | None:
        """The word at an address."""
        layer, heads = self.layer(kind), {dependent: head for head, dependent in self.layers[0].labels}
        if found := re.fullmatch(r"(stack|buffer|inactive)\[(\d)\]", address):
            name, place = found[1], int(found[2])
            if name == "buffer":
                items = list(layer.c.buffer)
            elif name == "stack":
                items = layer.stack[::-1]
            else:
                items = list(layer.c.stacks[(layer.c.active + 1) % len(layer.c.stacks)])[::-1]
                if items and layer.top is not None and items[0] == layer.top:
                    return None
            return items[place] if place < len(items) else None
        function, inner = re.fullmatch(r"(\w+)\((.*)\)", address).groups()
        word = self.node(kind, inner)
        if word is None:
            return None
        dependents = sorted(d for d, h in heads.items() if h == word)
        sides: dict[str, Callable[[], Any]] = {
            "head": lambda: heads.get(word),
            "ldep": lambda: next((d for d in dependents if d < word), None),
            "rdep": lambda: next((d for d in dependents[::-1] if d > word), None),
            "lsib": lambda: max((d for d, h in heads.items() if h == heads.get(word, -1) and d < word), default=None),
            "rsib": lambda: min((d for d, h in heads.items() if h == heads.get(word, -1) and d > word), default=None),
            "previous": lambda: word - 1 if word > 1 else None,
            "next": lambda: word + 1 if 0 < word < self.n else None,
        }
        return sides[function]()

    def closest(self, kind: str, connection: str) -> int | None:
        """The closest earlier state that a connection leads to."""
        source, rest = connection.split(": ")
        if rest == "previous":
            fits = [i for i, (k, *_) in enumerate(self.states) if k == source]
        else:
            address, seen = rest.split(" as ")
            word = self.node(kind, address)
            fits = [
                i
                for i, (k, front, top) in enumerate(self.states)
                if k == source and word is not None and (front if seen == "front" else top) == word
            ]
        return fits[-1] if fits else None

    def value(self, kind: str, feature: str) -> tuple[int, int]:
        """The number of a feature's value, and how many values there are."""
        model, layer = self.model, self.layer(kind)
        if found := re.fullmatch(r"transition\[(\d)\]", feature):
            names, back = list(layer.c.system.transitions), int(found[1])
            value = names.index(layer.taken[-1 - back]) + 1 if back < len(layer.taken) else 0
            return value, len(names) + 1
        if found := re.fullmatch(r"(role|distance)\((\w+\[\d\]),(\w+\[\d\])\)", feature):
            a, b = (self.node(kind, address) for address in found.groups()[1:])
            if found[1] == "distance":
                if a is None or b is None:
                    return 0, 9
                return next(i for i, most in enumerate((0, 1, 2, 3, 4, 6, 9, 14, 10**9)) if abs(a - b) <= most), 9
            if a is None or b is None:
                return 0, model.labels[1] + 2
            return self.layers[1].labels.get((a, b), -1) + 2, model.labels[1] + 2
        address, attribute = feature.rsplit(".", 1)
        word = self.node(kind, address)
        if attribute == "deprel":
            label = next((label for (_, d), label in self.layers[0].labels.items() if d == word), None)
            return 0 if word is None else 1 if label is None else label + 2, model.labels[0] + 2
        if attribute == "sense":
            sense, most = self.senses.get(word, -1) if word is not None else None, max([2, *model.sense_numbers])
            return {None: 0, -1: 1, -2: 2}.get(sense) if sense is None or sense < 0 else model.sense_numbers[sense], (
                most + 1
            )
        channel = CHANNELS.index(attribute)
        number = 0 if word is None else 1 if word == 0 else self.gold.numbers[word - 1][channel]
        return number, model.channels[channel]

    def legal(self, kind: str) -> list[str]:
        """The legal transitions. Arcs of meaning lead from predicates, and no swap follows a swap."""
        layer = self.layer(kind)
        names = [name for name in layer.c.system.transitions if name in layer.c.legal()]
        if kind == "syntax":
            return names
        found = []
        for name in names:
            new = {arc[:2] for arc in layer.c.apply(name).arcs} - {arc[:2] for arc in layer.c.arcs}
            swaps_back = name == "SWAP" and layer.taken[-1:] == ["SWAP"]
            if not swaps_back and all(self.senses.get(head, -1) != -1 for head, _ in new):
                found.append(name)
        return found


def log_softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    shifted = scores - scores.max()
    result: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum())
    return result


class Rows:
    """Where decisions stand among the rows of their matrix."""

    def __init__(self, model: Model) -> None:
        row = 0
        self.action, self.label = [], []
        for system, labels in zip(model.systems, model.labels, strict=True):
            self.action.append(row)
            row += len(system.transitions)
            first = {}
            for name, transition in system.transitions.items():
                if "ARC" in str(transition):
                    first[name] = row
                    row += labels
            self.label.append(first)
        self.predicate, self.sense = row, row + 2
        self.tag = self.sense + len(model.sense_numbers)
        self.word = self.tag + len(model.words_of_tag)


def loss_of(model: Model, gold: Gold, weights: list[NDArray[np.float64]]) -> float:
    """The negative logarithm of the probability of a derivation."""
    units = model.units
    bias, connections, features, decisions = (array.reshape(-1, units) for array in weights[:4])
    matrices, offsets = connections.reshape(-1, units, units), weights[4]
    rows, d, means, loss = Rows(model), Derivation(model, gold), [], 0.0
    steps = [list(sequence) for sequence in gold.derivations]

    def decide(candidates: list[int], right: int, mean: NDArray[np.float64]) -> float:
        if len(candidates) == 1:
            return 0.0
        return -float(log_softmax(decisions[candidates] @ mean + offsets[candidates])[candidates.index(right)])

    while (kind := d.kind) is not None:
        total, row = bias[KINDS.index(kind)].copy(), 0
        matrix = 0
        for other in KINDS:
            for connection in model.connections.get(other, ()):
                source = d.closest(kind, connection) if other == kind else None
                if source is not None:
                    total += means[source] @ matrices[matrix]
                matrix += 1
            for feature in model.features.get(other, ()):
                value, count = d.value(other, feature)
                if other == kind:
                    total += features[row + value]
                row += count
        mean = 1 / (1 + np.exp(-total))
        means.append(mean)
        layer = d.layer(kind)
        d.states.append((kind, layer.front, layer.top))
        if kind == "predicate":
            word = d.front
            sense, lemma = gold.senses[word - 1], gold.numbers[word - 1][-1]
            loss += decide([rows.predicate, rows.predicate + 1], rows.predicate + (sense != -1), mean)
            if sense >= 0 and lemma >= 0 and sense in model.candidates[lemma]:
                loss += decide([rows.sense + s for s in model.candidates[lemma]], rows.sense + sense, mean)
            d.senses[word] = sense
            continue
        number = KINDS.index(kind)
        name, label = steps[number].pop(0)
        names = list(layer.c.system.transitions)
        legal = [rows.action[number] + names.index(one) for one in d.legal(kind)]
        loss += decide(legal, rows.action[number] + names.index(name), mean)
        if name in rows.label[number]:
            first = rows.label[number][name]
            loss += decide(list(range(first, first + model.labels[number])), first + label, mean)
        before = d.front
        layer.take(name, label, d.n)
        if model.generative and before < d.front <= d.n:
            form, tag = gold.numbers[d.front - 1][0] - 3, gold.numbers[d.front - 1][1] - 3
            loss += decide([rows.tag + t for t in range(len(model.words_of_tag))], rows.tag + tag, mean)
            first = sum(model.words_of_tag[:tag])
            among = range(first, first + model.words_of_tag[tag])
            loss += decide([rows.word + w for w in among], rows.word + form, mean)
    return loss
