"""Lifting against its definition, and the way back: exact where labels are clear, and a tree whatever they say."""

import random
import time
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from multiplane.errors import GraphError
from multiplane.graphs import DependencyGraph, all_forests, random_tree
from multiplane.graphs.projectivize import ENCODINGS, Encoding, _Lifting, deprojectivize, projectivize

MARKED: tuple[Encoding, ...] = ("head", "path", "head+path")
Mark = tuple[str, str | None, bool]
"""Label, label of the syntactic head of a lifted word, whether another word was lifted over this one."""


def heads_of(graph: DependencyGraph) -> list[int]:
    heads = [0] * graph.n
    for head, word, *_ in graph.arcs:
        heads[word - 1] = head
    return heads


def small_forests() -> Iterator[list[int]]:
    return (heads_of(forest) for n in range(6) for forest in all_forests(n))


def shuffled_tree(n: int, memory: int, roots: float, chance: random.Random) -> list[int]:
    """From chains to bushes: the head of a word is one of the last few words attached, or 0."""
    order = chance.sample(range(1, n + 1), n)
    heads = [0] * n
    for i, word in enumerate(order[1:], 1):
        heads[word - 1] = 0 if chance.random() < roots else chance.choice(order[max(0, i - memory) : i])
    return heads


def random_forests(count: int, most_words: int) -> Iterator[list[int]]:
    chance = random.Random(5)
    for _ in range(count):
        n = chance.randint(6, most_words)
        yield shuffled_tree(n, chance.randint(1, n), chance.choice([0, 0, 0.1, 0.4]), chance)


def distinct(heads: Sequence[int]) -> list[str]:
    return [f"l{word}" for word in range(1, len(heads) + 1)]


def is_projective(heads: Sequence[int]) -> bool:
    graph = DependencyGraph.from_heads(heads)
    return graph.is_forest() and graph.is_projective()


# The definitions, word for word.


def dominates(heads: Sequence[int], above: int, word: int) -> bool:
    while word and word != above:
        word = heads[word - 1]
    return word == above


def lifted_by_definition(heads: Sequence[int]) -> tuple[list[int], set[int], int]:
    """The heads after lifting, the words on paths, and the number of lifts."""
    heads, on_path, lifts = list(heads), set(), 0
    while True:
        nonprojective = [
            (abs(head - word), min(head, word), word)
            for word, head in enumerate(heads, 1)
            if not all(
                dominates(heads, head, between) for between in range(min(head, word) + 1, max(head, word)) if head
            )
        ]
        if not nonprojective:
            return heads, on_path, lifts
        word = min(nonprojective)[2]
        on_path.add(heads[word - 1])
        heads[word - 1] = heads[heads[word - 1] - 1]
        lifts += 1


def lowered_by_definition(heads: Sequence[int], marks: Sequence[Mark], encoding: str) -> list[int]:
    heads, waiting, reached = list(heads), {w for w, mark in enumerate(marks, 1) if mark[1] is not None}, [0]

    def below(head: int, but: int | None = None, marked: bool = False) -> list[int]:
        words = [word for word in range(1, len(heads) + 1) if heads[word - 1] == head and word != but]
        return [word for word in words if marks[word - 1][2]] if marked else words

    def search(word: int, marked: bool) -> Iterator[int]:
        level = [heads[word - 1]]
        while level:
            level = [found for head in level for found in below(head, word, marked)]
            yield from level

    for head in reached:
        for word in below(head):
            if word not in waiting:
                continue
            waiting.remove(word)
            named = [at for at in search(word, marked=False) if marks[at - 1][0] == marks[word - 1][1]]
            path = list(search(word, marked=True))
            found = {
                "head": named,
                "path": [at for at in path if not below(at, word, marked=True)],
                "head+path": [at for at in path if at in named] + named,
            }[encoding]
            heads[word - 1] = found[0] if found else head
        reached += below(head)
    return heads


def written(mark: Mark) -> str:
    label, lifted_from, on_path = mark
    return label + ("" if lifted_from is None else f"↑{lifted_from}") + "↓" * on_path


# Lifting.


