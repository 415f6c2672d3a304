"""Features without direction: native values are those found by looking at the edges one by one."""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from multiplane import _native
from multiplane.features import FeatureModel
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.oracles import StaticOracle
from multiplane.oracles.spec import oracle_spec
from multiplane.systems import TransitionSystem, systems

SYSTEMS = ["undirected-planar", "undirected-2-planar", "undirected-3-planar", "undirected-covington"]
ROOTS = ["left", "right"]
NODES = {
    "s0": "stack[0]",
    "s1": "stack[1]",
    "b0": "buffer[0]",
    "b1": "buffer[1]",
}


class Edges:
    """The edges built so far, with their labels; plain and slow."""

    def __init__(self, n: int, root: str | None) -> None:
        self.root_position = n + 1 if root == "right" else 0
        self.labels: dict[frozenset[int], str] = {}

    def position(self, v: int) -> int:
        return v or self.root_position

    def links(self, v: int, side: int) -> list[int]:
        """The linked nodes on the left (-1) or right (1) side, the outermost first."""
        found = [w for edge in self.labels if v in edge for w in edge - {v}]
        found = [w for w in found if side * (self.position(w) - self.position(v)) > 0]
        return sorted(found, key=lambda w: -side * self.position(w))

    def link(self, v: int | None, side: int, k: int = 1) -> int | None:
        return None if v is None else (self.links(v, side) + [None] * k)[k - 1]

    def sibling(self, v: int | None, side: int) -> int | None:
        if v is None:
            return None
        common = self.links(v, -side)
        others = [w for r in common for w in self.links(r, side) if side * (self.position(w) - self.position(v)) > 0]
        return min(others, key=lambda w: abs(self.position(w) - self.position(v)), default=None)

    def label(self, v: int | None, w: int | None) -> str | None:
        return None if v is None or w is None else self.labels.get(frozenset((v, w)), "none")

    def label_set(self, v: int | None, *sides: int) -> object:
        return None if v is None else frozenset(self.label(v, w) for side in sides for w in self.links(v, side))

    def valency(self, v: int | None, *sides: int) -> int | None:
        return None if v is None else min(9, sum(len(self.links(v, side)) for side in sides))


Value = Callable[[Edges, dict[str, int | None]], object]


def values(*names: str) -> Iterator[tuple[str, Value]]:
    """Values as templates, and how to find them; words are told apart by their forms."""
    for x in names:
        for op, side in (("l", -1), ("r", 1)):
            for k in (1, 2, 3):
                yield f"{op}link({x},{k}).form", lambda e, at, x=x, side=side, k=k: e.link(at[x], side, k)
                yield (
                    f"label({op}link({x},{k}),{x})",
                    lambda e, at, x=x, side=side, k=k: e.label(at[x], e.link(at[x], side, k)),
                )
            yield f"{op}usib({x}).form", lambda e, at, x=x, side=side: e.sibling(at[x], side)
            yield (
                f"{op}usib(llink({x})).form",
                lambda e, at, x=x, side=side: e.sibling(e.link(at[x], -1), side),
            )
            yield (
                f"{op}usib(rlink({x})).form",
                lambda e, at, x=x, side=side: e.sibling(e.link(at[x], 1), side),
            )
            yield f"{x}.{op}valency", lambda e, at, x=x, side=side: e.valency(at[x], side)
            yield f"{x}.{op}labels", lambda e, at, x=x, side=side: e.label_set(at[x], side)
        yield f"{x}.valency", lambda e, at, x=x: e.valency(at[x], -1, 1)
        yield f"{x}.labels", lambda e, at, x=x: e.label_set(at[x], -1, 1)
        yield f"rlink(llink({x})).form", lambda e, at, x=x: e.link(e.link(at[x], -1), 1)
        for y in names:
            if x != y:
                yield f"label({x},{y})", lambda e, at, x=x, y=y: e.label(at[x], at[y])
                yield f"linked({x},{y})", lambda e, at, x=x, y=y: _linked(e.label(at[x], at[y]))


def _linked(label: str | None) -> bool | None:
    return None if label is None else label != "none"


class Seen(NamedTuple):
    transition: list[tuple[Edges, dict[str, int | None]]]
    label: list[tuple[Edges, dict[str, int | None]]]


