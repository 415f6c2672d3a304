"""Expansion of multiword tokens: exceptions are kept, rules generalize, and nothing is made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multiplane import _native
from multiplane.training.multiwords import Rule, learn_multiwords

ENGLISH = [
    ("dog's", ("dog", "'s")),
    ("Cat's", ("Cat", "'s")),
    ("don't", ("do", "n't")),
    ("isn't", ("is", "n't")),
    ("cannot", ("can", "not")),
]
PORTUGUESE = [("do", ("de", "o")), ("da", ("de", "a")), ("pelo", ("por", "o")), ("vê-lo", ("ver", "lo"))]
PORTUGUESE += [("dê-lo", ("der", "lo")), ("lê-lo", ("ler", "lo"))]
ARABIC = [("وقال", ("و", "قال")), ("وكان", ("و", "كان")), ("بيت", ("ب", "يت"))]


def words(pairs, form):
    learned = learn_multiwords(pairs)
    return _native.Multiwords(learned.exceptions, learned.rules).words(form)


@pytest.mark.parametrize("pairs", [ENGLISH, PORTUGUESE, ARABIC])
def test_every_form_of_the_treebank_gets_its_words(pairs):
    for form, expected in pairs:
        assert tuple(words(pairs, form)) == expected


@pytest.mark.parametrize(
    ("pairs", "form", "expected"),
    [
        (ENGLISH, "bird's", ["bird", "'s"]),
        (ENGLISH, "McDonald's", ["McDonald", "'s"]),
        (ENGLISH, "BIRD'S", ["BIRD", "'S"]),
        (ENGLISH, "wasn't", ["was", "n't"]),
        (ENGLISH, "WASN'T", ["WAS", "N'T"]),
        (ENGLISH, "Cannot", ["Can", "not"]),
        (PORTUGUESE, "Do", ["De", "o"]),
        (PORTUGUESE, "PELO", ["POR", "O"]),
        (PORTUGUESE, "Sê-lo", ["Ser", "lo"]),
        (ARABIC, "وبعد", ["و", "بعد"]),
    ],
)
def test_unseen_forms_follow_the_rules_and_keep_their_case(pairs, form, expected):
    assert words(pairs, form) == expected


@pytest.mark.parametrize("form", ["bird", "", "'s", "n't", "漢"])
def test_a_form_that_no_rule_fits_gets_no_words(form):
    assert words(ENGLISH, form) == []


def test_the_usual_expansion_counts():
    pairs = [("nos", ("em", "os")), ("nos", ("a", "os")), ("nos", ("em", "os"))]
    assert words(pairs, "nos") == ["em", "os"]


def test_the_order_of_the_treebank_does_not_matter():
    assert learn_multiwords(ENGLISH) == learn_multiwords(ENGLISH[::-1])


LETTERS = st.text("abÉé'-و", min_size=1, max_size=6)


@given(st.lists(st.tuples(LETTERS, st.lists(LETTERS, min_size=2, max_size=4).map(tuple)), max_size=12), LETTERS)
def test_no_expansion_has_an_empty_word(pairs, form):
    learned = learn_multiwords(pairs)
    rules = _native.Multiwords(learned.exceptions, learned.rules)
    for each in [form, *(form for form, _ in pairs)]:
        found = rules.words(each)
        assert len(found) != 1
        assert all(found)
    lowered = [(_native.lowered(form), tuple(map(_native.lowered, words))) for form, words in pairs]
    for each, expected in lowered:
        if [other for form, other in lowered if form == each] == [expected]:
            assert tuple(rules.words(each)) == expected


@pytest.mark.parametrize("rows", [["a"], ["a\tb"], [""]])
def test_a_broken_exception_is_refused(rows):
    with pytest.raises(ValueError, match="an exception is a form and at least two words"):
        _native.Multiwords(rows, [])


@pytest.mark.parametrize("row", ["", "a\tb\t0\tc\td", "a\tb\t\tc\td\te", "a\tb\t7\tc\td\te", "a\tb\tx\tc\td\te"])
def test_a_broken_rule_is_refused(row):
    with pytest.raises(ValueError, match="a rule"):
        _native.Multiwords([], [row])


def test_a_rule_is_written_as_the_native_core_reads_it():
    rule = Rule("ge", "st", 1, "x", "y", ("a", "b"))
    assert tuple(_native.Multiwords([], [str(rule)]).words("geMIst")) == ("a", "xMIy", "b")
    assert rule.expand("gemist") == ("a", "xmiy", "b")
