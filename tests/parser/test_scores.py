"""Scores of words and trees, and several trees per sentence, for parsers of all kinds."""

import io
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats.reader import from_text
from multiplane.formats.rewrite import with_trees
from multiplane.models.confidence import parse_best, parse_scored
from small_parsers import SMALL_NETWORK, trained

KINDS: dict[str, dict[str, Any]] = {
    "greedy": {},
    "beam": {"beam": 4},
    "artificial root": {"root": "left"},
    "pseudo-projective": {"system": "arc-eager", "pseudo_projective": "head"},
    "undirected": {"system": "undirected-2-planar", "root": "none"},
    "undirected with a root": {"system": "undirected-planar", "root": "left", "reconstruction": "label"},
    "kernel": {"learner": "libsvm", "epochs": 1},
    "covington": {"system": "covington"},
    "arc-standard": {"system": "arc-standard"},
}


@pytest.fixture(scope="module")
def parsers() -> dict[str, mp.Parser]:
    found = {name: trained(mp.sample(), **{"epochs": 1} | settings) for name, settings in KINDS.items()}
    network = {"model": "neural", "epochs": 1} | SMALL_NETWORK
    found["network"] = mp.train(mp.sample(), **network)
    found["network without a scorer of heads"] = mp.train(mp.sample(), **network | {"arc": 0})
    return found


