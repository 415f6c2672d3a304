"""Corpora compare by content; slices of a corpus are views of it, and sentences can be collected and written."""

import copy
import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.formats import DIALECTS, convert, read
from multiplane.formats.reader import from_text
from small_parsers import ODD, word

SLICES = [slice(3), slice(2, 5), slice(60, None), slice(None), slice(-3, -1), slice(5, 5), slice(9, 3)]
SLICES += [slice(None, None, 7), slice(None, None, -1), slice(20, 4, -3)]


def test_corpora_are_equal_if_their_format_and_bytes_are():
    one, other = mp.sample(), mp.sample()
    assert one == other
    assert hash(one) == hash(other)
    assert one == from_text(one.to_bytes(), name="another name")
    assert one != from_text(b"\n" + one.to_bytes())
    assert one != list(one)
    other[3][0].lemma = "new"
    assert one != other
    assert from_text("", "conllu") != from_text("", "conllx")
    assert one != from_text(convert(one, DIALECTS["conll09"])[0], "conll09")


# Slices.


@pytest.mark.parametrize("item", SLICES, ids=str)
@pytest.mark.parametrize("name", sorted(DIALECTS))
def test_a_slice_is_a_corpus_of_its_sentences(name: str, item: slice):
    corpus = from_text(convert(mp.sample("conll09"), DIALECTS[name])[0], name)
    part, sentences = corpus[item], list(corpus)[item]
    assert isinstance(part, mp.Corpus)
    assert list(part) == sentences
    assert (len(part), part.words) == (len(sentences), sum(map(len, sentences)))
    assert part.column("form") == [form for sentence in sentences for form in sentence.forms]
    assert part.heads.tolist() == [head for sentence in sentences for head in sentence.heads]
    assert [part[number] for number in range(-len(part), 0)] == sentences
    if item.step is None:
        assert [sentence.where for sentence in part] == [sentence.where for sentence in sentences]
    out = io.BytesIO()
    mp.write(part, out, name)
    assert [each.rows for each in read(io.BytesIO(out.getvalue()), name)] == [each.rows for each in sentences]
    if not DIALECTS[name].header:
        assert list(from_text(out.getvalue(), name)) == sentences
    elif 0 < len(part) < len(corpus) and item.step is None:
        assert out.getvalue().startswith(f"{DIALECTS[name].header}\n#".encode())
    assert list(part[1:][::-1]) == sentences[1:][::-1]
    assert pickle.loads(pickle.dumps(part)) == copy.copy(part) == part


def test_a_slice_has_what_a_corpus_has():
    corpus = mp.sample()
    part = corpus[28:33]
    assert len(part.filter(lambda sentence: not sentence.is_planar)) == 5
    assert part.to_dicts() == corpus.to_dicts()[28:33]
    assert part.draw() == mp.draw(list(corpus)[28:33])
    assert part.enhanced_layer.problems.errors == ()
    assert corpus[:30] + corpus[30:] == corpus
    assert repr(part) == repr(corpus.filter(lambda sentence: 28 <= sentence.number < 33))


def test_slices_keep_odd_files_odd():
    for odd in (ODD, "\ufeff" + ODD, ODD.replace("\n", "\r\n"), ODD + "\n\n# end\n"):
        corpus = from_text(odd)
        assert corpus[:] == corpus
        assert corpus[:1].to_bytes() + corpus[1:].to_bytes() == corpus.to_bytes()
        assert [sentence.where for sentence in corpus[1:]] == [corpus[1].where]


def test_slices_keep_what_was_skipped():
    good, broken = word(1, 0) + "\n", word(1, 9) + "\n"
    corpus = read(io.BytesIO((good + broken + good + good).encode()), "conllu", on_error="skip")
    assert [len(corpus[item].problems) for item in (slice(1), slice(1, None), slice(2))] == [1, 0, 1]
    assert corpus[:2].to_bytes() == (good + good).encode()
    assert [sentence.where for sentence in corpus[1:]] == ["<stream>:5: sentence 3", "<stream>:7: sentence 4"]


