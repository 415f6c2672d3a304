"""Trains the bundled model of Ancient Greek, a whole pipeline, and writes it to src/multiplane/data/models/grc.

    python benchmarks/grc_model.py
    python benchmarks/grc_model.py --score         # only scores the bundled model on dev: raw text, and gold tokens
    python benchmarks/grc_model.py --write FOLDER  # only writes the treebank as it is trained on: CoNLL-U with spaces

The treebank, AGDT, is in CoNLL-X, which says nothing about spaces; they follow from the signs: a comma is attached to
the word before it, an opening bracket to the word behind it. AGDT writes elision as a combining mark (δ̓), most modern
editions as an apostrophe (δ’): the training data has an apostrophe in one sentence of four, so that the model reads
both. Takes about half an hour on one core. Needs ../shared/data.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import multiplane as mp
from bundled_model import DATA, MODELS, require, score
from multiplane.formats import Sentence

TREEBANK = DATA / "conllx" / "ancient_greek_agdt"
LICENCE = "CC BY-SA 3.0 US (Ancient Greek Dependency Treebank 2.0, The Perseus Digital Library, Tufts University)"
CLOSING, OPENING = {*",.·;:!?)]>»", "..."}, {*"([<«"}
QUOTE = '"'
ELISION, APOSTROPHE = "\u0313", "\u2019"
SMALL = {"compress": True, "word": 64, "affixes": 64, "most_affixes": 12_000}
"""The dictionary of lemmas is large, and the model must stay below 12 MB."""
EVERY = 4
"""Every fourth sentence has apostrophes."""


def attached(forms: list[str]) -> list[bool]:
    """Whether each word is written without a space before it.

    >>> attached(["ναί", ",", "(", "ἔφη", ")", '"', "δέ", '"'])
    [False, True, False, True, True, False, True, True]
    """
    found = []
    inside = False
    for place, form in enumerate(forms):
        before = forms[place - 1] if place else ""
        opens = before in OPENING or (before == QUOTE and inside)
        found.append(place > 0 and (opens or form in CLOSING or (form == QUOTE and inside)))
        inside ^= form == QUOTE
    return found


def rewritten(sentence: Sentence, number: int, elision: str) -> str:
    """The sentence as CoNLL-U, with its text."""
    forms = [form.replace(ELISION, elision) if form.endswith(ELISION) else form for form in sentence.forms]
    joins = [*attached(forms), False]
    text = "".join(("" if join else " ") + form for form, join in zip(forms, joins, strict=False)).strip()
    rows = []
    for place, row in enumerate(sentence.rows):
        misc = "SpaceAfter=No" if joins[place + 1] else "_"
        rows.append("\t".join([row[0], forms[place], *row[2:8], "_", misc]))
    return "\n".join([f"# sent_id = {number}", f"# text = {text}", *rows, "", ""])


def write(part: str, folder: Path, apostrophes: bool) -> Path:
    """Writes a part of the treebank as CoNLL-U."""
    path = folder / f"{part}.conllu"
    with path.open("w", encoding="utf-8") as file:
        for number, sentence in enumerate(mp.read(TREEBANK / f"{part}.conll.xz"), 1):
            file.write(rewritten(sentence, number, APOSTROPHE if apostrophes and number % EVERY == 0 else ELISION))
    return path


def main() -> None:
    require(TREEBANK)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(sys.argv[2] if sys.argv[1:2] == ["--write"] else name)
        train, dev = write("train", folder, apostrophes=True), write("dev", folder, apostrophes=False)
        if not sys.argv[1:]:
            mp.train(str(train), str(dev), pipeline=True, licence=LICENCE, seed=1, **SMALL).save(MODELS / "grc")
        if sys.argv[1:] in ([], ["--score"]):
            score("grc", mp.read(dev))


if __name__ == "__main__":
    main()
