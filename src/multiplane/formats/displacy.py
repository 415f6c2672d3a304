"""Sentences in the format of spaCy's displaCy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiplane.formats.sentence import Sentence


def displacy_of(sentence: Sentence) -> dict[str, Any]:
    """Returns the dictionary for `displacy.render(…, manual=True)`; see `Sentence.to_displacy`."""
    columns = sentence.corpus.dialect.columns
    tags = [tag if tag != "_" else "" for tag in sentence.upos]
    words = [{"text": form, "tag": tag} for form, tag in zip(sentence.forms, tags, strict=True)]
    heads = sentence.heads if "head" in columns else []
    arcs = [
        {
            "start": min(head, word) - 1,
            "end": max(head, word) - 1,
            "label": label if label != "_" else "",
            "dir": "left" if word < head else "right",
        }
        for word, (head, label) in enumerate(zip(heads, sentence.deprels if heads else [], strict=True), 1)
        if head > 0
    ]
    return {"words": words, "arcs": arcs}
