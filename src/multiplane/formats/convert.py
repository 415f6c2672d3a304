"""Converts between formats and reports what the target format cannot represent."""

from __future__ import annotations

from collections import Counter

from multiplane.formats.corpus import Corpus, Sentence
from multiplane.formats.dialects import Dialect

Lost = Counter[str]
"""The number of lost items by kind: comments, multiword ranges, empty nodes, columns."""

# The column to copy when the source lacks a column or has `_` in it. CoNLL-X requires CPOSTAG in place of a missing
# POSTAG; CoNLL-2008 and -2009 repeat gold columns as predicted ones.
_FALLBACKS = {
    "conllx": {"xpos": "upos"},
    "conll08": {"xpos": "upos", "split_form": "form", "split_lemma": "lemma", "pposs": "xpos"},
    "conll09": {
        "xpos": "upos",
        "plemma": "lemma",
        "pfeats": "feats",
        "phead": "head",
        "pdeprel": "deprel",
    },
}
# Dropping a column that equals its fallback loses nothing.
_COPIES = {column: other for fallbacks in _FALLBACKS.values() for column, other in fallbacks.items()}


def convert(corpus: Corpus | Sentence, to: Dialect) -> tuple[bytes, Lost]:
    r"""Converts a corpus or sentence to another format; returns the text and what is lost.

    Converting to the same format returns the same bytes.

    >>> from multiplane.formats import DIALECTS
    >>> from multiplane.formats.reader import from_text
    >>> text, lost = convert(from_text("# a\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\tX=1\n\n"), DIALECTS["conllx"])
    >>> text
    b'1\tGo\tgo\tVERB\tVERB\t_\t0\troot\t_\t_\n\n'
    >>> dict(lost)
    {'comments': 1, 'misc': 1}
    """
    lost: Lost = Counter()
    dialect = corpus.dialect if isinstance(corpus, Corpus) else corpus.corpus.dialect
    if dialect == to:
        return corpus.to_bytes(), lost
    if isinstance(corpus, Sentence):
        return _convert_sentence(corpus, dialect, to, lost), lost
    if loose := _comments(corpus.to_bytes()) - sum(_comments(sentence.to_bytes()) for sentence in corpus):
        lost["comments"] = loose  # comments outside of any sentence
    return b"".join(_convert_sentence(sentence, dialect, to, lost) for sentence in corpus), lost


def _comments(text: bytes) -> int:
    return text.count(b"\n#") + text.startswith((b"#", b"\xef\xbb\xbf#"))


def _convert_sentence(sentence: Sentence, source: Dialect, to: Dialect, lost: Lost) -> bytes:
    lines = sentence.comments
    if not to.ranges and lines:
        lost["comments"] += len(lines)
        lines = []
    for fields in sentence.rows:
        if not fields[0].isdigit():
            lost["multiword ranges" if "-" in fields[0] else "empty nodes"] += 1
            continue
        lines.append("\t".join(_convert_word(fields, source, to, lost)))
    return ("\n".join(lines) + "\n\n").encode()


def _convert_word(fields: list[str], source: Dialect, to: Dialect, lost: Lost) -> list[str]:
    row = dict(zip(source.columns, fields, strict=False))
    arguments = fields[len(source.columns) :]
    fillpred = "Y" if row.get("pred", "_") != "_" else "_"
    for column, value in row.items():
        copy = fillpred if column == "fillpred" else row.get(_COPIES.get(column, ""))
        if column not in to.columns and value not in ("_", copy):
            lost[column] += 1
    if not to.arguments:
        if given := sum(value != "_" for value in arguments):
            lost["arguments"] += given
        arguments = []
    if not to.ranges:
        # Only CoNLL-U allows spaces in forms and lemmas.
        for column in ("form", "lemma"):
            if " " in row[column]:
                lost["spaces within words"] += 1
                row[column] = row[column].replace(" ", "_")
    for column, other in _FALLBACKS.get(to.name, {}).items():
        if row.get(column, "_") == "_":
            row[column] = row.get(other, "_")
    if row.get("fillpred", "_") == "_":
        row["fillpred"] = fillpred
    return [row.get(column, "_") for column in to.columns] + arguments
