"""Files that cannot be aligned end in one line that says where they differ."""

import io
import random
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import multiplane as mp
from multiplane.evaluation import align, evaluate
from multiplane.evaluation.alignment import _CONTROLS, _MARKS, _SPACES, _common_forms, _LongestCommon
from multiplane.formats.reader import from_text
from multiplane.text.characters import INVISIBLE, SEPARATOR


def text(*sentences: str) -> str:
    lines = []
    for number, sentence in enumerate(sentences, 1):
        lines.append(f"# sent_id = s{number}")
        for i, form in enumerate(sentence.split(), 1):
            lines.append(f"{i}\t{form}\t_\tX\t_\t_\t{i - 1}\tdep\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"


GOLD = from_text(text("a b", "c d"), name="gold.conllu")


def message(system: str, convention: str = "ud") -> str:
    with pytest.raises(mp.MultiplaneError) as error:
        evaluate(GOLD, from_text(system, name="system.conllu"), convention=convention)
    return str(error.value)


def test_what_tokenizers_remove_is_ignored() -> None:
    letters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    assert set(filter(INVISIBLE.match, letters)) == set(map(chr, _MARKS))
    assert set(filter(SEPARATOR.match, letters)) == set(map(chr, [*_SPACES, *_CONTROLS]))


@pytest.mark.parametrize("sign", ["\u0097", "\x01", "\u200b", "\u2028", "\ufeff", "\u00ad"])
def test_words_with_signs_that_tokenizers_remove_are_aligned(sign: str) -> None:
    gold = from_text(text("a b", "c d").replace("\tb\t", f"\tx{sign}y\t"), name="gold.conllu")
    scores = evaluate(gold, from_text(text("a xy", "c d")))
    assert (scores.words, scores.las) == (100, 100)


def test_the_spaces_are_those_of_unicode() -> None:
    assert {code for code in range(0x110000) if unicodedata.category(chr(code)) == "Zs"} == set(_SPACES)


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (text("a b", "c x"), "system.conllu:7: s2: the text is 'x' where gold.conllu:7 has 'd'"),
        (text("abc x"), "system.conllu:3: s1: the text is 'x' where gold.conllu:7 has 'd'"),
        (text("a b", "c"), "gold.conllu:7: s2: system.conllu ends before this word"),
        (text("a b", "c d", "e"), "system.conllu:10: s3: gold.conllu ends before this word"),
        ("", "gold.conllu:2: s1: system.conllu ends before this word"),
    ],
)
def test_different_texts(system: str, expected: str) -> None:
    assert message(system) == f"{expected}; both files must have the same text"


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (text("a b", "c x"), "system.conllu:7: s2: 'x' where gold.conllu:7 has 'd'"),
        (text("a b c", "d"), "system.conllu:1: s1: a sentence of 3 words where gold.conllu:1: s1 has 2"),
        (text("a b"), "gold.conllu:6: s2: system.conllu ends before this word"),
        (text("a b", "c d", "e"), "system.conllu:10: s3: gold.conllu ends before this word"),
    ],
)
def test_conllx_asks_for_the_same_words_in_the_same_sentences(system: str, expected: str) -> None:
    assert message(system, "conllx") == f"{expected}; this convention requires the same words in the same sentences"


def test_the_same_words_with_other_ranges_are_fine_for_conllx() -> None:
    system = text("a b", "c d").replace("1\ta", "1-2\tab" + 8 * "\t_" + "\n1\ta")
    assert evaluate(GOLD, from_text(system), convention="conllx").las == 100


def test_a_word_without_head_is_named() -> None:
    broken = text("a b", "c d").replace("d\t_\tX\t_\t_\t1", "d\t_\tX\t_\t_\t_")
    assert message(broken) == "system.conllu:7: s2: word 2 has no head; parse the file first"


def test_a_word_of_spaces_cannot_be_aligned() -> None:
    system = text("a b", "c d").replace("2\tb", "2\t\u00a0")
    assert (
        message(system) == "system.conllu:3: s1: a word without a visible character cannot be aligned; give it a form"
    )


def test_skipped_sentences_take_their_ranges_along() -> None:
    ranged = text("a b").replace("1\ta", "1-2\tab" + 8 * "\t_" + "\n1\ta")
    whole = mp.read(io.BytesIO((ranged.replace("\t1\tdep", "\t9\tdep") + ranged).encode()), "conllu", on_error="skip")
    alignment = align(from_text(ranged), whole)
    assert alignment.to_system.tolist() == [0, 1]
    assert alignment.tokens.gold == alignment.tokens.correct == 1


def common_by_table(a: list[str], b: list[str]) -> list[tuple[int, int]]:
    """A longest common subsequence by the usual table: slow and obvious, and the one that the scorer finds."""
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            best[i][j] = 1 + best[i + 1][j + 1] if a[i] == b[j] else max(best[i + 1][j], best[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


_FORMS = st.lists(st.sampled_from("abcd"), max_size=20)


@given(_FORMS, _FORMS, st.sampled_from([1, 2, 5, 256]))
def test_words_of_a_multiword_token_are_matched_as_by_the_table(a: list[str], b: list[str], between: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_LongestCommon, "_BETWEEN", between)
        assert _common_forms(a, b, range(len(a)), range(len(b))) == common_by_table(a, b)


@pytest.mark.measures
def test_time_grows_gently_with_the_words_of_a_multiword_token() -> None:
    def seconds(words: int) -> float:
        def corpus(seed: int) -> mp.Corpus:
            choose = random.Random(seed)
            forms = [f"w{choose.randrange(500)}" for _ in range(words)]
            return from_text(f"1-{words}\t{'x' * words}" + 8 * "\t_" + "\n" + text(" ".join(forms)).partition("\n")[2])

        gold, system = corpus(1), corpus(2)
        times = []
        for _ in range(3):
            start = time.perf_counter()
            evaluate(gold, system)
            times.append(time.perf_counter() - start)
        return min(times)

    assert seconds(6_000) < 40 * seconds(600)  # with the whole table it is more than 80
