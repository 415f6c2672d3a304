"""Mutated layers: a sentence is read as a naive reader reads it, or refused at one of its lines."""

import io
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

import multiplane as mp
from multiplane.formats import DIALECTS, Sentence, convert

from .test_layers import ELLIPSIS, node
from .test_round_trip import MUTATIONS, mutate, refusal, survives

SEMANTIC = [name for name, dialect in DIALECTS.items() if dialect.arguments]
CELLS = st.sampled_from(["_", "A0", "Y", "+", "-", "x.01", "", "1", "|"])
DEPS = st.lists(
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["0", "1", "2", "3", "2.1", "2.2", "9", "x", ""]),
        st.sampled_from(":::_"),
        CELLS,
    ),
    min_size=1,
    max_size=3,
).map("|".join)


def naive_semantics(sentence: Sentence) -> tuple[dict[int, str], set[Any]] | None:
    """Predicates and arcs, or None if the columns are malformed."""
    dialect = sentence.corpus.dialect
    columns, given = dialect.columns, dialect.arguments
    assert given is not None
    rows = [row for row in sentence.rows if row[0].isdigit()]
    predicates, arcs = {}, set()
    for word, row in enumerate(rows, 1):
        fields = dict(zip(columns, row, strict=False))
        sense = fields[given.sense]
        marks = [fields[column] for column in (given.mark, given.top) if column]
        if sense == "" or any(mark not in (given.yes, given.no) for mark in marks):
            return None
        is_predicate = fields[given.mark] == given.yes if given.mark else sense != "_"
        if not is_predicate and sense != "_" and not given.senses_anywhere:
            return None
        if is_predicate:
            predicates[word] = sense
        if given.top and fields[given.top] == given.yes:
            arcs.add((0, word, "TOP"))
    cells = [row[len(columns) :] for row in rows]
    only_marks = dialect.name == "conll09" and not cells[0] and set(predicates.values()) == {"_"}
    if len(cells[0]) != len(predicates) and not only_marks:
        return None
    for word, roles in enumerate(cells, 1):
        if "" in roles:
            return None
        arcs |= {(head, word, role) for head, role in zip(predicates, roles, strict=False) if role != "_"}
    return predicates, arcs


def naive_enhanced(sentence: Sentence) -> set[tuple[str, str, str]] | None:
    """Arcs between IDs, or None if DEPS is malformed."""
    nodes = {row[0]: row[8] for row in sentence.rows if "-" not in row[0]}
    arcs: set[tuple[str, str, str]] = set()
    for name, deps in nodes.items():
        for dep in [] if deps == "_" else deps.split("|"):
            head, _, label = dep.partition(":")
            arc = (head, name, label)
            if not label or (head not in nodes and head != "0") or arc in arcs:
                return None
            arcs.add(arc)
    return arcs


def check_semantics(text: bytes, name: str) -> None:
    for sentence in mp.read(io.BytesIO(text), name, on_error="skip"):
        expected = naive_semantics(sentence)
        error = refusal(lambda sentence=sentence: sentence.predicates)  # type: ignore[misc]
        assert (error is None) == (expected is not None), error
        if error:
            assert sentence.line <= error.line < sentence.line + len(sentence.lines)
        else:
            assert (sentence.predicates, set(sentence.semantics.arcs)) == expected


def check_enhanced(text: bytes) -> None:
    for sentence in mp.read_conllu(io.BytesIO(text), on_error="skip"):
        expected = naive_enhanced(sentence)
        error = refusal(lambda sentence=sentence: sentence.enhanced)  # type: ignore[misc]
        assert (error is None) == (expected is not None), error
        if error:
            assert sentence.line <= error.line < sentence.line + len(sentence.lines)
        else:
            graph = sentence.enhanced
            names = ("0", *graph.ids)
            assert {(names[arc[0]], names[arc[1]], arc[2]) for arc in graph.arcs} == expected
            assert sentence.corpus.enhanced_layer.collapsed.of(sentence.number) == list(graph.collapsed().arcs)


def semantic_text(number: int, name: str) -> bytes:
    return convert(mp.sample("conll09")[number], DIALECTS[name])[0]


@given(st.integers(0, 15), st.sampled_from(SEMANTIC), MUTATIONS)
@example(1, "conll09", [("insert", 247, b"\r")])  # inside a sense
@settings(max_examples=300)
def test_mutated_bytes(number: int, name: str, mutations: list[tuple[str, int, bytes]]) -> None:
    text = mutate(semantic_text(number, name), mutations)
    check_semantics(text, name)
    survives(text, name)


@given(st.integers(0, 15), st.sampled_from(SEMANTIC), st.lists(st.tuples(st.integers(0, 999), CELLS), max_size=3))
@settings(max_examples=300)
def test_mutated_cells(number: int, name: str, changes: list[tuple[int, str]]) -> None:
    rows = [line.split("\t") for line in semantic_text(number, name).decode().strip().split("\n")]
    first = DIALECTS[name].columns.index("top" if name == "sdp" else "deprel") + 1
    for place, cell in changes:
        row = rows[place % len(rows)]
        if len(row) > first:
            row[first + place % (len(row) - first)] = cell
    text = "".join("\t".join(row) + "\n" for row in rows).encode()
    check_semantics(text, name)
    survives(text, name)


@given(st.lists(st.tuples(st.integers(0, 4), DEPS), max_size=4), MUTATIONS | st.just([]))
@settings(max_examples=300)
def test_mutated_deps(changes: list[tuple[int, str]], mutations: list[tuple[str, int, bytes]]) -> None:
    lines = [list(line) for line in ELLIPSIS]
    for place, deps in changes:
        lines[place][1] = deps
    text = mutate("".join(node(*line) for line in lines).encode(), mutations)
    check_enhanced(text)
    survives(text, "conllu")
