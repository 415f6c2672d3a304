"""Trees that constraints change come from a wider search; tags, lemmas and all other trees stay as they were."""

import multiplane as mp

TEXT = "Nobody provoked them. She saw the man with a telescope. We ate pizza with friends. Prices rose."
FORBIDDEN: list[list[tuple[int, int]]] = [[], [(2, 7)], [(2, 5)], []]


def test_only_trees_that_constraints_change_are_different():
    parser = mp.load("en")
    free = parser.parse(TEXT)
    found = parser.parse(free, forbidden=FORBIDDEN, predict=parser.model.predicted_columns)
    assert [sentence.heads for sentence in found][::3] == [sentence.heads for sentence in free][::3]
    assert (found[1].heads[6], found[2].heads[4]) == (4, 3)
    for column in ("upos", "xpos", "feats", "lemma"):
        assert found.column(column) == free.column(column)


def test_constraints_that_a_tree_meets_anyway_change_nothing():
    parser = mp.load("en")
    free = parser.parse(TEXT)
    assert parser.parse(free, forbidden=[[(1, 2)]] * 4).to_bytes() == free.to_bytes()
