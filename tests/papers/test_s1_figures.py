"""The figures of S1 (Gómez-Rodríguez and Nivre 2013), replayed row by row.

The figures print a row for each arc; the rows in between are those that SHIFT, REDUCE and SWITCH lead through.
"""

import pytest

import multiplane as mp
from multiplane import DependencyGraph

Row = tuple[list[str], list[list[int]], list[int], tuple[int, int]]
"""The transitions since the row before, then the row: the stacks (the active one first), the buffer, the new arc."""

# Figure 2: Economic news had little effect on financial markets .
ENGLISH = DependencyGraph(9, [(2, 1), (3, 2), (5, 4), (3, 5), (5, 6), (8, 7), (6, 8), (3, 9)])
FIGURE_3: list[Row] = [
    (["SHIFT", "LEFT-ARC"], [[]], [2, 3, 4, 5, 6, 7, 8, 9], (2, 1)),
    (["SHIFT", "LEFT-ARC"], [[]], [3, 4, 5, 6, 7, 8, 9], (3, 2)),
    (["SHIFT", "SHIFT", "LEFT-ARC"], [[3]], [5, 6, 7, 8, 9], (5, 4)),
    (["SHIFT", "SHIFT", "SHIFT", "LEFT-ARC"], [[3, 5, 6]], [8, 9], (8, 7)),
    (["RIGHT-ARC"], [[3, 5]], [6, 9], (6, 8)),
    (["RIGHT-ARC"], [[3]], [5, 9], (5, 6)),
    (["RIGHT-ARC"], [[]], [3, 9], (3, 5)),
    (["SHIFT", "RIGHT-ARC"], [[]], [3], (3, 9)),
]

# Figure 1: a Czech sentence of the Prague Dependency Treebank, with the artificial root as its first token. The arcs
# are those of the rows of Figure 6; three of its rows lost theirs in print, and stacks and buffer say what they are.
CZECH = DependencyGraph(9, [(2, 3), (1, 4), (6, 5), (4, 6), (6, 2), (4, 7), (7, 8), (1, 9)])
FIGURE_6: list[Row] = [
    (["SHIFT", "SHIFT", "RIGHT-ARC"], [[1, 2], [1, 2]], [3, 4, 5, 6, 7, 8, 9], (2, 3)),
    (["SHIFT", "REDUCE", "REDUCE", "RIGHT-ARC"], [[1], [1, 2, 3]], [4, 5, 6, 7, 8, 9], (1, 4)),
    (["SHIFT", "SHIFT", "LEFT-ARC"], [[1, 4, 5], [1, 2, 3, 4, 5]], [6, 7, 8, 9], (6, 5)),
    (["REDUCE", "RIGHT-ARC"], [[1, 4], [1, 2, 3, 4, 5]], [6, 7, 8, 9], (4, 6)),
    (["SWITCH", "REDUCE", "REDUCE", "REDUCE", "LEFT-ARC"], [[1, 2], [1, 4]], [6, 7, 8, 9], (6, 2)),
    (["SHIFT", "SWITCH", "REDUCE", "RIGHT-ARC"], [[1, 4], [1, 2, 6]], [7, 8, 9], (4, 7)),
    # Printed as [1, ..., 7] and, in the last row, [1, ..., 8]: the dots pass over the words reduced before.
    (["SHIFT", "RIGHT-ARC"], [[1, 4, 7], [1, 2, 6, 7]], [8, 9], (7, 8)),
    (["SHIFT", "REDUCE", "REDUCE", "REDUCE", "RIGHT-ARC"], [[1], [1, 2, 6, 7, 8]], [9], (1, 9)),
]


@pytest.mark.parametrize(
    ("system", "rows", "graph", "last_stacks"),
    [
        ("arc-standard", FIGURE_3, ENGLISH, [[3]]),
        ("2-planar", FIGURE_6, CZECH, [[1, 9], [1, 2, 6, 7, 8, 9]]),
    ],
    ids=["figure-3", "figure-6"],
)
def test_the_derivation_of_the_figure_goes_through_every_row(
    system: str, rows: list[Row], graph: DependencyGraph, last_stacks: list[list[int]]
) -> None:
    c = mp.systems[system].initial(9)
    arcs: set[tuple[int, int, None]] = set()
    for transitions, stacks, buffer, (head, dependent) in rows:
        for transition in transitions:
            c = c.apply(transition)
        arcs.add((head, dependent, None))
        assert c.stacks[c.active :] + c.stacks[: c.active] == stacks
        assert c.buffer == buffer
        assert c.arcs == arcs
    c = c.apply("SHIFT")
    assert c.is_terminal
    assert c.stacks[c.active :] + c.stacks[: c.active] == last_stacks
    assert arcs == {(head, dependent, None) for head, dependent, *_ in graph.arcs}


@pytest.mark.parametrize(
    ("system", "rows", "graph"),
    [("arc-standard", FIGURE_3, ENGLISH), ("2-planar", FIGURE_6, CZECH)],
    ids=["figure-3", "figure-6"],
)
def test_the_static_oracle_finds_the_derivation_of_the_figure(
    system: str, rows: list[Row], graph: DependencyGraph
) -> None:
    figure = [transition for transitions, *_ in rows for transition in transitions]
    assert mp.oracle(system).sequence(graph) == [*figure, "SHIFT"]


def test_example_1_figure_2_is_projective_and_figure_1_is_a_tree_without_covered_roots_but_not_planar() -> None:
    assert ENGLISH.is_tree()
    assert ENGLISH.is_projective()
    assert CZECH.is_tree()
    assert not CZECH.has_covered_roots()
    assert not CZECH.is_planar()
    assert CZECH.planarity() == 2


def test_figure_1_is_beyond_every_system_for_planar_graphs() -> None:
    for name in ("arc-standard", "arc-eager", "arc-hybrid", "planar"):
        assert mp.oracle(name).derive(CZECH).lost
