"""The feature language: addresses of nodes, values of nodes, and templates that combine values.

A node is `stack[0]`, `inactive[0]`, `buffer[0]`, `aside[0]`, an end of the arc to be labelled (`governor`,
`dependent`), or a function of another node: `head(x)`, `ldep(x,k)`, `rdep(x,k)`, `lsib(x)`, `rsib(x)`, `next(x,k)`,
`previous(x,k)`. A value is an attribute of a node, such as `stack[0].upos`, or one of `distance(x,y)`, `linked(x,y)`,
`label(x,y)`, `path(x,y)`, `transition[i]`, `size(stack)` and `active`. A template combines values:
`stack[0].upos + buffer[0].form`.

Undirected systems have other nodes: the `left` and `right` ends of the edge to be labelled, the linked words
`llink(x,k)` and `rlink(x,k)`, and S3's undirected siblings `lusib(x)` and `rusib(x)`. Heads and dependents are those
that labels prefer, if labels carry directions; otherwise there are none.

Parsers of graphs see the syntactic tree beside the graph: heads, dependents and labels are those of the tree. Values of
the graph are the attributes `predicate`, `sense`, `arguments` (the roles of a predicate's arguments so far) and `roles`
(those of the word itself), and `role(x,y)`, the roles of the arcs between two nodes. Parsers of trees know none of it.

While an inactive stack has the same top as the active one, its nodes do not exist.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from multiplane._native import AtomKind, AttributeKind, NodeOp
from multiplane.errors import FeatureError

COLUMNS = ("form", "lemma", "upos", "xpos", "feats")
"""The treebank columns that features can read; attributes refer to them by index."""


class Attribute(NamedTuple):
    """A static attribute of a word.

    >>> str(Attribute(AttributeKind.PREFIX, COLUMNS.index("form"), "3"))
    'prefix(3)'
    """

    kind: AttributeKind
    column: int
    argument: str = ""

    def __str__(self) -> str:
        if self.kind is AttributeKind.WHOLE:
            return COLUMNS[self.column]
        if self.kind is AttributeKind.FEATS_ATTRIBUTE:
            return f"feats.{self.argument}"
        return self.kind.name.lower() + (f"({self.argument})" if self.argument else "")


@dataclass(frozen=True)
class Node:
    """The address of a node; `str` gives its canonical form.

    >>> str(Node(NodeOp.LDEP, Node(NodeOp.STACK, stack=1, number=2), number=1))
    'ldep(inactive[2])'
    """

    op: NodeOp
    of: Node | None = None
    """The argument of a function."""
    stack: int = 0
    """The stack: 0 for the active one, 1 for the one that the next SWITCH activates, and so on."""
    number: int = 0
    """The index in a list, or the k of a function."""

    @property
    def base(self) -> Node:
        """The innermost node, to which all functions apply."""
        return self if self.of is None else self.of.base

    @property
    def depth(self) -> int:
        """The number of nested functions."""
        return 0 if self.of is None else self.of.depth + 1

    @property
    def stacks(self) -> int:
        """The number of stacks that a system needs for this node."""
        return 1 + self.base.stack

    def fits(self, *, undirected: bool) -> bool:
        """Whether the node makes sense in systems with directed arcs, or in undirected ones.

        >>> node = parse_node("next(llink(stack[0]))")
        >>> node.fits(undirected=False), node.fits(undirected=True)
        (False, True)
        """
        misfits = _DIRECTED if undirected else _UNDIRECTED
        return self.op not in misfits and (self.of is None or self.of.fits(undirected=undirected))

    def __str__(self) -> str:
        if self.of is not None:
            k = f",{self.number}" if self.number > 1 else ""
            return f"{self.op.name.lower()}({self.of}{k})"
        if self.op in _ARC_ENDS.values():
            return self.op.name.lower()
        return f"{_stack_name(self.stack) if self.op is NodeOp.STACK else self.op.name.lower()}[{self.number}]"


@dataclass(frozen=True)
class Value:
    """A part of a template; `str` gives its canonical form.

    >>> str(Value(AtomKind.LINKED, (Node(NodeOp.STACK), Node(NodeOp.BUFFER))))
    'linked(stack[0],buffer[0])'
    """

    kind: AtomKind
    nodes: tuple[Node, ...] = ()
    attribute: Attribute | None = None
    """The attribute, for values of words."""
    number: int = 0
    """The index of the transition, or of the list in `SIZES`."""

    @property
    def stacks(self) -> int:
        """The number of stacks that a system needs for this value."""
        inactive_size = self.kind is AtomKind.SIZE and SIZES[self.number] == "inactive"
        return max((node.stacks for node in self.nodes), default=1 + inactive_size)

    def fits(self, *, undirected: bool) -> bool:
        """Whether the value makes sense in systems with directed arcs, or in undirected ones."""
        return all(node.fits(undirected=undirected) for node in self.nodes)

    def __str__(self) -> str:
        name = self.kind.name.lower()
        if self.kind in _PAIRS.values():
            return f"{name}({','.join(map(str, self.nodes))})"
        if self.kind is AtomKind.TRANSITION:
            return f"transition[{self.number}]"
        if self.kind is AtomKind.SIZE:
            return f"size({SIZES[self.number]})"
        return f"{self.nodes[0]}.{self.attribute or name}" if self.nodes else name


class Template(tuple[Value, ...]):
    """A conjunction of values, in the order written; `str` gives its canonical form.

    >>> str(Template((Value(AtomKind.ACTIVE), Value(AtomKind.TRANSITION))))
    'active + transition[0]'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return " + ".join(map(str, self))


