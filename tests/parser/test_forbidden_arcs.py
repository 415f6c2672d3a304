"""Forbidden arcs are never built, and a tree is found whenever the system has one that meets all constraints."""

import io
import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from small_parsers import SMALL_NETWORK, trained, treebank

Heads = tuple[int, ...]
Arc = tuple[int, int]


@pytest.fixture(scope="module")
def parsers() -> dict[str, mp.Parser]:
    names = ("2-planar", "2-planar-eager", "planar", "arc-eager", "covington", "arc-standard")
    found = {name: trained(mp.sample(), system=name, epochs=1) for name in names}
    found["artificial root"] = trained(mp.sample(), system="2-planar", root="right", epochs=1)
    found["beam"] = trained(mp.sample(), system="2-planar", beam=4, epochs=1)
    return found


def trees(n: int) -> Iterator[Heads]:
    """All trees of n words with one root."""
    for heads in itertools.product(range(n + 1), repeat=n):
        if heads.count(0) == 1 and all(_reaches_root(heads, word) for word in range(1, n + 1)):
            yield heads


def _reaches_root(heads: Heads, word: int) -> bool:
    for _ in heads:
        word = heads[word - 1]
        if word == 0:
            return True
    return False


def meets(heads: Heads, fixed: Heads, forbidden: set[Arc]) -> bool:
    return all(
        wanted in (-1, head) and (head, word) not in forbidden
        for word, (head, wanted) in enumerate(zip(heads, fixed, strict=True), 1)
    )


def sentence(n: int, fixed: Heads) -> mp.Sentence:
    rows = (f"{i}\tw{i}\tw{i}\tX\t_\t_\t{'_' if head < 0 else head}\t_\t_\t_\n" for i, head in enumerate(fixed, 1))
    return from_text("".join(rows))[0]


def cases(n: int, count: int, seed: int) -> Iterator[tuple[Heads, set[Arc]]]:
    """Random constraints of all kinds, from few to nearly all arcs forbidden."""
    rng = random.Random(seed)
    arcs = [(head, word) for head in range(n + 1) for word in range(1, n + 1) if head != word]
    every = list(trees(n))
    for _ in range(count):
        share, given = rng.random(), rng.choice((0.0, 0.3))
        gold = rng.choice(every)
        fixed = tuple(head if rng.random() < given else -1 for head in gold)
        yield fixed, {arc for arc in arcs if rng.random() < share}


def check(parser: mp.Parser, built: list[Heads], n: int, count: int, seed: int) -> tuple[int, int]:
    """Compares a parser with the trees that its system builds; returns how many cases had a tree, and how many none."""
    possible = impossible = 0
    for fixed, forbidden in cases(n, count, seed):
        keep = any(head >= 0 for head in fixed)
        given = sentence(n, fixed)
        if any(meets(heads, fixed, forbidden) for heads in built):
            possible += 1
            found = parser.parse(given, keep_heads=keep, forbidden=sorted(forbidden))
            assert meets(tuple(found.heads), fixed, forbidden), (fixed, forbidden)
            assert found.graph.is_tree()
        else:
            impossible += 1
            with pytest.raises(
                mp.SentenceError,
                match=r"the constraints contradict each other|found no tree|cannot keep all given heads",
            ):
                parser.parse(given, keep_heads=keep, forbidden=sorted(forbidden))
    return possible, impossible


@pytest.mark.parametrize("name", ["2-planar", "2-planar-eager", "artificial root", "beam", "covington"])
@pytest.mark.parametrize(("n", "count"), [(1, 6), (2, 30), (3, 80), (4, 150), (5, 60)])
def test_a_tree_is_found_whenever_there_is_one(name: str, n: int, count: int, parsers: dict[str, mp.Parser]):
    possible, impossible = check(parsers[name], list(trees(n)), n, count, seed=n)
    assert possible > 0
    assert impossible > 0 or n == 5


