"""HEAD planarisation of graphs: planar output, nothing lost without notice, and decoding by its definition."""

import random
from collections import deque
from itertools import product

import numpy as np
import pytest

from multiplane import DependencyGraph
from multiplane.errors import GraphError
from multiplane.formats.layers import LayerArcs
from multiplane.graphs import all_graphs
from multiplane.graphs.codecs import deplanarize, deplanarize_layer, planarize, planarize_layer
from multiplane.graphs.projectivize import decoded

LABELS = ("A0", "A1", "AM-TMP")
Labelled = tuple[int, int, str]


def labelled(graph: DependencyGraph, seed: int) -> DependencyGraph:
    choose = random.Random(seed)
    return DependencyGraph(graph.n, [(arc[0], arc[1], choose.choice(LABELS)) for arc in graph.arcs])


def random_labelled(seed: int) -> DependencyGraph:
    """A random graph with hubs, as predicates have several arguments; some arcs from 0 and from words to themselves."""
    choose = random.Random(seed)
    n = choose.randint(2, 25)
    heads = [choose.randint(1, n) for _ in range(choose.randint(1, 6))]
    ends = {
        (choose.choice([0, *heads, choose.randint(1, n)]), choose.randint(1, n)) for _ in range(choose.randint(1, 40))
    }
    return DependencyGraph(n, [(*pair, choose.choice(LABELS)) for pair in sorted(ends)], loops=True)


def layer_of(graphs: list[DependencyGraph]) -> tuple[np.ndarray, LayerArcs]:
    names = sorted({arc[2] for graph in graphs for arc in graph.arcs if len(arc) > 2})
    rows = [(arc[0], arc[1], names.index(arc[2])) for graph in graphs for arc in graph.arcs if len(arc) > 2]
    heads, dependents, labels = np.array(rows, np.int32).reshape(-1, 3).T.copy()
    first = np.cumsum([0, *(len(graph.arcs) for graph in graphs)])
    return np.array([graph.n for graph in graphs]), LayerArcs(first, heads, dependents, labels, tuple(names))


def decoded_by_definition(graph: DependencyGraph) -> DependencyGraph:
    """Each lifted arc moves to the first word below its head that an unmarked arc with the label named leads to."""
    marks = [(arc[0], arc[1], decoded(arc[2])) for arc in graph.arcs if len(arc) > 2]
    plain = [(head, dependent, mark.label) for head, dependent, mark in marks if mark.lifted_from is None]
    below: dict[int, list[Labelled]] = {}
    for arc in sorted(plain):
        if 0 < arc[0] != arc[1]:
            below.setdefault(arc[0], []).append(arc)
    found: list[Labelled] = list(plain)
    for head, dependent, mark in marks:
        if mark.lifted_from is None:
            continue
        new_head, todo, seen = head, deque([head]), {head}
        while todo and head > 0 and head != dependent:
            for _, word, label in below.get(todo.popleft(), []):
                if word == dependent:
                    continue
                if label == mark.lifted_from:
                    new_head = word
                    todo.clear()
                    break
                if word not in seen:
                    seen.add(word)
                    todo.append(word)
        if (new_head, dependent) not in {arc[:2] for arc in found}:
            found.append((new_head, dependent, mark.label))
    return DependencyGraph(graph.n, found, loops=True)


def check(graph: DependencyGraph) -> tuple[int, int]:
    """Checks all that planarisation promises; returns how many arcs were lifted and dropped."""
    encoded, dropped = planarize(graph)
    assert encoded.is_planar(), graph
    lost = [graph.arcs[place] for place in dropped]
    restored = deplanarize(encoded)
    assert restored == decoded_by_definition(encoded), graph
    assert set(restored.arcs) == set(graph.arcs) - set(lost), graph
    assert len(encoded.arcs) == len(restored.arcs) == len(graph.arcs) - len(lost)
    planar, dropped_only = planarize(graph, "planar")
    assert planar.is_planar()
    assert set(planar.arcs) == set(graph.arcs) - {graph.arcs[place] for place in dropped_only}
    assert len(dropped) <= len(dropped_only), graph
    if graph.is_planar():
        assert encoded == planar == graph
    lifted = sum(decoded(arc[2]).lifted_from is not None for arc in encoded.arcs if len(arc) > 2)
    return lifted, len(dropped)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_small_graphs_become_planar_and_come_back_except_for_the_arcs_reported(n: int) -> None:
    results = [check(labelled(graph, seed)) for seed, graph in enumerate(all_graphs(n))]
    if n == 4:
        assert sum(lifted for lifted, _ in results) > 300
        assert sum(dropped for _, dropped in results) > 300


def test_all_orientations_and_labels_of_a_crossing_below_a_common_head() -> None:
    for labels in product(("A0", "A1"), repeat=4):
        for number in range(16):
            pairs = [(1, 2), (1, 3), (2, 4), (3, 5)]
            arcs = [
                (*(pair if number >> bit & 1 else pair[::-1]), label)
                for bit, (pair, label) in enumerate(zip(pairs, labels, strict=True))
            ]
            check(DependencyGraph(5, arcs))


def test_random_graphs_become_planar_and_come_back_except_for_the_arcs_reported() -> None:
    lifted, dropped = zip(*(check(random_labelled(seed)) for seed in range(1500)), strict=True)
    assert sum(lifted) > 500
    assert sum(dropped) > 500


