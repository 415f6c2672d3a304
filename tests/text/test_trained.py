"""Trained tokenizers keep every character of any text, say where it was, and keep the ends of lines that they must."""

import io
import threading
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import multiplane as mp
from multiplane import _native
from multiplane.text import Renderer, corpus_of_text, stream, text_blocks, tokenizer_of
from small_tokenizers import REMOVED, SEPARATORS, bare, english, japanese, portuguese, tokens_of, with_patterns

ODD = (
    "a B1.,'-\n\r\t\f\x00\x1c\x85\u2028\u2029\u00ad\u2060\u200b\ufeff\u200d\u200c\u200f\u0301\ud800é山は。ไทสيم👩👍🏽🇩🇪"
)
TEXTS = st.text(st.sampled_from(ODD) | st.characters(), max_size=60)
MAKERS = [english, japanese, portuguese, with_patterns]


@given(TEXTS, st.sampled_from(MAKERS), st.booleans())
def test_every_character_is_in_one_token_and_ranges_say_where(text, maker, lines):
    rows = tokens_of(corpus_of_text(text, maker(), lines=lines, ranges=True))
    assert "".join(row[1] for row in rows).replace(" ", "") == bare(text)
    before = 0
    for row in rows:
        start, end = map(int, row[9].rpartition("TokenRange=")[2].split(":"))
        assert before <= start < end <= len(text)
        assert REMOVED.sub("", text[start:end]) == row[1]
        assert bare(text[before:start]) == ""
        rest = REMOVED.sub("", text[end:])
        assert ("SpaceAfter=No" in row[9]) == (bool(bare(rest)) and not SEPARATORS.match(rest))
        before = end


@given(TEXTS)
def test_ranges_of_other_tokenizers_say_where_tokens_are_too(text):
    for row in tokens_of(corpus_of_text(text, "english", ranges=True)):
        start, end = map(int, row[9].rpartition("TokenRange=")[2].split(":"))
        assert REMOVED.sub("", text[start:end]) == row[1]


@given(TEXTS, st.booleans())
def test_lines_and_blank_lines_end_sentences_as_for_other_tokenizers(text, lines):
    def ends(tokenizer):
        found = corpus_of_text(text, tokenizer, lines=lines, ranges=True)
        return {sentence.misc[-1].rpartition(":")[2] for sentence in found}

    trained = corpus_of_text(text, english(), lines=lines, ranges=True)
    last = {
        rows[-1][9].rpartition(":")[2] for rows in ([r for r in s.rows if "Token" in r[9]] for s in trained) if rows
    }
    assert ends("spaces") <= last
    assert not lines or ends("spaces") == last


def test_the_protocol_gives_the_same_tokens_as_the_fast_way():
    text = "The council shut the bridge. It can't be repaired, can it? Nobody knows"
    tokenizer = portuguese()
    assert isinstance(tokenizer, Renderer)

    class Slow:
        def sentences(self, paragraph: str):
            return tokenizer.sentences(paragraph)

    assert not isinstance(Slow(), Renderer)
    for options in ({}, {"lines": True}, {"ranges": True}):
        whole = f"{text}\n{text}\n\nEva gosta do carro."
        slow, fast = (corpus_of_text(whole, each, **options) for each in (Slow(), tokenizer))
        assert slow.to_bytes() == fast.to_bytes()


@pytest.mark.parametrize("size", [1, 7, 100, 10_000])
@pytest.mark.parametrize("lines", [True, False])
def test_blocks_give_what_the_whole_text_gives(size, lines):
    text = "Ana gosta do gato. Rui nos viu.\n\nEva vive nos barcos.\nIvo nos viu\u00ad, e …\r\n\r\n\u2028Fim" * 3
    options = {"lines": lines, "ranges": True}
    joined = b"".join(block.text for block in text_blocks(io.BytesIO(text.encode()), portuguese(), size, **options))
    assert joined == corpus_of_text(text, portuguese(), **options).to_bytes()


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("", []),
        (" \n\t\u200b\ufeff\u00ad", []),
        ("\u202bשלום עולם\u202c \u2067.\u2069", ["שלום", "עולם", "."]),
        ("e\u0301te\u0301 \u0301", ["e\u0301te\u0301", "\u0301"]),
        ("👩‍👩‍👧 👍🏽", ["👩‍👩‍👧", "👍🏽"]),
        ("a\ud800b\udfff", ["a", "b"]),
        ("a\x00b\x1bc", ["a", "b", "c"]),
        ("co\u00adop\u2060erate", ["cooperate"]),
        ("ab\u200dcd می\u200cروم", ["ab\u200dcd", "می\u200cروم"]),
    ],
)
def test_odd_characters(text, forms):
    assert [row[1] for row in tokens_of(corpus_of_text(text, english()))] == forms


