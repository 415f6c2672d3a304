"""`/api/derivation`: how a parser, or a system's oracle, builds a tree step by step."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from multiplane.graphs import LAYERS
from multiplane.server.endpoints import Call, Endpoint
from multiplane.server.parsing import FORMAT, MODEL
from multiplane.server.problems import RequestError
from multiplane.server.schema import Flag, ListOf, Object, Text, Whole

_MODULE = "multiplane.server.derivations"


async def derive(call: Call) -> dict[str, Any]:
    """Derives one of the given sentences."""
    if find_spec(_MODULE) is None:
        raise RequestError(501, "this server does not offer derivations; use multiplane trace")
    derivation = import_module(_MODULE).derivation
    found: dict[str, Any] = await call.service.in_thread(lambda: derivation(call.fields, call.service.models))
    return found


DERIVATION = Endpoint(
    "/api/derivation",
    "Derive a sentence step by step, with a parser or a system's oracle.",
    derive,
    Object({"system": Text(), "n": Whole(), "steps": ListOf(Object({}, open=True))}, open=True),
    Object(
        {
            "conllu": Text("Sentences in any CoNLL format."),
            "format": FORMAT,
            "sentence": Whole("The index of the sentence, from 0.", least=0),
            "model": MODEL,
            "system": Text("A transition system, whose oracle derives the given tree, instead of a model."),
            "transitions": ListOf(Text(), "The first transitions, chosen by hand."),
            "gold": Flag("Whether to return the cost of each transition for the given tree."),
            "layer": Text("The layer to derive.", choices=LAYERS),
        },
        required=("conllu",),
    ),
)
