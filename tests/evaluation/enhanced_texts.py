"""Random enhanced graphs with empty nodes for any CoNLL-U text, and the same text with empty nodes collapsed."""

from __future__ import annotations

from random import Random

LABELS = ["nsubj", "nsubj:xsubj", "nsubj:pass", "conj", "conj:and", "obl:in", "obl", "ref", "acl:relcl"]


def sentences_of(text: str) -> list[list[list[str]]]:
    return [[line.split("\t") for line in block.splitlines()] for block in text.split("\n\n") if block.strip()]


def joined(sentences: list[list[list[str]]]) -> str:
    return "".join("".join("\t".join(row) + "\n" for row in rows) + "\n" for rows in sentences)


def with_graphs(text: str, random: Random) -> str:
    """Gives every word its basic arc, often other arcs as well, some from empty nodes."""
    sentences = []
    for rows in sentences_of(text):
        words = [row for row in rows if row[0].isdigit()]
        last = int(words[-1][0])
        empty = sorted({(random.randint(0, last), 1) for _ in range(random.choice([0, 0, 1, 2]))})
        empty += [(place, 2) for place, _ in empty if random.random() < 0.3]
        names = [f"{place}.{minor}" for place, minor in sorted(empty)]
        nodes = [*map(str, range(last + 1)), *names, *names, *names]
        for row in words:
            arcs = {(row[6], row[7])} if random.random() < 0.9 else set()
            arcs |= {(random.choice(nodes), random.choice(LABELS)) for _ in range(random.choice([0, 0, 1, 3]))}
            arcs |= {(row[6], random.choice(LABELS)) for _ in range(random.choice([0, 0, 2]))}
            row[8] = written(arc for arc in arcs if arc[0] != row[0])
        # An empty node depends on words, on the root and on earlier empty nodes, so that no path comes back to it.
        added = {}
        for number, name in enumerate(names):
            heads = [*map(str, range(last + 1)), *names[:number]]
            arcs = {(random.choice(heads), random.choice(LABELS)) for _ in range(random.randint(1, 3))}
            added[name] = [name, "_", "_", "X", "_", "_", "_", "_", written(arcs), "_"]
        sentences.append(inserted(rows, added))
    return joined(sentences)


def inserted(rows: list[list[str]], added: dict[str, list[str]]) -> list[list[str]]:
    result = [added[name] for name in added if name.startswith("0.")]
    for row in rows:
        result.append(row)
        if row[0].isdigit():
            result += [added[name] for name in added if name.startswith(f"{row[0]}.")]
    return result


def written(arcs: object) -> str:
    return "|".join(f"{head}:{label}" for head, label in sorted(arcs, key=lambda arc: (float(arc[0]), arc))) or "_"  # type: ignore[call-overload]


def collapsed(text: str) -> str:
    """Replaces each arc from an empty node by arcs from the node's own heads, until there are none."""
    sentences = []
    for rows in sentences_of(text):
        into = {row[0]: [tuple(arc.split(":", 1)) for arc in row[8].split("|") if arc != "_"] for row in rows}
        for row in rows:
            arcs = set(into[row[0]])
            while any("." in head for head, _ in arcs):
                arcs = {
                    (above, f"{before}>{label}" if "." in head else label)
                    for head, label in arcs
                    for above, before in (into[head] if "." in head else [(head, "")])
                }
            row[8] = written(arcs) if row[0].isdigit() else row[8]
        sentences.append([row for row in rows if "." not in row[0]])
    return joined(sentences)
