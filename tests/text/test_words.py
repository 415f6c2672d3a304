"""English words and sentences are those of UD English-EWT."""

import time

import pytest

import multiplane as mp
from multiplane.text import Token, corpus_of_text, resegmented
from multiplane.text.english import English


def words(text: str) -> list[str]:
    return corpus_of_text(text).column("form")


def sentences(text: str) -> list[str]:
    return [sentence.text for sentence in corpus_of_text(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We don't, can't and cannot.", "We do n't , ca n't and can not ."),
        ("It’s Bush’s; I'd say they've won't", "It ’s Bush ’s ; I 'd say they 've wo n't"),
        ("gonna wanna gotta dont Im", "gon na wan na got ta do nt I m"),
        ("The Beatles' songs", "The Beatles ' songs"),
        ("the 'best friends' here", "the ' best friends ' here"),
        ("d'etat at 5 o'clock by O'Rourke in the 60's", "d'etat at 5 o'clock by O'Rourke in the 60's"),
        ("a well-known non-profit e-mail", "a well - known non-profit e-mail"),
        ("and/or 1/2", "and / or 1 / 2"),
        ("see http://a.org/b_c/?d=1, or (www.b.com).", "see http://a.org/b_c/?d=1 , or ( www.b.com ) ."),
        ("mail a.b@c.com or get x-y.doc", "mail a.b@c.com or get x-y.doc"),
        ("great :) or ;-) or :( ...", "great :) or ;-) or :( ..."),
        ("wow!!! what?! hmm.... -- *** <<", "wow !!! what ?! hmm .... -- *** <<"),
        ("$5.50, $10k, 7:30PM, 50%, #1", "$ 5.50 , $ 10 k , 7:30 PM , 50 % , # 1"),
        ("call 713-853-5984 on 10/12/2001 at 3-5", "call 713-853-5984 on 10/12/2001 at 3 - 5"),
        ("Dr. W. Smith of the U.S. Army vs. AT&T", "Dr. W. Smith of the U.S. Army vs. AT&T"),
        ("We buy pens, paper, etc.", "We buy pens , paper , etc ."),
        ('“Go,” he said—"now"', '“ Go , ” he said — " now "'),
        ("C++, C#, F# and .NET, or C++17 (g++)", "C++ , C# , F# and .NET , or C++17 ( g++ )"),
        ("2+2, 1++ +++ A+ #1 ##", "2 + 2 , 1 ++ +++ A + # 1 ##"),
        ("'Tis true, ’twas so, 'twasn't it?", "'T is true , ’t was so , 't was n't it ?"),
        ("the 'twist' and 'tissue'", "the ' twist ' and ' tissue '"),
        ("I'd've; shouldn't've; y'all've; they'll've", "I 'd 've ; should n't 've ; y'all 've ; they 'll 've"),
        ("@user @a_b.c: #metoo, me@x.org @ 5pm", "@user @a_b.c : #metoo , me@x.org @ 5 pm"),
        ("½ or ¾ cup, 5½ miles", "½ or ¾ cup , 5½ miles"),
        ("a Ph.D. or B.Sc. in art, an Ed.D of 5", "a Ph.D. or B.Sc. in art , an Ed.D of 5"),
        ("9.58s, 1.5x, 10.9m and the 1960s", "9.58 s , 1.5 x , 10.9 m and the 1960s"),
        ("vol. 3, pp. 12-13, p. 5 of ch. 3", "vol. 3 , pp. 12 - 13 , p. 5 of ch. 3"),
        ("the vol. He gave 7 lb., ed. by Jo", "the vol . He gave 7 lb. , ed. by Jo"),
        ("I don`t, donʼt, it`ll`ve, Jo`s", "I do n`t , do nʼt , it `ll `ve , Jo `s"),
        ("the dogs' owners", "the dogs ' owners"),
        ("Get 'em 'til 'em'", "Get 'em 'til ' em '"),
        ("👩‍👩‍👧👍🏽🇩🇪", "👩‍👩‍👧 👍🏽 🇩🇪"),
        ("cafe\u0301 हिन्दी", "cafe\u0301 हिन्दी"),
    ],
)
def test_words_are_cut_as_the_treebank_cuts_them(text: str, expected: str):
    assert words(text) == expected.split()


