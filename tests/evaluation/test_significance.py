"""The tests of significance against closed forms, complete enumeration, and plain simulation."""

from itertools import product
from math import comb, erfc, sqrt
from random import Random

import numpy as np
import pytest

import multiplane as mp
from evaluation.corrupt import CORRUPTIONS, corrupted, merge_tokens, split_tokens, wrong_heads
from evaluation.enhanced_texts import with_graphs
from evaluation.frames import changed, random_sentence, text_of
from multiplane.evaluation import bootstrap, compare, evaluate, mcnemar, shuffling
from multiplane.evaluation.resampling import bootstrap_f1, f1_of, shuffling_f1
from multiplane.formats.reader import from_text

SAMPLE = mp.sample()
A = from_text(corrupted(SAMPLE, *CORRUPTIONS[:3], seed=1))
B = from_text(corrupted(SAMPLE, *(3 * CORRUPTIONS[:3]), seed=2))
SAMPLES = 20_000


def binomial(n: int, k: int) -> float:
    """The chance of k or fewer heads, or as many tails, in n tosses."""
    return min(1.0, 2 * sum(comb(n, i) for i in range(k + 1)) / 2**n)


def test_mcnemar_is_the_binomial_distribution() -> None:
    for a in range(25):
        for b in range(25):
            assert mcnemar(a, b) == pytest.approx(binomial(a + b, min(a, b)))
            assert mcnemar(a, b) == mcnemar(b, a)


def test_mcnemar_of_large_counts_agrees_with_the_normal_distribution() -> None:
    n, k = 1_000_000, 498_800
    z = (n / 2 - k - 0.5) / sqrt(n / 4)
    assert mcnemar(k, n - k) == pytest.approx(erfc(z / sqrt(2)), rel=1e-3)
    assert mcnemar(0, 10**6) == 0


@pytest.mark.parametrize("gains", [[1, 2, -1, 3, 0, 1, -2, 4, 1, 1, 0, 2], [5], [1, -1], [3, 3, 3, -1, 2]])
def test_shuffling_agrees_with_all_shuffles(gains: list[int]) -> None:
    shuffles = [abs(np.dot(signs, gains)) >= abs(sum(gains)) for signs in product([1, -1], repeat=len(gains))]
    p = shuffling(np.array(gains), SAMPLES, np.random.default_rng(1))
    assert p == pytest.approx(np.mean(shuffles), abs=0.015)


def test_shuffling_of_sentences_of_one_word_is_mcnemar() -> None:
    gains = np.array(30 * [1] + 18 * [-1] + 100 * [0])
    assert shuffling(gains, SAMPLES, np.random.default_rng(1)) == pytest.approx(mcnemar(30, 18), abs=0.015)


def test_bootstrap_agrees_with_drawing_sentences_one_by_one() -> None:
    rng = np.random.default_rng(3)
    lengths = rng.integers(1, 30, 60)
    gains = np.minimum(rng.integers(-2, 4, 60), lengths)
    observed = gains.sum() / lengths.sum()
    drawn = rng.integers(0, 60, (SAMPLES, 60))
    differences = gains[drawn].sum(1) / lengths[drawn].sum(1)
    p, (low, high) = bootstrap(gains, lengths, SAMPLES, rng)
    assert p == pytest.approx(np.mean(np.abs(differences - observed) >= abs(observed)), abs=0.015)
    assert [low, high] == pytest.approx(100 * np.quantile(differences, [0.025, 0.975]), abs=0.15)
    assert low < 100 * observed < high


def test_bootstrap_interval_of_single_words_is_that_of_the_normal_distribution() -> None:
    gains = np.array(400 * [1] + 300 * [-1] + 9300 * [0])
    _, (low, high) = bootstrap(gains, np.ones_like(gains), SAMPLES, np.random.default_rng(5))
    assert [low, high] == pytest.approx([100 * (0.01 + side * 1.96 * gains.std() / 100) for side in (-1, 1)], abs=0.03)


