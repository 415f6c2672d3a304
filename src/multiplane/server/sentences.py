"""Sentences as JSON: their words, and all that is known of their trees, with proofs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import FormatError, PlanarityUndecidedError
from multiplane.formats import UNKNOWN_HEAD, Corpus, Sentence
from multiplane.formats.corpus import OnError, indexed
from multiplane.formats.dialects import DIALECTS, dialect_of
from multiplane.formats.fields import EMPTY
from multiplane.formats.surface import rebuilt_text
from multiplane.graphs import DependencyGraph, measure, nonprojective_words
from multiplane.graphs.arcs import Arc
from multiplane.server.problems import RequestError
from multiplane.text.detect import format_in

_COLUMNS = ("lemma", "upos", "xpos", "feats", "deprel", "misc")


def corpus_of_request(
    text: str | bytes,
    format: str | None = None,  # noqa: A002
    *,
    words: int | None = None,
    on_error: OnError = "fail",
) -> Corpus:
    r"""Reads the sentences of a request; `words` is the length of the longest one that is accepted.

    >>> corpus_of_request("1\tGo\t_\t_\t_\t_\t9\troot\t_\t_\n", words=10)
    Traceback (most recent call last):
    ...
    multiplane.errors.FormatError: <request>:1: sentence 1: HEAD 9 is outside the sentence, whose words are 1 to 1
    """
    data = text.encode() if isinstance(text, str) else text
    if format is not None and format not in DIALECTS:
        raise RequestError(422, f"unknown format '{format[:40]}'; known: {', '.join(DIALECTS)}")
    corpus = indexed(data, dialect_of(None, format or detected(data)), "<request>", on_error)
    if words is not None and len(corpus) and int(corpus.lengths.max()) > words:
        require_short(corpus, words)
    return corpus


def require_short(corpus: Corpus, words: int) -> None:
    """Raises `RequestError` for the first sentence that is longer than allowed."""
    for number in np.flatnonzero(corpus.lengths > words)[:1].tolist():
        sentence = corpus[number]
        raise RequestError(
            422,
            f"line {sentence.line}: {sentence.sent_id}: has {len(sentence):,} words, but this server accepts at most "
            f"{words:,}; split the sentence",
            line=sentence.line,
        )


def detected(text: bytes) -> str:
    r"""Returns the format of a text by the number of its columns; CoNLL-U if they do not tell.

    >>> detected(b"#SDP 2015\n#22\n1\tGo\tgo\tVB\t+\t+\tgo.01\n"), detected(b"1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n")
    ('sdp', 'conllu')
    """
    rows = (line for line in text[: 1 << 16].splitlines() if line.strip() and not line.startswith(b"#"))
    return format_in(text, next(rows, b""))


def sentence_json(sentence: Sentence) -> dict[str, Any]:
    """Returns one sentence as JSON.

    >>> from multiplane import sample
    >>> found = sentence_json(sample()[2])
    >>> found["properties"]["planarity"], found["certificates"]["crossing"]
    (2, [[2, 7, 'nmod'], [4, 10, 'punct']])
    """
    found: dict[str, Any] = {
        "sent_id": sentence.sent_id,
        "text": text_of(sentence),
        "conllu": _alone(sentence),
        "tokens": _tokens(sentence),
        **_structure(sentence),
        "layers": _layers(sentence),
    }
    score = sentence.score
    return found if score is None or not math.isfinite(score) else found | {"score": score}


def _alone(sentence: Sentence) -> str:
    """Returns the text of a sentence such that `detected` finds its format again."""
    header, text = sentence.corpus.dialect.header, sentence.to_bytes().decode()
    return f"{header}\n{text}" if header and not text.startswith(header) else text


def _tokens(sentence: Sentence) -> list[dict[str, Any]]:
    columns = {name: sentence.column(name) for name in _COLUMNS if name in sentence.corpus.dialect.columns}
    try:
        scores = sentence.scores if "misc" in columns else [None] * len(sentence)
    except FormatError:  # an attribute of the same name with another meaning
        scores = [None] * len(sentence)
    found = []
    for place, (form, head, score) in enumerate(zip(sentence.forms, sentence.heads, scores, strict=True)):
        token: dict[str, Any] = {"id": place + 1, "form": form}
        token |= {name: columns[name][place] if name in columns else EMPTY for name in _COLUMNS}
        token["head"] = None if head == UNKNOWN_HEAD else head
        found.append(token if score is None else token | {"score": score})
    for word, fields in _other_layers(sentence).items():
        found[word - 1] |= fields
    return found


def _other_layers(sentence: Sentence) -> dict[int, dict[str, Any]]:
    """Returns what layers beside the tree say about words; nothing about a layer that cannot be read."""
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    dialect = sentence.corpus.dialect
    if "deps" in dialect.columns:
        for word, deps in enumerate(sentence.deps, 1):
            if deps != EMPTY:
                found[word]["deps"] = deps
    if dialect.arguments:
        try:
            predicates, arcs = sentence.predicates, _arcs(sentence.semantics.arcs)
        except FormatError:  # a drawing of this layer says what is wrong with it
            return found
        for word, sense in predicates.items():
            found[word]["predicate"] = sense
        for predicate, word, role in arcs:
            if predicate:  # arcs from 0 mark tops
                found[word].setdefault("roles", []).append([predicate, role])
    return found


def _structure(sentence: Sentence) -> dict[str, Any]:
    """Returns the properties of the tree, their certificates, and its planes."""
    graph = sentence.graph
    measures = measure([graph])
    planar = int(measures.planarity[0]) == 1
    crossing = None if planar else graph.crossing()
    odd_cycle = None if planar else graph.odd_cycle()
    ill_nested = graph.ill_nesting() if measures.ill_nested[0] else None
    planes = _planes(graph, int(measures.planarity[0]))
    return {
        "properties": {
            "tree": graph.is_tree(),
            "projective": not measures.nonprojective[0],
            "planar": planar,
            "planarity": None if planes is None else len(planes),
            "well_nested": not measures.ill_nested[0],
            "gap_degree": int(measures.gap_degree[0]),
            "crossings": 0 if planar else crossings(*graph.ends),
            "nonprojective": _nonprojective(sentence) if measures.nonprojective[0] else [],
        },
        "certificates": {
            "crossing": None if crossing is None else _arcs(crossing),
            "odd_cycle": None if odd_cycle is None else _arcs(odd_cycle),
            "ill_nested": None
            if ill_nested is None
            else {"roots": list(ill_nested[:2]), "words": list(ill_nested[2:])},
        },
        "planes": [sorted(_arcs(plane)) for plane in (planes or [set(graph.word_arcs)])],
    }


def _planes(graph: DependencyGraph, measured: int) -> list[set[Arc]] | None:
    """Returns as few planes as possible; None if finding them takes too long, as it did when they were counted."""
    if measured == 0:
        return None
    try:
        return graph.planes()
    except PlanarityUndecidedError:
        return None


def crossings(heads: NDArray[np.int32], dependents: NDArray[np.int32]) -> int:
    """Returns how many pairs of arcs cross, without listing them: there can be very many.

    >>> crossings(np.array([1, 2, 3], np.int32), np.array([4, 5, 6], np.int32))
    3
    """
    left, right = np.minimum(heads, dependents), np.maximum(heads, dependents)
    order = np.lexsort((right, left))
    left, right = left[order], right[order]
    return sum(
        int(np.count_nonzero((left > start) & (left < end) & (right > end)))
        for start, end in zip(left.tolist(), right.tolist(), strict=True)
    )


def _nonprojective(sentence: Sentence) -> list[list[int]]:
    heads = np.maximum(np.array(sentence.heads, np.int32), 0)
    words = np.flatnonzero(nonprojective_words(np.array([len(heads)]), heads))
    return [[int(heads[word]), word + 1] for word in words.tolist()]


def _arcs(arcs: Iterable[Arc]) -> list[list[Any]]:
    return [[arc[0], arc[1], arc[2] if len(arc) > 2 else ""] for arc in arcs]


def _layers(sentence: Sentence) -> list[str]:
    dialect = sentence.corpus.dialect
    found = ["syntax"] if "head" in dialect.columns else []
    if "deps" in dialect.columns and any(field != EMPTY for field in sentence.deps):
        found.append("enhanced")
    return [*found, "semantics"] if dialect.arguments else found


def text_of(sentence: Sentence) -> str:
    r"""Returns the text of a sentence: that of its comment, else its words with the spaces that MISC knows of.

    >>> from multiplane.formats.reader import from_text
    >>> text_of(from_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t!\t_\t_\t_\t_\t1\tpunct\t_\t_\n")[0])
    'Go!'
    """
    return rebuilt_text(sentence) if sentence.text is None else sentence.text
