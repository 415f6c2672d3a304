"""Sentences as dictionaries of plain values, for JSON and other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from multiplane.errors import ColumnError
from multiplane.formats.attributes import field_of
from multiplane.formats.dialects import Dialect, dialect_of
from multiplane.formats.fields import EMPTY, FORBIDDEN, FORBIDDEN_ADVICE, NUMBER

if TYPE_CHECKING:
    from multiplane.formats.corpus import Corpus
    from multiplane.formats.sentence import Sentence

ARGUMENTS = "arguments"
"""The key of the argument columns, which are the last columns in CoNLL-2008, CoNLL-2009 and SDP."""
UNKNOWN = -1
_KEYS = ("format", "sent_id", "text", "comments", "tokens")


def dict_of(sentence: Sentence) -> dict[str, Any]:
    """Returns a sentence as a dictionary; see `Sentence.to_dict`."""
    dialect = sentence.corpus.dialect
    return {
        "format": dialect.name,
        "sent_id": sentence.sent_id if sentence.has_sent_id else None,
        "text": sentence.text,
        "comments": sentence.comments,
        "tokens": [_token(row, dialect) for row in sentence.rows],
    }


def _token(row: list[str], dialect: Dialect) -> dict[str, Any]:
    """Returns one line as a dictionary; numbers are integers, and empty fields None."""
    found: dict[str, Any] = {}
    for name, field in zip(dialect.columns, row, strict=False):
        found[name] = field if name == "form" else None if field == dialect.empty(name) else field
    for name in ("id", "head"):
        if NUMBER.fullmatch(found.get(name) or ""):
            found[name] = int(found[name])
    if dialect.arguments:
        found[ARGUMENTS] = row[len(dialect.columns) :]
    return found


def corpus_of_dicts(sentences: Iterable[Mapping[str, Any]], name: str) -> Corpus:
    """Builds a corpus from dictionaries; see `Corpus.from_dicts`."""
    from multiplane.formats.corpus import indexed  # noqa: PLC0415 - which exports dictionaries

    dialect: Dialect | None = None
    lines: list[str] = []
    for number, sentence in enumerate(sentences, 1):
        where = f"sentence {number}"
        _require_mapping(where, sentence, _KEYS)
        own = _dialect(where, sentence.get("format"))
        dialect = dialect or own
        if own != dialect:
            raise ColumnError(
                f"{where} is {own.title}, but the sentences before it are {dialect.title}; use one format"
            )
        lines += [*_comments(where, sentence, own), *_rows(where, sentence, own), ""]
    dialect = dialect or dialect_of(None)
    return indexed(dialect.headed("".join(f"{line}\n" for line in lines).encode()), dialect, name, "fail")


def _dialect(where: str, name: object) -> Dialect:
    if name is not None and not isinstance(name, str):
        raise ColumnError(f"{where}: format is {name!r}; give its name, such as 'conllu'")
    return dialect_of(None, name)


def _require_mapping(where: str, value: object, known: Sequence[str]) -> None:
    if not isinstance(value, Mapping):
        raise ColumnError(f"{where}: expected a dictionary with {', '.join(known)}, not {type(value).__name__}")
    for key in value:
        if key not in known:
            raise ColumnError(f"{where}: unknown key {key!r}; known: {', '.join(known)}")


def _comments(where: str, sentence: Mapping[str, Any], dialect: Dialect) -> list[str]:
    """Returns the comment lines; `sent_id` and `text` override the comments of the same name."""
    lines = _strings(where, "comments", sentence.get("comments"))
    for line in lines:
        if not line.startswith("#") or FORBIDDEN.search(line.replace("\t", " ")):
            raise ColumnError(f"{where}: comment {line!r} is not one line that starts with #; give one")
    named = {"text": "# text = {}"} if dialect.ranges else {}
    for key, form in ({"sent_id": dialect.sent_id} | named).items():
        value = sentence.get(key)
        if value is None:
            continue
        if form is None or not isinstance(value, str) or FORBIDDEN.search(value.replace("\t", " ")):
            raise ColumnError(
                f"{where}: {key} is {value!r}; give one line of text, and only if the format has comments"
            )
        lines = _with_comment(lines, key, value, form, dialect)
    return lines


def _with_comment(lines: list[str], key: str, value: str, form: str, dialect: Dialect) -> list[str]:
    """Sets a value in comments; a line that already has it is kept unchanged."""
    for place, line in enumerate(lines):
        name, equals, old = line[1:].partition("=")
        if dialect.bare_ids and line != dialect.header:
            return [*lines[:place], form.format(value), *lines[place + 1 :]]
        if equals and name.strip() == key:
            new = line if old.strip() == value else form.format(value)
            return [*lines[:place], new, *lines[place + 1 :]]
    return [form.format(value), *lines] if key == "sent_id" else [*lines, form.format(value)]


def _rows(where: str, sentence: Mapping[str, Any], dialect: Dialect) -> list[str]:
    tokens = sentence.get("tokens")
    if not isinstance(tokens, Sequence) or isinstance(tokens, str) or not tokens:
        raise ColumnError(f"{where}: tokens is {tokens!r}; give a list with a dictionary for each word")
    known = (*dialect.columns, ARGUMENTS) if dialect.arguments else dialect.columns
    rows = []
    for place, token in enumerate(tokens, 1):
        _require_mapping(f"{where}: token {place}", token, known)
        if not token.get("form"):
            raise ColumnError(f"{where}: token {place}: form is {token.get('form')!r}; give every word a form")
        rows.append("\t".join(_fields(f"{where}: token {place}", {"id": place} | dict(token), dialect)))
    return rows


def _fields(where: str, token: Mapping[str, Any], dialect: Dialect) -> list[str]:
    fields = [_field(where, name, token.get(name)) or dialect.empty(name) for name in dialect.columns]
    arguments = _strings(where, ARGUMENTS, token.get(ARGUMENTS))
    return fields + [_field(where, ARGUMENTS, value) or EMPTY for value in arguments]


def _field(where: str, name: str, value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool) and name in ("id", "head", "phead"):
        return None if value == UNKNOWN else str(value)
    if isinstance(value, Mapping) and name in ("feats", "misc"):
        value = field_of(value, is_sorted=name == "feats")
    if value is not None and not isinstance(value, str):
        raise ColumnError(f"{where}: {name} is {value!r}; give text or None")
    if value and FORBIDDEN.search(value):
        raise ColumnError(f"{where}: {name} is {value!r}; {FORBIDDEN_ADVICE}")
    return value


def _strings(where: str, key: str, values: object) -> list[str]:
    if values is None:
        return []
    if not isinstance(values, Sequence) or isinstance(values, str) or not all(isinstance(each, str) for each in values):
        raise ColumnError(f"{where}: {key} is {values!r}; give a list of strings")
    return list(values)
