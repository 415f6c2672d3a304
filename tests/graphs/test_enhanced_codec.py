"""The codec of enhanced graphs: gold graphs come back, and whatever a parser predicts becomes a valid graph."""

import tomllib
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multiplane.errors import GraphError
from multiplane.formats import Corpus, LayerArcs
from multiplane.formats.empty_nodes import with_enhanced_layer
from multiplane.graphs.codecs.enhanced import EnhancedCodec
from multiplane.graphs.codecs.enhanced_cycles import GrowingGraph, Turn
from multiplane.graphs.codecs.enhanced_decoder import EncodedGraphs, Knowledge, layer_of
from multiplane.graphs.codecs.enhanced_rules import Rule
from multiplane.graphs.codecs.enhanced_sources import BasicTrees, Source, Tree
from multiplane.graphs.codecs.enhanced_templates import Template
from multiplane.models.toml import to_toml

from .enhanced_sentences import ALL, CONTROL, GAPPING, LIST, ODD, RELATIVE, SECOND_ROOT, SHARED, STRANDED, corpus_of

Graph = set[tuple[int, int, str]]


def graphs(arcs: LayerArcs) -> list[Graph]:
    return [set(arcs.of(sentence)) for sentence in range(len(arcs.first) - 1)]


def learned(corpus: Corpus, least: int = 1) -> tuple[EnhancedCodec, BasicTrees, EncodedGraphs]:
    trees = BasicTrees.of(corpus)
    codec = EnhancedCodec.learned(trees, corpus.enhanced_arcs, least)
    return codec, trees, codec.encode(trees, corpus.enhanced_arcs)


def templates(encoded: EncodedGraphs) -> list[str]:
    return [encoded.names[number] for number in encoded.templates.tolist()]


def predicted(trees: BasicTrees, words: list[str], arcs: list[tuple[int, int, str]]) -> EncodedGraphs:
    """What a parser might predict for one sentence."""
    names = tuple(dict.fromkeys(words))
    numbers = np.array([names.index(word) for word in words], np.int32)
    return EncodedGraphs(numbers, names, layer_of(arcs, [len(arcs)]))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("least", [1, 3])
def test_every_sentence_comes_back(name: str, least: int) -> None:
    corpus = corpus_of(ALL[name])
    codec, trees, encoded = learned(corpus, least)
    assert graphs(codec.decode(trees, encoded)) == graphs(corpus.enhanced_arcs)
    assert encoded.lost == 0


@pytest.mark.parametrize("least", [1, 3])
def test_all_sentences_come_back_with_what_all_teach_and_from_a_stored_codec(least: int) -> None:
    corpus = corpus_of(*ALL.values())
    codec, trees, encoded = learned(corpus, least)
    restored = EnhancedCodec.from_table(tomllib.loads(to_toml(codec.to_table())))
    assert restored == codec
    assert graphs(restored.decode(trees, encoded)) == graphs(corpus.enhanced_arcs)
    new = with_enhanced_layer(corpus, restored.decode(trees, encoded))
    assert graphs(new.enhanced_arcs) == graphs(corpus.enhanced_arcs)


def test_shared_dependents_are_residual_and_their_words_come_from_the_tree() -> None:
    codec, _, encoded = learned(corpus_of(SHARED))
    assert templates(encoded) == ["=*"] * 8
    assert encoded.residual.of(0) == [(4, 1, "nsubj"), (4, 6, "obj"), (4, 8, "obl*")]
    assert codec.known.rules["conj"].sources == (Source("self", "cc"),)


def test_fixed_words_belong_to_the_preposition() -> None:
    codec, trees, encoded = learned(corpus_of(CONTROL))
    assert encoded.residual.of(0) == [(4, 1, "nsubj:xsubj")]
    assert codec.decode(trees, encoded).of(0)[-1] == (4, 7, "obl:because_of")
    other = trees._replace(words=["they", "want", "to", "stay", "thanks", "to", "rain"])
    assert codec.decode(other, encoded).of(0)[-1] == (4, 7, "obl:thanks_to")


def test_an_antecedent_takes_the_place_of_its_pronoun() -> None:
    codec, _, encoded = learned(corpus_of(RELATIVE))
    assert templates(encoded) == ["=*"] * 9  # that `ref` replaces the basic arc goes without saying
    assert codec.known.replacing >= {"ref"}
    assert codec.known.turns == {Turn("obl", "acl:relcl")}
    assert encoded.residual.of(0) == [(9, 4, "obl*"), (4, 7, "ref")]
    assert codec.known.rules["^obl"].sources == (Source("stand-in", "case"),)


