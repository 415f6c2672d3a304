"""Suffixes are counted by words of the dictionary, each once; capitals by forms."""

import multiplane as mp
from multiplane.formats import Corpus
from multiplane.training.lemmas import learn_lemmas


def corpus(*words: tuple[str, str, str]) -> Corpus:
    rows = (f"1\t{form}\t{lemma}\t{tag}\t_\t_\t0\troot\t_\t_\n" for form, tag, lemma in words)
    return mp.formats.reader.from_text("\n".join(rows))


CATS, DOGS, BUS = ("cats", "NOUN", "cat"), ("dogs", "NOUN", "dog"), ("bus", "NOUN", "bus")


def test_each_word_counts_once_however_frequent_it_is():
    lemmas = learn_lemmas([corpus(*[CATS] * 7, DOGS, *[BUS] * 3)], with_upos=True)
    assert lemmas.scripts == ("lower\t0+\t1+", "lower\t0+\t0+")
    assert lemmas.suffixes == ("\tNOUN\tnone\t0:2\t1:1", "s\tNOUN\tnone\t0:2\t1:1")


def test_tags_and_capitals_are_counted_apart():
    walks, runs, paris, ellis = (
        ("walks", "VERB", "walk"),
        ("runs", "VERB", "run"),
        ("Paris", "NOUN", "Paris"),
        ("Ellis", "NOUN", "Ellis"),
    )
    words = corpus(CATS, DOGS, walks, runs, paris, ellis)
    assert learn_lemmas([words], with_upos=True).suffixes == (
        *("\tNOUN\tfirst\t1:2", "\tNOUN\tnone\t0:2", "\tVERB\tnone\t0:2"),
        *("is\tNOUN\tfirst\t1:2", "s\tNOUN\tfirst\t1:2", "s\tNOUN\tnone\t0:2", "s\tVERB\tnone\t0:2"),
    )
    assert "s\t\tnone\t0:4" in learn_lemmas([words], with_upos=False).suffixes


def test_words_with_several_lemmas_or_a_rare_script_teach_nothing():
    several = [("lies", "NOUN", "lie"), ("lies", "NOUN", "ly")]
    went = ("wents", "NOUN", "go")
    with_them = learn_lemmas([corpus(CATS, DOGS, *several, went)], with_upos=True)
    assert with_them.suffixes == learn_lemmas([corpus(CATS, DOGS)], with_upos=True).suffixes


def test_tags_with_which_capitalized_forms_agree_on_the_case_of_lemmas_are_learned():
    names = [f"{letter}nna" for letter in "ABCDEFGHIJ"]
    words = [*((name, "PROPN", name) for name in names), *((name, "ADJ", name.lower()) for name in names)]
    rows = [f"1\t{form}\t{lemma}\t{tag}\tNNP\t_\t0\troot\t_\t_\n" for form, tag, lemma in words]
    learnt = [mp.formats.reader.from_text("\n".join(rows))]
    assert learn_lemmas(learnt, with_upos=True, with_xpos=True).capitals == ("ADJ\tNNP\tlower", "PROPN\tNNP\tupper")
    assert learn_lemmas(learnt, with_upos=True).capitals == ("ADJ\t\tlower", "PROPN\t\tupper")
    assert learn_lemmas(learnt, with_upos=False).capitals == ()  # they disagree
    assert learn_lemmas([corpus(*words[1:10])], with_upos=True).capitals == ()  # too few


def test_the_order_of_sentences_does_not_matter():
    columns = (mp.sample().column(name) for name in ("form", "upos", "lemma"))
    words = list(zip(*columns, strict=True))
    there, back = (learn_lemmas([corpus(*each)], with_upos=True) for each in (words, words[::-1]))
    assert there.to_vocabularies() == back.to_vocabularies()
    assert there.suffixes
