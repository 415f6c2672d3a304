"""Corpora for other programs and back: dictionaries, JSON, data frames, displaCy; and parts of corpora."""

import builtins
import json
from typing import Any

import pytest

import multiplane as mp
from multiplane.errors import MissingExtraError
from multiplane.formats import DIALECTS, Corpus, convert
from multiplane.formats.reader import from_text


def in_format(name: str) -> Corpus:
    return from_text(convert(mp.sample("conll09"), DIALECTS[name])[0], name)


def without_header(sentence: mp.Sentence) -> str:
    """The first sentence of an SDP file begins with the first line of the file."""
    return str(sentence).removeprefix("#SDP 2015\n")


# Dictionaries.


@pytest.mark.parametrize("corpus", [mp.sample(), *map(in_format, DIALECTS)], ids=lambda corpus: corpus.dialect.name)
def test_dictionaries_and_json_leave_nothing_out(corpus: Corpus):
    assert Corpus.from_dicts(corpus.to_dicts()).to_bytes() == corpus.to_bytes()
    assert Corpus.from_json(corpus.to_json()).to_bytes() == corpus.to_bytes()
    for sentence in corpus:
        same = mp.Sentence.from_dict(json.loads(sentence.to_json(indent=1)))
        assert without_header(same) == without_header(sentence)


def test_a_dictionary_has_plain_values():
    found = mp.sample()[14].to_dict()
    words = [token for token in found["tokens"] if isinstance(token["id"], int)]
    assert [token["head"] for token in words] == mp.sample()[14].heads
    assert [token["id"] for token in found["tokens"] if isinstance(token["id"], str)] == ["8.1"]
    assert mp.sample()[6].to_dict()["tokens"][0]["id"] == "1-2"
    assert {type(value) for token in words for value in token.values()} <= {int, str, type(None)}


def test_names_and_texts_in_a_dictionary_overrule_its_comments():
    given = mp.sample()[0].to_dict() | {"sent_id": "new", "text": "New text"}
    sentence = mp.Sentence.from_dict(given)
    assert (sentence.sent_id, sentence.text) == ("new", "New text")
    assert len(sentence.comments) == len(mp.sample()[0].comments)
    assert mp.Sentence.from_dict({"sent_id": "a", "text": "Go", "tokens": [{"form": "Go"}]}).comments == [
        "# sent_id = a",
        "# text = Go",
    ]
    assert mp.Sentence.from_dict(in_format("sdp")[1].to_dict() | {"sent_id": "x"}).sent_id == "x"


def test_attributes_in_a_dictionary_may_be_mappings():
    token = {"form": "Go", "feats": {"Mood": "Imp", "Case": "x"}, "misc": {"B": "1", "A": "2"}, "head": -1}
    sentence = mp.Sentence.from_dict({"tokens": [token]})
    assert sentence.rows == [["1", "Go", "_", "_", "_", "Case=x|Mood=Imp", "_", "_", "_", "B=1|A=2"]]


def test_odd_fields_and_comments_survive():
    empty = "1.1\tE" + "\t_" * 4 + "\t²" + "\t_" * 3
    corpus = from_text("# text = a\tb\n1\ta" + "\t_" * 8 + f"\n{empty}\n2\tb" + "\t_" * 8 + "\n\n")
    assert Corpus.from_dicts(corpus.to_dicts()).to_bytes() == corpus.to_bytes()


