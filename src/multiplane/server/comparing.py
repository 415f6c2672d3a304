"""`/api/compare`: scores of a system's output, or of a model, against a gold standard."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiplane.evaluation import Scores, evaluate
from multiplane.evaluation.pair import Pair
from multiplane.formats import Corpus
from multiplane.parser.results import How
from multiplane.server.endpoints import Call, Endpoint
from multiplane.server.parsing import FORMAT, MODEL
from multiplane.server.schema import ListOf, Object, Text, Whole
from multiplane.server.sentences import corpus_of_request


async def compare(call: Call) -> dict[str, Any]:
    """Compares two annotations of a text."""
    service, fields = call.service, call.fields
    words, form = service.limits.words, fields.get("format")
    gold = await service.in_thread(lambda: corpus_of_request(fields["gold"], form, words=words))
    if "system" in fields:
        system = await service.in_thread(lambda: corpus_of_request(fields["system"], form, words=words))
        return await service.in_thread(lambda: compared(gold, system))
    model = service.models.find(fields["model"])
    parsed = await service.parsed(model.parser, gold, How(predict=model.parser.model.predicted_columns))
    found = await service.in_thread(lambda: compared(gold, parsed))
    return found | {"system": parsed.to_bytes().decode()}


def compared(gold: Corpus, system: Corpus) -> dict[str, Any]:
    """Returns all scores, and the number of errors in each gold sentence.

    >>> from multiplane import sample
    >>> found = compared(sample(), sample())
    >>> found["scores"]["LAS"]["f1"], found["sentences"][0]
    (100.0, {'words': 6, 'wrong_heads': 0, 'wrong_labels': 0})
    """
    pair = Pair(gold, system)
    labels = pair.same(pair.labels)
    columns = (gold.lengths, _wrong(pair, pair.same_head), _wrong(pair, labels))
    names = ("words", "wrong_heads", "wrong_labels")
    return {
        "scores": _scores(evaluate(gold, system)),
        "sentences": [
            dict(zip(names, row, strict=True)) for row in zip(*(each.tolist() for each in columns), strict=True)
        ],
    }


def _wrong(pair: Pair, right: np.ndarray[Any, np.dtype[np.bool_]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Returns the number of words in each gold sentence that are not right, or that the system does not have."""
    found = pair.gold.sentence_of[pair.gold_words[right]]
    return pair.gold.lengths - np.bincount(found, minlength=len(pair.gold))


def _scores(scores: Scores) -> dict[str, dict[str, float | int]]:
    return {
        name: {
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
            "gold": score.gold,
            "system": score.system,
            "correct": score.correct,
        }
        for name, score in scores.table.items()
    }


COMPARE = Endpoint(
    "/api/compare",
    "Score a system's output, or a model, against a gold standard of the same text.",
    compare,
    Object(
        {
            "scores": Object({}, open=True, about="Precision, recall, F1 in percent and counts, by name."),
            "sentences": ListOf(Object({"words": Whole(), "wrong_heads": Whole(), "wrong_labels": Whole()})),
            "system": Text("The model's output."),
        },
        required=("scores", "sentences"),
    ),
    Object(
        {
            "gold": Text("Gold sentences, in any CoNLL format."),
            "system": Text("The system's output for the same text."),
            "model": MODEL,
            "format": FORMAT,
        },
        required=("gold",),
        exactly_one=(("system", "model"),),
    ),
    whole_files=True,
)