def test_edits_of_a_slice_are_those_of_the_corpus_and_the_other_way_round():
    corpus = mp.sample()
    part, other, every = corpus[2:6], corpus[4:], corpus[::2]
    part[2][0].lemma = "part"
    assert corpus[4][0].lemma == other[0][0].lemma == every[2][0].lemma == "part"
    corpus[4][1].lemma = "whole"
    assert part[2].lemmas[:2] == other[0].lemmas[:2] == ["part", "whole"]
    assert part.column("lemma").count("whole") == 1  # the edits have become part of the text
    every[2].set_comment("note", "step")
    other[0].update(xpos=["X"] * len(other[0]))
    part[-1][0].misc["Gloss"] = "last"
    assert part[2] == corpus[4] == other[0] == every[2]
    assert (part[2].comment("note"), set(part[2].xpos)) == ("step", {"X"})
    assert part == corpus[2:6]
    assert b"Gloss=last" in corpus.to_bytes()
    assert list(mp.sample())[:2] + list(corpus)[2:6] + list(mp.sample())[6:] == list(corpus)


def test_layers_of_a_slice_follow_edits():
    corpus = mp.sample()
    part = corpus[1:3]
    before = len(part.enhanced_arcs.heads)
    corpus[2][0].deps = "2:nsubj|3:conj"
    assert len(part.enhanced_arcs.heads) == before + 2
    assert part[1].enhanced == corpus[2].enhanced


def test_words_of_a_slice_are_those_of_the_corpus():
    corpus = mp.sample()
    assert corpus[2:4][1][0] == corpus[3][0] == corpus[1:][2:][0][0]
    assert hash(corpus[2:4][1][0]) == hash(corpus[3][0])
    assert corpus[2:4][1][0] != corpus[2:4][0][0]
    corpus[3:][0][0].head = corpus[3][1]
    with pytest.raises(mp.GraphError, match="is in another sentence"):
        corpus[3:][0][0].head = mp.sample()[3][1]


# Collecting and writing.

PARSED: list[Callable[[mp.Corpus], Any]] = [
    lambda corpus: corpus,
    list,
    iter,
    lambda corpus: (sentence.copy() for sentence in corpus),
    lambda corpus: [corpus[:20], corpus[20:]],
    lambda corpus: [[sentence] for sentence in corpus],
    lambda corpus: [[[sentence] for sentence in corpus[:20]], [list(corpus[20:])]],
]


@pytest.mark.parametrize("made", PARSED)
def test_sentences_in_any_shape_are_collected_and_written(made: Callable[[mp.Corpus], Any], tmp_path: Path):
    corpus = mp.sample()
    assert mp.Corpus.from_sentences(made(corpus)) == corpus
    mp.write(made(corpus), tmp_path / "out.conllu")
    assert (tmp_path / "out.conllu").read_bytes() == corpus.to_bytes()
    out = io.BytesIO()
    mp.write_conllx(made(corpus), out)
    assert out.getvalue() == convert(corpus, DIALECTS["conllx"])[0]


def test_one_sentence_is_written(tmp_path: Path):
    sentence = mp.sample()[3]
    for write in (mp.write, mp.write_conllu):
        write(sentence, tmp_path / "one.conllu")
        assert list(mp.read(tmp_path / "one.conllu")) == [sentence]
    mp.write(mp.sample("conll09")[3], tmp_path / "one.sdp")
    assert (tmp_path / "one.sdp").read_bytes().startswith(b"#SDP 2015\n")


@pytest.mark.parametrize(
    "given", ["a.conllu", b"1", None, 7, {"a": 1}, mp.sample()[0][0], [mp.sample()[0], None], ["a"]]
)
def test_what_is_not_a_sentence_is_neither_collected_nor_written(given: Any, tmp_path: Path):
    message = "expected a Corpus, a Sentence, or an iterable of them, not "
    with pytest.raises(TypeError, match=message):
        mp.write(given, tmp_path / "out.conllu")
    assert not list(tmp_path.iterdir())
    with pytest.raises(TypeError, match=message):
        mp.Corpus.from_sentences(given)


def test_collected_sentences_are_copies_in_one_format():
    corpus = mp.sample()
    collected = mp.Corpus.from_sentences(reversed(corpus))
    collected[0][0].lemma = "new"
    assert corpus == mp.sample()
    assert len(mp.Corpus.from_sentences([])) == 0
    with pytest.raises(mp.ColumnError, match="is CoNLL-2009, and the first sentence CoNLL-U; convert the file first"):
        mp.Corpus.from_sentences([corpus[0], mp.sample("conll09")[0]])
    with pytest.raises(mp.ColumnError, match="convert the file first"):
        corpus + mp.sample("conll09")
    with pytest.raises(TypeError):
        corpus + list(corpus)  # type: ignore[operator]
