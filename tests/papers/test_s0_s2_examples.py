"""The small statements of S0 and S2 that can be checked on a graph or a configuration, and S3's Figure 1."""

import pytest

import multiplane as mp
from multiplane import DependencyGraph, TransitionError
from multiplane.systems import Configuration


def after(system: str, n: int, *transitions: str) -> Configuration:
    c = mp.systems[system].initial(n)
    for transition in transitions:
        c = c.apply(transition)
    return c


def test_s0_section_4_2_planar_derives_a_covered_root_and_arc_eager_does_not() -> None:
    covered = DependencyGraph(3, [(1, 3)])
    assert mp.oracle("planar").sequence(covered) == ["SHIFT", "SHIFT", "REDUCE", "RIGHT-ARC", "SHIFT"]
    assert mp.oracle("arc-eager").derive(DependencyGraph(3, [(1, 3), (2, 1)])).lost


def test_s0_section_4_2_arcs_between_words_that_are_linked_already_are_illegal() -> None:
    linked = after("planar", 2, "SHIFT", "RIGHT-ARC")
    with pytest.raises(TransitionError):
        linked.apply("LEFT-ARC")


def test_s0_section_4_3_the_variant_function_falls_with_every_transition_of_the_oracle() -> None:
    graph = DependencyGraph(6, [(2, 1), (2, 5), (5, 4), (4, 3), (5, 6)])
    c = mp.systems["planar"].initial(6)

    def variant() -> int:
        return len(graph.arcs) + len(c.stacks[0]) + 2 * len(c.buffer) - len(c.arcs)

    for transition in mp.oracle("planar").sequence(graph):
        before = variant()
        c = c.apply(transition)
        assert variant() < before


def test_s0_section_5_1_two_switches_in_a_row_are_illegal() -> None:
    with pytest.raises(TransitionError):
        after("2-planar", 3, "SHIFT", "SWITCH", "SWITCH")


def test_s1_figure_4_a_2_planar_graph_may_be_divided_into_planes_in_several_ways() -> None:
    # Arcs of another component of the crossings graph may change planes on their own.
    graph = DependencyGraph(8, [(1, 3), (2, 4), (5, 7), (6, 8)])
    dynamic = mp.oracle("2-planar", dynamic=True)
    one, other = [{(1, 3), (5, 7)}, {(2, 4), (6, 8)}], [{(1, 3), (6, 8)}, {(2, 4), (5, 7)}]
    c = mp.systems["2-planar"].initial(8)
    assert dynamic.loss(c, graph, planes=one) == dynamic.loss(c, graph, planes=other) == 0


def test_s2_section_3_a_wrong_arc_closes_a_cycle_so_that_the_loss_is_more_than_the_arcs_out_of_reach() -> None:
    # The gold arcs 2 → 3 and 3 → 1 can each be built after the wrong arc 1 → 2, but not both.
    gold = DependencyGraph(3, [(2, 3), (3, 1)])
    for name in ("2-planar", "planar", "covington"):
        dynamic = mp.oracle(name, dynamic=True)
        wrong = after(name, 3, "SHIFT", "RIGHT-ARC", "SHIFT")
        one_by_one = [dynamic.loss(wrong, DependencyGraph(3, [arc])) for arc in gold.arcs]
        assert one_by_one == [0, 0]
        assert dynamic.loss(wrong, gold) == 1
        assert dynamic.costs(after(name, 3, "SHIFT"), gold)["RIGHT-ARC"] == 1


def test_s2_section_3_an_arc_built_in_the_other_plane_counts_as_lost() -> None:
    gold = DependencyGraph(2, [(1, 2)])
    dynamic = mp.oracle("2-planar", dynamic=True)
    assert dynamic.planes(gold) == [{(1, 2)}, set()]
    assert dynamic.loss(after("2-planar", 2, "SHIFT", "RIGHT-ARC"), gold) == 0
    assert dynamic.loss(after("2-planar", 2, "SHIFT", "SWITCH", "RIGHT-ARC"), gold) == 1


def test_s2_section_3_switch_costs_what_the_transition_that_it_forces_costs() -> None:
    gold = DependencyGraph(2, [(1, 2)])
    dynamic = mp.oracle("2-planar", dynamic=True)
    # With word 1 on the other stack something free can be done there: it can be reduced.
    assert dynamic.costs(after("2-planar", 2, "SHIFT"), gold)["SWITCH"] == 0
    # When it is gone from there, all that is left after SWITCH is SHIFT, which loses the arc.
    c = after("2-planar", 2, "SHIFT", "SWITCH", "REDUCE", "SWITCH")
    assert "SWITCH" not in c.legal()
    assert dynamic.costs(c, gold)["RIGHT-ARC"] == 0
    c = after("2-planar", 3, "SHIFT", "SHIFT", "SWITCH", "REDUCE", "REDUCE", "SWITCH", "REDUCE")
    assert (c.stacks, c.active, c.buffer) == ([[1], []], 0, [3])
    assert dynamic.costs(c, DependencyGraph(3, [(1, 3)])) == {
        "SHIFT": 1,
        "REDUCE": 1,
        "LEFT-ARC": 1,
        "RIGHT-ARC": 0,
        "SWITCH": 1,
    }


def test_s3_figure_1_one_wrong_arc_costs_two_under_the_single_head_constraint() -> None:
    gold = DependencyGraph(3, [(2, 1), (3, 2)])
    for name in ("planar", "2-planar", "covington"):
        assert mp.oracle(name, dynamic=True).costs(after(name, 3, "SHIFT"), gold)["RIGHT-ARC"] == 2