SIZES = ("stack", "inactive", "buffer", "aside")
"""The lists whose size is a value; values refer to them by index."""

_MOST_DEPTH = 16
_MOST = 1000
_MOST_TRANSITIONS = 7  # a state stores the last eight
_LISTS = {"buffer": NodeOp.BUFFER, "aside": NodeOp.ASIDE}
_ARC_ENDS = {
    "governor": NodeOp.GOVERNOR,
    "dependent": NodeOp.DEPENDENT,
    "left": NodeOp.LEFT,
    "right": NodeOp.RIGHT,
}
_FUNCTIONS = {
    "head": NodeOp.HEAD,
    "ldep": NodeOp.LDEP,
    "rdep": NodeOp.RDEP,
    "lsib": NodeOp.LSIB,
    "rsib": NodeOp.RSIB,
    "next": NodeOp.NEXT,
    "previous": NodeOp.PREVIOUS,
    "llink": NodeOp.LLINK,
    "rlink": NodeOp.RLINK,
    "lusib": NodeOp.LUSIB,
    "rusib": NodeOp.RUSIB,
}
_COUNTING = frozenset({NodeOp.LDEP, NodeOp.RDEP, NodeOp.NEXT, NodeOp.PREVIOUS, NodeOp.LLINK, NodeOp.RLINK})
_DIRECTED = frozenset({NodeOp.GOVERNOR, NodeOp.DEPENDENT})
_UNDIRECTED = frozenset({NodeOp.LEFT, NodeOp.RIGHT, NodeOp.LLINK, NodeOp.RLINK, NodeOp.LUSIB, NodeOp.RUSIB})
_PAIRS = {
    "distance": AtomKind.DISTANCE,
    "linked": AtomKind.LINKED,
    "label": AtomKind.LABEL,
    "path": AtomKind.PATH,
    "role": AtomKind.ROLE,
}
_VALUES = (*_PAIRS, "transition", "size", "active")
_OF_WORDS = {
    "form": Attribute(AttributeKind.WHOLE, 0),
    "lower": Attribute(AttributeKind.LOWER, 0),
    "lemma": Attribute(AttributeKind.WHOLE, 1),
    "upos": Attribute(AttributeKind.WHOLE, 2),
    "xpos": Attribute(AttributeKind.WHOLE, 3),
    "feats": Attribute(AttributeKind.WHOLE, 4),
    "shape": Attribute(AttributeKind.SHAPE, 0),
    "tag": Attribute(AttributeKind.TAG, 3),
}
_CUTS = {"prefix": AttributeKind.PREFIX, "suffix": AttributeKind.SUFFIX}
_OF_THE_TREE = {kind.name.lower(): kind for kind in AtomKind if AtomKind.DEPREL <= kind <= AtomKind.LABELS}
_OF_THE_GRAPH = {kind.name.lower(): kind for kind in AtomKind if AtomKind.PREDICATE <= kind <= AtomKind.ROLES}
_BUILT = _OF_THE_TREE | _OF_THE_GRAPH
ATTRIBUTES = (*_OF_WORDS, *_CUTS, *_BUILT)
"""The attributes that can follow a node and a dot."""

