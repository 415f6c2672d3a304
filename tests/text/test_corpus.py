"""Text becomes CoNLL-U that keeps its characters and its spaces, whatever they are."""

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multiplane.errors import MultiplaneError, TokenizerError, UnknownTokenizerError
from multiplane.formats import UNKNOWN_HEAD, Corpus
from multiplane.formats.reader import from_text
from multiplane.text import TOKENIZERS, Token, Tokenizer, characters, corpus_of_text, tokenizer_of

TEXT = """It's the 1st "test" (of 3) — see http://a.b/c.

I can't  believe\tit!!! :) Mr. Smith's e-mail...
went away; $5/day,ok?"""


class Letters:
    """Every letter a token, every word a sentence."""

    def sentences(self, text: str) -> list[list[Token]]:
        found = re.finditer(r"\S+", text)
        return [[Token(text[i], i, i + 1) for i in range(*word.span())] for word in found]


class French:
    """Knows one word that is two."""

    def sentences(self, text: str) -> list[list[Token]]:
        return [[Token(w[0], *w.span(), ("de", "le") if w[0] == "du" else ()) for w in re.finditer(r"\S+", text)]]


class Given:
    """Gives what it is told to."""

    def __init__(self, *tokens: Token) -> None:
        self.tokens = tokens

    def sentences(self, text: str) -> list[tuple[Token, ...]]:
        return [self.tokens]


def rebuilt(corpus: Corpus) -> str:
    """The text that tokens and SpaceAfter tell."""
    text = ""
    for sentence in corpus:
        last = 0
        for line in sentence.lines:
            number, form, *_, misc = line.split("\t") if line[0] != "#" else ("0", "", "SpaceAfter=No")
            if "-" in number:
                last = int(number.partition("-")[2])
            elif int(number) <= last:
                continue
            text += form + ("" if misc == "SpaceAfter=No" else " ")
    return text


