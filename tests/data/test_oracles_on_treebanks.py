"""Static oracles on every tree of the treebanks in ../shared/data; skipped where these are absent."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from multiplane import _native
from multiplane.formats import Corpus, read
from multiplane.graphs import measure_heads
from multiplane.oracles import StaticOracle
from multiplane.systems import TransitionSystem, systems
from multiplane.systems.properties import longest

DATA = Path(__file__).parents[3] / "shared" / "data"
TREEBANKS = sorted(path for kind in ("ud", "conllx") for path in (DATA / kind).glob("*/*.xz"))

pytestmark = pytest.mark.skipif(not TREEBANKS, reason="no ../shared/data")

on_every_treebank = pytest.mark.parametrize("path", TREEBANKS, ids=lambda path: f"{path.parent.name}-{path.name[:-3]}")

LINEAR = [
    name
    for name, system in systems.items()
    if system.properties()["linear_transitions"] and StaticOracle(system).strategy != "search"
]
SLOW = {"easy-first": 200}
"""How many sentences of a file a system gets, where it takes long for all."""


@cache
def trees(path: Path) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The lengths of all sentences, and the heads of their words."""
    corpus: Corpus = read(path)
    return corpus.lengths, np.maximum(corpus.heads, 0)


def chosen(path: Path, which: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    lengths, heads = trees(path)
    return lengths[which], heads[np.repeat(which, lengths)]


def roots(path: Path) -> NDArray[np.int64]:
    """The number of roots of each sentence."""
    lengths, heads = trees(path)
    return np.bincount(np.repeat(np.arange(len(lengths)), lengths)[heads == 0], minlength=len(lengths))


@cache
def planarity(path: Path) -> NDArray[np.int8]:
    return measure_heads(*trees(path)).planarity


def planarity_with_root(lengths: NDArray[np.int64], heads: NDArray[np.int32]) -> NDArray[np.int8]:
    """The same with the arcs of an artificial root at the right, which stands in as one more word."""
    ends = np.cumsum(lengths)
    placed = np.where(heads == 0, np.repeat(lengths + 1, lengths), heads).astype(np.int32)
    return measure_heads(lengths + 1, np.insert(placed, ends, 0)).planarity


def derive(
    system: TransitionSystem, lengths: NDArray[np.int64], heads: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """What `StaticOracle.statistics` sums up, sentence by sentence: arcs lost, transitions, whether it ended well."""
    oracle = StaticOracle(system)
    found = _native.derive_forests(system.program, oracle.spec, lengths, heads)
    return found.lost, found.transitions, found.complete.astype(np.bool_)


@on_every_treebank
def test_transition_sequences_stay_within_the_papers_bounds(path: Path) -> None:
    for name in LINEAR:
        lengths, heads = trees(path)
        lengths = lengths[: SLOW.get(name)]
        _, transitions, _ = derive(systems[name], lengths, heads[: lengths.sum()])
        sizes, place = np.unique(lengths, return_inverse=True)
        bounds = np.array([longest(systems[name], int(n)) for n in sizes])[place]
        assert (transitions <= bounds).all(), (name, np.flatnonzero(transitions > bounds)[:5])


@on_every_treebank
@pytest.mark.parametrize("k", [1, 2, 3])
def test_k_planar_oracles_lose_arcs_only_of_trees_that_are_not_k_planar(path: Path, k: int) -> None:
    lost, _, complete = derive(systems[f"{k}-planar"], *trees(path))
    decided = planarity(path) > 0
    assert ((lost > 0) == (planarity(path) > k))[decided].all()
    assert complete.all()


@on_every_treebank
@pytest.mark.parametrize("name", ["swap", "arc-hybrid-swap", "covington"])
def test_swap_and_covington_oracles_rebuild_every_tree(path: Path, name: str) -> None:
    lost, _, complete = derive(systems[name], *trees(path))
    assert complete.all()
    assert not lost.any()


@on_every_treebank
@pytest.mark.parametrize("name", ["arc-standard", "arc-standard-stack", "arc-eager", "arc-hybrid"])
def test_projective_oracles_rebuild_exactly_the_projective_trees(path: Path, name: str) -> None:
    lost, _, complete = derive(systems[name], *trees(path))
    projective = ~measure_heads(*trees(path)).nonprojective
    assert ((lost == 0) & complete)[projective].all()
    assert not ((lost == 0) & complete & (roots(path) == 1))[~projective].any()


@on_every_treebank
def test_2_planar_oracle_restricted_to_trees_rebuilds_every_2_planar_tree_with_one_root(path: Path) -> None:
    one = roots(path) == 1
    lost, _, complete = derive(systems["2-planar"].trees(), *chosen(path, one & (planarity(path) <= 2)))
    assert complete.all()
    assert not lost.any()


@on_every_treebank
@pytest.mark.parametrize("single_root", [False, True])
def test_2_planar_oracle_with_a_root_at_the_right_rebuilds_every_2_planar_tree(path: Path, single_root: bool) -> None:
    lengths, heads = chosen(path, (roots(path) == 1) | (not single_root))
    lost, _, complete = derive(systems["2-planar"].trees(root="right", single_root=single_root), lengths, heads)
    in_class = planarity_with_root(lengths, heads) <= 2
    assert complete[in_class].all()
    assert ((lost == 0) == in_class).all()


@on_every_treebank
def test_derivations_of_trees_outside_the_class_come_to_their_end(path: Path) -> None:
    """A sample: the first three such trees of up to 40 words in each file, for every linear system."""
    short = [int(i) for i in np.flatnonzero((planarity(path) > 2) & (trees(path)[0] <= 40))[:3]]
    corpus = read(path)
    for name in LINEAR:
        for number in short:
            assert StaticOracle(systems[name]).derive(corpus[number].graph).complete, (name, corpus[number].sent_id)
