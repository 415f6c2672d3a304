"""Feature models: the templates of a parser, written in TOML and compiled to tables of numbers."""

from __future__ import annotations

import json
import os
import reprlib
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from multiplane.errors import FeatureError, InputError
from multiplane.features.addresses import (
    COLUMNS,
    AtomKind,
    Attribute,
    AttributeKind,
    Node,
    NodeOp,
    Template,
    Value,
    check_name,
    parse_node,
    parse_template,
    quote,
    unknown,
)

_DEFAULTS = Path(__file__).parent / "defaults"
_KEYS = ("about", "extends", "names", "templates")
_PARTS = ("transition", "label")
_T = TypeVar("_T")
_KINDS: dict[type, str] = {dict: "a table", list: "an array", str: "a string"}


class Part(NamedTuple):
    """The templates of one decision, as tables of numbers; see `NodeOp` and `AtomKind`."""

    nodes: list[tuple[int, int, int]]
    """Operation and its two operands; a node comes after the one that it is found from."""
    atoms: list[tuple[int, int, int]]
    """Kind and its two operands."""
    templates: list[list[int]]
    """The atoms of each template."""


class Compiled(NamedTuple):
    """A feature model as the native core wants it."""

    attributes: list[tuple[int, int, str]]
    """Kind, column and argument of the static attributes of words; see `AttributeKind`."""
    transition: Part
    label: Part


