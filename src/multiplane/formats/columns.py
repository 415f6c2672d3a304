"""Converts columns of values to the text of a treebank."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import ColumnError
from multiplane.formats.dialects import Dialect
from multiplane.formats.fields import EMPTY, FORBIDDEN, FORBIDDEN_ADVICE
from multiplane.messages import counted

Values = Sequence[Any] | NDArray[Any]
"""A list of values per sentence or, if lengths are given, the concatenated values of all sentences."""
Lengths = Sequence[int] | NDArray[np.integer]

_HEADS = ("head", "phead")


def text_of_columns(
    dialect: Dialect,
    columns: Mapping[str, Values],
    lengths: Lengths | None = None,
    sent_ids: Sequence[str | None] | None = None,
    comments: Sequence[Iterable[str]] | None = None,
) -> bytes:
    r"""Returns the text of a treebank with these columns, which must include `form`; all others are empty.

    >>> from multiplane.formats.dialects import DIALECTS
    >>> text_of_columns(DIALECTS["conllu"], {"form": [["Go", "home"]], "head": [[0, 1]]}, sent_ids=["a"])
    b'# sent_id = a\n1\tGo\t_\t_\t_\t_\t0\t_\t_\t_\n2\thome\t_\t_\t_\t_\t1\t_\t_\t_\n\n'
    """
    for name in columns:
        if name not in dialect.columns[1:]:
            raise ColumnError(f"{dialect.title} has no column '{name}'; it has {', '.join(dialect.columns[1:])}")
    sizes = _lengths_of("form", columns["form"]) if lengths is None else list(_as_python(lengths))
    for number, size in enumerate(sizes, 1):
        if not isinstance(size, int | np.integer) or size < 1:
            raise ColumnError(f"sentence {number} has a length of {_shown(size)}; drop sentences without words")
    flattened = _joined if lengths is None else _whole
    fields = {name: _fields(name, flattened(name, values, sizes), sizes) for name, values in columns.items()}
    numbers = list(map(str, range(1, max(sizes, default=0) + 1)))
    ids = list(chain.from_iterable(numbers[:size] for size in sizes))
    others = (fields.get(name, repeat(dialect.empty(name))) for name in dialect.columns[1:])
    rows = ("\t".join(row) + "\n" for row in zip(ids, *others, strict=False))
    header = f"{dialect.header}\n" if dialect.header else ""
    return (header + "".join(_lines(rows, sizes, _comments(dialect, len(sizes), sent_ids, comments)))).encode()


def _lines(rows: Iterator[str], sizes: list[int], comments: list[list[str]]) -> Iterator[str]:
    for size, before in zip(sizes, comments, strict=True):
        for line in before:
            yield f"{line}\n"
        yield from islice(rows, size)
        yield "\n"


def _lengths_of(name: str, values: Values) -> list[int]:
    for number, words in enumerate(values, 1):
        if isinstance(words, str) or not hasattr(words, "__len__"):
            what = f"sentence {number}: {name} is {_shown(words)}"
            raise ColumnError(f"{what}; give a list of values for each sentence, or lengths for values in one list")
    return list(map(len, values))


def _joined(name: str, values: Values, sizes: list[int]) -> list[Any]:
    """Concatenates the values of all sentences after checking that each word has one."""
    lengths = _lengths_of(name, values)
    if len(lengths) != len(sizes):
        raise ColumnError(
            f"{counted(len(sizes), 'sentence')}, but {counted(len(lengths), 'list')} for {name}; give one for each"
        )
    for number, (size, length) in enumerate(zip(sizes, lengths, strict=True), 1):
        if size != length:
            what = f"sentence {number}: {counted(size, 'word')}, but {counted(length, 'value')} for {name}"
            raise ColumnError(f"{what}; give one for each")
    return list(chain.from_iterable(map(_as_python, values)))


def _whole(name: str, values: Values, sizes: list[int]) -> list[Any]:
    if len(values) != sum(sizes):
        raise ColumnError(
            f"{counted(sum(sizes), 'word')}, but {counted(len(values), 'value')} for {name}; give one for each"
        )
    return list(_as_python(values))


def _as_python(values: Values) -> Sequence[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else values


def _fields(name: str, values: list[Any], sizes: list[int]) -> list[str]:
    is_head = name in _HEADS
    allowed, advice = (int | np.integer, "give an integer") if is_head else (str, "give text")
    # Sets of types and values are small; the position of an error is only searched for once one is found.
    kinds = set(map(type, values)) - {type(None)}
    if wrong := {kind for kind in kinds if not issubclass(kind, allowed) or kind is bool}:
        raise _misfit(name, values, sizes, lambda value: type(value) in wrong, advice)
    if is_head:
        return [EMPTY if head is None or head == -1 else str(head) for head in values]
    distinct = set(values)
    if name == "form" and not all(distinct):
        raise _misfit(name, values, sizes, lambda form: not form, "give every word a form")
    if unfit := {value for value in distinct if value and FORBIDDEN.search(value)}:
        raise _misfit(name, values, sizes, unfit.__contains__, FORBIDDEN_ADVICE)
    return [value or EMPTY for value in values]


def _misfit(
    name: str, values: list[Any], sizes: list[int], is_wrong: Callable[[Any], bool], advice: str
) -> ColumnError:
    """Returns the error for the first wrong value."""
    word = next(word for word, value in enumerate(values) if is_wrong(value))
    ends = np.cumsum(sizes)
    number = int(np.searchsorted(ends, word, side="right"))
    place = word - int(ends[number]) + sizes[number] + 1
    return ColumnError(f"sentence {number + 1}: word {place}: {name} is {_shown(values[word])}; {advice}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _comments(
    dialect: Dialect, count: int, sent_ids: Sequence[str | None] | None, comments: Sequence[Iterable[str]] | None
) -> list[list[str]]:
    """Returns the comment lines of each sentence."""
    found: list[list[str]] = [[] for _ in range(count)]
    for name, given, allowed in (("sent_ids", sent_ids, dialect.sent_id), ("comments", comments, dialect.ranges)):
        if given is not None and not allowed:
            raise ColumnError(f"{dialect.title} has no comments; drop {name}")
        if given is not None and len(given) != count:
            raise ColumnError(f"{counted(count, 'sentence')}, but {len(given):,} {name}; give one for each")
    for lines, sent_id in zip(found, sent_ids if sent_ids is not None else (), strict=False):
        if sent_id is not None:
            lines.append(str(dialect.sent_id).format(sent_id))
    for lines, more in zip(found, comments if comments is not None else (), strict=False):
        lines.extend(more)
    if dialect.bare_ids:
        _check_bare(found)
    for number, lines in enumerate(found, 1):
        for line in lines:
            if not line.startswith("#") or FORBIDDEN.search(line.replace("\t", " ")):
                raise ColumnError(f"sentence {number}: comment {_shown(line)}; give one line that starts with #")
    return found


def _check_bare(comments: list[list[str]]) -> None:
    for number, lines in enumerate(comments, 1):
        for line in lines:
            if line == "#" or " " in line or "\t" in line:
                raise ColumnError(f"sentence {number}: sent_id {_shown(line[1:])}; give one without spaces")
