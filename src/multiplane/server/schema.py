"""What requests and answers look like: the same declarations check a request and describe it in OpenAPI."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from multiplane.errors import visible
from multiplane.server.problems import RequestError

_SHOWN = 40


class Schema(Protocol):
    """What a value must be."""

    def check(self, value: Any, where: str) -> None:
        """Raises `RequestError` if a value is something else; `where` names it."""

    def to_json(self) -> dict[str, Any]:
        """Returns the same in the language of JSON Schema."""


@dataclass(frozen=True)
class Text:
    """A string; one of `choices` if there are any."""

    about: str = ""
    choices: tuple[str, ...] = ()
    nullable: bool = False

    def check(self, value: Any, where: str) -> None:
        """Raises `RequestError` for anything but such a string."""
        if value is None and self.nullable:
            return
        if not isinstance(value, str):
            raise _wrong(where, "a string", value)
        try:
            value.encode()
        except UnicodeEncodeError:
            raise RequestError(400, f"{where} has a lone surrogate; send valid Unicode") from None
        if self.choices and value not in self.choices:
            raise RequestError(400, f"{where} must be one of {', '.join(self.choices)}, not {_shown(value)}")

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON Schema."""
        kind: dict[str, Any] = {"type": ["string", "null"] if self.nullable else "string"}
        return _described(kind | ({"enum": list(self.choices)} if self.choices else {}), self.about)


@dataclass(frozen=True)
class Flag:
    """True or false."""

    about: str = ""

    def check(self, value: Any, where: str) -> None:
        """Raises `RequestError` for anything else."""
        if not isinstance(value, bool):
            raise _wrong(where, "true or false", value)

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON Schema."""
        return _described({"type": "boolean"}, self.about)


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds."""

    about: str = ""
    least: int | None = None
    most: int | None = None
    nullable: bool = False

    def check(self, value: Any, where: str) -> None:
        """Raises `RequestError` for anything else."""
        if value is None and self.nullable:
            return
        if isinstance(value, bool) or not isinstance(value, int):
            raise _wrong(where, "a whole number", value)
        if self.least is not None and value < self.least:
            raise RequestError(400, f"{where} must be at least {self.least}")
        if self.most is not None and value > self.most:
            raise RequestError(400, f"{where} must be at most {self.most}")

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON Schema."""
        bounds = {"minimum": self.least, "maximum": self.most}
        found: dict[str, Any] = {"type": ["integer", "null"] if self.nullable else "integer"}
        return _described(found | {name: bound for name, bound in bounds.items() if bound is not None}, self.about)


@dataclass(frozen=True)
class Number:
    """Any number, or null if `nullable`."""

    about: str = ""
    nullable: bool = False

    def check(self, value: Any, where: str) -> None:
        """Raises `RequestError` for anything else."""
        if value is None and self.nullable:
            return
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _wrong(where, "a number", value)

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON Schema."""
        return _described({"type": ["number", "null"] if self.nullable else "number"}, self.about)


@dataclass(frozen=True)
class ListOf:
    """A list of values of one kind; of any kind if that is None."""

    item: Schema | None = None
    about: str = ""
    nullable: bool = False

    def check(self, value: Any, where: str) -> None:
        """Raises `RequestError` for anything else."""
        if value is None and self.nullable:
            return
        if not isinstance(value, list):
            raise _wrong(where, "a list", value)
        if self.item is not None:
            for number, item in enumerate(value):
                self.item.check(item, f"{where}[{number}]")

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON Schema."""
        found: dict[str, Any] = {"type": ["array", "null"] if self.nullable else "array"}
        return _described(found | ({} if self.item is None else {"items": self.item.to_json()}), self.about)


@dataclass(frozen=True)
class OneOf:
    """A value of one of several kinds."""

    kinds: tuple[Schema, ...]
    about: str = ""

    def check(self, value: Any, where: str) -> None:
        """Raises the `RequestError` of the last kind if none fits."""
        *others, last = self.kinds
        for kind in others:
            try:
                return kind.check(value, where)
            except RequestError:
                continue
        return last.check(value, where)

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON Schema."""
        return _described({"anyOf": [kind.to_json() for kind in self.kinds]}, self.about)


@dataclass(frozen=True)
class Object:
    """Named values.

    >>> schema = Object({"text": Text(), "best": Whole(least=1)}, required=("text",))
    >>> schema.check({"text": "Go.", "best": 0}, "")
    Traceback (most recent call last):
    ...
    multiplane.server.problems.RequestError: 'best' must be at least 1
    """

    fields: dict[str, Schema] = field(hash=False)
    required: tuple[str, ...] = ()
    exactly_one: tuple[tuple[str, ...], ...] = ()
    """Groups of fields of which exactly one must be there."""
    about: str = ""
    open: bool = False
    """Whether there may be other fields."""

    def check(self, value: Any, where: str) -> None:
        """Raises `RequestError` for anything else."""
        if not isinstance(value, dict):
            raise _wrong(where or "the body", "an object", value)
        for name in value:
            if name not in self.fields and not self.open:
                raise RequestError(400, f"unknown field {_shown(name)}; known: {', '.join(self.fields)}")
        for name in self.required:
            if name not in value:
                raise RequestError(400, f"the field '{name}' is missing{f' in {where}' if where else ''}")
        for group in self.exactly_one:
            if sum(name in value for name in group) != 1:
                raise RequestError(400, f"give exactly one of these fields: {', '.join(group)}")
        for name, schema in self.fields.items():
            if name in value:
                schema.check(value[name], f"{where}.{name}" if where else f"'{name}'")

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON Schema."""
        found: dict[str, Any] = {
            "type": "object",
            "properties": {name: schema.to_json() for name, schema in self.fields.items()},
            "additionalProperties": self.open,
        }
        if self.required:
            found["required"] = list(self.required)
        if self.exactly_one:
            found["allOf"] = [{"oneOf": [{"required": [name]} for name in group]} for group in self.exactly_one]
        return _described(found, self.about)


def _described(schema: dict[str, Any], about: str) -> dict[str, Any]:
    return schema | {"description": about} if about else schema


def _wrong(where: str, wanted: str, value: Any) -> RequestError:
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return RequestError(400, f"{where} must be {wanted}, not {kinds.get(type(value), 'a number')}")


def _shown(text: str) -> str:
    short = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return f"'{visible(short)}'"
