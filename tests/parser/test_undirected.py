"""Undirected parsers: edges before and trees after reconstruction, in whatever pieces, and with given heads."""

import io
import pickle
import random
import time

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats.reader import from_text
from multiplane.formats.rewrite import with_trees
from multiplane.formats.treebank import roots_of
from small_parsers import trained, treebank, word

SAMPLE = mp.sample()
WAYS = [("none", "label"), ("none", "label-strict"), ("left", "naive"), ("right", "label"), ("right", "label-strict")]


@pytest.fixture(scope="module", params=WAYS, ids=" ".join)
def undirected(request: pytest.FixtureRequest) -> mp.Parser:
    root, method = request.param
    return trained(SAMPLE, system="undirected-2-planar", root=root, reconstruction=method, epochs=2)


@pytest.fixture(scope="module")
def rooted() -> mp.Parser:
    return trained(SAMPLE, system="undirected-2-planar", root="right", epochs=2)


# Edges and trees.


def undirected_arcs(sentence: mp.Sentence) -> set[frozenset[int]]:
    return {frozenset((head, number)) for number, head in enumerate(sentence.heads, 1)}


@pytest.mark.parametrize("beam", [1, 3])
def test_the_edges_are_those_of_the_graphs_and_of_the_derivations(beam: int, undirected: mp.Parser):
    has_root = undirected.model.system.root is not None
    edges, parsed = undirected.edges(SAMPLE, beam=beam), undirected.parse(SAMPLE, beam=beam)
    for number, graph in enumerate(undirected.graphs(SAMPLE, beam=beam)):
        assert all(head < dependent for head, dependent, _ in graph.arcs)
        built = {frozenset(arc[:2]) for arc in graph.arcs}
        assert len(built) == graph.n - (not has_root)
        from_root = {edge for edge in built if 0 in edge}
        assert built - from_root == {edge for edge in undirected_arcs(parsed[number]) if 0 not in edge}
        assert edges[number].graph.is_tree()
        if has_root:
            assert built == undirected_arcs(edges[number])
        derivation = undirected.derivation(SAMPLE[number], beam=beam)
        assert sorted(label for _, _, label in graph.arcs) == sorted(a.label for a in derivation if a.label is not None)


def test_reconstruction_by_labels_moves_roots_and_a_naive_one_does_not(undirected: mp.Parser):
    before, after = undirected.edges(SAMPLE), undirected.parse(SAMPLE)
    moves = undirected.model.system.root is not None and undirected.model.codec.name == "label"
    assert (before.heads.tolist() != after.heads.tolist()) is moves


def test_whatever_holds_sentences_has_graphs_and_edges(rooted: mp.Parser):
    assert rooted.graphs(SAMPLE[4]) == rooted.graphs(SAMPLE[4:5]) == rooted.graphs(SAMPLE)[4:5]
    assert rooted.edges(SAMPLE[4])[0] == rooted.edges(iter(SAMPLE))[4] == rooted.edges(SAMPLE)[4]
    assert rooted.graphs([]) == []


def test_directed_parsers_have_graphs_but_no_edges(parser: mp.Parser):
    assert [{arc[:2] for arc in graph.arcs} for graph in parser.graphs(SAMPLE)] == [
        {(head, number) for number, head in enumerate(sentence.heads, 1) if head} for sentence in parser.parse(SAMPLE)
    ]
    with pytest.raises(mp.ModelError, match="2-planar-eager builds directed arcs; only undirected parsers have edges"):
        parser.edges(SAMPLE)


# Pieces.


@pytest.mark.parametrize("options", [{}, {"threads": 3, "block": 300}, {"block": 1}])
def test_threads_and_blocks_make_no_difference(options: dict[str, int], undirected: mp.Parser):
    out = io.BytesIO()
    undirected.parse_stream(io.BytesIO(SAMPLE.to_bytes() * 2), out, **options)
    assert out.getvalue() == undirected.parse(from_text(SAMPLE.to_bytes() * 2)).to_bytes()


def test_a_pickled_parser_parses_the_same(undirected: mp.Parser):
    again = pickle.loads(pickle.dumps(undirected))
    assert again.parse(SAMPLE).to_bytes() == undirected.parse(SAMPLE).to_bytes()


def test_nothing_and_single_words(undirected: mp.Parser):
    assert undirected.parse(from_text("")).to_bytes() == b""
    assert undirected.graphs(from_text("")) == []
    assert undirected.edges(from_text("")).to_bytes() == b""
    alone = from_text(word(1, "_", "_") + "\n" + word(1, "_", "_"))
    for parsed in (undirected.parse(alone), undirected.edges(alone), undirected.parse(alone, beam=3)):
        assert parsed.heads.tolist() == [0, 0]
        assert "_" not in parsed.column("deprel")


@pytest.mark.parametrize("root", ["none", "right"])
def test_a_very_long_sentence_takes_no_more_time_a_word(root: str):
    parser = trained(SAMPLE, system="undirected-2-planar", root=root, epochs=2)
    lines = [line.split("\t")[1:6] for each in SAMPLE for line in each.lines if line.split("\t")[0].isdigit()]

    def seconds(words: int) -> float:
        rows = random.Random(1).choices(lines, k=words)
        corpus = from_text("".join("\t".join([str(i), *row, *"____"]) + "\n" for i, row in enumerate(rows, 1)))
        start = time.process_time()
        parsed = parser.parse(corpus)
        taken = time.process_time() - start
        assert parsed[0].graph.is_tree()
        assert roots_of(parsed).tolist() == [1]
        return taken

    assert any(seconds(10_000) < 40 * max(seconds(1_000), 0.002) for _ in range(3))


