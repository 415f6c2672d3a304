"""What `parse` takes: the shapes of inputs and results, threads and batches, and what it says about anything else."""

import io
import itertools
import pathlib
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats import DIALECTS, convert, read
from multiplane.formats.reader import from_text
from small_parsers import ODD, word

TEXTS = ["She left. He stayed!", "", "Go home.", "Time flies like an arrow, and fruit flies like a banana."]
WORDS = [["She", "left", "."], ["Go", "home", "!"], ["10 000", "francs"]]


@pytest.fixture(scope="module")
def english() -> mp.Parser:
    return mp.load("en")


def written(results: Any) -> list[bytes]:
    return [each.to_bytes() for each in results]


# Shapes.


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"batch_size": 1}, {"threads": 3, "batch_size": 1}])
def test_texts_become_corpora_as_if_each_were_alone(options: dict[str, int], english: mp.Parser):
    alone = [english.parse(text) for text in TEXTS]
    together = english.parse(TEXTS, **options)
    assert isinstance(together, list)
    assert written(together) == written(alone)
    assert [corpus.name for corpus in together] == ["<text>"] * len(TEXTS)
    assert [s.where for corpus in together for s in corpus] == [s.where for corpus in alone for s in corpus]
    assert written(english.parse(tuple(TEXTS), **options)) == written(alone)
    assert written(english.parse(np.array(TEXTS), **options)) == written(alone)


def test_words_become_sentences(english: mp.Parser):
    sentences = english.parse(WORDS)
    assert [sentence.forms for sentence in sentences] == WORDS
    assert all(sentence.is_tree for sentence in sentences)
    assert sentences[0].heads == [2, 0, 2]
    assert [sentence.number_in_file for sentence in english.parse(WORDS, batch_size=2)] == [1, 2, 3]
    assert english.parse(map(tuple, WORDS)).__next__() == sentences[0]


def test_corpora_and_sentences_stay_what_they_are(parser: mp.Parser):
    corpus, other = mp.sample(), mp.sample("conll09")
    parsed = parser.parse(corpus)
    assert written(parser.parse([corpus, other])) == written([parsed, parser.parse(other)])
    assert parser.parse((corpus[1], corpus[3])) == [parsed[1], parsed[3]]
    assert parser.parse({1: corpus[0]}.values()) == [parsed[0]]


def test_items_of_several_kinds_can_be_mixed(english: mp.Parser):
    sentence = mp.sample()[0]
    first, second, third = english.parse(["She left.", sentence, ["Go", "home"]])
    assert isinstance(first, mp.Corpus)
    assert second == english.parse(sentence)
    assert third.forms == ["Go", "home"]


def test_iterators_are_parsed_lazily(english: mp.Parser):
    taken = []

    def texts():
        for number in itertools.count():
            taken.append(number)
            yield "Go home."

    results = english.parse(texts(), batch_size=2)
    assert taken == []
    assert next(results)[0].forms == ["Go", "home", "."]
    assert len(taken) == 3
    assert [corpus[0].forms[0] for corpus in english.parse(io.StringIO("She left.\nGo!\n"))] == ["She", "Go"]


def test_an_error_of_a_generator_comes_through(english: mp.Parser):
    def texts():
        yield "Go."
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        list(english.parse(texts(), threads=2))


def test_best_trees_have_the_shape_of_the_input_too(english: mp.Parser):
    sentence = english.parse("She saw him.")[0]
    alone = english.parse(sentence, best=2)
    assert english.parse([sentence], best=2) == english.parse(iter([sentence]), best=2) == [alone]
    assert [[tree.heads for tree in trees] for trees in english.parse([sentence.forms], best=2)] == [
        [tree.heads for tree in alone]
    ]
    in_texts = english.parse(["She saw him.", "Go."], best=2)
    assert [[len(trees) for trees in text] for text in in_texts] == [[2], [2]]
    corpus = english.parse("She saw him. Go. Come.")
    assert english.parse(corpus, best=2, threads=2, batch_size=1) == english.parse(corpus, best=2)


# Threads.


@pytest.mark.parametrize("options", [{}, {"beam": 3}, {"keep_heads": True}])
@pytest.mark.parametrize("size", [1, 7, 61])
def test_threads_make_no_difference_to_a_corpus(size: int, options: dict[str, Any], parser: mp.Parser):
    corpus = mp.sample().filter(lambda sentence: sentence.planarity <= 2)
    plain = parser.parse(corpus, **options)
    threaded = parser.parse(corpus, threads=3, batch_size=size, **options)
    assert threaded.to_bytes() == plain.to_bytes()
    assert [sentence.where for sentence in threaded] == [sentence.where for sentence in plain]


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("cut", [0, 1, 2])
def test_threads_keep_odd_files_odd(start: bytes, end: bytes, cut: int, parser: mp.Parser):
    text = start + ODD.encode().replace(b"\n", end)
    corpus = from_text(text[: len(text) - cut] if cut < len(end) + 1 else text)
    assert parser.parse(corpus, threads=2, batch_size=1).to_bytes() == parser.parse(corpus).to_bytes()