@pytest.mark.parametrize("n", [3, 4])
def test_a_projective_tree_is_found_whenever_there_is_one(n: int, parsers: dict[str, mp.Parser]):
    built = [
        heads for heads in trees(n) if mp.DependencyGraph(n, [(h, d) for d, h in enumerate(heads, 1)]).is_projective()
    ]
    possible, impossible = check(parsers["arc-eager"], built, n, 100, seed=9)
    assert min(possible, impossible) > 0


def tree_in(planes: int, n: int, rng: random.Random, *, root_arc: bool) -> Heads:
    """A random tree whose arcs are in as many planes, with or without the arc from node 0 to the root."""
    words = rng.sample(range(1, n + 1), n)
    heads = {words[0]: 0}
    for word in words[1:]:
        held = []
        for head in heads:
            arcs = [(h, d) for d, h in {**heads, word: head}.items() if h or root_arc]
            if mp.DependencyGraph(n + 1, [(h + 1, d + 1) for h, d in arcs]).planarity() <= planes:
                held.append(head)
        if not held:
            return tree_in(planes, n, rng, root_arc=root_arc)
        heads[word] = rng.choice(held)
    return tuple(heads[word] for word in range(1, n + 1))


@pytest.mark.parametrize(("name", "planes"), [("2-planar", 2), ("2-planar-eager", 2), ("planar", 1), ("arc-eager", 1)])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_tree_of_a_longer_sentence_is_found_too(name: str, planes: int, share: float, parsers: dict[str, mp.Parser]):
    rng = random.Random(8)
    for n in (10, 18, 26):
        arcs = [(head, word) for head in range(n + 1) for word in range(1, n + 1) if head != word]
        for _ in range(4):
            possible = tree_in(planes, n, rng, root_arc=name == "arc-eager")
            forbidden = [(h, d) for h, d in arcs if possible[d - 1] != h and rng.random() < share]
            found = parsers[name].parse(sentence(n, (-1,) * n), forbidden=forbidden)
            assert meets(tuple(found.heads), (-1,) * n, set(forbidden))
            assert found.graph.is_tree()


def test_a_system_without_a_dynamic_oracle_avoids_arcs(parsers: dict[str, mp.Parser]):
    parser = parsers["arc-standard"]
    for given in mp.sample()[:20]:
        plain = parser.parse(given)
        forbidden = [(head, word) for word, head in enumerate(plain.heads, 1)][::2]
        found = parser.parse(given, forbidden=forbidden)
        assert not set(forbidden) & {(head, word) for word, head in enumerate(found.heads, 1)}


def test_a_network_avoids_the_arcs_of_its_own_trees():
    parser = mp.train(mp.sample(), model="neural", epochs=1, **SMALL_NETWORK)
    plain = parser.parse(mp.sample())
    forbidden = [[(head, word) for word, head in enumerate(each.heads, 1)] if len(each) > 3 else [] for each in plain]
    found = parser.parse(mp.sample(), forbidden=forbidden)
    for arcs, tree in zip(forbidden, found, strict=True):
        assert not set(arcs) & {(head, word) for word, head in enumerate(tree.heads, 1)}
        assert tree.graph.is_tree()


def test_a_file_forbids_heads_in_misc(parsers: dict[str, mp.Parser]):
    parser = parsers["2-planar"]
    text = (
        "1\ta\ta\tX\t_\t_\t_\t_\t_\tNotHead=0,2\n2\tb\tb\tX\t_\t_\t_\t_\t_\tNotHead=0\n3\tc\tc\tX\t_\t_\t_\tobj\t_\t_\n"
    )
    out = io.BytesIO()
    parser.parse_stream(io.BytesIO(text.encode()), out, keep_heads=True)
    found = from_text(out.getvalue().decode())[0]
    assert found.heads[0] == 3
    assert found.heads[1] in (1, 3)
    assert found.heads[2] == 0
    assert found.deprels[2] == "obj"
    assert found.misc == ["NotHead=0,2", "NotHead=0", "_"]


