"""Writes TOML, which Python's library only reads, and extracts values with a type check.

Supports only what config.toml needs: tables, lists of plain values, strings, numbers and booleans.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from multiplane.errors import ModelError

Table = dict[str, Any]
_T = TypeVar("_T")
_D = TypeVar("_D")
_BARE = re.compile("[A-Za-z0-9_-]+")
_REFUSED = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_QUOTES = re.compile(r'"(?="|\Z)')
_TYPES: dict[type, str] = {str: "text", int: "an integer", float: "a number", bool: "true or false"}
_TYPES |= {list: "a list", dict: "a table"}


def to_toml(table: Mapping[str, Any]) -> str:
    r"""Formats a table as TOML, without None values.

    >>> print(to_toml({"a": 1, "b": {"c": ["x", "y"], "d": {"e": True}}, "f": None}))
    a = 1
    <BLANKLINE>
    [b]
    c = ["x", "y"]
    <BLANKLINE>
    [b.d]
    e = true
    <BLANKLINE>
    """
    return "\n".join(_lines(table, "")) + "\n"


def _lines(table: Mapping[str, Any], name: str) -> Iterator[str]:
    if name:
        yield f"\n[{name}]"
    for key, value in table.items():
        if value is not None and not isinstance(value, Mapping):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _lines(value, f"{name}.{_key(key)}" if name else _key(key))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _line(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _paragraph(value) if "\n" in value else _line(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"TOML cannot represent {type(value).__name__}")


def _line(text: str) -> str:
    # TOML has the same escapes as JSON, but DEL must be escaped too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _paragraph(text: str) -> str:
    text = _REFUSED.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\\", "\\\\"))
    text = _QUOTES.sub('\\\\"', text)  # neither three in a row nor one at the end
    return f'"""\n{text}"""'


def taken(table: Table, key: str, kind: type[_T]) -> _T:
    """Returns a value; raises `ModelError` if it is missing or has the wrong type.

    >>> taken({"beam": 4}, "beam", int)
    4
    >>> taken({"beam": "4"}, "beam", int)
    Traceback (most recent call last):
    ...
    multiplane.errors.ModelError: beam: expected an integer, not '4'
    """
    value = table.get(key)
    if value is None:
        raise ModelError(f"{key} is missing")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ModelError(f"{key}: expected {_TYPES[kind]}, not {repr(value)[:60]}")
    return value


def taken_or(table: Table, key: str, kind: type[_T], default: _D) -> _T | _D:
    """Like `taken`, but returns `default` if the value is missing.

    >>> taken_or({}, "beam", int, 1)
    1
    """
    return taken(table, key, kind) if table.get(key) is not None else default
