"""Significance of the difference between two systems: three tests on the same words and sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import MultiplaneError
from multiplane.evaluation.attachment import Convention, convention_of
from multiplane.evaluation.layers import layer_tallies, layers_of, pair_of
from multiplane.evaluation.pair import Pair
from multiplane.evaluation.resampling import Counts, bootstrap_f1, counts_of, f1_of, shuffling_f1
from multiplane.evaluation.score import Mask
from multiplane.evaluation.semantic import scorer_of
from multiplane.formats import Treebank, as_corpus

SAMPLES = 10_000


@dataclass(frozen=True)
class Contrast:
    """Two systems under one metric, in percent; the p-values are two-sided.

    UAS and LAS are shares of the gold words. The scores of other layers are F1 scores, which have no words to count, so
    McNemar's test does not apply to them.
    """

    metric: str
    a: float
    b: float
    only_a: int | None
    """Number of words that only system A got right."""
    only_b: int | None
    """Number of words that only system B got right."""
    mcnemar: float | None
    """p-value of McNemar's test on words, with the exact binomial distribution."""
    bootstrap: float
    """p-value of the paired bootstrap over sentences."""
    interval: tuple[float, float]
    """The 95% confidence interval of the difference, by the bootstrap."""
    shuffling: float
    """p-value of stratified shuffling, which swaps sentences between the systems."""

    @property
    def difference(self) -> float:
        """The score of A minus the score of B."""
        return self.a - self.b


@dataclass(frozen=True)
class Comparison:
    """Two systems compared; ``comparison["LAS"]`` is the `Contrast` of a metric.

    Syntax has UAS, LAS as the convention compares labels, and LAS with full labels; semantics has Semantic and Macro,
    or LF and UF for graphs with top nodes; enhanced dependencies have ELAS.
    """

    sentences: int
    words: int
    """Number of gold words that count."""
    samples: int
    seed: int
    contrasts: Mapping[str, Contrast] = field(hash=False)

    def __getitem__(self, metric: str) -> Contrast:
        return self.contrasts[metric]

    def __iter__(self) -> Iterator[Contrast]:
        return iter(self.contrasts.values())

    @property
    def uas(self) -> Contrast:
        """Unlabelled attachment."""
        return self["UAS"]

    @property
    def las(self) -> Contrast:
        """Labelled attachment, as the convention compares labels."""
        return self["LAS"]

    @property
    def las_full(self) -> Contrast:
        """Labelled attachment with full labels."""
        return self["LAS-full"]

    @property
    def semantic_f1(self) -> Contrast:
        """F1 of predicates and arguments."""
        return self["Semantic"]

    @property
    def macro_f1(self) -> Contrast:
        """F1 of the means of syntax and semantics."""
        return self["Macro"]

    @property
    def elas(self) -> Contrast:
        """F1 of enhanced arcs between words."""
        return self["ELAS"]


def compare(
    gold: Treebank,
    a: Treebank,
    b: Treebank,
    *,
    convention: str = "ud",
    layer: str | None = None,
    scorer: str = "conll09",
    samples: int = SAMPLES,
    seed: int = 0,
) -> Comparison:
    """Compares two outputs against one gold standard; the same seed gives the same p-values.

    `layer` is one of `LAYERS`; by default, the systems are compared on all layers that the three sides have.

    >>> from multiplane import sample
    >>> result = compare(sample(), sample(), sample())
    >>> result.las.difference, result.las.mcnemar, result.las.bootstrap, result.las.shuffling
    (0.0, 1.0, 1.0, 1.0)
    """
    if samples < 1:
        raise ValueError(f"samples must be positive, not {samples}")
    chosen, semantic_scorer = convention_of(convention), scorer_of(scorer)
    corpora = [as_corpus(treebank) for treebank in (gold, a, b)]
    layers = layers_of(*corpora, layer=layer)
    pairs = [pair_of(corpora[0], system, layers, chosen) for system in corpora[1:]]
    counted = chosen.counted(pairs[0])[0]
    words = int(counted.sum())
    if not words:
        raise MultiplaneError(f"{corpora[0].name}: no words to compare systems on")
    contrasts = _syntactic(pairs, chosen, counted, samples, seed) if "syntax" in layers else []
    one, two = (layer_tallies(pair, layers, semantic_scorer) for pair in pairs)
    for metric in one:
        rng = np.random.default_rng(seed)
        contrasts.append(_contrast_f1(metric, counts_of(one[metric]), counts_of(two[metric]), samples, rng))
    return Comparison(len(corpora[0]), words, samples, seed, {contrast.metric: contrast for contrast in contrasts})