@dataclass(frozen=True)
class FeatureModel:
    """What a parser looks at to choose a transition, and to choose the label of an arc.

    >>> model = FeatureModel.from_toml('''
    ... about = "an example"
    ... [names]
    ... s0 = "stack[0]"
    ... [templates]
    ... transition = ["s0.upos", "s0.upos + buffer[0].lower"]
    ... label = ["governor.upos + dependent.feats.Case"]
    ... ''')
    >>> [str(template) for template in model.transition]
    ['stack[0].upos', 'stack[0].upos + buffer[0].lower']
    >>> model.columns
    ('form', 'upos', 'feats')
    """

    name: str
    about: str
    transition: tuple[Template, ...]
    """Templates for which transition to take."""
    label: tuple[Template, ...]
    """Templates for which label an arc gets."""

    @staticmethod
    def from_toml(text: str, name: str = "<text>") -> FeatureModel:
        """Reads a model; `name` is what messages call it.

        >>> FeatureModel.from_toml('templates.transition = ["active"]').transition[0]
        (Value(kind=<AtomKind.ACTIVE: 12>, nodes=(), attribute=None, number=0),)
        """
        return _finished(_read(text, name, ()), name)

    @staticmethod
    def load(name_or_path: str | os.PathLike[str]) -> FeatureModel:
        """Loads a model that comes with the package, by name, or a file, which ends in .toml or has a folder before it.

        >>> FeatureModel.load("planar").name
        'planar'
        """
        name = os.fspath(name_or_path)
        if isinstance(name_or_path, str) and not _is_path(name):
            _check_shipped(name)
            return _finished(_read_shipped(name, ()), name)
        return FeatureModel.from_toml(_file_text(name), name)

    def to_toml(self) -> str:
        """The model as a text that needs no other: names are resolved, and what it extends is part of it.

        >>> print(FeatureModel.from_toml('templates.transition = ["active", "size( stack )"]').to_toml())
        about = ""
        <BLANKLINE>
        [templates]
        transition = [
            "active",
            "size(stack)",
        ]
        label = []
        <BLANKLINE>
        """
        lists = [f"{part} = {_toml_array(templates)}\n" for part, templates in self._parts()]
        return f"about = {_toml_string(self.about)}\n\n[templates]\n{''.join(lists)}"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a treebank that the templates read, in the order of `COLUMNS`.

        >>> FeatureModel.from_toml('templates.transition = ["stack[0].xpos", "stack[0].suffix(2)"]').columns
        ('form', 'xpos')
        """
        attributes = [value.attribute for value in self._values() if value.attribute]
        read = {COLUMNS[attribute.column] for attribute in attributes}
        if any(attribute.kind is AttributeKind.TAG for attribute in attributes):
            read |= {"upos", "feats"}
        return tuple(column for column in COLUMNS if column in read)

    def check(self, stacks: int) -> None:
        """Makes sure that a system with so many stacks has everything that the templates look at.

        >>> FeatureModel.from_toml('templates.transition = ["inactive[0].upos"]').check(1)
        Traceback (most recent call last):
        ...
        multiplane.errors.FeatureError: <text>: inactive[0].upos needs a system with 2 stacks or more; this one has 1
        """
        for value in self._values():
            if value.stacks > stacks:
                raise FeatureError(
                    f"{self.name}: {value} needs a system with {value.stacks} stacks or more; this one has {stacks}"
                )

    def compile(self) -> Compiled:
        """The model as tables of numbers, without duplicates.

        >>> FeatureModel.from_toml('templates.transition = ["head(stack[2]).upos"]').compile().transition
        Part(nodes=[(0, 0, 2), (5, 0, 0)], atoms=[(0, 1, 0)], templates=[[0]])
        """
        attributes: dict[Attribute, int] = {}
        transition, label = (_compile_part(templates, attributes) for _, templates in self._parts())
        return Compiled([(int(a.kind), a.column, a.argument) for a in attributes], transition, label)

    def _parts(self) -> tuple[tuple[str, tuple[Template, ...]], ...]:
        return tuple(zip(_PARTS, (self.transition, self.label), strict=True))

    def _values(self) -> Iterator[Value]:
        return (value for _, templates in self._parts() for template in templates for value in template)


def shipped_models() -> list[str]:
    """The names of the models that come with the package.

    >>> "planar" in shipped_models()
    True
    """
    return sorted(path.stem for path in _DEFAULTS.glob("*.toml"))


class _Written(NamedTuple):
    """A template as somebody wrote it, in quotes, and where."""

    where: str
    text: str
    template: Template


@dataclass
class _Draft:
    """A model while it is read. Templates are kept by their set of values, which finds the same one in other words."""

    about: str = ""
    names: dict[str, Node] = field(default_factory=dict)
    templates: dict[str, dict[frozenset[Value], _Written]] = field(
        default_factory=lambda: {part: {} for part in _PARTS}
    )


def _finished(draft: _Draft, name: str) -> FeatureModel:
    transition, label = (tuple(written.template for written in draft.templates[part].values()) for part in _PARTS)
    if not transition:
        raise FeatureError(f"{name}: templates.transition: empty; a model needs at least one template to choose by")
    return FeatureModel(name, draft.about, transition, label)


def _read(text: str, source: str, chain: tuple[str, ...]) -> _Draft:
    """Reads a model on top of what it extends; the chain is the shipped models that led here."""
    data = _parse_toml(text, source)
    _check_keys(data, source, _KEYS, "a feature model")
    draft = _Draft()
    if "extends" in data:
        draft = _read_parent(_typed(data["extends"], str, f"{source}: extends"), source, chain)
    draft.about = _typed(data.get("about", ""), str, f"{source}: about")
    for name, address in _typed(data.get("names", {}), dict, f"{source}: names").items():
        _add_name(draft, name, address, f"{source}: names")
    templates = _typed(data.get("templates", {}), dict, f"{source}: templates")
    _check_keys(templates, f"{source}: templates", _PARTS, "templates")
    for part in _PARTS:
        for i, template in enumerate(_typed(templates.get(part, []), list, f"{source}: templates.{part}")):
            _add_template(draft, part, template, f"{source}: templates.{part}[{i}]")
    return draft


def _read_parent(name: str, source: str, chain: tuple[str, ...]) -> _Draft:
    if name in chain:
        circle = " → ".join((*chain[chain.index(name) :], name))
        raise FeatureError(f"{source}: extends: a model cannot extend itself: {circle}")
    with _located(f"{source}: extends"):
        _check_shipped(name)
    return _read_shipped(name, chain)


def _check_shipped(name: str) -> None:
    """Makes sure that there is such a model; this also keeps a name from leading out of the folder."""
    shipped = shipped_models()
    if name not in shipped:
        allowed = (
            f"shipped with the package: {', '.join(shipped)}; load a file of your own by its path, ending in .toml"
        )
        raise FeatureError(unknown("feature model", name, shipped, allowed))


def _read_shipped(name: str, chain: tuple[str, ...]) -> _Draft:
    return _read(_file_text(str(_DEFAULTS / f"{name}.toml")), name, (*chain, name))


@contextmanager
def _located(where: str) -> Iterator[None]:
    """Puts the place before the message of an error."""
    try:
        yield
    except FeatureError as error:
        raise FeatureError(f"{where}: {error}") from None


def _add_name(draft: _Draft, name: str, address: object, where: str) -> None:
    with _located(where):
        check_name(name)
    where = f"{where}.{name}"
    text = _typed(address, str, where)
    with _located(where):
        node = parse_node(text, draft.names)
    if draft.names.setdefault(name, node) != node:
        raise FeatureError(f"{where}: {name} means {draft.names[name]} in the model that this one extends")


def _add_template(draft: _Draft, part: str, value: object, where: str) -> None:
    text = _typed(value, str, where)
    with _located(where):
        template = parse_template(text, draft.names, label=part == "label")
    written = _Written(where, quote(text), template)
    same = draft.templates[part].setdefault(frozenset(template), written)
    if same is not written:
        raise FeatureError(f"{where}: {written.text} says the same as {same.text}, {same.where}; remove one of them")


def _is_path(name: str) -> bool:
    return name.endswith(".toml") or any(separator in name for separator in (os.sep, os.altsep) if separator)


def _file_text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")  # some editors put a mark at the start
    except UnicodeDecodeError:
        raise FeatureError(f"{path}: not a text in UTF-8; save it as one") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path}: cannot be read: {reason.lower()}") from None


def _parse_toml(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError is one, and so is what int() says of too many digits
        raise FeatureError(f"{source}: not well-formed TOML: {error}") from None
    except RecursionError:
        raise FeatureError(f"{source}: not well-formed TOML: arrays or tables nested too deeply") from None


def _check_keys(table: dict[str, Any], where: str, known: tuple[str, ...], what: str) -> None:
    for key in table:
        if key not in known:
            allowed = f"{what} can have {', '.join(known)}"
            raise FeatureError(f"{where}: {unknown('key', key, known, allowed)}")


def _typed(value: object, kind: type[_T], where: str) -> _T:
    if not isinstance(value, kind):
        raise FeatureError(f"{where}: {_KINDS[kind]} is needed, not {reprlib.repr(value)}")
    return value


def _toml_string(text: str) -> str:
    # The escapes of JSON are those of TOML, which wants DEL escaped, too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_array(templates: tuple[Template, ...]) -> str:
    lines = "".join(f"    {_toml_string(str(template))},\n" for template in templates)
    return f"[\n{lines}]" if lines else "[]"


def _compile_part(templates: tuple[Template, ...], attributes: dict[Attribute, int]) -> Part:
    """The tables of some templates; the attributes that they need are added to those of the other part."""
    nodes: dict[tuple[int, int, int], int] = {}
    atoms: dict[tuple[int, int, int], int] = {}
    numbers = [[_number(atoms, _atom(value, nodes, attributes)) for value in template] for template in templates]
    return Part(list(nodes), list(atoms), numbers)


def node_tables(addresses: Iterable[str]) -> tuple[list[tuple[int, int, int]], list[int]]:
    """The nodes of addresses as a table of numbers, with those that they are found from; and the row of each.

    >>> node_tables(["stack[0]", "ldep(stack[0])", "stack[0]"])
    ([(0, 0, 0), (6, 0, 1)], [0, 1, 0])
    """
    nodes: dict[tuple[int, int, int], int] = {}
    rows = [_node(parse_node(address), nodes) for address in addresses]
    return list(nodes), rows


def _number(table: dict[_T, int], row: _T) -> int:
    """The number of a row, which is added if it is new."""
    return table.setdefault(row, len(table))


def _node(node: Node, nodes: dict[tuple[int, int, int], int]) -> int:
    """The number of a node's row, after those of the nodes that it is found from."""
    if node.of is not None:
        a, b = _node(node.of, nodes), node.number
    elif node.op is NodeOp.STACK:
        a, b = node.stack, node.number
    else:
        a, b = node.number, 0
    return _number(nodes, (int(node.op), a, b))


def _atom(
    value: Value, nodes: dict[tuple[int, int, int], int], attributes: dict[Attribute, int]
) -> tuple[int, int, int]:
    a, b = (*(_node(node, nodes) for node in value.nodes), 0, 0)[:2]
    if value.attribute is not None:
        b = _number(attributes, value.attribute)
    elif value.kind in (AtomKind.TRANSITION, AtomKind.SIZE):
        a = value.number
    return int(value.kind), a, b