def test_equal_systems_are_rarely_found_different() -> None:
    rng = np.random.default_rng(7)
    rejected = np.zeros(2)
    for _ in range(300):
        gains, lengths = rng.integers(-3, 4, 80), np.full(80, 20)
        ps = shuffling(gains, 400, rng), bootstrap(gains, lengths, 400, rng)[0]
        rejected += [p <= 0.05 for p in ps]
    assert (rejected / 300 < 0.1).all()
    assert (rejected > 0).all()


def test_no_p_value_is_zero_for_random_tests() -> None:
    gains = np.full(200, 3)
    assert shuffling(gains, 999, np.random.default_rng(1)) == 0.001
    assert bootstrap(gains, np.full(200, 10), 999, np.random.default_rng(1))[0] == 0.001


def test_compare_counts_words_and_names_the_better_system() -> None:
    result = compare(SAMPLE, A, B, samples=2000)
    assert (result.sentences, result.words) == (65, 714)
    for contrast, name in ((result.uas, "uas"), (result.las, "las"), (result.las_full, "las_full")):
        scores = [getattr(evaluate(SAMPLE, system), name) for system in (A, B)]
        assert [contrast.a, contrast.b] == pytest.approx(scores)
        assert contrast.difference == pytest.approx(100 * (contrast.only_a - contrast.only_b) / 714)
        assert contrast.interval[0] < contrast.difference < contrast.interval[1]
        assert max(contrast.mcnemar, contrast.bootstrap, contrast.shuffling) < 0.01
    assert [contrast.metric for contrast in result] == ["UAS", "LAS", "LAS-full"]
    only_a = sum(
        g == a != b
        for gold, one, two in zip(SAMPLE, A, B, strict=True)
        for g, a, b in zip(gold.heads, one.heads, two.heads, strict=True)
    )
    assert result.uas.only_a == only_a


def test_the_other_order_gives_the_mirror_image() -> None:
    one, two = compare(SAMPLE, A, B, samples=500).las, compare(SAMPLE, B, A, samples=500).las
    assert (one.only_a, one.only_b, one.mcnemar) == (two.only_b, two.only_a, two.mcnemar)
    assert one.difference == -two.difference