_NODES = ("stack", "inactive", *_LISTS, *_ARC_ENDS, *_FUNCTIONS)
_STACK = re.compile(r"stack|inactive([2-9]|[1-9][0-9]+)?")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(r"-?[0-9]+")
_FEATURE = re.compile(r"[^\s+|=.,()\[\]]+(?:\[[^\s+|=.,()\[\]]+\])?")  # Case, Number[psor]
_SPACE = re.compile(r"\s*")


def parse_template(text: str, names: Mapping[str, Node] | None = None, *, label: bool = False) -> Template:
    """Parses a template; only `label` templates can use the ends of the arc.

    >>> str(parse_template("s0.upos+ldep( s0, 1 ).deprel", {"s0": parse_node("stack[0]")}))
    'stack[0].upos + ldep(stack[0]).deprel'
    >>> parse_template("stack[0].upso")
    Traceback (most recent call last):
    ...
    multiplane.errors.FeatureError: "stack[0].upso": column 10: no attribute 'upso'; did you mean upos? A node has \
form, lower, lemma, upos, xpos, feats, shape, tag, prefix, suffix, deprel, lvalency, rvalency, valency, llabels, \
rlabels, labels, predicate, sense, arguments, roles
    """
    return _Parser(text, names or {}, arc_ends=label).template()


def parse_node(text: str, names: Mapping[str, Node] | None = None, *, label: bool = True) -> Node:
    """Parses the address of a node; only `label` templates can use the ends of the arc.

    >>> str(parse_node("head( head(buffer[0]) )"))
    'head(head(buffer[0]))'
    """
    return _Parser(text, names or {}, arc_ends=label).only_node()


def check_name(name: str) -> None:
    """Raises `FeatureError` if a node cannot have this name.

    >>> check_name("s0")
    >>> check_name("head")
    Traceback (most recent call last):
    ...
    multiplane.errors.FeatureError: 'head' is reserved; choose another name
    """
    if not _WORD.fullmatch(name):
        raise FeatureError(f"{quote(name)} is not a valid name; use letters, digits and _, but no digit first")
    if name in _NODES or name in _VALUES or _STACK.fullmatch(name):
        raise FeatureError(f"'{name}' is reserved; choose another name")


def unknown(what: str, word: str, known: Iterable[str], allowed: str) -> str:
    """Returns the message about an unknown word, with a suggestion and what is allowed.

    >>> unknown("system", "planer", ["planar"], "there is planar")
    "no system 'planer'; did you mean planar? There is planar"
    """
    close = get_close_matches(word, known, 1)
    if close:
        return f"no {what} {word!r}; did you mean {close[0]}? {allowed[0].upper()}{allowed[1:]}"
    return f"no {what} {word!r}; {allowed}"


def quote(text: str) -> str:
    r"""Quotes a text for messages.

    >>> print(quote("a\nb"))
    "a\nb"
    """
    return json.dumps(text, ensure_ascii=False)  # always on one line


def _excerpt(text: str, at: int) -> str:
    """Quotes a text or, if it is long, the part around `at`."""
    if len(text) <= 100:
        return quote(text)
    start, end = max(0, at - 40), at + 40
    return quote(f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}")


def _stack_name(stack: int) -> str:
    return "stack" if stack == 0 else "inactive" if stack == 1 else f"inactive{stack}"


def _usage(function: str) -> str:
    if function in _PAIRS:
        return f"{function}(x,y)"
    return f"{function}(x) or {function}(x,k)" if _FUNCTIONS[function] in _COUNTING else f"{function}(x)"


