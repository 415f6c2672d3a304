"""Predicates, arguments and enhanced dependencies are read as written, and mistakes are refused with their line."""

import io
import time
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.analysis import check
from multiplane.errors import LayerError
from multiplane.formats import Corpus, convert, with_enhanced
from multiplane.formats.dialects import DIALECTS
from multiplane.formats.reader import from_text
from multiplane.graphs import EnhancedGraph


def row09(number: int, fillpred: str, pred: str, *roles: str) -> str:
    fields = f"{number} w w w X X _ _ {number - 1} {number - 1} dep dep"
    return "\t".join([*fields.split(), fillpred, pred, *roles]) + "\n"


def row08(number: int, pred: str, *roles: str) -> str:
    return "\t".join([*f"{number} w w X X w w X {number - 1} dep {pred}".split(), *roles]) + "\n"


def node(number: str, deps: str) -> str:
    head = {"1": "0", "2": "1"}.get(number, "1" if number.isdigit() else "_")
    return f"{number}\tw\t_\tX\t_\t_\t{head}\tdep\t{deps}\t_\n"


TWO = [("_", "_", "A0", "A0"), ("Y", "give.01", "_", "_"), ("_", "_", "A1", "_"), ("Y", "sell.01", "AM-PRP", "A0")]
TEXT09 = "".join(row09(number, *cells) for number, cells in enumerate(TWO, 1)) + "\n"
TEXT08 = "".join(row08(number, *cells[1:]) for number, cells in enumerate(TWO, 1)) + "\n"


@pytest.mark.parametrize(("text", "name"), [(TEXT08, "conll08"), (TEXT09, "conll09")])
def test_predicates_and_arguments_of_the_conll_formats(text: str, name: str) -> None:
    corpus = from_text(text + row09(1, "_", "_") * (name == "conll09") + row08(1, "_") * (name == "conll08"), name)
    assert [s.predicates for s in corpus] == [{2: "give.01", 4: "sell.01"}, {}]
    assert set(corpus[0].semantics.arcs) == {(2, 1, "A0"), (4, 1, "A0"), (2, 3, "A1"), (2, 4, "AM-PRP"), (4, 4, "A0")}
    assert corpus[1].semantics == mp.DependencyGraph(1)
    predicates, arcs = corpus.predicates, corpus.semantic_arcs
    assert predicates.first.tolist() == [0, 2, 2]
    assert (predicates.words.tolist(), predicates.names) == ([2, 4], ("give.01", "sell.01"))
    assert arcs.first.tolist() == [0, 5, 5]
    assert arcs.dependents.tolist() == [1, 1, 3, 4, 4]
    assert arcs.heads.tolist() == [2, 4, 2, 2, 4]
    assert [arcs.names[label] for label in arcs.labels] == ["A0", "A0", "A1", "AM-PRP", "A0"]
    assert corpus.semantic_arcs is corpus.semantic_arcs


def test_a_predicate_that_is_its_own_argument_crosses_nothing() -> None:
    graph = from_text(TEXT09, "conll09")[0].semantics
    assert (4, 4, "A0") in graph.arcs
    assert (4, 4, "A0") not in graph.word_arcs
    assert graph.heads_of[4] == (2,)


def test_predicates_without_senses_and_arguments_are_the_input_of_an_evaluation() -> None:
    corpus = from_text(row09(1, "_", "_") + row09(2, "Y", "_") + row09(3, "Y", "_"), "conll09")
    assert corpus[0].predicates == {2: "_", 3: "_"}
    assert corpus.semantic_arcs.heads.size == 0


WRONG_SEMANTICS = {
    "a sense without a predicate": (row09(1, "Y", "a.01", "_") + row09(2, "_", "b.01", "_"), 2, "sense 'b.01' without"),
    "a mark that is none": (
        row09(1, "Y", "a.01", "_") + row09(2, "yes", "b.01", "_"),
        2,
        "mark 'yes' is neither Y nor",
    ),
    "an empty sense": (row09(1, "Y", "", "_"), 1, "sense is empty"),
    "too few argument columns": (row09(1, "Y", "a.01", "_") + row09(2, "Y", "b.01", "_"), 1, "1 argument column for 2"),
    "too many argument columns": (row09(1, "_", "_", "A0"), 1, "1 argument column for 0 predicates"),
    "no argument column": (row09(1, "_", "_") + row09(2, "Y", "a.01"), 1, "0 argument columns for 1 predicate;"),
    "an empty argument": (row09(1, "Y", "a.01", "_") + row09(2, "_", "_", ""), 2, "argument column 1 is empty"),
}
FIRST = row09(1, "_", "_") + "\n"


