"""Scores of SDP graphs: labelled and unlabelled, with and without tops, and whole graphs."""

from __future__ import annotations

from random import Random

import pytest

from multiplane.evaluation import Score, Scores, compare, crossing_pairs, evaluate
from multiplane.formats.reader import from_text
from multiplane.graphs import DependencyGraph

Graph = tuple[set[int], set[tuple[int, int, str]]]
"""Tops, and arcs from predicates to arguments."""


def text_of(graphs: list[Graph], size: int) -> str:
    lines = []
    for number, (tops, arcs) in enumerate(graphs, 1):
        lines.append(f"#{22000000 + number}")
        predicates = sorted({head for head, _, _ in arcs})
        role = {arc[:2]: arc[2] for arc in arcs}
        for word in range(1, size + 1):
            row = [word, f"w{word}", f"w{word}", "NN", "+" if word in tops else "-", "+" if word in predicates else "-"]
            row += ["_", *(role.get((predicate, word), "_") for predicate in predicates)]
            lines.append("\t".join(map(str, row)))
        lines.append("")
    return "\n".join(lines) + "\n"


def scored(gold: list[Graph], system: list[Graph], size: int) -> Scores:
    return evaluate(*(from_text(text_of(side, size), "sdp") for side in (gold, system)))


def counts(score: Score) -> tuple[int, int, int]:
    return score.gold, score.system, score.correct


def test_scores_counted_by_hand() -> None:
    gold: Graph = ({2}, {(2, 1, "ARG1"), (2, 4, "ARG2"), (3, 4, "BV")})
    system: Graph = ({2, 3}, {(2, 1, "ARG1"), (2, 4, "ARG3"), (4, 3, "BV")})
    scores = scored([gold, gold], [system, gold], 4)
    assert counts(scores["LF-notops"]) == (6, 6, 4)
    assert counts(scores["UF-notops"]) == (6, 6, 5)
    assert counts(scores["Tops"]) == (2, 3, 2)
    assert counts(scores["LF"]) == (8, 9, 6)
    assert counts(scores["UF"]) == (8, 9, 7)
    assert [counts(scores[name]) for name in ("LM", "UM", "LM-notops")] == 3 * [(2, 2, 1)]
    assert "LAS" not in scores.table
    assert "Macro" not in scores.table
    assert repr(scores) == f"<Scores ud: LF {scores.lf:.2f}, UF {scores.uf:.2f}>"


def test_tops_alone_can_break_a_graph() -> None:
    arcs = {(1, 2, "ARG1")}
    scores = scored([({1}, arcs)], [({2}, arcs)], 2)
    assert (scores.lm, scores.um, scores.lm_without_tops, scores.um_without_tops) == (0.0, 0.0, 100.0, 100.0)
    assert (scores.lf, scores.lf_without_tops, scores.tops) == (50.0, 100.0, 0.0)


def test_systems_are_compared_on_both_scores() -> None:
    gold: Graph = ({1}, {(1, 2, "ARG1")})
    texts = [from_text(text_of([graph], 2), "sdp") for graph in (gold, gold, ({1}, {(1, 2, "ARG2")}))]
    result = compare(*texts, samples=20)
    assert [(contrast.metric, contrast.a, contrast.b) for contrast in result] == [("LF", 100, 50), ("UF", 100, 100)]


def random_graph(random: Random, size: int) -> Graph:
    pairs = [(head, word) for head in range(1, size + 1) for word in range(1, size + 1) if head != word]
    chosen = random.sample(pairs, k=random.randint(1, size))
    tops = {word for word in range(1, size + 1) if random.random() < 0.2}
    return tops, {(head, word, random.choice(["ARG1", "ARG2", "BV"])) for head, word in chosen}


@pytest.mark.parametrize("seed", range(15))
def test_random_graphs_agree_with_sets_of_arcs(seed: int) -> None:
    random = Random(seed)
    size = random.randint(3, 7)
    gold = [random_graph(random, size) for _ in range(6)]
    system = [
        (graph[0] if random.random() < 0.5 else other[0], {random.choice([arc, *other[1]]) for arc in graph[1]})
        for graph in gold
        for other in [random_graph(random, size)]
    ]
    system = [(tops, {arc[:2]: arc for arc in sorted(arcs)}) for tops, arcs in system]
    system = [(tops, set(arcs.values())) for tops, arcs in system]
    scores = scored(gold, system, size)
    for name, width, with_tops in (("LF", 3, True), ("UF", 2, True), ("LF-notops", 3, False), ("UF-notops", 2, False)):
        sides = [
            [{arc[:width] for arc in arcs} | {(0, top) for top in tops if with_tops} for tops, arcs in side]
            for side in (gold, system)
        ]
        common = [one & two for one, two in zip(*sides, strict=True)]
        assert counts(scores[name]) == tuple(sum(map(len, side)) for side in (*sides, common))
        whole = sum(one == two for one, two in zip(*sides, strict=True))
        assert counts(scores[name.replace("F", "M", 1)]) == (6, 6, whole)
    graphs = [[DependencyGraph(size, list(arcs)) for _, arcs in side] for side in (gold, system)]
    assert counts(scores["Crossing"]) == counts(crossing_pairs(*graphs))
