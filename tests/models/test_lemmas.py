"""Edit scripts turn every form into its lemma, also those of other words, and never into nonsense."""

import math
import pickle
import time
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import multiplane as mp
from models.test_neural_runtime import random_model
from multiplane._native import lowered, suffixes
from multiplane.models import NeuralModel
from multiplane.models.lemmas import CAPITALS, SUFFIXES, Lemmas, apply_script, edit_script
from multiplane.training.lemmas import learn_lemmas

FIELDS = st.text(st.characters(exclude_characters="\0\t\n\r", exclude_categories=["Cs"]), min_size=1)
SAMPLE = mp.sample()
UNCHANGED, WITHOUT_S, ABSOLUTE = "keep\t0+\t0+", "lower\t0+\t1+", "lemma\tbe"
VERY_LONG = "lower\t900+\t900+x"


@given(FIELDS, FIELDS)
def test_a_script_gives_its_lemma_back(form: str, lemma: str):
    assert apply_script(edit_script(form, lemma), form) == lemma


@given(st.text("aAbBéÉßΣς", min_size=1, max_size=6), st.text("aAbBéÉßΣς", min_size=1, max_size=6))
def test_a_script_of_similar_words_gives_its_lemma_back(form: str, lemma: str):
    assert apply_script(edit_script(form, lemma), form) == lemma


@pytest.mark.parametrize(
    ("form", "lemma", "other", "its_lemma"),
    [
        ("walked", "walk", "Jumped", "jump"),
        ("Making", "make", "hoping", "hope"),
        ("THE", "the", "Of", "of"),
        ("PARIS", "Paris", "London", "London"),
        ("NASA", "NASA", "McAdam", "McAdam"),
        ("gemacht", "machen", "gesagt", "sagen"),
        ("λόγον", "λόγος", "ΧΡΟΝΟΝ", "χρονος"),
        ("20_000s", "20_000", "b_s", "b_"),
        ("è", "essere", "xyz", "essere"),
    ],
)
def test_scripts_fit_other_words(form: str, lemma: str, other: str, its_lemma: str):
    assert apply_script(edit_script(form, lemma), other) == its_lemma


@given(FIELDS, FIELDS, FIELDS)
def test_a_script_leaves_something_of_other_forms_or_does_not_apply(form: str, lemma: str, other: str):
    found = apply_script(edit_script(form, lemma), other)
    assert found is None or found


def test_a_form_that_is_too_short_has_no_lemma():
    assert apply_script("lower\t2+\t3+en", "abcdef") == "cen"
    assert apply_script("lower\t2+\t3+en", "abcde") is None


def test_very_long_fields_take_no_time():
    form = "x" * 100_000
    began = time.monotonic()
    for lemma in (form, form.upper(), "y" + form, "y"):
        assert apply_script(edit_script(form, lemma), form) == lemma
    assert time.monotonic() - began < 2


WRONG_SCRIPTS = [
    *("", "lower", "lower\t0+", "lower\t0+\t0", "upper\t0+\t0+", "lower\t-1+\t0+", "lower\t0+\t0+\t0+"),
    *("lower\t+\t0+", "lower\t99999999999999999999+\t0+", "lemma\t", "lemma\ta\tb", "lower\t0x+\t0+"),
]


@pytest.mark.parametrize("script", WRONG_SCRIPTS)
def test_what_is_no_script_is_refused(script: str):
    with pytest.raises(ValueError, match="not an edit script"):
        apply_script(script, "form")


def with_scripts(
    *scripts: str, dictionary: tuple[str, ...] = (), endings: tuple[str, ...] = (), **settings: tuple[str, ...]
) -> NeuralModel:
    """A model that prefers scripts in this order, for all words."""
    lemmas = Lemmas(scripts, dictionary, endings)
    model = random_model(**{"channels": ("form",), "tags": ("upos",), **settings}, lemmas=lemmas)  # type: ignore[arg-type]
    weights = {
        name: np.zeros_like(array) if name.startswith("lemma") else array for name, array in model.weights.items()
    }
    weights["lemma.bias"] = -np.arange(len(scripts), dtype=np.float16)
    return replace(model, weights=weights)


def lemmas_of(model: NeuralModel, corpus: mp.Corpus = SAMPLE) -> list[str]:
    values, names = model.parse(corpus).tags[-1][1:]
    return [names[value] for value in values.tolist()]


