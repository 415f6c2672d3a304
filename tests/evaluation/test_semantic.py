"""Semantic scores: counted by hand, and as the scorers of CoNLL-2009 and CoNLL-2008 count them."""

import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import multiplane as mp
from evaluation.frames import ROLES, Annotated, Frame, changed, official_counts, random_sentence, text_of
from multiplane.evaluation import Macro, Score, Scores, crossing_pairs, evaluate
from multiplane.evaluation.semantic import SCORERS
from multiplane.formats.reader import from_text
from multiplane.graphs import DependencyGraph

DEV = Path(__file__).parents[2] / "../shared/data/semantic/en_ewt_propbank/dev.conll09.xz"

GOLD = Annotated(
    [2, 0, 2, 5, 2],
    ["nsubj", "root", "obj", "mark", "advcl"],
    [
        Frame(2, "want.01", {1: "A0", 3: "A1", 5: "AM-PRP"}),
        Frame(5, "eat.02", {1: "A0", 3: "A1"}),
    ],
)
"""Five words; two predicates and five arguments: seven arcs."""

FIRST = Annotated([0, 1], ["root", "obj"], [Frame(1, "run.01", {2: "A1"})])
"""A sentence with a predicate, so that there is something to score."""


def scored(gold: list[Annotated], system: list[Annotated], form: str = "conll09", **options: str) -> Scores:
    return evaluate(from_text(text_of(gold, form), form), from_text(text_of(system, form), form), **options)


def counts(score: Score) -> tuple[int, int, int]:
    return score.gold, score.system, score.correct


def test_scores_counted_by_hand() -> None:
    system = Annotated(
        [2, 0, 2, 2, 2],  # one head is wrong
        ["nsubj", "root", "iobj", "mark", "advcl"],  # one label is wrong
        [
            Frame(2, "wish.01", {1: "A0", 3: "A1", 4: "AM-PRP"}),  # another lemma with the same number is correct
            Frame(3, "thing.01", {1: "A0"}),  # no predicate
            Frame(5, "eat.01", {1: "A1", 3: "A1"}),  # another sense, one wrong role
        ],
    )
    scores = scored([GOLD], [system])
    assert counts(scores["Predicates"]) == (2, 3, 1)
    assert counts(scores["Predicates-unlabelled"]) == (2, 3, 2)
    assert counts(scores["Arguments"]) == (5, 6, 3)
    assert counts(scores["Arguments-unlabelled"]) == (5, 6, 4)
    assert counts(scores["Semantic"]) == (7, 9, 4)
    assert counts(scores["Semantic-unlabelled"]) == (7, 9, 6)
    assert counts(scores["Propositions"]) == (2, 3, 0)
    assert counts(scores["SEM"]) == (1, 1, 0)
    macro = scores["Macro"]
    assert (macro.precision, macro.recall) == pytest.approx(((60 + 400 / 9) / 2, (60 + 400 / 7) / 2))
    assert scores.macro_f1 == pytest.approx(2 * macro.precision * macro.recall / (macro.precision + macro.recall))
    assert scores["Macro-unlabelled"].recall == pytest.approx((80 + 600 / 7) / 2)
    assert repr(scores).endswith(f"Semantic 50.00, Macro {scores.macro_f1:.2f}>")


def test_a_proposition_needs_its_sense_and_exactly_its_arguments() -> None:
    for sense, fields, right in (
        ("want.01", {1: "A0", 3: "A1", 5: "AM-PRP"}, 1),
        ("want.02", {1: "A0", 3: "A1", 5: "AM-PRP"}, 0),
        ("want.01", {1: "A0", 3: "A1"}, 0),
        ("want.01", {1: "A0", 3: "A1", 5: "AM-PRP", 4: "A2"}, 0),
        ("want.01", {1: "A1", 3: "A1", 5: "AM-PRP"}, 0),
    ):
        system = Annotated(GOLD.heads, GOLD.labels, [Frame(2, sense, fields)])
        assert counts(scored([GOLD], [system])["Propositions"]) == (2, 1, right)


def test_an_argument_counts_whatever_the_sense_of_its_predicate() -> None:
    system = Annotated(GOLD.heads, GOLD.labels, [Frame(frame.position, "x.99", frame.fields) for frame in GOLD.frames])
    scores = scored([GOLD], [system])
    assert (scores.arguments, scores.predicates) == (100.0, 0.0)
    assert scores["Semantic"].recall == pytest.approx(500 / 7)


