"""Features of graphs: native values are those found by looking at the tree and at the arcs one by one."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from multiplane import _native
from multiplane.features import FeatureModel
from multiplane.systems import Configuration, TransitionSystem, systems

ROLES = ("A0", "A1", "AM")
NODES = {"s0": "stack[0]", "s1": "stack[1]", "b0": "buffer[0]", "b1": "buffer[1]"}
At = dict[str, int | None]


class Sentence:
    """A random tree, random predicates, and a random derivation of a graph."""

    def __init__(self, system: TransitionSystem, chosen: random.Random) -> None:
        self.n = n = chosen.randint(1, 12)
        order = chosen.sample(range(1, n + 1), n)
        self.heads = {word: chosen.choice([0, *order[:i][-3:]]) for i, word in enumerate(order)}
        self.labels = {word: chosen.randrange(2) for word in order}
        self.senses = {word: chosen.randrange(-1, 2) for word in order if chosen.random() < 0.6}
        self.configurations = [system.initial(n)]
        self.steps: list[tuple[int, int]] = []
        while not self.configurations[-1].is_terminal:
            c = self.configurations[-1]
            transition = chosen.choice(c.legal())
            role = chosen.randrange(len(ROLES))
            is_arc = "ARC" in transition
            self.configurations.append(c.apply(f"{transition}({ROLES[role]})" if is_arc else transition))
            self.steps.append((list(system.names).index(transition), role if is_arc else -1))
            if len(self.steps) > 100:
                break

    def path(self, v: int, w: int) -> object:
        up, down = self._above(v), self._above(w)
        common = next((x for x in up if x in down), None)
        if common is None or up.index(common) > 6 or down.index(common) > 6:
            return "none"
        rise, fall = up[: up.index(common)], down[: down.index(common)]
        return [self.labels[x] for x in rise], [self.labels[x] for x in fall]

    def _above(self, v: int) -> list[int]:
        return [v] if self.heads[v] == 0 else [v, *self._above(self.heads[v])]

    def predicate(self, c: Configuration, v: int) -> object:
        return v in self.senses

    def sense(self, c: Configuration, v: int) -> object:
        return self.senses.get(v, "none")

    def arguments(self, c: Configuration, v: int) -> object:
        return sorted({role for head, _, role in c.arcs if head == v})

    def roles(self, c: Configuration, v: int) -> object:
        return sorted({role for _, dependent, role in c.arcs if dependent == v})

    def role(self, c: Configuration, v: int, w: int) -> object:
        found = {(head, dependent): role for head, dependent, role in c.arcs}
        return found.get((v, w)), found.get((w, v))


def values() -> dict[str, Callable[[Sentence, Configuration, At], object]]:
    """Values as templates, and how to find them."""
    found: dict[str, Callable[[Sentence, Configuration, At], object]] = {}
    for x in NODES:
        for name in ("predicate", "sense", "arguments", "roles"):
            found[f"{x}.{name}"] = lambda s, c, at, x=x, name=name: (
                None if at[x] is None else getattr(s, name)(c, at[x])
            )
        for y in NODES:
            if x != y:
                found[f"path({x},{y})"] = lambda s, c, at, x=x, y=y: (
                    None if at[x] is None or at[y] is None else s.path(at[x], at[y])
                )
                found[f"role({x},{y})"] = lambda s, c, at, x=x, y=y: (
                    None if at[x] is None or at[y] is None else s.role(c, at[x], at[y])
                )
    return found


def placed(c: Configuration) -> At:
    stack = c.stacks[c.active]
    at: At = {f"s{i}": stack[-1 - i] if i < len(stack) else None for i in range(2)}
    return at | {f"b{i}": c.buffer[i] if i < len(c.buffer) else None for i in range(2)}


@pytest.mark.parametrize("name", ["swap-graph", "planar[]", "2-planar[]"])
def test_native_values_are_those_that_tree_and_graph_give(name: str) -> None:
    system, chosen, table = systems[name], random.Random(len(name)), values()
    text = "[names]\n" + "".join(f"{short} = '{address}'\n" for short, address in NODES.items())
    model = FeatureModel.from_toml(f"{text}[templates]\ntransition = {list(table)}\n")
    compiled = model.compile()
    native = _native.FeatureModel(0, compiled.transition, compiled.label, 64)
    seen: list[list[Any]] = [[] for _ in table]
    keys: list[list[int]] = [[] for _ in table]
    for _ in range(150):
        s = Sentence(system, chosen)
        tree = [(word, s.heads[word], s.labels[word]) for word in s.heads if s.heads[word]]
        rows = _native.graph_keys(system.program.parsing_graphs(), native, s.n, tree, list(s.senses.items()), s.steps)
        for c, row in zip(s.configurations, rows, strict=True):
            for column, value in enumerate(table.values()):
                seen[column].append(repr(value(s, c, placed(c))))
                keys[column].append(row[column])
    for template, found, hashes in zip(table, seen, keys, strict=True):
        assert len(set(found)) == len(set(hashes)) == len(set(zip(found, hashes, strict=True))), template
        assert len(set(found)) > 1, template
