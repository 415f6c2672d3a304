"""Derivations as the web API gives them: what is asked for, what is answered, and what is refused."""

import json
import time
from typing import Any

import pytest

import multiplane as mp
from multiplane.errors import MultiplaneError, RequestContentError, UnknownModelError, UnknownSystemError
from multiplane.server import derivations
from multiplane.server.derivations import derivation

SAMPLE = mp.sample()
TEXT = SAMPLE.to_bytes().decode()
MODELS = {"en": mp.load("en"), "arcs": mp.train(SAMPLE, system="arc-standard", epochs=1, beam=1)}
KEYS = {"transition", "stacks", "active", "aside", "buffer", "new_arcs", "legal", "by_hand"}


def ask(**request: Any) -> dict[str, Any]:
    """The answer to a request, as a browser would get it."""
    return json.loads(json.dumps(derivation({"conllu": TEXT, **request}, MODELS)))


def taken(answer: dict[str, Any]) -> list[str]:
    return [step["transition"] for step in answer["steps"]]


@pytest.mark.parametrize("number", [0, 3, 40])
def test_the_answer_is_the_parsers_derivation(number: int):
    answer, sentence = ask(sentence=number, model="en"), SAMPLE[number]
    assert taken(answer) == ["", *map(str, MODELS["en"].derivation(sentence))]
    assert (answer["n"], answer["words"], answer["complete"]) == (len(sentence), sentence.forms, True)
    assert answer["system"] == "2-planar-eager"
    assert answer["title"] == "2-planar-eager.trees(no root, single root)"
    assert {(head, word, label) for head, word, label in answer["arcs"]} == set(MODELS["en"].graphs(sentence)[0].arcs)
    assert all(step.keys() == KEYS and not step["by_hand"] for step in answer["steps"])
    assert [arc for step in answer["steps"] for arc in step["new_arcs"]] == answer["arcs"]
    for step in answer["steps"][:-1]:
        assert sum(option["probability"] for option in step["legal"]) == pytest.approx(1, abs=1e-2)
        assert all(option.keys() == {"transition", "score", "probability"} for option in step["legal"])


def test_the_first_model_is_the_default():
    assert ask() == ask(model="en")


def test_what_is_chosen_by_hand_comes_first_and_the_parser_goes_on():
    answer = ask(transitions=["SHIFT", "SHIFT", "LEFT-ARC"], model="en")
    assert [step["by_hand"] for step in answer["steps"]][:5] == [False, True, True, True, False]
    assert taken(answer)[3].startswith("LEFT-ARC(")
    assert answer["complete"]
    assert ask(transitions=taken(answer)[1:4], model="en") == answer


def test_every_legal_transition_of_an_answer_can_be_chosen():
    answer = ask(model="arcs")
    for number, step in enumerate(answer["steps"]):
        for option in step["legal"]:
            chosen = [*taken(answer)[1 : number + 1], option["transition"]]
            assert taken(ask(model="arcs", transitions=chosen))[1 : number + 2] == chosen


def test_gold_adds_costs_or_says_why_there_are_none():
    with_costs = ask(gold=True)
    assert all("cost" in option for step in with_costs["steps"] for option in step["legal"])
    assert with_costs["notes"] == []
    without = ask(gold=True, model="arcs")
    assert all("cost" not in option for step in without["steps"] for option in step["legal"])
    assert without["notes"][0].startswith("arc-standard has no dynamic oracle")


@pytest.mark.parametrize("system", ["2-planar", "arc-standard", "swap", "covington", "undirected-2-planar", "planar"])
def test_a_system_follows_its_oracle(system: str):
    answer = ask(system=system, sentence=2)
    assert taken(answer)[1:] == mp.oracle(system).sequence(SAMPLE[2].graph)
    assert answer["undirected"] == system.startswith("undirected")
    assert all(option.keys() == {"transition"} for step in answer["steps"] for option in step["legal"])


def test_an_oracle_goes_on_if_it_can():
    answer = ask(system="arc-eager", transitions=["SHIFT", "SHIFT"], gold=True)
    assert (taken(answer)[:3], answer["complete"], answer["notes"]) == (["", "SHIFT", "SHIFT"], True, [])
    stopped = ask(system="arc-standard", transitions=["SHIFT", "SHIFT", "SHIFT", "RIGHT-ARC"])
    assert (len(stopped["steps"]), stopped["complete"]) == (5, False)
    assert stopped["notes"] == [
        "arc-standard has no dynamic oracle, so it cannot continue after transitions chosen by hand"
    ]


def test_other_layers_and_formats_can_be_derived():
    enhanced = ask(system="swap-graph", layer="enhanced", sentence=14)
    assert [3, 8, "conj:and>nsubj"] in enhanced["arcs"]
    frames = mp.sample("conll09").to_bytes().decode()
    assert ask(conllu=frames, format="conll09", system="swap-graph", layer="semantics")["complete"]


