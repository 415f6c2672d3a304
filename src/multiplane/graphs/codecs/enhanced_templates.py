"""Templates: the labels of enhanced arcs, apart from the words that a rule supplies.

A template is a label in which `=` stands for the relation of the basic arc and `*` for what the rule of the relation
adds. `-` says that the basic arc is missing, `&` that it is there although another arc usually replaces it, and `^`
starts the label of an arc from the root beside the basic one. A label that could be mistaken for one of these follows
`!`. Several labels of the same arc are separated by `|`.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from multiplane.errors import GraphError

USUAL = "=*"
"""The template of a basic arc whose label is as the rule of its relation says."""
ABSENT, KEPT, ROOT = "-", "&", "^"
_OWN, _RULE, _VERBATIM = "=", "*", "!"
PATH = ">"
"""Between the labels of a path through empty nodes."""
ROOT_LABEL = "root"


def fits_label(text: str) -> bool:
    """Whether a label may contain a text.

    >>> fits_label("and"), fits_label("a|b")
    (True, False)
    """
    return not any(letter.isspace() or letter == "|" for letter in text)


class Part(NamedTuple):
    """One label of a template.

    >>> Part.read("conj:and>=*")
    Part(start='', path='conj:and>', is_own=True, label='', usual=True)
    """

    start: str
    """`-`, `&`, `^` or nothing."""
    path: str
    """The labels up to the last empty node, each followed by `>`."""
    is_own: bool
    """Whether the relation of the basic arc comes next."""
    label: str
    """The rest of the label."""
    usual: bool
    """Whether the rule of the relation adds to the label."""

    @staticmethod
    def read(text: str) -> Part:
        """Takes the text of a part apart."""
        if text in (ABSENT, KEPT):
            return Part(text, "", False, "", False)
        if text.startswith((ROOT, _VERBATIM)):
            return Part(ROOT if text[0] == ROOT else "", "", False, text[1:], False)
        path, arrow, label = text.rpartition(PATH)
        rest = label.removeprefix(_OWN)
        return Part("", path + arrow, rest != label, rest.removesuffix(_RULE), rest.endswith(_RULE))


class Template(tuple[Part, ...]):
    """All parts of a template.

    >>> [part.label for part in Template.read("=:agent|^root")]
    [':agent', 'root']
    """

    __slots__ = ()

    @classmethod
    def read(cls, text: str) -> Template:
        """Takes a template apart; raises `GraphError` if a part is empty or no label can contain it."""
        parts = text.split("|")
        if not all(parts) or not all(map(fits_label, parts)):
            raise GraphError(f"{text!r} is not a template of enhanced labels")
        return cls(map(Part.read, parts))


def own_template(label: str, deprel: str, *, usual: bool) -> str:
    """Returns the template of a basic arc's label; `usual` if it is as the rule says.

    >>> own_template("obl:in", "obl", usual=True), own_template("obl:in", "obl", usual=False)
    ('=*', '=:in')
    >>> own_template("conj:and>nsubj", "conj", usual=False)
    'conj:and>nsubj'
    """
    path, arrow, last = label.rpartition(PATH)
    if usual:
        return path + arrow + USUAL
    rest = suffix_of(last, deprel)
    if rest is None or _RULE in last or path.startswith((_OWN, ROOT, _VERBATIM)):
        return plain_template(label)
    return path + arrow + _OWN + last[len(deprel) :]


def added_template(label: str, relation: str) -> str:
    """Returns the template of an arc beside the tree whose label is as the rule of its relation says.

    >>> added_template("obl:in", "obl"), added_template("conj:and>obl:as", "obl")
    ('obl*', 'conj:and>obl*')
    """
    path, arrow, _ = label.rpartition(PATH)
    return path + arrow + relation + _RULE


def plain_template(label: str) -> str:
    """Returns the template that is a label as it stands.

    >>> plain_template("nsubj:xsubj"), plain_template("-")
    ('nsubj:xsubj', '!-')
    """
    is_special = _RULE in label or label in (ABSENT, KEPT) or label.startswith((ROOT, _VERBATIM))
    is_special = is_special or label.rpartition(PATH)[2].startswith(_OWN)
    return _VERBATIM + label if is_special else label


def suffix_of(label: str, relation: str) -> str | None:
    """Returns what follows the relation in a label; None if the label has another relation.

    >>> suffix_of("obl:in", "obl"), suffix_of("obl", "obl"), suffix_of("object", "obj")
    ('in', '', None)
    """
    if label == relation:
        return ""
    return label[len(relation) + 1 :] or None if label.startswith(relation + ":") else None


def joined(relation: str, suffix: str) -> str:
    """Returns a label from its two parts.

    >>> joined("obl", "in"), joined("obl", "")
    ('obl:in', 'obl')
    """
    return f"{relation}:{suffix}" if suffix else relation


def relation_of(label: str, relations: Container[str]) -> str:
    """Returns the longest relation that a label, or the last one of a path, begins with; itself if there is none.

    >>> relation_of("nsubj:pass:xsubj", {"nsubj", "nsubj:pass"}), relation_of("conj>obl:in", {"obl"})
    ('nsubj:pass', 'obl')
    """
    last = label.rpartition(PATH)[2]
    relation = last
    while relation not in relations:
        relation, colon, _ = relation.rpartition(":")
        if not colon:
            return last
    return relation


def root_fits(head: int, label: str) -> bool:
    """Whether an arc may have a label: those from the root are `root`, and no others.

    >>> root_fits(0, "root>nsubj"), root_fits(0, "nsubj"), root_fits(2, "root")
    (True, False, False)
    """
    return (label.partition(PATH)[0].partition(":")[0] == ROOT_LABEL) == (head == 0)


def kind_of(template: str, relations: Container[str]) -> str:
    """Returns the relation of a template, without words.

    >>> kind_of("obl:in", {"obl"}), kind_of("acl:relcl*|acl:relcl>obj", {"acl:relcl"})
    ('obl', 'acl:relcl')
    """
    return relation_of(template.partition("|")[0].removesuffix(_RULE), relations)


def names_and_places(texts: Sequence[str]) -> dict[str, int]:
    """Returns the distinct texts, most frequent first, and their places.

    >>> names_and_places(["b", "a", "a"])
    {'a': 0, 'b': 1}
    """
    counts: dict[str, int] = {}
    for text in texts:
        counts[text] = counts.get(text, 0) + 1
    return {text: place for place, text in enumerate(sorted(counts, key=lambda text: (-counts[text], text)))}