@pytest.mark.parametrize("script", [UNCHANGED, WITHOUT_S, ABSOLUTE])
def test_the_script_that_the_network_prefers_makes_the_lemma(script: str):
    model = with_scripts(script)
    assert model.predicted_columns == ("upos", "lemma")
    assert lemmas_of(model) == [apply_script(script, form) or form for form in SAMPLE.column("form")]


def test_a_script_that_does_not_apply_gives_way_to_the_next_best_and_at_last_to_the_form():
    forms = SAMPLE.column("form")
    assert lemmas_of(with_scripts(VERY_LONG)) == forms
    assert lemmas_of(with_scripts(VERY_LONG, "lower\t9+\t0+", ABSOLUTE)) == [
        form[9:].lower() if len(form) > 9 else "be" for form in forms
    ]


def looked_up(rows: dict[tuple[str, str], str], form: str, tag: str) -> str:
    """The lemma by a dictionary; empty if the network has to choose one."""
    return next((rows[word] for word in ((form, tag), (lowered(form), tag)) if word in rows), "")


@pytest.mark.parametrize(("channels", "tags"), [(("form",), ("xpos", "upos")), (("form", "upos"), ()), (("form",), ())])
def test_the_dictionary_comes_first(channels: tuple[str, ...], tags: tuple[str, ...]):
    model = with_scripts(UNCHANGED, channels=channels, tags=tags)
    found = {each.column: [each.names[value] for value in each.values.tolist()] for each in model.parse(SAMPLE).tags}
    known = found.get("upos") or (SAMPLE.column("upos") if "upos" in channels else [""] * SAMPLE.words)
    words = list(zip(SAMPLE.column("form"), known, strict=True))
    random = Random(1)
    lemmas = ("", "one", "one", "two")
    rows = {word: random.choice(lemmas) for word in words if random.random() < 0.3}
    rows |= {(form, tag): random.choice(lemmas) for form, _ in words for tag in ("X", "Y") if random.random() < 0.3}
    dictionary = tuple(f"{form}\t{tag}\t{lemma}" for (form, tag), lemma in rows.items())
    model = with_scripts(UNCHANGED, channels=channels, tags=tags, dictionary=dictionary)
    assert lemmas_of(model) == [looked_up(rows, *word) or word[0] for word in words]


@pytest.mark.parametrize(
    ("rows", "lemma"),
    [
        (("Cats\tNOUN\tfirst", "cats\tNOUN\tsecond", "Cats\tX\tthird"), "first"),
        (("cats\tNOUN\tsecond", "Cats\tX\tthird"), "second"),
        (("cats\tVERB\tsecond", "Cats\tX\tthird"), "Cats"),
        (("Cats\tNOUN\t", "cats\tNOUN\tsecond", "Cats\tX\tthird"), "Cats"),
        (("cats\tNOUN\t", "Cats\tX\tthird"), "Cats"),
    ],
)
def test_a_form_not_seen_with_its_tag_is_looked_up_in_lower_case(rows: tuple[str, ...], lemma: str):
    corpus = mp.formats.reader.from_text("1\tCats\t_\tNOUN\t_\t_\t_\t_\t_\t_\n")
    assert lemmas_of(with_scripts(UNCHANGED, channels=("form", "upos"), tags=(), dictionary=rows), corpus) == [lemma]


def test_lemmas_do_not_depend_on_neighbours_in_the_file():
    rows = (f"{form}\t{tag}\tknown" for form in set(SAMPLE.column("form")[::3]) for tag in ("NOUN", "VERB", "ADP"))
    parser = mp.Parser(with_scripts(WITHOUT_S, UNCHANGED, dictionary=tuple(rows)))
    whole = parser.parse(SAMPLE, predict="lemma")
    assert "known" in whole.column("lemma")
    assert [sentence.lemmas for sentence in whole] == [
        parser.parse(sentence, predict="lemma").lemmas for sentence in SAMPLE
    ]


def test_a_pickled_model_gives_the_same_lemmas():
    parser = mp.Parser(
        with_scripts(WITHOUT_S, dictionary=tuple(f"the\t{tag}\tTHE" for tag in set(SAMPLE.column("upos"))))
    )
    again = pickle.loads(pickle.dumps(parser))
    assert again.parse(SAMPLE, predict="lemma").to_bytes() == parser.parse(SAMPLE, predict="lemma").to_bytes()