def test_an_arc_is_lifted_to_the_head_of_its_head_rather_than_dropped() -> None:
    graph = DependencyGraph(4, [(1, 3, "A0"), (3, 2, "A1"), (2, 4, "A1")])
    assert planarize(graph) == (DependencyGraph(4, [(1, 3, "A0"), (3, 2, "A1"), (3, 4, "A1↑A1")]), [])


def test_an_arc_whose_head_has_no_head_is_dropped() -> None:
    encoded, dropped = planarize(DependencyGraph(4, [(3, 1, "A0"), (4, 2, "A1")]))
    assert (encoded.arcs, dropped) == (((4, 2, "A1"),), [0])


def test_marks_in_the_labels_of_the_treebank_are_escaped() -> None:
    graph = DependencyGraph(4, [(1, 3, "A↑0"), (3, 2, "\\A1↓"), (2, 4, "↑")])
    encoded, dropped = planarize(graph)
    assert not dropped
    assert deplanarize(encoded) == graph


def test_arcs_from_the_root_and_from_a_word_to_itself_stay() -> None:
    arcs = [(0, 3, "TOP"), (2, 2, "A0"), (1, 3, "A0"), (3, 2, "A1"), (2, 4, "A1")]
    encoded, _ = planarize(DependencyGraph(4, arcs, loops=True))
    assert set(arcs[:2]) <= set(encoded.arcs)


def test_a_whole_layer_is_encoded_and_decoded_as_its_graphs_are() -> None:
    graphs = [random_labelled(seed) for seed in range(200)]
    lengths, arcs = layer_of(graphs)
    found = planarize_layer(lengths, arcs)
    restored = deplanarize_layer(lengths, found.arcs)
    dropped = 0
    for place, graph in enumerate(graphs):
        encoded, lost = planarize(graph)
        assert found.arcs.of(place) == list(encoded.arcs)
        assert restored.of(place) == list(deplanarize(encoded).arcs)
        dropped += len(lost)
    assert len(found.dropped) == dropped
    assert found.lifted == sum("↑" in found.arcs.names[label] for label in found.arcs.labels.tolist())


def test_whatever_marks_a_parser_predicts_decoding_follows_its_definition() -> None:
    names = [*LABELS, *(f"{label}↑{other}" for label in LABELS for other in (*LABELS, "X", ""))]
    for seed in range(600):
        choose = random.Random(seed)
        graph = random_labelled(seed)
        marked = DependencyGraph(graph.n, [(arc[0], arc[1], choose.choice(names)) for arc in graph.arcs], loops=True)
        restored = deplanarize(marked)
        assert restored == decoded_by_definition(marked), marked
        assert len({arc[:2] for arc in restored.arcs}) == len(restored.arcs)


def test_arcs_move_only_to_words_that_can_be_heads() -> None:
    """What remains of random marks is as if no other word had the labels that marks name."""
    moved = 0
    for seed in range(300):
        choose = random.Random(seed)
        graph = random_labelled(seed)
        arcs = [(*arc[:2], choose.choice([*LABELS, "A0↑A1", "A1↑A0", "A1↑AM-TMP"])) for arc in graph.arcs]
        lengths, layer = layer_of([DependencyGraph(graph.n, arcs, loops=True)] * 2)
        can_be_head = np.zeros(2 * graph.n, np.bool_)
        second = np.arange(len(layer.heads)) >= layer.first[1]
        places = layer.heads - 1 + np.where(second, graph.n, 0)
        can_be_head[places[layer.heads > 0]] = True
        found = deplanarize_layer(lengths, layer, can_be_head)
        assert all(can_be_head[head - 1] for head, _, _ in found.of(0) if head)
        assert found.of(0) == found.of(1)
        everywhere = deplanarize_layer(lengths, layer, np.ones_like(can_be_head))
        assert everywhere.of(0) == deplanarize_layer(lengths, layer).of(0)
        moved += everywhere.of(0) != found.of(0)
    assert moved > 20


def test_two_arcs_with_the_same_ends_are_not_confused() -> None:
    graph = DependencyGraph(4, [(1, 3, "A0"), (3, 2, "A1"), (2, 4, "A1"), (2, 4, "A0")])
    encoded, dropped = planarize(graph)
    assert encoded.is_planar()
    assert set(deplanarize(encoded).arcs) == set(graph.arcs) - {graph.arcs[place] for place in dropped}


def test_long_sentences_with_many_crossings_end_soon() -> None:
    choose = random.Random(1)
    ends = {(choose.randint(1, 3000), choose.randint(1, 3000)) for _ in range(6000)}
    graph = DependencyGraph(3000, [(*pair, choose.choice(LABELS)) for pair in sorted(ends) if pair[0] != pair[1]])
    encoded, dropped = planarize(graph)
    assert encoded.is_planar()
    assert set(deplanarize(encoded).arcs) == set(graph.arcs) - {graph.arcs[place] for place in dropped}


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(GraphError, match="has no label; only labelled graphs can be planarised"):
        planarize(DependencyGraph(2, [(1, 2)]))
    with pytest.raises(GraphError, match="unknown planarization 'path'; known: head, planar"):
        planarize(DependencyGraph(2, [(1, 2, "A0")]), "path")  # type: ignore[arg-type]
