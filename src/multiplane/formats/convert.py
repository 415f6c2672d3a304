"""Converts between formats and reports what the target format cannot represent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from multiplane.formats.corpus import Corpus, Sentence
from multiplane.formats.dialects import Dialect
from multiplane.formats.fields import EMPTY

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
        if dialect.arguments and to.arguments:
            corpus.corpus.semantic_layer.checked(corpus)
        return _convert_sentence(corpus, dialect, to, lost), lost
    if dialect.arguments and to.arguments:
        corpus.semantic_layer.checked()
    if loose := _loose_comments(corpus):
        lost["comments"] = loose
    header = f"{to.header}\n".encode() if to.header and corpus._lines_before == 0 else b""
    return header + b"".join(_convert_sentence(sentence, dialect, to, lost) for sentence in corpus), lost


def _loose_comments(corpus: Corpus) -> int:
    """Returns the number of comments outside of any sentence, not counting the header of the format."""
    text = corpus.to_bytes()
    loose = _comments(text) - sum(_comments(sentence.to_bytes()) for sentence in corpus)
    starts_with_header = corpus.dialect.header and text.startswith(f"{corpus.dialect.header}\n\n".encode())
    return loose - bool(starts_with_header)


def _comments(text: bytes) -> int:
    return text.count(b"\n#") + text.startswith((b"#", b"\xef\xbb\xbf#"))


def _convert_sentence(sentence: Sentence, source: Dialect, to: Dialect, lost: Lost) -> bytes:
    lines = _convert_comments(sentence, source, to, lost)
    words = []
    for fields in sentence.rows:
        if fields[0].isdigit():
            words.append(_Word.of(fields, source))
        else:
            lost["multiword ranges" if "-" in fields[0] else "empty nodes"] += 1
    if to.arguments and to.arguments.mark is None:
        _drop_predicates_without_sense(words, lost)
    for word in words:
        lines.append("\t".join(_convert_word(word, source, to, lost)))
    return ("\n".join(lines) + "\n\n").encode()


def _convert_comments(sentence: Sentence, source: Dialect, to: Dialect, lost: Lost) -> list[str]:
    """Returns the comments in the target format: all of them, only the name, or none."""
    comments = [comment for comment in sentence.comments if comment != source.header]
    name = sentence.sent_id if sentence.has_sent_id else ""
    named = [comment for comment in comments if source.bare_ids and comment == f"#{name}"]
    if to.ranges:
        return [f"# sent_id = {name}" if comment in named else comment for comment in comments]
    has_name = to.bare_ids and bool(name) and not set(name) & set(" \t")
    if len(comments) > has_name:
        lost["comments"] += len(comments) - has_name
    if not to.bare_ids:
        return []
    return [f"#{name}" if has_name else f"#{sentence.number_in_file}"]  # SDP requires a name


@dataclass
class _Word:
    """A line of a word: its fields by column, its arguments, and what its marks say."""

    row: dict[str, str]
    arguments: list[str]
    is_predicate: bool
    is_top: bool

    @classmethod
    def of(cls, fields: list[str], source: Dialect) -> _Word:
        row = dict(zip(source.columns, fields, strict=False))
        marks = source.arguments
        if marks is None:
            return cls(row, [], False, False)
        is_predicate = row[marks.mark] == marks.yes if marks.mark else row[marks.sense] != EMPTY
        is_top = marks.top is not None and row[marks.top] == marks.yes
        return cls(row, fields[len(source.columns) :], is_predicate, is_top)


def _drop_predicates_without_sense(words: list[_Word], lost: Lost) -> None:
    """Removes predicates whose format marks them, and their arguments, for a format that knows them by their senses."""
    predicates = [word for word in words if word.is_predicate]
    kept = [word.row["pred"] != EMPTY for word in predicates]
    if all(kept):
        return
    lost["predicates without a sense"] += len(kept) - sum(kept)
    for word in words:
        cells = list(zip(word.arguments, kept, strict=False))
        word.is_predicate = word.is_predicate and word.row["pred"] != EMPTY
        word.arguments = [value for value, keep in cells if keep]
        if dropped := sum(value != EMPTY for value, keep in cells if not keep):
            lost["arguments"] += dropped


def _convert_word(word: _Word, source: Dialect, to: Dialect, lost: Lost) -> list[str]:
    row = word.row
    _count_lost_columns(word, source, to, lost)
    if not to.ranges:
        # Only CoNLL-U allows spaces in forms and lemmas.
        for column in ("form", "lemma"):
            if " " in row[column]:
                lost["spaces within words"] += 1
                row[column] = row[column].replace(" ", "_")
    for column, other in _FALLBACKS.get(to.name, {}).items():
        if row.get(column, EMPTY) == EMPTY:
            row[column] = row.get(other, EMPTY)
    if to.arguments is None:
        return [row.get(column, EMPTY) for column in to.columns]
    if to.arguments.mark:
        row[to.arguments.mark] = to.arguments.yes if word.is_predicate else to.arguments.no
    if to.arguments.top:
        row[to.arguments.top] = to.arguments.yes if word.is_top else to.arguments.no
    if not word.is_predicate and not to.arguments.senses_anywhere:
        row[to.arguments.sense] = EMPTY
    return [row.get(column, EMPTY) for column in to.columns] + word.arguments


def _count_lost_columns(word: _Word, source: Dialect, to: Dialect, lost: Lost) -> None:
    row = word.row
    for column, value in row.items():
        copy = row.get(_COPIES.get(column, ""))
        if column not in (*to.columns, "fillpred", "top") and value not in (EMPTY, copy):
            lost[column] += 1
    if word.is_top and "top" not in to.columns:
        lost["tops"] += 1
    if to.arguments is None:
        if word.is_predicate and row["pred"] == EMPTY:
            lost["fillpred"] += 1
        if given := sum(value != EMPTY for value in word.arguments):
            lost["arguments"] += given
    elif source.arguments and not word.is_predicate and row["pred"] != EMPTY and not to.arguments.senses_anywhere:
        lost["senses of words that are not predicates"] += 1
