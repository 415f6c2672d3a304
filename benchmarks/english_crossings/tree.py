"""Words that know their heads, and phrases of them; a phrase may be put apart, so trees need not be projective."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(eq=False)
class Word:
    """A word of a sentence under construction; without a head, it is the root.

    >>> she, slept = Word("She", "she", "PRON", "PRP"), Word("slept", "sleep", "VERB", "VBD")
    >>> she.under(slept, "nsubj").head.form
    'slept'
    """

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str = "_"
    joint: str = " "
    """What stands before it: a space, nothing (`""`), or `"-"` if both words are parts of one multiword token."""
    head: Word | None = None
    deprel: str = "root"
    misc: list[str] = field(default_factory=list)

    def under(self, head: Word, deprel: str) -> Word:
        """Hangs it under `head`, and returns it."""
        self.head, self.deprel = head, deprel
        return self


@dataclass
class Phrase:
    """Words in order, one of which is the head of the others; `agreement` is what a finite verb shows of a subject."""

    words: list[Word]
    head: Word
    agreement: str = "Number=Sing|Person=3"

    def under(self, head: Word, deprel: str) -> list[Word]:
        """Hangs the phrase under `head`, and returns its words."""
        self.head.under(head, deprel)
        return self.words


def tokens(words: Sequence[Word]) -> list[list[Word]]:
    """The words, grouped into what is written as one token.

    >>> do, nt = Word("do", "do", "AUX", "VBP"), Word("n't", "not", "PART", "RB", joint="-")
    >>> [[word.form for word in token] for token in tokens([do, nt, Word("go", "go", "VERB", "VB")])]
    [['do', "n't"], ['go']]
    """
    found: list[list[Word]] = []
    for word in words:
        if word.joint == "-" and found:
            found[-1].append(word)
        else:
            found.append([word])
    return found


def spelled(words: Sequence[Word]) -> str:
    """The sentence as text."""
    parts = [(token[0].joint, "".join(word.form for word in token)) for token in tokens(words)]
    return "".join(joint + form for joint, form in parts).strip()


def conllu(words: Sequence[Word], comments: Iterable[str]) -> str:
    """The sentence in CoNLL-U, with an empty line after it."""
    places = {word: place for place, word in enumerate(words, 1)}
    groups = tokens(words)
    lines = [f"# {comment}" for comment in comments]
    lines.append(f"# text = {spelled(words)}")
    for token, following in zip(groups, [*groups[1:], None], strict=True):
        close = ["SpaceAfter=No"] if following and following[0].joint == "" else []
        if len(token) > 1:
            form = "".join(word.form for word in token)
            ends = f"{places[token[0]]}-{places[token[-1]]}"
            lines.append("\t".join([ends, form, *["_"] * 7, *(close or ["_"])]))
        for word in token:
            misc = "|".join(word.misc + (close if len(token) == 1 else []))
            head = str(places[word.head]) if word.head else "0"
            tags = [word.form, word.lemma, word.upos, word.xpos, word.feats]
            lines.append("\t".join([str(places[word]), *tags, head, word.deprel, "_", misc or "_"]))
    return "\n".join(lines) + "\n\n"
