"""The inputs of a latent-variable model: connections between latent states, and observed features (S4).

The tables are stored with the model, so that you can try others without changing code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from multiplane.errors import FeatureError, ModelError
from multiplane.features import Node, node_tables, parse_node
from multiplane.models.toml import Table, taken
from multiplane.systems import TransitionSystem

KINDS = ("syntax", "semantics", "predicate")
"""The kinds of latent states, in the order of the native core."""
CHANNELS = ("word", "tag", "lemma", "feats")
"""The properties of a word that are known before parsing, in the order of the native core."""
_SEEN = ("front", "top", "previous")
_FEATURES = ("word", "deprel", "sense", "role", "transition", "distance")
"""The kinds of features, in the order of the native core."""
_PAIR = re.compile(r"(role|distance)\((.+)\)")
_TRANSITION = re.compile(r"transition\[(\d)\]")

Row = tuple[int, int, int]


@dataclass(frozen=True)
class LatentLook:
    """The tables of a model, by kind of state.

    A connection such as `semantics: head(stack[0]) as top` links to the latest semantic state in which the head of the
    current top was the top; `syntax: previous` links to the latest syntactic state. A feature is an attribute
    of a node (word, tag, lemma, feats, deprel, sense), `role(a,b)`, `distance(a,b)` or `transition[i]`.

    >>> look = LatentLook({"syntax": ("syntax: stack[0] as top",)}, {"syntax": ("stack[0].tag", "transition[0]")})
    >>> look.rows()[0]
    ([(0, 0, 0)], [(0, 1, 0)], [(0, 0, 1), (4, 0, 0)])
    """

    connections: Mapping[str, tuple[str, ...]]
    features: Mapping[str, tuple[str, ...]]

    def rows(self) -> list[tuple[list[Row], list[Row], list[Row]]]:
        """Returns numeric tables of nodes, connections and features for each kind; raises `ModelError` for errors."""
        found = []
        for kind in KINDS:
            links = [_connection(text) for text in self.connections.get(kind, ())]
            features = [_feature(text) for text in self.features.get(kind, ())]
            nodes = [node for *_, node in links if node] + [node for _, given, _ in features for node in given]
            table, places = node_tables(nodes)
            place = dict(zip(nodes, places, strict=True))
            found.append(
                (
                    table,
                    [(source, seen, place[node] if node else 0) for source, seen, node in links],
                    [_numbers(*feature, place) for feature in features],
                )
            )
        return found

    def nodes(self, kind: str) -> list[Node]:
        """Returns the nodes that states of this kind read."""
        links = [_connection(text)[2] for text in self.connections.get(kind, ())]
        features = [node for text in self.features.get(kind, ()) for node in _feature(text)[1]]
        return [node for node in (*links, *features) if node is not None]

    def to_table(self) -> dict[str, Any]:
        """Returns the tables for config.toml."""
        return {
            name: {kind: list(rows[kind]) for kind in KINDS if kind in rows}
            for name, rows in (("connections", self.connections), ("features", self.features))
        }

    @staticmethod
    def from_table(table: Table) -> LatentLook:
        """Restores tables from config.toml; `rows` checks them."""
        return LatentLook(*(_texts(taken(table, name, dict), name) for name in ("connections", "features")))

    def check(self, syntax: TransitionSystem, semantics: TransitionSystem) -> None:
        """Raises `ModelError` if a node needs more stacks than the system has, or an undirected system."""
        for kind in KINDS:
            system = syntax if kind == "syntax" else semantics
            for node in self.nodes(kind):
                if node.stacks > system.stacks:
                    raise ModelError(f"look: {node} needs {node.stacks} stacks; {system.name} has {system.stacks}")
                if not node.fits(undirected=False):
                    raise ModelError(f"look: {node} is for undirected systems, but {system.name} builds directed arcs")


def _texts(table: Table, name: str) -> dict[str, tuple[str, ...]]:
    for kind, rows in table.items():
        if kind not in KINDS or not isinstance(rows, list) or not all(isinstance(text, str) for text in rows):
            raise ModelError(f"look.{name}: expected lists of strings for {', '.join(KINDS)}")
    return {kind: tuple(rows) for kind, rows in table.items()}


def _connection(text: str) -> tuple[int, int, Node | None]:
    source, colon, rest = (part.strip() for part in text.partition(":"))
    address, _, seen = (part.strip() for part in rest.rpartition(" as "))
    if not colon or source not in KINDS or seen not in (_SEEN if not address else _SEEN[:2]):
        raise ModelError(f"look: '{text}' is not a connection such as 'syntax: stack[0] as top' or 'syntax: previous'")
    if not address and seen != "previous":
        raise ModelError(f"look: '{text}' does not say which node was the {seen}")
    return KINDS.index(source), _SEEN.index(seen), _node(address) if address else None


def _feature(text: str) -> tuple[str, tuple[Node, ...], int]:
    if found := _TRANSITION.fullmatch(text):
        return "transition", (), int(found[1])
    if found := _PAIR.fullmatch(text):
        first, second = _split(found[2], text)
        return found[1], (_node(first), _node(second)), 0
    address, _, attribute = text.rpartition(".")
    if attribute in CHANNELS:
        return "word", (_node(address),), CHANNELS.index(attribute)
    if attribute in ("deprel", "sense"):
        return attribute, (_node(address),), 0
    raise ModelError(
        f"look: '{text}' is not a feature such as stack[0].word (or .tag, .lemma, .feats, .deprel, .sense), "
        "role(stack[0],buffer[0]), distance(stack[0],buffer[0]) or transition[0]"
    )


def _numbers(kind: str, nodes: Sequence[Node], number: int, place: Mapping[Node, int]) -> Row:
    places = [place[node] for node in nodes]
    if kind == "transition":
        return _FEATURES.index(kind), number, 0
    return _FEATURES.index(kind), places[0], number if kind == "word" else places[-1]


def _split(text: str, whole: str) -> tuple[str, str]:
    """Splits at the comma outside brackets."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            return text[:at], text[at + 1 :]
    raise ModelError(f"look: '{whole}' needs two nodes")