def _syntactic(pairs: list[Pair], convention: Convention, counted: Mask, samples: int, seed: int) -> list[Contrast]:
    """Compares the trees."""
    gold = pairs[0].gold
    sentence = gold.sentence_of[counted]

    def contrast(metric: str, correct: Callable[[Pair], Mask]) -> Contrast:
        right = np.zeros((2, gold.words), np.bool_)
        for row, pair in zip(right, pairs, strict=True):
            row[pair.gold_words] = correct(pair)
        a_right, b_right = right[:, counted]
        return _contrast(metric, a_right, b_right, sentence, len(gold), samples, np.random.default_rng(seed))

    return [
        contrast("UAS", lambda pair: pair.same_head),
        contrast("LAS", lambda pair: pair.attached(convention.labels(pair))),
        contrast("LAS-full", lambda pair: pair.attached(pair.labels)),
    ]


def _contrast(
    metric: str, a: Mask, b: Mask, sentence: NDArray[np.int64], sentences: int, samples: int, rng: np.random.Generator
) -> Contrast:
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    gains = np.bincount(sentence[a & ~b], minlength=sentences) - np.bincount(sentence[b & ~a], minlength=sentences)
    lengths = np.bincount(sentence, minlength=sentences)
    p_bootstrap, interval = bootstrap(gains, lengths, samples, rng)
    return Contrast(
        metric=metric,
        a=100 * float(a.mean()),
        b=100 * float(b.mean()),
        only_a=only_a,
        only_b=only_b,
        mcnemar=mcnemar(only_a, only_b),
        bootstrap=p_bootstrap,
        interval=interval,
        shuffling=shuffling(gains, samples, rng),
    )


def _contrast_f1(metric: str, a: Counts, b: Counts, samples: int, rng: np.random.Generator) -> Contrast:
    p_bootstrap, interval = bootstrap_f1(a, b, samples, rng)
    return Contrast(
        metric=metric,
        a=100 * float(f1_of(a.sum(axis=0))),
        b=100 * float(f1_of(b.sum(axis=0))),
        only_a=None,
        only_b=None,
        mcnemar=None,
        bootstrap=p_bootstrap,
        interval=interval,
        shuffling=shuffling_f1(a, b, samples, rng),
    )


def mcnemar(only_a: int, only_b: int) -> float:
    """Returns the exact two-sided p-value: under the null hypothesis, each of these words is a coin flip.

    >>> mcnemar(0, 5), mcnemar(3, 3)
    (0.0625, 1.0)
    """
    n, fewer = only_a + only_b, min(only_a, only_b)
    # Logarithms, because the binomial coefficients themselves are too large.
    k = np.arange(1, fewer + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log((n - k + 1) / k))]) - n * np.log(2)
    return min(1.0, 2 * float(np.exp(logs).sum()))


def bootstrap(
    gains: NDArray[np.int64], lengths: NDArray[np.int64], samples: int, rng: np.random.Generator
) -> tuple[float, tuple[float, float]]:
    """Returns the p-value of the paired bootstrap, and the confidence interval of the difference in percent.

    Each sample draws as many sentences as there are, with replacement. The p-value is the share of samples at least as
    far from the observed difference as that is from zero; the observed difference itself counts as a sample.

    >>> p, (low, high) = bootstrap(np.array([1, 0, 2, 1]), np.array([5, 5, 9, 7]), 1000, np.random.default_rng(1))
    >>> low <= 100 * 4 / 26 <= high
    True
    """
    # Only the gain and length of a sentence matter, so drawing the counts of each such pair is equivalent.
    kinds, counts = np.unique(np.stack([gains, lengths], axis=1), axis=0, return_counts=True)
    total_gain, total_length = np.empty(samples, np.int64), np.empty(samples, np.int64)
    block = max(1, 4_000_000 // len(kinds))
    for start in range(0, samples, block):
        drawn = rng.multinomial(len(gains), counts / len(gains), size=min(block, samples - start))
        total_gain[start : start + block], total_length[start : start + block] = (drawn @ kinds).T
    observed = int(gains.sum()) / int(lengths.sum())
    # A sample may consist only of sentences without counted words.
    differences = total_gain / np.maximum(total_length, 1)
    beyond = int((np.abs(differences - observed) >= abs(observed) - 1e-12).sum())
    low, high = np.quantile(100 * differences, [0.025, 0.975]).tolist()
    return (beyond + 1) / (samples + 1), (low, high)


def shuffling(gains: NDArray[np.int64], samples: int, rng: np.random.Generator) -> float:
    """Returns the p-value of stratified shuffling, which swaps each sentence's two outputs with probability 1/2.

    It is the share of shuffles whose difference is at least the observed one, which itself counts as a shuffle.

    >>> shuffling(np.array([0, 0]), 100, np.random.default_rng(1))
    1.0
    """
    # Sentences with the same absolute gain are interchangeable: the number of swaps among them is binomial.
    sizes, counts = np.unique(np.abs(gains[gains != 0]), return_counts=True)
    heads = rng.binomial(counts, 0.5, size=(samples, len(counts)))
    differences = (2 * heads - counts) @ sizes
    return (int((np.abs(differences) >= abs(int(gains.sum()))).sum()) + 1) / (samples + 1)
