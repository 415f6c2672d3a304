"""Derivations step by step, for `POST /api/derivation`: with a parser's scores, or those of a system's oracle."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, get_args

from multiplane.analysis.steps import Steps, derivation_after, stepwise
from multiplane.analysis.trace import LegalTransition, Step
from multiplane.errors import RequestContentError, UnknownModelError
from multiplane.formats import UNKNOWN_HEAD, Sentence, read
from multiplane.formats.treebank import without_head
from multiplane.graphs import Layer, graph_of
from multiplane.oracles import StaticOracle
from multiplane.parser import Parser
from multiplane.server.sentences import detected
from multiplane.systems import systems

MOST_WORDS = 300
MOST_NODES = 2_000_000
"""The greatest number of words in all stacks and buffers of an answer; only a quadratic derivation has more."""
_LONGEST_TRANSITION = 200
_FIELDS: dict[str, tuple[type, str]] = {
    "conllu": (str, "a string"),
    "format": (str, "a string"),
    "sentence": (int, "a whole number"),
    "model": (str, "a string"),
    "system": (str, "a string"),
    "transitions": (list, "a list of strings"),
    "gold": (bool, "true or false"),
    "layer": (str, "a string"),
}


def derivation(request: Mapping[str, Any], models: Mapping[str, Parser]) -> dict[str, Any]:
    r"""Returns a derivation step by step, as plain data.

    With `model`, or neither `model` nor `system`, it is that of a parser; the first model is the default. With
    `system`, it is that of the system's oracle for the given tree. `transitions` are chosen by hand; the rest follows
    from there. Raises `UnknownModelError`, `UnknownSystemError` and other errors of the project for a request that
    cannot be answered.

    >>> tree = "1\tShe\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tsings\t_\t_\t_\t_\t0\troot\t_\t_\n"
    >>> answer = derivation({"conllu": tree, "system": "arc-eager", "gold": True}, {})
    >>> [step["transition"] for step in answer["steps"]], answer["arcs"], answer["complete"]
    (['', 'SHIFT', 'LEFT-ARC(nsubj)', 'SHIFT'], [[2, 1, 'nsubj']], True)
    >>> answer["steps"][1]["legal"]
    [{'transition': 'SHIFT', 'cost': 1}, {'transition': 'LEFT-ARC', 'cost': 0}, {'transition': 'RIGHT-ARC', 'cost': 1}]
    """
    _check(request)
    sentence = _sentence(request)
    if "system" in request:
        return _of_system(request, sentence)
    return _of_model(request, sentence, models)


def _of_model(request: Mapping[str, Any], sentence: Sentence, models: Mapping[str, Parser]) -> dict[str, Any]:
    name = request.get("model", next(iter(models), ""))
    try:
        parser = models[name]
    except KeyError:
        known = ", ".join(models) or "none"
        raise UnknownModelError(f"no model '{name}'; known models: {known}") from None
    gold = sentence if request.get("gold") else None
    prefix, layer, most = request.get("transitions", ()), request.get("layer", "syntax"), _most_steps(sentence)
    found = parser.steps(sentence, prefix, gold, layer, most_steps=most)
    return _answer(found, sentence, [found.no_costs])


def _of_system(request: Mapping[str, Any], sentence: Sentence) -> dict[str, Any]:
    system, layer, prefix = systems[request["system"]], request.get("layer", "syntax"), request.get("transitions", ())
    if layer == "syntax" and UNKNOWN_HEAD in sentence.heads:
        raise without_head(sentence)
    graph = graph_of(sentence, layer)
    most = _most_steps(sentence)
    derived = derivation_after(StaticOracle(system), graph, prefix, most_steps=most)
    gold = graph if request.get("gold") else None
    found = stepwise(system, len(sentence), derived.actions, gold=gold, by_hand=len(prefix), most_steps=most)
    stops = f"{system.name} has no dynamic oracle, so it cannot continue after transitions chosen by hand"
    return _answer(found, sentence, [found.no_costs, stops if prefix and not derived.complete else None])


def _most_steps(sentence: Sentence) -> int:
    return MOST_NODES // max(len(sentence), 1)


def _answer(found: Steps, sentence: Sentence, notes: list[str | None]) -> dict[str, Any]:
    return {
        "system": found.system.name,
        "title": found.system.title,
        "n": len(sentence),
        "words": sentence.forms,
        "steps": [_step(step) for step in found.rows],
        "arcs": [list(arc) for arc in found.arcs],
        "undirected": found.system.is_undirected,
        "complete": found.complete,
        "notes": [note for note in notes if note],
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "transition": step.transition,
        "stacks": list(map(list, step.stacks)),
        "active": step.active,
        "aside": list(step.aside),
        "buffer": list(step.buffer),
        "new_arcs": [list(arc) for arc in step.new_arcs],
        "legal": [_legal(option) for option in step.legal or ()],
        "by_hand": step.by_hand,
    }


def _legal(option: LegalTransition) -> dict[str, Any]:
    """Returns an option with its numbers in as many digits as anyone reads, and no negative zero."""
    items = option.as_dict().items()
    return {name: round(value, 4) + 0.0 if isinstance(value, float) else value for name, value in items}


def _check(request: Mapping[str, Any]) -> None:
    for name, value in request.items():
        if name not in _FIELDS:
            raise RequestContentError(f"unknown field '{name}'; known: {', '.join(_FIELDS)}")
        kind, wanted = _FIELDS[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise RequestContentError(f"'{name}' must be {wanted}")
    if "conllu" not in request:
        raise RequestContentError("'conllu' is missing; give the sentence as CoNLL text")
    if "model" in request and "system" in request:
        raise RequestContentError("give 'model', to follow a parser, or 'system', to follow its oracle, not both")
    if not all(isinstance(each, str) for each in request.get("transitions", ())):
        raise RequestContentError("'transitions' must be a list of strings")
    if any(len(each) > _LONGEST_TRANSITION for each in request.get("transitions", ())):
        raise RequestContentError(f"'transitions' has an item of more than {_LONGEST_TRANSITION} characters")
    layers = get_args(Layer)
    if request.get("layer", "syntax") not in layers:
        raise RequestContentError(f"no layer '{request['layer']}'; known layers: {', '.join(layers)}")


def _sentence(request: Mapping[str, Any]) -> Sentence:
    text: bytes = request["conllu"].encode(errors="surrogatepass")
    corpus = read(io.BytesIO(text), request.get("format") or detected(text))
    number = request.get("sentence", 0)
    if not 0 <= number < len(corpus):
        raise RequestContentError(f"there is no sentence {number}; the text has {len(corpus)}, counted from 0")
    sentence: Sentence = corpus[number]
    if len(sentence) > MOST_WORDS:
        raise RequestContentError(
            f"the sentence has {len(sentence):,} words; derivations are shown for up to {MOST_WORDS:,}"
        )
    if len(request.get("transitions", ())) > _most_steps(sentence):
        raise RequestContentError(f"'transitions' has more than {_most_steps(sentence):,} items")
    return sentence