WRONG: list[tuple[Any, str]] = [
    ("text", "sentence 1: expected a dictionary with format, sent_id, text, comments, tokens, not str"),
    ({"words": []}, "sentence 1: unknown key 'words'; known: format, sent_id"),
    ({}, "sentence 1: tokens is None; give a list with a dictionary for each word"),
    ({"tokens": []}, "sentence 1: tokens is "),
    ({"tokens": ["Go"]}, "sentence 1: token 1: expected a dictionary with id, form, .* not str"),
    ({"tokens": [{"form": "Go", "pos": "X"}]}, "sentence 1: token 1: unknown key 'pos'; known: id, form"),
    ({"tokens": [{"form": ""}]}, "token 1: form is ''; give every word a form"),
    ({"tokens": [{"form": "a\tb"}]}, r"token 1: form is 'a\\tb'; remove tabs"),
    ({"tokens": [{"form": "Go", "lemma": 3}]}, "token 1: lemma is 3; give text or None"),
    ({"tokens": [{"form": "Go", "head": True}]}, "token 1: head is True; give text or None"),
    ({"tokens": [{"form": "Go"}], "comments": ["a"]}, "comment 'a' is not one line that starts with #"),
    ({"tokens": [{"form": "Go"}], "comments": "# a"}, "comments is '# a'; give a list of strings"),
    ({"tokens": [{"form": "Go"}], "sent_id": 3}, "sent_id is 3; give one line of text"),
    ({"tokens": [{"form": "Go"}], "sent_id": "a", "format": "conllx"}, "sent_id is 'a'; .* if the format has comments"),
    ({"tokens": [{"form": "Go", "head": 3}]}, "HEAD 3 is outside the sentence"),
    ({"tokens": [{"form": "Go", "head": 2}, {"form": "on", "head": 1}]}, "the heads form a cycle"),
    ({"tokens": [{"form": "Go", "id": 2}]}, "ID 2 out of order"),
    ({"format": ["conllu"], "tokens": [{"form": "Go"}]}, r"sentence 1: format is \['conllu'\]; give its name"),
    ({"format": "conll", "tokens": [{"form": "Go"}]}, "unknown format 'conll'"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_wrong_dictionaries_are_refused(given: Any, message: str):
    with pytest.raises(mp.MultiplaneError, match=message):
        mp.Sentence.from_dict(given)


def test_dictionaries_of_several_formats_are_refused():
    with pytest.raises(mp.ColumnError, match="sentence 2 is CoNLL-2009, but the sentences before it are CoNLL-U"):
        Corpus.from_dicts([mp.sample()[0].to_dict(), mp.sample("conll09")[0].to_dict()])


def test_wrong_json_is_refused():
    with pytest.raises(mp.ColumnError, match="<json>: not valid JSON"):
        Corpus.from_json("[")
    with pytest.raises(mp.ColumnError, match="<json>: not valid JSON"):
        Corpus.from_json("[" * 100_000)
    with pytest.raises(mp.ColumnError, match="<json>: expected a list of sentences, not dict"):
        Corpus.from_json("{}")
    assert len(Corpus.from_json("[]")) == 0


# Tables.


@pytest.mark.parametrize("name", ["conllu", "conllx", "conll09", "sdp"])
def test_tables_have_a_row_for_every_word(name: str):
    corpus = in_format(name)
    pandas, polars = corpus.to_pandas(), corpus.to_polars()
    columns = ["sentence", "sent_id", *corpus.dialect.columns]
    assert list(pandas.columns) == polars.columns == columns
    assert len(pandas) == len(polars) == corpus.words
    assert pandas["form"].tolist() == polars["form"].to_list() == corpus.column("form")
    assert pandas["id"].tolist() == polars["id"].to_list() == [token.id for sentence in corpus for token in sentence]
    assert polars["sentence"].to_list() == corpus.sentence_of.tolist()


def test_tables_have_missing_values_for_empty_fields():
    corpus = Corpus.from_columns(forms=[["_", "Go"], ["on"]], heads=[[-1, 0], [0]], lemmas=[["_", "go"], ["on"]])
    pandas, polars = corpus.to_pandas(), corpus.to_polars()
    assert polars["form"].to_list() == ["_", "Go", "on"]
    assert polars["lemma"].to_list() == [None, "go", "on"]
    assert polars["head"].to_list() == [None, 0, 0]
    assert pandas["head"].isna().tolist() == [True, False, False]
    assert pandas["lemma"].isna().tolist() == [True, False, False]
    assert pandas["head"].dropna().tolist() == [0, 0]
    assert polars["misc"].to_list() == [None] * 3
    assert pandas["sent_id"].isna().all()


def test_edits_are_in_tables():
    corpus = mp.sample()
    corpus[0][0].lemma = "edited"
    assert corpus.to_polars()["lemma"][0] == corpus.to_pandas()["lemma"][0] == "edited"


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_missing_package_is_named_with_how_to_install_it(name: str, monkeypatch: pytest.MonkeyPatch):
    original = builtins.__import__

    def without(module: str, *rest: Any, **more: Any) -> Any:
        if module == name:
            raise ImportError(module)
        return original(module, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=rf"{name} is not installed; .* pip install 'multiplane\[tables\]'"):
        getattr(mp.sample(), f"to_{name}")()


# displaCy.


def test_displacy_gets_words_and_arcs():
    drawings = mp.sample().to_displacy()
    for sentence, drawing in zip(mp.sample(), drawings, strict=True):
        assert [word["text"] for word in drawing["words"]] == sentence.forms
        arcs = set()
        for arc in drawing["arcs"]:
            assert arc["start"] < arc["end"]
            ends = (arc["end"], arc["start"]) if arc["dir"] == "left" else (arc["start"], arc["end"])
            arcs.add((ends[0] + 1, ends[1] + 1, arc["label"]))
        assert arcs == set(sentence.graph.word_arcs)


def test_displacy_gets_words_alone_without_trees():
    assert in_format("sdp")[0].to_displacy()["arcs"] == []
    assert Corpus.from_columns(forms=[["Go"]])[0].to_displacy() == {"words": [{"text": "Go", "tag": ""}], "arcs": []}


# Parts.


@pytest.mark.parametrize("name", DIALECTS)
def test_filtering_keeps_sentences_byte_for_byte(name: str):
    corpus = in_format(name)
    part = corpus.filter(lambda sentence: sentence.number % 2)
    wanted = [sentence for sentence in corpus if sentence.number % 2]
    assert list(map(without_header, part)) == list(map(without_header, wanted))
    assert (part.name, part.dialect) == (corpus.name, corpus.dialect)
    assert corpus.filter(lambda sentence: True).to_bytes() == corpus.to_bytes()
    assert len(corpus.filter(lambda sentence: False)) == 0


def test_mapping_leaves_the_corpus_as_it_is():
    def tagged(sentence: mp.Sentence) -> mp.Sentence:
        for token in sentence:
            token.xpos = token.upos
        return sentence

    corpus = mp.sample()
    corpus[0][0].upos = "EDITED"
    new = corpus.map(tagged)
    assert new.column("xpos") == corpus.column("upos") == new.column("upos")
    assert corpus.column("xpos") == mp.sample().column("xpos")


def test_mapping_to_something_else_is_refused():
    with pytest.raises(TypeError, match="en-001: the function returned NoneType for this sentence; return a Sentence"):
        mp.sample().map(lambda sentence: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(mp.ColumnError, match=r"returned CoNLL-2009, not CoNLL-U; return sentences in one format"):
        mp.sample().map(lambda sentence: mp.sample("conll09")[0])
