"""Oracles that go on after transitions chosen by hand."""

import random
from itertools import islice

import pytest

import multiplane as mp
from multiplane import DependencyGraph
from multiplane.analysis.steps import derivation_after, stepwise
from multiplane.graphs import graph_of
from multiplane.oracles.gold import counted_arcs
from multiplane.oracles.spec import has_dynamic_oracle
from multiplane.systems import Configuration, TransitionSystem, systems
from multiplane.systems.walk import walk

TREES = [
    DependencyGraph.from_heads(heads, ["a", "b", "c", "d"][: len(heads)])
    for heads in ([0, 1], [2, 0], [0, 1, 1], [2, 0, 2], [3, 1, 0], [2, 3, 0], [2, 0, 1], [3, 0, 2, 1], [0, 4, 1, 1])
]
"""Projective and not, over a few words."""


def prefixes(system: TransitionSystem, n: int, most: int = 250) -> list[tuple[list[str], Configuration]]:
    """One way to each of many configurations."""
    start = system.initial(n)
    found, seen = [([], start)], {start}
    for prefix, c in found:
        for name in c.legal():
            after = c.apply(name)
            if after not in seen and len(found) < most:
                seen.add(after)
                found.append(([*prefix, name], after))
    return found


@pytest.mark.parametrize("name", ["arc-eager", "arc-hybrid", "planar", "covington", "2-planar", "undirected-planar"])
@pytest.mark.parametrize("trees", [False, True])
def test_from_every_configuration_the_oracle_loses_no_more_than_it_must(name: str, trees: bool):
    system = systems[name].trees("left", single_root=False) if trees else systems[name]
    static, dynamic = mp.oracle(system), mp.oracle(system, dynamic=True)
    for gold in TREES:
        unbuildable = len(static.derive(gold).lost)
        for prefix, c in prefixes(system, gold.n):
            found = derivation_after(static, gold, prefix)
            *_, (_, last) = [(None, c), *walk(system, gold.n, found.sequence)]
            assert found.complete
            assert last.is_terminal
            assert [action.name for action in found.actions[: len(prefix)]] == [each.split("(")[0] for each in prefix]
            if not trees:  # the loss does not foresee what is needed to complete a tree
                assert len(found.lost) <= dynamic.loss(c, gold) + unbuildable
            ends = frozenset if system.is_undirected else tuple
            built = {ends(arc[:2]) for arc in last.arcs}
            assert found.lost == [arc for arc in counted_arcs(system, gold) if ends(arc[:2]) not in built]


@pytest.mark.parametrize("name", [name for name in systems if name != "swap-graph"])
def test_a_prefix_of_the_static_oracle_leads_to_its_derivation(name: str):
    oracle, graph = mp.oracle(name), mp.sample()[3].graph
    whole = oracle.derive(graph)
    for length in (1, len(whole.actions) // 2, len(whole.actions)):
        assert derivation_after(oracle, graph, whole.actions[:length]) == whole
        assert derivation_after(oracle, graph, [str(action) for action in whole.actions[:length]]) == whole


@pytest.mark.parametrize("name", [name for name in systems if has_dynamic_oracle(systems[name])])
def test_the_oracle_comes_to_an_end_after_any_prefix(name: str):
    rng, system = random.Random(7), systems[name]
    static = mp.oracle(system)
    layer = "syntax" if system.properties()["single_head"] or system.is_undirected else "enhanced"
    for sentence in mp.sample()[:12]:
        c, prefix = system.initial(len(sentence)), []
        while (legal := c.legal()) and len(prefix) < len(sentence):
            prefix.append(rng.choice(legal))
            c = c.apply(prefix[-1])
        found = derivation_after(static, graph_of(sentence, layer), prefix, most_steps=1_000)
        assert found.complete
        assert len(found.actions) >= len(prefix)


def test_without_a_dynamic_oracle_the_derivation_ends_with_the_prefix():
    gold = DependencyGraph.from_heads([2, 0, 2], ["nsubj", "root", "obj"])
    found = derivation_after(mp.oracle("swap"), gold, ["SHIFT", "SHIFT", "RIGHT-ARC"])
    assert (found.sequence, found.complete) == (["SHIFT", "SHIFT", "RIGHT-ARC"], False)
    assert (found.lost, found.added) == ([(2, 1, "nsubj"), (2, 3, "obj")], [(1, 2)])


def test_arcs_without_a_label_get_the_gold_one():
    gold = DependencyGraph.from_heads([2, 0, 2], ["nsubj", "root", "obj"])
    found = derivation_after(mp.oracle("planar"), gold, ["SHIFT", "LEFT-ARC", "REDUCE", "SHIFT"])
    assert found.sequence[1] == "LEFT-ARC(nsubj)"
    edges = derivation_after(mp.oracle("undirected-planar"), gold, ["SHIFT", "ARC"])
    assert edges.sequence[1] == "ARC(nsubj)"


@pytest.mark.parametrize("name", systems)
def test_what_is_legal_is_what_the_system_says(name: str):
    system = systems[name]
    for sentence in islice(mp.sample(), 3):
        actions = mp.oracle(system).derive(sentence.graph).actions
        found = stepwise(system, len(sentence), actions, by_hand=2)
        configurations = [system.initial(len(sentence)), *(c for _, c in walk(system, len(sentence), actions))]
        assert [[each.transition for each in row.legal] for row in found.rows] == [c.legal() for c in configurations]
        assert set(found.arcs) == configurations[-1].arcs
        assert [row.number for row in found.rows if row.by_hand] == [1, 2]