def test_a_stranded_preposition_stands_in_itself() -> None:
    codec, trees, encoded = learned(corpus_of(STRANDED))
    assert codec.known.rules["^obl"].sources == (Source("stand-in", "."),)
    other = trees._replace(words=["the", "chair", "she", "sat", "under"])
    assert (4, 2, "obl:under") in codec.decode(other, encoded).of(0)


def test_conjuncts_without_a_conjunction_take_that_of_the_last() -> None:
    codec, trees, encoded = learned(corpus_of(LIST))
    assert templates(encoded) == [*["=*"] * 8, "=:v:loc"]
    other = trees._replace(words=[word.replace("a", "nebo") if word == "a" else word for word in trees.words])
    assert {(3, 5, "conj:nebo"), (3, 7, "conj:nebo")} <= set(codec.decode(other, encoded).of(0))


def test_paths_and_second_roots_are_in_templates() -> None:
    _, _, encoded = learned(corpus_of(GAPPING), least=3)
    assert templates(encoded) == ["=*", "=*", "=*", "-", "conj:y>nsubj", "-"]
    assert encoded.residual.of(0) == [(2, 4, "conj:y>cc"), (2, 6, "conj:y>obj")]
    _, _, encoded = learned(corpus_of(SECOND_ROOT), least=3)
    assert templates(encoded)[2] == "=:och|^root"


def test_labels_that_look_like_templates_are_marked() -> None:
    _, _, encoded = learned(corpus_of(ODD))
    assert templates(encoded) == ["=*", "=*|!-|!=", "!*", "!!"]
    assert set(encoded.residual.names) == {"!&|!^x", "!a*b"}


def test_sentences_without_a_graph_have_no_templates() -> None:
    corpus = corpus_of(SHARED, "\na a 0 root _\nb b 1 dep _\n")
    codec, trees, encoded = learned(corpus)
    assert encoded.templates.tolist() == [0] * 8 + [-1] * 2
    assert codec.decode(trees, encoded).of(1) == [(0, 1, "root"), (1, 2, "dep")]


def test_sentences_with_a_word_without_a_head_have_no_templates() -> None:
    corpus = corpus_of(SHARED, "\na a _ root 0:root\nb b 1 dep 1:dep\n")
    codec, trees, encoded = learned(corpus)
    assert encoded.templates.tolist() == [0] * 8 + [-1] * 2
    assert codec.known.rules == learned(corpus_of(SHARED))[0].known.rules
    with pytest.raises(GraphError, match="word 1 has no head"):
        codec.decode(trees, encoded._replace(residual=layer_of([(1, 2, "obj")], [0, 1])))


def test_treebanks_are_joined() -> None:
    parts = [corpus_of(SHARED, CONTROL), corpus_of(*list(ALL.values())[2:])]
    trees, arcs = BasicTrees.of(*parts), LayerArcs.joined([part.enhanced_arcs for part in parts])
    whole = corpus_of(*ALL.values())
    assert EnhancedCodec.learned(trees, arcs) == EnhancedCodec.learned(BasicTrees.of(whole), whole.enhanced_arcs)
    assert graphs(arcs) == graphs(whole.enhanced_arcs)


def test_a_dropped_arc_comes_back_if_the_root_does_not_reach_its_word() -> None:
    codec, trees, _ = learned(corpus_of(CONTROL))
    arcs = codec.decode(trees, predicted(trees, ["-"] * 7, [(1, 4, "xcomp")])).of(0)
    assert {(0, 2, "root"), (2, 1, "nsubj"), (1, 4, "xcomp"), (4, 3, "mark"), (4, 7, "obl:because_of")} <= set(arcs)
    assert (2, 4, "xcomp") not in arcs


def test_an_arc_that_closes_an_unknown_cycle_is_left_out() -> None:
    codec, trees, _ = learned(corpus_of(RELATIVE))
    arcs = [(9, 4, "obl*"), (9, 4, "obj"), (4, 2, "obj"), (9, 2, "obl"), (7, 7, "ref"), (9, 8, "obj")]
    graph = set(codec.decode(trees, predicted(trees, ["=*"] * 9, arcs)).of(0))
    assert (9, 4, "obl") in graph
    assert not graph & {(9, 4, "obj"), (4, 2, "obj"), (9, 2, "obl"), (7, 7, "ref"), (9, 8, "obj")}


