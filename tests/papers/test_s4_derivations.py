"""The two derivations of S4 (Titov, Henderson, Merlo and Musillo 2009), replayed step by step.

The paper names the words that an action moves or links: Left-Arc(4,5) is an arc from word 5, the next of the queue, to
word 4, the top of the stack.
"""

import re

import pytest

import multiplane as mp
from multiplane import DependencyGraph
from multiplane.systems import Configuration

FIGURE_2 = """
Shift(1), Shift(2), Swap(1,2), Shift(3), Reduce(3), Shift(4), Left-Arc(4,5), Swap(1,4), Left-Arc(1,5), Reduce(1),
Swap(2,4), Left-Arc(2,5), Shift(5), Right-Arc(5,6), Reduce(5), Left-Arc(2,6), Reduce(2), Left-Arc(4,6), Reduce(4),
Shift(6)
"""
FIGURE_2_GRAPH = DependencyGraph(6, [(5, 4), (5, 1), (5, 2), (5, 6), (6, 2), (6, 4)])

# Of "Sequa makes and repairs jet engines", Figure 1. By the paper's definition of Right-Arc, Right-Arc(1,2) is
# Sequa → makes; directions are unimportant here (S4, footnote 4).
FOOTNOTE_3 = """
Shift(1), Right-Arc(1,2), Shift(2), Swap(1,2), Shift(3), Reduce(3), Right-Arc(1,4), Shift(4), Shift(5), Reduce(5),
Left-Arc(4,6), Reduce(4), Reduce(1), Left-Arc(2,6), Reduce(2), Shift(6)
"""
FOOTNOTE_3_GRAPH = DependencyGraph(6, [(1, 2), (1, 4), (6, 4), (6, 2)])

# Figure 3, "Funds might also buy and sell" in its essence: three arguments of two predicates.
FIGURE_3_GRAPH = DependencyGraph(5, [(4, 1), (4, 2), (4, 3), (5, 1), (5, 2), (5, 3)])


def actions(text: str) -> list[tuple[str, list[int]]]:
    found = re.findall(r"([A-Z][A-Za-z-]+)\(([\d,]+)\)", text)
    return [(name.upper(), [int(word) for word in words.split(",")]) for name, words in found]


def words_of(c: Configuration, name: str) -> list[int]:
    """The words that an action is named after, before it is taken."""
    (stack,) = c.stacks
    return {
        "SHIFT": c.buffer[:1],
        "REDUCE": stack[-1:],
        "SWAP": sorted(stack[-2:]),
        "LEFT-ARC": [*stack[-1:], *c.buffer[:1]],
        "RIGHT-ARC": [*stack[-1:], *c.buffer[:1]],
    }[name]


@pytest.mark.parametrize(
    ("text", "graph", "length"),
    [(FIGURE_2, FIGURE_2_GRAPH, 20), (FOOTNOTE_3, FOOTNOTE_3_GRAPH, 16)],
    ids=["figure-2", "footnote-3"],
)
def test_every_action_of_the_printed_derivation_is_legal_and_meets_the_words_it_names(
    text: str, graph: DependencyGraph, length: int
) -> None:
    assert len(actions(text)) == length
    c = mp.systems["swap-graph"].initial(6)
    for name, words in actions(text):
        assert words_of(c, name) == words, (name, c)
        c = c.apply(name)
    assert c.is_terminal
    assert {(head, dependent) for head, dependent, _ in c.arcs} == set(graph.arcs)


@pytest.mark.parametrize(
    ("text", "graph"), [(FIGURE_2, FIGURE_2_GRAPH), (FOOTNOTE_3, FOOTNOTE_3_GRAPH)], ids=["figure-2", "footnote-3"]
)
def test_the_exhaustive_order_with_late_reduce_is_the_printed_derivation_without_its_last_reduce(
    text: str, graph: DependencyGraph
) -> None:
    # Before the last Shift, the paper also reduces the one word that is left, which prevents nothing any more.
    *printed, last_reduce, last_shift = [name for name, _ in actions(text)]
    assert (last_reduce, last_shift) == ("REDUCE", "SHIFT")
    assert mp.oracle("swap-graph", strategy="exhaustive").sequence(graph) == [*printed, last_shift]


def test_the_last_resort_order_does_not_derive_figure_2_but_does_derive_the_structure_of_footnote_3() -> None:
    last_resort = mp.oracle("swap-graph", strategy="last-resort")
    assert last_resort.derive(FIGURE_2_GRAPH).lost
    assert not last_resort.derive(FOOTNOTE_3_GRAPH).lost


def test_the_structure_of_figure_3_cannot_be_derived_by_swapping() -> None:
    for strategy in ("exhaustive", "last-resort", "search"):
        derivation = mp.oracle("swap-graph", strategy=strategy).derive(FIGURE_3_GRAPH)
        assert derivation.lost or not derivation.complete
    assert FIGURE_3_GRAPH.planarity() > 1
    assert not FIGURE_3_GRAPH.is_swappable()


def test_in_footnote_3_a_processed_word_stays_until_it_prevents_an_arc() -> None:
    # Word 1 has all its arcs after Right-Arc(1,4), but is reduced only when word 2 below it meets word 6.
    for strategy in ("exhaustive", "last-resort"):
        sequence = mp.oracle("swap-graph", strategy=strategy).sequence(FOOTNOTE_3_GRAPH)
        assert sequence[-9:] == [
            "RIGHT-ARC", "SHIFT", "SHIFT", "REDUCE", "LEFT-ARC", "REDUCE", "REDUCE", "LEFT-ARC", "SHIFT",
        ]  # fmt: skip