def _node(text: str) -> Node:
    try:
        return parse_node(text, label=False)
    except FeatureError as error:
        raise ModelError(f"look: {error}") from None


def _rows(text: str) -> tuple[str, ...]:
    return tuple(row.strip() for row in text.strip().splitlines())


_WITHIN = """
    {kind}: previous
    {kind}: buffer[0] as front
    {kind}: stack[0] as top
    {kind}: head(stack[0]) as top
    {kind}: ldep(stack[0]) as top
    {kind}: rdep(stack[0]) as top
    {kind}: ldep(buffer[0]) as top
"""
"""Connections within a layer: (a) to (f) of Titov and Henderson (2007), and the previous state."""
_ACROSS = """
    {kind}: buffer[0] as front
    {kind}: stack[0] as top
"""
_CONNECTIONS = {
    "syntax": _rows(_WITHIN.format(kind="syntax")) + _rows(_ACROSS.format(kind="semantics")) + ("predicate: previous",),
    "semantics": _rows(_WITHIN.format(kind="semantics"))
    + _rows(_ACROSS.format(kind="syntax"))
    + ("predicate: buffer[0] as front",),
    "predicate": ("syntax: previous", "semantics: previous", "predicate: previous", "semantics: stack[0] as top"),
}
_SYNTAX = """
    buffer[0].word
    buffer[0].tag
    buffer[0].deprel
    buffer[0].sense
    stack[0].word
    stack[0].tag
    stack[0].deprel
    stack[1].word
    stack[1].tag
    ldep(buffer[0]).deprel
    head(stack[0]).word
    head(stack[0]).tag
    head(stack[0]).deprel
    rdep(stack[0]).deprel
    ldep(stack[0]).deprel
    lsib(stack[0]).deprel
    rsib(stack[0]).deprel
    transition[0]
"""
_SEMANTICS = """
    buffer[0].word
    buffer[0].tag
    buffer[0].deprel
    buffer[0].sense
    stack[0].word
    stack[0].tag
    stack[0].deprel
    stack[0].sense
    stack[1].tag
    stack[1].deprel
    stack[1].sense
    ldep(buffer[0]).deprel
    head(stack[0]).word
    head(stack[0]).tag
    head(stack[0]).deprel
    head(stack[1]).word
    head(stack[1]).tag
    head(stack[1]).deprel
    head(buffer[0]).word
    head(buffer[0]).tag
    head(buffer[0]).deprel
    rdep(stack[0]).deprel
    rdep(stack[1]).deprel
    ldep(stack[0]).deprel
    ldep(stack[1]).deprel
    lsib(stack[0]).tag
    lsib(stack[0]).deprel
    lsib(stack[1]).tag
    lsib(stack[1]).deprel
    lsib(buffer[0]).tag
    lsib(buffer[0]).deprel
    rsib(stack[0]).tag
    rsib(stack[0]).deprel
    rsib(stack[1]).tag
    rsib(stack[1]).deprel
    rsib(buffer[0]).tag
    rsib(buffer[0]).deprel
    transition[0]
"""
"""S4 Table 1, and the last transition, which the paper gets from the previous state."""
_PREDICATE = """
    buffer[0].word
    buffer[0].tag
    buffer[0].lemma
    previous(buffer[0]).word
    previous(buffer[0]).tag
    stack[0].tag
    stack[0].sense
"""
_AHEAD = """
    buffer[1].word
    buffer[1].tag
    buffer[2].tag
"""
"""Features of words that a generative model has not generated yet."""
_MORE = {
    "syntax": """
        buffer[0].lemma
        stack[0].lemma
        stack[1].deprel
        stack[2].tag
        ldep(buffer[0]).tag
        ldep(stack[0]).tag
        rdep(stack[0]).tag
        rdep(stack[1]).deprel
        previous(buffer[0]).tag
        distance(stack[0],buffer[0])
    """,
    "semantics": """
        buffer[0].lemma
        stack[0].lemma
        role(stack[0],buffer[0])
        role(buffer[0],stack[0])
        distance(stack[0],buffer[0])
    """,
    "predicate": "buffer[0].feats",
}


def default_look(generative: bool, stacks: int = 1) -> LatentLook:
    """Returns the default tables: those of S4 for a generative model, and more for a discriminative one.

    >>> len(default_look(generative=True).features["semantics"])
    38
    """
    features = {"syntax": _rows(_SYNTAX), "semantics": _rows(_SEMANTICS), "predicate": _rows(_PREDICATE)}
    if not generative:
        features = {kind: rows + _rows(_MORE[kind]) + _rows(_AHEAD) for kind, rows in features.items()}
    if stacks > 1:
        features["syntax"] += ("inactive[0].word", "inactive[0].tag", "inactive[0].deprel")
    return LatentLook(_CONNECTIONS, features)
