"""Small treebanks with trees, predicates and arguments in CoNLL-2009, for parsers of both layers."""

from __future__ import annotations

import numpy as np

from multiplane.formats import Corpus
from multiplane.formats.reader import from_text

VERBS = {"sees": ("see.01",), "takes": ("take.01", "take.02"), "goes": ("go.01", "go.02", "go.03")}
NOUNS = ("dog", "cat", "bird", "book", "house")


def sentence(random: np.random.Generator) -> str:
    """Two verbs that share a subject and an object: arcs cross, and words have several heads.

    The sense of the first verb depends on the subject.
    """
    subject, other = random.choice(NOUNS, 2).tolist()
    verbs = random.choice(list(VERBS), 2).tolist()
    adverb = bool(random.random() < 0.5)
    words = [("the", "the", "DT", 2, "det"), (subject, subject, "NN", 3, "nsubj")]
    words += [(verbs[0], verbs[0][:-1], "VB", 0, "root"), ("and", "and", "CC", 5, "cc")]
    words += [(verbs[1], verbs[1][:-1], "VB", 3, "conj")]
    if adverb:
        words.append(("today", "today", "RB", 3, "advmod"))
    words += [("the", "the", "DT", len(words) + 2, "det"), (other, other, "NN", 5, "obj")]
    last = len(words)
    roles = {3: {2: "A0", last: "A1"}, 5: {2: "A0", last: "A1"} | ({6: "AM-TMP"} if adverb else {})}
    senses = {3: VERBS[verbs[0]][len(subject) % len(VERBS[verbs[0]])], 5: VERBS[verbs[1]][0]}
    rows = []
    for place, (form, lemma, tag, head, label) in enumerate(words, 1):
        predicate = ("Y", senses[place]) if place in senses else ("_", "_")
        arguments = [roles[verb].get(place, "_") for verb in sorted(senses)]
        rows.append(
            "\t".join(
                map(
                    str,
                    (place, form, lemma, lemma, tag, tag, "_", "_", head, head, label, label, *predicate, *arguments),
                )
            )
        )
    return "\n".join(rows) + "\n"


def frames(count: int, seed: int = 1, name: str = "<text>") -> Corpus:
    """A treebank of some random sentences; the same for the same seed."""
    random = np.random.default_rng(seed)
    return from_text("".join(sentence(random) + "\n" for _ in range(count)), "conll09", name=name)
