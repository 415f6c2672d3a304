"""The search of latent-variable parsers: what it finds is legal, scored as defined, and the best of a wide beam."""

import numpy as np
import pytest

from latent_cases import CANDIDATES, SEMANTICS, SYNTAX, Case
from latent_reference import Derivation, Gold, Model, Rows, loss_of
from multiplane import _native

WIDE = 5_000


def numbers_of(golds: list[Gold]) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.array([len(gold.numbers) for gold in golds], np.int32)
    return lengths, np.array([number for gold in golds for row in gold.numbers for number in row], np.int32)


def as_gold(steps: list[tuple[int, int, int]], case: Case, numbers: list[list[int]]) -> Gold:
    """The derivation that a parser found, as one to learn from."""
    names = [list(system.transitions) for system in case.systems]
    sequences = [[(names[layer][t], label) for kind, t, label in steps if kind == layer] for layer in (0, 1)]
    return Gold(numbers, [label for kind, _, label in steps if kind == 2], (sequences[0], sequences[1]))


@pytest.mark.parametrize("generative", [False, True], ids=["conditional", "generative"])
@pytest.mark.parametrize("beam", [1, 4, 20])
@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize("syntax", SYNTAX)
def test_a_derivation_is_legal_and_its_score_is_its_probability(
    syntax: str, semantics: str, beam: int, generative: bool
):
    case = Case(syntax, semantics, generative, seed=5, sizes=[1, 2, 3, 5, 6])
    parser = _native.LatentParser(case.shape, case.weights)
    lengths, numbers = numbers_of(case.golds)
    heads, labels, senses, counts, *arcs, scores = parser.parse(lengths, numbers, beam)
    word = arc = 0
    for i, steps in enumerate(parser.derivations(lengths, numbers, beam)):
        n = int(lengths[i])
        found = as_gold(steps, case, case.golds[i].numbers)
        # Means are stored with 16 bits.
        assert -loss_of(case.model, found, [w.astype(np.float64) for w in case.weights]) == pytest.approx(
            scores[i], abs=0.02
        )
        assert found.senses == senses[word : word + n].tolist()
        trees, graphs = ends_of(case, found, n)
        assert {d: h for h, d in trees} == {
            v: h for v, h in enumerate(heads[word : word + n].tolist(), 1) if h or (0, v) in trees
        }
        assert graphs == set(zip(*(column[arc : arc + counts[i]].tolist() for column in arcs[:2]), strict=True))
        word, arc = word + n, arc + int(counts[i])
    assert (labels >= -1).all()
    assert word == len(heads)
    assert arc == len(arcs[0])


def ends_of(case: Case, found: Gold, n: int) -> list[set[tuple[int, int]]]:
    """The arcs that both derivations build."""
    ends = []
    for system, sequence in zip(case.systems, found.derivations, strict=True):
        c = system.initial(n)
        for name, _ in sequence:
            c = c.apply(name)
        assert c.is_terminal
        ends.append({(arc[0], arc[1]) for arc in c.arcs})
    return ends


def all_derivations(model: Model, numbers: list[list[int]], senses: list[int]) -> list[Gold]:
    """All derivations of a sentence with these predicates; arcs have one label."""
    found, todo = [], [Gold(numbers, senses, ([], []))]
    while todo:
        prefix = todo.pop()
        d, at = Derivation(model, prefix), [0, 0]
        while (kind := d.kind) is not None:
            if kind == "predicate":
                d.senses[d.front] = senses[d.front - 1]
                continue
            layer = int(kind != "syntax")
            if at[layer] == len(prefix.derivations[layer]):
                break
            d.layers[layer].take(*prefix.derivations[layer][at[layer]], d.n)
            at[layer] += 1
        if kind is None:
            found.append(prefix)
            continue
        rows = Rows(model).label[layer]
        for name in d.legal(kind):
            sequences = [list(sequence) for sequence in prefix.derivations]
            sequences[layer].append((name, 0 if name in rows else -1))
            todo.append(Gold(numbers, senses, (sequences[0], sequences[1])))
    return found


