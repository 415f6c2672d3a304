"""Models read composed characters, and quotes, apostrophes and dashes that they do not know as those that they do."""

import unicodedata

import pytest

import multiplane as mp
from multiplane.formats.reader import from_text
from multiplane.models.reading import Reading, is_composed

PORTUGUESE, ENGLISH, GREEK = "A ação não é rápida às três.", "He said so.", "ἦν ἄνθρωπος πρὸς τοῦτον."


def rows(*forms: str, lemma: str = "_") -> mp.Corpus:
    lines = (f"{i}\t{form}\t{lemma}\t_\t_\t_\t_\t_\t_\tQuote=“\n" for i, form in enumerate(forms, 1))
    return from_text("# text = “\n" + "".join(lines))


def analysis(corpus: mp.Corpus) -> list[list[str]]:
    """All columns but forms, lemmas and MISC."""
    return [corpus.column(name) for name in ("upos", "xpos", "feats", "head", "deprel")]


@pytest.mark.parametrize(
    ("known", "forms", "read"),
    [
        ("«»", ["“", "”", '"', "„", "‹", "›"], ["«", "»", "«", "«", "«", "»"]),
        ("“”»", ["«", "»"], ["“", "”"]),  # without «, » is something else
        ("«»“”", ["“", "«"], ["“", "«"]),
        ("’", ["ἀλλ᾽", "d'or", "ʼ"], ["ἀλλ’", "d’or", "’"]),
        ("-", ["–", "—", "a−b"], ["-", "-", "a-b"]),
        ("a", ["–", "“"], ["–", "“"]),  # nothing stands for them
        ("", ["“", "e\u0301"], ["“", "é"]),
        ("e", ["e\u0301"], ["é"]),
        ("e\u0301", ["e\u0301", "e\u0301e\u0302"], ["e\u0301", "éê"]),  # a treebank that is not composed
    ],
)
def test_unknown_signs_are_read_as_similar_ones(known: str, forms: list[str], read: list[str]):
    assert Reading(known).read(rows(*forms)).column("form") == read


def test_only_forms_are_read_differently():
    corpus = rows("“", "e\u0301", lemma="“")
    read = Reading("«»").read(corpus)
    assert read.column("form") == ["«", "é"]
    assert read.to_bytes() == corpus.to_bytes().replace("\t“\t“".encode(), "\t«\t“".encode()).replace(
        "e\u0301".encode(), "é".encode()
    )


def test_a_corpus_of_known_characters_is_not_copied():
    corpus = from_text("1\t«\t_\t_\t_\t_\t_\t_\t_\tÉ=é\n")
    assert Reading("«»éx").read(corpus) is corpus


@pytest.mark.parametrize(("text", "composed"), [("", True), ("é", True), ("e\u0301", False), ("\u037e", False)])
def test_composed_texts_are_recognised(text: str, composed: bool):
    assert is_composed(text.encode()) is composed


@pytest.mark.parametrize(("model", "text"), [("pt", PORTUGUESE), ("grc", GREEK)])
def test_decomposed_text_is_parsed_like_composed_text(model: str, text: str):
    parser = mp.load(model)
    expected = parser.parse(text)
    raw = parser.parse(unicodedata.normalize("NFD", text))
    assert raw[0].text == unicodedata.normalize("NFD", text)
    assert analysis(raw) == analysis(expected)
    decomposed = from_text(unicodedata.normalize("NFD", expected.to_bytes().decode()))
    assert not is_composed(decomposed.to_bytes())
    parsed = parser.parse(decomposed, predict=parser.model.predicted_columns)
    assert parsed.column("form") == decomposed.column("form")
    assert analysis(parsed) == analysis(expected)


def test_every_way_to_parse_reads_the_same():
    parser = mp.load("pt")
    composed = parser.parse(PORTUGUESE)
    decomposed = from_text(unicodedata.normalize("NFD", composed.to_bytes().decode()))
    assert parser.derivation(decomposed[0]) == parser.derivation(composed[0])
    assert parser.steps(decomposed[0]).rows[-1].transition == parser.steps(composed[0]).rows[-1].transition
    ours, theirs = (parser.parse(corpus, scores=True, best=2) for corpus in (decomposed, composed))
    assert [tree.scores for tree in ours[0]] == [tree.scores for tree in theirs[0]]
    tables = [next(parser.model.tables(corpus)) for corpus in (decomposed, composed)]  # type: ignore[attr-defined]
    assert (tables[0].odds == tables[1].odds).all()


@pytest.mark.parametrize("quotes", ["“”", '""', "„“", "«»"])
def test_quotes_of_every_kind_are_punctuation(quotes: str):
    for model, text in (("pt", "{}Não sei{}, disse ela."), ("en", "{}Hello{}, he said.")):
        sentence = mp.load(model).parse(text.format(*quotes))[0]
        signs = [token for token in sentence if token.form in quotes]
        assert [token.upos for token in signs] == ["PUNCT", "PUNCT"]
        assert sentence.text == text.format(*quotes)


def test_a_sign_that_was_read_as_another_is_its_own_lemma():
    sentence = mp.load("pt").parse("O João – que é meu amigo – saiu.")[0]
    assert [token.lemma for token in sentence if token.form == "–"] == ["–", "–"]


def test_every_apostrophe_marks_elision():
    expected = [token.lemma for token in mp.load("grc").parse("ἀλλ’ ἐγὼ οὐκ οἶδα.")[0]]
    for apostrophe in "᾽ʼ᾿'":
        assert [token.lemma for token in mp.load("grc").parse(f"ἀλλ{apostrophe} ἐγὼ οὐκ οἶδα.")[0]] == expected