@pytest.mark.parametrize(
    "expected",
    [
        ["Mr. Smith came.", "He left on Nov. 9."],
        ["so it goes.", "then it went."],
        ["That's good. :)", "Only in comics."],
        ["He said so (as I heard).", "What now?", "Nothing!"],
        ["Use e.g. a knife, vs. a spoon."],
    ],
)
def test_sentences_end_where_the_treebank_ends_them(expected: list[str]):
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize("tokenizer", ["english", "en"])
@pytest.mark.parametrize(
    "expected",
    [
        ["John F. Kennedy was shot.", "William H. Macy saw J. K. Rowling and J.K. Simmons."],
        ["We met Prof. Jones on Mt. Fuji.", "It was fun."],
        ["See Fig. 2 for more."],
        ["He lives on 5th Ave. in N.Y. and pays approx. 90k for 3 lbs. of gold."],
        ["The book was ed. by Smith."],
        ["It is No. 6.", "What is it?"],
        ["Open 9am-5pm Mon-Fri and on holidays."],
        ["This is file 1.", "It is nice."],
        ["See chapter 7.", "The rest is long."],
        ["He works at Foo Inc.", "She lives in the U.S.", "He earns more."],
        ["He lives on 21st St.", "It's far from here."],
        ["It is because of X.", "So I may go."],
        ["P.S. It is late."],
    ],
)
def test_sentences_do_not_end_after_abbreviations_unless_another_one_must_start(tokenizer: str, expected: list[str]):
    found = corpus_of_text(" ".join(expected), mp.load("en").tokenizer if tokenizer == "en" else tokenizer)
    assert [sentence.text for sentence in found] == expected


def test_what_a_splitter_knows_of_sentence_ends_overrules_the_given_sentences():
    text = "A. B c. It"
    given = [[Token("A.", 0, 2)], [Token("B", 3, 4), Token("c.", 5, 7), Token("It", 8, 10)]]

    class Known(English):
        def ends(self, text: str) -> dict[int, bool]:
            return {2: False, 7: True}

    assert [sentence[-1].end for sentence in resegmented(text, Known(), given)] == [7, 10]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'd've gone if it'll've rained.", "I 'd 've gone if it 'll 've rained ."),
        ("They don`t and shouldnʼt know.", "They do n`t and should nʼt know ."),
        ("Its owner says its fine, and havent we dunno.", None),
    ],
)
def test_the_english_model_splits_contractions_at_least_as_the_patterns_do(text: str, expected: str | None):
    found = corpus_of_text(text, mp.load("en").tokenizer).column("form")
    assert len(found) >= len(words(text))
    assert expected is None or found == expected.split()


def test_contractions_are_multiword_tokens():
    (sentence,) = corpus_of_text("I can't.")
    assert [(row.id, row.fields[0]) for row in sentence.ranges] == [("2-3", "can't")]
    assert sentence.ranges[0].fields[-1] == "SpaceAfter=No"
    assert sentence.misc == ["_", "_", "_", "_"]


@pytest.mark.measures
@pytest.mark.parametrize(
    "piece",
    ["a", "a.", "1.", "1.1a", "a-", "www.", "a@", "s'", "(", "!", "n't", "'", ":)", "A.B", "1. ", "A. ", "1.1 "],
)
def test_time_is_linear_in_the_length_of_a_word(piece: str):
    def seconds(length: int) -> float:
        text = piece * length
        start = time.process_time()
        sum(1 for _ in English().sentences(text))
        return time.process_time() - start

    # A busy machine takes longer at times, a quadratic tokenizer always.
    assert any(seconds(16_000) < 40 * max(seconds(1_000), 0.005) for _ in range(5))