class _Parser:
    """A recursive descent parser; `at` is its position in the text."""

    def __init__(self, text: str, names: Mapping[str, Node], *, arc_ends: bool) -> None:
        self.text, self.names, self.arc_ends = text, names, arc_ends
        self.at = 0

    def template(self) -> Template:
        if not self.text.strip():
            raise self.error("empty; a template needs at least one value, such as stack[0].upos")
        values = [self.value()]
        while self.skip("+"):
            start = self.here()
            value = self.value()
            if value in values:
                raise self.error(f"{value} is already in the template", start)
            values.append(value)
        self.end("+ or the end")
        return Template(values)

    def only_node(self) -> Node:
        if not self.text.strip():
            raise self.error("empty; expected a node, such as stack[0]")
        node = self.node()
        if self.peek("."):
            raise self.error("a name stands for a node; add the attribute where the name is used")
        self.end("the end")
        return node

    def value(self) -> Value:
        word = self.word()
        if word in _PAIRS:
            return Value(_PAIRS[word], self.two_nodes())
        if word == "transition":
            self.take(word)
            return Value(AtomKind.TRANSITION, number=self.place(word, _MOST_TRANSITIONS))
        if word == "size":
            return Value(AtomKind.SIZE, number=self.list_of_size())
        if word == "active":
            self.take(word)
            return Value(AtomKind.ACTIVE)
        return self.attribute(self.node())

    def two_nodes(self) -> tuple[Node, Node]:
        name = self.word()
        self.take(name)
        self.expect("(", f"'(' after {name}")
        first = self.argument(name)
        if self.peek(")"):
            raise self.miscounted(name)
        self.expect(",", "','")
        second = self.argument(name)
        self.close(name)
        return first, second

    def list_of_size(self) -> int:
        self.take("size")
        self.expect("(", "'(' after size")
        start, word = self.here(), self.word()
        if word not in SIZES:
            allowed = f"size takes one of {', '.join(SIZES)}"
            raise self.error(unknown("list", word, SIZES, allowed) if word else allowed, start)
        self.take(word)
        self.expect(")", "')'")
        return SIZES.index(word)

    def attribute(self, node: Node) -> Value:
        if not self.skip("."):
            found = "" if self.here() == len(self.text) else f", found {self.found()}"
            raise self.error(f"a node is not a value; expected '.' and an attribute such as upos{found}")
        start, word = self.here(), self.word()
        self.take(word)
        if word == "feats" and self.skip("."):
            return Value(AtomKind.WORD, (node,), Attribute(AttributeKind.FEATS_ATTRIBUTE, 4, self.feature()))
        if word in _OF_WORDS:
            return Value(AtomKind.WORD, (node,), _OF_WORDS[word])
        if word in _CUTS:
            return Value(AtomKind.WORD, (node,), Attribute(_CUTS[word], 0, self.characters(word)))
        if word in _BUILT:
            return Value(_BUILT[word], (node,))
        allowed = f"a node has {', '.join(ATTRIBUTES)}"
        if not word:
            raise self.error(f"expected an attribute, found {self.found()}; {allowed}", start)
        raise self.error(unknown("attribute", word, ATTRIBUTES, allowed), start)

    def feature(self) -> str:
        found = _FEATURE.match(self.text, self.here())
        if not found:
            raise self.error(f"expected the name of a feature, as in feats.Case, found {self.found()}")
        self.at = found.end()
        return found[0]

    def characters(self, word: str) -> str:
        self.expect("(", f"a number of characters after {word}, as in {word}(3)")
        number = self.number(1, 9)
        self.expect(")", "')'")
        return str(number)

    def node(self, depth: int = 0) -> Node:
        """Parses a node at this nesting depth of functions."""
        start, word = self.here(), self.word()
        if word in self.names:
            self.take(word)
            return self.allowed(self.names[word], word, start, depth)
        if word in _ARC_ENDS:
            self.take(word)
            return self.allowed(Node(_ARC_ENDS[word]), word, start, depth)
        if word in _FUNCTIONS:
            return self.function(depth + 1)
        if stack := _STACK.fullmatch(word):
            return self.on_stack(word, stack[1])
        if word in _LISTS:
            self.take(word)
            return Node(_LISTS[word], number=self.place(word))
        raise self.error(self.no_node(word), start)

    def on_stack(self, word: str, digits: str | None) -> Node:
        start = self.here()
        self.take(word)
        stack = 0 if word == "stack" else 1 if digits is None else self.bounded(digits, 2, _MOST, start)
        return Node(NodeOp.STACK, stack=stack, number=self.place(word))

    def function(self, depth: int) -> Node:
        start, word = self.here(), self.word()
        self.check_depth(depth, start)  # before recursing: Python's stack is limited too
        self.take(word)
        self.expect("(", f"'(' after {word}")
        of = self.argument(word, depth)
        counting = _FUNCTIONS[word] in _COUNTING
        k = self.number(1, _MOST) if counting and self.skip(",") else int(counting)
        self.close(word)
        return Node(_FUNCTIONS[word], of, number=k)

    def argument(self, function: str, depth: int = 0) -> Node:
        if self.peek(")") or self.peek(","):
            raise self.miscounted(function)
        return self.node(depth)

    def close(self, function: str) -> None:
        if self.peek(","):
            raise self.miscounted(function)
        self.expect(")", "')'")

    def allowed(self, node: Node, word: str, start: int, depth: int) -> Node:
        """Returns the node that a word stands for, if it is allowed here."""
        self.check_depth(depth + node.depth, start)
        if node.base.op in _ARC_ENDS.values() and not self.arc_ends:
            meaning = "" if word in _ARC_ENDS else f" (here {node})"
            raise self.error(f"{word}{meaning} is only allowed in label templates, where the arc is known", start)
        return node

    def check_depth(self, depth: int, start: int) -> None:
        if depth > _MOST_DEPTH:
            raise self.error(f"nested too deeply; at most {_MOST_DEPTH} functions can be nested", start)

    def no_node(self, word: str) -> str:
        """Returns why a word does not start a node."""
        if not word:
            if self.peek("."):
                return "an attribute needs a node before it, as in stack[0].upos"
            return f"expected a node such as stack[0], found {self.found()}"
        if word in _VALUES:
            return f"{word} is a value, not a node"
        if word in ATTRIBUTES:
            return f"'{word}' is an attribute; add a node, as in stack[0].{word}"
        names = f", and the names {', '.join(self.names)}" if self.names else ""
        known = (*_NODES, *_VALUES, *self.names)
        self.take(word)
        if self.peek("("):
            functions = (*_FUNCTIONS, *_PAIRS, "size")
            return unknown("function", word, functions, f"functions are {', '.join(functions)}")
        return unknown("node or value", word, known, f"nodes start with {', '.join(_NODES)}{names}")

    def place(self, word: str, most: int = _MOST) -> int:
        self.expect("[", f"'[' after {word}")
        number = self.number(0, most)
        self.expect("]", "']'")
        return number

    def number(self, least: int, most: int) -> int:
        found = _NUMBER.match(self.text, self.here())
        if not found:
            raise self.error(f"expected a number from {least} to {most}, found {self.found()}")
        number = self.bounded(found[0], least, most, found.start())
        self.at = found.end()
        return number

    def bounded(self, digits: str, least: int, most: int, start: int) -> int:
        # Python raises an error when converting thousands of digits, so check the length first.
        significant = digits.lstrip("-").lstrip("0") or "0"
        if len(significant) > len(str(most)) or digits.startswith("-") or not least <= int(significant) <= most:
            shown = digits if len(digits) <= 12 else f"{digits[:12]}…"
            raise self.error(f"{shown} is out of range; use a number from {least} to {most}", start)
        return int(significant)

    def word(self) -> str:
        """Returns the next word without consuming it, or an empty string."""
        found = _WORD.match(self.text, self.here())
        return found[0] if found else ""

    def take(self, word: str) -> None:
        self.at += len(word)

    def here(self) -> int:
        """Skips spaces and returns the position."""
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches the empty string too
        return self.at

    def peek(self, sign: str) -> bool:
        return self.text.startswith(sign, self.here())

    def skip(self, sign: str) -> bool:
        there = self.peek(sign)
        self.at += len(sign) if there else 0
        return there

    def expect(self, sign: str, what: str) -> None:
        if not self.skip(sign):
            raise self.error(f"expected {what}, found {self.found()}")

    def end(self, what: str) -> None:
        if self.here() < len(self.text):
            raise self.error(f"expected {what}, found {self.found()}")

    def found(self) -> str:
        """Returns the next word or character for messages."""
        rest = self.text[self.here() :]
        return repr(self.word() or rest[0]) if rest else "the end"

    def miscounted(self, function: str) -> FeatureError:
        return self.error(f"wrong number of arguments; write {_usage(function)}")

    def error(self, what: str, at: int | None = None) -> FeatureError:
        at = self.at if at is None else at
        return FeatureError(f"{_excerpt(self.text, at)}: column {at + 1}: {what}")