WITH_UPOS = {"channels": ("form", "upos"), "tags": ()}


def lemma_of(form: str, *scripts: str, dictionary: tuple[str, ...] = (), endings: tuple[str, ...] = ()) -> str:
    """The lemma of a noun."""
    corpus = mp.formats.reader.from_text(f"1\t{form}\t_\tNOUN\t_\t_\t_\t_\t_\t_\n")
    return lemmas_of(with_scripts(*scripts, dictionary=dictionary, endings=endings, **WITH_UPOS), corpus)[0]


def guessed(lemmas: Lemmas, form: str, tag: str) -> str:
    """The slow and obvious definition, for a network that prefers scripts in their order."""
    counts = {
        tuple(row.split("\t")[:3]): dict(tuple(map(int, pair.split(":"))) for pair in row.split("\t")[3:])
        for row in lemmas.suffixes
    }
    everywhere = range(len(lemmas.scripts))
    odds = [1 / len(everywhere)] * len(everywhere)
    capitals, ends = suffixes(form)
    for suffix in ends:
        if (suffix, tag, capitals) not in counts:
            break
        found = counts[suffix, tag, capitals]
        odds = [(found.get(s, 0) + len(found) * odds[s]) / (sum(found.values()) + len(found)) for s in everywhere]
    ranked = sorted(everywhere, key=lambda s: s - 2 * math.log(odds[s]))
    return next((lemma for s in ranked if (lemma := apply_script(lemmas.scripts[s], form)) is not None), form)


def test_the_guesser_agrees_with_its_definition():
    learnt = learn_lemmas([SAMPLE], with_upos=True)
    half = replace(
        learnt, suffixes=learnt.suffixes[::2] + tuple(row for row in learnt.suffixes[1::2] if row[0] == "\t")
    )
    random = Random(3)
    forms = sorted(set(SAMPLE.column("form")))
    words = [
        (random.choice("xX") + form[random.randrange(3) :], tag) for form in forms for tag in ("NOUN", "VERB", "Z")
    ]
    lines = (f"{i}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n" for i, (form, tag) in enumerate(words, 1))
    corpus = mp.formats.reader.from_text("".join(lines))
    for lemmas in (learnt, half):
        found = lemmas_of(with_scripts(*lemmas.scripts, endings=lemmas.suffixes, **WITH_UPOS), corpus)
        assert found == [guessed(lemmas, *word) for word in words]
        assert found != lemmas_of(with_scripts(*lemmas.scripts, **WITH_UPOS), corpus)


S_IS_DROPPED = ("\tNOUN\tnone\t0:40\t1:20", "s\tNOUN\tnone\t1:20")


def test_words_that_end_alike_decide_on_unknown_forms():
    assert lemma_of("blorps", UNCHANGED, WITHOUT_S) == "blorps"
    assert lemma_of("blorps", UNCHANGED, WITHOUT_S, endings=S_IS_DROPPED) == "blorp"
    assert lemma_of("blorp", UNCHANGED, WITHOUT_S, endings=S_IS_DROPPED) == "blorp"


def test_a_longer_suffix_overrules_a_shorter_one_and_the_network_overrules_weak_evidence():
    longer = (*S_IS_DROPPED, "ss\tNOUN\tnone\t0:9")
    assert lemma_of("gless", UNCHANGED, WITHOUT_S, endings=S_IS_DROPPED) == "gles"
    assert lemma_of("gless", UNCHANGED, WITHOUT_S, endings=longer) == "gless"
    weak = ("\tNOUN\tnone\t0:40\t8:20", "s\tNOUN\tnone\t8:1")
    scripts = (UNCHANGED, *(f"lemma\t{i}" for i in range(7)), WITHOUT_S)
    assert lemma_of("blorps", *scripts, endings=weak) == "blorps"


def test_suffixes_count_with_the_same_tag_and_capitals_only():
    assert lemma_of("Blorps", UNCHANGED, WITHOUT_S, endings=S_IS_DROPPED) == "Blorps"
    verbs = tuple(row.replace("NOUN", "VERB") for row in S_IS_DROPPED)
    assert lemma_of("blorps", UNCHANGED, WITHOUT_S, endings=verbs) == "blorps"


