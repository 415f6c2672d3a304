"""What the replication's ablation adds to the public pieces: forests, systems between others, no punctuation."""

import sys
from pathlib import Path

import pytest

import multiplane as mp
from multiplane.formats.treebank import roots_of
from multiplane.oracles import StaticOracle
from multiplane.training import Settings

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "replication"))

import ablation


@pytest.mark.parametrize("root", [None, "left"])
@pytest.mark.parametrize("parser", ablation.PARSERS)
def test_forests_become_trees_with_several_roots(parser: str, root: ablation.Root):
    settings = Settings(system=parser, learner="liblinear", root="left", single_root=False)
    output = ablation.train_forests(mp.sample(), settings, root).parse(mp.sample())
    scores = mp.evaluate(mp.sample(), output)
    assert scores.las > 60
    roots = roots_of(output)
    assert roots.min() >= 1
    assert roots.max() > 1


def test_steps_lead_from_one_system_to_the_other():
    new = {system.name: system for system in ablation.new_systems()}
    found = {
        name: StaticOracle((new.get(name) or mp.systems[name]).trees("left")).statistics(mp.sample())
        for name in ("arc-eager", "planar", "2-planar", *ablation.STEPS)
    }
    for first, *others in (("arc-eager", "planar", *ablation.STEPS[:3]), ("2-planar", *ablation.STEPS[3:])):
        assert {found[name].arcs_lost for name in others} == {found[first].arcs_lost}
    lengths = [found[name].transitions for name in ("2-planar", *ablation.STEPS[3:])]
    assert lengths == sorted(lengths, reverse=True)
    assert found["planar-both"].transitions == found["arc-eager"].transitions


def test_punctuation_is_left_out():
    corpus = ablation.without_punctuation(mp.sample())
    assert len(corpus) == len(mp.sample())
    assert {".", ","} & set(corpus.column("form")) == set()
    assert corpus.words == mp.sample().words - mp.sample().column("deprel").count("punct")


def test_mirrored_twice_is_the_same():
    once = ablation.mirrored(mp.sample())
    assert once[0].forms == mp.sample()[0].forms[::-1]
    assert ablation.mirrored(once).heads.tolist() == mp.sample().heads.tolist()
