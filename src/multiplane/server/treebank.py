"""`/api/treebank`: where each sentence of a file is, and which classes it belongs to, by columns."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from multiplane.analysis.coverage import coverage_of, not_k_planar
from multiplane.formats import UNKNOWN_HEAD
from multiplane.formats.treebank import is_annotated
from multiplane.graphs import measure_heads
from multiplane.server.endpoints import Call, Endpoint
from multiplane.server.parsing import FORMAT
from multiplane.server.schema import ListOf, Object, Text, Whole
from multiplane.server.sentences import corpus_of_request

FLAGS = ("non-projective", "non-planar", "not-2-planar", "ill-nested", "not-a-tree", "without-heads")
"""What the bits of a sentence's flags mean, the lowest first."""
MOST_PROBLEMS = 1_000
"""How many broken sentences are listed; all are counted."""


async def treebank(call: Call) -> dict[str, Any]:
    """Analyses a file."""
    return await call.service.in_thread(lambda: analysed(call.body, call.fields.get("format")))


def analysed(text: bytes, format: str | None = None) -> dict[str, Any]:  # noqa: A002
    """Returns the place and the classes of each sentence, by columns; broken sentences are left out and listed.

    Words without a head count as roots.

    >>> from multiplane import sample
    >>> found = analysed(sample().to_bytes())
    >>> found["sentences"], found["totals"]["nonprojective"], found["flags"][:5]
    (65, 35, [1, 0, 3, 0, 3])
    """
    corpus = corpus_of_request(text, format, on_error="skip")
    index, lengths = corpus._index, corpus.lengths
    heads = np.where(corpus.heads == UNKNOWN_HEAD, 0, corpus.heads)
    measures = measure_heads(lengths, heads)
    outside = (
        measures.nonprojective,
        not_k_planar(1)(measures),
        not_k_planar(2)(measures),
        measures.ill_nested,
        np.bincount(corpus.sentence_of[heads == 0], minlength=len(corpus)) != 1,
        ~is_annotated(corpus),
    )
    flags = sum(mask.astype(np.int64) << bit for bit, mask in enumerate(outside))
    return {
        "format": corpus.dialect.name,
        "sentences": len(corpus),
        "words": corpus.words,
        "offset": index.start.tolist(),
        "length": (index.end - index.start).tolist(),
        "words_in": lengths.tolist(),
        "flags": np.asarray(flags).tolist(),
        "planarity": measures.planarity.tolist(),
        "gap_degree": measures.gap_degree.tolist(),
        "flag_names": list(FLAGS),
        "problems": [
            {"line": problem.line, "sent_id": problem.sent_id, "message": problem.what}
            for problem in corpus.problems[:MOST_PROBLEMS]
        ],
        "totals": asdict(coverage_of(measures, corpus.words)) | {"problems": len(corpus.problems)},
    }


_COLUMN = ListOf(Whole())
TREEBANK = Endpoint(
    "/api/treebank",
    "Find the sentences of a file and their classes. The body is the file, optionally compressed with gzip.",
    treebank,
    Object(
        {
            "format": Text(),
            "sentences": Whole(),
            "words": Whole(),
            "offset": ListOf(Whole(), "The offset of each sentence in the file, in bytes."),
            "length": ListOf(Whole(), "The length of each sentence in bytes."),
            "words_in": _COLUMN,
            "flags": ListOf(Whole(), "A bit set of the flags in `flag_names`, lowest bit first."),
            "planarity": ListOf(
                Whole(), "The minimal number of planes; 5 for more than 4, 0 for more than 2 but undecided."
            ),
            "gap_degree": _COLUMN,
            "flag_names": ListOf(Text()),
            "problems": ListOf(Object({"line": Whole(), "sent_id": Text(), "message": Text()})),
            "totals": Object({}, open=True, about="The number of sentences outside each class."),
        }
    ),
    query=Object({"format": FORMAT}),
)
