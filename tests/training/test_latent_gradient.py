"""The native loss of latent-variable models is that of the definition, and its gradient is that of the loss."""

import numpy as np
import pytest

from latent_cases import CHANNEL_SIZES, SEMANTICS, SYNTAX, UNITS, Case
from latent_reference import CHANNELS


@pytest.mark.parametrize("generative", [False, True], ids=["conditional", "generative"])
@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize("syntax", SYNTAX)
def test_the_native_loss_is_that_of_the_definition(syntax: str, semantics: str, generative: bool):
    assert len(CHANNELS) == len(CHANNEL_SIZES)
    case = Case(syntax, semantics, generative, seed=1, sizes=[1, 2, 3, 4, 5, 6, 7])
    loss, _ = case.native()
    assert loss > 10
    assert loss == pytest.approx(case.loss(case.weights), rel=1e-5)


@pytest.mark.parametrize("generative", [False, True], ids=["conditional", "generative"])
def test_the_gradient_is_that_of_finite_differences(generative: bool):
    case = Case("2-planar-eager", "last-resort", generative, seed=2, sizes=[4, 5])
    _, gradient = case.native()
    random, step = np.random.default_rng(3), 1e-4
    for place, array in enumerate(gradient):
        sloping = np.flatnonzero(np.abs(array) > 1e-3)
        assert len(sloping) > 10
        for i in random.choice(sloping, 12, replace=False).tolist():
            losses = []
            for sign in (1, -1):
                weights = [w.astype(np.float64) for w in case.weights]
                weights[place][i] += sign * step
                losses.append(case.loss(weights))
            assert array[i] == pytest.approx((losses[0] - losses[1]) / (2 * step), rel=2e-3, abs=2e-5)


def test_weights_that_no_derivation_meets_have_no_gradient():
    case = Case("2-planar-eager", "last-resort", generative=False, seed=4, sizes=[3])
    _, gradient = case.native()
    features = gradient[2].reshape(-1, UNITS)
    assert 0 < np.count_nonzero(np.abs(features).sum(1)) < len(features)