ALL = [*KINDS, "network", "network without a scorer of heads"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("beam", [None, 3])
def test_scores_change_no_tree(name: str, beam: int | None, parsers: dict[str, mp.Parser]):
    plain = parsers[name].parse(mp.sample(), beam=beam)
    scored = parsers[name].parse(mp.sample(), beam=beam, scores=True)
    for one, other in zip(plain, scored, strict=True):
        assert (one.heads, one.deprels) == (other.heads, other.deprels)
        assert all(p is not None and 0 < p <= 1 for p in other.scores)
        assert other.score is not None
        assert 0 <= other.score <= 1
        assert [field.partition("|Score=")[0].partition("Score=")[0] or "_" for field in other.misc] == one.misc


@pytest.mark.parametrize("name", ALL)
def test_the_first_of_the_best_trees_is_the_parse_and_all_differ(name: str, parsers: dict[str, mp.Parser]):
    parser = parsers[name]
    plain = parser.parse(mp.sample(), beam=5)
    most = 0
    for one, trees in zip(plain, parser.parse(mp.sample(), beam=5, best=5), strict=True):
        assert (one.heads, one.deprels) == (trees[0].heads, trees[0].deprels)
        assert len({(*tree.heads, *tree.deprels) for tree in trees}) == len(trees) <= 5
        scores = [tree.score or 0.0 for tree in trees]
        assert scores == sorted(scores, reverse=True)
        assert [tree.comment("parse") for tree in trees] == [str(rank) for rank in range(1, len(trees) + 1)]
        assert all(tree.graph.is_tree() for tree in trees)
        most = max(most, len(trees))
    assert most == 5


def test_sure_words_are_right_more_often(parsers: dict[str, mp.Parser]):
    gold = mp.sample()
    for name in ("greedy", "beam", "pseudo-projective", "undirected", "network"):
        trees = parse_scored(parsers[name].model, gold)
        names = np.array(parsers[name].model.names)
        right = (trees.heads == gold.heads) & (names[trees.labels] == np.array(gold.column("deprel")))
        order = np.argsort(trees.confidences)
        half = len(order) // 2
        assert right[order[half:]].mean() > right[order[:half]].mean()


@pytest.mark.parametrize("name", ["greedy", "beam", "pseudo-projective", "undirected", "network"])
def test_the_trees_of_a_sentence_share_its_probability(name: str, parsers: dict[str, mp.Parser]):
    ranks = parse_best(parsers[name].model, mp.sample(), 6)
    scores = np.stack([trees.tree_confidences for trees in ranks])
    assert (scores.sum(axis=0) <= 1 + 1e-9).all()
    assert (np.diff(scores, axis=0) <= 0).all()
    logs = np.stack([np.bincount(mp.sample().sentence_of, np.log(trees.confidences)) for trees in ranks])
    there = scores[1:] > 0
    less = logs[1:] <= logs[:1]  # trees follow each other as their words' scores say, unless they beat the parser's own
    order = np.where(less, logs[1:], logs[:1]) - logs[:1]
    share = np.log(np.where(there, scores[1:], 1.0)) - np.log(scores[:1])
    sums = scores.sum(axis=0) < 1 - 1e-9  # where nothing was cut
    assert (there & sums).any()
    np.testing.assert_allclose(share[there & sums], order[there & sums], rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ["greedy", "beam", "network"])
def test_the_best_of_several_trees_is_better(name: str, parsers: dict[str, mp.Parser]):
    gold = mp.sample()
    counts = np.stack(
        [np.bincount(gold.sentence_of, trees.heads == gold.heads) for trees in parse_best(parsers[name].model, gold, 8)]
    )
    assert counts.max(axis=0).sum() > counts[0].sum()


def test_what_is_given_is_certain_and_the_rest_is_not(parsers: dict[str, mp.Parser]):
    gold = mp.sample()
    given = np.arange(gold.words) % 3 == 0
    labels = [label if kept else "_" for label, kept in zip(gold.column("deprel"), given, strict=True)]
    planar = [each for each in with_trees(gold, np.where(given, gold.heads, -1), labels) if each.number in _planar()]
    for each in planar:
        scores = np.array(parsers["greedy"].parse(each, keep_heads=True, scores=True).scores, np.float64)
        known = np.array(each.heads) >= 0
        assert (scores[known] == 1).all()
        assert (scores[~known] < 1).all()


def _planar() -> set[int]:
    return {each.number for each in mp.sample() if each.graph.planarity() <= 2}


def test_labels_that_are_given_stay_in_every_tree(parsers: dict[str, mp.Parser]):
    sentence = mp.sample()[0]
    given = with_trees(from_text(str(sentence)), [-1] * len(sentence), ["never:seen", "_", "obj", *"_" * 3])[0]
    trees = parsers["network"].parse(given, best=6, keep_heads=True)
    assert {(tree.deprels[0], tree.deprels[2]) for tree in trees} == {("never:seen", "obj")}


def test_forbidden_arcs_are_in_no_tree(parsers: dict[str, mp.Parser]):
    sentence = mp.sample()[1]
    for name in ("greedy", "beam", "network"):
        plain = parsers[name].parse(sentence)
        arcs = [(plain.heads[0], 1), (plain.heads[4], 5)]
        for tree in parsers[name].parse(sentence, best=4, forbidden=arcs, scores=True):
            assert tree.heads[0] != arcs[0][0]
            assert tree.heads[4] != arcs[1][0]


def test_shapes_of_several_trees():
    parser = mp.load("en")
    assert [[type(tree) for tree in trees] for trees in parser.parse("She left. Go!", best=2)] == [
        [mp.Sentence] * 2
    ] * 2
    sentence = mp.sample()[0]
    assert [tree.heads for tree in parser.parse(sentence, best=2)] == [
        tree.heads for tree in parser.parse([sentence], best=2)[0]
    ]


def test_comments_name_ranks_once_and_begin_no_document_twice():
    text = "# newdoc id = d\n# newpar\n# sent_id = a\n# score = 7\n# text = Go home\n" + "".join(
        f"{i}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n" for i, form in enumerate(("Go", "home"), 1)
    )
    first, second = mp.load("en").parse(from_text(text)[0], best=2)
    assert [line for line in first.comments if "score" not in line] == [
        "# newdoc id = d",
        "# newpar",
        "# sent_id = a",
        "# text = Go home",
        "# parse = 1",
    ]
    assert [line for line in second.comments if "score" not in line] == [
        "# sent_id = a~2",
        "# text = Go home",
        "# parse = 2",
    ]
    assert sum(line.startswith("# score") for line in first.comments) == 1


@pytest.mark.parametrize("options", [{"scores": True}, {"best": 3}, {"best": 2, "scores": True}])
def test_blocks_and_threads_change_nothing_in_files(options: dict[str, Any]):
    parser, text = mp.load("en"), mp.sample().to_bytes()
    outputs = set()
    for block, threads in ((1, 1), (1 << 20, 1), (3000, 2)):
        out = io.BytesIO()
        parser.parse_stream(io.BytesIO(text), out, block=block, threads=threads, **options)
        outputs.add(out.getvalue())
    assert len(outputs) == 1
    sentences = mp.read_conllu(io.BytesIO(outputs.pop()))
    assert len({each.sent_id for each in sentences}) == len(sentences)


def test_scores_do_not_depend_on_other_sentences_even_if_all_heads_are_certain():
    parser = mp.load("en")
    corpus = parser.parse("She saw him. Go. Come. The dog that I thought you had lost sleeps.")
    together = parser.parse(corpus, scores=True)
    assert [parser.parse(each, scores=True).scores for each in corpus] == [each.scores for each in together]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_the_byte_order_mark_stay(newline: str, mark: str):
    lines = ["# sent_id = a", *(f"{i}\tGo\t_\t_\t_\t_\t_\t_\t_\tX=1" for i in (1, 2)), "", "", ""]
    text = mark + newline.join(lines)
    out = io.BytesIO()
    mp.load("en").parse_stream(io.BytesIO(text.encode()), out, scores=True)
    found = out.getvalue().decode()
    assert found.startswith(mark + "# sent_id = a" + newline + "# score = ")
    assert found.count(newline) == found.count("\n") == text.count("\n") + 1


def test_formats_without_misc_are_refused():
    corpus = from_text("1\tGo\tgo\tV\tV\t_\t0\troot\t_\t_\n", "conllx")
    with pytest.raises(mp.ModelError, match="scores are written to MISC, which CoNLL-X does not have"):
        mp.load("en").parse(corpus, scores=True)
    assert len(mp.load("en").parse(corpus, best=2)) == 1


@pytest.mark.parametrize("options", [{"scores": True}, {"best": 2}])
def test_joint_models_say_that_they_have_no_scores(options: dict[str, Any]):
    parser = mp.train(mp.sample("conll09"), task="joint", epochs=1)
    with pytest.raises(mp.ModelError, match="need a parser that predicts only trees, but this is a joint model"):
        parser.parse(mp.read(io.BytesIO(mp.sample().to_bytes())), **options)
