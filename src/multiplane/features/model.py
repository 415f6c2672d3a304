"""Feature models: the templates and slots of a parser, written in TOML and compiled to numeric tables."""

from __future__ import annotations

import json
import os
import re
import reprlib
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from multiplane._native import AtomKind, AttributeKind, NodeOp
from multiplane.errors import FeatureError, InputError
from multiplane.features.addresses import (
    COLUMNS,
    Attribute,
    Node,
    Template,
    Value,
    check_name,
    parse_node,
    parse_template,
    quote,
    unknown,
)
from multiplane.systems import TransitionSystem

_DEFAULTS = Path(__file__).parent / "defaults"
_KEYS = ("about", "extends", "names", "templates", "slots")
_PARTS = ("transition", "label")
_K_PLANAR = re.compile("(undirected-)?([3-9]|[1-9][0-9])-planar")
_T = TypeVar("_T")
_KINDS: dict[type, str] = {dict: "a table", list: "an array", str: "a string"}


class Part(NamedTuple):
    """The templates for one kind of decision, as numeric tables; see `NodeOp` and `AtomKind`."""

    nodes: list[tuple[int, int, int]]
    """Operation and two operands; a node comes after its argument."""
    atoms: list[tuple[int, int, int]]
    """Kind and two operands."""
    templates: list[list[int]]
    """The atoms of each template."""


class Compiled(NamedTuple):
    """A feature model as tables for the native core."""

    attributes: list[tuple[int, int, str]]
    """Kind, column and argument of the static attributes of words; see `AttributeKind`."""
    transition: Part
    label: Part


class Slots(NamedTuple):
    """The words of a configuration whose vectors are inputs of a network, in several views; a network uses one."""

    default: tuple[Node, ...] = ()
    fast: tuple[Node, ...] = ()
    """Fewer slots, for speed."""
    s2: tuple[Node, ...] = ()
    """The slots of S2."""
    focus: tuple[Node, ...] = ()
    """In every view: the words whose future heads and dependents are predicted."""


NO_SLOTS = Slots()
VIEWS = tuple(name for name in Slots._fields if name != "focus")