@pytest.mark.parametrize("name", WRONG_SEMANTICS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_malformed_predicates_are_refused_with_their_line(name: str, end: str) -> None:
    text, line, says = WRONG_SEMANTICS[name]
    corpus = from_text((FIRST + text + "\n" + TEXT09).replace("\n", end), "conll09")
    for layer in ("predicates", "semantic_arcs"):
        with pytest.raises(mp.FormatError) as refused:
            getattr(corpus, layer)
        assert str(refused.value).startswith(f"<text>:{2 + line}: sentence 2: ")
        assert says in str(refused.value)
    assert corpus[2].predicates == {2: "give.01", 4: "sell.01"}
    assert corpus[0].semantics.arcs == ()
    with pytest.raises(mp.FormatError, match=r"^<text>:\d+: sentence 2: "):
        corpus[1].semantics  # noqa: B018


def test_all_mistakes_of_a_layer_are_listed() -> None:
    text = row09(1, "x", "_") + row09(2, "_", "b.01") + row09(3, "_", "") + "\n" + row09(1, "_", "_", "A0")
    layer = from_text(text, "conll09").semantic_layer
    assert [error.line for error in layer.problems.errors] == [1, 2, 3, 5]
    assert layer.problems.sentences == (1, 1, 1, 2)
    assert layer.arcs.first.tolist() == layer.predicates.first.tolist() == [0, 0, 0]


ELLIPSIS = [
    ("1", "2:nsubj|2.1:nsubj"),
    ("2", "0:root"),
    ("2.1", "0:root|2:conj:and"),
    ("2.2", "2.1:xcomp"),
    ("3", "2:obj|2.2:obj"),
]


def test_enhanced_graphs_have_empty_nodes_that_collapse_into_paths() -> None:
    sentence = from_text("".join(node(*line) for line in ELLIPSIS))[0]
    graph = sentence.enhanced
    assert isinstance(graph, EnhancedGraph)
    assert graph.ids == ("1", "2", "2.1", "2.2", "3")
    assert set(graph.arcs) == {
        *((2, 1, "nsubj"), (3, 1, "nsubj"), (0, 2, "root"), (0, 3, "root")),
        *((2, 3, "conj:and"), (3, 4, "xcomp"), (2, 5, "obj"), (4, 5, "obj")),
    }
    expected = [
        *((2, 1, "nsubj"), (0, 1, "root>nsubj"), (2, 1, "conj:and>nsubj"), (0, 2, "root")),
        *((2, 3, "obj"), (0, 3, "root>xcomp>obj"), (2, 3, "conj:and>xcomp>obj")),
    ]
    assert list(graph.collapsed().arcs) == expected
    assert sentence.corpus.enhanced_arcs.of(0) == expected


def test_cycles_of_empty_nodes_end_and_a_word_may_depend_on_itself() -> None:
    lines = [("1", "1.1:a"), ("1.1", "1.2:b|1:c"), ("1.2", "1.1:d")]
    sentence = from_text("".join(node(*line) for line in lines))[0]
    assert sentence.corpus.enhanced_arcs.of(0) == [(1, 1, "c>a")]
    assert sentence.enhanced.collapsed() == mp.DependencyGraph(1, [(1, 1, "c>a")], loops=True)


def test_a_collapsed_file_may_have_a_word_that_is_its_own_head() -> None:
    text = node("1", "0:root|1:conj>obj")
    sentence = from_text(text)[0]
    assert sentence.enhanced.loop_arcs == ((1, 1, "conj>obj"),)
    assert sentence.enhanced.collapsed() == mp.DependencyGraph(1, [(0, 1, "root"), (1, 1, "conj>obj")], loops=True)
    assert with_enhanced(sentence.corpus, sentence.corpus.enhanced_arcs).to_bytes() == text.encode()
    warnings = check([sentence.corpus], "f").warnings
    assert ("words that are their own enhanced head", 1) in [(warning.what, warning.count) for warning in warnings]


def test_an_empty_node_before_the_first_word() -> None:
    sentence = from_text("".join(node(*line) for line in [("0.1", "0:root"), ("1", "0.1:dep"), ("2", "_")]))[0]
    assert (sentence.enhanced.ids, sentence.enhanced.arcs) == (("0.1", "1", "2"), ((0, 1, "root"), (1, 2, "dep")))
    assert sentence.corpus.enhanced_arcs.of(0) == [(0, 1, "root>dep")]


WRONG_DEPS = {
    "no label": ("1", "not of the form head:label"),
    "an empty label": ("1:", "not of the form head:label"),
    "no head": (":dep", "not of the form head:label"),
    "nothing": ("", "not of the form head:label"),
    "a bar too many": ("1:dep|", "not of the form head:label"),
    "a head outside the sentence": ("4:dep", "no such head"),
    "a head that is no number": ("one:dep", "no such head"),
    "a negative head": ("-1:dep", "no such head"),
    "a huge head": (f"{10**30}:dep", "no such head"),
    "an empty node that is not there": ("1.2:dep", "no such head"),
    "an empty node of another word": ("2.1:dep", "no such head"),
    "an empty node without number": ("1.:dep", "no such head"),
    "an empty node 1.0": ("1.0:dep", "no such head"),
    "an arc twice": ("1:dep|0:root|1:dep", "'dep' twice from the same head"),
}


@pytest.mark.parametrize("name", WRONG_DEPS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_malformed_deps_are_refused_with_their_line(name: str, end: str) -> None:
    deps, says = WRONG_DEPS[name]
    good = node("1", "0:root") + node("1.1", "1:x")
    text = good + "\n# sent_id = s2\n" + good + node("2", deps) + node("3", "2:dep") + "\n" + good
    corpus = from_text(text.replace("\n", end))
    with pytest.raises(mp.FormatError) as refused:
        corpus.enhanced_arcs  # noqa: B018
    assert str(refused.value).startswith("<text>:7: s2: DEPS ")
    assert says in str(refused.value)
    assert corpus.enhanced_layer.collapsed.first.tolist() == [0, 1, 1, 2]
    assert corpus[2].enhanced.arcs == ((0, 1, "root"), (1, 2, "x"))


def test_more_paths_than_anyone_can_follow_are_refused_at_once() -> None:
    empty = [f"1.{minor}" for minor in range(1, 30)]
    everything = "|".join(f"{name}:a" for name in empty)
    lines = [node("1", everything)]
    lines += [node(name, "|".join(f"{other}:a" for other in empty if other != name)) for name in empty]
    began = time.process_time()
    with pytest.raises(mp.FormatError, match="<text>:1: sentence 1: too many paths through empty nodes"):
        from_text("".join(lines)).enhanced_arcs  # noqa: B018
    with pytest.raises(mp.FormatError):
        from_text("".join(lines))[0].enhanced  # noqa: B018
    assert time.process_time() - began < 5


def test_ten_thousand_wrong_lines_are_listed_in_about_a_second() -> None:
    text = node("1", "x") + "".join(f"{i}\tw\t_\tX\t_\t_\t1\tdep\tx\t_\n" for i in range(2, 20_001))
    began = time.process_time()
    errors = from_text(text).enhanced_layer.problems.errors
    assert [error.line for error in errors] == list(range(1, 20_001))
    assert time.process_time() - began < 10


@pytest.mark.parametrize("layer", ["predicates", "semantics"])
@pytest.mark.parametrize("name", ["conllu", "conllx"])
def test_formats_without_predicates_say_so(name: str, layer: str) -> None:
    sentence = from_text(convert(mp.sample(), DIALECTS[name])[0], name)[0]
    with pytest.raises(LayerError, match=f"^<text>: {DIALECTS[name].title} has no predicates"):
        getattr(sentence, layer)
    assert not hasattr(sentence, layer)


def test_formats_without_deps_say_so() -> None:
    corpus = from_text(TEXT09, "conll09")
    for of, name in ((corpus, "enhanced_arcs"), (corpus[0], "enhanced")):
        with pytest.raises(LayerError, match=r"^<text>: CoNLL-2009 has no enhanced dependencies; use CoNLL-U$"):
            getattr(of, name)


# The judge: what a text holds, in a few lines of Python.


def naive_semantics(corpus: Corpus) -> list[tuple[dict[int, str], set[Any]]]:
    found = []
    for sentence in corpus:
        columns = len(corpus.dialect.columns)
        senses = dict(enumerate(sentence.column("pred"), 1))
        predicates = {word: sense for word, sense in senses.items() if sense != "_"}
        arcs = set()
        for word, fields in enumerate(sentence.rows, 1):
            for predicate, role in zip(predicates, fields[columns:], strict=True):
                if role != "_":
                    arcs.add((predicate, word, role))
        found.append((predicates, arcs))
    return found


def random_text(name: str, sentences: int, seed: int) -> str:
    rng = np.random.default_rng(seed)
    text = ""
    for _ in range(sentences):
        size = int(rng.integers(1, 9))
        marked = rng.random(size) < rng.random()
        for word in range(1, size + 1):
            roles = ["A0" if x < 0.2 else "é" if x < 0.3 else "_" for x in rng.random(int(marked.sum()))]
            sense = f"s.{rng.integers(3)}" if marked[word - 1] else "_"
            mark = "Y" if marked[word - 1] else "_"
            text += row08(word, sense, *roles) if name == "conll08" else row09(word, mark, sense, *roles)
        text += "\n"
    return text


@pytest.mark.parametrize("name", ["conll08", "conll09"])
def test_random_semantics_are_what_a_naive_reader_sees(name: str) -> None:
    corpus = mp.read(io.BytesIO(random_text(name, 300, 1).encode()), name)
    seen = [(sentence.predicates, set(sentence.semantics.arcs)) for sentence in corpus]
    assert seen == naive_semantics(corpus)
    assert sum(len(arcs) for _, arcs in seen) == len(corpus.semantic_arcs.heads) > 500