@pytest.mark.parametrize(
    ("form", "capitals"),
    [("mice", "none"), ("Mice", "first"), ("MICE", "others"), ("iPod", "others"), ("1st", "none"), ("Ωρα", "first")],
)
def test_capitals_are_told_apart(form: str, capitals: str):
    assert suffixes(form)[0] == capitals


def test_suffixes_say_nothing_about_words_of_the_dictionary():
    several = ("blorps\tNOUN\t",)
    assert lemma_of("blorps", UNCHANGED, WITHOUT_S, dictionary=several, endings=S_IS_DROPPED) == "blorps"
    assert (
        lemma_of("blorps", UNCHANGED, dictionary=("blorps\tNOUN\tknown",), endings=("s\tNOUN\tnone\t0:9",)) == "known"
    )


def test_a_guessed_script_that_does_not_apply_gives_way_to_the_next_best():
    endings = ("\tNOUN\tnone\t0:90\t2:9",)
    assert lemma_of("blorps", VERY_LONG, UNCHANGED, WITHOUT_S, endings=endings) == "blorp"
    assert lemma_of("s", VERY_LONG, UNCHANGED, WITHOUT_S, endings=endings) == "s"


WITHOUT_D, E_FOR_D = "lower\t0+\t1+", "lower\t0+\t2+e"


@pytest.mark.parametrize(
    ("form", "dictionary", "lemma"),
    [
        ("hoped", (), "hope"),
        ("hopir", ("hops\tNOUN\thope",), "hope"),  # though the network prefers another script
        ("hopir", ("hops\tVERB\thope",), "hopi"),
        ("hopir", ("hope\tNOUN\thop",), "hopi"),  # a form is no lemma
        ("hop1r", ("hops\tNOUN\thop1e", "hops\tX\thope"), "hop1"),  # numbers resemble each other by chance
        ("hop", ("x\tNOUN\the",), "ho"),  # so do scripts that keep one letter
    ],
)
def test_scripts_that_lead_to_a_known_lemma_score_higher(form: str, dictionary: tuple[str, ...], lemma: str):
    assert lemma_of(form, WITHOUT_D, E_FOR_D, dictionary=dictionary) == lemma


def test_scripts_that_lead_to_a_known_word_score_higher():
    corpus = mp.formats.reader.from_text("1\thopir\t_\tNOUN\t_\t_\t_\t_\t_\t_\n")
    model = with_scripts(WITHOUT_D, E_FOR_D, **WITH_UPOS)
    assert lemmas_of(model, corpus) == ["hopi"]
    words = model.lexicon.given["form"]
    lexicon = replace(model.lexicon, given=model.lexicon.given | {"form": ("hope", *words[1:])})
    assert lemmas_of(replace(model, lexicon=lexicon), corpus) == ["hope"]


def cased(form: str, upos: str, xpos: str, *, dictionary: tuple[str, ...] = (), script: str = UNCHANGED) -> str:
    """The lemma of a word, if capitalized nouns tagged A have capitalized lemmas, and those tagged B do not."""
    corpus = mp.formats.reader.from_text(f"1\t{form}\t_\t{upos}\t{xpos}\t_\t_\t_\t_\t_\n")
    model = with_scripts(script, dictionary=dictionary, channels=("form", "upos", "xpos"), tags=())
    assert model.lexicon.lemmas is not None
    lemmas = replace(model.lexicon.lemmas, capitals=("NOUN\tA\tupper", "NOUN\tB\tlower"))
    return lemmas_of(replace(model, lexicon=replace(model.lexicon, lemmas=lemmas)), corpus)[0]


LOWER = "lower\t0+\t0+"


@pytest.mark.parametrize(
    ("form", "xpos", "lemma", "in_lower_case"),
    [
        ("Fair", "A", "Fair", "Fair"),
        ("Fair", "B", "fair", "fair"),
        ("Fair", "C", "Fair", "fair"),
        ("FAIR", "B", "FAIR", "fair"),
        ("fair", "A", "fair", "fair"),
        ("Élan", "A", "Élan", "Élan"),
        ("Ὅμηρος", "B", "ὅμηρος", "ὅμηρος"),
    ],
)
def test_the_usual_case_of_lemmas_with_the_same_tags_decides(form: str, xpos: str, lemma: str, in_lower_case: str):
    assert cased(form, "NOUN", xpos) == lemma
    assert cased(form, "NOUN", xpos, script=LOWER) == in_lower_case
    assert cased(form, "VERB", xpos) == form
    assert cased(form, "NOUN", xpos, dictionary=(f"{form}\tNOUN\tknown",)) == "known"