@pytest.mark.parametrize("syntax", ["2-planar-eager", "arc-eager"])
@pytest.mark.parametrize("semantics", ["last-resort", "planar"])
def test_a_wide_beam_finds_the_best_derivation_of_all(syntax: str, semantics: str):
    case = Case(syntax, semantics, generative=True, seed=6, sizes=[2], labels=(1, 1))
    lemma = next(i for i, senses in enumerate(CANDIDATES) if len(senses) == 1)
    numbers = [[*row[:-1], lemma] for row in case.golds[0].numbers]
    senses = [CANDIDATES[lemma][0]] * 2
    weights = [array.copy() for array in case.weights]
    row = Rows(case.model).predicate  # all words are predicates, for certain
    weights[3].reshape(-1, case.model.units)[row : row + 2] = 0
    weights[4][row : row + 2] = (0, 100)
    wide = [array.astype(np.float64) for array in weights]
    best = max(-loss_of(case.model, one, wide) for one in all_derivations(case.model, numbers, senses))
    parser = _native.LatentParser(case.shape, weights)
    lengths, flat = numbers_of([Gold(numbers, senses, ([], []))])
    assert parser.parse(lengths, flat, WIDE)[-1][0] == pytest.approx(best, abs=0.02)


def test_given_predicates_are_kept():
    case = Case("2-planar-eager", "last-resort", generative=False, seed=7, sizes=[3, 4, 5, 6])
    parser = _native.LatentParser(case.shape, case.weights)
    lengths, numbers = numbers_of(case.golds)
    marks = np.random.default_rng(1).integers(-1, 2, int(lengths.sum())).astype(np.int8)
    free, senses = (parser.parse(lengths, numbers, 8, given)[2] for given in (None, marks))
    assert ((senses != -1) == (marks == 1))[marks >= 0].all()
    assert (free != -1).tolist() != (senses != -1).tolist()


def test_numbers_that_do_not_fit_are_refused():
    case = Case("2-planar-eager", "last-resort", generative=False, seed=8, sizes=[3])
    parser = _native.LatentParser(case.shape, case.weights)
    lengths, numbers = numbers_of(case.golds)
    for wrong in (numbers + 1_000, numbers - 1_000, numbers[:-1]):
        with pytest.raises(ValueError, match="number"):
            parser.parse(lengths, wrong, 1)
    with pytest.raises(ValueError, match="mark"):
        parser.parse(lengths, numbers, 1, np.zeros(1, np.int8))


@pytest.mark.parametrize("beam", [1, 20])
def test_long_sentences_are_parsed_with_what_memory_there_is(beam: int):
    """Beyond some thousand states, those that nothing refers to are forgotten; scores stay as defined."""
    case = Case("2-planar-eager", "planar", generative=False, seed=9, sizes=[120])
    parser = _native.LatentParser(case.shape, case.weights)
    lengths, numbers = numbers_of(case.golds)
    found = as_gold(parser.derivations(lengths, numbers, beam)[0], case, case.golds[0].numbers)
    score = parser.parse(lengths, numbers, beam)[-1][0]
    loss = loss_of(case.model, found, [w.astype(np.float64) for w in case.weights])
    assert -loss == pytest.approx(score, rel=1e-3)


def test_a_sentence_of_thousands_of_words_comes_to_an_end():
    case = Case("2-planar-eager", "last-resort", generative=False, seed=10, sizes=[4])
    parser = _native.LatentParser(case.shape, case.weights)
    numbers = np.array([row for gold in case.golds for row in gold.numbers] * 750, np.int32)
    heads, *_ = parser.parse(np.array([3_000], np.int32), numbers.reshape(-1), 20)
    assert len(heads) == 3_000
