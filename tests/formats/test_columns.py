"""A corpus made of columns is the one that a file with the same columns gives."""

import time

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats import DIALECTS, UNKNOWN_HEAD, convert
from multiplane.formats.reader import from_text

NAMES = {"forms": "form", "lemmas": "lemma", "upos": "upos", "xpos": "xpos", "feats": "feats", "deprels": "deprel"}
MORE = {"deps": "deps", "misc": "misc"}


def plain() -> mp.Corpus:
    """The sentences of the sample that have neither ranges nor empty nodes."""
    kept = [sentence for sentence in mp.sample() if not sentence.ranges and not sentence.empty_nodes]
    return from_text(b"".join(sentence.to_bytes() for sentence in kept))


def columns_of(corpus: mp.Corpus) -> dict:
    names = NAMES | (MORE if corpus.dialect.name == "conllu" else {})
    known = {argument: name for argument, name in names.items() if name in corpus.dialect.columns}
    others = set(corpus.dialect.columns) - set(known.values()) - {"id", "head"}
    return known | {name: name for name in others}


def nested(corpus: mp.Corpus) -> dict:
    columns = {argument: [s.column(name) for s in corpus] for argument, name in columns_of(corpus).items()}
    return columns | {"heads": [sentence.heads for sentence in corpus]}


def test_columns_of_a_corpus_give_it_back():
    corpus = plain()
    comments = [sentence.comments for sentence in corpus]
    again = mp.Corpus.from_columns(**nested(corpus), comments=comments)
    assert again.to_bytes() == corpus.to_bytes()
    flat = {argument: corpus.column(name) for argument, name in columns_of(corpus).items()}
    again = mp.Corpus.from_columns(**flat, heads=corpus.heads, lengths=corpus.lengths, comments=comments)
    assert list(again) == list(corpus)


@pytest.mark.parametrize("name", ["conllx", "conll08", "conll09"])
def test_columns_of_other_formats_give_them_back(name: str):
    corpus = from_text(convert(plain(), DIALECTS[name])[0], name)
    columns = nested(corpus)
    if "phead" in columns:
        columns["phead"] = [[None if head == "_" else int(head) for head in heads] for heads in columns["phead"]]
    assert mp.Corpus.from_columns(**columns, format=name).to_bytes() == corpus.to_bytes()


def test_tuples_and_arrays_are_columns_too():
    lists = mp.Corpus.from_columns(forms=[["a", "b"], ["c", "d"]], heads=[[2, 0], [0, 1]])
    tuples = mp.Corpus.from_columns(forms=(("a", "b"), ("c", "d")), heads=((2, 0), (0, 1)))
    arrays = mp.Corpus.from_columns(forms=np.array([["a", "b"], ["c", "d"]]), heads=np.array([[2, 0], [0, 1]], np.int8))
    scalars = mp.Corpus.from_columns(forms=[["a", "b"], ["c", "d"]], heads=[[np.int64(2), np.uint8(0)], [0, 1]])
    assert lists.to_bytes() == tuples.to_bytes() == arrays.to_bytes() == scalars.to_bytes()


def test_what_is_not_known_is_empty():
    corpus = mp.Corpus.from_columns(
        forms=[["a", "b"]], heads=[[None, UNKNOWN_HEAD]], upos=[[None, ""]], sent_ids=["s1"], name="mine"
    )
    assert corpus[0].heads == [UNKNOWN_HEAD, UNKNOWN_HEAD]
    assert corpus[0].upos == corpus[0].lemmas == ["_", "_"]
    assert corpus[0].where == "mine:1: s1"
    assert len(mp.Corpus.from_columns(forms=[])) == 0


def test_a_sentence_without_sent_id_gets_no_comment():
    corpus = mp.Corpus.from_columns(forms=[["a"], ["b"]], sent_ids=[None, "two"], comments=[["# text = a"], []])
    assert [sentence.comments for sentence in corpus] == [["# text = a"], ["# sent_id = two"]]