@pytest.mark.parametrize("value", ["x", "4", "-1", "1,", "", "99999999999"])
def test_what_is_not_a_list_of_heads_is_refused(value: str, parsers: dict[str, mp.Parser]):
    corpus = from_text(f"1\ta\ta\tX\t_\t_\t_\t_\t_\t_\n2\tb\tb\tX\t_\t_\t_\t_\t_\tNotHead={value}\n")
    with pytest.raises(mp.FormatError, match=rf"<text>:2: sentence 1: NotHead={value} in MISC is not a list of heads"):
        parsers["2-planar"].parse(corpus, keep_heads=True)


def test_a_contradiction_is_named_with_its_place(parsers: dict[str, mp.Parser]):
    corpus = treebank([[0, 1], [0, 1, 1]])
    nowhere = [(head, 2) for head in (0, 1, 3)]
    with pytest.raises(mp.ModelError) as error:
        parsers["2-planar"].parse(corpus, forbidden=[[], nowhere])
    assert str(error.value) == (
        "<text>:4: sentence 2: the constraints contradict each other: no head is allowed for word 2; "
        "change the given heads, or forbid fewer arcs"
    )
    with pytest.raises(mp.ModelError, match="no word may be the root"):
        parsers["2-planar"].parse(corpus[0], forbidden=[(0, 1), (0, 2)])


def test_arcs_outside_the_sentence_and_the_wrong_number_of_lists_are_refused(parsers: dict[str, mp.Parser]):
    parser, corpus = parsers["2-planar"], treebank([[0, 1]])
    with pytest.raises(ValueError, match="the forbidden arc 3→1 is outside the sentence"):
        parser.parse(corpus[0], forbidden=[(3, 1)])
    with pytest.raises(ValueError, match="2 lists of forbidden arcs for 1 sentences"):
        parser.parse(corpus, forbidden=[[], []])
    with pytest.raises(ValueError, match="need a Sentence or a Corpus"):
        parser.parse(list(corpus), forbidden=[[]])  # type: ignore[call-overload]


@pytest.mark.parametrize("arcs", [[(1,)], ["a"], [(0.5, 2)], [(1, 2, 3)], [1], [("1", "2")], [None]])
def test_what_is_not_a_pair_of_numbers_is_refused(arcs: Any, parsers: dict[str, mp.Parser]):
    parser, corpus = parsers["2-planar"], treebank([[0, 1]])
    for given, forbidden in [(corpus[0], arcs), (corpus, [arcs])]:
        with pytest.raises(ValueError, match=r"^the forbidden arc .* is not a pair of numbers; give \(head, "):
            parser.parse(given, forbidden=forbidden)


def test_forbidden_arcs_come_in_any_iterable_and_in_nothing_else(parsers: dict[str, mp.Parser]):
    parser, corpus = parsers["2-planar"], treebank([[0, 1]])
    expected = parser.parse(corpus[0], forbidden=[(1, 2)])
    for some in ({(1, 2)}, iter([(1, 2)]), np.array([[1, 2]])):
        assert parser.parse(corpus[0], forbidden=some) == expected  # type: ignore[call-overload]
    for wrong in (7, "1-2", {1: 2}):
        with pytest.raises(ValueError, match=r"^forbidden arcs are .*; give \(head, dependent\) for each arc"):
            parser.parse(corpus[0], forbidden=wrong)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"^the forbidden arc 1 is not a pair .* list of such lists for a Corpus$"):
        parser.parse(corpus, forbidden=[(1, 2)])  # type: ignore[list-item]