def check_lifting(heads: list[int]) -> None:
    labels = distinct(heads)
    expected, on_path, _ = lifted_by_definition(heads)
    moved = [word for word, (old, new) in enumerate(zip(heads, expected, strict=True), 1) if old != new]
    for encoding in ENCODINGS:
        signs = [
            (
                label,
                {"baseline": None, "path": ""}.get(encoding, labels[head - 1]) if word in moved else None,
                word in on_path and "path" in encoding,
            )
            for word, (label, head) in enumerate(zip(labels, heads, strict=True), 1)
        ]
        assert projectivize(heads, labels, encoding) == (expected, [written(sign) for sign in signs]), (heads, encoding)
    assert is_projective(expected)


def test_every_small_forest_is_lifted_as_the_definition_says():
    for heads in small_forests():
        check_lifting(heads)


def test_random_forests_are_lifted_as_the_definition_says():
    for heads in random_forests(300, 18):
        check_lifting(heads)


def test_large_random_trees_become_projective_trees():
    for seed in range(5):
        heads = heads_of(random_tree(500, seed))
        assert is_projective(projectivize(heads, distinct(heads))[0])


def test_there_are_as_many_lifts_as_the_definition_makes(monkeypatch: pytest.MonkeyPatch):
    lifts = 0
    lift = _Lifting._lift

    def counted(self: _Lifting, word: int) -> None:
        nonlocal lifts
        lifts += 1
        lift(self, word)

    monkeypatch.setattr(_Lifting, "_lift", counted)
    for heads in [*small_forests(), *random_forests(50, 18)]:
        lifts = 0
        projectivize(heads, distinct(heads))
        assert lifts == lifted_by_definition(heads)[2]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_projective_trees_stay_as_they_are(encoding: Encoding):
    for heads in small_forests():
        if is_projective(heads):
            assert projectivize(heads, distinct(heads), encoding) == (heads, distinct(heads))


def test_the_shortest_arc_is_lifted_first_and_the_leftmost_of_equals():
    # 1→3 and 2→4 cross and are equally long; lifting the left one is enough.
    assert projectivize([0, 1, 1, 2], list("abcd"), "baseline") == ([0, 1, 1, 1], list("abcd"))
    # 4→2 and 3→1 cross as well; 3→1 is the left one.
    assert projectivize([3, 4, 4, 0], list("abcd"), "head") == ([4, 4, 4, 0], ["a↑c", "b", "c", "d"])


@pytest.mark.parametrize("seed", [1, 2])
def test_ten_thousand_words_with_many_crossings_take_seconds(seed: int):
    chance = random.Random(seed)
    heads = shuffled_tree(10_000, 10_000 if seed == 1 else 20, 0.001, chance)
    labels = [f"l{chance.randint(1, 40)}" for _ in heads]
    began = time.process_time()
    for encoding in ("head", "head+path"):
        lifted = projectivize(heads, labels, encoding)
        assert len(deprojectivize(*lifted, encoding)[0]) == len(heads)
    assert time.process_time() - began < 60  # a few seconds, and the machine may be slow; cubic time would be hours


# The way back.


@pytest.mark.parametrize("encoding", ["head", "head+path"])
def test_trees_with_distinct_labels_come_back(encoding: Encoding):
    for heads in [*small_forests(), *random_forests(300, 40)]:
        assert deprojectivize(*projectivize(heads, distinct(heads), encoding), encoding) == (heads, distinct(heads))


@pytest.mark.parametrize("encoding", ["head", "head+path"])
def test_trees_come_back_if_no_label_of_a_lost_head_occurs_twice(encoding: Encoding):
    for heads in random_forests(300, 25):
        lifted = projectivize(heads, ["x"] * len(heads), "baseline")[0]
        lost = {old for old, new in zip(heads, lifted, strict=True) if old != new}
        labels = [f"l{word}" if word in lost else "x" for word in range(1, len(heads) + 1)]
        assert deprojectivize(*projectivize(heads, labels, encoding), encoding) == (heads, labels)


def test_trees_with_one_lifted_word_come_back_by_its_path():
    tried = 0
    for heads in [*small_forests(), *random_forests(3000, 9)]:
        labels = ["x"] * len(heads)
        lifted = projectivize(heads, labels, "path")
        if sum("↑" in label for label in lifted[1]) == 1:
            tried += 1
            assert deprojectivize(*lifted, "path") == (heads, labels)
    assert tried > 500