GO = {"forms": [["Go", "home"], ["Now"]]}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"forms": ["Go home"]}, "sentence 1: form is 'Go home'; give a list of values for each sentence"),
        ({"forms": [3]}, "sentence 1: form is 3; give a list of values for each sentence"),
        ({"forms": [["Go"], []]}, "sentence 2 has a length of 0; drop sentences without words"),
        ({"forms": ["Go"], "lengths": [-1]}, "sentence 1 has a length of -1; drop"),
        ({"forms": ["Go"], "lengths": [1.0]}, "sentence 1 has a length of 1.0; drop"),
        ({"forms": ["Go"], "lengths": [2]}, "2 words, but 1 value for form; give one for each"),
        (GO | {"heads": [[0, 1]]}, "2 sentences, but 1 list for head; give one for each"),
        (GO | {"heads": [[0, 1], []]}, "sentence 2: 1 word, but 0 values for head; give one for each"),
        (GO | {"heads": [[0, 1], [0.0]]}, "sentence 2: word 1: head is 0.0; give an integer"),
        (GO | {"heads": [[0, True], [0]]}, "sentence 1: word 2: head is True; give an integer"),
        (GO | {"heads": [["0", "1"], ["0"]]}, "sentence 1: word 1: head is '0'; give an integer"),
        (GO | {"upos": [["VERB", 3], ["ADV"]]}, "sentence 1: word 2: upos is 3; give text"),
        (GO | {"feats": [["_", {"Mood": "Imp"}], ["_"]]}, "sentence 1: word 2: feats is {'Mood': 'Imp'}; give text"),
        (GO | {"misc": [["_", "_"], ["a\tb"]]}, r"sentence 2: word 1: misc is 'a\tb'; remove tabs, line ends"),
        (GO | {"lemmas": [["\ud800", "_"], ["_"]]}, r"sentence 1: word 1: lemma is '\ud800'; remove"),
        ({"forms": [["Go", ""]]}, "sentence 1: word 2: form is ''; give every word a form"),
        ({"forms": [["Go", None]]}, "sentence 1: word 2: form is None; give every word a form"),
        (GO | {"sent_ids": ["a"]}, "2 sentences, but 1 sent_ids; give one for each"),
        (GO | {"sent_ids": ["a", "b\n1\tx"]}, "sentence 2: comment '# sent_id = b"),
        (GO | {"comments": [["text = Go"], []]}, "sentence 1: comment 'text = Go'; give one line that starts with #"),
        (GO | {"sent_ids": ["a", "b"], "format": "conllx"}, "CoNLL-X has no comments; drop sent_ids"),
        (GO | {"deps": [["_", "_"], ["_"]], "format": "conllx"}, "CoNLL-X has no column 'deps'; it has form, lemma"),
        (GO | {"id": [[1, 2], [1]]}, "CoNLL-U has no column 'id'; it has form, lemma"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(columns: dict, message: str):
    with pytest.raises(mp.ColumnError) as error:
        mp.Corpus.from_columns(**columns)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([[0, 3], [0]], "<columns>:3: s1: HEAD 3 is outside the sentence"),
        ([[2, 1], [0]], "<columns>:2: s1: "),
        ([[0, 1], [1]], "<columns>:6: s2: "),
        ([[0, -2], [0]], "<columns>:3: s1: HEAD '-2' is not a number"),
    ],
)
def test_heads_are_refused_as_in_a_file(heads: list, message: str):
    with pytest.raises(mp.FormatError) as error:
        mp.Corpus.from_columns(**GO, heads=heads, sent_ids=["s1", "s2"])
    assert str(error.value).startswith(message)


def test_an_unknown_format_is_refused():
    with pytest.raises(mp.InputError, match="unknown format 'conllz'"):
        mp.Corpus.from_columns(**GO, format="conllz")


@pytest.mark.measures
def test_200_000_words_take_less_than_a_second():
    columns = nested(plain())
    times = 200_000 // sum(map(len, columns["forms"])) + 1
    columns = {name: values * times for name, values in columns.items()}
    best = np.inf
    for _ in range(3):
        began = time.process_time()
        assert mp.Corpus.from_columns(**columns).words >= 200_000
        best = min(best, time.process_time() - began)
    assert best < 1.0
