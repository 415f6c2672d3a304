"""The search for counterexamples to properties of systems."""

from itertools import islice

from multiplane.systems import systems
from multiplane.systems.properties import _Samples


def test_a_search_goes_on_where_another_one_stopped() -> None:
    samples = _Samples(systems["covington-projective"])
    first = list(islice(samples, 3))
    everything = list(samples)
    assert everything[:3] == first
    assert everything == list(samples) == list(_Samples(systems["covington-projective"]))
    assert len({frozenset(graph.arcs) for graph in everything}) == len(everything) > 20


def test_samples_are_graphs_that_the_system_derives() -> None:
    assert all(graph.is_planar() for graph in _Samples(systems["planar[]"]))
    assert not all(graph.is_single_head() for graph in _Samples(systems["planar[]"]))
