"""FEATS and MISC of a word as mappings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping

from multiplane.errors import ColumnError
from multiplane.formats.fields import EMPTY


class Attributes(MutableMapping[str, str]):
    """The `Name=value` pairs of a word, as a mapping; a change is written to the sentence at once.

    A part without `=` is a name with an empty value. `str` returns the field as it is in the file.

    >>> from multiplane import Corpus
    >>> word = Corpus.from_columns(forms=[["Go"]], misc=[["SpaceAfter=No|Gloss=go"]])[0][0]
    >>> word.misc["Gloss"], len(word.misc), word.misc.get("Translit")
    ('go', 2, None)
    >>> word.misc["Gloss"] = "walk"
    >>> del word.misc["SpaceAfter"]
    >>> str(word.misc), word.sentence.misc
    ('Gloss=walk', ['Gloss=walk'])
    """

    __slots__ = ("_is_sorted", "_read", "_write")

    def __init__(self, read: Callable[[], str], write: Callable[[str], None], *, is_sorted: bool = False) -> None:
        self._read = read
        self._write = write
        self._is_sorted = is_sorted

    def __getitem__(self, name: str) -> str:
        for part in self._parts():
            key, _, value = part.partition("=")
            if key == name:
                return value
        raise KeyError(name)

    def __setitem__(self, name: str, value: str) -> None:
        new = pair(name, value)
        parts = self._parts()
        kept = [part for part in parts if _name(part) != name]
        place = next((place for place, part in enumerate(parts) if _name(part) == name), len(kept))
        kept.insert(place, new)
        self._set(kept)

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._set([part for part in self._parts() if _name(part) != name])

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(map(_name, self._parts())))

    def __len__(self) -> int:
        return len(set(map(_name, self._parts())))

    def __str__(self) -> str:
        return self._read()

    def __repr__(self) -> str:
        return repr(dict(self))

    def __eq__(self, other: object) -> bool:
        return dict(self) == dict(other) if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def _parts(self) -> list[str]:
        field = self._read()
        return [] if field == EMPTY else field.split("|")

    def _set(self, parts: list[str]) -> None:
        self._write(joined_pairs(parts, self._is_sorted))


def field_of(value: str | Mapping[str, str] | None, is_sorted: bool) -> str | None:
    """Returns the text of a field given as text or as a mapping.

    >>> field_of({"Number": "Sing", "Case": "Nom"}, is_sorted=True)
    'Case=Nom|Number=Sing'
    """
    if not isinstance(value, Mapping):
        return value
    return joined_pairs([pair(name, each) for name, each in value.items()], is_sorted)


def pair(name: str, value: str) -> str:
    """Returns the text of one attribute; raises `ColumnError` if it would read differently."""
    if not isinstance(name, str) or not isinstance(value, str):
        raise ColumnError(f"the attribute {name!r}: {value!r} is not a string; names and values must be strings")
    if not name or set(name) & set("=|") or "|" in value:
        raise ColumnError(
            f"the attribute {name!r}: {value!r} cannot be written; names cannot contain = and |, values |"
        )
    return f"{name}={value}"


def joined_pairs(parts: list[str], is_sorted: bool) -> str:
    """Joins attributes; sorted, if requested, as UD requires in FEATS."""
    return "|".join(sorted(parts, key=lambda part: _name(part).lower()) if is_sorted else parts) or EMPTY


def _name(part: str) -> str:
    return part.partition("=")[0]