def test_the_seed_decides() -> None:
    other = from_text(corrupted(SAMPLE, *CORRUPTIONS[:3], seed=3))
    one, again, two = (compare(SAMPLE, A, other, samples=300, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.las != two.las


def test_conllx_compares_without_punctuation() -> None:
    result = compare(SAMPLE, A, B, convention="conllx", samples=100)
    scores = evaluate(SAMPLE, A, convention="conllx")
    assert result.words == scores["LAS"].gold < 714
    assert result.las.a == pytest.approx(scores.las)


def test_systems_with_different_words_are_compared_on_the_gold_words() -> None:
    one, two = (from_text(corrupted(SAMPLE, *kinds)) for kinds in ([wrong_heads], [merge_tokens, split_tokens]))
    result = compare(SAMPLE, one, two, samples=100)
    assert result.uas.a == pytest.approx(evaluate(SAMPLE, one)["UAS"].recall)
    assert result.uas.b == pytest.approx(evaluate(SAMPLE, two)["UAS"].recall)


def test_nothing_to_compare() -> None:
    with pytest.raises(mp.MultiplaneError, match="no words to compare"):
        compare([], [], [])
    with pytest.raises(ValueError, match="samples must be positive, not 0"):
        compare(SAMPLE, A, B, samples=0)


def counts(rng: np.random.Generator, sentences: int, parts: int) -> np.ndarray:
    """Random rows of gold, system and correct items."""
    rows = []
    for _ in range(parts):
        gold, system = rng.integers(0, 12, (2, sentences))
        rows += [gold, system, rng.binomial(np.minimum(gold, system), 0.7)]
    return np.stack(rows, 1).astype(float)


def plain_f1(row: np.ndarray) -> float:
    thirds = [row[place::3] for place in range(3)]
    precision, recall = (
        np.mean([c / whole if whole else 0 for c, whole in zip(thirds[2], side, strict=True)])
        for side in (thirds[1], thirds[0])
    )
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@pytest.mark.parametrize("parts", [1, 2])
def test_shuffling_f1_agrees_with_all_shuffles(parts: int) -> None:
    rng = np.random.default_rng(parts)
    for _ in range(4):
        a, b = counts(rng, 9, parts), counts(rng, 9, parts)
        b[:, ::3] = a[:, ::3]
        observed = abs(plain_f1(a.sum(0)) - plain_f1(b.sum(0)))
        beyond = []
        for swaps in product([False, True], repeat=9):
            swapped = np.array(swaps)[:, None]
            one, two = np.where(swapped, b, a).sum(0), np.where(swapped, a, b).sum(0)
            beyond.append(abs(plain_f1(one) - plain_f1(two)) >= observed - 1e-12)
        assert shuffling_f1(a, b, SAMPLES, rng) == pytest.approx(np.mean(beyond), abs=0.015)


@pytest.mark.parametrize("parts", [1, 2])
def test_bootstrap_f1_agrees_with_drawing_sentences_one_by_one(parts: int) -> None:
    rng = np.random.default_rng(parts)
    a, b = counts(rng, 40, parts), counts(rng, 40, parts)
    b[:, ::3] = a[:, ::3]
    observed = plain_f1(a.sum(0)) - plain_f1(b.sum(0))
    differences = []
    for _ in range(4000):
        drawn = rng.integers(0, 40, 40)
        differences.append(plain_f1(a[drawn].sum(0)) - plain_f1(b[drawn].sum(0)))
    p, (low, high) = bootstrap_f1(a, b, SAMPLES, rng)
    assert p == pytest.approx(np.mean(np.abs(np.array(differences) - observed) >= abs(observed)), abs=0.03)
    assert [low, high] == pytest.approx(100 * np.quantile(differences, [0.025, 0.975]), abs=0.6)
    assert f1_of(a.sum(0)) == pytest.approx(plain_f1(a.sum(0)))


def test_shuffling_f1_of_words_is_shuffling() -> None:
    rng = np.random.default_rng(1)
    lengths = rng.integers(5, 20, 60)
    right = [rng.binomial(lengths, share) for share in (0.8, 0.76)]
    a, b = (np.stack([lengths, lengths, side], 1).astype(float) for side in right)
    p = shuffling(right[0] - right[1], SAMPLES, rng)
    assert shuffling_f1(a, b, SAMPLES, rng) == pytest.approx(p, abs=0.015)


def test_compare_on_semantics() -> None:
    random = Random(1)
    gold = [random_sentence(random, random.randint(3, 9)) for _ in range(60)]
    good = [sentence if random.random() < 0.7 else changed(sentence, random) for sentence in gold]
    bad = [changed(sentence, random) for sentence in gold]
    texts = [from_text(text_of(side), "conll09") for side in (gold, good, bad)]
    result = compare(*texts, samples=500)
    assert [contrast.metric for contrast in result] == ["UAS", "LAS", "LAS-full", "Semantic", "Macro"]
    for contrast, name in ((result.semantic_f1, "semantic_f1"), (result.macro_f1, "macro_f1")):
        scores = [getattr(evaluate(texts[0], system), name) for system in texts[1:]]
        assert [contrast.a, contrast.b] == pytest.approx(scores)
        assert (contrast.mcnemar, contrast.only_a, contrast.only_b) == (None, None, None)
        assert contrast.interval[0] < contrast.difference < contrast.interval[1]
        assert max(contrast.bootstrap, contrast.shuffling) < 0.01
    assert [contrast.metric for contrast in compare(*texts, samples=9, layer="semantics")] == ["Semantic", "Macro"]
    assert compare(*texts, samples=500).macro_f1 == result.macro_f1
    same = compare(texts[0], texts[1], texts[1], samples=50).semantic_f1
    assert (same.difference, same.bootstrap, same.shuffling) == (0.0, 1.0, 1.0)


def test_compare_on_enhanced_graphs_of_different_words() -> None:
    gold, one, two = (
        from_text(with_graphs(corrupted(SAMPLE, *kinds), Random(0))) for kinds in ([], [wrong_heads], [merge_tokens])
    )
    elas = compare(gold, one, two, samples=100, layer="enhanced").elas
    assert [elas.a, elas.b] == pytest.approx([evaluate(gold, system).elas for system in (one, two)])