@pytest.mark.parametrize(
    "settings", [{"system": "undirected-planar"}, {"system": "arc-eager", "pseudo_projective": "head"}]
)
def test_parsers_that_cannot_avoid_arcs_say_so(settings: dict[str, str]):
    parser = trained(mp.sample(), epochs=1, **settings)
    with pytest.raises(mp.ModelError, match="cannot avoid arcs"):
        parser.parse(mp.sample()[0], forbidden=[(0, 1)])


def test_no_forbidden_arcs_change_nothing(parsers: dict[str, mp.Parser]):
    corpus: Corpus = mp.sample()
    for parser in parsers.values():
        plain = parser.parse(corpus)
        assert parser.parse(corpus, forbidden=[[] for _ in corpus]).to_bytes() == plain.to_bytes()


def test_arcs_that_the_parser_does_not_want_change_nothing_when_forbidden(parsers: dict[str, mp.Parser]):
    parser = parsers["2-planar"]
    plain = parser.parse(mp.sample())
    rng = np.random.default_rng(3)
    forbidden = []
    for each in plain:
        n = len(each)
        arcs = {
            (int(head), int(word))
            for head, word in zip(rng.integers(0, n + 1, 9), rng.integers(1, n + 1, 9), strict=True)
        }
        forbidden.append([arc for arc in arcs if each.heads[arc[1] - 1] != arc[0]])
    assert (parser.parse(mp.sample(), forbidden=forbidden).heads == plain.heads).all()


@pytest.mark.parametrize(
    ("text", "forbidden", "head"),
    [
        ("She saw the man with a telescope.", (2, 7), 4),
        ("We ate pizza with friends.", (2, 5), 3),
        ("They sell books about cars in London.", (2, 7), 5),
        ("I saw a girl on the hill with binoculars yesterday.", (2, 9), 4),
    ],
)
def test_a_network_with_a_narrow_beam_gives_its_second_best_tree(text: str, forbidden: Arc, head: int):
    parser = mp.load("en")
    corpus = parser.parse(text)
    plain, word = corpus[0], forbidden[1]
    found = parser.parse(plain, forbidden=[forbidden])
    assert (plain.heads[word - 1], found.heads[word - 1]) == (forbidden[0], head)
    assert found.heads == parser.parse(plain, forbidden=[forbidden], beam=8).heads
    assert parser.parse(plain, forbidden=[forbidden], scores=True).heads == found.heads
    assert parser.parse(plain, forbidden=[forbidden], best=2)[0].heads == found.heads
    unparsed = plain.copy()
    unparsed.update(heads=[-1] * len(plain), deprels=["_"] * len(plain))
    unparsed[word - 1].misc["NotHead"] = str(forbidden[0])
    assert parser.parse(unparsed, keep_heads=True).heads == found.heads


def test_sentences_that_meet_their_constraints_anyway_come_from_the_parsers_own_beam():
    parser = mp.load("en")
    plain = parser.parse(mp.sample(), scores=True)
    forbidden: list[list[Arc]] = [[] for _ in plain]
    forbidden[4] = [(plain[4].heads[2], 3)]
    forbidden[7] = [(2 if plain[7].heads[2] != 2 else 1, 3)]
    found = parser.parse(mp.sample(), forbidden=forbidden, scores=True)
    assert [number for number in range(len(plain)) if found[number] != plain[number]] == [4]
    wide = parser.parse(mp.sample()[4], forbidden=forbidden[4], beam=8, scores=True)
    assert (found[4].heads, found[4].score) == (wide.heads, wide.score)


def test_a_greedy_model_without_probabilities_stays_greedy(parsers: dict[str, mp.Parser]):
    parser = parsers["2-planar"]
    plain = parser.parse(mp.sample())
    forbidden = [[(each.heads[0], 1)] for each in plain]
    found = parser.parse(mp.sample(), forbidden=forbidden)
    assert list(found) == list(parser.parse(mp.sample(), forbidden=forbidden, beam=1))
    assert list(found) != list(parser.parse(mp.sample(), forbidden=forbidden, beam=8))
