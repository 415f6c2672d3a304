"""`/api/draw`: a sentence as SVG, TikZ or text."""

from __future__ import annotations

from functools import partial
from inspect import signature
from typing import Any

from multiplane.formats import Sentence
from multiplane.server.endpoints import Call, Drawn, Endpoint
from multiplane.server.problems import RequestError
from multiplane.server.schema import Flag, ListOf, Object, OneOf, Text, Whole
from multiplane.server.sentences import corpus_of_request
from multiplane.visual import DRAWN_LAYERS, drawing_of, svg, text, tikz

_RENDERERS = {"svg": svg, "tikz": tikz, "text": text}
_TYPES = {"svg": "image/svg+xml", "tikz": "text/plain", "text": "text/plain"}


async def draw(call: Call) -> Drawn:
    """Draws one of the given sentences."""
    return await call.service.in_thread(lambda: drawn(call.fields, call.service.limits.words))


def drawn(fields: dict[str, Any], words: int) -> Drawn:
    r"""Returns a drawing; `words` is the length of the longest sentence that is accepted.

    >>> drawn({"conllu": "1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n", "format": "text"}, 10).media_type
    'text/plain'
    """
    kind = fields["format"]
    sentence = _sentence(fields, "conllu", words)
    gold = _sentence(fields, "gold", words) if "gold" in fields else None
    given: dict[str, Any] = {name: fields[name] for name in ("rtl", "interactive") if name in fields}
    drawing = _knowing(drawing_of, given)(
        sentence, layer=fields.get("layer", "syntax"), highlight=_pairs(fields.get("highlight", [])), gold=gold
    )
    return Drawn(_knowing(_RENDERERS[kind], given)(drawing), _TYPES[kind])


def _sentence(fields: dict[str, Any], name: str, words: int) -> Sentence:
    corpus = corpus_of_request(fields[name], words=words)
    number = fields.get("sentence", 0)
    if number >= len(corpus):
        raise RequestError(422, f"there is no sentence {number} in '{name}', which has {len(corpus)}, counted from 0")
    found: Sentence = corpus[number]
    return found


def _pairs(arcs: list[list[int]]) -> list[tuple[int, int]]:
    if any(len(arc) != 2 for arc in arcs):
        raise RequestError(400, "'highlight' must be a list of pairs: head, dependent")
    return [(head, dependent) for head, dependent in arcs]


def _knowing(function: Any, options: dict[str, Any]) -> Any:
    """Returns a function with those of the options that it has."""
    known = signature(function).parameters
    return partial(function, **{name: value for name, value in options.items() if name in known})


DRAW = Endpoint(
    "/api/draw",
    "Draw a sentence, with arcs coloured by plane.",
    draw,
    tuple(dict.fromkeys(_TYPES.values())),
    Object(
        {
            "conllu": Text("Sentences in any CoNLL format."),
            "sentence": Whole("The index of the sentence, from 0.", least=0),
            "format": Text("What to draw.", choices=tuple(_RENDERERS)),
            "layer": Text("The layer to draw.", choices=DRAWN_LAYERS),
            "highlight": ListOf(ListOf(Whole(least=0)), "Arcs to make bold: pairs of head and dependent."),
            "gold": Text("Another analysis of the same words; differences in heads and labels are marked."),
            "rtl": OneOf((Text(choices=("auto",)), Flag()), "Whether to draw the words from right to left."),
            "interactive": Flag("Whether arcs and words of an SVG can be focused."),
        },
        required=("conllu", "format"),
    ),
)