TREES = st.builds(
    lambda n, memory, roots, seed: shuffled_tree(n, memory, roots, random.Random(seed)),
    st.integers(0, 12),
    st.integers(1, 12),
    st.sampled_from([0, 0.2, 0.5]),
    st.integers(0, 2**32),
)
LABELS = st.sampled_from(["a", "b", "c"])
MARKS = st.tuples(LABELS, st.none() | LABELS, st.booleans())
ANY_LABEL = st.text(st.sampled_from("ab↑↓\\é:"), max_size=5)


@given(TREES, st.data(), st.sampled_from(MARKED), st.booleans())
def test_any_marks_are_followed_as_the_definition_says(
    heads: list[int], data: st.DataObject, encoding: Encoding, lift: bool
):
    if lift:
        heads = projectivize(heads, distinct(heads), "baseline")[0]
    marks = data.draw(st.lists(MARKS, min_size=len(heads), max_size=len(heads)))
    new_heads, labels = deprojectivize(heads, [written(mark) for mark in marks], encoding)
    assert new_heads == lowered_by_definition(heads, marks, encoding)
    assert labels == [mark[0] for mark in marks]
    assert DependencyGraph.from_heads(new_heads).is_forest()
    assert all(new == old for new, old, mark in zip(new_heads, heads, marks, strict=True) if mark[1] is None)


@given(TREES, st.data(), st.sampled_from(MARKED))
def test_any_labels_give_a_forest_with_as_many_words(heads: list[int], data: st.DataObject, encoding: Encoding):
    heads = projectivize(heads, distinct(heads), "baseline")[0]
    labels = data.draw(st.lists(ANY_LABEL, min_size=len(heads), max_size=len(heads)))
    new_heads, new_labels = deprojectivize(heads, labels, encoding)
    assert DependencyGraph.from_heads(new_heads).is_forest()
    assert len(new_heads) == len(new_labels) == len(heads)


@given(TREES, st.data(), st.sampled_from(MARKED))
@settings(max_examples=200)
def test_labels_come_back_even_if_they_hold_signs(heads: list[int], data: st.DataObject, encoding: Encoding):
    labels = data.draw(st.lists(ANY_LABEL, min_size=len(heads), max_size=len(heads)))
    assert deprojectivize(*projectivize(heads, labels, encoding), encoding)[1] == labels


@given(TREES, st.lists(ANY_LABEL, min_size=12, max_size=12, unique=True), st.sampled_from(["head", "head+path"]))
@example([3, 0, 2, 1], ["↑", "↓", "\\", "\\↑", *"abcdefgh"], "head+path")
def test_trees_come_back_even_if_distinct_labels_hold_signs(heads: list[int], labels: list[str], encoding: Encoding):
    labels = labels[: len(heads)]
    assert deprojectivize(*projectivize(heads, labels, encoding), encoding) == (heads, labels)


def test_the_baseline_has_no_way_back():
    assert deprojectivize([2, 0, 2], ["a↑b", "b", "c"], "baseline") == ([2, 0, 2], ["a↑b", "b", "c"])


def test_a_path_is_preferred_and_a_label_alone_suffices():
    heads, labels = [0, 1, 1, 1], ["root", "b", "b↓", "c↑b"]
    assert deprojectivize(heads, labels, "head")[0] == [0, 1, 1, 2]
    assert deprojectivize(heads, labels, "head+path")[0] == [0, 1, 1, 3]
    assert deprojectivize(heads, ["root", "b", "d↓", "c↑b"], "head+path")[0] == [0, 1, 1, 2]


@pytest.mark.parametrize(
    ("heads", "labels", "encoding", "message"),
    [
        ([0, 1], ["a"], "head", "2 heads but 1 labels; give one of each for every word"),
        ([0, 3], ["a", "b"], "head", "head 3 of word 2 is outside 0..2; give 0 for a root"),
        ([-1], ["a"], "path", "head -1 of word 1 is outside 0..1; give 0 for a root"),
        ([0, 3, 2, 2], list("abcd"), "head", "word 2 is in a cycle, or below one; only trees can be lifted"),
        ([1], ["a"], "head", "word 1 is in a cycle, or below one; only trees can be lifted"),
        (
            [0],
            ["a"],
            "tail",
            "unknown encoding 'tail'; known encodings: baseline, head, path, head+path",
        ),
    ],
)
def test_what_is_no_tree_is_refused(heads: list[int], labels: list[str], encoding: Encoding, message: str):
    for function in (projectivize, deprojectivize):
        with pytest.raises(GraphError) as error:
            function(heads, labels, encoding)
        assert str(error.value) == message