@pytest.mark.parametrize(
    ("model", "text", "expected"),
    [
        ("pt", "Escreva a info@exemplo.com.br. Obrigado.", ["Escreva a info@exemplo.com.br .", "Obrigado ."]),
        ("pt", "Ver www.publico.pt, (http://a.b/c_d?e=f#g).", ["Ver www.publico.pt , ( http://a.b/c_d?e=f#g ) ."]),
        ("pt", "É «https://a.pt/b.», a.b-c@x.pt!", ["É « https://a.pt/b . » , a.b-c@x.pt !"]),
        ("pt", "Falam @maria_s e @a.b. de #Brasil2024!", ["Falam @maria_s e @a.b . de #Brasil2024 !"]),
        ("pt", "Custa 5 @ 3, em C# e # 1.", ["Custa 5 @ 3 , em C# e # 1 ."]),
        ("pt", "Ele vive nos E.U.A. e trabalha.", ["Ele vive em os E.U.A. e trabalha ."]),
        ("pt", "«Vamos embora.» E saiu.", ["« Vamos embora . »", "E saiu ."]),
        ("grc", "ταῦτα εἶπεν.» καὶ ἀπῆλθεν.", ["ταῦτα εἶπεν . »", "καὶ ἀπῆλθεν ."]),
        ("grc", "(ταῦτα δὲ οὕτως.) ὁ δὲ ἦλθεν.", ["( ταῦτα δὲ οὕτως . )", "ὁ δὲ ἦλθεν ."]),
        ("grc", "γράψον πρὸς info@exemplo.com.", ["γράψον πρὸς info@exemplo.com ."]),
    ],
)
def test_addresses_are_one_token_and_closing_signs_end_their_sentence(model, text, expected):
    found = corpus_of_text(text, mp.load(model).tokenizer)
    assert [" ".join(sentence.forms) for sentence in found] == expected


@pytest.mark.parametrize("maker", [english, japanese, portuguese])
@pytest.mark.parametrize(
    "address", ["http://a.b/c-d_(e)?f=g,h", "WWW.a.b", "mailto:x@y.z", "a.b+c@d-e.f", "@a_b.c1", "#ab_c2"]
)
def test_no_tokenizer_splits_an_address(maker, address):
    for text in (address, f"({address})", f"見{address}を", f"go {address}, now", f"{address} {address}."):
        forms = [token.form for sentence in maker().sentences(text) for token in sentence]
        assert forms.count(address) == text.count(address), forms


@pytest.mark.parametrize(
    "unit",
    [
        "a@",
        "@",
        "#a",
        "www.",
        "http://",
        "a.",
        ".)",
        "word ",
        "a",
        ".",
        "漢",
        "1,",
        " ",
        "\u0301",
        "\u00ad",
        "Ana gosta do gato. ",
        "x\u200d",
    ],
)
def test_text_without_end_is_cut_in_linear_time(unit):
    tokenizer = english()

    def seconds(count: int) -> float:
        text = (unit * count)[:count]
        began = time.process_time()
        found, _ = tokenizer.conllu(text)
        taken = time.process_time() - began
        corpus = mp.read_conllu(io.BytesIO(found))
        assert "".join(row[1] for row in tokens_of(corpus)).replace(" ", "") == bare(text)
        assert not len(corpus) or corpus.lengths.max() <= 2 * 1_000
        assert max((len(row[1]) for row in tokens_of(corpus)), default=0) <= 2 * 4_096
        return taken

    short, long = seconds(30_000), seconds(120_000)
    assert long < 12 * short + 0.2  # 16 times as long if time were quadratic


