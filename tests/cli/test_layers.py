"""Layers at the command line: analyze, check, draw and trace look at graphs beside the tree."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.analysis import GRAPH_PROPERTIES, graph_coverage
from multiplane.data import sample_path
from multiplane.formats.reader import from_text
from multiplane.graphs import graph_of

Run = Callable[..., Any]
DATA = Path(__file__).parents[3] / "shared" / "data" / "semantic"


@pytest.fixture
def semantic() -> Path:
    return sample_path("conll09")


def parts(graph: mp.DependencyGraph) -> int:
    """The number of connected components with an arc."""
    return sum(len(component) > 1 for component in graph.components())


def by_definition(corpus: mp.Corpus, layer: Any) -> dict[str, int]:
    graphs = [graph_of(sentence, layer) for sentence in corpus]
    heads = [len(arcs) for g in graphs for w in range(1, g.n + 1) if (arcs := [a for a in g.word_arcs if a[1] == w])]
    trees = [g for g in graphs if g.word_arcs and g.is_forest() and parts(g) == 1]
    return {
        "structures": len(graphs),
        "tokens": sum(g.n for g in graphs),
        "with_arcs": sum(bool(g.word_arcs) for g in graphs),
        "arcs": sum(len(g.word_arcs) for g in graphs),
        "trees": len(trees),
        "multiheaded": sum(not g.is_single_head() for g in graphs),
        "multiheaded_words": sum(count > 1 for count in heads),
        "disconnected": sum(parts(g) > 1 for g in graphs),
        "cyclic": sum(not g.is_acyclic() for g in graphs),
        "nonplanar": sum(not g.is_planar() for g in graphs),
        "non2planar": sum(g.planarity() > 2 for g in graphs),
        "non3planar": sum(g.planarity() > 3 for g in graphs),
        "non4planar": sum(g.planarity() > 4 for g in graphs),
        "undecided": 0,
    }


def row09(number: int, predicate: bool, roles: list[str]) -> str:
    mark, sense = ("Y", f"p.{number}") if predicate else ("_", "_")
    return "\t".join([*f"{number} w{number} w w X X _ _ 0 0 root root {mark} {sense}".split(), *roles]) + "\n"


def graph_text(n: int, arcs: set[tuple[int, int]]) -> str:
    heads = sorted({head for head, _ in arcs})
    rows = (row09(w, w in heads, ["A" if (head, w) in arcs else "_" for head in heads]) for w in range(1, n + 1))
    return "".join(rows) + "\n"


def test_all_graphs_over_three_words_are_counted_as_defined() -> None:
    pairs = [(head, word) for head in range(1, 4) for word in range(1, 4)]  # loops, too
    subsets = (set(chosen) for size in range(len(pairs) + 1) for chosen in combinations(pairs, size))
    corpus = from_text("".join(graph_text(3, arcs) for arcs in subsets), "conll09")
    assert len(corpus) == 512
    assert vars(graph_coverage([corpus], "semantics")) == by_definition(corpus, "semantics")


def test_random_graphs_are_counted_as_defined() -> None:
    rng = np.random.default_rng(1)
    graphs = []
    for _ in range(300):
        n = int(rng.integers(1, 11))
        ends = rng.integers(1, n + 1, size=(int(rng.integers(0, 9)), 2)).tolist()
        graphs.append(graph_text(n, {(head, word) for head, word in ends}))
    corpus = from_text("".join(graphs), "conll09")
    assert vars(graph_coverage([corpus], "semantics")) == by_definition(corpus, "semantics")


@pytest.mark.parametrize(("name", "layer"), [("conll09", "semantics"), ("conllu", "enhanced")])
def test_analyze_counts_the_samples_as_defined(name: str, layer: str, run: Run) -> None:
    done = run("analyze", sample_path(name), "--layer", layer, "--format", "json")
    assert (done.code, done.err) == (0, "")
    row = json.loads(done.out)[0]
    expected = by_definition(mp.sample(name), layer)
    assert {key: row[key] for key in expected} == expected
    assert row["nonplanar_percent"] == round(100 * row["nonplanar"] / row["structures"], 2)


def test_analyze_adds_files_up(semantic: Path, tmp_path: Path, run: Run) -> None:
    copy = tmp_path / "copy.conll09"
    copy.write_bytes(semantic.read_bytes())
    done = run("analyze", semantic, copy, "--layer", "semantics", "--format", "tsv")
    one, two, total = csv.DictReader(io.StringIO(done.out), delimiter="\t")
    assert total["file"] == "TOTAL"
    for key in ("structures", "arcs", "trees", "nonplanar"):
        assert int(total[key]) == int(one[key]) + int(two[key]) == 2 * int(one[key])
    text = run("analyze", semantic, "--layer", "semantics").out
    assert text.splitlines()[0].split()[:4] == ["file", "graphs", "words", "arcs"]


@pytest.mark.parametrize("name", GRAPH_PROPERTIES)
def test_every_property_comes_with_a_certificate(name: str, semantic: Path, run: Run) -> None:
    done = run("analyze", semantic, "--layer", "semantics", "--list", name)
    assert (done.code, done.err) == (0, "")
    counts = by_definition(mp.sample("conll09"), "semantics")
    assert len(done.out.splitlines()) == counts[GRAPH_PROPERTIES[name].column]
    for line in done.out.splitlines():
        assert line.startswith(f"{semantic}:")


def test_a_cycle_and_separate_parts_are_shown(run: Run) -> None:
    text = (graph_text(4, {(1, 2), (2, 1)}) + graph_text(4, {(1, 2), (3, 4)})).encode()
    shown = [
        run("analyze", "-", "--from", "conll09", "--layer", "semantics", "--list", name, stdin=text).out.splitlines()
        for name in ("cyclic", "disconnected")
    ]
    assert shown == [
        ["<stdin>:1: sentence 1: cycle: 1 w1 → 2 w2 → 1 w1"],
        ["<stdin>:6: sentence 2: nothing connects 1 w1 →A 2 w2 and 3 w3 →A 4 w4"],
    ]


@pytest.mark.parametrize(("layer", "name"), [("semantics", "ill-nested"), ("syntax", "multi-headed")])
def test_properties_of_other_layers_are_wrong_usage(layer: str, name: str, semantic: Path, run: Run) -> None:
    done = run("analyze", semantic, "--layer", layer, "--list", name)
    assert done.code == 2
    assert f"--list {name} is not for --layer {layer}" in done.err


def test_charts_have_the_classes_of_graphs(semantic: Path, tmp_path: Path, run: Run) -> None:
    pytest.importorskip("matplotlib")
    done = run("analyze", semantic, "--layer", "semantics", "--plot", tmp_path / "c.svg", "--format", "json")
    assert done.code == 0
    assert "multi-headed" in (tmp_path / "c.svg").read_text(encoding="utf-8")


BROKEN = row09(1, True, ["A"]) + row09(2, False, ["_"]).replace("_\t_\t_\n", "_\tx.01\t_\n") + "\n"


@pytest.mark.parametrize(
    "arguments", [["analyze"], ["analyze", "--list", "not-planar"], ["draw"], ["trace", "--system", "planar"]]
)
def test_a_broken_layer_ends_in_one_line(arguments: list[str], tmp_path: Path, run: Run) -> None:
    path = tmp_path / "b.conll09"
    path.write_text(BROKEN)
    done = run(arguments[0], path, *arguments[1:], "--layer", "semantics")
    assert (done.code, done.out) == (1, "")
    assert (
        done.err
        == f"{path}:2: sentence 1: sense 'x.01' without a predicate; mark the word with Y or remove the sense\n"
    )
    if arguments[0] != "analyze":
        syntax = run(arguments[0], path, *arguments[1:])
        assert (syntax.code, syntax.err) == (0, "")


def test_analyze_skips_broken_layers_and_says_so(semantic: Path, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "b.conll09"
    path.write_bytes(BROKEN.encode() + semantic.read_bytes())
    done = run("analyze", path, "--layer", "semantics", "--on-error", "skip", "--format", "json")
    assert done.code == 0
    assert done.err.startswith(f"{path}:2: sentence 1: sense 'x.01'")
    assert done.err.endswith("(skipped)\n")
    whole = json.loads(run("analyze", semantic, "--layer", "semantics", "--format", "json").out)[0]
    assert json.loads(done.out)[0] == whole | {"file": str(path)}


@pytest.mark.parametrize("verb", [["analyze"], ["draw"], ["trace", "--system", "planar"]])
@pytest.mark.parametrize(("name", "layer"), [("conllu", "semantics"), ("conll09", "enhanced")])
def test_a_layer_that_the_format_lacks_is_refused(verb: list[str], name: str, layer: str, run: Run) -> None:
    done = run(verb[0], sample_path(name), *verb[1:], "--layer", layer)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"{sample_path(name)}: CoNLL-")
    assert done.err.count("\n") == 1


def test_convert_skips_sentences_whose_arguments_are_malformed(semantic: Path, tmp_path: Path, run: Run) -> None:
    path, target = tmp_path / "b.conll09", tmp_path / "b.sdp"
    path.write_bytes(b"1\tbroken\n\n" + BROKEN.encode() + semantic.read_bytes())
    done = run("convert", path, "-o", target)
    assert (done.code, target.exists()) == (1, False)
    done = run("convert", path, "-o", target, "--on-error", "skip")
    assert done.code == 0
    first, second, third = done.err.splitlines()
    assert first.startswith(f"{path}:1: sentence 1: ")
    assert second.startswith(f"{path}:4: sentence 2: sense 'x.01'")
    assert third.startswith("SDP 2015 cannot hold: ")
    assert [s.predicates for s in mp.read(target)] == [s.predicates for s in mp.sample("conll09")]
    assert run("convert", path, "-o", tmp_path / "c.conllu", "--on-error", "skip").code == 0
    assert len(mp.read(tmp_path / "c.conllu")) == 17


# check


def test_check_counts_layers_and_lists_their_errors(tmp_path: Path, run: Run) -> None:
    done = run("check", sample_path("conll09"))
    assert (done.code, done.err) == (0, "")
    assert "  semantics: 38 predicates, 66 arguments\n" in done.out
    path = tmp_path / "b.conll09"
    path.write_text(BROKEN)
    done = run("check", path, "--format", "json")
    assert done.code == 1
    report = json.loads(done.out)[0]
    assert [(error["line"], error["sent_id"]) for error in report["errors"]] == [(2, "sentence 1")]
    assert report["layers"] == {"predicates": 0, "arguments": 0, "enhanced": 0, "empty_nodes": 0}
    path = tmp_path / "b.conllu"
    path.write_text("# sent_id = s\n1\tw\t_\tX\t_\t_\t0\troot\t7:root\t_\n")
    done = run("check", path)
    assert done.code == 1
    assert f"{path}:2: s: DEPS '7:root': there is no such head in the sentence\n" in done.out


# draw


@pytest.mark.parametrize("layer", ["syntax", "semantics", "both"])
@pytest.mark.parametrize("suffix", [".svg", ".txt", ".tex"])
def test_every_sentence_is_drawn_in_every_layer(
    layer: str, suffix: str, semantic: Path, tmp_path: Path, run: Run
) -> None:
    target = tmp_path / f"out{suffix}"
    for number, sentence in enumerate(mp.sample("conll09"), 1):
        done = run("draw", semantic, "--sentence", number, "--layer", layer, "-o", target)
        assert (done.code, done.out, done.err) == (0, "", "")
        text = target.read_text(encoding="utf-8").replace("\\symbol{45}", "-").replace("-{}", "-")
        has_roles = all(role in text for _, _, role in sentence.semantics.arcs)
        assert has_roles or layer == "syntax", sentence
        assert layer != "semantics" or "punct" not in text
        assert layer != "both" or all(label in text for label in sentence.deprels)
        assert (layer == "syntax") or all(sense in text for sense in sentence.predicates.values())


def test_syntax_is_above_and_semantics_below(semantic: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / "out.svg"
    assert run("draw", semantic, "--sentence", 12, "--layer", "both", "-o", target).code == 0
    root = ET.fromstring(target.read_text(encoding="utf-8"))
    arcs = [element for element in root.iter() if element.get("class") == "arc"]
    found = {
        (int(a.get("data-head", 0)), int(a.get("data-dependent", 0)), int(a.get("data-plane", 0)) % 2) for a in arcs
    }
    sentence = mp.sample("conll09")[11]
    above = {(*arc[:2], 1) for arc in sentence.graph.word_arcs}
    below = {(*arc[:2], 0) for arc in sentence.semantics.word_arcs}
    assert found == above | below
    legend = [element.text for element in root.iter() if element.get("class") == "legend"]
    assert legend == ["syntax", "semantics", "semantics 2", "semantics 3"]


def test_the_terminal_shows_both_layers_with_their_heads(semantic: Path, run: Run) -> None:
    assert run("draw", semantic, "--sentence", 3, "--layer", "both").out == (
        "sentence 3\n"
        "      ┌─► 1 Ines   NNP      2 nsubj    2 ARG0, 4 ARG0 ◄─┬─┐\n"
        "┌─┬─┬─┴── 2 bakes  bake.01  0 root                    ──┴─┼─┐\n"
        "│ │ │ ┌─► 3 and    CC       4 cc                          │ │\n"
        "│ │ └─┴─► 4 sells  sell.01  2 conj                    ──┬─┘ │\n"
        "│ │   ┌─► 5 rye    NN       6 compound                  │   │\n"
        "│ └───┴─► 6 bread  NN       2 obj      2 ARG1, 4 ARG1 ◄─┴───┘\n"
        "└───────► 7 .      .        2 punct\n"
    )


def test_a_predicate_that_is_its_own_argument_says_so(semantic: Path, run: Run) -> None:
    assert "teacher.01 (itself: ARG0)" in run("draw", semantic, "--sentence", 10, "--layer", "semantics").out


def test_enhanced_arcs_are_drawn_with_their_paths(run: Run) -> None:
    done = run("draw", sample_path(), "--sentence", "en-015", "--layer", "both")
    assert done.code == 0
    assert "3 conj:and>nsubj" in done.out


def test_tops_are_roots(run: Run) -> None:
    text = b"#SDP 2015\n#7\n1\tGo\tgo\tVB\t+\t+\t_\t_\n2\tnow\tnow\tRB\t-\t-\t_\tloc\n\n"
    assert run("draw", "-", "--from", "sdp", "--layer", "semantics", stdin=text).out == (
        "7\n┌── 1 Go   VB  0 TOP\n└─► 2 now  RB  1 loc\n"
    )


# trace


def test_trace_follows_the_oracle_of_a_semantic_graph(semantic: Path, run: Run) -> None:
    done = run("trace", semantic, "--sentence", 5, "--layer", "semantics", "--system", "planar", "--format", "json")
    assert (done.code, done.err) == (0, "")
    arcs = [(a["head"], a["dependent"], a["label"]) for step in json.loads(done.out) for a in step["new_arcs"]]
    assert arcs == [(2, 1, "ARG1")]


def test_trace_of_a_layer_needs_a_model_that_predicts_it(semantic: Path, run: Run) -> None:
    done = run("trace", semantic, "--layer", "semantics", "-m", "en")
    assert done.code == 2
    assert "this model does not predict semantics; drop --layer semantics" in done.err


# Real treebanks; skipped where ../shared/data is absent.


@pytest.mark.skipif(not DATA.is_dir(), reason="no ../shared/data")
@pytest.mark.parametrize("name", ["en_ewt_propbank", "hu_szeged_up2", "pt_bosque_up2"])
def test_real_graphs_are_counted_as_defined(name: str) -> None:
    corpus = mp.read(DATA / name / "dev.conll09.xz")
    assert vars(graph_coverage([corpus], "semantics")) == by_definition(corpus, "semantics")
    same = mp.read(DATA / name / "dev.conll08.xz")
    assert vars(graph_coverage([same], "semantics")) == vars(graph_coverage([corpus], "semantics"))