NO_HEADS = "1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n"
LONG = "".join(f"{i}\tGo\t_\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 302))


@pytest.mark.parametrize(
    ("request_", "kind", "says"),
    [
        ({}, RequestContentError, "'conllu' is missing"),
        ({"conllu": 1}, RequestContentError, "'conllu' must be a string"),
        ({"conllu": "1\tGo\n"}, mp.FormatError, "1: sentence 1: "),
        ({"conllu": ""}, RequestContentError, "there is no sentence 0; the text has 0"),
        ({"conllu": TEXT, "sentence": 65}, RequestContentError, "there is no sentence 65; the text has 65"),
        ({"conllu": TEXT, "sentence": -1}, RequestContentError, "there is no sentence -1"),
        ({"conllu": TEXT, "sentence": True}, RequestContentError, "'sentence' must be a whole number"),
        ({"conllu": TEXT, "gold": 1}, RequestContentError, "'gold' must be true or false"),
        ({"conllu": TEXT, "modle": "en"}, RequestContentError, "unknown field 'modle'; known: conllu, "),
        ({"conllu": TEXT, "model": "fr"}, UnknownModelError, "no model 'fr'; known models: en, arcs"),
        ({"conllu": TEXT, "system": "x"}, UnknownSystemError, "unknown system 'x'; known: arc-standard"),
        ({"conllu": TEXT, "system": "planar", "model": "en"}, RequestContentError, "not both"),
        ({"conllu": TEXT, "transitions": "SHIFT"}, RequestContentError, "'transitions' must be a list of strings"),
        ({"conllu": TEXT, "transitions": [1]}, RequestContentError, "'transitions' must be a list of strings"),
        ({"conllu": TEXT, "transitions": ["X" * 201]}, RequestContentError, "an item of more than 200 characters"),
        ({"conllu": TEXT, "transitions": ["SHIFT"] * 400_000}, RequestContentError, "has more than 333,333"),
        ({"conllu": TEXT, "transitions": ["REDUCE"]}, mp.TransitionError, "step 1: REDUCE is not legal here"),
        ({"conllu": TEXT, "system": "planar", "transitions": ["X"]}, mp.TransitionError, "step 1: 'X' is not"),
        ({"conllu": TEXT, "layer": "x"}, RequestContentError, "no layer 'x'; known layers: syntax"),
        ({"conllu": TEXT, "layer": "enhanced"}, mp.ModelError, "only the steps of syntax have scores"),
        ({"conllu": TEXT, "format": "x"}, mp.InputError, "unknown format 'x'"),
        ({"conllu": NO_HEADS, "system": "planar"}, mp.FormatError, "word 1 has no head"),
        ({"conllu": NO_HEADS, "model": "en", "gold": True}, mp.FormatError, "word 1 has no head"),
        ({"conllu": NO_HEADS, "model": "arcs"}, mp.ModelError, "has no tags"),
        ({"conllu": LONG}, RequestContentError, "the sentence has 301 words; derivations are shown for up to 300"),
    ],
    ids=lambda value: None,
)
def test_a_wrong_request_is_refused_in_plain_words(request_: dict[str, Any], kind: type[MultiplaneError], says: str):
    with pytest.raises(kind) as refused:
        derivation(request_, MODELS)
    assert says in str(refused.value)


def test_a_server_without_models_says_so():
    with pytest.raises(UnknownModelError, match="known models: none"):
        derivation({"conllu": TEXT}, {})


def test_a_derivation_of_quadratic_length_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(derivations, "MOST_NODES", 2_000)
    star = "".join(f"{i}\tGo\t_\tX\t_\t_\t{i > 1:d}\tdep\t_\t_\n" for i in range(1, 101))
    with pytest.raises(mp.TransitionError, match="the derivation has more than 20 steps"):
        derivation({"conllu": star, "system": "covington"}, {})
    with pytest.raises(mp.TransitionError, match="the derivation has more than 20 steps"):
        derivation({"conllu": star, "system": "covington", "transitions": ["SHIFT", "SHIFT"]}, {})


@pytest.mark.measures
@pytest.mark.parametrize(("words", "limit"), [(100, 0.3), (300, 1)])
def test_an_answer_is_quick(words: int, limit: float):
    forms = [form for sentence in SAMPLE for form in sentence.forms][:words]
    rows = [f"{i}\t{form}\t_\tX\t_\t_\t{i // 2}\tdep\t_\t_\n" for i, form in enumerate(forms, 1)]
    spent = []
    for _ in range(3):
        start = time.process_time()
        derivation({"conllu": "".join(rows), "gold": True}, MODELS)
        spent.append(time.process_time() - start)
    assert min(spent) < limit


def test_the_format_is_detected():
    rows = ["1\tShe\t_\t_\t_\t_\t_\t_\t2\t2\tsubj\tsubj\t_\t_", "2\tsings\t_\t_\t_\t_\t_\t_\t0\t0\troot\troot\t_\t_"]
    answer = derivation({"conllu": "\n".join(rows) + "\n\n", "system": "arc-eager"}, {})  # CoNLL-2009
    assert answer["arcs"] == [[2, 1, "subj"]]