@pytest.mark.parametrize("name", [name for name, dialect in DIALECTS.items() if "head" in dialect.columns])
def test_threads_make_no_difference_in_any_format(name: str, parser: mp.Parser):
    corpus = from_text(convert(mp.sample("conll09"), DIALECTS[name])[0], name)
    assert parser.parse(corpus, threads=2, batch_size=3).to_bytes() == parser.parse(corpus).to_bytes()


@pytest.mark.parametrize("scores", [False, True])
def test_threads_keep_what_was_skipped(scores: bool, english: mp.Parser):
    text = (word(1, 0) + "\n" + "1\tbroken\n\n" + word(1, 0) + "\n").encode()
    corpus = read(io.BytesIO(text), "conllu", on_error="skip")
    plain, threaded = (english.parse(corpus, scores=scores, threads=n, batch_size=1) for n in (1, 2))
    assert plain.to_bytes() == threaded.to_bytes()
    assert list(map(str, plain.problems)) == list(map(str, threaded.problems))
    assert [sentence.where for sentence in plain] == [sentence.where for sentence in threaded]


def test_scores_and_forbidden_arcs_do_not_depend_on_threads(english: mp.Parser):
    corpus = mp.sample()
    scored = english.parse(corpus, scores=True)
    assert english.parse(corpus, scores=True, threads=2, batch_size=10).to_bytes() == scored.to_bytes()
    arcs = [[(head, 1)] for head in (sentence.heads[0] for sentence in scored)]
    plain = english.parse(corpus, forbidden=arcs)
    assert english.parse(corpus, forbidden=arcs, threads=2, batch_size=10).to_bytes() == plain.to_bytes()
    with pytest.raises(ValueError, match="64 lists of forbidden arcs for 65 sentences"):
        english.parse(corpus, forbidden=arcs[1:], threads=2, batch_size=10)


def test_an_error_in_a_thread_names_the_place_in_the_corpus(parser: mp.Parser):
    untagged = "1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n"
    corpus = from_text((word(1, 0) + "\n\n") * 3 + untagged)
    with pytest.raises(mp.ModelError) as plain:
        parser.parse(corpus)
    with pytest.raises(mp.ModelError) as threaded:
        parser.parse(corpus, threads=2, batch_size=1)
    assert str(threaded.value) == str(plain.value)
    assert "<text>:10: sentence 4" in str(plain.value)


def test_threads_see_edits(english: mp.Parser):
    text = (word(1, 0) + "\n1\tbroken\n\n" + word(1, 0) + "\n").encode()
    plain, threaded = (read(io.BytesIO(text), "conllu", on_error="skip") for _ in range(2))
    for corpus in (plain, threaded):
        corpus[0].set_comment("new", "line")
        corpus[1][0].form = "Go"
    assert english.parse(threaded, threads=2, batch_size=1).to_bytes() == english.parse(plain).to_bytes()


# What is refused.

EXPECTED = "expected a text, a Sentence, a Corpus, or an iterable of texts, Sentences, Corpora or lists of words"
ITEM = "expected a text, a Sentence, a Corpus or a list of words"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, f"cannot parse None: {EXPECTED}"),
        (7, rf"cannot parse an int \(7\): {EXPECTED}"),
        (b"Go.", rf"cannot parse a bytes \(b'Go\.'\): {EXPECTED}; decode it first: data\.decode\(\)"),
        (
            pathlib.Path("a.txt"),
            rf"cannot parse a PosixPath .*: {EXPECTED}; read the file with multiplane\.read\(path\)",
        ),
        ({"a": "Go."}, rf"cannot parse a dict .*: {EXPECTED}; pass its values"),
        (mp.sample()[0][0], rf"cannot parse a Token .*: {EXPECTED}; pass its sentence: token\.sentence"),
        (mp.sample()[0].graph, rf"cannot parse a DependencyGraph .*: {EXPECTED}"),
        (["Go.", None], rf"item 1 \(from 0\) is None: {ITEM}"),
        (["Go.", 3], rf"item 1 \(from 0\) is an int \(3\): {ITEM}"),
        ([b"Go."], rf"item 0 \(from 0\) is a bytes .*: {ITEM}; decode it first"),
        ([pathlib.Path("a")], rf"item 0 \(from 0\) is a PosixPath .*: {ITEM}; read the file with"),
        ([["Go", 3]], r"item 0, word 1 \(from 0\) is an int \(3\): expected text, as items are lists of words"),
        ([[["Go"]]], r"item 0, word 0 \(from 0\) is a list"),
        ([list(mp.sample()[0])], r"item 0, word 0 \(from 0\) is a Token"),
        ([{"form": "Go"}], r"item 0 \(from 0\) is a dict .*make sentences of dictionaries with Sentence\.from_dict"),
    ],
)
def test_anything_else_gets_one_clear_error(given: Any, message: str, english: mp.Parser):
    with pytest.raises(TypeError, match=message):
        english.parse(given)


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_column_of_a_data_frame_holds_texts_and_a_data_frame_is_refused(package: str, english: mp.Parser):
    frame = pytest.importorskip(package).DataFrame({"id": [1, 2], "text": TEXTS[2:4]})
    assert written(english.parse(frame["text"])) == written(english.parse(TEXTS[2:4]))
    advice = r"pass a column of texts, such as df\['text'\]"
    with pytest.raises(TypeError, match=rf"^cannot parse a DataFrame \([^\n]*: {EXPECTED}; {advice}$"):
        english.parse(frame)
    with pytest.raises(TypeError, match=rf"^item 0 \(from 0\) is a DataFrame \([^\n]*; {advice}$"):
        english.parse([frame])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([["Go"], []], r"item 1 \(from 0\) is a sentence without words; leave it out"),
        ([["Go", ""]], r"item 0, word 1 \(from 0\) is empty; give every word a form"),
        ([["Go\thome"]], r"item 0, word 0 \(from 0\) is 'Go\\thome'; remove tabs"),
    ],
)
def test_wrong_words_are_refused(given: Any, message: str, english: mp.Parser):
    with pytest.raises(mp.ColumnError, match=message):
        english.parse(given)