def test_words_that_no_label_can_contain_are_left_out() -> None:
    codec, trees, encoded = learned(corpus_of(SHARED))
    other = trees._replace(words=[*trees.words[:6], "a|b c", "rome"])
    assert codec.decode(other, encoded).of(0)[-2:] == [(2, 8, "obl"), (4, 8, "obl")]


def test_spellings_are_learned() -> None:
    text = "\nit it 2 nsubj 2:nsubj\nis be 0 root 0:root\nw/ w/ 4 case 4:case\nher she 2 obl 2:obl:with\n"
    rest = text.replace("w/", "on").replace("with", "on")
    codec, _, encoded = learned(corpus_of(*[text] * 3, *[rest] * 3), least=3)
    assert codec.known.rules == {"obl": Rule((Source("self", "case"),), {"w/": "with"})}
    assert encoded.names == ("=*",)


# Whatever is predicted.

WORD_TEMPLATES = ["=*", "=", "-", "=:x", "=*|^root", "^root", "=*|&", "a>=*", "ref", "root", "=|dep*", "-|^nsubj", "!x"]
ARC_TEMPLATES = ["ref", "nsubj", "obj", "obl*", "nsubj|obj", "root", "a>b", "-", "=", "!"]
RULES = {name: Rule((Source("same", "dep"), Source("first", "="))) for name in ("dep", "+obl", "^obl")}
KNOWN = Knowledge(
    RULES, frozenset({"ref"}), frozenset({Turn("nsubj", "dep"), Turn("obj", "nsubj"), Turn("obl", "conj")}), frozenset()
)


@st.composite
def predictions(draw: st.DrawFn) -> tuple[BasicTrees, EncodedGraphs]:
    """Any tree, any templates, any arcs."""
    words = draw(st.integers(1, 6))
    order = draw(st.permutations(range(1, words + 1)))
    heads = np.zeros(words, np.int32)
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = draw(st.sampled_from([0, *order[:place]]))
    labels = np.array(draw(st.lists(st.integers(0, 2), min_size=words, max_size=words)), np.int32)
    trees = BasicTrees(
        np.array([words]), heads, labels, ("dep", "conj", "nsubj"), ["a", "b", "|", "", "d", "e"][:words]
    )
    ends = st.tuples(st.integers(0, words), st.integers(1, words), st.sampled_from(ARC_TEMPLATES))
    given_templates = draw(st.lists(st.sampled_from(WORD_TEMPLATES), min_size=words, max_size=words))
    return trees, predicted(trees, given_templates, draw(st.lists(ends, max_size=8)))


def reachable(arcs: Graph) -> set[int]:
    seen = {0}
    while more := {word for head, word, _ in arcs if head in seen} - seen:
        seen |= more
    return seen


def cycles(arcs: Graph, path: tuple[tuple[int, int, str], ...] = ()) -> Iterator[tuple[tuple[int, int, str], ...]]:
    """Every simple cycle, from each of its arcs."""
    for arc in arcs:
        if not path or path[-1][1] == arc[0]:
            if path and arc[1] == path[0][0]:
                yield (*path, arc)
            elif arc[1] not in {step[0] for step in path} | {arc[0]}:
                yield from cycles(arcs, (*path, arc))


@settings(max_examples=400)
@given(predictions())
def test_every_prediction_becomes_a_valid_graph(prediction: tuple[BasicTrees, EncodedGraphs]) -> None:
    trees, encoded = prediction
    rows = EnhancedCodec(KNOWN).decode(trees, encoded).of(0)
    arcs = set(rows)
    assert len(arcs) == len(rows)
    assert rows == sorted(rows, key=lambda arc: (arc[1], arc[0]))
    assert all(head != word for head, word, _ in arcs)
    assert reachable(arcs) == set(range(len(trees.heads) + 1))
    assert not any("|" in label or label.startswith(":") for _, _, label in arcs)
    for head, word, label in arcs:
        if head != trees.heads[word - 1]:
            assert label.startswith("root") == (head == 0)