def test_columns_other_than_form_are_empty():
    assert corpus_of_text("Go, Jo").to_bytes().decode() == (
        "# sent_id = 1\n# text = Go, Jo\n"
        "1\tGo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "2\t,\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "3\tJo\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    assert corpus_of_text("Go").heads.tolist() == [UNKNOWN_HEAD]


@pytest.mark.parametrize("name", TOKENIZERS)
def test_spaces_are_recorded_exactly(name: str):
    corpus = corpus_of_text(TEXT, name)
    assert rebuilt(corpus).split() == TEXT.split()
    assert " ".join(sentence.text for sentence in corpus) == " ".join(TEXT.split())


def test_sentences_without_space_between_them_are_rebuilt():
    corpus = corpus_of_text("One two", Letters())
    assert [sentence.text for sentence in corpus] == ["One", "two"]
    assert rebuilt(corpus_of_text("It ends.Then it goes on.")).strip() == "It ends.Then it goes on."


@pytest.mark.parametrize(
    "blank", ["\n\n", "\r\n\r\n", "\n \t \n", "\r\r", "\n\n\n\n", "\u2028\u2028", "\f", "\u2029", "\n\f"]
)
def test_a_blank_line_ends_a_sentence(blank: str):
    text = f"A title{blank}and text"
    for ranges in (False, True):
        found = corpus_of_text(text, ranges=ranges)
        assert [sentence.text for sentence in found] == ["A title", "and text"]
    assert found.column("misc")[-1] == f"TokenRange={len(text) - 4}:{len(text)}"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\t", "\u2028", "\x0b", "\x85", "\0", "\ufeff"])
def test_a_line_break_is_a_space(end: str):
    (sentence,) = corpus_of_text(f"A title{end}and text")
    assert sentence.text == "A title and text"
    assert sentence.misc == ["_"] * 4


def test_invisible_marks_are_removed():
    corpus = corpus_of_text("co\u00adoperate, co\u2060op\n\n\u00ad\n\nEnd")
    assert corpus.column("form") == ["cooperate", ",", "coop", "End"]
    assert [sentence.text for sentence in corpus] == ["cooperate, coop", "End"]


@pytest.mark.parametrize("mark", "\u00ad\u2060\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_invisible_marks_are_in_no_word_but_ranges_count_them(mark: str):
    corpus = corpus_of_text(f"{mark}Go{mark}, Jo {mark}no{mark}w", ranges=True)
    assert corpus.column("form") == ["Go", ",", "Jo", "now"]
    assert corpus.column("misc") == [
        "SpaceAfter=No|TokenRange=1:3",
        "TokenRange=4:5",
        "TokenRange=6:8",
        "TokenRange=10:14",
    ]


def test_tokens_without_an_end_are_cut_unless_lines_are_sentences():
    text = "a " * 2_300
    assert corpus_of_text(text).lengths.tolist() == [1_000, 1_000, 300]
    assert corpus_of_text(text, lines=True).lengths.tolist() == [2_300]
    assert " ".join(sentence.text for sentence in corpus_of_text(text)) == text.strip()


def test_lines_can_be_sentences():
    corpus = corpus_of_text("One. Two.\nand three\n\nFour", lines=True)
    assert [sentence.text for sentence in corpus] == ["One. Two.", "and three", "Four"]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t \r\n\0\ufeff\u200b\u2028\ud800"])
def test_text_without_words_is_an_empty_corpus(text: str):
    assert len(corpus_of_text(text)) == 0


def test_sentences_are_numbered_and_the_corpus_named():
    corpus = corpus_of_text("One.\n\nTwo.", name="a.txt")
    assert [sentence.sent_id for sentence in corpus] == ["1", "2"]
    assert corpus.name == "a.txt"


@given(st.text(st.one_of(st.characters(), st.sampled_from(" \n'.-s\u0600\u200d\u0301")), max_size=60), st.booleans())
def test_any_text_makes_a_file_that_keeps_its_characters(text: str, lines: bool):
    corpus = corpus_of_text(text, lines=lines)
    assert from_text(corpus.to_bytes()).column("form") == corpus.column("form")
    assert not [form for form in corpus.column("form") if re.search(r"\s", form) or not form]
    separators, text = r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff\u200b\ufeff]+", characters.INVISIBLE.sub("", text)
    assert re.sub(separators, "", rebuilt(corpus)) == re.sub(separators, "", text)
    assert rebuilt(corpus).split() == re.sub(separators, " ", text).split()


def test_a_custom_tokenizer_is_used():
    own: Tokenizer = Letters()
    assert [sentence.forms for sentence in corpus_of_text("ab c", own)] == [["a", "b"], ["c"]]


def test_a_custom_tokenizer_is_found_by_name(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(TOKENIZERS, "letters", Letters)
    assert corpus_of_text("ab", "letters").column("form") == ["a", "b"]


def test_multiword_tokens_may_have_words_that_are_not_in_the_text():
    (sentence,) = corpus_of_text("du pain", French())
    assert sentence.forms == ["de", "le", "pain"]
    assert [(row.id, row.fields[0]) for row in sentence.ranges] == [("1-2", "du")]
    assert sentence.text == "du pain"


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(UnknownTokenizerError) as error:
        tokenizer_of("klingon")
    assert str(error.value) == "unknown tokenizer 'klingon'; known: english, spaces"
    assert isinstance(error.value, MultiplaneError)


@pytest.mark.parametrize(
    "token",
    [
        Token("a\tb", 0, 2),
        Token("a\nb", 0, 2),
        Token("", 0, 1),
        Token(" ", 0, 1),
        Token("\ud800", 0, 1),
        Token("ab", 0, 2, ("a", "\u2028")),
        Token("a", 1, 1),
        Token("a", -1, 1),
        Token("abc", 0, 3),
    ],
)
def test_what_cannot_be_written_is_refused(token: Token):
    with pytest.raises(TokenizerError, match="the tokenizer returned"):
        corpus_of_text("ab", Given(token))


def test_tokens_that_overlap_are_refused():
    with pytest.raises(TokenizerError, match="after character 2"):
        corpus_of_text("abc", Given(Token("ab", 0, 2), Token("bc", 1, 3)))


def test_a_tokenizer_may_give_no_sentences():
    assert len(corpus_of_text("abc", Given())) == 0


def test_separators_and_forbidden_characters_are_those_of_unicode() -> None:
    separators, forbidden = set("\u200b\ufeff"), set()
    everything = [chr(number) for number in range(sys.maxunicode + 1)]
    for letter in everything:
        category = unicodedata.category(letter)
        if category in ("Zs", "Zl", "Zp", "Cc", "Cs"):
            separators.add(letter)
        if category in ("Zl", "Zp", "Cc", "Cs"):
            forbidden.add(letter)
    assert set(filter(characters.SEPARATOR.match, everything)) == separators
    assert set(filter(characters.NO_FIELD.match, everything)) == forbidden
