import time
from collections import defaultdict
from itertools import combinations, pairwise

import pytest
from drawings import GRAPH, HEARING, drawings
from hypothesis import given

from multiplane.visual.layout import LEVEL, PORT, Box, Drawing, Layout, PlacedArc, lay_out, printable


def overlap(one: Box, other: Box) -> bool:
    return (
        min(one.right, other.right) - max(one.left, other.left) > 1e-6
        and min(one.bottom, other.bottom) - max(one.top, other.top) > 1e-6
    )


def bar(arc: PlacedArc) -> tuple[float, float]:
    return min(arc.head_x, arc.dependent_x), max(arc.head_x, arc.dependent_x)


def legs_by_word(layout: Layout) -> dict[tuple[int, int], list[float]]:
    """The x of every leg, by word and side (0 above, 1 below)."""
    legs = defaultdict(list)
    for arc in layout.arcs:
        legs[arc.head, arc.plane % 2].append(arc.head_x)
        legs[arc.dependent, arc.plane % 2].append(arc.dependent_x)
    for root in layout.roots:
        legs[root.word, 0].append(root.x)
    return legs


@given(drawings())
def test_labels_never_overlap(drawing):
    boxes = [box for box in lay_out(drawing).label_boxes if box.right > box.left]
    assert not any(overlap(*pair) for pair in combinations(boxes, 2))


@given(drawings())
def test_labels_lie_on_their_bars_and_off_the_words(drawing):
    layout = lay_out(drawing)
    for arc in layout.arcs:
        left, right = bar(arc)
        assert left < arc.label_box.left <= arc.label_box.right < right
        assert (arc.label_box.top + arc.label_box.bottom) / 2 == pytest.approx(arc.bar)
    assert not any(overlap(box, word.box) for box in layout.label_boxes for word in layout.words)


@given(drawings())
def test_bars_on_the_same_level_of_a_side_are_disjoint(drawing):
    bars = defaultdict(list)
    for arc in lay_out(drawing).arcs:
        bars[arc.bar].append(bar(arc))
    for level in bars.values():
        assert all(one[1] < other[0] for one, other in pairwise(sorted(level)))


@given(drawings())
def test_every_leg_has_its_own_port_inside_its_word(drawing):
    layout = lay_out(drawing)
    for (number, _), xs in legs_by_word(layout).items():
        assert all(right - left == pytest.approx(PORT) for left, right in pairwise(sorted(xs)))
        box = layout.words[number - 1].box
        assert all(box.left < x < box.right for x in xs)
    assert all(one.box.right < other.box.left for one, other in pairwise(layout.words))


@given(drawings())
def test_odd_planes_are_above_and_even_planes_below(drawing):
    layout = lay_out(drawing)
    for arc in layout.arcs:
        box = layout.words[0].box
        assert (arc.bar < arc.foot == box.top) if arc.plane % 2 == 0 else (arc.bar > arc.foot == box.bottom)


@given(drawings())
def test_everything_is_inside_the_image(drawing):
    layout = lay_out(drawing)
    for box in [*layout.label_boxes, *(word.box for word in layout.words)]:
        assert 0 < box.left <= box.right < layout.width
        assert 0 < box.top <= box.bottom < layout.height


def crosses(one: tuple[int, int], other: tuple[int, int]) -> bool:
    (a, b), (c, d) = sorted((sorted(one), sorted(other)))
    return a < c < b < d


@given(drawings())
def test_arches_touch_only_where_arcs_cross_or_planes_share_a_side(drawing):
    def leg_hits_bar(leg: PlacedArc, other: PlacedArc) -> bool:
        left, right = bar(other)
        return any(left <= x <= right for x in (leg.head_x, leg.dependent_x)) and leg.level >= other.level

    for one, other in combinations(lay_out(drawing).arcs, 2):
        if one.plane == other.plane and not crosses((one.head, one.dependent), (other.head, other.dependent)):
            assert not leg_hits_bar(one, other)
            assert not leg_hits_bar(other, one)


def test_nested_arcs_are_one_level_apart():
    arcs = {(arc.head, arc.dependent): arc for arc in lay_out(HEARING).arcs}
    assert arcs[4, 3].bar - arcs[4, 2].bar == LEVEL
    assert arcs[7, 6].bar - arcs[7, 5].bar == LEVEL


def test_a_label_makes_way_for_a_line_that_crosses_its_bar():
    drawing = Drawing(("a", "considerable", "c"), planes=(((1, 3, "label"),),), roots=((2, "root"),))
    layout = lay_out(drawing)
    box = layout.arcs[0].label_box
    assert not box.left <= layout.roots[0].x <= box.right


def test_the_legend_shows_planes_only_if_there_are_several():
    assert lay_out(HEARING).legend == (0, 1)
    assert lay_out(GRAPH).legend == (0, 1, 2)
    assert lay_out(Drawing(("a", "b"), planes=(((1, 2, "x"),), ()))).legend == ()


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("word", 4, "word"),
        ("words", 4, "wor…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("e\u0301te\u0301", 3, "e\u0301te\u0301"),
        ("a\tb\nc", 9, "a b c"),
        ("\x1b[2J\x00", 9, "\ufffd[2J\ufffd"),
        ("\u202eabc", 9, "\ufffdabc"),
        ("می\u200cخواهم", 9, "می\u200cخواهم"),
        ("x" * 1_000_000, 4, "xxx…"),
    ],
)
def test_printable_text(text, columns, shown):
    assert printable(text, columns) == shown


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"tags": ("X",)}, "1 tags for 2 words"),
        ({"planes": (((0, 1, "root"),),)}, "arcs from 0 belong in `roots`"),
        ({"planes": ((), ((1, 1, "x"),))}, "plane 2: cannot draw the arc 1 → 1"),
        ({"planes": (((1, 3, "x"),),)}, "words from 1 to 2"),
        ({"roots": ((3, "root"),)}, "cannot draw the root 3"),
    ],
)
def test_impossible_drawings_are_refused(parts, message):
    with pytest.raises(ValueError, match=message):
        Drawing(("a", "b"), **parts)


@pytest.mark.measures
@pytest.mark.parametrize("head", [lambda word: 1, lambda word: word - 1, lambda word: word // 2])
def test_twenty_thousand_words_take_seconds(head):
    n = 20_000
    arcs = tuple((head(word), word, "label") for word in range(2, n + 1))
    start = time.process_time()
    layout = lay_out(Drawing(("word",) * n, planes=(arcs,), roots=((1, "root"),)))
    assert len(layout.arcs) == n - 1
    assert time.process_time() - start < 20
