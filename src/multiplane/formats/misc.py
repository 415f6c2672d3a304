"""Attributes in MISC: `Name=value`, separated by `|`."""

from __future__ import annotations


def misc_value(field: str, name: str) -> str | None:
    """Returns the value of an attribute, or None.

    >>> misc_value("SpaceAfter=No|Score=0.97", "Score"), misc_value("_", "Score")
    ('0.97', None)
    """
    if name not in field:
        return None
    for part in field.split("|"):
        key, equals, value = part.partition("=")
        if key == name and equals:
            return value
    return None


def with_misc_value(field: str, name: str, value: str) -> str:
    """Returns the field with an attribute added at the end; replaces one of the same name.

    >>> with_misc_value("Score=0.1|SpaceAfter=No", "Score", "0.97")
    'SpaceAfter=No|Score=0.97'
    """
    others = [] if field == "_" else [part for part in field.split("|") if part.partition("=")[0] != name]
    return "|".join([*others, f"{name}={value}"])
