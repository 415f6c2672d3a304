"""What is printed of a transition can be read back, and nothing else."""

from functools import reduce
from operator import and_, or_

import pytest
from hypothesis import given
from hypothesis import strategies as st

import multiplane as mp
from multiplane.errors import TransitionSystemError
from multiplane.systems import LEFT_ARC, SHIFT, UNSHIFT, Guard, I, connected, front_has_head, top_has_head
from multiplane.systems.notation import composition_of

ATOMS = st.sampled_from([top_has_head, front_has_head, connected])
GUARDS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        inner.map(lambda guard: ~guard),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: reduce(and_, parts)),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: reduce(or_, parts)),
    ),
    max_leaves=5,
)


@pytest.mark.parametrize("name", [*mp.systems, "7-planar-folded", "3-planar-joint[]"])
def test_every_system_of_the_catalogue_can_be_read_back(name: str):
    for transition in mp.systems[name].transitions.values():
        assert composition_of(str(transition)) == transition


@given(GUARDS, st.integers(1, 100), st.integers(0, 9))
def test_guards_and_exponents_can_be_read_back(guard: Guard, times: int, less: int):
    transition = LEFT_ARC.where(guard) >> SHIFT**times >> UNSHIFT ** (I - less)
    found = composition_of(str(transition))
    assert str(found) == str(transition)
    assert found == transition or not guard.holds_for


@pytest.mark.parametrize(
    "text",
    [
        *("", "SHIFT;", " SHIFT", "shift", "__import__", "SHIFT^0", "SHIFT^101", "SHIFT^01", "SHIFT^i-0", "SHIFT^j"),
        *("SHIFT|", "SHIFT|()", "SHIFT|(", "SHIFT|H", "SHIFT|(Hσ)", "SHIFT|(Hσ ∧ )", "SHIFT|Hσ ∧ Hβ", "SHIFT|(Hσ ∨"),
    ],
)
def test_anything_else_is_refused(text: str):
    with pytest.raises(TransitionSystemError):
        composition_of(text)
