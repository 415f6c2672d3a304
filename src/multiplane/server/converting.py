"""`/api/convert`: sentences in another format."""

from __future__ import annotations

from typing import Any

from multiplane.formats import DIALECTS, convert
from multiplane.server.endpoints import Call, Endpoint
from multiplane.server.parsing import FORMAT
from multiplane.server.schema import Object, Text
from multiplane.server.sentences import corpus_of_request


async def converted(call: Call) -> dict[str, Any]:
    """Converts the given sentences."""

    def work() -> dict[str, Any]:
        fields = call.fields
        corpus = corpus_of_request(fields["conllu"], fields.get("format"), words=call.service.limits.words)
        text, lost = convert(corpus, DIALECTS[fields["to"]])
        return {"conllu": text.decode(), "lost": dict(lost)}

    return await call.service.in_thread(work)


CONVERT = Endpoint(
    "/api/convert",
    "Convert sentences to another format, and report what that format cannot hold.",
    converted,
    Object(
        {
            "conllu": Text("The sentences in the other format."),
            "lost": Object(
                {}, open=True, about="The number of items of each kind that were lost: comments, empty nodes, …"
            ),
        },
        required=("conllu", "lost"),
    ),
    Object(
        {
            "conllu": Text("Sentences in any CoNLL format."),
            "format": FORMAT,
            "to": Text("The format to convert to.", choices=tuple(DIALECTS)),
        },
        required=("conllu", "to"),
    ),
)