@pytest.mark.parametrize("option", ["threads", "batch_size"])
@pytest.mark.parametrize("value", [0, -1, 1.5, None, True])
def test_numbers_of_threads_and_sentences_are_positive(option: str, value: Any, english: mp.Parser):
    with pytest.raises(ValueError, match=f"{option} must be a positive integer, not {value!r}"):
        english.parse("Go.", **{option: value})


@pytest.mark.parametrize("option", ["beam", "best"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "x", True])
def test_beams_and_numbers_of_trees_are_positive(option: str, value: Any, english: mp.Parser):
    for call in (
        lambda: english.parse("Go.", **{option: value}),
        lambda: english.parse_stream(io.BytesIO(b"Go."), io.BytesIO(), **{option: value}),
    ):
        with pytest.raises(ValueError, match=f"{option} must be a positive integer, not {value!r}"):
            call()


@pytest.mark.parametrize("value", [0, -1, 1.5, "x", True])
def test_beams_are_positive_wherever_they_are_given(value: Any, english: mp.Parser):
    sentence = mp.sample()[0]
    for method in (english.graphs, english.edges, english.derivation, english.steps, english.calibrate):
        with pytest.raises(ValueError, match=f"beam must be a positive integer, not {value!r}"):
            method(sentence, beam=value)


@pytest.mark.parametrize("option", ["threads", "block"])
def test_numbers_of_threads_and_bytes_are_positive_from_file_to_file(option: str, english: mp.Parser):
    with pytest.raises(ValueError, match=f"{option} must be a positive integer, not 0"):
        english.parse_stream(io.BytesIO(b"Go."), io.BytesIO(), **{option: 0})


def test_options_that_do_not_fit_the_items_are_refused(english: mp.Parser, parser: mp.Parser):
    with pytest.raises(ValueError, match="plain text has no words or heads yet"):
        english.parse(["Go.", "Come."], keep_heads=True)
    with pytest.raises(ValueError, match="tokenizer, lines and ranges apply only to text"):
        english.parse([["Go"]], tokenizer="spaces")
    with pytest.raises(ValueError, match="tokenizer, lines and ranges apply only to text"):
        english.parse(mp.sample(), ranges=True)
    with pytest.raises(ValueError, match="forbidden arcs need a Sentence or a Corpus"):
        english.parse([mp.sample()[0]], forbidden=[[(0, 1)]])
    for given in (["Go."], [["Go"]]):
        with pytest.raises(mp.ModelError, match="this model needs POS tags, which plain text does not have"):
            parser.parse(given)


def test_a_tokenizer_splits_all_texts(english: mp.Parser):
    corpora = english.parse(["Don't go.", "Stay."], tokenizer="spaces", ranges=True)
    assert [corpus.column("form") for corpus in corpora] == [["Don't", "go."], ["Stay."]]
    assert corpora[1].column("misc") == ["TokenRange=0:5"]


@pytest.mark.parametrize("options", [{}, {"ranges": True}, {"scores": True}, {"tokenizer": "spaces"}])
def test_every_line_of_a_text_can_be_a_sentence(options: dict[str, Any], english: mp.Parser):
    text = "She left. He stayed\nGo home\n\nNow\n"
    out = io.BytesIO()
    english.parse_stream(io.BytesIO(text.encode()), out, text=True, lines=True, **options)
    found = english.parse(text, lines=True, **options)
    assert found.to_bytes() == out.getvalue()
    assert [sentence.text for sentence in found] == ["She left. He stayed", "Go home", "Now"]
    assert english.parse([text, "Go"], lines=True, **options)[0] == found
    assert len(english.parse(text, lines=True, best=1)) == 3
    with pytest.raises(ValueError, match="tokenizer, lines and ranges apply only to text"):
        english.parse(found, lines=True)
