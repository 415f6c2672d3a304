"""`multiplane oracle` and `trace` with `--layer`, and comparisons of several systems and strategies."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats.layers import LayerArcs

Run = Callable[..., Any]
DATA = Path(__file__).parents[3] / "shared" / "data" / "semantic"
ORDERS = ("--strategy", "last-resort", "--strategy", "exhaustive")


def sentence(n: int, arcs: list[tuple[int, int]]) -> bytes:
    """A sentence in CoNLL-2009 in which the heads of the arcs are predicates."""
    predicates = sorted({head for head, _ in arcs})
    rows = []
    for word in range(1, n + 1):
        mark = ["Y", f"w{word}.01"] if word in predicates else ["_", "_"]
        arguments = ["A0" if (head, word) in arcs else "_" for head in predicates]
        fields = [word, f"w{word}", *["_"] * 6, word - 1, word - 1, "dep", "dep", *mark, *arguments]
        rows.append("\t".join(map(str, fields)) + "\n")
    return "".join(rows).encode() + b"\n"


PLANAR = [(2, 1), (2, 3)]
CROSSING = [(3, 1), (4, 2)]
FIGURE_2 = [(5, 4), (5, 1), (5, 2), (5, 6), (6, 2), (6, 4)]
FIGURE_3 = [(4, 1), (4, 2), (4, 3), (5, 1), (5, 2), (5, 3)]
TREEBANK = b"".join([sentence(3, PLANAR), sentence(4, CROSSING), sentence(6, FIGURE_2), sentence(5, FIGURE_3)])


def rows(run: Run, *arguments: object, stdin: bytes = TREEBANK) -> list[dict[str, Any]]:
    done = run("oracle", "-", "--from", "conll09", "--format", "json", *arguments, stdin=stdin)
    assert (done.code, done.err) == (0, ""), done.err
    found: list[dict[str, Any]] = json.loads(done.out)
    return found


def test_semantic_graphs_in_both_orders_and_with_planes(run: Run) -> None:
    arguments = ["--layer", "semantics", "--system", "swap-graph", "--system", "planar[]", "--system", "2-planar[]"]
    last_resort, exhaustive, planar, two_planar = rows(run, *arguments, *ORDERS)
    assert [row["strategy"] for row in (last_resort, exhaustive, planar)] == ["last-resort", "exhaustive", "planar"]
    assert [row["exact"] for row in (last_resort, exhaustive, planar, two_planar)] == [2, 3, 1, 4]
    assert exhaustive["sentences_with_swaps"] == 2
    derived = [mp.oracle("swap-graph").sequence(mp.DependencyGraph(6, arcs)) for arcs in (CROSSING, FIGURE_2)]
    swaps = sum(sequence.count("SWAP") for sequence in derived)
    assert exhaustive["swaps_per_arc"] == round(swaps / (len(CROSSING) + len(FIGURE_2)), 4)
    assert planar["arcs_lost"] == sum(
        len(mp.oracle("planar[]").derive(mp.DependencyGraph(6, arcs)).lost) for arcs in (CROSSING, FIGURE_2, FIGURE_3)
    )


def test_text_has_a_row_for_every_file_and_oracle_and_totals(tmp_path: Path, run: Run) -> None:
    paths = [tmp_path / "a.conll09", tmp_path / "b.conll09"]
    for path in paths:
        path.write_bytes(TREEBANK)
    done = run("oracle", *paths, "--layer", "semantics", "--system", "swap-graph", *ORDERS)
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0][:5] == ["file", "system", "strategy", "graphs", "arcs"]
    assert [line[2:4] for line in lines[1:]] == [
        ["last-resort", "4"], ["exhaustive", "4"], ["last-resort", "4"], ["exhaustive", "4"],
        ["last-resort", "8"], ["exhaustive", "8"],
    ]  # fmt: skip
    assert lines[-1][0] == "TOTAL"


def test_several_systems_can_be_compared_on_trees_too(sample: Path, run: Run) -> None:
    done = run("oracle", sample, "--system", "planar", "--system", "2-planar", "--format", "json")
    assert [row["exact"] for row in json.loads(done.out)] == [34, 62]
    headings = run("oracle", sample, "--system", "planar", "--system", "2-planar").out.splitlines()[0].split()
    assert headings[3:] == ["trees", "arcs", "exact", "lost", "switches/tree", "trans./word"]


def test_listed_sentences_come_with_the_arcs_of_the_layer_that_are_lost(run: Run) -> None:
    arguments = ["--from", "conll09", "--layer", "semantics", "--system", "planar[]", "--list"]
    done = run("oracle", "-", *arguments, stdin=sentence(4, CROSSING))
    assert done.out == "<stdin>:1: sentence 1: lost 3 w3 →A0 1 w1\n"


def test_enhanced_graphs(sample: Path, run: Run) -> None:
    done = run("oracle", sample, "--layer", "enhanced", "--system", "2-planar[]", "--format", "json")
    (row,) = json.loads(done.out)
    graphs = [found.enhanced.collapsed() for found in mp.sample()]
    assert (row["sentences"], row["exact"]) == (65, sum(graph.planarity() <= 2 for graph in graphs))


def test_a_mistake_in_the_layer_stops_or_is_skipped(run: Run) -> None:
    broken = TREEBANK + sentence(2, [(1, 2)]).replace(b"Y\tw1.01", b"_\tw1.01")
    arguments = ["oracle", "-", "--from", "conll09", "--layer", "semantics", "--system", "swap-graph"]
    done = run(*arguments, stdin=broken)
    assert done.code == 1
    assert done.err.startswith("<stdin>:2")
    assert len(done.err.splitlines()) == 1
    done = run(*arguments, "--on-error", "skip", "--format", "json", stdin=broken)
    assert done.code == 0
    assert "(skipped)" in done.err
    assert json.loads(done.out)[0]["sentences"] == 4


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--system", "arc-eager"], 1, "arc-eager derives single-headed graphs only; take planar[], 2-planar[] or"),
        (["--system", "undirected-planar"], 1, "undirected-planar derives edges without direction only"),
        (["--system", "planar[]", "--strategy", "last-resort"], 1, "needs a transition that swaps two words"),
        (["--system", "planar[]", "--system", "2-planar[]", "--list"], 2, "--list needs one system and one strategy"),
        (["--system", "nonsense"], 1, "nonsense"),
    ],
)
def test_wrong_use_gets_a_line_that_says_what_to_do(arguments: list[str], code: int, message: str, run: Run) -> None:
    done = run("oracle", "-", "--from", "conll09", "--layer", "semantics", *arguments, stdin=TREEBANK)
    assert (done.code, done.out) == (code, "")
    assert message in done.err


def test_a_format_without_the_layer_is_refused(sample: Path, run: Run) -> None:
    done = run("oracle", sample, "--layer", "semantics", "--system", "swap-graph")
    assert done.code == 1
    assert "no predicates and arguments" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("strategy", ["last-resort", "exhaustive"])
def test_trace_follows_the_order_on_a_semantic_graph(strategy: str, run: Run) -> None:
    arguments = ["--from", "conll09", "--layer", "semantics", "--system", "swap-graph", "--strategy", strategy]
    done = run("trace", "-", *arguments, "--format", "json", "--sentence", "2", stdin=TREEBANK)
    assert done.code == 0
    transitions = [step["transition"] for step in json.loads(done.out)[1:]]
    graph = mp.DependencyGraph(4, [(*arc, "A0") for arc in CROSSING])
    assert transitions == mp.oracle("swap-graph", strategy=strategy).sequence(graph)


def test_self_arcs_and_tops_do_not_count() -> None:
    ints = [np.array(values, np.int32) for values in ([2, 0, 1], [2, 1, 2], [0, 0, 0])]
    layer = LayerArcs(np.array([0, 3]), *ints, ("A0",))
    found = mp.oracle("swap-graph").layer_statistics(np.array([2]), layer)
    assert (found.arcs, found.exact, found.arcs_lost) == (1, 1, 0)


def test_statistics_of_a_layer_are_those_of_its_graphs() -> None:
    rng = np.random.default_rng(0)
    graphs = []
    for _ in range(60):
        n = int(rng.integers(1, 12))
        ends = {(int(h), int(d)) for h, d in rng.integers(1, n + 1, (n, 2)) if h != d}
        graphs.append(mp.DependencyGraph(n, sorted(ends)))
    heads, dependents = (np.array([arc[end] for g in graphs for arc in g.arcs], np.int32) for end in (0, 1))
    first = np.cumsum([0, *(len(graph.arcs) for graph in graphs)])
    layer = LayerArcs(first, heads, dependents, np.zeros(len(heads), np.int32), ("A0",))
    for system, strategy in (
        ("swap-graph", "last-resort"),
        ("swap-graph", None),
        ("planar[]", None),
        ("3-planar[]", None),
    ):
        oracle = mp.oracle(system, strategy=strategy)
        found = oracle.layer_statistics(np.array([graph.n for graph in graphs]), layer)
        derivations = [oracle.derive(graph) for graph in graphs]
        assert found.exact == sum(not derivation.lost for derivation in derivations)
        assert found.arcs_lost == sum(len(derivation.lost) for derivation in derivations)
        assert found.swaps == sum(derivation.sequence.count("SWAP") for derivation in derivations)
        assert found.transitions == sum(len(derivation.actions) for derivation in derivations)


@pytest.mark.skipif(not DATA.exists(), reason="no ../shared/data")
def test_coverage_of_the_semantic_treebanks_and_swaps_per_arc_are_those_of_s4(run: Run) -> None:
    """Needs ../shared/data. S4 on CoNLL-2008: 99 % of sentences, 0.15 and 0.27 swaps per arc."""
    arguments = ["--layer", "semantics", "--system", "swap-graph", *ORDERS, "--format", "json"]
    done = run("oracle", *sorted(DATA.glob("*/*.conll09.xz")), *arguments)
    last_resort, exhaustive = [row for row in json.loads(done.out) if row["file"] == "TOTAL"]
    assert exhaustive["exact_percent"] > 98.5
    assert exhaustive["exact_percent"] > last_resort["exact_percent"] > 97.5
    assert round(exhaustive["swaps_per_arc"], 2) == 0.15
    assert round(last_resort["swaps_per_arc"], 2) == 0.27
