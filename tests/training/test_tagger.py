"""The layer that predicts tags."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from multiplane.training.tagger import Tagger, parts_of_values  # noqa: E402


@pytest.mark.parametrize(
    ("values", "parts"),
    [
        (["NOUN", "VERB"], 0),  # too short for positions
        (["NN", "NNP", "VBZ"], 0),
        (["n-s", "n-p"], 0),
        (["Ncmsn", "Ncfsn"], 6),
        (["Ncmsn", "Vm"], 0),
        (["_"], 0),
        (["_", "Case=Nom"], 0),  # nothing is shared
        (["A|B", "A|C", "_", "B"], 3),
    ],
)
def test_values_have_parts_between_bars_or_at_positions(values: list[str], parts: int):
    assert parts_of_values(values).shape == (len(values), parts)


@pytest.mark.parametrize("has_parts", [True, False])
def test_a_value_that_is_never_seen_scores_highest_where_its_parts_do(has_parts: bool):
    values = ["A=1|B=1", "A=1|B=2", "A=2|B=1", "A=2|B=2"]
    parts = parts_of_values(values)
    tagger = Tagger(2, parts if has_parts else parts[:, :0])
    optimizer = torch.optim.Adam(tagger.parameters(), lr=0.05)
    inputs, gold = torch.tensor([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0]]), torch.tensor([0, 1, 2])
    with torch.no_grad():
        tagger.wholes.weight.zero_()
    for _ in range(200):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(tagger(inputs)[:, :3], gold).backward()
        optimizer.step()
    scores = tagger(torch.tensor([[1.0, 1.0]]))[0].detach().numpy()
    assert (int(scores.argmax()) == 3) == has_parts


def test_the_native_core_gets_the_sum_of_wholes_and_parts():
    parts = parts_of_values(["A|B", "A", "B", "_"])
    tagger = Tagger(3, parts)
    with torch.no_grad():
        tagger.parts.copy_(torch.arange(6.0).reshape(2, 3))
        tagger.wholes.weight.fill_(1.0)
    assert np.array_equal(tagger.weight.detach().numpy(), 1 + parts @ np.arange(6.0).reshape(2, 3))
