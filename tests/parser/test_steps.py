"""A parser's derivation step by step: its scores, and how it goes on after transitions chosen by hand."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text
from multiplane.models import LinearModel
from multiplane.systems import TransitionSystem, interpreter
from multiplane.systems.walk import walk
from small_parsers import SMALL_NETWORK, trained, treebank

SAMPLE = mp.sample()
FRAMES = mp.sample("conll09")


def _linear(system: str, **settings: Any) -> Callable[[], mp.Parser]:
    return lambda: mp.train(SAMPLE, **{"system": system, "epochs": 1, **settings})


PARSERS: dict[str, Callable[[], mp.Parser]] = {
    "2-planar-eager, beam": _linear("2-planar-eager", beam=8),
    "2-planar, greedy": _linear("2-planar", beam=1),
    "arc-eager, root": _linear("arc-eager", root="left", beam=1),
    "arc-hybrid, several roots": _linear("arc-hybrid", root="right", single_root=False, beam=4),
    "pseudo-projective": _linear("arc-eager", pseudo_projective="head", beam=1),
    "undirected": _linear("undirected-2-planar", root="none", beam=1),
    "undirected, root, beam": _linear("undirected-planar", root="left", reconstruction="label-strict", beam=4),
    "undirected, naive": _linear("undirected-covington", root="right", reconstruction="naive", beam=1),
    "covington": _linear("covington", beam=1),
    "swap": _linear("swap", beam=1),
    "easy-first": _linear("easy-first", beam=1),
    "easy-first, beam": _linear("easy-first", beam=4),
    "kernel": _linear("planar", learner="libsvm", features="planar", split="buffer[0].upos"),
    "neural": lambda: mp.load("en"),
    "joint": lambda: mp.train(FRAMES, task="joint", epochs=1, **SMALL_NETWORK),
    "joint, linear": lambda: mp.train(FRAMES, task="joint", model="linear", epochs=1),
}


@cache
def parser_of(name: str) -> mp.Parser:
    return PARSERS[name]()


@pytest.fixture(params=PARSERS)
def parser(request: pytest.FixtureRequest) -> mp.Parser:
    return parser_of(request.param)


def sentences(parser: mp.Parser, most: int = 12) -> list[mp.Sentence]:
    return list(SAMPLE if parser.model.graph_layer is None else FRAMES)[:most]


def transitions(steps: Any) -> list[str]:
    return [step.transition for step in steps.rows[1:]]


def plain(transition: str) -> str:
    """A transition without its label, but with its parameter."""
    name, bracket, inside = transition.partition("(")
    number = inside.rstrip(")").partition(",")[0]
    return f"{name}({number})" if bracket and number.isdigit() else name


def test_the_steps_are_the_derivation_with_all_that_was_legal(parser: mp.Parser):
    for sentence in sentences(parser):
        steps = parser.steps(sentence)
        assert transitions(steps) == [str(action) for action in parser.derivation(sentence)]
        configurations = [c for _, c in walk(steps.system, len(sentence), transitions(steps))]
        assert [set(configurations[-1].built())] == [set(steps.arcs)]
        assert steps.complete
        for step, c in zip(steps.rows, [steps.system.initial(len(sentence)), *configurations], strict=True):
            assert [plain(option.transition) for option in step.legal] == c.legal()
            assert (list(map(list, step.stacks)), list(step.buffer)) == (c.stacks, c.buffer)
            assert not step.by_hand


def test_what_was_taken_is_among_what_was_legal_with_its_label(parser: mp.Parser):
    for sentence in sentences(parser):
        steps = parser.steps(sentence)
        for before, step in zip(steps.rows, steps.rows[1:], strict=False):
            assert step.transition in [option.transition for option in before.legal]


def test_a_greedy_parser_takes_what_scores_best(parser: mp.Parser):
    for sentence in sentences(parser):
        steps = parser.steps(sentence, beam=1)
        for before, step in zip(steps.rows, steps.rows[1:], strict=False):
            score = {option.transition: option.score for option in before.legal}
            assert score[step.transition] == max(score.values())


@pytest.mark.parametrize("name", ["2-planar-eager, beam", "undirected, root, beam", "easy-first, beam", "neural"])
def test_the_scores_along_a_beams_derivation_add_up_to_its_score(name: str):
    parser = parser_of(name)
    for sentence in sentences(parser):
        steps = parser.steps(sentence, beam=6)
        total = 0.0
        for before, step in zip(steps.rows, steps.rows[1:], strict=False):
            taken = next(option for option in before.legal if option.transition == step.transition)
            total += taken.score + (taken.label_score or 0)
        score = parser.model.parse(from_text(sentence_text(sentence)), 6).scores[0]
        assert total == pytest.approx(score, rel=1e-5, abs=1e-4)


def sentence_text(sentence: mp.Sentence) -> str:
    return "\n".join(line for line in sentence.lines if line[:1].isdigit()) + "\n"


def test_a_prefix_of_the_greedy_derivation_leads_to_the_same(parser: mp.Parser):
    for sentence in sentences(parser, 3):
        alone = parser.steps(sentence, beam=1)
        taken = transitions(alone)
        for length in {1, len(taken) // 3, len(taken) // 2, len(taken)}:
            steps = parser.steps(sentence, taken[:length], beam=1)
            assert transitions(steps) == taken
            assert [step.legal for step in steps.rows] == [step.legal for step in alone.rows]
            assert [step.by_hand for step in steps.rows] == [0 < step.number <= length for step in steps.rows]


def test_a_prefix_without_labels_gets_those_of_the_model(parser: mp.Parser):
    for sentence in sentences(parser, 3):
        taken = transitions(parser.steps(sentence, beam=1))
        assert transitions(parser.steps(sentence, list(map(plain, taken)), beam=1)) == taken


def test_after_any_prefix_the_parser_comes_to_an_end(parser: mp.Parser):
    rng = random.Random(3)
    for sentence in sentences(parser, 4):
        c, prefix = parser.model.system.initial(len(sentence)), []
        while not c.is_terminal and len(prefix) < len(sentence):
            prefix.append(rng.choice(c.legal()))
            c = c.apply(prefix[-1])
        steps = parser.steps(sentence, prefix)
        assert [plain(each) for each in transitions(steps)][: len(prefix)] == prefix
        assert steps.complete


# One feature that never changes, so that the score of a transition is its weight, whatever the configuration.
CONSTANT = 'templates.transition = ["{0}"]\ntemplates.label = ["{0}"]\n'


def preferring(system: str, folder: Path, seed: int, **settings: Any) -> tuple[LinearModel, dict[str, int]]:
    """A model whose scores are known, and these by transition."""
    constant = "active" if mp.systems[system].stacks == 1 else "size(aside)"
    (folder / "constant.toml").write_text(CONSTANT.format(constant))
    model = trained(SAMPLE, system=system, features=str(folder / "constant.toml"), epochs=1, **settings).model
    assert isinstance(model, LinearModel)
    weights = np.random.default_rng(seed).permutation(np.arange(-3, len(model.system.names) - 3)).astype(np.int16) * 256
    no_labels = np.zeros_like(model.weights.label_weights)
    model = replace(model, weights=model.weights._replace(weights=weights, label_weights=no_labels))
    return model, dict(zip(model.system.names, weights.tolist(), strict=True))


def states(system: TransitionSystem, n: int) -> Iterator[tuple[list[str], interpreter.State]]:
    """One way to every state of the pure interpreter, and the state."""
    start = interpreter.initial(system, n)
    waiting, seen = [([], start)], {start}
    while waiting:
        prefix, state = waiting.pop()
        yield prefix, state
        for name in interpreter.legal(system, state):
            after = interpreter.apply(system, state, name)
            if after not in seen:
                seen.add(after)
                waiting.append(([*prefix, name], after))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("system", "settings"),
    [
        ("2-planar", {}),
        ("2-planar-eager", {}),
        ("arc-eager", {"root": "left"}),
        ("swap", {}),
        ("covington", {}),
        ("undirected-planar", {"root": "right"}),
    ],
)
def test_from_every_configuration_it_goes_on_as_its_weights_say(
    system: str, settings: dict[str, Any], seed: int, tmp_path: Path
):
    model, preference = preferring(system, tmp_path, seed, **settings)
    parser, sentence = mp.Parser(model), treebank([[0, 1, 2]])[0]
    for prefix, start in states(model.system, 3):
        steps = parser.steps(sentence, prefix, beam=1)
        state, expected = start, list(prefix)
        for number, row in enumerate(steps.rows[len(prefix) :], len(prefix)):
            legal = interpreter.legal(model.system, state)
            assert [(plain(each.transition), each.score) for each in row.legal] == [(t, preference[t]) for t in legal]
            if interpreter.is_terminal(model.system, state):
                assert number == len(steps.rows) - 1
                break
            expected.append(max(legal, key=lambda name: preference[name]))
            state = interpreter.apply(model.system, state, expected[-1])
        assert [plain(each) for each in transitions(steps)] == expected


class BestSums:
    """The greatest sum of weights on any way from a state to a terminal one, by trying all."""

    def __init__(self, system: TransitionSystem, preference: dict[str, int]) -> None:
        self.system, self.preference = system, preference
        self.known: dict[interpreter.State, int] = {}

    def of(self, state: interpreter.State) -> int:
        if interpreter.is_terminal(self.system, state):
            return 0
        if state not in self.known:
            self.known[state] = max(
                self.preference[name] + self.of(interpreter.apply(self.system, state, name))
                for name in interpreter.legal(self.system, state)
            )
        return self.known[state]


@pytest.mark.parametrize("system", ["2-planar", "arc-hybrid", "swap"])
def test_a_wide_beam_finds_the_best_way_on_from_every_configuration(system: str, tmp_path: Path):
    model, preference = preferring(system, tmp_path, 1)
    parser, sentence = mp.Parser(model), treebank([[0, 1, 2]])[0]
    best = BestSums(model.system, preference)
    for prefix, state in states(model.system, 3):
        steps = parser.steps(sentence, prefix, beam=500)
        rest = transitions(steps)[len(prefix) :]
        assert sum(preference[plain(name)] for name in rest) == best.of(state)


def test_a_neural_parser_has_probabilities(parser: mp.Parser):
    is_neural = parser.model.kind in ("neural", "joint")
    for sentence in sentences(parser, 3):
        for step in parser.steps(sentence).rows[:-1]:
            if is_neural:
                assert sum(option.probability for option in step.legal) == pytest.approx(1, abs=1e-5)
                assert all(np.exp(each.score) == pytest.approx(each.probability, abs=1e-6) for each in step.legal)
            else:
                assert all(option.probability is None for option in step.legal)


def test_scores_that_were_trained_with_a_margin_are_not_called_probabilities():
    model = parser_of("neural").model
    other = model.with_record(replace(model.record, settings={**model.record.settings, "loss": "margin"}))
    legal = mp.Parser(other).steps(SAMPLE[0]).rows[3].legal
    assert all(option.probability is None and option.score <= 0 for option in legal)


# Costs.


@pytest.mark.parametrize("name", ["2-planar, greedy", "arc-eager, root", "pseudo-projective", "undirected", "neural"])
def test_costs_are_those_of_the_dynamic_oracle_for_what_is_to_be_built(name: str):
    parser = parser_of(name)
    oracle = mp.oracle(parser.model.system, dynamic=True)
    for sentence in sentences(parser, 5):
        steps, gold = parser.steps(sentence, gold=sentence), parser.target(sentence)
        assert steps.no_costs is None
        c = steps.system.initial(len(sentence))
        for row, (_, after) in zip(steps.rows, walk(steps.system, gold.n, transitions(steps)), strict=False):
            assert {plain(option.transition): option.cost for option in row.legal} == oracle.costs(c, gold)
            c = after


@pytest.mark.parametrize("name", ["swap", "easy-first"])
def test_a_system_without_a_dynamic_oracle_says_why_there_are_no_costs(name: str):
    steps = parser_of(name).steps(SAMPLE[0], gold=SAMPLE[0])
    assert steps.no_costs.startswith(f"{name} has no dynamic oracle")
    assert all(option.cost is None for row in steps.rows for option in row.legal)


# What cannot be done.


@pytest.mark.parametrize(
    ("prefix", "says"),
    [
        (["REDUCE"], "step 1: REDUCE is not legal here: the active stack is empty; legal here: SHIFT"),
        (["SHIFT", "NOTHING"], "step 2: 'NOTHING' is not a transition of 2-planar; it has SHIFT, REDUCE"),
        ([""], "step 1: '' is not a transition"),
        (["SHIFT(nsubj)"], "step 1: 'SHIFT.nsubj.': SHIFT builds no arc, so it takes no label"),
        (["SHIFT", "LEFT-ARC(no such label)"], "step 2: the model has no label 'no such label'; give one of"),
        (["SHIFT", "LEFT-ARC("], r"step 2: 'LEFT-ARC\(' is not a transition"),
        (["SHIFT", "left-arc"], "step 2: 'left-arc' is not a transition"),
        (["SHIFT", "SWITCH", "SWITCH"], "step 3: SWITCH is not legal here: another transition must come first"),
        ([None], "step 1: 'None' is not a transition"),
        (["SHIFT\x1b[2J"], "step 1: "),
    ],
)
def test_a_wrong_prefix_is_refused_with_the_number_of_its_step(prefix: list[Any], says: str):
    with pytest.raises(mp.TransitionError, match=says):
        parser_of("2-planar, greedy").steps(SAMPLE[0], prefix)


def test_a_prefix_cannot_go_beyond_the_end(parser: mp.Parser):
    sentence = sentences(parser)[0]
    taken = transitions(parser.steps(sentence))
    with pytest.raises(mp.TransitionError, match=f"step {len(taken) + 1}: .*nothing: the configuration is final"):
        parser.steps(sentence, [*taken, taken[0]])


def refusal(act: Callable[[], object]) -> str | None:
    """What a transition is refused with, if it is."""
    try:
        act()
    except mp.TransitionError as error:
        return str(error)
    return None


def test_random_prefixes_are_followed_or_refused_like_the_system_does(parser: mp.Parser):
    rng = random.Random(5)
    names = [name for name, t in parser.model.system.transitions.items() if not t.parametrized]
    sentence = sentences(parser)[1]
    for _ in range(60):
        prefix = rng.choices(names, k=rng.randint(1, 6))
        expected = refusal(lambda prefix=prefix: list(walk(parser.model.system, len(sentence), prefix)))
        assert refusal(lambda prefix=prefix: parser.steps(sentence, prefix).rows) == expected


def test_the_native_core_refuses_what_python_would_have(parser: mp.Parser):
    model, corpus = parser.model, from_text(sentence_text(SAMPLE[0]))
    columns, beams = model._columns(corpus.dialect), (1, 4)
    for chosen, beam in product([[(99, 0, [])], [(-1, 0, [])], [(0, -1, [])], [(0, 0, [99_999])]], beams):
        with pytest.raises(ValueError, match="no such"):
            model._parser.scored_derivation(corpus._text, corpus._index, columns, beam, chosen)
    for beam in beams:
        with pytest.raises(ValueError, match="a transition that is not legal"):
            model._parser.scored_derivation(corpus._text, corpus._index, columns, beam, [(0, 0, [])] * 99)
    two = Corpus.from_columns(forms=[["a"], ["b"]])
    with pytest.raises(ValueError, match="one sentence"):
        model._parser.scored_derivation(two._text, two._index, columns, 1, [])


def test_sentences_of_one_word_and_of_none_that_is_known():
    parser = parser_of("neural")
    assert transitions(parser.steps(Corpus.from_columns(forms=[["Go"]])[0])) == ["SHIFT"]
    assert parser.steps(Corpus.from_columns(forms=[["ʘ"] * 30])[0]).complete


def test_a_model_that_needs_tags_says_so():
    with pytest.raises(mp.ModelError, match="has no tags, but this model needs them"):
        parser_of("2-planar, greedy").steps(Corpus.from_columns(forms=[["Go", "on"]])[0])


def test_gold_needs_heads_and_as_many_words():
    parser = parser_of("neural")
    with pytest.raises(mp.FormatError, match="word 1 has no head"):
        parser.steps(SAMPLE[0], gold=Corpus.from_columns(forms=[["a"] * len(SAMPLE[0])])[0])
    with pytest.raises(mp.GraphError, match="the gold tree has 23 words, but the sentence has 6"):
        parser.steps(SAMPLE[0], gold=SAMPLE[1])


def test_graphs_beside_trees_have_no_scores():
    with pytest.raises(mp.ModelError, match="only the steps of syntax have scores"):
        parser_of("joint, linear").steps(FRAMES[0], layer="semantics")


def test_a_model_that_reads_trees_has_no_derivation_to_score():
    parser = mp.train(FRAMES, task="semantics", model="linear", epochs=1)
    with pytest.raises(mp.ModelError, match="reads trees from the input"):
        parser.steps(FRAMES[0])


def test_a_latent_variable_model_cannot_score_one_layer():
    parser = mp.train(FRAMES, model="latent", epochs=1, units=8)
    with pytest.raises(mp.ModelError, match="decides on trees and graphs together"):
        parser.steps(FRAMES[0])


def test_a_derivation_can_be_too_long_to_be_shown():
    with pytest.raises(mp.TransitionError, match="the derivation has more than 3 steps; give a shorter sentence"):
        parser_of("neural").steps(SAMPLE[0], most_steps=3)


def test_a_sentence_may_be_given_as_text():
    parser = mp.load("en")
    sentence = parser.parse("She can't leave.")[0]
    assert parser.derivation("She can't leave.") == parser.derivation(sentence)
    assert parser.steps("She can't leave.", ["SHIFT"]) == parser.steps(sentence, ["SHIFT"])
    for given, message in [("She left. He stayed.", "the text has 2 sentences"), (" ", "the text has 0 sentences")]:
        with pytest.raises(ValueError, match=message):
            parser.derivation(given)
        with pytest.raises(ValueError, match=message):
            parser.steps(given)
    for wrong, message in [(SAMPLE, r"a Sentence, such as corpus\[0\], or a text .*, not Corpus"), (7, "not int")]:
        with pytest.raises(TypeError, match=message):
            parser.derivation(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=message):
            parser.steps(wrong)  # type: ignore[arg-type]
    with pytest.raises(mp.ModelError, match="this model needs POS tags"):
        trained(SAMPLE, epochs=1).steps("She left.")