@pytest.mark.parametrize(
    ("gold", "system", "in_2009", "in_2008"),
    [
        ("come.03", "go.03", True, True),  # lemmas are not compared
        ("come.03", "come.04", False, False),
        ("come.03", "come.3", True, False),  # numbers are compared as numbers in 2009
        ("v41jsB", "v41jsB", True, True),
        ("v41jsB", "v42", False, True),  # in 2008, no dot means no sense
        ("a.m.01", "b.m.01", False, True),  # in 2009, several dots mean that everything is compared
        ("a.m.01", "a.m.02", False, True),  # in 2008, what lies between the first two dots is compared
    ],
)
def test_which_senses_are_equal(gold: str, system: str, in_2009: bool, in_2008: bool) -> None:
    one, two = ([Annotated([0], ["root"], [Frame(1, sense)])] for sense in (gold, system))
    assert scored(one, two)["Predicates"].correct == in_2009
    assert scored(one, two, scorer="conll08")["Predicates"].correct == in_2008


def test_support_is_left_out_in_2008() -> None:
    frames = [Frame(1, "have.SU", {1: "A0", 2: "A1"}), Frame(2, "run.01", {1: "SU", 3: "A1"})]
    sentence = [Annotated([0, 1, 1], ["root", "obj", "obj"], frames)]
    assert scored(sentence, sentence, "conll08", scorer="conll08")["Semantic"].gold == 2
    assert scored(sentence, sentence, "conll08", scorer="conll09")["Semantic"].gold == 6


def test_a_marked_predicate_without_a_sense_is_none() -> None:
    text = text_of([GOLD])
    system = text.replace("\teat.02\t", "\t_\t")
    scores = evaluate(from_text(text, "conll09"), from_text(system, "conll09"))
    assert counts(scores["Predicates"]) == (2, 1, 1)
    assert counts(scores["Arguments"]) == (5, 3, 3)


@pytest.mark.parametrize("year", [2009, 2008])
@pytest.mark.parametrize("seed", range(30))
def test_random_output_scores_as_in_the_official_scorers(seed: int, year: int) -> None:
    random = Random(seed)
    gold = [FIRST, *(random_sentence(random, random.randint(1, 7)) for _ in range(random.randint(0, 12)))]
    system = [changed(sentence, random) for sentence in gold]
    n = official_counts(gold, system, year)
    scores = scored(gold, system, f"conll{year % 100:02}", scorer=f"conll{year % 100:02}", layer="semantics")
    for name, kind in (("Predicates", "prop"), ("Arguments", "arg")):
        assert counts(scores[name]) == (n[f"tot_{kind}"], n[f"pred_{kind}"], n[f"corl_{kind}"])
        assert counts(scores[f"{name}-unlabelled"]) == (n[f"tot_{kind}"], n[f"pred_{kind}"], n[f"coru_{kind}"])
    assert counts(scores["Propositions"]) == (n["tot_prop"], n["pred_prop"], n["full_corl_prop"])
    assert counts(scores["SEM"]) == (n["tot_sent"], n["tot_sent"], n["cor_sent"])
    for suffix, letter, attached in (("", "l", "both"), ("-unlabelled", "u", "head")):
        correct = n[f"cor{letter}_prop"] + n[f"cor{letter}_arg"]
        sizes = n["tot_prop"] + n["tot_arg"], n["pred_prop"] + n["pred_arg"]
        assert counts(scores[f"Semantic{suffix}"]) == (*sizes, correct)
        las = 100 * n[attached] / n["tot"]
        recall, precision = ((las + (100 * correct / size if size else 0)) / 2 for size in sizes)
        macro = scores[f"Macro{suffix}"]
        assert (macro.precision, macro.recall) == pytest.approx((precision, recall))


@pytest.mark.parametrize("seed", range(20))
def test_crossing_pairs_of_a_layer_are_those_of_its_graphs(seed: int) -> None:
    random = Random(seed)
    gold = [random_sentence(random, random.randint(4, 9)) for _ in range(5)]
    system = [changed(sentence, random) for sentence in gold]
    graphs = [
        [
            DependencyGraph(
                len(sentence.heads),
                [
                    (frame.position, word, role)
                    for frame in sentence.frames
                    for word, roles in frame.fields.items()
                    for role in set(roles.split("|"))
                    if word != frame.position
                ],
            )
            for sentence in side
        ]
        for side in (gold, system)
    ]
    scores = scored(gold, system)
    assert counts(scores["Crossing"]) == counts(crossing_pairs(*graphs))
    assert counts(scores["Crossing-unlabelled"]) == counts(crossing_pairs(*graphs, labelled=False))
    assert scores["Crossing-unlabelled"].gold > 0


def test_a_predicate_can_be_its_own_argument() -> None:
    one = [Annotated([0, 1], ["root", "obj"], [Frame(1, "loss.01", {1: "A1", 2: "A0"})])]
    two = [Annotated([0, 1], ["root", "obj"], [Frame(1, "loss.01", {2: "A0"})])]
    assert counts(scored(one, two)["Arguments"]) == (2, 1, 1)
    assert counts(scored(one, one)["Propositions"]) == (1, 1, 1)


