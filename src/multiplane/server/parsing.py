"""`/api/parse` and `/api/models`."""

from __future__ import annotations

from typing import Any

from multiplane.formats import DIALECTS, Corpus, Sentence
from multiplane.parser.results import How
from multiplane.server.endpoints import Call, Endpoint
from multiplane.server.schema import Flag, ListOf, Number, Object, OneOf, Text, Whole
from multiplane.server.sentences import corpus_of_request, sentence_json

MOST_BEAM = 64
"""The widest beam, and the most trees of a sentence, that a request may ask for."""

_ARC = ListOf(OneOf((Whole(), Text())), "head, dependent, label")
_ARCS = ListOf(_ARC, nullable=True)
TOKEN = Object(
    {
        "id": Whole("The position of the word in the sentence, from 1."),
        "form": Text(),
        "lemma": Text(),
        "upos": Text(),
        "xpos": Text(),
        "feats": Text(),
        "head": Whole("0 for a root, null if unknown.", nullable=True),
        "deprel": Text(),
        "misc": Text(),
        "score": Number("The probability that head and label are correct."),
        "deps": Text("The enhanced heads and labels, as in the file."),
        "predicate": Text("The sense, if the word is a predicate; _ for one without a sense."),
        "roles": ListOf(ListOf(OneOf((Whole(), Text())), "predicate, role"), "The roles of the word."),
    },
    required=("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "misc"),
)
SENTENCE = Object(
    {
        "sent_id": Text(),
        "text": Text(),
        "conllu": Text("The sentence as written in a file."),
        "tokens": ListOf(TOKEN),
        "properties": Object(
            {
                "tree": Flag(),
                "projective": Flag(),
                "planar": Flag(),
                "planarity": Whole("The minimal number of planes; null if it takes too long to find.", nullable=True),
                "well_nested": Flag(),
                "gap_degree": Whole(),
                "crossings": Whole("The number of pairs of crossing arcs."),
                "nonprojective": ListOf(
                    ListOf(Whole()), "Arcs whose span contains a word that their head does not dominate."
                ),
            }
        ),
        "certificates": Object(
            {
                "crossing": ListOf(_ARC, "Two crossing arcs.", nullable=True),
                "odd_cycle": ListOf(
                    _ARC, "An odd cycle of arcs, each crossing the next: two planes are not enough.", nullable=True
                ),
                "ill_nested": OneOf(
                    (
                        ListOf(nullable=True),
                        Object(
                            {"roots": ListOf(Whole()), "words": ListOf(Whole())},
                            about="Two interleaving subtrees: their roots, and two words of each, alternating.",
                        ),
                    )
                ),
            }
        ),
        "planes": ListOf(ListOf(_ARC), "The arcs of each plane; arcs in the same plane do not cross."),
        "layers": ListOf(Text(choices=("syntax", "enhanced", "semantics"))),
        "score": Number("The probability that the whole tree is correct."),
        "alternatives": ListOf(
            Object(
                {"heads": ListOf(Whole()), "deprels": ListOf(Text()), "score": Number(nullable=True), "conllu": Text()}
            ),
            "The best trees, the best first.",
        ),
    },
    required=("sent_id", "text", "conllu", "tokens", "properties", "certificates", "planes", "layers"),
)
SENTENCES = ListOf(SENTENCE)
FORMAT = Text("The format of the sentences; detected by default.", choices=tuple(DIALECTS))
MODEL = Text("The name of a model; by default, the first one.")


async def models(call: Call) -> list[dict[str, Any]]:
    """Returns all models."""
    return [model.to_json() for model in call.service.models.served]


async def parse(call: Call) -> dict[str, Any]:
    """Parses a text, or sentences whose words are known."""
    service, fields = call.service, call.fields
    model = service.models.find(fields.get("model"))
    if "text" in fields:
        corpus = await service.tokenized(model.parser, fields["text"], lines=fields.get("presegmented", False))
    else:
        words = service.limits.words
        corpus = await service.in_thread(lambda: corpus_of_request(fields["conllu"], fields.get("format"), words=words))
    how = _how(fields, model.parser.model.beam)
    if how.best is not None:
        rows = await service.best(model.parser, corpus, how)
        found = await service.in_thread(lambda: [_with_alternatives(row, call) for row in rows])
    else:
        parsed = await service.parsed(model.parser, corpus, how)
        found = await service.in_thread(lambda: sentences_json(parsed, call))
    return {"model": model.name, "sentences": found}


def _how(fields: dict[str, Any], own_beam: int) -> How:
    best, beam = fields.get("best"), fields.get("beam")
    if best is not None and best > (beam or own_beam):
        beam = best
    return How(beam, fields.get("keep_heads", False), scores=fields.get("scores", False), best=best)


def sentences_json(corpus: Corpus, call: Call) -> list[dict[str, Any]]:
    """Returns the sentences of a corpus as JSON, as long as there is time."""
    found = []
    for sentence in corpus:
        call.deadline.check()
        found.append(sentence_json(sentence))
    return found


def _with_alternatives(row: list[Sentence], call: Call) -> dict[str, Any]:
    call.deadline.check()
    return sentence_json(row[0]) | {
        "alternatives": [
            {
                "heads": tree.heads,
                "deprels": tree.deprels,
                "score": tree.score,
                "conllu": tree.to_bytes().decode(),
            }
            for tree in row
        ]
    }


async def sentences(call: Call) -> dict[str, Any]:
    """Analyses given trees."""

    def analysed() -> list[dict[str, Any]]:
        words = call.service.limits.words
        return sentences_json(corpus_of_request(call.fields["conllu"], call.fields.get("format"), words=words), call)

    return {"sentences": await call.service.in_thread(analysed)}


MODELS = Endpoint(
    "/api/models",
    "The models of this server; the first is the default.",
    models,
    ListOf(
        Object(
            {
                "name": Text(),
                "title": Text(),
                "system": Text("The transition system."),
                "stacks": Whole(),
                "labels": Whole("The number of labels."),
                "predicts": ListOf(Text(), "The columns that it predicts."),
                "raw_text": Flag("Whether it parses plain text."),
                "licence": Text("The licence of the training data."),
                "scores": Object({}, open=True, about="Scores on development data, in percent."),
            }
        )
    ),
)
PARSE = Endpoint(
    "/api/parse",
    "Parse a text, or tokenized sentences.",
    parse,
    Object({"model": Text(), "sentences": SENTENCES}, required=("model", "sentences")),
    Object(
        {
            "model": MODEL,
            "text": Text("Plain text."),
            "conllu": Text("Sentences with one word per line, in any CoNLL format."),
            "format": FORMAT,
            "scores": Flag("Whether to return confidence scores for words and trees."),
            "best": Whole("The number of trees per sentence.", least=1, most=MOST_BEAM),
            "beam": Whole("The beam width; by default, the model's own.", least=1, most=MOST_BEAM),
            "keep_heads": Flag("Whether to keep existing heads and labels."),
            "presegmented": Flag("Whether each line of the text is one sentence."),
        },
        exactly_one=(("text", "conllu"),),
    ),
)
SENTENCES_ENDPOINT = Endpoint(
    "/api/sentences",
    "Analyse given trees without parsing: classes, proofs, planes.",
    sentences,
    Object({"sentences": SENTENCES}, required=("sentences",)),
    Object({"conllu": Text("Sentences in any CoNLL format."), "format": FORMAT}, required=("conllu",)),
)