def random_trees(system: TransitionSystem, count: int, seed: int) -> Corpus:
    """Trees of few words that the system derives, all forms different within a tree."""
    chosen, oracle = random.Random(seed), StaticOracle(system)
    text = ""
    while count:
        n = chosen.randint(1, 9)
        order = chosen.sample(range(1, n + 1), n)
        heads = {word: chosen.choice(order[:i]) if i else 0 for i, word in enumerate(order)}
        rows = [f"{v}\tw{v}\t_\t_\t_\t_\t{heads[v]}\t{chosen.choice('abcd')}\t_\t_\n" for v in range(1, n + 1)]
        tree = "".join(rows) + "\n"
        c = system.initial(n)
        for transition in oracle.sequence(next(iter(from_text(tree))).graph):
            c = c.apply(transition)
        if {frozenset(arc[:2]) for arc in c.arcs} != {frozenset(arc) for arc in heads.items()}:
            continue
        text += tree
        count -= 1
    return from_text(text)


def native_keys(system: TransitionSystem, corpus: Corpus, model: FeatureModel) -> tuple[Any, Any]:
    model.check(system)
    compiled = model.compile()
    places = [corpus.dialect.columns.index(name) for name in ("form", "lemma", "upos", "xpos", "feats")]
    names = sorted(set(corpus.column("deprel")))
    keys, _, label_keys, _, lost = _native.instances(
        system.program,
        _native.FeatureModel(len(compiled.attributes), compiled.transition, compiled.label, 64),
        oracle_spec(system),
        corpus._text,
        corpus._index,
        [(kind, places[column], argument) for kind, column, argument in compiled.attributes],
        np.ascontiguousarray(corpus.heads),
        np.array([names.index(label) for label in corpus.column("deprel")], np.int32),
        np.arange(len(corpus)),
    )
    assert not lost.any()
    return keys, label_keys


def followed(system: TransitionSystem, corpus: Corpus) -> Seen:
    """The configurations that the oracle goes through, and the edges that it builds."""
    seen = Seen([], [])
    for sentence in corpus:
        c, edges = system.initial(len(sentence)), Edges(len(sentence), system.root)
        for transition in StaticOracle(system).sequence(sentence.graph):
            stack = c.stacks[c.active]
            at = {
                **{f"s{i}": stack[-1 - i] if i < len(stack) else None for i in range(2)},
                **{f"b{i}": c.buffer[i] if i < len(c.buffer) else None for i in range(2)},
            }
            seen.transition.append((_copy(edges), at))
            before, c = c.arcs, c.apply(transition)
            for head, dependent, label in c.arcs - before:  # at most one
                left, right = sorted((head, dependent), key=edges.position)
                seen.label.append((_copy(edges), {"left": left, "right": right}))
                edges.labels[frozenset((head, dependent))] = label
    return seen


def _copy(edges: Edges) -> Edges:
    copy = Edges(0, None)
    copy.root_position, copy.labels = edges.root_position, dict(edges.labels)
    return copy


def same_partition(found: list[object], keys: list[int]) -> bool:
    return len(set(found)) == len(set(keys)) == len(set(zip(found, keys, strict=True)))


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_native_values_are_those_that_the_edges_give(name: str, root: str) -> None:
    system = systems[name].trees(root, single_root=False)
    corpus = random_trees(system, 150, seed=len(name))
    transition, label = dict(values(*NODES)), dict(values("left", "right"))
    model = FeatureModel.from_toml(
        "[names]\n"
        + "".join(f"{short} = '{address}'\n" for short, address in NODES.items())
        + f"[templates]\ntransition = {list(transition)}\nlabel = {list(label)}\n"
    )
    seen = followed(system, corpus)
    for table, keys, places in zip((transition, label), native_keys(system, corpus, model), seen, strict=True):
        assert len(keys) == len(places)
        told_apart = 0
        # Keys are in order of the size of templates, and all of these have one value.
        for column, (template, value) in enumerate(table.items()):
            found = [value(edges, at) for edges, at in places]
            assert same_partition(found, keys[:, column].tolist()), template
            told_apart += len(set(found)) > 1
        assert told_apart > len(table) / 2


def test_labels_between_words_are_known_to_directed_systems_too() -> None:
    system = systems["2-planar"].trees("right", single_root=False)
    corpus = random_trees(system, 100, seed=1)
    model = FeatureModel.from_toml('templates.transition = ["label(stack[0],buffer[0])", "label(buffer[0],stack[0])"]')
    seen = followed(system, corpus)
    keys, _ = native_keys(system, corpus, model)
    found = [edges.label(at["s0"], at["b0"]) for edges, at in seen.transition]
    assert len(set(found)) == 2 + len("abcd")
    assert same_partition(found, keys[:, 0].tolist())
    assert same_partition(found, keys[:, 1].tolist())


def test_on_one_plane_words_that_can_still_be_linked_have_no_undirected_siblings() -> None:
    system = systems["undirected-planar"].trees("right", single_root=False)
    for edges, at in followed(system, random_trees(system, 150, seed=2)).transition:
        assert {edges.sibling(v, side) for v in at.values() for side in (-1, 1)} == {None}
