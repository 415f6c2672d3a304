"""Linear models: what is parsed is what the weights say."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import multiplane as mp
from small_parsers import trained

# One feature that is always there: transitions have an order of preference, and that is all.
CONSTANT = """
[templates]
transition = ["size(aside)"]
label = ["size(aside)"]
"""


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "name", ["planar", "2-planar", "2-planar-eager", "3-planar-eager", "6-planar-direct", "9-planar-direct"]
)
def test_the_transition_of_the_greatest_weight_is_taken_however_many_there_are(name: str, seed: int, tmp_path: Path):
    (tmp_path / "constant.toml").write_text(CONSTANT)
    settings = {"features": str(tmp_path / "constant.toml"), "prune": 0.0, "beam": 1, "epochs": 1}
    model = trained(mp.sample(), system=name, **settings).model
    names = model.system.names
    preference = np.random.default_rng(seed).permutation(np.linspace(-32767, 32767, len(names)).astype(np.int16))
    assert len(model.weights.keys) == 1
    parser = mp.Parser(replace(model, weights=model.weights._replace(weights=preference)))
    for sentence in mp.sample()[:3]:
        c = model.system.initial(len(sentence))
        while not c.is_terminal:
            c = c.apply(max(c.legal(), key=lambda transition: preference[names.index(transition)]))
        heads = dict.fromkeys(range(1, len(sentence) + 1), 0) | {arc[1]: arc[0] for arc in c.arcs}
        assert parser.parse(sentence).heads == list(heads.values())


def test_the_score_of_a_derivation_is_the_sum_of_its_weights(tmp_path: Path):
    (tmp_path / "constant.toml").write_text(CONSTANT)
    settings = {"features": str(tmp_path / "constant.toml"), "prune": 0.0, "beam": 1, "epochs": 1}
    model = trained(mp.sample(), **settings).model
    preference = np.random.default_rng(1).integers(-100, 100, len(model.system.names)).astype(np.int16)
    weights = model.weights._replace(weights=preference, label_weights=np.zeros_like(model.weights.label_weights))
    model = replace(model, weights=weights)
    sample = mp.sample()
    for beam in (2, 8):
        expected = [sum(preference[action.number] for action in each) for each in model.derivations(sample, beam)]
        assert model.parse(sample, beam).scores.tolist() == expected
    scored = []
    for sentence, actions in zip(sample, model.derivations(sample), strict=True):
        c, total = model.system.initial(len(sentence)), 0
        for action in actions:
            total += preference[action.number] if any(c.stacks) or len(c.legal()) > 1 else 0
            c = c.apply(action)
        scored.append(total)
    assert model.parse(sample).scores.tolist() == scored
