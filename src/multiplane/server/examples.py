"""`/api/sample`: the sample treebank, for those who have none at hand."""

from __future__ import annotations

from multiplane.data import sample_path
from multiplane.server.endpoints import Call, Drawn, Endpoint


async def sample(call: Call) -> Drawn:
    """Returns the sample treebank as CoNLL-U."""
    return Drawn(await call.service.in_thread(lambda: sample_path().read_text(encoding="utf-8")), "text/plain")


SAMPLE = Endpoint(
    "/api/sample",
    "A small treebank to try things out on: 65 sentences in ten languages, in CoNLL-U.",
    sample,
    ("text/plain",),
)
