"""Restores empty nodes in enhanced graphs, whose paths through empty nodes are arcs labelled `a>b`."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from multiplane.formats.corpus import Corpus, indexed
from multiplane.formats.fields import EMPTY
from multiplane.formats.layers import LayerArcs, enhanced_column
from multiplane.formats.rewrite import rewritten_enhanced

_PATH = ">"

Node = tuple[int, int]
"""The numbers of a node's ID: (5, 0) for the word 5 or, with 0, for the root, and (5, 1) for the empty node 5.1."""
Dep = tuple[Node, str]
"""A head and a label in DEPS."""


class Expanded(NamedTuple):
    """The heads of a sentence's words and empty nodes."""

    words: dict[int, list[Dep]]
    """By position; words without heads are missing."""
    empty: dict[Node, list[Dep]]
    """Sorted by their places in the sentence."""


def expanded(arcs: Iterable[tuple[int, int, str]]) -> Expanded:
    """Returns the graph of a sentence with every path expanded into arcs.

    Paths with a common prefix share empty nodes, so that there are as few as possible. Each empty node is placed after
    its first dependent to the right of its heads, or else after its first dependent.

    >>> arcs = [(0, 2, "root"), (2, 1, "nsubj"), (2, 4, "conj>nsubj"), (2, 5, "conj>obj")]
    >>> words, empty = expanded(arcs)
    >>> empty, words[4], words[5]
    ({(4, 1): [((2, 0), 'conj')]}, [((4, 1), 'nsubj')], [((4, 1), 'obj')])
    """
    starts: dict[int, _Head] = {}
    found = [(starts.setdefault(head, _Head(head)), word, label) for head, word, label in arcs]
    done: list[tuple[_Head, int, str]] = []
    empty: list[_Head] = []
    while found:
        done += [arc for arc in found if _PATH not in arc[2]]
        new = _shared([arc for arc in found if _PATH in arc[2]])
        empty += [head for head, _ in new]
        found = [(head, word, rest) for head, ends in new for word, rest in ends]
    _number(empty)
    words: dict[int, list[Dep]] = {}
    for head, word, label in done:
        words.setdefault(word, []).append((head.node, label))
    heads = {head.node: sorted((above.node, label) for above, label in head.above) for head in empty}
    return Expanded({word: sorted(deps) for word, deps in words.items()}, dict(sorted(heads.items())))


def with_enhanced_layer(corpus: Corpus, arcs: LayerArcs) -> Corpus:
    r"""Returns the corpus with these enhanced graphs; see `rewritten_enhanced_layer`.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n2\thome\t_\t_\t_\t_\t1\torphan\t_\t_\n")
    >>> ends = np.array([0, 1], np.int32), np.array([1, 2], np.int32)
    >>> new = with_enhanced_layer(corpus, LayerArcs(np.array([0, 2]), *ends, np.arange(2), ("root", "conj>obl")))
    >>> print(new.to_bytes().decode().replace("\t", " ").strip())
    1 Go _ _ _ _ 0 root 0:root _
    2 home _ _ _ _ 1 orphan 2.1:obl _
    2.1 _ _ _ _ _ _ _ 1:conj _
    """
    text = rewritten_enhanced_layer(corpus, arcs)
    return indexed(text, corpus.dialect, corpus.name, "fail", corpus._lines_before, corpus._sentences_before)


def rewritten_enhanced_layer(corpus: Corpus, arcs: LayerArcs) -> bytes:
    """Returns the text of a corpus with these enhanced graphs, whose labels such as `a>b` are paths.

    Replaces DEPS of all words, removes existing empty nodes, and adds those on paths; all other bytes are unchanged.
    Raises `GraphError` for arcs that DEPS cannot represent.
    """
    text = rewritten_enhanced(corpus, arcs)
    is_path = np.array([_PATH in name for name in arcs.names], np.bool_)
    on_path = np.flatnonzero(is_path[arcs.labels]) if len(arcs.names) else np.zeros(0, np.int64)
    has_path = np.searchsorted(arcs.first, on_path, side="right") - 1
    layer = corpus.enhanced_layer
    has_empty = np.searchsorted(layer.first_node, np.flatnonzero(layer.node_minors), side="right") - 1
    changed = np.unique(np.concatenate([has_path, has_empty])).tolist()
    if not changed:
        return text
    index = indexed(text, corpus.dialect, corpus.name, "fail")._index
    column = enhanced_column(corpus)
    pieces, copied = [], 0
    for sentence in changed:
        start, end = int(index.start[sentence]), int(index.end[sentence])
        pieces += [text[copied:start], _rebuilt(text[start:end], expanded(arcs.of(sentence)), column)]
        copied = end
    return b"".join([*pieces, text[copied:]])


class _Head:
    """A word, the root or an empty node, which gets its ID last."""

    def __init__(self, word: int, above: Sequence[tuple[_Head, str]] = (), dependents: Sequence[int] = ()) -> None:
        self.node: Node = (word, 0)
        self.above = above
        self.dependents = dependents


def _shared(paths: Iterable[tuple[_Head, int, str]]) -> list[tuple[_Head, list[tuple[int, str]]]]:
    """Returns the empty nodes that paths lead through first, and the rest of the paths from each."""
    ends: dict[tuple[_Head, str], dict[tuple[int, str], None]] = {}
    for head, word, path in paths:
        label, _, rest = path.partition(_PATH)
        ends.setdefault((head, label), {})[word, rest] = None
    above: dict[tuple[tuple[int, str], ...], list[tuple[_Head, str]]] = {}
    for start, rests in ends.items():
        above.setdefault(tuple(sorted(rests)), []).append(start)
    return [(_Head(0, heads, [word for word, _ in rests]), list(rests)) for rests, heads in above.items()]


def _number(empty: Iterable[_Head]) -> None:
    """Gives empty nodes their places and IDs; heads come before their dependents."""
    count: dict[int, int] = {}
    for head in empty:
        last = max(above.node[0] for above, _ in head.above)
        place = min((word for word in head.dependents if word > last), default=min(head.dependents))
        count[place] = count.get(place, 0) + 1
        head.node = (place, count[place])


def _rebuilt(sentence: bytes, graph: Expanded, column: int) -> bytes:
    """Returns the lines of a sentence with other heads and empty nodes."""
    empty: dict[int, list[tuple[Node, list[Dep]]]] = {}
    for node, deps in graph.empty.items():
        empty.setdefault(node[0], []).append((node, deps))
    usual_end = b"\r\n" if b"\r\n" in sentence else b"\n"
    rows: list[bytes] = []
    for line in io.BytesIO(sentence):
        content = line.rstrip(b"\r\n")
        end = line[len(content) :]
        fields = content.split(b"\t")
        if not fields[0].isdigit():
            rows += [] if line[:1] != b"#" and b"." in fields[0] else [line]
            continue
        word = int(fields[0])
        fields[column] = _deps(graph.words.get(word, ()))
        new = [b"\t".join(fields)]
        for node, deps in empty.get(word, ()):
            fields = [EMPTY.encode()] * len(fields)
            fields[0], fields[column] = _name(node).encode(), _deps(deps)
            new.append(b"\t".join(fields))
        # The last line of a file may have no end.
        rows.append((end if end.endswith(b"\n") else usual_end).join(new) + end)
    return b"".join(rows)


def _name(node: Node) -> str:
    return f"{node[0]}.{node[1]}" if node[1] else str(node[0])


def _deps(deps: Iterable[Dep]) -> bytes:
    return "|".join(f"{_name(head)}:{label}" for head, label in deps).encode() or EMPTY.encode()