@pytest.mark.parametrize("system", ["undirected-planar", "undirected-2-planar"])
@pytest.mark.parametrize("is_last", [False, True])
def test_a_word_with_very_many_links_takes_no_more_time_for_each(system: str, is_last: bool):
    def star(words: int) -> str:
        hub = words if is_last else 1
        rows = [(0, "root", "H") if number == hub else (hub, "dep", "w") for number in range(1, words + 1)]
        return "".join(word(number, head, label, form, form) for number, (head, label, form) in enumerate(rows, 1))

    parser = trained(from_text("\n".join(map(star, range(1, 12)))), system=system, epochs=8)

    def seconds(words: int) -> float:
        corpus = from_text(star(words))
        start = time.process_time()
        parsed = parser.parse(corpus)
        taken = time.process_time() - start
        assert (parsed.heads == corpus.heads).all()
        return taken

    assert any(seconds(40_000) < 40 * max(seconds(4_000), 0.002) for _ in range(3))


# Heads that are given.


def random_tree(n: int, chance: random.Random) -> list[int]:
    """A tree with one root, whose arcs are mostly short."""
    order = chance.sample(range(1, n + 1), n)
    heads = [0] * (n + 1)
    for place, dependent in enumerate(order[1:], 1):
        near = min(order[:place], key=lambda other: abs(other - dependent))
        heads[dependent] = near if chance.random() < 0.5 else chance.choice(order[:place])
    return heads[1:]


def refusals(parser: mp.Parser, corpora: list[mp.Corpus]) -> int:
    """How many of these sentences cannot keep their heads; checks that the others do."""
    refused = 0
    for given in corpora:
        try:
            parsed = parser.parse(given, keep_heads=True)
        except mp.ModelError as error:
            assert "cannot keep all given heads" in str(error)  # noqa: PT017
            refused += 1
            continue
        known = given.heads >= 0
        assert (parsed.heads[known] == given.heads[known]).all()
        assert (np.array(parsed.column("deprel"))[known] == np.array(given.column("deprel"))[known]).all()
        assert parsed[0].graph.is_tree()
        assert roots_of(parsed).tolist() == [1]
    return refused


@pytest.mark.parametrize("base", ["planar", "2-planar", "2-planar-eager", "covington"])
@pytest.mark.parametrize("root", ["none", "left", "right"])
def test_random_heads_are_kept_as_often_as_by_a_directed_parser(base: str, root: str):
    chance = random.Random(base + root)
    oracle = mp.oracle(mp.systems[base].trees(None if root == "none" else root))
    trees = [treebank([random_tree(chance.randint(2, 12), chance)]) for _ in range(120)]
    given = []
    for corpus in trees:
        if oracle.derive(corpus[0].graph).lost:
            continue
        keep = [chance.random() < chance.choice((0.2, 0.5, 0.8, 1.0)) for _ in range(corpus.words)]
        labels = [label if kept else "_" for label, kept in zip(corpus.column("deprel"), keep, strict=True)]
        given.append(with_trees(corpus, np.where(keep, corpus.heads, -1), labels))
    assert len(given) > 30
    directed = refusals(trained(SAMPLE, system=base, root=root, epochs=1), given)
    for method in ("label", "label-strict") if root == "none" else ("naive", "label"):
        parser = trained(SAMPLE, system=f"undirected-{base}", root=root, reconstruction=method, epochs=1)
        assert refusals(parser, given) <= directed + 0.04 * len(given), method


def test_a_whole_tree_is_kept_against_all_labels(undirected: mp.Parser):
    two_planar = [sentence for sentence in SAMPLE if sentence.graph.planarity() <= 2]
    assert undirected.parse(two_planar, keep_heads=True) == two_planar


@pytest.mark.parametrize("beam", [1, 4])
def test_heads_that_no_tree_of_the_system_has_are_refused(beam: int):
    parser = trained(SAMPLE, system="undirected-planar", root="none", epochs=1)
    with pytest.raises(mp.ModelError) as error:
        parser.parse(treebank([[0, 1], [3, 4, 0, 3]]), beam=beam, keep_heads=True)
    assert str(error.value) == (
        "<text>:4: sentence 2: cannot keep all given heads: undirected-planar.trees(no root, single "
        "root) found no tree that has them; change some, or write _"
    )


def test_two_roots_are_kept_where_several_are_allowed():
    corpus = treebank([[0, 1, 0, 3], [2, 0, 0], [0, 0]] * 3)
    parser = trained(corpus, system="undirected-2-planar", epochs=3)
    for heads in ([0, 1, 0, 3], [0, 0, 0, 0], [2, 0, 4, 0], [-1, 0, -1, 0], [0, -1, -1, 3]):
        given = with_trees(treebank([[0, 1, 2, 3]]), heads, ["_"] * 4)
        for beam in (1, 3):
            parsed = parser.parse(given, beam=beam, keep_heads=True)
            assert all(found == head for found, head in zip(parsed.heads.tolist(), heads, strict=True) if head >= 0)
            assert parsed[0].graph.is_forest()
            assert "_" not in parsed.column("deprel")


def test_given_labels_stay_on_words_of_free_heads(rooted: mp.Parser):
    labels = ["_"] * SAMPLE.words
    labels[3], labels[10] = "never:seen", "x_l"
    parsed = rooted.parse(with_trees(SAMPLE, [-1] * SAMPLE.words, labels), keep_heads=True)
    assert (parsed.column("deprel")[3], parsed.column("deprel")[10]) == ("never:seen", "x_l")
