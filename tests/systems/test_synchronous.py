"""Synchronous derivations couple any tree system and any graph system word by word."""

from itertools import pairwise

import pytest

from multiplane import DependencyGraph, systems
from multiplane.errors import TransitionError
from multiplane.graphs.enumerate import all_trees
from multiplane.oracles.synchronous import synchronous_derivation
from multiplane.systems.synchronous import Step, SynchronousSystem

TREES = ["planar", "2-planar", "2-planar-eager", "arc-eager", "arc-standard", "arc-hybrid", "swap", "covington"]
GRAPHS = ["swap-graph", "planar[]", "2-planar[]"]
GRAPH = DependencyGraph(4, [(2, 1, "A0"), (2, 4, "A1"), (3, 1, "A0"), (3, 4, "A1")])
SENSES = {2: "make.01", 3: "sell.01"}


@pytest.mark.parametrize("tree_system", TREES)
@pytest.mark.parametrize("graph_system", GRAPHS)
def test_every_pair_of_systems_derives_both_layers_and_reads_words_in_step(tree_system: str, graph_system: str) -> None:
    both = SynchronousSystem(systems[tree_system].trees(), systems[graph_system])
    for tree in all_trees(4):
        if not tree.is_projective():
            continue
        steps = synchronous_derivation(both, tree, GRAPH, SENSES)
        end = both.run(4, steps)
        assert end.is_terminal
        assert {arc[:2] for arc in end.syntax.arcs} == set(tree.word_arcs)
        if graph_system != "planar[]":
            assert {arc[:2] for arc in end.semantics.arcs} == {arc[:2] for arc in GRAPH.arcs}
        assert end.predicates == SENSES


def test_the_layers_take_turns_and_semantics_is_never_ahead_of_syntax() -> None:
    both = SynchronousSystem(systems["2-planar"], systems["swap-graph"])
    tree = DependencyGraph.from_heads([2, 0, 2, 2])
    c, turns = both.initial(4), []
    for step in synchronous_derivation(both, tree, GRAPH, SENSES):
        turns.append(c.layer)
        c = c.apply(step.transition, sense=step.sense)
        assert c.unread_by_syntax <= c.unread_by_semantics <= c.unread_by_syntax + 1
    assert sum(a != b for a, b in pairwise(turns)) == 2 * 4 - 1  # two chunks per word


def test_a_step_of_the_wrong_layer_is_refused() -> None:
    both = SynchronousSystem(systems["planar"], systems["swap-graph"])
    with pytest.raises(TransitionError, match="a transition of syntax must come next"):
        both.run(1, [Step("semantics", "SHIFT")])


def test_only_a_semantic_transition_that_reads_a_word_says_what_the_next_one_is() -> None:
    c = SynchronousSystem(systems["planar"], systems["swap-graph"]).initial(1)
    with pytest.raises(TransitionError, match="is syntactic"):
        c.apply("SHIFT", sense="go.01")
    with pytest.raises(TransitionError, match="does not read a next word"):
        c.apply("SHIFT").apply("SHIFT", sense="go.01")
