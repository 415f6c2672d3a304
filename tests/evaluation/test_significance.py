"""The tests of significance against closed forms, complete enumeration, and plain simulation."""

from itertools import product
from math import comb, erfc, sqrt

import numpy as np
import pytest

import multiplane as mp
from evaluation.corrupt import CORRUPTIONS, corrupted, merge_tokens, split_tokens, wrong_heads
from multiplane.evaluation import bootstrap, compare, evaluate, mcnemar, shuffling
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