def kinds(trees: BasicTrees, encoded: EncodedGraphs) -> dict[tuple[int, int], str]:
    """The relation of every arc that may be in the graph; the first template of an arc counts, and its first label."""
    found = {
        (head, word): template.partition("|")[0].removesuffix("*").rpartition(">")[2]
        for head, word, template in reversed(encoded.residual.of(0))
    }
    basic = zip(trees.heads.tolist(), range(1, len(trees.heads) + 1), strict=True)
    return found | {ends: trees.names[label] for ends, label in zip(basic, trees.labels.tolist(), strict=True)}


@settings(max_examples=400)
@given(predictions())
def test_every_cycle_turns_as_known_ones_do(prediction: tuple[BasicTrees, EncodedGraphs]) -> None:
    trees, encoded = prediction
    kind = kinds(trees, encoded)
    for cycle in cycles(set(EnhancedCodec(KNOWN).decode(trees, encoded).of(0))):
        for (head, word, _), then in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
            if head != trees.heads[word - 1]:
                assert Turn(kind[head, word], kind[then[:2]]) in KNOWN.turns


def test_turns_are_those_of_all_cycles_through_an_arc() -> None:
    graph = GrowingGraph(Tree([0, 1, 2, 3], ["root", "a", "b", "c"], ["_"] * 4))
    assert graph.turns(4, 3, "x") == {Turn("x", "c")}
    graph.add(4, 3, "x")
    assert graph.turns(4, 2, "y") == {Turn("y", "b"), Turn("x", "c")}
    graph.add(4, 2, "y")
    assert graph.turns(3, 1, "z") == {Turn("z", "a"), Turn("y", "b"), Turn("x", "c"), Turn("x", "z")}
    assert graph.turns(1, 4, "z") == set()
    assert graph.turns(0, 1, "z") == set()


def test_misfits_are_refused() -> None:
    codec, trees, encoded = learned(corpus_of(SHARED))
    fewer = trees._replace(lengths=np.array([7]))
    none = layer_of([], [])
    outside = layer_of([(9, 1, "nsubj")], [1])
    for wrong_trees, wrong, what in (
        (fewer, encoded, "numbers of words"),
        (trees, encoded._replace(residual=none), "numbers of sentences"),
        (trees, encoded._replace(residual=outside), "outside its sentence"),
        (trees, encoded._replace(names=()), "template that does not exist"),
        (trees, encoded._replace(names=("a||b",)), "not a template"),
        (trees._replace(heads=trees.heads - 1), encoded, "no head in the sentence"),
    ):
        with pytest.raises(GraphError, match=what):
            codec.decode(wrong_trees, wrong)
    with pytest.raises(GraphError, match="graphs of 0 sentences for 1 trees"):
        codec.encode(trees, none)
    cyclic = trees._replace(heads=np.array([2, 1, 4, 2, 6, 2, 8, 2], np.int32))
    with pytest.raises(GraphError, match="cycle"):
        codec.decode(cyclic, predicted(cyclic, ["-"] * 8, []))
    with pytest.raises(GraphError, match="the relation 'a>b' cannot be a label in DEPS"):
        learned(corpus_of("\na a 0 a>b 0:root\n"))
    for text in ("", "a b", "=|"):
        with pytest.raises(GraphError, match="not a template"):
            Template.read(text)


@pytest.mark.parametrize(
    "table",
    [
        None,
        {},
        {"rules": []},
        {"rules": {"obl": {}}, "turns": [], "replacing": [], "relations": []},
        {"rules": {"obl": {"sources": ["self"], "spellings": {}}}, "turns": [], "replacing": [], "relations": []},
        {"rules": {"obl": {"sources": ["x.case"], "spellings": {}}}, "turns": [], "replacing": [], "relations": []},
        {"rules": {"obl": {"sources": [1], "spellings": {}}}, "turns": [], "replacing": [], "relations": []},
        {"rules": {"obl": {"sources": [], "spellings": {"a": "b|c"}}}, "turns": [], "replacing": [], "relations": []},
        {"rules": {}, "turns": [["a"]], "replacing": [], "relations": []},
        {"rules": {}, "turns": [], "replacing": [1], "relations": []},
        {"rules": {}, "turns": [], "replacing": []},
    ],
)
def test_a_damaged_codec_is_refused(table: object) -> None:
    with pytest.raises(GraphError):
        EnhancedCodec.from_table(table)