def test_a_line_is_one_sentence_however_long():
    (sentence,) = corpus_of_text("word. " * 40_000, english(), lines=True)
    assert sentence.text == " ".join(["word."] * 40_000)


def test_a_huge_paragraph_is_read_in_bounded_pieces():
    blocks = text_blocks(io.BytesIO(b"All work and no play. " * 100_000), english())
    assert len(next(iter(blocks)).text) < 30 * (stream.LONGEST + stream.BLOCK)


def test_sentences_do_not_depend_on_what_else_is_tokenized():
    parts = ["Ana gosta do gato. Rui nos viu.", "Eva", "Ivo vive nos carros. " * 200, "?"]
    alone = [corpus_of_text(part, portuguese()) for part in parts]
    together = corpus_of_text("\n\n".join(parts * 3), portuguese())
    assert together.column("form") == [form for corpus in alone for form in corpus.column("form")] * 3
    assert together.lengths.tolist() == [n for corpus in alone for n in corpus.lengths.tolist()] * 3


def test_threads_share_a_tokenizer():
    text = "Ana gosta do gato. Rui nos viu. " * 500
    expected = portuguese().conllu(text)
    found = []
    threads = [threading.Thread(target=lambda: found.append(portuguese().conllu(text))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_numbers_go_on_from_those_before():
    text, count = english().conllu("Go home.", ranges=True, sentences=7, characters=100)
    assert text.startswith(b"# sent_id = 8\n")
    assert b"TokenRange=100:102" in text
    assert count >= 1


def test_the_table_of_categories_is_that_of_unicode():
    names = ["L", "M", "Nd", "N", "Pd", "Pc", "Ps", "Pe", "Po", "Sm", "Sc", "Sk", "So", "Z", "Cf", "C"]
    same = {"Pi": "Ps", "Pf": "Pe", "Cc": "Z", "Cs": "Z", "Zs": "Z", "Zl": "Z", "Zp": "Z"}
    found = _native.character_categories(0x110000)
    for code in range(0x110000):
        category, old = unicodedata.category(chr(code)), unicodedata.ucd_3_2_0.category(chr(code))
        if category == old and category != "Cn" and code not in (0x200B, 0xFEFF):
            category = same.get(category, category)
            assert names[found[code]] in (category, category[0]), hex(code)
    assert all(names[found[code]] == "Z" for code in (0x200B, 0xFEFF))


def test_words_and_controls_are_told_apart_as_in_the_python_code():
    for code in [*range(0x3000), *range(0xD7F0, 0xE010), *range(0xFE00, 0x10000)]:
        letter = chr(code)
        forms = [row[1] for row in tokens_of(corpus_of_text(f"a{letter}a", english()))]
        assert len("".join(forms)) == (2 if SEPARATORS.match(letter) or REMOVED.match(letter) else 3), hex(code)


def test_tokens_of_patterns_are_in_the_sentences_that_the_network_finds():
    text = "The council shut the bridge. It can't be repaired, can it? Nobody told O'Neill at http://a.org/b.c"
    tokens = [token.form for sentence in with_patterns().sentences(text) for token in sentence]
    assert tokens == [token.form for sentence in tokenizer_of("english").sentences(text) for token in sentence]
    assert {sentence[-1].end for sentence in with_patterns().sentences(text)} <= {
        max(sentence[-1].end, text.find(" ", sentence[-1].end - 1)) for sentence in english().sentences(text)
    } | {len(text)}
    assert len(with_patterns().sentences(text)) > 1


def test_a_tokenizer_with_patterns_keeps_them_on_disk_and_in_training(tmp_path):
    with_patterns().save(tmp_path / "tokenizer")
    assert mp.load_tokenizer(tmp_path / "tokenizer").tokens == "english"
    trained = mp.train_tokenizer(mp.sample(), mp.sample(), epochs=1, units=8, tokens="english")
    assert trained.tokens == trained.record.settings["tokens"] == "english"
    with pytest.raises(mp.TrainingError, match="tokens: unknown tokenizer 'klingon'"):
        mp.train_tokenizer(mp.sample(), tokens="klingon")