def test_a_lemma_that_the_dictionary_has_with_another_case_gets_that_case():
    assert cased("mexico", "NOUN", "C", dictionary=("Mexico\tNOUN\tMexico",)) == "Mexico"
    assert cased("mexico", "VERB", "C", dictionary=("Mexico\tNOUN\tMexico",)) == "mexico"
    assert cased("Mexico", "NOUN", "C", dictionary=("x\tNOUN\tmexico",)) == "mexico"
    assert cased("Mexico", "NOUN", "C", dictionary=("x\tNOUN\tmexico", "y\tNOUN\tMexico")) == "Mexico"
    assert cased("Mexico", "NOUN", "A", dictionary=("mexico\tNOUN\tmexico",)) == "Mexico"


@pytest.mark.parametrize("row", ["", "NOUN", "NOUN\tNN", "NOUN\tNN\tUPPER", "NOUN\tNN\tupper\t", "\t\t"])
def test_capitals_that_cannot_be_are_refused(row: str):
    model = with_scripts(UNCHANGED)
    assert model.lexicon.lemmas is not None
    lemmas = replace(model.lexicon.lemmas, capitals=(row,))
    with pytest.raises(mp.ModelError, match="is not UPOS, XPOS, and upper or lower"):
        replace(model, lexicon=replace(model.lexicon, lemmas=lemmas))


WRONG_SUFFIXES = [
    *("", "s", "s\tNOUN\tnone", "s\tNOUN\tnone\t", "s\tNOUN\tall\t0:1", "verylong\tNOUN\tnone\t0:1"),
    *("s\tNOUN\tnone\t0", "s\tNOUN\tnone\t2:1", "s\tNOUN\tnone\t0:0", "s\tNOUN\tnone\t-1:1", "s\tNOUN\tnone\t0:1\t"),
    *(
        "s\tNOUN\tnone\t0:-1",
        "s\tNOUN\tnone\t0:9999999999",
        "s\tNOUN\tnone\t:1",
        "s\tNOUN\tnone\t0:",
        "s\tNOUN\tnone\t0:nan",
    ),
]


@pytest.mark.parametrize("row", WRONG_SUFFIXES)
def test_suffixes_that_cannot_be_are_refused(row: str):
    with pytest.raises(mp.ModelError, match="is not suffix, tag, capitals and scripts"):
        with_scripts(UNCHANGED, WITHOUT_S, endings=(row,))


def test_two_rows_for_a_suffix_and_characters_that_no_field_contains_are_refused():
    with pytest.raises(mp.ModelError, match="two rows for the same suffix"):
        with_scripts(UNCHANGED, endings=("s\tNOUN\tnone\t0:1", "s\tNOUN\tnone\t0:2"))
    with pytest.raises(mp.ModelError, match=r"lemmas\.suffixes: has a character"):
        with_scripts(UNCHANGED, endings=("\n\tNOUN\tnone\t0:1",))


def test_the_largest_counts_keep_scores_finite():
    endings = tuple(f"{'blorps'[6 - n :]}\tNOUN\tnone\t1:999999999" for n in range(7))
    assert lemma_of("xblorps", UNCHANGED, WITHOUT_S, endings=endings) == "xblorp"


def test_a_model_stored_without_suffixes_and_capitals_loads_as_before():
    model = with_scripts(WITHOUT_S, UNCHANGED, dictionary=("the\tDET\tTHE",))
    contents = model.contents()
    old = {name: rows for name, rows in contents.vocabularies.items() if name not in (SUFFIXES, CAPITALS)}
    loaded = NeuralModel.from_contents(replace(contents, vocabularies=old), model.record)
    assert loaded.lexicon.lemmas is not None
    assert loaded.lexicon.lemmas.suffixes == loaded.lexicon.lemmas.capitals == ()
    assert lemmas_of(loaded) == lemmas_of(model)