def test_words_that_are_split_differently_are_errors_of_their_arcs() -> None:
    gold = text_of([GOLD])
    rows = [line.split("\t") for line in gold.splitlines() if line]
    rows[3][1:2] = ["w"]
    rows.insert(4, [*rows[3]])
    rows[4][1], rows[4][12:14] = "4", ["_", "_"]
    for number, row in enumerate(rows, 1):
        row[0] = str(number)
        row[8] = row[9] = {"5": "6"}.get(row[8], row[8])
    scores = evaluate(from_text(gold, "conll09"), from_text("\n".join(map("\t".join, rows)) + "\n\n", "conll09"))
    assert counts(scores["Words"]) == (5, 6, 4)
    assert scores.semantic_f1 == 100.0  # no arc has an end in the word that is split
    assert counts(scores["SEM"]) == (1, 1, 0)


def test_layers() -> None:
    gold = from_text(text_of([GOLD]), "conll09")
    everything = evaluate(gold, gold)
    assert {"LAS", "Semantic", "Macro"} <= set(everything.table)
    assert "Semantic" not in evaluate(gold, gold, layer="syntax").table
    semantics = evaluate(gold, gold, layer="semantics")
    assert "LAS" not in semantics.table
    assert semantics.macro_f1 == 100.0
    with pytest.raises(KeyError, match="LAS was not scored"):
        semantics.las  # noqa: B018
    with pytest.raises(ValueError, match="layer must be one of 'syntax', 'semantics', 'enhanced', not 'colour'"):
        evaluate(gold, gold, layer="colour")
    with pytest.raises(ValueError, match="scorer must be one of 'conll09', 'conll08', not 'srl'"):
        evaluate(gold, gold, scorer="srl")
    with pytest.raises(mp.MultiplaneError, match="CoNLL-2009 has no enhanced dependencies"):
        evaluate(gold, gold, layer="enhanced")
    empty = from_text(text_of([Annotated([0], ["root"], [])]), "conll09")
    assert "Semantic" not in evaluate(empty, empty).table
    with pytest.raises(mp.MultiplaneError, match="no predicates to score"):
        evaluate(empty, empty, layer="semantics")


def test_semantics_without_trees() -> None:
    text = text_of([GOLD])
    without = "".join(
        "\t".join([*row[:8], "_", "_", "_", "_", *row[12:]]) + "\n" if (row := line.split("\t"))[1:] else "\n"
        for line in text.splitlines()
    )
    scores = evaluate(from_text(without, "conll09"), from_text(text, "conll09"))
    assert scores.semantic_f1 == 100.0
    assert not {"LAS", "Macro"} & set(scores.table)


def test_every_score_has_a_name_of_its_own() -> None:
    system = [changed(sentence, Random(1)) for sentence in [GOLD, GOLD]]
    scores = scored([GOLD, GOLD], system, layer="semantics")
    names = {name: getattr(Scores, name) for name in dir(Scores) if isinstance(getattr(Scores, name), property)}
    named = []
    for name in names:
        with suppress(KeyError):  # a score of another layer
            named.append(getattr(scores, name))
    assert sorted(named) == sorted(score.f1 for score in scores.table.values())


def test_nothing_found_and_nothing_to_find() -> None:
    nothing = Annotated(GOLD.heads, GOLD.labels, [])
    scores = scored([GOLD], [nothing], layer="semantics")
    assert counts(scores["Semantic"]) == (7, 0, 0)
    assert scores.semantic_f1 == 0.0
    assert scores["Macro"].recall == 50.0


def test_macro_is_the_mean() -> None:
    one, two = Score(4, 4, 2), Score(4, 2, 2)
    macro = Macro.of(one, two)
    assert (macro.precision, macro.recall, macro.gold) == (75.0, 50.0, 8)
    assert Macro.of(Score(0, 0, 0), Score(0, 0, 0)).f1 == 0.0


def test_every_role_and_scorer_is_in_the_random_texts() -> None:
    assert set(SCORERS) == {"conll09", "conll08"}
    texts = text_of([random_sentence(Random(seed), 7) for seed in range(30)])
    assert all(f"\t{role}" in texts for role in ROLES)


@pytest.mark.skipif(not DEV.exists(), reason="no treebank")
def test_a_whole_treebank_takes_less_than_a_second() -> None:
    gold, system = mp.read(DEV), mp.read(DEV)
    start = time.process_time()
    scores = evaluate(gold, system, layer="semantics")
    assert time.process_time() - start < 1
    assert (scores["Predicates"].gold, scores["Arguments"].gold) == (4977, 9681)
    assert {score.f1 for score in scores.table.values()} == {100.0}