@dataclass(frozen=True)
class FeatureModel:
    """The templates for choosing transitions and labels, and the slots of a neural parser.

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
    """Templates for transitions."""
    label: tuple[Template, ...]
    """Templates for labels."""
    slots: Slots = NO_SLOTS
    """The inputs of a neural parser, which uses no templates."""

    @staticmethod
    def of(system: TransitionSystem, given: str | None = None) -> FeatureModel:
        """Returns the model for a system: the given one, by name or path, or else the one that the system declares.

        If it declares none, the model is the one with its name, or the one for its number of stacks.

        >>> from multiplane.systems import systems
        >>> FeatureModel.of(systems["2-planar-eager"]).name
        '2-planar'
        >>> FeatureModel.of(systems["2-planar-eager"].undirected()).name
        'undirected-2-planar'
        """
        chosen = given or system.features or _usual(system)
        is_text = chosen == system.features and _is_text(chosen)
        model = FeatureModel.from_toml(chosen, system.name) if is_text else FeatureModel.load(chosen)
        model.check(system)
        return model

    @staticmethod
    def from_toml(text: str, name: str = "<text>") -> FeatureModel:
        """Reads a model; `name` is used in messages.

        >>> FeatureModel.from_toml('templates.transition = ["active"]').transition[0]
        (Value(kind=AtomKind.ACTIVE, nodes=(), attribute=None, number=0),)
        """
        return _finished(_read(text, name, ()), name)

    @staticmethod
    def load(name_or_path: str | os.PathLike[str]) -> FeatureModel:
        """Loads a bundled model by name, or a file; a path ends in .toml or contains a folder.

        >>> FeatureModel.load("planar").name
        'planar'
        >>> str(FeatureModel.load("5-planar").slots.default[-1])
        'inactive4[0]'
        """
        name = os.fspath(name_or_path)
        if isinstance(name_or_path, str) and not _is_path(name):
            return _load_shipped(name)
        return FeatureModel.from_toml(_file_text(name), name)

    def to_toml(self) -> str:
        """Returns the model as self-contained TOML: names are resolved, and the extended model is included.

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
        text = f"about = {_toml_string(self.about)}\n\n[templates]\n{_toml_lists(self._parts())}"
        return text if self.slots == NO_SLOTS else f"{text}\n[slots]\n{_toml_lists(self.slots._asdict().items())}"

    def without_slots(self) -> FeatureModel:
        """Returns only the templates, which are all that a feature-based parser uses.

        >>> FeatureModel.load("planar").without_slots().slots.default
        ()
        """
        return replace(self, slots=NO_SLOTS)

    @property
    def columns(self) -> tuple[str, ...]:
        """The treebank columns that the templates read, in the order of `COLUMNS`.

        >>> FeatureModel.from_toml('templates.transition = ["stack[0].xpos", "stack[0].suffix(2)"]').columns
        ('form', 'xpos')
        """
        attributes = [value.attribute for value in self._values() if value.attribute]
        read = {COLUMNS[attribute.column] for attribute in attributes}
        if any(attribute.kind is AttributeKind.TAG for attribute in attributes):
            read |= {"upos", "feats"}
        return tuple(column for column in COLUMNS if column in read)

    def check(self, system: TransitionSystem) -> None:
        """Raises `FeatureError` if templates or slots need more stacks, or another kind of arcs.

        >>> from multiplane.systems import systems
        >>> model = FeatureModel.from_toml('templates.transition = ["head(inactive[0]).upos"]')
        >>> model.check(systems["planar"])
        Traceback (most recent call last):
        ...
        multiplane.errors.FeatureError: <text>: head(inactive[0]).upos needs a system with at least 2 stacks; \
this one has 1
        >>> model = FeatureModel.from_toml('templates.transition = ["llink(stack[0]).upos"]')
        >>> model.check(systems["planar"])
        Traceback (most recent call last):
        ...
        multiplane.errors.FeatureError: <text>: llink(stack[0]).upos needs an undirected system; planar builds \
directed arcs
        """
        undirected = system.is_undirected
        everything: list[Value | Node] = [*self._values(), *(node for view in self.slots for node in view)]
        for needed in everything:
            if needed.stacks > system.stacks:
                raise FeatureError(
                    f"{self.name}: {needed} needs a system with at least {needed.stacks} stacks; "
                    f"this one has {system.stacks}"
                )
            if not needed.fits(undirected=undirected):
                raise FeatureError(f"{self.name}: {needed} needs {_other_kind(system)}")

    def compile(self) -> Compiled:
        """Compiles the model to numeric tables, without duplicates.

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
    """Returns the names of the bundled models.

    >>> "planar" in shipped_models()
    True
    """
    return sorted(path.stem for path in _DEFAULTS.glob("*.toml"))


class _Written(NamedTuple):
    """A template with its quoted source text and its location."""

    where: str
    text: str
    template: Template


@dataclass
class _Draft:
    """A model while it is read. Templates are stored by their set of values, which detects reordered duplicates."""

    about: str = ""
    names: dict[str, Node] = field(default_factory=dict)
    templates: dict[str, dict[frozenset[Value], _Written]] = field(
        default_factory=lambda: {part: {} for part in _PARTS}
    )
    slots: Slots = NO_SLOTS


def _finished(draft: _Draft, name: str) -> FeatureModel:
    transition, label = (tuple(written.template for written in draft.templates[part].values()) for part in _PARTS)
    if not transition:
        raise FeatureError(f"{name}: templates.transition: empty; a model needs at least one template")
    return FeatureModel(name, draft.about, transition, label, draft.slots)


def _read(text: str, source: str, chain: tuple[str, ...], stacks: int = 0) -> _Draft:
    """Reads a model on top of the one it extends; `chain` lists the bundled models that led here.

    `stacks` is for models that use `{k}`.
    """
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
        for template, where in _items(templates, part, f"{source}: templates", stacks):
            _add_template(draft, part, template, where)
    slots = _typed(data.get("slots", {}), dict, f"{source}: slots")
    _check_keys(slots, f"{source}: slots", Slots._fields, "slots")
    for view in slots:
        _set_slots(draft, view, _items(slots, view, f"{source}: slots", stacks))
    return draft


def _items(table: dict[str, Any], key: str, where: str, stacks: int) -> Iterator[tuple[str, str]]:
    """Yields the items of a list with their locations; one with `{k}` is repeated for every stack after the second."""
    for i, item in enumerate(_typed(table.get(key, []), list, f"{where}.{key}")):
        place = f"{where}.{key}[{i}]"
        text = _typed(item, str, place)
        numbers = range(2, stacks) if stacks and "{k}" in text else [0]
        yield from ((text.replace("{k}", str(k)) if k else text, place) for k in numbers)


def _read_parent(name: str, source: str, chain: tuple[str, ...]) -> _Draft:
    if name in chain:
        circle = " → ".join((*chain[chain.index(name) :], name))
        raise FeatureError(f"{source}: extends: a model cannot extend itself: {circle}")
    with _located(f"{source}: extends"):
        _check_shipped(name)
    return _read_shipped(name, chain)


def _check_shipped(name: str) -> None:
    """Raises `FeatureError` if there is no such model; this also keeps a name from escaping the folder."""
    shipped = shipped_models()
    if name not in shipped and _file_of(name) not in shipped:
        allowed = f"bundled models: {', '.join(shipped)}; load your own file by its path, ending in .toml"
        raise FeatureError(unknown("feature model", name, shipped, allowed))


@cache
def _load_shipped(name: str) -> FeatureModel:
    """A shipped model, read once: every training and every load of a neural model asks for one."""
    _check_shipped(name)
    return _finished(_read_shipped(name, ()), name)


def _read_shipped(name: str, chain: tuple[str, ...]) -> _Draft:
    family = _K_PLANAR.fullmatch(name)
    stacks = int(family[2]) if family else 0
    return _read(_file_text(str(_DEFAULTS / f"{_file_of(name)}.toml")), name, (*chain, name), stacks)


def _file_of(name: str) -> str:
    """Returns the name of a model's file, which all models with 3 or more stacks share.

    >>> _file_of("undirected-7-planar"), _file_of("2-planar")
    ('undirected-3-planar', '2-planar')
    """
    return _K_PLANAR.sub(r"\g<1>3-planar", name) if _K_PLANAR.fullmatch(name) else name


def _usual(system: TransitionSystem) -> str:
    if system.name in shipped_models():
        return system.name
    by_stacks = "planar" if system.stacks == 1 else f"{system.stacks}-planar"
    return f"undirected-{by_stacks}" if system.is_undirected else by_stacks


def _other_kind(system: TransitionSystem) -> str:
    """Returns the kind of system that this one is not, for messages."""
    if system.is_undirected:
        return f"a system with directed arcs; {system.name} builds edges without direction"
    return f"an undirected system; {system.name} builds directed arcs"


@contextmanager
def _located(where: str) -> Iterator[None]:
    """Prefixes error messages with a location."""
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


def _add_template(draft: _Draft, part: str, text: str, where: str) -> None:
    with _located(where):
        template = parse_template(text, draft.names, label=part == "label")
    written = _Written(where, quote(text), template)
    same = draft.templates[part].setdefault(frozenset(template), written)
    if same is not written:
        raise FeatureError(f"{where}: {written.text} is equivalent to {same.text}, {same.where}; remove one of them")


def _set_slots(draft: _Draft, view: str, items: Iterable[tuple[str, str]]) -> None:
    """Replaces a view; `...` stands for the addresses of the extended model."""
    nodes: list[Node] = []
    for text, where in items:
        with _located(where):
            new = getattr(draft.slots, view) if text == "..." else (parse_node(text, draft.names, label=False),)
        for node in new:
            if node in nodes:
                raise FeatureError(f"{where}: {node} is already in the list; remove one of them")
            nodes.append(node)
    draft.slots = draft.slots._replace(**{view: tuple(nodes)})


def _is_text(features: str) -> bool:
    """Whether this is TOML rather than the name or path of a model."""
    return "=" in features and not features.endswith(".toml")


def _is_path(name: str) -> bool:
    return name.endswith(".toml") or any(separator in name for separator in (os.sep, os.altsep) if separator)


def _file_text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")  # some editors add a byte order mark
    except UnicodeDecodeError:
        raise FeatureError(f"{path}: not valid UTF-8; save the file as UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path}: cannot be read: {reason.lower()}") from None


def _parse_toml(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError, or int() with too many digits
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
        raise FeatureError(f"{where}: expected {_KINDS[kind]}, not {reprlib.repr(value)}")
    return value


def _toml_string(text: str) -> str:
    # TOML has the same escapes as JSON, but DEL must be escaped too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_lists(lists: Iterable[tuple[str, Iterable[object]]]) -> str:
    return "".join(f"{name} = {_toml_array(items)}\n" for name, items in lists)


def _toml_array(items: Iterable[object]) -> str:
    lines = "".join(f"    {_toml_string(str(item))},\n" for item in items)
    return f"[\n{lines}]" if lines else "[]"


def _compile_part(templates: tuple[Template, ...], attributes: dict[Attribute, int]) -> Part:
    """Compiles templates; adds their attributes to those of the other part."""
    nodes: dict[tuple[int, int, int], int] = {}
    atoms: dict[tuple[int, int, int], int] = {}
    numbers = [[_number(atoms, _atom(value, nodes, attributes)) for value in template] for template in templates]
    return Part(list(nodes), list(atoms), numbers)


def node_tables(nodes: Iterable[Node]) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Returns nodes and their arguments as a numeric table, and the row of each node.

    >>> node_tables(map(parse_node, ["stack[0]", "ldep(stack[0])", "stack[0]"]))
    ([(0, 0, 0), (6, 0, 1)], [0, 1, 0])
    """
    table: dict[tuple[int, int, int], int] = {}
    rows = [_node(node, table) for node in nodes]
    return list(table), rows


def _number(table: dict[_T, int], row: _T) -> int:
    """Returns the index of a row, adding it if it is new."""
    return table.setdefault(row, len(table))


def _node(node: Node, nodes: dict[tuple[int, int, int], int]) -> int:
    """Returns the index of a node's row, which comes after its argument."""
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
