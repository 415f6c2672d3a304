"""Counts the non-projective arcs of English treebanks by kind, as in the table of README.md.

    python benchmarks/english_crossings/kinds.py ../shared/data/ud/en_ewt/train.conllu.xz

The kinds are read off labels, order and tags, so a few arcs are counted under the wrong one.
"""

from __future__ import annotations

import sys
from collections import Counter

import multiplane as mp

BEHIND = {"acl", "nmod", "appos", "parataxis"}


def asks(sentence: mp.Sentence, word: int) -> bool:
    """Whether a word is a question word or a relative pronoun."""
    return any(kind in sentence.feats[word - 1] for kind in ("PronType=Int", "PronType=Rel"))


def has_asking(sentence: mp.Sentence, top: int, depth: int = 2) -> bool:
    """Whether a word, or one at most `depth` arcs below it, asks: "which song", "how many books"."""
    if asks(sentence, top):
        return True
    below = [word for word, head in enumerate(sentence.heads, 1) if head == top]
    return depth > 0 and any(has_asking(sentence, word, depth - 1) for word in below)


def kind(sentence: mp.Sentence, head: int, dependent: int) -> str:
    """The kind of a non-projective arc."""
    label, after = sentence.deprels[dependent - 1], dependent > head
    if label == "case" and after:
        return "preposition left behind"
    if not after and has_asking(sentence, dependent):
        return "filler of a lower clause"
    if asks(sentence, head) and label in {"nsubj", "nsubj:pass", "cop", "aux", "mark", "advmod"}:
        return "fronted predicate"
    if after and label in {"advcl", "obl"} and sentence.upos[head - 1] in {"ADJ", "ADV", "DET"}:
        return "comparison, result"
    if after and label == "acl:relcl":
        return "relative clause after its clause"
    if after and label in BEHIND:
        return "other modifier after its clause"
    return "conjunct apart" if label == "conj" else "other"


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for path in sys.argv[1:]:
        counts = Counter(
            kind(sentence, head, dependent)
            for sentence in mp.read_conllu(path)
            for head, dependent, *_ in sentence.graph.nonprojective_arcs()
        )
        print(f"{path}: {counts.total()} non-projective arcs")
        for name, count in counts.most_common():
            print(f"{count:5} {name}")


if __name__ == "__main__":
    main()
