"""What programs hold can be pickled and copied, and does the same afterwards."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats import iterate
from multiplane.systems import LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, TransitionSystem, top_has_head
from small_tokenizers import portuguese

SAMPLE = mp.sample()
WAYS: dict[str, Callable] = {
    f"protocol {number}": lambda value, number=number: pickle.loads(pickle.dumps(value, number))
    for number in range(2, pickle.HIGHEST_PROTOCOL + 1)
} | {"copy": copy.copy, "deepcopy": copy.deepcopy}

BROKEN = b"# sent_id = a\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n# sent_id = b\n1\tGo\n\n"


@pytest.fixture(params=WAYS, scope="module")
def again(request: pytest.FixtureRequest) -> Callable:
    return WAYS[request.param]


def _kernel() -> mp.Parser:
    return mp.train(SAMPLE, learner="libsvm", system="planar", features="planar", split="buffer[0].upos")


def _own_system() -> mp.Parser:
    own = TransitionSystem(
        "nobody-knows-it",
        SHIFT=SHIFT,
        REDUCE=REDUCE.where(top_has_head),
        LEFT_ARC=LEFT_ARC.where(~top_has_head) >> REDUCE,
        RIGHT_ARC=RIGHT_ARC >> SHIFT,
    )
    return mp.train(SAMPLE, system=own, features="arc-eager", epochs=1)


PARSERS: dict[str, Callable[[], mp.Parser]] = {
    "linear": lambda: mp.train(SAMPLE, epochs=1),
    "pseudo-projective": lambda: mp.train(SAMPLE, system="arc-eager", pseudo_projective="head", epochs=1),
    "kernel": _kernel,
    "neural": lambda: mp.load("en"),
    "own system": _own_system,
}


@pytest.fixture(params=PARSERS, scope="module")
def parser(request: pytest.FixtureRequest) -> mp.Parser:
    return PARSERS[request.param]()


def test_a_parser_gives_the_same_trees(parser: mp.Parser, again: Callable):
    other = again(parser)
    assert other.parse(SAMPLE).to_bytes() == parser.parse(SAMPLE).to_bytes()
    assert other.model.record == parser.model.record
    assert other.derivation(SAMPLE[3]) == parser.derivation(SAMPLE[3])


def test_a_tokenizer_gives_the_same_tokens(again: Callable):
    text = "Ana gosta do gato. Rui nos viu."
    assert again(portuguese()).conllu(text) == portuguese().conllu(text)


def test_a_parser_is_saved_the_same(parser: mp.Parser):
    contents, other = parser.model.contents(), pickle.loads(pickle.dumps(parser)).model.contents()
    assert (other.config, other.labels, other.vocabularies) == (contents.config, contents.labels, contents.vocabularies)
    for name, array in contents.tensors.items():
        assert np.array_equal(other.tensors[name], array)


def test_a_corpus_stays_what_it_is(again: Callable):
    other = again(SAMPLE)
    assert list(other) == list(SAMPLE)
    assert (other.name, other.dialect, other.to_bytes()) == (SAMPLE.name, SAMPLE.dialect, SAMPLE.to_bytes())
    assert np.array_equal(other.heads, SAMPLE.heads)


def test_problems_and_places_in_a_file_stay(again: Callable, tmp_path):
    path = tmp_path / "broken.conllu"
    path.write_bytes(BROKEN * 3)
    for corpus in iterate(path, on_error="skip", block=100):
        other = again(corpus)
        assert [sentence.where for sentence in other] == [sentence.where for sentence in corpus]
        assert list(map(str, other.problems)) == list(map(str, corpus.problems))
        assert other.problem_numbers == corpus.problem_numbers
        assert (other.lines_read, other.sentences_read) == (corpus.lines_read, corpus.sentences_read)


def test_a_sentence_goes_without_its_corpus_and_keeps_its_place(again: Callable):
    sentence = SAMPLE[40]
    other = again(sentence)
    assert other == sentence
    assert (other.where, other.number_in_file, other.heads) == (sentence.where, sentence.number_in_file, sentence.heads)
    assert len(pickle.dumps(sentence)) < len(pickle.dumps(SAMPLE)) / 10


def test_oracles_say_the_same(again: Callable):
    graph = SAMPLE[3].graph
    static, dynamic = mp.oracle("2-planar"), mp.oracle("2-planar", dynamic=True)
    start = dynamic.system.initial(graph.n).apply("SHIFT")
    costs = dynamic.costs(start, graph)
    assert again(static).sequence(graph) == static.sequence(graph)
    assert again(dynamic).costs(start, graph) == costs


def test_an_error_of_the_format_stays_readable(again: Callable):
    error = mp.FormatError("HEAD 9 is outside the sentence", file="a.conllu", line=3, sent_id="s1")
    other = again(error)
    assert str(other) == str(error)
    assert (other.what, other.file, other.line, other.sent_id) == (error.what, error.file, error.line, error.sent_id)


def _read(path: str) -> mp.Corpus:
    return mp.read(path)


def test_processes_that_were_spawned_parse_the_same(tmp_path):
    path = tmp_path / "broken.conllu"
    path.write_bytes(BROKEN)
    parser, sentences = mp.train(SAMPLE, epochs=1), list(SAMPLE[:8])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(parser.parse, sentences, chunksize=4) == parser.parse(sentences)
        with pytest.raises(mp.FormatError, match=r"broken\.conllu:5: b: 2 columns"):
            pool.apply(_read, (str(path),))
